// l-greedy (Liang & Samavi, 2020): each class starts at the first free row of a given order.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"
#include "pulse.hpp"

namespace celosia {

struct LGreedyTask {
    const Columns& columns;
    const Demands& demands;
    const std::int32_t* order;
    Pulse& pulse;
    int n_threads;
};

// Labels in the order in which the classes were made. Each class grows by the cheapest row until the demands are met.
// When they can no longer be met, the rows that are left go where they cost least; with other demands than a number of
// rows each of them becomes a class of its own, and breaks them.
std::vector<std::int32_t> l_greedy(const LGreedyTask& task);

}  // namespace celosia
