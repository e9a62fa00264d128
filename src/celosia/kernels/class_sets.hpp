// Sets of rows that may be classes, listed by their reduced cost: what an exact search needs to be told.
//
// A price per row stands for what the row should cost. The reduced cost of a set is its size times its loss minus the
// prices of its rows. Losses only grow with a set, so that every row added pays at least what the set so far would lose
// with it: sums of such shares bound the reduced cost of all sets that contain a given one.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"
#include "pulse.hpp"

namespace celosia {

struct ClassSetTask {
    const Columns& columns;
    const Demands& demands;
    // A set has at most so many rows.
    std::int32_t n_most_rows;
    // Rows with equal numbers, which follow each other, are interchangeable: a set takes the first of them.
    const std::int32_t* kinds;
    const std::int64_t* prices;
    // Sets with a higher reduced cost are left out.
    std::int64_t bar;
    // Of the sets with the same first row so many with the least reduced cost; 0: all.
    std::int64_t n_per_row;
    // The listing ends early with more sets, after so many looks at a row, or after so many seconds.
    std::int64_t n_most_sets;
    std::int64_t n_most_looks;
    double seconds;
    Pulse& pulse;
};

struct ClassSets {
    std::vector<std::int32_t> rows;    // set after set, each ascending
    std::vector<std::int64_t> starts;  // one more than sets
    std::vector<std::int32_t> losses;
    std::int64_t n_looks = 0;
    bool is_complete = true;
};

ClassSets class_sets(const ClassSetTask& task);

// The loss of every class of so many; negative labels are no class.
std::vector<std::int32_t> class_losses(const Columns& columns, const std::int32_t* labels, std::int32_t n_classes);

}  // namespace celosia
