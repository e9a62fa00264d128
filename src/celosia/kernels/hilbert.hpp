// The order of points along a Hilbert curve, so that neighbours in the order are neighbours in space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace celosia {

// n_columns * bits may not be above this: a key is two words.
inline constexpr std::size_t n_key_bits = 128;

struct Points {
    const std::uint32_t* coordinates;  // [row * n_columns + column], each below 2^bits
    std::size_t n_rows;
    std::size_t n_columns;
    int bits;
};

// Rows by their place on the curve, those in one cell by row. The pulse is only asked whether to stop: the order is a
// small part of any search that needs it.
std::vector<std::int32_t> hilbert_order(const Points& points, const Pulse& pulse, int n_threads);

}  // namespace celosia
