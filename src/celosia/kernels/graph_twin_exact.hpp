// The cheapest classes of twins of a small graph, by branch and bound.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_twins.hpp"
#include "pulse.hpp"

namespace celosia {

struct TwinOptimum {
    std::vector<std::int32_t> labels;  // empty if nothing cheaper than the bound was found
    bool is_proved = false;            // whether the search went to its end: nothing is cheaper than what was found
};

// Classes that cost less than a bound, as cheap as can be; pools count as in search_twins. At most 64 vertices.
TwinOptimum cheapest_twins(const TwinTask& task, std::int64_t bound, std::int64_t n_nodes, double seconds,
                           Pulse& pulse);

}  // namespace celosia
