// Greedy growth by an exact scan over all free rows: k-members, and l-greedy where a tree would not help.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "columns.hpp"
#include "free_rows.hpp"
#include "pulse.hpp"

namespace celosia {

// Gives the row that starts the next class; it must be free.
using Seeder = std::function<std::int32_t(FreeRows& free, std::int32_t last_row)>;

struct GrowthTask {
    const Columns& columns;
    std::int32_t k;
    const std::int32_t* subjects;  // may be null
    Pulse& pulse;
    int n_threads;
};

// Labels in the order in which the classes were made. `first_row` is the last row as the first call of the seeder
// sees it.
std::vector<std::int32_t> grow(const GrowthTask& task, std::int32_t first_row, const Seeder& seeder);

std::vector<std::int32_t> k_members(const GrowthTask& task, std::int32_t first_row, const double* weights);

}  // namespace celosia
