#include "potentials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace celosia {

namespace {

// The classes of each row.
struct Index {
    std::vector<std::size_t> begin;
    std::vector<std::int32_t> classes;

    Index(const ClassPool& pool, std::size_t n_rows) : begin(n_rows + 1, 0) {
        const std::int64_t n_members = pool.n_classes == 0 ? 0 : pool.ends[pool.n_classes - 1];
        for (std::int64_t i = 0; i < n_members; ++i) ++begin[static_cast<std::size_t>(pool.members[i]) + 1];
        for (std::size_t row = 0; row < n_rows; ++row) begin[row + 1] += begin[row];
        classes.resize(static_cast<std::size_t>(n_members));
        std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
        std::int64_t i = 0;
        for (std::size_t s = 0; s < pool.n_classes; ++s) {
            for (; i < pool.ends[s]; ++i)
                classes[next[static_cast<std::size_t>(pool.members[i])]++] = static_cast<std::int32_t>(s);
        }
    }
};

}  // namespace

std::vector<double> fit_potentials(const ClassPool& pool, std::vector<double> potentials, const Cooling& cooling,
                                   const Pulse& pulse) {
    const std::size_t n_rows = potentials.size();
    const Index index(pool, n_rows);
    std::vector<double> excess(pool.n_classes);  // of the potentials over the cost
    std::int64_t i = 0;
    for (std::size_t s = 0; s < pool.n_classes; ++s) {
        excess[s] = -pool.costs[s];
        for (; i < pool.ends[s]; ++i) excess[s] += potentials[static_cast<std::size_t>(pool.members[i])];
    }
    for (std::int64_t sweep = 0; sweep < cooling.n_sweeps; ++sweep) {
        pulse.check();
        const double share = cooling.n_sweeps == 1 ? 1.0 : static_cast<double>(sweep) / static_cast<double>(cooling.n_sweeps - 1);
        const double heat = cooling.first_heat * std::pow(cooling.last_heat / cooling.first_heat, share);
        for (std::size_t row = 0; row < n_rows; ++row) {
            if (index.begin[row] == index.begin[row + 1]) continue;
            double highest = -std::numeric_limits<double>::infinity();
            for (std::size_t at = index.begin[row]; at < index.begin[row + 1]; ++at)
                highest = std::max(highest, excess[static_cast<std::size_t>(index.classes[at])]);
            double sum = 0;
            for (std::size_t at = index.begin[row]; at < index.begin[row + 1]; ++at) {
                const double below = (excess[static_cast<std::size_t>(index.classes[at])] - highest) / heat;
                if (below > -30) sum += std::exp(below);
            }
            const double before = potentials[row];
            potentials[row] = std::clamp(before - highest - heat * std::log(sum), 0.0, pool.caps[row]);
            const double change = potentials[row] - before;
            for (std::size_t at = index.begin[row]; at < index.begin[row + 1]; ++at)
                excess[static_cast<std::size_t>(index.classes[at])] += change;
        }
    }
    return potentials;
}

}  // namespace celosia
