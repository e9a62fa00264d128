// What all threads of the search in the lattice share: the columns with their levels, and the best recoding so far.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "lattice.hpp"

namespace celosia {

using Levels = std::vector<std::int32_t>;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

// The best recoding so far. Of equal costs the first in lexicographic order wins, on any number of threads.
class Best {
   public:
    explicit Best(const LatticeTask& task) : task_(task) {}

    std::int64_t cost() const { return cost_.load(std::memory_order_relaxed); }

    bool is_beaten_by(std::int64_t cost, const Levels& levels) const {
        const std::int64_t best = this->cost();
        if (cost != best) return cost < best;
        const std::lock_guard lock(mutex_);
        return cost == cost_ && levels < levels_;
    }

    void offer(std::int64_t cost, const Levels& levels) {
        if (!is_beaten_by(cost, levels)) return;
        if (task_.confirm) {
            const std::lock_guard one_at_a_time(confirming_);
            if (!is_beaten_by(cost, levels)) return;
            cost = task_.confirm(levels);
            if (cost < 0) return;
        }
        const std::lock_guard lock(mutex_);
        if (cost > cost_ || (cost == cost_ && !(levels < levels_))) return;
        cost_ = cost;
        levels_ = levels;
        if (task_.objective == Objective::cells && task_.all_lost > 0)
            task_.pulse.found(static_cast<double>(cost) / static_cast<double>(task_.all_lost));
    }

    Levels levels() const {
        const std::lock_guard lock(mutex_);
        return levels_;
    }

   private:
    const LatticeTask& task_;
    mutable std::mutex mutex_;
    std::mutex confirming_;
    std::atomic<std::int64_t> cost_{unknown};
    Levels levels_;
};

// What all threads share and nobody changes once it is made.
struct Map {
    explicit Map(const LatticeTask& given);

    double n_nodes() const;
    Step step(std::size_t column, std::int32_t level) const {
        const Ladder& ladder = task.ladders.columns()[column];
        const auto at = static_cast<std::size_t>(level);
        return {ladder.groups_at(at), static_cast<std::size_t>(ladder.n_groups[at]), ladder.costs_at(at)};
    }
    Scheme scheme(const Levels& levels) const {
        Scheme all;
        for (std::size_t j = 0; j < levels.size(); ++j) all.push_back(step(j, levels[j]));
        return all;
    }
    bool is_over() const { return task.pulse.stopped() || (task.seconds > 0.0 && Clock::now() >= deadline); }

    const LatticeTask& task;
    std::size_t n_columns;
    std::vector<std::size_t> order;                 // in which columns get their levels
    std::vector<std::vector<std::int64_t>> totals;  // [column][level]: what all rows cost
    std::vector<std::vector<std::int64_t>> dearest; // [column][level]: what one row costs at the most
    // [column][level][other]: the least level of another column beside it, one above its most where there is none.
    std::vector<std::vector<Levels>> least_beside;
    Clock::time_point deadline;
};

}  // namespace celosia
