// The best cuts of an order of the rows into classes of neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "pulse.hpp"

namespace celosia {

struct OrderedSplitTask {
    const Columns& columns;
    std::int32_t k;
    const std::int32_t* order;     // a permutation of the rows
    const std::int32_t* subjects;  // may be null
    Pulse& pulse;
    int n_threads;
};

// Among all ways to cut the order into stretches of at least k rows (k distinct subjects) each, one with the least sum
// of size * loss. Of equally good ways the one whose last class is shortest, then the last but one, and so on. Labels
// are numbered along the order.
std::vector<std::int32_t> split_order(const OrderedSplitTask& task);

}  // namespace celosia
