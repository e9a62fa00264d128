// k-members (Byun, Kamra, Bertino & Li, 2007): a class starts at the free row furthest from the one that joined last.
#include <cmath>
#include <stdexcept>
#include <string>

#include "growth.hpp"

namespace celosia {

std::vector<std::int32_t> k_members(const GrowthTask& task, std::int32_t first_row, const double* weights) {
    if (first_row < 0 || first_row >= task.columns.n_rows())
        throw std::invalid_argument("first is " + std::to_string(first_row) + "; it must be a row");
    for (std::size_t c = 0; c < task.columns.size(); ++c) {
        if (!std::isfinite(weights[c]) || weights[c] < 0.0)
            throw std::invalid_argument("the weight of column " + std::to_string(c) + " is negative or not finite");
    }
    const Weights prepared(weights, task.columns.size());
    const auto furthest = [&](FreeRows& free, std::int32_t last_row) { return free.furthest(last_row, prepared); };
    return grow(task, first_row, furthest);
}

}  // namespace celosia
