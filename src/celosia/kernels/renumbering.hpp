// Labels without gaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

// The labels that are there become 0, 1, ... in ascending order; negative ones stay.
inline void renumber(std::vector<std::int32_t>& labels) {
    std::vector<std::int32_t> number(
        labels.empty() ? 0 : static_cast<std::size_t>(std::max(*std::max_element(labels.begin(), labels.end()), 0)) + 1,
        -1);
    for (const std::int32_t label : labels) {
        if (label >= 0) number[static_cast<std::size_t>(label)] = 0;
    }
    std::int32_t n = 0;
    for (std::int32_t& own : number) {
        if (own == 0) own = n++;
    }
    for (std::int32_t& label : labels) {
        if (label >= 0) label = number[static_cast<std::size_t>(label)];
    }
}

}  // namespace celosia
