// Edits that give every node the degree it should have, or another one that is common enough.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_degree.hpp"
#include "pulse.hpp"

namespace celosia {

struct DegreeRealising {
    NodePairs pairs;
    DegreeRules rules;
    const std::int32_t* groups;
    const std::int32_t* targets;  // degrees that are anonymous, of vertices: with mates, as pairs
    PairList direct;              // edits that both their ends want
    std::uint64_t seed;
};

struct RealisedDegrees {
    bool found;  // else some unit could not be placed, and the edits lead a part of the way
    PairList edits;
};

RealisedDegrees realise_degrees(const DegreeRealising& task, Pulse& pulse);

}  // namespace celosia
