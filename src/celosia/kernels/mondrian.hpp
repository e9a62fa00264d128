// Mondrian (LeFevre, DeWitt & Ramakrishnan, 2006): cut the rows at a median until no cut leaves two sides that meet
// all demands.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"
#include "pulse.hpp"

namespace celosia {

struct MondrianTask {
    const Columns& columns;
    const Demands& demands;
    bool strict;
    Pulse& pulse;
    int n_threads;
};

// Labels are numbered depth first, the lower side of a cut before the upper one.
std::vector<std::int32_t> mondrian(const MondrianTask& task);

}  // namespace celosia
