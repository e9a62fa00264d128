// The cheapest choice of sets that takes every row once: the last step of an exact search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace celosia {

// Rows of a kind are interchangeable, so that sets are given by the kinds of their rows.
struct CoverTask {
    const std::int32_t* kinds;   // set after set, each ascending
    const std::int64_t* starts;  // one more than sets
    const std::int64_t* costs;   // none below 0
    std::size_t n_sets;
    // Of these sets, from here on, at most n_spare are taken (rows that are suppressed); each that is not costs `unused`.
    std::size_t first_spare;
    std::int64_t n_spare;
    std::int64_t unused;
    const std::int32_t* n_of_kind;
    std::size_t n_kinds;
    // Only a choice that costs less is of interest.
    std::int64_t bar;
    std::int64_t n_most_looks;
    double seconds;
    Pulse& pulse;
};

struct Cover {
    std::vector<std::int32_t> sets;  // some more than once; empty if nothing costs less than the bar
    bool is_complete = true;
    std::int64_t n_looks = 0;
};

// Depth first, always at the kind that fewest sets hold, the cheapest set first. What rows left over cost at least is
// the sum of their least shares, the share of a row in a set being an equal part of the set's cost.
Cover exact_cover(const CoverTask& task);

}  // namespace celosia
