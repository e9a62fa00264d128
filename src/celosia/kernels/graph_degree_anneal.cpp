// A state is a set of edits. Its energy is their number plus a multiple of what is still missing: half the distance from
// the degrees to the nearest anonymous ones, found anew by dynamic programming after every step. No edit brings them
// nearer by more than one, so the multiple must be above 1 for progress to pay, and above 2 for edits that help one end
// only. Steps add or undo an edit, lead it to another end, or move a link from somebody with too many to somebody with
// too few.
#include "graph_degree_anneal.hpp"

#include <chrono>

#include "random.hpp"

namespace celosia {

namespace {

constexpr double weight_of_missing = 1.7;
constexpr double last_heat = 0.12;
constexpr std::int64_t n_steps_between_looks = 256;

// Falls as 1 / (1 + x): powers would differ in their last bit from machine to machine.
double heat_at(double share, double first_heat) {
    return 1 / (1 / first_heat + share * (1 / last_heat - 1 / first_heat));
}

std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

// The degrees of a group of nodes in ascending order, and what is missing to anonymity.
class Ladder {
   public:
    Ladder(std::vector<std::int32_t> nodes, const DegreeRules& rules)
        : nodes_(std::move(nodes)), kept_(rules.k, degree_prices(rules.may_add, rules.may_delete)), tried_(kept_) {}

    void start(const std::vector<std::int32_t>& degrees, std::vector<std::size_t>& place_of) {
        std::sort(nodes_.begin(), nodes_.end(), [&](std::int32_t x, std::int32_t y) {
            return degrees[place(x)] < degrees[place(y)] || (degrees[place(x)] == degrees[place(y)] && x < y);
        });
        degrees_.clear();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            degrees_.push_back(degrees[place(nodes_[i])]);
            place_of[place(nodes_[i])] = i;
        }
        kept_.update(degrees_, 0);
        tried_ = kept_;
        lowest_ = degrees_.size();
    }

    // Moves a node's degree by one: it changes places with the last, or the first, of its like.
    void move(std::int32_t node, int by, std::vector<std::size_t>& place_of) {
        const std::size_t own = place_of[place(node)];
        const std::int32_t degree = degrees_[own];
        const auto run = std::equal_range(degrees_.begin(), degrees_.end(), degree);
        const auto other = static_cast<std::size_t>((by > 0 ? run.second - 1 : run.first) - degrees_.begin());
        std::swap(nodes_[own], nodes_[other]);
        place_of[place(nodes_[own])] = own;
        place_of[place(nodes_[other])] = other;
        degrees_[other] += by;
        lowest_ = std::min(lowest_, other);
    }

    std::int64_t try_out() {
        if (lowest_ < degrees_.size()) tried_.update(degrees_, lowest_);
        return tried_.cost();
    }
    // What was tried is kept; or what was kept is taken again, once the moves are undone.
    void keep() {
        if (lowest_ < degrees_.size()) kept_.copy_from(tried_, lowest_);
        lowest_ = degrees_.size();
    }
    void drop() {
        if (lowest_ < degrees_.size()) tried_.copy_from(kept_, lowest_);
        lowest_ = degrees_.size();
    }
    std::int64_t cost() const { return kept_.cost(); }
    std::size_t size() const { return nodes_.size(); }

    // The nodes whose degree is not what it should be, with the difference.
    void add_wanting(std::vector<std::pair<std::int32_t, std::int32_t>>& wanting) const {
        std::size_t start = 0;
        for (const std::size_t end : kept_.ends()) {
            const std::int32_t target = degrees_[kept_.place_of_target(start, end)];
            for (std::size_t i = start; i < end; ++i) {
                if (degrees_[i] != target) wanting.emplace_back(nodes_[i], target - degrees_[i]);
            }
            start = end;
        }
    }

   private:
    std::vector<std::int32_t> nodes_, degrees_;
    DegreeCuts kept_, tried_;
    std::size_t lowest_ = 0;  // the first place that differs from what was kept
};

class Annealer {
   public:
    Annealer(const DegreeAnnealing& task, Pulse& pulse)
        : task_(task),
          pulse_(pulse),
          random_(task.seed),
          n_(task.pairs.n_nodes),
          is_pair_(n_ * n_, 0),
          place_of_edit_(n_ * n_, none),
          place_of_(n_) {
        std::vector<std::vector<std::int32_t>> nodes(task.n_groups);
        for (std::size_t v = 0; v < n_; ++v) {
            nodes[place(task.groups[v])].push_back(static_cast<std::int32_t>(v));
            for (const std::int32_t u : task.pairs.of(static_cast<std::int32_t>(v))) is_pair_[v * n_ + place(u)] = 1;
        }
        for (auto& own : nodes) ladders_.emplace_back(std::move(own), task.rules);
    }

    AnnealedPairs run(const PairList& start) {
        const auto began = std::chrono::steady_clock::now();
        const auto is_late = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > task_.seconds;
        };
        pulse_.begin(task_.n_rounds * task_.n_steps);
        for (std::int64_t round = 0; round < task_.n_rounds; ++round) {
            begin(start);
            note();
            double heat = task_.heat;
            for (std::int64_t step = 0; step < task_.n_steps; ++step) {
                if (step % n_steps_between_looks == 0) {
                    pulse_.check();
                    pulse_.reach(round * task_.n_steps + step);
                    heat = heat_at(static_cast<double>(step) / static_cast<double>(task_.n_steps), task_.heat);
                    if (is_late() || is_enough()) return std::move(best_);
                }
                take_step(heat);
            }
        }
        return std::move(best_);
    }

   private:
    static constexpr std::int32_t none = -1;

    bool is_enough() const { return best_.found && static_cast<std::int64_t>(best_.edits.size()) <= task_.enough; }

    void begin(const PairList& start) {
        for (const auto& [v, u] : edits_) place_of_edit_[key(v, u)] = none;
        edits_.clear();
        std::vector<std::int32_t> degrees(n_);
        for (std::size_t v = 0; v < n_; ++v) degrees[v] = task_.pairs.degree(static_cast<std::int32_t>(v));
        for (const auto& [v, u] : start) {
            const int by = is_pair_[key(v, u)] != 0 ? -1 : 1;
            degrees[place(v)] += by;
            if (v != u) degrees[place(u)] += by;
            write_edit(v, u);
        }
        for (Ladder& ladder : ladders_) ladder.start(degrees, place_of_);
        missing_ = 0;
        for (const Ladder& ladder : ladders_) missing_ += ladder.cost();
        is_wanting_known_ = false;
    }

    void note() {
        if (missing_ > 0 || (best_.found && edits_.size() >= best_.edits.size())) return;
        best_.found = true;
        best_.edits = edits_;
    }

    std::size_t key(std::int32_t v, std::int32_t u) const {
        return place(std::min(v, u)) * n_ + place(std::max(v, u));
    }
    bool is_linked(std::int32_t v, std::int32_t u) const {
        return (is_pair_[key(v, u)] != 0) != (place_of_edit_[key(v, u)] != none);
    }
    // Whether the pair may be changed from what it is now.
    bool may_change(std::int32_t v, std::int32_t u) const {
        const std::size_t own = key(v, u);
        if (place_of_edit_[own] != none) return true;
        if (is_pair_[own] != 0) return task_.rules.may_delete;
        return task_.rules.may_link(v, u);
    }

    void write_edit(std::int32_t v, std::int32_t u) {
        const std::size_t own = key(v, u);
        if (place_of_edit_[own] == none) {
            place_of_edit_[own] = static_cast<std::int32_t>(edits_.size());
            edits_.emplace_back(v, u);
            return;
        }
        const auto [last_v, last_u] = edits_.back();
        edits_[place(place_of_edit_[own])] = edits_.back();
        place_of_edit_[key(last_v, last_u)] = place_of_edit_[own];
        edits_.pop_back();
        place_of_edit_[own] = none;
    }

    void change(std::int32_t v, std::int32_t u) {
        const int by = is_linked(v, u) ? -1 : 1;
        write_edit(v, u);
        ladder_of(v).move(v, by, place_of_);
        if (v != u) ladder_of(u).move(u, by, place_of_);
    }

    Ladder& ladder_of(std::int32_t v) { return ladders_[place(task_.groups[place(v)])]; }

    std::int32_t anybody() { return static_cast<std::int32_t>(random_.below(n_)); }

    // Somebody who is not v and is linked to v, or is not; of a few drawn.
    std::int32_t partner(std::int32_t v, bool linked) {
        for (int tries = 0; tries < 12; ++tries) {
            const std::int32_t u = anybody();
            if (is_linked(v, u) == linked && may_change(v, u)) return u;
        }
        if (linked && !task_.pairs.of(v).empty()) {
            const auto own = task_.pairs.of(v);
            const std::int32_t u = own[random_.below(own.size())];
            if (is_linked(v, u) && may_change(v, u)) return u;
        }
        return none;
    }

    void take_step(double heat) {
        chosen_.clear();
        choose();
        if (chosen_.empty()) return;
        const auto n_before = static_cast<double>(edits_.size());
        for (const auto& [v, u] : chosen_) change(v, u);
        std::int64_t missing = 0;
        for (Ladder& ladder : ladders_) missing += ladder.try_out();
        const double rise = static_cast<double>(edits_.size()) - n_before +
                            weight_of_missing * 0.5 * static_cast<double>(missing - missing_);
        if (rise <= 0 || random_.exponential() > rise / heat) {
            for (Ladder& ladder : ladders_) ladder.keep();
            missing_ = missing;
            is_wanting_known_ = false;
            note();
            return;
        }
        for (auto own = chosen_.rbegin(); own != chosen_.rend(); ++own) change(own->first, own->second);
        for (Ladder& ladder : ladders_) ladder.drop();
    }

    void choose() {
        if (!edits_.empty() && random_.below(100) < (missing_ == 0 ? 70 : 30)) return choose_known();
        if (!is_wanting_known_) {
            wanting_.clear();
            for (const Ladder& ladder : ladders_) ladder.add_wanting(wanting_);
            is_wanting_known_ = true;
        }
        if (wanting_.empty()) return choose_one(anybody(), random_.below(2) == 0);
        const auto [v, by] = wanting_[random_.below(wanting_.size())];
        if (wanting_.size() > 1 && random_.below(2) == 0) {
            const auto [u, other_by] = wanting_[random_.below(wanting_.size())];
            if (u == v) return choose_one(v, by < 0);
            if ((by < 0) != (other_by < 0)) return by < 0 ? choose_switch(v, u) : choose_switch(u, v);
            if (is_linked(v, u) == (by < 0) && may_change(v, u)) chosen_.emplace_back(v, u);
            return;
        }
        choose_one(v, by < 0);
    }

    void choose_one(std::int32_t v, bool linked) {
        const std::int32_t u = partner(v, linked);
        if (u != none) chosen_.emplace_back(v, u);
    }

    // Undoes an edit, or leads it to another end.
    void choose_known() {
        auto [v, u] = edits_[random_.below(edits_.size())];
        chosen_.emplace_back(v, u);
        if (random_.below(2) == 0) return;
        if (random_.below(2) == 0) std::swap(v, u);
        const bool was_linked = is_pair_[key(v, u)] != 0;
        const std::int32_t other = partner(v, was_linked);
        if (other != none && other != u) chosen_.emplace_back(v, other);
    }

    // One link less for v and one more for u, by somebody in between.
    void choose_switch(std::int32_t v, std::int32_t u) {
        for (int tries = 0; tries < 8; ++tries) {
            const std::int32_t between = partner(v, true);
            if (between == none || between == u || between == v) continue;
            if (is_linked(u, between) || !may_change(u, between)) continue;
            chosen_.emplace_back(v, between);
            chosen_.emplace_back(u, between);
            return;
        }
    }

    const DegreeAnnealing& task_;
    Pulse& pulse_;
    Random random_;
    std::size_t n_;
    std::vector<std::uint8_t> is_pair_;
    std::vector<std::int32_t> place_of_edit_;
    std::vector<std::size_t> place_of_;  // in the ladder of its group
    std::vector<Ladder> ladders_;
    PairList edits_, chosen_;
    std::vector<std::pair<std::int32_t, std::int32_t>> wanting_;
    bool is_wanting_known_ = false;
    std::int64_t missing_ = 0;
    AnnealedPairs best_{false, {}};
};

}  // namespace

AnnealedPairs anneal_degrees(const DegreeAnnealing& task, const PairList& start, Pulse& pulse) {
    return Annealer(task, pulse).run(start);
}

}  // namespace celosia
