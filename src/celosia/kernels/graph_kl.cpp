#include "graph_kl.hpp"

#include <algorithm>
#include <span>

namespace celosia {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// A row whose entry at a place changes.
struct Flip {
    std::size_t row, place;
};

// The vertices of a group that hold p and q, or only one of them, or neither.
struct Cells {
    std::int64_t both, first, second, neither;
};

class KlDemand final : public Demand {
   public:
    KlDemand(const EditedGraph& graph, const KlOptions& options, Groups groups)
        : Demand(graph.n(), options.k),
          options_(options),
          groups_(groups),
          n_(graph.n()),
          n_places_(graph.n() * (graph.directed() ? 2 : 1)),
          held_(groups.n, n_places_),
          pairs_(groups.n * n_places_, n_places_),
          broken_places_(groups.n * n_places_, n_places_),
          sizes_(groups.n, 0),
          seen_(n_places_, 0) {
        for (std::size_t v = 0; v < n_; ++v) ++sizes_[groups.of(v)];
    }

    void count(const EditedGraph& graph) override {
        held_ = PairTable(groups_.n, n_places_);
        pairs_ = PairTable(groups_.n * n_places_, n_places_);
        broken_places_ = PairTable(groups_.n * n_places_, n_places_);
        broken_.clear();
        violation_ = 0;
        for (std::size_t v = 0; v < n_; ++v) {
            list_held(graph, v, true);
            const std::size_t group = groups_.of(v);
            for (std::size_t i = 0; i < places_.size(); ++i) {
                held_.set(group, at(places_[i]), held_.get(group, at(places_[i])) + 1);
                for (std::size_t j = 0; options_.n_known > 1 && j < i; ++j) add(group, places_[i], places_[j], 1);
            }
        }
        for (std::size_t group = 0; group < groups_.n; ++group) judge_all(graph, group);
    }

    std::int64_t growth(const EditedGraph& graph, Edge edge) override {
        const int sign = graph.has(at(edge.source), at(edge.target)) ? -1 : 1;
        const auto flips = flips_of(graph, edge);
        std::int64_t growth = 0;
        for (std::size_t i = 0; i < flips.n; ++i) growth += growth_of(graph, flips, i, sign);
        if (flips.is_shared) growth += shared_growth(graph, flips, sign);
        return growth;
    }

    void note(const EditedGraph& graph, Edge edge) override {
        const int sign = graph.has(at(edge.source), at(edge.target)) ? -1 : 1;
        const auto flips = flips_of(graph, edge);
        for (std::size_t i = 0; i < flips.n; ++i) note_one(graph, flips, i, sign);
        if (flips.is_shared) {
            const auto [p, q] = std::pair{flips.own[0].place, flips.own[1].place};
            const std::size_t group = groups_.of(flips.own[0].row);
            add(group, static_cast<std::int32_t>(p), static_cast<std::int32_t>(q), sign * loops_at(graph, flips));
        }
        // The numbers of holders change last: both flips were judged by those before.
        for (std::size_t i = 0; i < flips.n; ++i) {
            const std::size_t group = groups_.of(flips.own[i].row);
            held_.set(group, flips.own[i].place, held_.get(group, flips.own[i].place) + sign);
        }
        if (flips.is_shared) {
            const std::size_t group = groups_.of(flips.own[0].row);
            judge(graph, group, flips.own[0].place, flips.own[1].place);
        }
    }

    std::optional<Edge> remedy(const EditedGraph& graph, Random& random) override {
        if (broken_.empty()) return std::nullopt;
        const Broken& one = broken_[random.below(broken_.size())];
        std::size_t p = one.first, q = one.second;
        if (random.below(2) == 0) std::swap(p, q);
        const auto holders = holders_of(graph, p);
        std::size_t row = 0;
        if (!holders.empty() && !((p == q || options_.absence) && random.below(4) == 0)) {
            row = at(holders[random.below(holders.size())]);
        } else {
            row = random.below(n_);
        }
        if (groups_.of(row) != one.group) return std::nullopt;
        return edge_at(graph, row, random.below(2) == 0 ? p : q);
    }

   private:
    struct Flips {
        Flip own[2];
        std::size_t n;
        bool is_shared;  // both change the same pair of places in the same group
    };
    struct Broken {
        std::size_t group, first, second;
        std::int64_t gap;
    };

    Flips flips_of(const EditedGraph& graph, Edge edge) const {
        const std::size_t a = at(edge.source), b = at(edge.target);
        Flips flips{{{a, b}, {b, graph.directed() ? n_ + a : a}}, 2, false};
        if (a == b) {
            if (!graph.directed()) flips.n = 1;
            if (options_.exclude_known) flips.n = 0;  // own places are nobody's knowledge
        }
        flips.is_shared = flips.n == 2 && options_.n_known > 1 && !options_.exclude_known &&
                          groups_.of(a) == groups_.of(b);
        return flips;
    }

    std::size_t vertex_of(std::size_t place) const { return place < n_ ? place : place - n_; }
    bool holds(const EditedGraph& graph, std::size_t row, std::size_t place) const {
        if (options_.exclude_known && vertex_of(place) == row) return false;
        return place < n_ ? graph.has(row, place) : graph.has(place - n_, row);
    }
    Edge edge_at(const EditedGraph& graph, std::size_t row, std::size_t place) const {
        return place < n_ ? graph.edge_of(row, place) : graph.edge_of(place - n_, row);
    }
    std::span<const std::int32_t> holders_of(const EditedGraph& graph, std::size_t place) const {
        return place < n_ ? graph.into(place) : graph.out(place - n_);
    }

    // The places that a row holds.
    void list_held(const EditedGraph& graph, std::size_t row, bool is_first) {
        if (is_first) places_.clear();
        const auto take = [&](std::span<const std::int32_t> others, std::size_t offset) {
            for (const std::int32_t other : others) {
                if (!options_.exclude_known || at(other) != row)
                    places_.push_back(static_cast<std::int32_t>(at(other) + offset));
            }
        };
        take(graph.out(row), 0);
        if (graph.directed()) take(graph.into(row), n_);
    }

    // The places q whose pair with p may change when the row's entry at p does.
    void list_others(const EditedGraph& graph, std::size_t row, std::size_t p) {
        if (options_.absence && pairs_.is_flat()) {
            places_.clear();
            for (std::size_t q = 0; q < n_places_; ++q) {
                if (q != p && !(options_.exclude_known && vertex_of(q) == row))
                    places_.push_back(static_cast<std::int32_t>(q));
            }
            return;
        }
        list_held(graph, row, true);
        if (!options_.absence) {
            const auto own = std::find(places_.begin(), places_.end(), static_cast<std::int32_t>(p));
            if (own != places_.end()) {
                *own = places_.back();
                places_.pop_back();
            }
            return;
        }
        for (const std::int32_t holder : holders_of(graph, p)) {
            if (groups_.of(at(holder)) == groups_.of(row)) list_held(graph, at(holder), false);
        }
        std::size_t n_kept = 0;
        ++round_;
        for (const std::int32_t q : places_) {
            if (at(q) == p || seen_[at(q)] == round_) continue;
            seen_[at(q)] = round_;
            places_[n_kept++] = q;
        }
        places_.resize(n_kept);
    }

    std::int32_t pair(std::size_t group, std::size_t p, std::size_t q) const {
        return pairs_.get(group * n_places_ + std::min(p, q), std::max(p, q));
    }
    void add(std::size_t group, std::int32_t p, std::int32_t q, std::int32_t amount) {
        const std::size_t row = group * n_places_ + at(std::min(p, q)), column = at(std::max(p, q));
        pairs_.set(row, column, pairs_.get(row, column) + amount);
    }

    std::int64_t single_gap(std::size_t group, std::size_t p, std::int64_t n_holders) const {
        if (!options_.absence) return gap(n_holders);
        const bool is_own = options_.exclude_known && groups_.of(vertex_of(p)) == group;
        const std::int64_t found = gap(n_holders) + gap(sizes_[group] - (is_own ? 1 : 0) - n_holders);
        if (options_.n_known < 2 || pairs_.is_flat() || 2 * n_holders <= sizes_[group] - k_) return found;
        // Two such places could leave too few vertices without both, and pairs that nobody holds are not looked at.
        return found + sizes_[group];
    }

    Cells cells_of(const EditedGraph& graph, std::size_t group, std::size_t p, std::size_t q) const {
        std::int64_t n_all = sizes_[group], n_p = held_.get(group, p), n_q = held_.get(group, q);
        if (options_.exclude_known) {
            const std::size_t x = vertex_of(p), y = vertex_of(q);
            if (groups_.of(x) == group) {
                --n_all;
                n_q -= holds(graph, x, q) ? 1 : 0;
            }
            if (groups_.of(y) == group && x != y) {
                --n_all;
                n_p -= holds(graph, y, p) ? 1 : 0;
            }
        }
        const std::int64_t both = pair(group, p, q);
        return {both, n_p - both, n_q - both, n_all - n_p - n_q + both};
    }
    // Where no vertex holds both, the cells of one are the single places' numbers, which are judged by themselves; and
    // so are those of a place that nobody holds.
    std::int64_t gap_of(const Cells& cells) const {
        if (!options_.absence) return gap(cells.both);
        if (!options_.exclude_known && cells.both == 0) {
            return cells.first == 0 || cells.second == 0 ? 0 : gap(cells.neither);
        }
        return gap(cells.both) + gap(cells.first) + gap(cells.second) + gap(cells.neither);
    }
    static Cells moved(Cells cells, bool holds_other, int sign) {
        (holds_other ? cells.both : cells.first) += sign;
        (holds_other ? cells.second : cells.neither) -= sign;
        return cells;
    }

    std::int64_t growth_of(const EditedGraph& graph, const Flips& flips, std::size_t i, int sign) {
        const auto [row, p] = flips.own[i];
        const std::size_t group = groups_.of(row);
        const std::int64_t n_holders = held_.get(group, p);
        std::int64_t growth = single_gap(group, p, n_holders + sign) - single_gap(group, p, n_holders);
        if (options_.n_known < 2) return growth;
        list_others(graph, row, p);
        n_looks_ += static_cast<std::int64_t>(places_.size());
        const std::size_t skipped = flips.is_shared ? flips.own[1 - i].place : n_places_;
        for (const std::int32_t q : places_) {
            if (at(q) == skipped) continue;
            if (!options_.absence) {
                const std::int32_t both = pair(group, p, at(q));
                growth += gap(both + sign) - gap(both);
            } else {
                const Cells cells = cells_of(graph, group, p, at(q));
                growth += gap_of(moved(cells, holds(graph, row, at(q)), sign)) - gap_of(cells);
            }
        }
        return growth;
    }
    // With direction a loop flips two places of one row, which holds both or neither.
    static bool is_loop(const Flips& flips) { return flips.own[0].row == flips.own[1].row; }
    // How many rows come to hold both places, or no more. The row of each end holds the other's flipped place only by a
    // loop.
    std::int32_t loops_at(const EditedGraph& graph, const Flips& flips) const {
        if (is_loop(flips)) return 1;
        return (holds(graph, flips.own[0].row, flips.own[1].place) ? 1 : 0) +
               (holds(graph, flips.own[1].row, flips.own[0].place) ? 1 : 0);
    }
    std::int64_t shared_growth(const EditedGraph& graph, const Flips& flips, int sign) const {
        const std::size_t group = groups_.of(flips.own[0].row);
        const Cells before = cells_of(graph, group, flips.own[0].place, flips.own[1].place);
        if (is_loop(flips)) {
            const Cells moved_at_once{before.both + sign, before.first, before.second, before.neither - sign};
            return gap_of(moved_at_once) - gap_of(before);
        }
        Cells after = moved(before, holds(graph, flips.own[0].row, flips.own[1].place), sign);
        std::swap(after.first, after.second);
        after = moved(after, holds(graph, flips.own[1].row, flips.own[0].place), sign);
        return gap_of(after) - gap_of(before);
    }

    void note_one(const EditedGraph& graph, const Flips& flips, std::size_t i, int sign) {
        const auto [row, p] = flips.own[i];
        const std::size_t group = groups_.of(row);
        set_gap(group, p, p, single_gap(group, p, held_.get(group, p) + sign));
        if (options_.n_known < 2) return;
        list_others(graph, row, p);
        n_looks_ += static_cast<std::int64_t>(places_.size());
        const std::size_t skipped = flips.is_shared ? flips.own[1 - i].place : n_places_;
        for (const std::int32_t q : places_) {
            if (at(q) == skipped) continue;
            const bool holds_other = holds(graph, row, at(q));
            Cells cells{pair(group, p, at(q)), 0, 0, 0};
            if (options_.absence) cells = cells_of(graph, group, p, at(q));
            if (holds_other) add(group, static_cast<std::int32_t>(p), q, sign);
            set_gap(group, p, at(q), gap_of(moved(cells, holds_other, sign)));
        }
    }

    void judge(const EditedGraph& graph, std::size_t group, std::size_t p, std::size_t q) {
        set_gap(group, p, q, p == q ? single_gap(group, p, held_.get(group, p)) : gap_of(cells_of(graph, group, p, q)));
    }
    void judge_all(const EditedGraph& graph, std::size_t group) {
        const bool is_whole = options_.absence && pairs_.is_flat();
        for (std::size_t p = 0; p < n_places_; ++p) {
            judge(graph, group, p, p);
            if (options_.n_known < 2) continue;
            if (is_whole) {
                for (std::size_t q = 0; q < p; ++q) judge(graph, group, p, q);
                continue;
            }
            ++round_;
            for (const std::int32_t holder : holders_of(graph, p)) {
                if (groups_.of(at(holder)) != group) continue;
                list_held(graph, at(holder), true);
                for (const std::int32_t q : places_) {
                    if (at(q) >= p || seen_[at(q)] == round_) continue;
                    seen_[at(q)] = round_;
                    judge(graph, group, p, at(q));
                }
            }
        }
    }

    // Keeps the list of what is broken, and the sum of it.
    void set_gap(std::size_t group, std::size_t p, std::size_t q, std::int64_t gap) {
        const std::size_t row = group * n_places_ + std::min(p, q), column = std::max(p, q);
        const std::int32_t place = broken_places_.get(row, column);
        if (place == 0) {
            if (gap == 0) return;
            broken_.push_back({group, std::min(p, q), column, gap});
            broken_places_.set(row, column, static_cast<std::int32_t>(broken_.size()));
            violation_ += gap;
            return;
        }
        Broken& own = broken_[at(place - 1)];
        violation_ += gap - own.gap;
        own.gap = gap;
        if (gap > 0) return;
        const Broken last = broken_.back();
        own = last;
        broken_places_.set(last.group * n_places_ + last.first, last.second, place);
        broken_.pop_back();
        broken_places_.set(row, column, 0);
    }

    KlOptions options_;
    Groups groups_;
    std::size_t n_, n_places_;
    PairTable held_;           // [group][place]: by how many
    PairTable pairs_;          // [group * n_places + lesser][greater]: by how many both are
    PairTable broken_places_;  // the same pairs: where they stand in broken_, from 1
    std::vector<Broken> broken_;
    std::vector<std::int64_t> sizes_;
    std::vector<std::int32_t> places_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t round_ = 0;
};

}  // namespace

bool kl_fits(std::size_t n, bool directed, const KlOptions& options, std::size_t n_groups) {
    if (!options.absence || options.n_known < 2 || !options.exclude_known) return true;
    const std::uint64_t n_places = n * (directed ? 2 : 1);
    return n_places * n_places * n_groups <= PairTable::most_flat;
}

std::unique_ptr<Demand> kl_demand(const EditedGraph& graph, const KlOptions& options, Groups groups) {
    return std::make_unique<KlDemand>(graph, options, groups);
}

}  // namespace celosia
