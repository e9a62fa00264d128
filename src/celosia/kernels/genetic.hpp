// A genetic search among recodings of whole columns (Iyengar 2002).
//
// A chromosome has a gene per place where a column may be cut: between neighbouring values of a line, at an inner node
// of a tree; or a level per column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ladders.hpp"
#include "pulse.hpp"
#include "recoder.hpp"
#include "top_down.hpp"

namespace celosia {

// A column that is published as ranges of its own, not on its ladder's levels. Its values stand in blocks that are
// never cut; missing values have the last code.
struct Ranges {
    std::vector<std::int32_t> block_of;  // [code], ascending; -1: missing
    std::vector<std::int64_t> costs;     // [first block][last block] of a row in such a range ...
    std::vector<std::int64_t> rebates;   // ... less that of its code
    std::size_t n_blocks = 0;

    bool has_missing() const { return !block_of.empty() && block_of.back() < 0; }
    bool are_given() const { return n_blocks > 0; }
};

struct GeneticTask {
    const Ladders& ladders;
    const Tuples& tuples;
    const Terms& terms;
    Objective objective;
    bool by_levels;                     // one level per column
    const std::vector<Ranges>& ranges;  // [column]; those not given are cut at the nodes of their trees
    const std::vector<Places>& seeds;   // levels that are known to hold
    std::size_t n_population;
    std::int64_t n_generations;
    bool ends_when_idle;  // when nothing better has come for long; begins anew otherwise
    double seconds;  // 0: no limit
    std::uint64_t seed;
    std::int64_t all_lost;  // what it costs to suppress every row
    const Approve& approve;
    Pulse& pulse;
    int threads;
};

struct Bred {
    Places places;  // [column][code]: the level, or of a column of ranges the range; empty: nothing holds
    std::vector<std::vector<std::int64_t>> costs;  // [column][code]
    std::int64_t cost = 0;
    std::int64_t n_judged = 0;
    // When the best so far was found, and its cost.
    std::vector<double> times;
    std::vector<std::int64_t> least;
};

// Without a limit of time the seed alone decides, on any number of threads. When its pulse is stopped it ends with the
// best so far.
Bred breed(const GeneticTask& task);

}  // namespace celosia
