// Sets of columns of a table: which tell rows apart, and which single rows out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "distinct_tuples.hpp"
#include "pulse.hpp"

namespace celosia {

// Codes per row, -1 where missing.
struct CodeTable {
    std::vector<const std::int32_t*> columns;
    std::size_t n_rows;
};

std::vector<DenseColumn> dense_columns(const CodeTable& table, const Pulse& pulse);

// All minimal sets of one to max_size columns by which the rows have at least n_needed distinct tuples; a missing code
// is a code like others. By size, then in the order of the columns.
std::vector<std::vector<std::int32_t>> minimal_keys(const CodeTable& table, std::int64_t n_needed,
                                                    std::int64_t max_size, Pulse& pulse, int threads);

// The minimal sample uniques of a row are the smallest sets of columns, one and more, in which it is known and no other
// row, with subjects no row of another subject, has the same codes.
struct MinimalUniques {
    std::vector<std::int32_t> counts;     // [row * max_size + size - 1]: how many the row has
    std::vector<std::int64_t> in_column;  // [column * max_size + size - 1]: how many of all rows hold the column
};
MinimalUniques minimal_uniques(const CodeTable& table, std::int64_t max_size, const std::int32_t* subjects,
                               Pulse& pulse, int threads);

}  // namespace celosia
