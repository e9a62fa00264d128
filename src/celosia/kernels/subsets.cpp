#include "subsets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace celosia {

OrderedColumns by_distinct_codes(const CodeTable& table, const Pulse& pulse) {
    std::vector<DenseColumn> columns;
    for (const std::int32_t* codes : table.columns) {
        pulse.check();
        columns.push_back(dense_column(codes, table.n_rows));
    }
    OrderedColumns result;
    result.names.resize(columns.size());
    std::iota(result.names.begin(), result.names.end(), 0);
    std::stable_sort(result.names.begin(), result.names.end(), [&columns](std::int32_t x, std::int32_t y) {
        return columns[static_cast<std::size_t>(x)].n_distinct() < columns[static_cast<std::size_t>(y)].n_distinct();
    });
    for (const std::int32_t name : result.names)
        result.columns.push_back(std::move(columns[static_cast<std::size_t>(name)]));
    return result;
}

}  // namespace celosia
