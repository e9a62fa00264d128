#include "subsets.hpp"

namespace celosia {

std::vector<DenseColumn> dense_columns(const CodeTable& table, const Pulse& pulse) {
    std::vector<DenseColumn> columns;
    for (const std::int32_t* codes : table.columns) {
        pulse.check();
        columns.push_back(dense_column(codes, table.n_rows));
    }
    return columns;
}

}  // namespace celosia
