// Whether an order names every row once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace celosia {

inline void check_permutation(const std::int32_t* order, std::int32_t n) {
    std::vector<bool> seen(static_cast<std::size_t>(n));
    for (std::int32_t place = 0; place < n; ++place) {
        if (order[place] < 0 || order[place] >= n || seen[static_cast<std::size_t>(order[place])])
            throw std::invalid_argument("order is not a permutation of the rows (place " + std::to_string(place) + ")");
        seen[static_cast<std::size_t>(order[place])] = true;
    }
}

}  // namespace celosia
