#include "distinct_tuples.hpp"

#include <algorithm>
#include <utility>

#include "sorting.hpp"

namespace celosia {

namespace {

constexpr std::int32_t missing = -1;

// The new code of every code from the lowest to the highest, 0 for those that do not occur.
std::vector<std::int32_t> ranks_by_table(const std::int32_t* codes, std::size_t n, std::int64_t lowest,
                                         std::size_t n_possible) {
    std::vector<std::int32_t> ranks(n_possible, 0);
    for (std::size_t i = 0; i < n; ++i)
        ranks[static_cast<std::size_t>(codes[i] - lowest)] = codes[i] != missing ? 1 : 0;
    std::int32_t n_known = 0;
    for (std::int32_t& rank : ranks) {
        if (rank != 0) rank = ++n_known;
    }
    return ranks;
}

}  // namespace

DenseColumn dense_column(const std::int32_t* codes, std::size_t n) {
    DenseColumn column;
    column.codes.resize(n);
    if (n == 0) return column;
    const auto [least, most] = std::minmax_element(codes, codes + n);
    const std::int64_t lowest = *least;
    const auto n_possible = static_cast<std::size_t>(*most - lowest) + 1;
    if (n_possible < 4 * n + 1024) {
        const std::vector<std::int32_t> ranks = ranks_by_table(codes, n, lowest, n_possible);
        for (std::size_t i = 0; i < n; ++i) column.codes[i] = ranks[static_cast<std::size_t>(codes[i] - lowest)];
        column.n_codes = *std::max_element(ranks.begin(), ranks.end()) + 1;
    } else {
        std::vector<std::int32_t> known(codes, codes + n);
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        known.erase(std::remove(known.begin(), known.end(), missing), known.end());
        for (std::size_t i = 0; i < n; ++i) {
            const auto place = std::lower_bound(known.begin(), known.end(), codes[i]) - known.begin();
            column.codes[i] = codes[i] == missing ? 0 : static_cast<std::int32_t>(place) + 1;
        }
        column.n_codes = static_cast<std::int32_t>(known.size()) + 1;
    }
    column.n_missing = static_cast<std::int32_t>(std::count(codes, codes + n, missing));
    return column;
}

DistinctTuples distinct_tuples(std::vector<DenseColumn> rows, std::size_t n, const std::int32_t* marks) {
    std::vector<const std::int32_t*> keys;
    for (const DenseColumn& column : rows) keys.push_back(column.codes.data());
    if (marks != nullptr) keys.push_back(marks);
    const std::vector<std::int32_t> order = sorted_rows(keys, n, nullptr);
    DistinctTuples tuples;
    tuples.of_row.resize(n);
    std::vector<std::size_t> first_rows;
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::size_t>(order[i]);
        if (i == 0 || !std::all_of(keys.begin(), keys.end(),
                                   [&](auto codes) { return codes[row] == codes[first_rows.back()]; })) {
            first_rows.push_back(row);
            tuples.n_rows.push_back(0);
        }
        ++tuples.n_rows.back();
        tuples.of_row[row] = static_cast<std::int32_t>(first_rows.size() - 1);
    }
    tuples.columns = std::move(rows);
    std::vector<std::int32_t> kept(first_rows.size());
    for (DenseColumn& column : tuples.columns) {
        std::transform(first_rows.begin(), first_rows.end(), kept.begin(),
                       [&column](std::size_t row) { return column.codes[row]; });
        column.codes.assign(kept.begin(), kept.end());
        column.codes.shrink_to_fit();
    }
    return tuples;
}

}  // namespace celosia
