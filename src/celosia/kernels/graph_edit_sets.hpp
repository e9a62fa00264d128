// All sets of so many edits of a graph that meet demands: the exact search on tiny graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph_demands.hpp"
#include "graph_edits.hpp"
#include "pulse.hpp"

namespace celosia {

struct EditSetsOptions {
    std::size_t size;       // edits of each set
    std::size_t n_most;     // sets after which it ends
    std::int64_t n_looks;   // how much work is done at most
    double seconds;         // may be infinite
};

struct EditSets {
    std::vector<std::vector<Edge>> found;
    bool is_whole = true;  // whether every set was looked at, and all that meet the demands are here
    std::int64_t n_looks = 0;
};

// The graph must be as it was given, and is so again afterwards.
EditSets edit_sets(EditedGraph& graph, std::vector<std::unique_ptr<Demand>>& demands, const EditSetsOptions& options,
                   Pulse& pulse);

}  // namespace celosia
