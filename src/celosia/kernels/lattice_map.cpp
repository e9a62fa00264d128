#include "lattice_map.hpp"

#include <algorithm>

namespace celosia {

Map::Map(const LatticeTask& given) : task(given), n_columns(given.ladders.columns().size()) {
    if (task.seconds > 0.0)
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(task.seconds));
    for (std::size_t j = 0; j < n_columns; ++j) {
        const Ladder& ladder = task.ladders.columns()[j];
        totals.emplace_back();
        dearest.emplace_back();
        for (std::size_t level = 0; level < ladder.n_levels; ++level) {
            const std::int64_t* costs = ladder.costs_at(level);
            std::int64_t total = 0, most = 0;
            for (std::size_t tuple = 0; tuple < task.tuples.size(); ++tuple) {
                const std::int64_t own = costs[task.tuples.codes[j][tuple]];
                total += task.tuples.weights[tuple] * own;
                most = std::max(most, own);
            }
            totals[j].push_back(total);
            dearest[j].push_back(most);
        }
        order.push_back(j);
    }
    // Columns with many values at their lowest levels cut most: early on they show what cannot hold.
    const auto n_lowest = [&](std::size_t j) {
        return task.ladders.columns()[j].n_groups[static_cast<std::size_t>(task.ranges[j].least)];
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return n_lowest(a) > n_lowest(b); });
}

double Map::n_nodes() const {
    double n = 1.0;
    for (const Range& range : task.ranges) n *= range.most - range.least + 1;
    return n;
}

}  // namespace celosia
