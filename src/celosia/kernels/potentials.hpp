// Potentials of rows under which no class of a pool costs less than its rows' potentials together, nearly, and whose
// sum is nearly as high as that allows: the dual of choosing classes of the pool so that each row is in one.
//
// The choice is smoothed by heat: a class is taken to the share exp((potentials - cost) / heat), and each row in turn
// moves its potential so that the shares of its classes add up to 1 (iterated scaling). Heat falls sweep by sweep. A row that is in no class keeps
// its potential.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace celosia {

struct ClassPool {
    const std::int32_t* members;
    const std::int64_t* ends;  // of each class
    std::size_t n_classes;
    const double* costs;       // size * loss of each class
    const double* caps;        // per row; no potential is above its cap, or below 0
};

struct Cooling {
    double first_heat, last_heat;
    std::int64_t n_sweeps;
};

std::vector<double> fit_potentials(const ClassPool& pool, std::vector<double> potentials, const Cooling& cooling,
                                   const Pulse& pulse);

}  // namespace celosia
