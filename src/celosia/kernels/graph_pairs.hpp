// Attackers who know one or two items of a row.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_holdings.hpp"
#include "pulse.hpp"

namespace celosia {

struct Known {
    std::vector<std::uint8_t> broken;  // per row: whether fewer than k candidates are left
    std::int64_t fewest;               // candidates of anybody
};

// Knowing nothing but the group, or one item.
Known one_known(const Holdings& holdings, std::int64_t k);

// Knowing up to two. No row has fewer candidates than floor: once so few are found, only rows that are not settled
// need a look.
Known two_known(const Holdings& holdings, std::int64_t k, Known one, std::int64_t floor, Pulse& pulse, int threads);

}  // namespace celosia
