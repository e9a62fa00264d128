// The distinct rows of a table of codes, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

// A column whose codes are renumbered without gaps: 0 is missing, known codes follow in their order.
struct DenseColumn {
    std::vector<std::int32_t> codes;
    std::int32_t n_codes = 1;  // with the missing one, whether it occurs or not
    std::int32_t n_missing = 0;

    std::int32_t n_distinct() const { return n_codes - (n_missing == 0 ? 1 : 0); }
};

// Of any codes; -1 is the missing one.
DenseColumn dense_column(const std::int32_t* codes, std::size_t n);

struct DistinctTuples {
    std::vector<DenseColumn> columns;   // the codes of each tuple
    std::vector<std::int32_t> of_row;   // the tuple of each row
    std::vector<std::int32_t> n_rows;   // the rows of each tuple

    std::size_t size() const { return n_rows.size(); }
};

// The tuples in ascending order, the first column first. Rows stay apart whose marks differ, where there are marks.
DistinctTuples distinct_tuples(std::vector<DenseColumn> rows, std::size_t n, const std::int32_t* marks = nullptr);

}  // namespace celosia
