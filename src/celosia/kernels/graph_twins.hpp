// Classes of vertices that are cheaply made twins.
//
// Twins have all links with another class or none. With classes given, the nearest such graph is known: each block of
// pairs between two classes is filled or emptied, whichever is cheaper, and the pairs within a class are emptied (open
// twins) or filled (closed twins). What is searched is the partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulse.hpp"

namespace celosia {

// Neighbours of vertex v: indices[starts[v] .. starts[v + 1]], without v itself.
struct TwinRows {
    const std::int64_t* starts = nullptr;
    const std::int32_t* indices = nullptr;

    std::span<const std::int32_t> of(std::size_t v) const {
        return {indices + starts[v], static_cast<std::size_t>(starts[v + 1] - starts[v])};
    }
};

struct TwinTask {
    std::size_t n_vertices;
    TwinRows out, into;          // without direction there is only out
    const std::uint8_t* loops;   // which vertices have one that may be kept; null: none
    const std::int32_t* kinds;   // only vertices of one kind may share a class
    const std::int32_t* pools;   // of each kind: the pool where its vertices may be left without links; -1: none
    std::size_t n_kinds, n_pools;
    bool closed;
    std::int64_t add_cost, delete_cost;  // of an edge
    std::int64_t k;

    bool directed() const { return into.starts != nullptr; }
};

struct TwinEffort {
    std::int64_t n_steps;   // of each run
    std::int64_t n_runs;    // the first goes on from given labels, if there are any; the others start anew
    double seconds;
    std::uint64_t seed;
    int n_threads;
};

// A class per vertex, each of at least k, and none of two kinds but pools, which are classes 0 .. n_pools - 1. Every
// pool needs k vertices at least, and so does a kind without one. The better of all runs, the first of equals.
std::vector<std::int32_t> search_twins(const TwinTask& task, const std::int32_t* start, const TwinEffort& effort,
                                       Pulse& pulse);

}  // namespace celosia
