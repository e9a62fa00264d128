// Rows in the order of their codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

// The rows 0..n-1 in ascending order of their codes, the first column first; equal rows by their ties, or as they stand
// where there are none (null). Codes may be negative.
std::vector<std::int32_t> sorted_rows(const std::vector<const std::int32_t*>& columns, std::size_t n,
                                      const std::uint64_t* ties);

}  // namespace celosia
