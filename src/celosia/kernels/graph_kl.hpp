// (k, l)-anonymity of a graph under edit, for l = 1 and 2.
//
// A place is a vertex that others may be linked with, in a directed graph one out (p) and one in (n + p). Of every place
// and every two places, the vertices of a group that hold both, and with absence also those that hold only the one, only
// the other or neither, are none or at least k. With exclude_known the two vertices themselves do not count.
#pragma once

#include <cstdint>
#include <memory>

#include "graph_demands.hpp"

namespace celosia {

struct KlOptions {
    std::int64_t k;
    int n_known;  // l: 1 or 2
    bool absence, exclude_known;
};

std::unique_ptr<Demand> kl_demand(const EditedGraph& graph, const KlOptions& options, Groups groups);
// Whether the demand can be counted on a graph of this size: absence and exclude_known need a table of all pairs.
bool kl_fits(std::size_t n, bool directed, const KlOptions& options, std::size_t n_groups);

}  // namespace celosia
