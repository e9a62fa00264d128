#include "spans.hpp"

#include <algorithm>

#include "dispatch.hpp"

namespace celosia {

namespace {

CELOSIA_INLINE Span span_loop(const std::int32_t* CELOSIA_RESTRICT values, std::size_t n) {
    std::int32_t lowest = INT32_MAX, highest = INT32_MIN;
    std::uint32_t lowest_known = UINT32_MAX;  // missing, read without sign, is above every known value
    for (std::size_t i = 0; i < n; ++i) {
        lowest = std::min(lowest, values[i]);
        highest = std::max(highest, values[i]);
        lowest_known = std::min(lowest_known, static_cast<std::uint32_t>(values[i]));
    }
    return {static_cast<std::int32_t>(lowest_known), highest, lowest < 0};
}

CELOSIA_INLINE Counts count_loop(const std::int32_t* CELOSIA_RESTRICT values, std::size_t n, std::int32_t pivot) {
    std::uint32_t below = 0, equal = 0;
    for (std::size_t i = 0; i < n; ++i) {
        below += values[i] < pivot;
        equal += values[i] == pivot;
    }
    return {below, equal};
}

}  // namespace

Span span_of(const std::int32_t* values, std::size_t n) { return dispatch<span_loop>(values, n); }

Counts count_around(const std::int32_t* values, std::size_t n, std::int32_t pivot) {
    return dispatch<count_loop>(values, n, pivot);
}

void split_by(const std::uint8_t* left, std::int32_t* values, std::size_t n, std::int32_t* spare) {
    // Without a branch, since a median's sides come in no order a processor could guess. Each value is written to both
    // sides, and only the side it belongs to moves on.
    std::size_t n_left = 0, n_right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t value = values[i];
        values[n_left] = value;
        spare[n_right] = value;
        n_left += left[i];
        n_right += 1U - left[i];
    }
    std::copy_n(spare, n_right, values + n_left);
}

}  // namespace celosia
