// The parts of the search by pieces, one at a time: for tests against plain definitions.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"

namespace celosia {

// Of classes given by their rows, one after the other, and where each ends: every loss; what row i of class x would add
// to each; the losses of x without each of its rows; those of x and y if i and each row of y changed places.
struct ExchangeLosses {
    std::vector<std::int32_t> loss, growth, without, swapped_x, swapped_y;
};
ExchangeLosses exchange_losses(const Columns& columns, const std::vector<std::int32_t>& rows,
                               const std::vector<std::size_t>& ends, std::size_t x, std::size_t i, std::size_t y);

// All these classes thrown together and grouped anew: way 0..2 from nothing (Pool::Start), 3 from cores.
struct RegroupTrial {
    bool is_found = false;
    std::int64_t cost = 0;
    std::vector<std::vector<std::int32_t>> classes;
    std::vector<std::int32_t> loss;
};
RegroupTrial regroup_trial(const Columns& columns, const Demands& demands, const std::vector<std::int32_t>& rows,
                           const std::vector<std::size_t>& ends, int way, std::uint64_t seed);

}  // namespace celosia
