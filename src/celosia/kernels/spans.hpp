// Loops over a stretch of one column, with `missing` (-1) before every known value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace celosia {

struct Span {
    std::int32_t lowest;   // known value; meaningless without any
    std::int32_t highest;  // known value, or missing
    bool has_missing;
};

Span span_of(const std::int32_t* values, std::size_t n);

struct Counts {
    std::size_t below;
    std::size_t equal;
};

Counts count_around(const std::int32_t* values, std::size_t n, std::int32_t pivot);

// Keeps the order on both sides: those with left[i] == 1 first. `spare` has room for n values.
void split_by(const std::uint8_t* left, std::int32_t* values, std::size_t n, std::int32_t* spare);

}  // namespace celosia
