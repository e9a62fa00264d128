// l-greedy (Liang & Samavi, 2020): each class starts at the first free row of a given order.
#include <stdexcept>
#include <string>
#include <vector>

#include "growth.hpp"

namespace celosia {

std::vector<std::int32_t> l_greedy(const GrowthTask& task, const std::int32_t* order) {
    const std::int32_t n = task.columns.n_rows();
    std::vector<bool> seen(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; ++i) {
        if (order[i] < 0 || order[i] >= n || seen[static_cast<std::size_t>(order[i])])
            throw std::invalid_argument("order is not a permutation of the rows (place " + std::to_string(i) + ")");
        seen[static_cast<std::size_t>(order[i])] = true;
    }
    const std::int32_t* next = order;
    return grow(task, 0, [&](FreeRows& free, std::int32_t) {
        while (!free.contains(*next)) ++next;
        return *next;
    });
}

}  // namespace celosia
