// Vertices of a graph that look alike: in their neighbours, or in the colours of their neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace celosia {

// The neighbours of vertex v are indices[starts[v]] .. indices[starts[v + 1] - 1], each with an entry (1 without).
struct GraphRows {
    const std::int64_t* starts;
    const std::int32_t* indices;
    const std::int64_t* entries;  // or nullptr
};

// A label per vertex, numbered in the order of first vertices. Vertices are in one class just if they have the same
// colour before and, in each of the rows, as many neighbours of every colour with every entry; without colours the
// neighbours themselves are compared, and rows must ascend.
struct GraphLook {
    std::vector<GraphRows> rows;
    std::size_t n_vertices;
    const std::int32_t* colours;  // of neighbours, or nullptr
    const std::int32_t* before;   // of the vertex itself, or nullptr
};

// Hashes only bring vertices together; then they are compared. Fewer bits of them change nothing but the time, and
// are for tests.
std::vector<std::int32_t> graph_classes(const GraphLook& look, std::uint64_t seed, int hash_bits, Pulse& pulse,
                                        int threads);

}  // namespace celosia
