#include "lattice.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <queue>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "lattice_map.hpp"
#include "walker.hpp"

namespace celosia {

namespace {

// Prefixes of the order of columns are opened best first until one column more would open more than these, or leave less
// than so many recodings to each: whoever takes one over has to find its classes anew.
constexpr double n_most_opened = 4096.0, n_fewest_left = 128.0;
// Beyond so many recodings one thread goes on looking for better ones while the others prove.
constexpr double n_nodes_that_are_many = 2e5;

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
    try {
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
    } catch (const std::system_error&) {
        // The system gives no more threads: those that exist do all, which is slower and not wrong.
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
