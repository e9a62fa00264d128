// Edits that bring both their ends nearer to what is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph_degree.hpp"

namespace celosia {

// A node, and by how much its degree should change.
using Wants = std::vector<std::pair<std::int32_t, std::int32_t>>;

// Pairs to be added between nodes that want more, and deleted between nodes that want less: as many as a greedy choice
// finds that serves whoever wants most first, together with those who want most after it (Havel and Hakimi's way).
class DegreeMatching {
   public:
    DegreeMatching(const NodePairs& pairs, const DegreeRules& rules);

    // How many such edits were found, added and deleted; they are written to `edits`, if it is given.
    std::pair<std::int64_t, std::int64_t> match(const Wants& wants, PairList* edits);

   private:
    std::int64_t match_sign(const Wants& wants, int sign, PairList* edits);
    void find_more(std::int32_t v, std::size_t n_wanted);
    void find_less(std::int32_t v, std::size_t n_wanted, const Wants& wants);
    void put(std::int32_t v, std::int32_t need);
    void take(std::int32_t v);

    const NodePairs& pairs_;
    const DegreeRules& rules_;
    std::vector<std::int32_t> need_;
    std::vector<std::size_t> place_of_;                // in the bucket of its need
    std::vector<std::vector<std::int32_t>> buckets_;  // the nodes of each need
    std::vector<std::int32_t> found_;
};

}  // namespace celosia
