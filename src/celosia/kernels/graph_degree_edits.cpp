// Units of degree that are wanted are placed by the cheapest means that is left:
//
// 1. an edit that both its ends want: half an edit per unit;
// 2. an edit whose other end moves from a degree that more than k share to one that k share already: one per unit; a
//    loop that is deleted has no other end;
// 3. the same, with k or more others that move to a degree of their own at once;
// 4. a link that moves from somebody with too many to somebody with too few: one per unit;
// 5. a link between two others that is broken up for two who want more, or made from two that want less: three for two;
// 6. an edit whose other end is set right by another edit, with somebody who moves to a common degree: two per unit.
//
// Where the second means leaves too few units for the third, all is tried again with the third first.
#include "graph_degree_edits.hpp"

#include <array>
#include <unordered_map>
#include <unordered_set>

#include "graph_degree_pairing.hpp"
#include "random.hpp"

namespace celosia {

namespace {

constexpr std::int32_t none = -1;
constexpr int n_draws = 64;

std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

using Kind = std::array<std::int32_t, 3>;  // group, degree, degree of the mate

struct KindHash {
    std::size_t operator()(const Kind& kind) const {
        std::uint64_t hash = 0;
        for (const std::int32_t part : kind) hash = Random(hash ^ static_cast<std::uint64_t>(part)).next();
        return static_cast<std::size_t>(hash);
    }
};

class Realiser {
   public:
    Realiser(const DegreeRealising& task, bool opens_first, Pulse& pulse)
        : task_(task),
          opens_first_(opens_first),
          pulse_(pulse),
          random_(task.seed),
          n_(task.pairs.n_nodes),
          aims_(task.targets, task.targets + n_) {
        for (std::size_t v = 0; v < n_; ++v) ++n_of_[kind(static_cast<std::int32_t>(v), 0)];
    }

    void run() {
        place_direct();
        pulse_.check();
        for (const auto& [v, by] : left_) {
            for (std::int32_t i = 0; i < (by < 0 ? -by : by); ++i) (by < 0 ? less_ : more_).push_back(v);
        }
        for (const int by : {1, -1}) {
            auto& units = by > 0 ? more_ : less_;
            if (opens_first_) open_kinds(units, by, task_.rules.k);
            absorb(units, by);
            was_short_ = was_short_ || !units.empty();
            open_kinds(units, by, static_cast<std::int64_t>(n_));
        }
        if (task_.rules.may_add && task_.rules.may_delete) {
            move_links();
            break_links();
            make_links();
            relay(more_, 1);
            relay(less_, -1);
        }
        n_left_ = more_.size() + less_.size();
        force(more_, 1);
        force(less_, -1);
    }

    bool was_short() const { return was_short_; }
    std::size_t n_left() const { return n_left_; }
    PairList take() { return std::move(order_); }

   private:
    std::uint64_t key(std::int32_t v, std::int32_t u) const {
        return static_cast<std::uint64_t>(std::min(v, u)) * n_ + static_cast<std::uint64_t>(std::max(v, u));
    }
    // An edit is not undone: others count on it.
    bool may_link(std::int32_t v, std::int32_t u) const {
        return task_.rules.may_link(v, u) && !task_.pairs.has(v, u) && !changed_.contains(key(v, u));
    }
    bool may_unlink(std::int32_t v, std::int32_t u) const {
        return task_.rules.may_delete && task_.pairs.has(v, u) && !changed_.contains(key(v, u));
    }
    void change(std::int32_t v, std::int32_t u) {
        changed_.insert(key(v, u));
        order_.emplace_back(v, u);
    }

    // What a vertex would be counted as if the degree that it should have moved so far.
    Kind kind(std::int32_t v, int by) const {
        const std::int32_t own = aims_[place(v)] + by;
        if (task_.rules.mates == nullptr) return {task_.groups[place(v)], own, 0};
        const std::int32_t mate = task_.rules.mates[place(v)];
        return mate > v ? Kind{task_.groups[place(v)], own, aims_[place(mate)]}
                        : Kind{task_.groups[place(v)], aims_[place(mate)], own};
    }
    std::int64_t count(const Kind& kind) const {
        const auto found = n_of_.find(kind);
        return found == n_of_.end() ? 0 : found->second;
    }
    // With mates a vertex is counted twice, once for each node.
    std::int64_t n_needed() const { return task_.rules.mates == nullptr ? task_.rules.k : 2 * task_.rules.k; }
    std::int64_t n_each() const { return task_.rules.mates == nullptr ? 1 : 2; }

    bool can_absorb(std::int32_t v, int by) const {
        return aims_[place(v)] + by >= 0 && count(kind(v, 0)) >= n_needed() + n_each() &&
               count(kind(v, by)) >= n_needed();
    }
    void shift(std::int32_t v, int by) {
        n_of_[kind(v, 0)] -= n_each();
        aims_[place(v)] += by;
        n_of_[kind(v, 0)] += n_each();
    }

    void place_direct() {
        for (std::size_t v = 0; v < n_; ++v) {
            const std::int32_t by = aims_[v] - task_.pairs.degree(static_cast<std::int32_t>(v));
            if (by != 0) left_.emplace_back(static_cast<std::int32_t>(v), by);
        }
        std::unordered_map<std::int32_t, std::int32_t> wanted(left_.begin(), left_.end());
        for (const auto& [v, u] : task_.direct) {
            const int by = task_.pairs.has(v, u) ? -1 : 1;
            change(v, u);
            wanted[v] -= by;
            wanted[u] -= by;
        }
        for (auto& [v, by] : left_) {
            by = wanted[v];
            if (by < 0 && may_unlink(v, v)) {
                change(v, v);
                ++by;
            }
        }
    }

    template <class Fits>
    std::int32_t other_end(std::int32_t v, int by, const Fits& fits) {
        const auto own = task_.pairs.of(v);
        const auto is_good = [&](std::int32_t u) {
            return u != v && (by > 0 ? may_link(v, u) : may_unlink(v, u)) && fits(u);
        };
        const std::size_t n = by > 0 ? n_ : own.size();
        if (n == 0) return none;
        const auto at = [&](std::size_t i) { return by > 0 ? static_cast<std::int32_t>(i) : own[i]; };
        for (int draw = 0; draw < n_draws; ++draw) {
            const std::int32_t u = at(random_.below(n));
            if (is_good(u)) return u;
        }
        const std::size_t first = random_.below(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t u = at((first + i) % n);
            if (is_good(u)) return u;
        }
        return none;
    }

    void absorb(std::vector<std::int32_t>& units, int by) {
        std::vector<std::int32_t> left;
        for (const std::int32_t v : units) {
            pulse_.check();
            const std::int32_t u = !left.empty() && left.back() == v
                                       ? none
                                       : other_end(v, by, [&](std::int32_t w) { return can_absorb(w, by); });
            if (u == none) {
                left.push_back(v);
                continue;
            }
            change(v, u);
            shift(u, by);
        }
        units = std::move(left);
    }

    // Others of one kind, so many that those who stay and those who go are k each, move to a degree next to theirs.
    void open_kinds(std::vector<std::int32_t>& units, int by, std::int64_t n_most) {
        for (bool goes_on = true; goes_on && static_cast<std::int64_t>(units.size()) >= task_.rules.k;) {
            goes_on = false;
            Kind widest{};
            std::int64_t n_widest = 0;
            for (const auto& [own, n] : n_of_) {
                if (n > n_widest || (n == n_widest && own < widest)) {
                    widest = own;
                    n_widest = n;
                }
            }
            const std::int64_t n_spare = std::min(n_widest / n_each() - task_.rules.k, n_most);
            if (n_spare < task_.rules.k) return;
            n_most -= n_spare;
            PairList drawn;
            std::vector<std::int32_t> left;
            std::unordered_set<std::int32_t> ends;
            Kind opened{};
            for (const std::int32_t v : units) {
                pulse_.check();
                const bool is_full = static_cast<std::int64_t>(ends.size()) == n_spare;
                const std::int32_t u = is_full ? none : other_end(v, by, [&](std::int32_t w) {
                    return kind(w, 0) == widest && aims_[place(w)] + by >= 0 && !ends.contains(w) &&
                           (ends.empty() || kind(w, by) == opened);
                });
                if (u == none) {
                    left.push_back(v);
                    continue;
                }
                if (ends.empty()) opened = kind(u, by);
                ends.insert(u);
                drawn.emplace_back(v, u);
                changed_.insert(key(v, u));
            }
            const bool is_enough =
                !ends.empty() && static_cast<std::int64_t>(ends.size()) + count(opened) / n_each() >= task_.rules.k;
            for (const auto& [v, u] : drawn) {
                changed_.erase(key(v, u));
                if (!is_enough) continue;
                change(v, u);
                shift(u, by);
            }
            if (!is_enough) return;
            units = std::move(left);
            goes_on = true;
        }
    }

    void move_links() {
        std::vector<std::int32_t> left;
        for (const std::int32_t v : less_) {
            pulse_.check();
            bool is_placed = false;
            for (std::size_t i = 0; i < std::min<std::size_t>(more_.size(), 16) && !is_placed; ++i) {
                const std::int32_t u = more_[more_.size() - 1 - i];
                const std::int32_t between =
                    other_end(v, -1, [&](std::int32_t w) { return w != u && may_link(u, w); });
                if (between == none) continue;
                change(v, between);
                change(u, between);
                more_.erase(more_.end() - 1 - static_cast<std::ptrdiff_t>(i));
                is_placed = true;
            }
            if (!is_placed) left.push_back(v);
        }
        less_ = std::move(left);
    }

    // For the last two who want more: others x and y that are linked lose their link and are linked to them instead.
    void break_links() {
        while (more_.size() > 1) {
            pulse_.check();
            const std::int32_t v = more_.back(), u = more_[more_.size() - 2];
            std::int32_t end = none;
            const std::int32_t x = other_end(v, 1, [&](std::int32_t w) {
                const auto own = task_.pairs.of(w);
                for (const std::int32_t y : own) {
                    if (y == w || y == v || y == u || w == u || !may_unlink(w, y) || !may_link(u, y)) continue;
                    end = y;
                    return true;
                }
                return false;
            });
            if (x == none) return;
            change(x, end);
            change(v, x);
            change(u, end);
            more_.resize(more_.size() - 2);
        }
    }

    void make_links() {
        while (less_.size() > 1) {
            pulse_.check();
            const std::int32_t v = less_.back(), u = less_[less_.size() - 2];
            std::int32_t end = none;
            const std::int32_t x = other_end(v, -1, [&](std::int32_t w) {
                if (w == u) return false;
                for (const std::int32_t y : task_.pairs.of(u)) {
                    if (y == w || y == v || y == u || !may_unlink(u, y) || !may_link(w, y)) continue;
                    end = y;
                    return true;
                }
                return false;
            });
            if (x == none) return;
            change(v, x);
            change(u, end);
            change(x, end);
            less_.resize(less_.size() - 2);
        }
    }

    void relay(std::vector<std::int32_t>& units, int by) {
        std::vector<std::int32_t> left;
        for (const std::int32_t v : units) {
            pulse_.check();
            std::int32_t last = none;
            const std::int32_t between = other_end(v, by, [&](std::int32_t w) {
                last = other_end(w, -by, [&](std::int32_t x) { return x != v && can_absorb(x, -by); });
                return last != none;
            });
            if (between == none) {
                left.push_back(v);
                continue;
            }
            change(v, between);
            change(between, last);
            shift(last, -by);
        }
        units = std::move(left);
    }

    // Units that nothing else could place: the other end gets a degree it should not have, and more is to be done.
    void force(const std::vector<std::int32_t>& units, int by) {
        for (const std::int32_t v : units) {
            std::int32_t u = other_end(v, by, [this](std::int32_t w) { return count(kind(w, 0)) >= n_needed() + n_each(); });
            if (u == none) u = other_end(v, by, [](std::int32_t) { return true; });
            if (u == none) continue;
            change(v, u);
            shift(u, by);
        }
    }

    const DegreeRealising& task_;
    bool opens_first_, was_short_ = false;
    std::size_t n_left_ = 0;
    Pulse& pulse_;
    Random random_;
    std::size_t n_;
    std::vector<std::int32_t> aims_;
    std::unordered_map<Kind, std::int64_t, KindHash> n_of_;
    std::unordered_set<std::uint64_t> changed_;
    PairList order_;
    Wants left_;
    std::vector<std::int32_t> more_, less_;
};

}  // namespace

RealisedDegrees realise_degrees(const DegreeRealising& task, Pulse& pulse) {
    Realiser first(task, false, pulse);
    first.run();
    RealisedDegrees best{first.n_left() == 0, first.take()};
    if (!first.was_short()) return best;
    Realiser second(task, true, pulse);
    second.run();
    RealisedDegrees other{second.n_left() == 0, second.take()};
    const bool is_better = other.found != best.found ? other.found : other.edits.size() < best.edits.size();
    return is_better ? other : best;
}

}  // namespace celosia
