// Degrees in ascending order are cut into stretches, and all of a stretch go to one degree. An edit that both its ends
// want serves two units of the distance, any other one: the cost is the distance less the edits that serve two. It
// depends on how the wants fit together, which no program over cuts can see. So several prices of going up and down are
// tried with the program, and the best stretches are then annealed: targets and borders move,
// stretches join and part, nodes change places.
//
// A stretch never has to reach far into a long run of equal degrees: of a run, 5k nodes take part, and the others stay.
#include "graph_degree_targets.hpp"

#include <array>
#include <chrono>
#include <cstdlib>

#include "graph_degree_pairing.hpp"
#include "random.hpp"

namespace celosia {

namespace {

constexpr std::array<DegreePrices, 7> tried_prices{
    DegreePrices{1, 1}, {2, 3}, {1, 2}, {1, 4}, {3, 2}, {2, 1}, {4, 1}};

constexpr double first_heat = 2.0, last_heat = 0.2;  // in half edits
constexpr std::int64_t cost_of_lost = 6;
constexpr std::int64_t n_trials_between_looks = 64;

// Falls as 1 / (1 + x): powers would differ in their last bit from machine to machine.
double heat_at(double share) { return 1 / (1 / first_heat + share * (1 / last_heat - 1 / first_heat)); }

std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

struct Stretch {
    std::size_t start, end;
    std::int32_t target;
};

class TargetSearch {
   public:
    TargetSearch(const DegreeAim& aim, Pulse& pulse)
        : aim_(aim),
          pulse_(pulse),
          random_(aim.seed),
          pairing_(aim_.pairs, aim_.rules, random_.next()),
          k_(place_of_k(aim)),
          place_in_line_(aim.pairs.n_nodes) {
        line_up();
    }

    DegreeTargets run() {
        const auto began = std::chrono::steady_clock::now();
        pulse_.begin(aim_.n_trials);
        start();
        for (std::int64_t trial = 0; trial < aim_.n_trials && pairing_.is_anything_wanted(); ++trial) {
            if (trial % n_trials_between_looks == 0) {
                pulse_.check();
                pulse_.reach(trial);
                heat_ = heat_at(static_cast<double>(trial) / static_cast<double>(aim_.n_trials));
                if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > aim_.seconds)
                    break;
            }
            try_out(stretch_of(place_in_line_[place(pairing_.anybody_wanting(random_))]));
        }
        return result();
    }

   private:
    static std::size_t place_of_k(const DegreeAim& aim) { return static_cast<std::size_t>(aim.rules.k); }

    std::int32_t degree(std::size_t i) const { return aim_.pairs.degree(line_[i]); }

    // The nodes of every group by their degrees, equal ones in random order, long runs cut short.
    void line_up() {
        std::vector<std::vector<std::int32_t>> nodes(aim_.n_groups);
        for (std::size_t v = 0; v < aim_.pairs.n_nodes; ++v)
            nodes[place(aim_.groups[v])].push_back(static_cast<std::int32_t>(v));
        for (auto& own : nodes) {
            for (std::size_t i = own.size(); i > 1; --i) std::swap(own[i - 1], own[random_.below(i)]);
            std::stable_sort(own.begin(), own.end(), [this](std::int32_t x, std::int32_t y) {
                return aim_.pairs.degree(x) < aim_.pairs.degree(y);
            });
            group_starts_.push_back(line_.size());
            std::size_t n_alike = 0;
            for (std::size_t i = 0; i < own.size(); ++i) {
                n_alike = i > 0 && aim_.pairs.degree(own[i]) == aim_.pairs.degree(own[i - 1]) ? n_alike + 1 : 1;
                if (n_alike > 5 * k_) {
                    is_cut_short_ = true;
                    continue;
                }
                place_in_line_[place(own[i])] = line_.size();
                line_.push_back(own[i]);
            }
        }
        group_starts_.push_back(line_.size());
    }

    void start() {
        for (const DegreePrices& prices : tried_prices) {
            cut(allowed(prices));
            pairing_.start(wants());
            const std::int64_t cost = estimate();
            if (cost < best_cost_) keep(cost);
        }
        stretches_ = best_;
        pairing_.start(wants());
        cost_ = best_cost_;
    }

    Wants wants() const {
        Wants wants;
        for (const Stretch& own : stretches_) {
            for (std::size_t i = own.start; i < own.end; ++i) {
                if (own.target != degree(i)) wants.emplace_back(line_[i], own.target - degree(i));
            }
        }
        return wants;
    }

    std::size_t stretch_of(std::size_t place_in_line) const {
        const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), place_in_line,
                                            [](std::size_t i, const Stretch& own) { return i < own.start; });
        return static_cast<std::size_t>(after - stretches_.begin()) - 1;
    }

    DegreePrices allowed(DegreePrices prices) const {
        return {aim_.rules.may_add ? prices.up : forbidden_price, aim_.rules.may_delete ? prices.down : forbidden_price};
    }

    void cut(DegreePrices prices) {
        stretches_.clear();
        for (std::size_t group = 0; group + 1 < group_starts_.size(); ++group) {
            const std::size_t first = group_starts_[group];
            std::vector<std::int32_t> degrees;
            for (std::size_t i = first; i < group_starts_[group + 1]; ++i) degrees.push_back(degree(i));
            DegreeCuts cuts(aim_.rules.k, prices);
            cuts.update(degrees, 0);
            std::size_t start = 0;
            for (const std::size_t end : cuts.ends()) {
                stretches_.push_back({first + start, first + end, degrees[cuts.place_of_target(start, end)]});
                start = end;
            }
        }
    }

    void keep(std::int64_t cost) {
        best_cost_ = cost;
        best_ = stretches_;
        best_line_ = line_;
        best_pairs_ = pairing_.pairs();
    }

    // In half edits: one per unit that an edit with two wanting ends serves, two per unit otherwise, where a link moves
    // from who has too many to who has too few or a third one of a large class can take part; three where none can.
    std::int64_t estimate() {
        const std::int64_t n_added = pairing_.n_added(), n_deleted = pairing_.n_deleted();
        const std::int64_t n_more = pairing_.more(0) + pairing_.more(1) - 2 * n_added;
        const std::int64_t n_less = pairing_.less(0) + pairing_.less(1) - 2 * n_deleted;
        const std::int64_t cost = 2 * (n_added + n_deleted + n_more + n_less);
        if (is_cut_short_) return cost;
        const std::int64_t n_spare = n_spare_for(n_more > n_less ? 1 : -1);
        if (aim_.rules.sides == nullptr) return cost + surcharge(std::abs(n_more - n_less), 0, n_spare);
        const std::int64_t first = pairing_.more(0) - n_added - pairing_.less(0) + n_deleted;
        const std::int64_t second = pairing_.more(1) - n_added - pairing_.less(1) + n_deleted;
        const std::int64_t n_alike = first > 0 && second > 0   ? 2 * std::min(first, second)
                                     : first < 0 && second < 0 ? -2 * std::max(first, second)
                                                               : 0;
        return cost + surcharge(n_alike, std::abs(first - second), n_spare);
    }

    // Pairs of units that no third one helps take an edit more; units without a fellow cannot be placed at all.
    std::int64_t surcharge(std::int64_t n_pairable, std::int64_t n_single, std::int64_t n_spare) const {
        const std::int64_t n_helped = std::min(n_single, n_spare);
        std::int64_t n_lost = n_single - n_helped, n_left = std::max<std::int64_t>(n_pairable - n_spare + n_helped, 0);
        if (n_left % 2 != 0) {
            n_lost += n_spare == 0 ? 1 : 0;
            n_left -= 1;
        }
        if (!aim_.rules.may_add || !aim_.rules.may_delete) return cost_of_lost * (n_lost + n_left);
        return n_left + cost_of_lost * n_lost;
    }

    // How many may move by one to a degree next to theirs that others have already.
    std::int64_t n_spare_for(int by) {
        classes_.clear();
        for (const Stretch& own : stretches_) {
            const bool is_new = is_border(own.start) || classes_.back().first != own.target;
            if (is_new && is_border(own.start)) classes_.emplace_back(-2, 0);
            if (is_new) classes_.emplace_back(own.target, 0);
            classes_.back().second += static_cast<std::int64_t>(own.end - own.start);
        }
        std::int64_t n_spare = 0;
        for (std::size_t i = 0; i + 1 < classes_.size(); ++i) {
            if (classes_[i].first + 1 == classes_[i + 1].first)
                n_spare += classes_[by > 0 ? i : i + 1].second - aim_.rules.k;
        }
        return n_spare;
    }

    bool is_allowed(const Stretch& own) const {
        return own.target >= 0 && place(own.target) < aim_.pairs.n_nodes &&
               (aim_.rules.may_add || own.target <= degree(own.start)) &&
               (aim_.rules.may_delete || own.target >= degree(own.end - 1));
    }

    bool is_border(std::size_t place_in_line) const {
        return std::binary_search(group_starts_.begin(), group_starts_.end(), place_in_line);
    }

    // Another target for a stretch, another border to a neighbour, one with the neighbour, or two instead of one.
    void try_out(std::size_t i) {
        const Stretch own = stretches_[i];
        const std::size_t draw = random_.below(10);
        if (draw >= 8) return swap_nodes(own);
        if (draw < 4) return exchange(i, 1, {{own.start, own.end, other_target(own)}});
        if (draw == 4 && own.end - own.start >= 2 * k_) {
            const std::size_t border = own.start + k_ + random_.below(own.end - own.start - 2 * k_ + 1);
            return exchange(i, 1, {{own.start, border, best_target(own.start, border)},
                                   {border, own.end, best_target(border, own.end)}});
        }
        const bool is_first = random_.below(2) == 0;
        if (is_border(is_first ? own.end : own.start)) return;
        const std::size_t first = is_first ? i : i - 1;
        const Stretch low = stretches_[first], high = stretches_[first + 1];
        if (draw == 4) {
            const std::int32_t target = random_.below(2) == 0 ? best_target(low.start, high.end)
                                                              : random_.below(2) == 0 ? low.target : high.target;
            return exchange(first, 2, {{low.start, high.end, target}});
        }
        const std::size_t border = draw < 7 ? (random_.below(2) == 0 ? low.end - 1 : low.end + 1)
                                            : low.start + k_ + random_.below(high.end - low.start - 2 * k_ + 1);
        if (border < low.start + k_ || border + k_ > high.end) return;
        const bool follows = random_.below(2) == 0;
        exchange(first, 2, {{low.start, border, follows ? best_target(low.start, border) : low.target},
                            {border, high.end, follows ? best_target(border, high.end) : high.target}});
    }

    // Two nodes in different stretches take each other's place: of one degree, or where it may balance the sides.
    void swap_nodes(const Stretch& own) {
        const std::size_t reach = own.end - own.start + k_;
        const std::size_t first = own.start + random_.below(own.end - own.start);
        const std::size_t second = first + random_.below(2 * reach + 1) - reach;  // beyond the line if below 0
        if (second >= line_.size() || (second >= own.start && second < own.end)) return;
        const bool is_free = aim_.rules.may_add && aim_.rules.may_delete && pairing_.side(line_[first]) != pairing_.side(line_[second]);
        if (group(first) != group(second) || (degree(first) != degree(second) && !is_free)) return;
        change_places(first, second);
        const Stretch& other = stretches_[stretch_of(second)];
        pairing_.want(line_[first], own.target - degree(first));
        pairing_.want(line_[second], other.target - degree(second));
        if (!is_kept()) change_places(first, second);
    }

    void change_places(std::size_t first, std::size_t second) {
        std::swap(line_[first], line_[second]);
        place_in_line_[place(line_[first])] = first;
        place_in_line_[place(line_[second])] = second;
    }

    std::int32_t group(std::size_t i) const { return aim_.groups[place(line_[i])]; }

    std::int32_t other_target(const Stretch& own) {
        const std::size_t draw = random_.below(4);
        if (draw == 0) return degree(own.start + random_.below(own.end - own.start));
        return own.target + (draw % 2 == 0 ? 1 : -1) * static_cast<std::int32_t>(1 + random_.below(draw == 3 ? 4 : 1));
    }

    void exchange(std::size_t first, std::size_t n_old, const std::vector<Stretch>& made) {
        for (const Stretch& own : made) {
            if (!is_allowed(own)) return;
        }
        const auto begin = stretches_.begin() + static_cast<std::ptrdiff_t>(first);
        const std::vector<Stretch> old(begin, begin + static_cast<std::ptrdiff_t>(n_old));
        replace(first, n_old, made);
        for (const Stretch& own : made) {
            for (std::size_t i = own.start; i < own.end; ++i) pairing_.want(line_[i], own.target - degree(i));
        }
        if (!is_kept()) replace(first, made.size(), old);
    }

    // Whether what was changed is cheap enough to stay.
    bool is_kept() {
        pairing_.settle();
        const std::int64_t cost = estimate();
        const auto rise = static_cast<double>(cost - cost_);
        if (rise > 0 && random_.exponential() <= rise / heat_) {
            pairing_.drop();
            return false;
        }
        pairing_.keep();
        cost_ = cost;
        if (cost < best_cost_) keep(cost);
        return true;
    }

    void replace(std::size_t first, std::size_t n_old, const std::vector<Stretch>& made) {
        const auto begin = stretches_.begin() + static_cast<std::ptrdiff_t>(first);
        if (n_old == made.size()) {
            std::copy(made.begin(), made.end(), begin);
            return;
        }
        stretches_.insert(stretches_.erase(begin, begin + static_cast<std::ptrdiff_t>(n_old)), made.begin(), made.end());
    }

    std::int32_t best_target(std::size_t start, std::size_t end) const {
        if (!aim_.rules.may_delete) return degree(end - 1);
        if (!aim_.rules.may_add) return degree(start);
        return degree(start + (end - start) / 2);
    }

    DegreeTargets result() const {
        DegreeTargets targets{std::vector<std::int32_t>(aim_.pairs.n_nodes), best_pairs_, (best_cost_ + 1) / 2};
        for (std::size_t v = 0; v < aim_.pairs.n_nodes; ++v)
            targets.degrees[v] = aim_.pairs.degree(static_cast<std::int32_t>(v));
        for (const Stretch& own : best_) {
            for (std::size_t i = own.start; i < own.end; ++i) targets.degrees[place(best_line_[i])] = own.target;
        }
        return targets;
    }

    const DegreeAim& aim_;
    Pulse& pulse_;
    Random random_;
    WantPairing pairing_;
    std::size_t k_;
    std::vector<std::int32_t> line_, best_line_;
    std::vector<std::size_t> place_in_line_;  // of a node
    PairList best_pairs_;
    std::vector<std::size_t> group_starts_;
    std::vector<Stretch> stretches_, best_;
    std::int64_t cost_ = 0, best_cost_ = std::int64_t{1} << 60;
    double heat_ = first_heat;
    bool is_cut_short_ = false;  // there are large classes, with spare nodes in plenty
    std::vector<std::pair<std::int32_t, std::int64_t>> classes_;  // degrees, and how many are to have them
};

}  // namespace

DegreeTargets degree_targets(const DegreeAim& aim, Pulse& pulse) { return TargetSearch(aim, pulse).run(); }

}  // namespace celosia
