// The cheapest level for every column: branch and bound over the columns.
//
// A node of the search gives levels to some columns and leaves the others at their tops. Its classes are unions of the
// classes of every recoding below it, so that what is broken there for certain is broken in all of them: that is
// Incognito's pruning by subsets of columns, and what predictive tagging says of whole recodings.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ladders.hpp"
#include "pulse.hpp"
#include "recoder.hpp"

namespace celosia {

struct Range {
    std::int32_t least, most;
};

// The cost of a recoding by a higher judge, or -1 if it does not hold. Called by one thread at a time.
using Confirm = std::function<std::int64_t(const std::vector<std::int32_t>& levels)>;

struct LatticeTask {
    const Ladders& ladders;
    const Tuples& tuples;
    const Terms& terms;
    Objective objective;
    const std::vector<Range>& ranges;  // of levels, per column
    std::int64_t all_lost;             // what it costs to suppress every row
    double seconds;                    // 0: no limit
    std::uint64_t seed;
    const Confirm& confirm;  // may be empty
    Pulse& pulse;
    int threads;
};

struct Optimum {
    std::vector<std::int32_t> levels;  // empty: none was found
    std::int64_t cost = 0;
    std::int64_t bound = 0;  // no recoding costs less
    bool is_proved = false;  // there is no better one, or none at all
    std::int64_t n_judged = 0;
};

Optimum lattice(const LatticeTask& task);

}  // namespace celosia
