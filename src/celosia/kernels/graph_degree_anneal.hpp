// Few edits that make a small graph degree anonymous, by simulated annealing over the edits themselves.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph_degree.hpp"
#include "pulse.hpp"

namespace celosia {

struct DegreeAnnealing {
    NodePairs pairs;
    DegreeRules rules;
    const std::int32_t* groups;  // of nodes: numbered from 0
    std::size_t n_groups;
    std::int64_t n_steps, n_rounds;
    double heat;          // at the start of a round
    std::int64_t enough;  // ends once there are so few edits
    double seconds;
    std::uint64_t seed;
};

struct AnnealedPairs {
    bool found;
    PairList edits;  // pairs added where there was none, deleted where there was one
};

// Starts from the edits given (none, or a valid result); every round begins there. Memory is quadratic in the nodes.
AnnealedPairs anneal_degrees(const DegreeAnnealing& task, const PairList& start, Pulse& pulse);

}  // namespace celosia
