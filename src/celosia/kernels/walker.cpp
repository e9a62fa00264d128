#include "walker.hpp"

#include <algorithm>

namespace celosia {

namespace {

constexpr int n_tries_before_return = 40;

}  // namespace

// Adds the column at `depth` on a level; false if nothing below can hold.
bool Walker::go(std::size_t depth, std::int32_t level) {
    const std::size_t column = map_.order[depth];
    const Station& from = stations_[depth];
    Station& to = stations_[depth + 1];
    const Step step = map_.step(column, level);
    const std::int64_t* lowest = map_.step(column, task_.ranges[column].least).costs;
    levels_[column] = level;
    to.tab = from.tab;
    ++n_judged_;
    const auto& codes = task_.tuples.codes;
    const auto lose = [&](const std::int32_t* first, const std::int32_t* last) {
        for (; first < last; ++first) {
            const auto tuple = static_cast<std::size_t>(*first);
            const std::int64_t weight = task_.tuples.weights[tuple];
            to.tab.n_lost += weight;
            to.tab.lost += weight * recoder_.cost_if_lost(*first);
            std::int64_t so_far = 0;
            for (std::size_t at = 0; at < map_.n_columns; ++at) {
                const std::size_t j = map_.order[at];
                const std::int32_t own = at < depth ? levels_[j] : task_.ranges[j].least;
                so_far += map_.step(j, own).costs[codes[j][tuple]];
            }
            to.tab.kept -= weight * so_far;
        }
        return to.tab.n_lost <= task_.terms.n_spare;
    };
    if (!refiner_.refine(from.classes, to.classes, codes[column].data(), step.groups, step.n_groups,
                         recoder_.n_least_kept(), lose))
        return false;
    if (level > task_.ranges[column].least) {
        for (const std::int32_t one : to.classes.order) {
            const auto tuple = static_cast<std::size_t>(one);
            const std::int32_t code = codes[column][tuple];
            to.tab.kept += task_.tuples.weights[tuple] * (step.costs[code] - lowest[code]);
        }
    }
    return task_.terms.n_spare > 0 || !recoder_.breaks_lasting(to.classes);
}

bool Walker::is_allowed(std::size_t depth, std::int32_t level) const {
    const std::size_t column = map_.order[depth];
    for (std::size_t at = 0; at < depth; ++at) {
        const std::size_t other = map_.order[at];
        if (level < map_.least_beside[other][static_cast<std::size_t>(levels_[other])][column]) return false;
    }
    return true;
}

// The least level that the columns so far leave to one that follows.
std::int32_t Walker::least_left(std::size_t depth, std::size_t column) const {
    std::int32_t least = task_.ranges[column].least;
    for (std::size_t at = 0; at < depth; ++at) {
        const std::size_t other = map_.order[at];
        least = std::max(least, map_.least_beside[other][static_cast<std::size_t>(levels_[other])][column]);
    }
    return least;
}

// No recoding with the levels of the first `depth` columns costs less.
std::int64_t Walker::bound(std::size_t depth) {
    const Tab& tab = stations_[depth].tab;
    for (std::size_t at = depth; at < map_.n_columns; ++at) {
        const std::size_t column = map_.order[at];
        if (least_left(depth, column) > task_.ranges[column].most) return unknown;
    }
    if (task_.objective != Objective::cells) return bound_of_classes(depth);
    std::int64_t more = 0;
    for (std::size_t at = depth; at < map_.n_columns; ++at) {
        const std::size_t column = map_.order[at];
        const auto lowest = static_cast<std::size_t>(task_.ranges[column].least);
        const auto least = static_cast<std::size_t>(least_left(depth, column));
        // Rows that are lost do not pay it: taken off at the most that they could have paid.
        more += std::max<std::int64_t>(map_.totals[column][least] - map_.totals[column][lowest] -
                                           tab.n_lost * map_.dearest[column][least], 0);
    }
    return tab.kept + tab.lost + more;
}

// By the finest classes that are left: coarser ones are larger.
std::int64_t Walker::bound_of_classes(std::size_t depth) {
    spare_one_ = stations_[depth].classes;
    for (std::size_t at = depth; at < map_.n_columns; ++at) {
        const std::size_t column = map_.order[at];
        const Step step = map_.step(column, least_left(depth, column));
        refiner_.refine(spare_one_, spare_two_, task_.tuples.codes[column].data(), step.groups, step.n_groups, 0,
                        [](const std::int32_t*, const std::int32_t*) { return true; });
        std::swap(spare_one_, spare_two_);
    }
    return recoder_.cost_of_classes(spare_one_, {}, stations_[depth].tab.n_lost);
}

bool Walker::is_hopeless(std::size_t depth, std::int64_t bound) {
    if (bound == unknown || bound > best_.cost()) return true;
    if (bound < best_.cost()) return false;
    Levels first(levels_);
    for (std::size_t at = depth; at < map_.n_columns; ++at) first[map_.order[at]] = task_.ranges[map_.order[at]].least;
    return !best_.is_beaten_by(bound, first);
}

bool Walker::follow(const Levels& prefix) {
    for (std::size_t depth = 0; depth < prefix.size(); ++depth) {
        if (!go(depth, prefix[depth])) return false;
    }
    return true;
}

bool Walker::search(const Levels& prefix) {
    if (!follow(prefix)) return true;
    return walk(prefix.size());
}

bool Walker::walk(std::size_t depth) {
    if (depth == map_.n_columns) {
        const Outcome found =
            recoder_.settle(stations_[depth].classes, map_.scheme(levels_), stations_[depth].tab, best_.cost());
        if (found.holds) best_.offer(found.cost, levels_);
        return true;
    }
    const Range range = task_.ranges[map_.order[depth]];
    for (std::int32_t level = range.least; level <= range.most; ++level) {
        if (map_.is_over()) return false;
        if (!is_allowed(depth, level) || !go(depth, level)) continue;
        if (is_hopeless(depth + 1, bound(depth + 1))) continue;
        if (!walk(depth + 1)) return false;
    }
    return true;
}

std::int32_t Walker::least_alone(std::size_t column) {
    Partition all;
    all.become_one(task_.tuples.weights);
    return least_within(all, 0, column);
}

std::int32_t Walker::least_beside(std::size_t column, std::int32_t level, std::size_t other) {
    const Step step = map_.step(column, level);
    Partition all, one;
    all.become_one(task_.tuples.weights);
    std::int64_t n_lost = 0;
    if (!refiner_.refine(all, one, task_.tuples.codes[column].data(), step.groups, step.n_groups,
                         recoder_.n_least_kept(), counting(n_lost)))
        return task_.ranges[other].most + 1;
    return least_within(one, n_lost, other);
}

// The least level of a column that can hold within classes, beside which so many rows are lost already.
std::int32_t Walker::least_within(const Partition& classes, std::int64_t n_lost_before, std::size_t column) {
    const Range range = task_.ranges[column];
    for (std::int32_t level = range.least; level <= range.most; ++level) {
        const Step step = map_.step(column, level);
        std::int64_t n_lost = n_lost_before;
        if (refiner_.refine(classes, spare_one_, task_.tuples.codes[column].data(), step.groups, step.n_groups,
                            recoder_.n_least_kept(), counting(n_lost)) &&
            (task_.terms.n_spare > 0 || !recoder_.breaks_lasting(spare_one_)))
            return level;
    }
    return range.most + 1;
}

// What a recoding costs by itself; unknown if it does not hold.
std::int64_t Walker::judged(const Levels& levels) {
    ++n_judged_;
    const Outcome found = recoder_.evaluate(map_.scheme(levels));
    if (!found.holds) return unknown;
    best_.offer(found.cost, levels);
    return found.cost;
}

// Lowers one column after another, always by the step that gains most; returns the cost.
std::int64_t Walker::descend(Levels& levels) {
    std::int64_t now = judged(levels);
    for (std::size_t column = 0; now != unknown && column < map_.n_columns && !map_.is_over();) {
        std::int64_t least = now;
        column = map_.n_columns;
        for (std::size_t j = 0; j < map_.n_columns; ++j) {
            if (levels[j] == task_.ranges[j].least) continue;
            --levels[j];
            const std::int64_t own = judged(levels);
            ++levels[j];
            if (own >= least) continue;
            least = own;
            column = j;
        }
        if (column < map_.n_columns) --levels[column];
        now = least;
    }
    return now;
}

// Lowers one column after another, in an order that `dice` throws, as long as that gains; returns the cost.
std::int64_t Walker::descend(Levels& levels, std::mt19937_64& dice) {
    std::int64_t now = judged(levels);
    std::vector<std::size_t> order(map_.order);
    for (bool gains = now != unknown; gains && !map_.is_over();) {
        gains = false;
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::size_t j : order) {
            if (levels[j] == task_.ranges[j].least) continue;
            --levels[j];
            const std::int64_t own = judged(levels);
            if (own < now) {
                now = own;
                gains = true;
            } else {
                ++levels[j];
            }
        }
    }
    return now;
}

// Raises some columns at random, lowers again what can be, and goes on from there unless that is much worse.
void Walker::improve(std::mt19937_64& dice, const std::function<bool()>& is_over) {
    Levels now = best_.levels();
    for (int n_tried = 0; !is_over() && !now.empty(); ++n_tried) {
        if (n_tried % n_tries_before_return == 0) now = best_.levels();
        Levels levels(now);
        const std::size_t n_raised = 1 + dice() % 3;
        for (std::size_t i = 0; i < n_raised; ++i) {
            const std::size_t j = dice() % map_.n_columns;
            const std::int32_t room = task_.ranges[j].most - levels[j];
            if (room > 0) levels[j] += 1 + static_cast<std::int32_t>(dice() % static_cast<std::uint64_t>(room));
        }
        const std::int64_t cost = n_tried % 2 == 0 ? descend(levels, dice) : descend(levels);
        if (cost != unknown && cost - best_.cost() <= best_.cost() / 100) now = std::move(levels);
    }
}

}  // namespace celosia
