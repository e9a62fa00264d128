// One thread's way through the lattice: down the columns with bounds, or from recoding to recoding by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "lattice_map.hpp"
#include "recoder.hpp"
#include "refining.hpp"

namespace celosia {

class Walker {
   public:
    Walker(const Map& map, Best& best)
        : map_(map),
          task_(map.task),
          best_(best),
          recoder_(task_.ladders, task_.tuples, task_.terms, task_.objective),
          refiner_(task_.tuples.weights),
          stations_(map.n_columns + 1),
          levels_(map.n_columns, 0) {
        stations_[0].classes.become_one(task_.tuples.weights);
        for (std::size_t j = 0; j < map.n_columns; ++j)
            stations_[0].tab.kept += map.totals[j][static_cast<std::size_t>(task_.ranges[j].least)];
    }

    std::int64_t n_judged() const { return n_judged_; }
    Recoder& recoder() { return recoder_; }

    // The least level of a column, or of another one beside it, everything else at its top; one above its most: none.
    std::int32_t least_alone(std::size_t column);
    std::int32_t least_beside(std::size_t column, std::int32_t level, std::size_t other);
    // Opens a prefix: found(prefix, bound) for each way to go on.
    template <class Found>
    void open(const Levels& prefix, const Found& found);
    // Searches all that a prefix leaves open; false if time ran out.
    bool search(const Levels& prefix);

    std::int64_t judged(const Levels& levels);
    std::int64_t descend(Levels& levels);
    std::int64_t descend(Levels& levels, std::mt19937_64& dice);
    void improve(std::mt19937_64& dice, const std::function<bool()>& is_over);

   private:
    struct Station {
        Partition classes;
        Tab tab;
    };

    auto counting(std::int64_t& n_lost) const {
        return [this, &n_lost](const std::int32_t* first, const std::int32_t* last) {
            for (; first < last; ++first) n_lost += task_.tuples.weights[static_cast<std::size_t>(*first)];
            return n_lost <= task_.terms.n_spare;
        };
    }
    std::int32_t least_within(const Partition& classes, std::int64_t n_lost_before, std::size_t column);
    bool go(std::size_t depth, std::int32_t level);
    bool follow(const Levels& prefix);
    bool is_allowed(std::size_t depth, std::int32_t level) const;
    std::int32_t least_left(std::size_t depth, std::size_t column) const;
    std::int64_t bound(std::size_t depth);
    std::int64_t bound_of_classes(std::size_t depth);
    bool is_hopeless(std::size_t depth, std::int64_t bound);
    bool walk(std::size_t depth);

    const Map& map_;
    const LatticeTask& task_;
    Best& best_;
    Recoder recoder_;
    Refiner refiner_;
    std::vector<Station> stations_;  // after so many columns of the order
    Levels levels_;                  // per column; those of the first `depth` columns of the order count
    Partition spare_one_, spare_two_;
    std::int64_t n_judged_ = 0;
};

template <class Found>
void Walker::open(const Levels& prefix, const Found& found) {
    if (!follow(prefix)) return;
    const std::size_t depth = prefix.size();
    const Range range = task_.ranges[map_.order[depth]];
    for (std::int32_t level = range.least; level <= range.most; ++level) {
        if (!is_allowed(depth, level) || !go(depth, level)) continue;
        const std::int64_t own = bound(depth + 1);
        if (is_hopeless(depth + 1, own)) continue;
        Levels longer(prefix);
        longer.push_back(level);
        found(std::move(longer), own);
    }
}

}  // namespace celosia
