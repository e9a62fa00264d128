#include "lattice.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <queue>
#include <random>
#include <thread>
#include <utility>

namespace celosia {

namespace {

using Levels = std::vector<std::int32_t>;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
// Prefixes of the order of columns are opened best first until one column more would open more than these, or leave less
// than so many recodings to each: whoever takes one over has to find its classes anew.
constexpr double n_most_opened = 4096.0, n_fewest_left = 128.0;
// Beyond so many recodings one thread goes on looking for better ones while the others prove.
constexpr double n_nodes_that_are_many = 2e5;
constexpr int n_tries_before_return = 40;

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

// One thread's way through the lattice.
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

struct Open {
    std::int64_t bound;
    Levels prefix;
    bool operator<(const Open& other) const { return bound != other.bound ? bound > other.bound : prefix > other.prefix; }
};

// The prefixes that are still to be searched, the most promising first, and what those in work promise.
class Agenda {
   public:
    explicit Agenda(std::int64_t bound) { open_.push({bound, {}}); }

    bool take(Open& next) {
        std::unique_lock lock(mutex_);
        while (true) {
            if (is_over_) return false;
            if (!open_.empty()) break;
            if (in_work_.empty()) return false;
            changed_.wait(lock);
        }
        next = open_.top();
        open_.pop();
        in_work_.push_back(next.bound);
        return true;
    }
    void add(Open more) {
        const std::lock_guard lock(mutex_);
        open_.push(std::move(more));
        changed_.notify_one();
    }
    void finish(std::int64_t bound) {
        const std::lock_guard lock(mutex_);
        in_work_.erase(std::find(in_work_.begin(), in_work_.end(), bound));
        changed_.notify_all();
    }
    // What is in work stays so: its bound is still owed.
    void give_up() {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }
    bool is_done() {
        const std::lock_guard lock(mutex_);
        return open_.empty() && in_work_.empty();
    }
    bool is_over() {
        const std::lock_guard lock(mutex_);
        return is_over_ || (open_.empty() && in_work_.empty());
    }
    std::int64_t bound() {
        const std::lock_guard lock(mutex_);
        std::int64_t least = open_.empty() ? unknown : open_.top().bound;
        for (const std::int64_t own : in_work_) least = std::min(least, own);
        return least;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::priority_queue<Open> open_;
    std::vector<std::int64_t> in_work_;
    bool is_over_ = false;
};

// What any thread throws, such as an interruption within `confirm`, ends the others and is thrown where they are joined.
class Failure {
   public:
    template <class Body>
    void guard(Agenda& agenda, const Body& body) {
        try {
            body();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            agenda.give_up();
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

   private:
    std::mutex mutex_;
    std::exception_ptr failure_;
};

void prove(Walker& walker, const Map& map, Best& best, Agenda& agenda, std::size_t split) {
    Open next;
    while (agenda.take(next)) {
        if (map.is_over()) return agenda.give_up();
        bool is_done = true;
        if (next.bound <= best.cost()) {
            if (next.prefix.size() < split) {
                walker.open(next.prefix, [&](Levels longer, std::int64_t bound) {
                    agenda.add({std::max(bound, next.bound), std::move(longer)});
                });
            } else {
                is_done = walker.search(next.prefix);
            }
        }
        map.task.pulse.advance(1);
        if (!is_done) return agenda.give_up();
        agenda.finish(next.bound);
    }
}

// Every pair of columns on every level, everything else at its top: what one of them leaves to the other.
void find_least_beside(Map& map, Walker& walker) {
    const auto& ranges = map.task.ranges;
    map.least_beside.resize(map.n_columns);
    for (std::size_t i = 0; i < map.n_columns; ++i) {
        map.least_beside[i].resize(map.task.ladders.columns()[i].n_levels, Levels(map.n_columns, 0));
        for (std::int32_t level = ranges[i].least; level <= ranges[i].most; ++level) {
            Levels& least = map.least_beside[i][static_cast<std::size_t>(level)];
            for (std::size_t j = 0; j < map.n_columns; ++j) {
                least[j] = ranges[j].least;
                if (j != i && !map.is_over()) least[j] = walker.least_beside(i, level, j);
            }
        }
    }
}

std::size_t split_of(const Map& map) {
    double n = 1.0;
    std::size_t depth = 0;
    for (; depth < map.n_columns; ++depth) {
        const Range range = map.task.ranges[map.order[depth]];
        n *= range.most - range.least + 1;
        if (n > n_most_opened || map.n_nodes() / n < n_fewest_left) break;
    }
    return depth;
}

// Levels below the least that a column can hold on alone are out of the question.
std::vector<Range> raised(const LatticeTask& task) {
    const Map map(task);
    Best best(task);
    Walker walker(map, best);
    std::vector<Range> ranges(task.ranges);
    for (std::size_t j = 0; j < ranges.size(); ++j) ranges[j].least = walker.least_alone(j);
    return ranges;
}

// The same columns with one code for all that are alike from their least levels on: fewer tuples are left then.
Ladders coarsened(const Ladders& ladders, const std::vector<Range>& ranges) {
    Ladders coarse(ladders.n_rows());
    for (std::size_t j = 0; j < ranges.size(); ++j) {
        const Ladder& own = ladders.columns()[j];
        const auto least = static_cast<std::size_t>(ranges[j].least);
        std::vector<std::int32_t> first_of(own.n_codes, -1), codes(own.codes);
        bool are_alike = true;
        for (std::size_t code = 0; code < own.n_codes; ++code) {
            std::int32_t& first = first_of[static_cast<std::size_t>(own.groups_at(least)[code])];
            if (first < 0) first = static_cast<std::int32_t>(code);
            are_alike = are_alike && own.lost[code] == own.lost[static_cast<std::size_t>(first)];
            for (std::size_t level = least; level < own.n_levels; ++level)
                are_alike = are_alike && own.costs_at(level)[code] == own.costs_at(level)[first];
        }
        if (are_alike) {
            for (std::int32_t& code : codes) code = first_of[static_cast<std::size_t>(own.groups_at(least)[code])];
        }
        coarse.add(codes.data(), codes.size(), own.groups.data(), own.costs.data(), own.lost.data(), own.n_levels,
                   own.n_codes);
    }
    return coarse;
}

Optimum search(const LatticeTask& task) {
    Map map(task);
    Best best(task);
    const int n_threads =
        task.threads > 0 ? task.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    Walker first(map, best);
    Levels tops;
    for (const Range& range : task.ranges) tops.push_back(range.most);
    std::mt19937_64 dice(task.seed);
    first.descend(tops);
    find_least_beside(map, first);
    Agenda agenda(0);
    const std::size_t split = split_of(map);
    std::atomic<std::int64_t> n_judged{0};
    const bool is_large = map.n_nodes() > n_nodes_that_are_many;
    const auto improve = [&](Walker& walker, double share) {
        const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(task.seconds * share));
        walker.improve(dice, [&] {
            return map.is_over() || agenda.is_over() || (share > 0.0 && Clock::now() >= until);
        });
    };
    if (is_large && n_threads == 1 && task.seconds > 0.0) improve(first, 0.3);
    Failure failure;
    std::vector<std::thread> helpers;
    for (int i = 1; i < n_threads; ++i) {
        helpers.emplace_back([&, i] {
            failure.guard(agenda, [&] {
                Walker walker(map, best);
                if (is_large && i == 1) {
                    improve(walker, 0.0);
                } else {
                    prove(walker, map, best, agenda, split);
                }
                n_judged += walker.n_judged();
            });
        });
    }
    failure.guard(agenda, [&] { prove(first, map, best, agenda, split); });
    for (auto& helper : helpers) helper.join();
    failure.rethrow();
    n_judged += first.n_judged();
    Optimum found;
    found.is_proved = agenda.is_done();
    found.levels = best.levels();
    found.cost = best.cost();
    found.bound = found.is_proved ? found.cost : std::min(agenda.bound(), found.cost);
    found.n_judged = n_judged;
    return found;
}

}  // namespace

Optimum lattice(const LatticeTask& task) {
    const std::vector<Range> ranges = raised(task);
    const auto is_empty = [](const Range& range) { return range.least > range.most; };
    if (std::any_of(ranges.begin(), ranges.end(), is_empty)) {
        Optimum none;
        none.is_proved = true;
        return none;
    }
    const Ladders ladders = coarsened(task.ladders, ranges);
    const Tuples tuples(ladders, task.terms.counted());
    return search({ladders, tuples, task.terms, task.objective, ranges, task.all_lost, task.seconds, task.seed,
                   task.confirm, task.pulse, task.threads});
}

}  // namespace celosia
