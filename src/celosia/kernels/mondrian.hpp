// Mondrian (LeFevre, DeWitt & Ramakrishnan, 2006): cut the rows at a median until no cut leaves k on both sides.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "pulse.hpp"

namespace celosia {

struct MondrianTask {
    const Columns& columns;
    std::int32_t k;
    bool strict;
    const std::int32_t* subjects;  // may be null
    Pulse& pulse;
    int n_threads;
};

// Labels are numbered depth first, the lower side of a cut before the upper one.
std::vector<std::int32_t> mondrian(const MondrianTask& task);

}  // namespace celosia
