// Squared normalised Euclidean distance of many rows to one, a column at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "steps.hpp"

namespace celosia {

// In double the distances are those of the definition. In float they are several times as fast and within
// (16 + n_columns) / 2^24 of it, relative to the distance: enough to tell where the furthest row cannot be.

// total[i] += 0 if cells[i] == code else weight
template <class Real>
void add_mismatch(Width width, const std::byte* cells, std::int32_t code, Real weight, Real* total, std::size_t n);

// total[i] += weight * ((cells[i] - position) / full)^2, or weight where cells[i] == unknown
template <class Real>
void add_square(const std::byte* cells, std::int32_t position, std::int32_t unknown, std::int32_t full, Real weight,
                Real* total, std::size_t n);

// The greatest of n totals that are not negative.
template <class Real>
Real greatest(const Real* total, std::size_t n);

}  // namespace celosia
