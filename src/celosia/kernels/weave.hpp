// Weave, stage 2: classes regrouped with their neighbours, pass by pass, for as long as one likes.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"
#include "pulse.hpp"

namespace celosia {

struct WeaveTask {
    const Columns& columns;
    const Demands& demands;
    const std::int32_t* labels;  // the classes to begin with: 0, 1, ...
    std::int64_t n_passes;
    double seconds;  // may be infinite
    std::uint64_t seed;
    Pulse& pulse;
    int n_threads;
};

struct Woven {
    std::vector<std::int32_t> labels;
    // Before the first pass and after each: the time since the beginning, and the least loss found by then (a fraction
    // of 2^30 per row).
    std::vector<double> seconds, loss;
};

// Never stops with an error once it runs: a stopped pulse, like the end of the time, gives the best classes so far.
// Without such an end the result depends on nothing but the task, whatever the number of threads.
Woven weave(const WeaveTask& task);

}  // namespace celosia
