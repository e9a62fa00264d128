// Vertices stand in the plane of degrees out and in. Those that k or more of their group share a point with stay there at
// first; each other one joins its nearest like it, or goes to a crowded point where that is cheaper. The clusters are
// then annealed: their targets move, vertices go to the cluster of somebody near or change places, clusters dissolve and
// arise. The cost is the distance less the edits that both their ends want.
#include "graph_degree_joint.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>

#include "graph_degree_pairing.hpp"
#include "random.hpp"

namespace celosia {

namespace {

constexpr double first_heat = 2.0, last_heat = 0.2;  // in half edits
constexpr std::int64_t n_trials_between_looks = 128;
constexpr std::size_t n_near = 8;            // clusters of so many near ones are thought of
constexpr std::size_t most_asked = 4000;     // when the nearest are looked for
constexpr std::int32_t farthest_crowd = 12;  // a crowded point is looked for up to there
constexpr std::size_t most_counted = 400;    // vertices, where the spare ones are counted
constexpr std::int64_t cost_of_lost = 6;

double heat_at(double share) { return 1 / (1 / first_heat + share * (1 / last_heat - 1 / first_heat)); }

std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

using Point = std::array<std::int32_t, 3>;  // group, degree out, degree in

struct Cluster {
    Point target;
    std::vector<std::int32_t> members;
};

std::int32_t distance(const Point& one, const Point& other) {
    return std::abs(one[1] - other[1]) + std::abs(one[2] - other[2]);
}

class JointSearch {
   public:
    JointSearch(const DegreeAim& aim, Pulse& pulse)
        : aim_(aim),
          pulse_(pulse),
          random_(aim.seed),
          n_(aim.pairs.n_nodes / 2),
          k_(static_cast<std::size_t>(aim.rules.k)),
          pairing_(aim_.pairs, aim_.rules, random_.next()),
          cluster_of_(n_, none),
          place_in_(n_, 0),
          place_in_line_(n_, none),
          crowd_near_(n_, not_known),
          near_(n_) {
        for (std::size_t v = 0; v < n_; ++v) {
            points_.push_back({aim.groups[v], aim.pairs.degree(static_cast<std::int32_t>(v)),
                               aim.pairs.degree(static_cast<std::int32_t>(n_ + v))});
        }
    }

    DegreeTargets run() {
        const auto began = std::chrono::steady_clock::now();
        pulse_.begin(aim_.n_trials);
        find_crowds();
        gather();
        begin();
        for (std::int64_t trial = 0; trial < aim_.n_trials && pairing_.is_anything_wanted(); ++trial) {
            if (trial % n_trials_between_looks == 0) {
                pulse_.check();
                pulse_.reach(trial);
                note();
                heat_ = heat_at(static_cast<double>(trial) / static_cast<double>(aim_.n_trials));
                if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > aim_.seconds)
                    break;
            }
            const auto node = place(pairing_.anybody_wanting(random_));
            try_out(static_cast<std::int32_t>(node < n_ ? node : node - n_));
        }
        note();
        return best_;
    }

   private:
    static constexpr std::int32_t none = -1, not_known = -2;

    const Point& point(std::int32_t v) const { return points_[place(v)]; }
    Cluster& cluster(std::int32_t c) { return clusters_[place(c)]; }

    // Clusters of vertices that are at one point already; the line of all others and some of these.
    void find_crowds() {
        std::vector<std::int32_t> order(n_);
        for (std::size_t v = 0; v < n_; ++v) order[v] = static_cast<std::int32_t>(v);
        for (std::size_t i = n_; i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
        std::map<Point, std::vector<std::int32_t>> at;
        for (const std::int32_t v : order) at[point(v)].push_back(v);
        for (auto& [own, members] : at) {
            const bool is_crowd = members.size() >= k_;
            for (std::size_t i = 0; i < members.size(); ++i) {
                if (is_crowd) {
                    cluster_of_[place(members[i])] = static_cast<std::int32_t>(clusters_.size());
                    place_in_[place(members[i])] = i;
                }
                if (!is_crowd || i < 2 * k_) line_.push_back(members[i]);
            }
            if (!is_crowd) continue;
            crowds_[own] = static_cast<std::int32_t>(clusters_.size());
            clusters_.push_back({own, std::move(members)});
        }
        std::stable_sort(line_.begin(), line_.end(), [this](std::int32_t v, std::int32_t u) {
            const Point &own = point(v), &other = point(u);
            return own[0] != other[0] ? own[0] < other[0] : own[1] + own[2] < other[1] + other[2];
        });
        for (std::size_t i = 0; i < line_.size(); ++i) place_in_line_[place(line_[i])] = static_cast<std::int32_t>(i);
    }

    // The nearest that fit. The line is asked from v on both ways; sums cannot differ by more than the distance.
    template <class Fits>
    std::vector<std::int32_t> nearest(std::int32_t v, std::size_t n_wanted, const Fits& fits) const {
        std::vector<std::pair<std::int32_t, std::int32_t>> found;  // a heap by distance
        const auto is_out = [&](std::int64_t i) {
            if (i < 0 || i >= static_cast<std::int64_t>(line_.size())) return true;
            const Point &own = point(v), &other = point(line_[static_cast<std::size_t>(i)]);
            if (own[0] != other[0]) return true;
            return found.size() == n_wanted &&
                   std::abs(own[1] + own[2] - other[1] - other[2]) > found.front().first;
        };
        std::int64_t low = place_in_line_[place(v)] - 1, high = low + 2;
        for (std::size_t n_asked = 0; n_asked < most_asked; ++n_asked) {
            const bool no_low = is_out(low), no_high = is_out(high);
            if ((no_low && no_high) || n_wanted == 0) break;
            const bool goes_low = no_high || (!no_low && n_asked % 2 == 0);
            const std::int32_t u = line_[static_cast<std::size_t>(goes_low ? low-- : high++)];
            if (!fits(u)) continue;
            found.emplace_back(distance(point(v), point(u)), u);
            std::push_heap(found.begin(), found.end());
            if (found.size() <= n_wanted) continue;
            std::pop_heap(found.begin(), found.end());
            found.pop_back();
        }
        std::sort(found.begin(), found.end());
        std::vector<std::int32_t> nodes;
        for (const auto& [far, u] : found) nodes.push_back(u);
        return nodes;
    }

    // The crowd nearest to a point, of those that it may move to.
    std::int32_t crowd_of(std::int32_t v) {
        std::int32_t& known = crowd_near_[place(v)];
        if (known == not_known) known = nearest_crowd(point(v));
        return known;
    }

    std::int32_t nearest_crowd(const Point& own) const {
        for (std::int32_t far = 1; far <= farthest_crowd; ++far) {
            for (std::int32_t out = -far; out <= far; ++out) {
                const std::int32_t rest = far - std::abs(out);
                for (const std::int32_t in : {-rest, rest}) {
                    if (!may_go(own, {own[0], own[1] + out, own[2] + in})) continue;
                    const auto found = crowds_.find({own[0], own[1] + out, own[2] + in});
                    if (found != crowds_.end()) return found->second;
                }
            }
        }
        return none;
    }

    bool may_go(const Point& from, const Point& to) const {
        const auto n = static_cast<std::int32_t>(n_);
        return to[1] >= 0 && to[2] >= 0 && to[1] < n && to[2] < n &&
               (aim_.rules.may_add || (to[1] <= from[1] && to[2] <= from[2])) &&
               (aim_.rules.may_delete || (to[1] >= from[1] && to[2] >= from[2]));
    }

    // Those with the most arcs first take the nearest that are left; the last few join others.
    void gather() {
        for (auto i = line_.rbegin(); i != line_.rend(); ++i) {
            pulse_.check();
            if (cluster_of_[place(*i)] != none) continue;
            auto members = nearest(*i, k_ - 1, [this](std::int32_t u) { return cluster_of_[place(u)] == none; });
            if (members.size() + 1 < k_) {
                last_.push_back(*i);
                continue;
            }
            members.push_back(*i);
            const auto made = static_cast<std::int32_t>(clusters_.size());
            clusters_.push_back({best_target(members), {}});
            for (const std::int32_t v : members) write_place(v, made);
        }
        for (const std::int32_t v : last_) join_any(v);
        for (std::size_t c = crowds_.size(); c < clusters_.size(); ++c) to_crowds(static_cast<std::int32_t>(c));
    }

    void join_any(std::int32_t v) {
        const auto found = nearest(v, 1, [this](std::int32_t u) { return cluster_of_[place(u)] != none; });
        std::int32_t chosen = found.empty() ? none : cluster_of_[place(found.front())];
        for (std::size_t c = 0; c < clusters_.size() && chosen == none; ++c) {
            if (clusters_[c].target[0] == point(v)[0]) chosen = static_cast<std::int32_t>(c);
        }
        write_place(v, chosen);
        cluster(chosen).target = best_target(cluster(chosen).members);
    }

    // A cluster whose members are cheaper to have at crowded points dissolves.
    void to_crowds(std::int32_t c) {
        std::int32_t cost = 0, other_cost = 0;
        std::vector<std::int32_t> crowds;
        for (const std::int32_t v : cluster(c).members) {
            crowds.push_back(crowd_of(v));
            if (crowds.back() == none) return;
            cost += distance(point(v), cluster(c).target);
            other_cost += distance(point(v), cluster(crowds.back()).target);
        }
        if (other_cost > cost) return;
        const std::vector<std::int32_t> members = cluster(c).members;
        for (std::size_t i = 0; i < members.size(); ++i) write_place(members[i], crowds[i]);
    }

    void write_place(std::int32_t v, std::int32_t c) {
        const std::int32_t old = cluster_of_[place(v)];
        if (old != none) {
            auto& members = cluster(old).members;
            const std::int32_t last = members.back();
            members[place_in_[place(v)]] = last;
            place_in_[place(last)] = place_in_[place(v)];
            members.pop_back();
        }
        cluster_of_[place(v)] = c;
        if (c == none) return;
        place_in_[place(v)] = cluster(c).members.size();
        cluster(c).members.push_back(v);
    }

    // Medians; where degrees may only grow or fall, the highest or lowest.
    Point best_target(const std::vector<std::int32_t>& members) {
        Point target = point(members.front());
        for (const std::size_t part : {1U, 2U}) {
            values_.clear();
            for (const std::int32_t v : members) values_.push_back(point(v)[part]);
            const std::size_t rank = !aim_.rules.may_add ? 0 : !aim_.rules.may_delete ? values_.size() - 1 : values_.size() / 2;
            std::nth_element(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(rank), values_.end());
            target[part] = values_[rank];
        }
        return target;
    }

    void begin() {
        Wants wants;
        for (std::size_t v = 0; v < n_; ++v) {
            const Point &own = points_[v], &target = cluster(cluster_of_[v]).target;
            if (target[1] != own[1]) wants.emplace_back(static_cast<std::int32_t>(v), target[1] - own[1]);
            if (target[2] != own[2]) wants.emplace_back(static_cast<std::int32_t>(n_ + v), target[2] - own[2]);
        }
        pairing_.start(wants);
        cost_ = estimate();
    }

    void note() {
        if (cost_ >= best_cost_) return;
        best_cost_ = cost_;
        best_.n_edits = (cost_ + 1) / 2;
        best_.pairs = pairing_.pairs();
        best_.degrees.resize(2 * n_);
        for (std::size_t v = 0; v < 2 * n_; ++v) {
            const auto node = static_cast<std::int32_t>(v);
            best_.degrees[v] = aim_.pairs.degree(node) + pairing_.wanted(node);
        }
    }

    // In half edits, as for degrees without direction. Arcs out and in must be as many: who makes up for that must be
    // spare, which is checked in small graphs alone.
    std::int64_t estimate() {
        const std::int64_t n_added = pairing_.n_added(), n_deleted = pairing_.n_deleted();
        const std::int64_t n_units = pairing_.more(0) + pairing_.more(1) + pairing_.less(0) + pairing_.less(1);
        const std::int64_t cost = 2 * (n_units - n_added - n_deleted);
        if (n_ > most_counted) return cost;
        const std::int64_t n_single =
            std::abs(pairing_.more(0) - pairing_.less(0) - pairing_.more(1) + pairing_.less(1));
        const std::int64_t n_alone = n_units - 2 * (n_added + n_deleted);
        const std::int64_t n_spare = n_alone == 0 ? 0 : count_spare();
        return cost + std::max<std::int64_t>(n_alone - n_spare, 0) + cost_of_lost * std::max<std::int64_t>(n_single - n_spare, 0);
    }

    // How many could move by one to a target of others.
    std::int64_t count_spare() {
        sizes_.clear();
        for (const Cluster& own : clusters_) {
            if (!own.members.empty()) sizes_[own.target] += static_cast<std::int64_t>(own.members.size());
        }
        std::int64_t n_spare = 0;
        for (const auto& [target, size] : sizes_) {
            const bool has_near = sizes_.contains({target[0], target[1] + 1, target[2]}) ||
                                  sizes_.contains({target[0], target[1] - 1, target[2]}) ||
                                  sizes_.contains({target[0], target[1], target[2] + 1}) ||
                                  sizes_.contains({target[0], target[1], target[2] - 1});
            if (has_near) n_spare += size - aim_.rules.k;
        }
        return n_spare;
    }

    void try_out(std::int32_t v) {
        const std::int32_t own = cluster_of_[place(v)];
        const std::size_t draw = random_.below(16);
        if (draw < 6) return try_target(own, v);
        if (draw < 10) return try_move(v, own);
        if (draw < 13) return try_swap(v, own);
        if (draw < 14) return try_dissolve(own);
        try_new(v);
    }

    bool is_small(std::int32_t c) { return cluster(c).members.size() <= 6 * k_; }

    void try_target(std::int32_t c, std::int32_t v) {
        if (!is_small(c)) return;
        Point target = cluster(c).target;
        const std::size_t part = 1 + random_.below(2), draw = random_.below(5);
        if (draw == 0)
            target = best_target(cluster(c).members);
        else if (draw == 1)
            target[part] = point(v)[part];
        else
            target[part] += draw % 2 == 0 ? 1 : -1;
        set_target(c, target);
        finish();
    }

    // The cluster of somebody near, or a crowded point.
    std::int32_t other_cluster(std::int32_t v) {
        if (random_.below(3) == 0) return crowd_of(v);
        const auto& near = near_of(v);
        return near.empty() ? none : cluster_of_[place(near[random_.below(near.size())])];
    }

    const std::vector<std::int32_t>& near_of(std::int32_t v) {
        auto& near = near_[place(v)];
        if (near.empty() && place_in_line_[place(v)] != none)
            near = nearest(v, n_near + k_, [](std::int32_t) { return true; });
        return near;
    }

    void try_move(std::int32_t v, std::int32_t own) {
        const std::int32_t other = other_cluster(v);
        if (other == none || other == own || cluster(own).members.size() <= k_) return;
        move(v, other);
        adapt(own);
        adapt(other);
        finish();
    }

    void try_swap(std::int32_t v, std::int32_t own) {
        const auto& near = near_of(v);
        if (near.empty()) return;
        const std::int32_t u = near[random_.below(near.size())], other = cluster_of_[place(u)];
        if (other == own) return;
        move(v, other);
        move(u, own);
        adapt(own);
        adapt(other);
        finish();
    }

    void try_dissolve(std::int32_t own) {
        if (!is_small(own)) return;
        const std::vector<std::int32_t> members = cluster(own).members;
        for (const std::int32_t v : members) {
            std::int32_t chosen = crowd_of(v);
            if (chosen == own) chosen = none;
            for (const std::int32_t u : near_of(v)) {
                const std::int32_t other = cluster_of_[place(u)];
                if (other == own || !may_go(point(v), cluster(other).target)) continue;
                if (chosen == none || distance(point(v), cluster(other).target) < distance(point(v), cluster(chosen).target))
                    chosen = other;
            }
            if (chosen == none) return undo();
            move(v, chosen);
        }
        finish();
    }

    // A cluster of its own for v and the nearest that can be spared.
    void try_new(std::int32_t v) {
        const std::int32_t own = cluster_of_[place(v)];
        if (cluster(own).members.size() <= k_) return;
        const std::int32_t made = empty_cluster();
        cluster(made).target = point(v);
        move(v, made);
        for (const std::int32_t u : near_of(v)) {
            if (cluster(made).members.size() == k_) break;
            const std::int32_t from = cluster_of_[place(u)];
            if (from != made && cluster(from).members.size() > k_) move(u, made);
        }
        if (cluster(made).members.size() < k_) return undo();
        set_target(made, best_target(cluster(made).members));
        finish();
    }

    std::int32_t empty_cluster() {
        for (std::size_t i = crowds_.size(); i < crowds_.size() + 4 && i < clusters_.size(); ++i) {
            const std::size_t c = crowds_.size() + random_.below(clusters_.size() - crowds_.size());
            if (clusters_[c].members.empty()) return static_cast<std::int32_t>(c);
        }
        clusters_.emplace_back();
        return static_cast<std::int32_t>(clusters_.size() - 1);
    }

    // Another target for a cluster that others came to or left: always where it must, else now and then.
    void adapt(std::int32_t c) {
        const bool is_free = aim_.rules.may_add && aim_.rules.may_delete;
        if (is_small(c) && (!is_free || random_.below(2) == 0)) set_target(c, best_target(cluster(c).members));
    }

    void move(std::int32_t v, std::int32_t c) {
        moves_.push_back({v, cluster_of_[place(v)]});
        write_place(v, c);
    }
    void set_target(std::int32_t c, const Point& target) {
        targets_.emplace_back(c, cluster(c).target);
        cluster(c).target = target;
    }

    bool write_want(std::int32_t v) {
        const Point &own = point(v), &target = cluster(cluster_of_[place(v)]).target;
        if (!may_go(own, target)) return false;
        pairing_.want(v, target[1] - own[1]);
        pairing_.want(v + static_cast<std::int32_t>(n_), target[2] - own[2]);
        return true;
    }

    bool is_whole(std::int32_t c) { return cluster(c).members.empty() || cluster(c).members.size() >= k_; }

    // Takes what was changed, or undoes it.
    void finish() {
        bool is_allowed = true;
        for (const auto& [c, old] : targets_) {
            for (const std::int32_t v : cluster(c).members) is_allowed = is_allowed && write_want(v);
        }
        for (const auto& [v, old] : moves_)
            is_allowed = is_allowed && is_whole(old) && is_whole(cluster_of_[place(v)]) && write_want(v);
        if (!is_allowed) return undo();
        pairing_.settle();
        const std::int64_t cost = estimate();
        const auto rise = static_cast<double>(cost - cost_);
        if (rise > 0 && random_.exponential() <= rise / heat_) return undo();
        pairing_.keep();
        moves_.clear();
        targets_.clear();
        cost_ = cost;
    }

    void undo() {
        pairing_.drop();
        for (auto own = targets_.rbegin(); own != targets_.rend(); ++own) cluster(own->first).target = own->second;
        for (auto own = moves_.rbegin(); own != moves_.rend(); ++own) write_place(own->first, own->second);
        targets_.clear();
        moves_.clear();
    }

    const DegreeAim& aim_;
    Pulse& pulse_;
    Random random_;
    std::size_t n_, k_;
    WantPairing pairing_;
    std::vector<Point> points_;
    std::vector<std::int32_t> cluster_of_;
    std::vector<std::size_t> place_in_;  // among the members of its cluster
    std::vector<std::int32_t> line_, place_in_line_, last_, values_;
    std::vector<Cluster> clusters_;  // crowds first
    std::map<Point, std::int32_t> crowds_;
    std::vector<std::int32_t> crowd_near_;
    std::vector<std::vector<std::int32_t>> near_;
    std::vector<std::pair<std::int32_t, std::int32_t>> moves_;
    std::vector<std::pair<std::int32_t, Point>> targets_;
    std::map<Point, std::int64_t> sizes_;
    std::int64_t cost_ = 0, best_cost_ = std::int64_t{1} << 60;
    double heat_ = first_heat;
    DegreeTargets best_;
};

}  // namespace

DegreeTargets joint_degree_targets(const DegreeAim& aim, Pulse& pulse) { return JointSearch(aim, pulse).run(); }

}  // namespace celosia
