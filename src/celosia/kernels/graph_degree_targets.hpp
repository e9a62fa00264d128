// The degrees that an anonymous graph should have so that few edits lead there.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_degree.hpp"
#include "pulse.hpp"

namespace celosia {

struct DegreeAim {
    NodePairs pairs;
    DegreeRules rules;
    const std::int32_t* groups;
    std::size_t n_groups;
    std::int64_t n_trials;
    double seconds;
    std::uint64_t seed;
};

struct DegreeTargets {
    std::vector<std::int32_t> degrees;  // of each node
    PairList pairs;                     // edits that both their ends want
    std::int64_t n_edits;               // what they cost if every other unit can be had at one edit
};

DegreeTargets degree_targets(const DegreeAim& aim, Pulse& pulse);

}  // namespace celosia
