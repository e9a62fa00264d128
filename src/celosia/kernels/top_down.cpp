#include "top_down.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include "histogram.hpp"
#include "nodes.hpp"

namespace celosia {

namespace {

// What a step is chosen by: the cost that it takes off, or that per value that is published more, per class that there
// is more, or per square root of these.
enum class Score { cost, values, classes, root_of_classes };

// What one step changes, in one class or in all.
struct Change {
    std::int64_t cost = 0, n_lost = 0, n_classes = 0;

    void add(const Change& other, std::int64_t times) {
        cost += times * other.cost;
        n_lost += times * other.n_lost;
        n_classes += times * other.n_classes;
    }
};

struct Class {
    std::size_t first = 0, last = 0;  // of the order
    std::int64_t n_rows = 0;
    bool is_kept = true;
    std::vector<std::size_t> nodes;   // [column]
    std::vector<Change> changes;      // [column]: if that node were replaced
};

double n_more_values(const Node& node) { return static_cast<double>(node.children.size() - 1); }

// What all searches here share: the cut, and what it costs.
class Cutting {
   public:
    Cutting(const TopDownTask& task, Score score)
        : task_(task),
          score_(score),
          nodes_(nodes_of(task.ladders, task.tuples)),
          is_in_cut_(nodes_.size()),
          is_refused_(nodes_.size()) {
        for (const Ladder& ladder : task.ladders.columns()) {
            places_.emplace_back(ladder.n_codes, static_cast<std::int32_t>(ladder.n_levels) - 1);
            groups_.emplace_back(ladder.n_codes, 0);
            const std::int64_t* costs = ladder.costs_at(ladder.n_levels - 1);
            costs_.emplace_back(costs, costs + ladder.n_codes);
            n_groups_.push_back(0);
        }
        for (std::size_t j = 0; j < places_.size(); ++j) enter(j);
    }
    virtual ~Cutting() = default;

    Specialised run() {
        Specialised found;
        if (start() && (!task_.approve || task_.approve(places_))) {
            found.holds = true;
            go_down();
            found.places = places_;
            found.cost = cost_;
        }
        found.n_judged = n_judged_;
        return found;
    }

   protected:
    // Judges the tops; false if they do not hold.
    virtual bool start() = 0;
    // The node to be replaced next; the number of nodes: there is none.
    virtual std::size_t best() = 0;
    virtual void replace(std::size_t node) { move_to_children(node); }

    bool is_candidate(std::size_t node) const {
        return is_in_cut_[node] && !is_refused_[node] && !nodes_[node].children.empty();
    }

    Scheme scheme() const {
        Scheme all;
        for (std::size_t j = 0; j < groups_.size(); ++j)
            all.push_back({groups_[j].data(), n_groups_[j], costs_[j].data()});
        return all;
    }

    void move_to_children(std::size_t node) {
        is_in_cut_[node] = false;
        for (const std::size_t child : nodes_[node].children) enter(child);
    }
    void move_back(std::size_t node) {
        for (const std::size_t child : nodes_[node].children) is_in_cut_[child] = false;
        enter(node);
    }

    const TopDownTask& task_;
    const Score score_;
    const std::vector<Node> nodes_;
    std::vector<bool> is_in_cut_, is_refused_;  // [node]
    Places places_;
    std::vector<std::vector<std::int32_t>> groups_;  // [column][code] of the cut; numbers may be left out
    std::vector<std::vector<std::int64_t>> costs_;   // [column][code] of the cut
    std::vector<std::size_t> n_groups_;
    std::int64_t cost_ = 0, n_judged_ = 0;

   private:
    void go_down() {
        task_.pulse.restart(static_cast<std::int64_t>(nodes_.size()));
        while (!task_.pulse.stopped()) {
            const std::size_t next = best();
            if (next == nodes_.size()) return;
            if (task_.approve && !is_approved(next)) {
                is_refused_[next] = true;
                continue;
            }
            replace(next);
            task_.pulse.advance(1);
        }
    }

    void enter(std::size_t at) {
        const Node& node = nodes_[at];
        is_in_cut_[at] = true;
        const std::int64_t* costs = task_.ladders.columns()[node.column].costs_at(static_cast<std::size_t>(node.level));
        // The first code names the group: it is that of no other node of the cut.
        const std::int32_t group = node.codes.front();
        n_groups_[node.column] = std::max(n_groups_[node.column], static_cast<std::size_t>(group) + 1);
        for (const std::int32_t one : node.codes) {
            const auto code = static_cast<std::size_t>(one);
            places_[node.column][code] = node.level;
            groups_[node.column][code] = group;
            costs_[node.column][code] = costs[code];
        }
    }

    bool is_approved(std::size_t node) {
        Places places(places_);
        for (const std::size_t child : nodes_[node].children) {
            for (const std::int32_t code : nodes_[child].codes)
                places[nodes_[node].column][static_cast<std::size_t>(code)] = nodes_[child].level;
        }
        return task_.approve(places);
    }
};

// Where every class is judged by itself.
class ByClasses : public Cutting {
   public:
    ByClasses(const TopDownTask& task, Score score)
        : Cutting(task, score),
          sums_(nodes_.size()),
          held_by_(nodes_.size()),
          child_of_(task.ladders.columns().size()),
          order_(task.tuples.size()) {
        for (std::size_t j = 0; j < child_of_.size(); ++j) child_of_[j].assign(task.ladders.columns()[j].n_codes, 0);
        for (const Counted& counted : task.tuples.counted) histograms_.emplace_back(counted.n_codes);
        std::iota(order_.begin(), order_.end(), 0);
    }

   protected:
    bool start() override {
        const std::size_t n_columns = child_of_.size();
        for (std::size_t j = 0; j < n_columns; ++j) number_children(j);
        Class all;
        all.last = order_.size();
        all.n_rows = task_.tuples.n_rows;
        all.is_kept = is_met(order_.data(), order_.data() + order_.size(), all.n_rows);
        all.nodes.resize(n_columns);
        std::iota(all.nodes.begin(), all.nodes.end(), std::size_t{0});
        all.changes.resize(n_columns);
        classes_.push_back(all);
        ++n_judged_;
        if (!all.is_kept) return false;
        now_ = scheme();
        for (const std::int32_t tuple : order_)
            cost_ += task_.tuples.weights[static_cast<std::size_t>(tuple)] * task_.recoder.cost_of(now_, tuple);
        for (std::size_t j = 0; j < n_columns; ++j) held_by_[j].push_back(0);
        foresee(0);
        return true;
    }

    std::size_t best() override {
        std::size_t found = nodes_.size();
        double most = 0.0;
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            if (!is_candidate(at)) continue;
            const Change& sum = sums_[at];
            if (sum.cost >= 0 || n_lost_ + sum.n_lost > task_.terms.n_spare) continue;
            const double own = score(at);
            if (found < nodes_.size() && own <= most) continue;
            most = own;
            found = at;
        }
        return found;
    }

    void replace(std::size_t node) override {
        const std::vector<std::size_t> held = std::move(held_by_[node]);
        const std::size_t column = nodes_[node].column;
        cost_ += sums_[node].cost;
        n_lost_ += sums_[node].n_lost;
        for (const std::size_t one : held) forget(one);
        std::vector<std::size_t> touched;
        for (const std::size_t one : held) split(one, column, node, touched);
        move_to_children(node);
        for (const std::size_t child : nodes_[node].children) number_children(child);
        for (const std::size_t one : touched) foresee(one);
    }

   private:
    double score(std::size_t at) const {
        const auto gain = static_cast<double>(-sums_[at].cost);
        const auto n_more = static_cast<double>(std::max<std::int64_t>(sums_[at].n_classes, 0) + 1);
        if (score_ == Score::classes) return gain / n_more;
        if (score_ == Score::root_of_classes) return gain / std::sqrt(n_more);
        return gain / n_more_values(nodes_[at]);
    }

    void number_children(std::size_t at) {
        const Node& node = nodes_[at];
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            for (const std::int32_t code : nodes_[node.children[i]].codes)
                child_of_[node.column][static_cast<std::size_t>(code)] = static_cast<std::int32_t>(i);
        }
    }

    bool is_met(const std::int32_t* first, const std::int32_t* last, std::int64_t n_rows) {
        if (n_rows < task_.terms.n_least_rows) return false;
        for (std::size_t demand = 0; demand < task_.terms.demands.size(); ++demand) {
            Histogram& histogram = histograms_[demand];
            const Counted& counted = task_.tuples.counted[demand];
            histogram.clear();
            for (const std::int32_t* one = first; one < last; ++one) {
                const auto tuple = static_cast<std::size_t>(*one);
                for (std::size_t at = counted.starts[tuple]; at < counted.starts[tuple + 1]; ++at)
                    histogram.add(counted.codes[at], counted.counts[at]);
            }
            if (!task_.terms.demands[demand]->is_met_by(histogram)) return false;
        }
        return true;
    }

    // Sorts a class's tuples by the children of its node: parts_[i] .. parts_[i + 1] of sorted_.
    void sort_by_children(const Class& one, std::size_t column) {
        const std::vector<std::int32_t>& codes = task_.tuples.codes[column];
        const std::size_t n_children = nodes_[one.nodes[column]].children.size();
        parts_.assign(n_children + 1, 0);
        n_rows_.assign(n_children, 0);
        for (std::size_t i = one.first; i < one.last; ++i) {
            const auto tuple = static_cast<std::size_t>(order_[i]);
            const auto child = static_cast<std::size_t>(child_of_[column][static_cast<std::size_t>(codes[tuple])]);
            ++parts_[child + 1];
            n_rows_[child] += task_.tuples.weights[tuple];
        }
        std::partial_sum(parts_.begin(), parts_.end(), parts_.begin());
        ends_.assign(parts_.begin(), parts_.end() - 1);
        sorted_.resize(one.last - one.first);
        for (std::size_t i = one.first; i < one.last; ++i) {
            const auto tuple = static_cast<std::size_t>(order_[i]);
            const auto child = static_cast<std::size_t>(child_of_[column][static_cast<std::size_t>(codes[tuple])]);
            sorted_[ends_[child]++] = order_[i];
        }
    }

    // What it would change in a class to replace its nodes, one at a time.
    void foresee(std::size_t at) {
        for (std::size_t j = 0; j < child_of_.size(); ++j) {
            Class& one = classes_[at];
            one.changes[j] = {};
            const Node& node = nodes_[one.nodes[j]];
            if (node.children.empty()) continue;
            one.changes[j] = change_of(one, j);
            sums_[one.nodes[j]].add(one.changes[j], 1);
        }
    }

    void forget(std::size_t at) {
        const Class& one = classes_[at];
        for (std::size_t j = 0; j < child_of_.size(); ++j) sums_[one.nodes[j]].add(one.changes[j], -1);
    }

    Change change_of(const Class& one, std::size_t column) {
        ++n_judged_;
        sort_by_children(one, column);
        const Node& node = nodes_[one.nodes[column]];
        const Ladder& ladder = task_.ladders.columns()[column];
        Change change;
        for (std::size_t child = 0; child < node.children.size(); ++child) {
            if (parts_[child] == parts_[child + 1]) continue;
            const std::int32_t* first = sorted_.data() + parts_[child];
            const std::int32_t* last = sorted_.data() + parts_[child + 1];
            const bool is_kept = n_rows_[child] == one.n_rows ? one.is_kept : is_met(first, last, n_rows_[child]);
            if (is_kept) ++change.n_classes;
            if (!is_kept && !one.is_kept) continue;
            const auto level = static_cast<std::size_t>(nodes_[node.children[child]].level);
            const std::int64_t* after = ladder.costs_at(level);
            if (!is_kept) change.n_lost += n_rows_[child];
            if (!one.is_kept) change.n_lost -= n_rows_[child];
            for (; first < last; ++first) {
                const auto tuple = static_cast<std::size_t>(*first);
                const auto code = static_cast<std::size_t>(task_.tuples.codes[column][tuple]);
                const std::int64_t step = after[code] - costs_[column][code];
                std::int64_t own = step;
                if (is_kept != one.is_kept) {
                    const std::int64_t cost = task_.recoder.cost_of(now_, *first);
                    const std::int64_t lost = task_.recoder.cost_if_lost(*first);
                    own = is_kept ? cost + step - lost : lost - cost;
                }
                change.cost += task_.tuples.weights[tuple] * own;
            }
        }
        if (one.is_kept) --change.n_classes;
        return change;
    }

    // The class becomes its part under the first child that it holds; others follow as new classes.
    void split(std::size_t at, std::size_t column, std::size_t node, std::vector<std::size_t>& touched) {
        sort_by_children(classes_[at], column);
        const Class whole = classes_[at];
        std::copy(sorted_.begin(), sorted_.end(), order_.begin() + static_cast<std::ptrdiff_t>(whole.first));
        const std::vector<std::size_t>& children = nodes_[node].children;
        bool is_first = true;
        for (std::size_t child = 0; child < children.size(); ++child) {
            if (parts_[child] == parts_[child + 1]) continue;
            const std::size_t place = is_first ? at : classes_.size();
            Class part = whole;
            part.first = whole.first + parts_[child];
            part.last = whole.first + parts_[child + 1];
            part.n_rows = n_rows_[child];
            if (part.n_rows < whole.n_rows)
                part.is_kept = is_met(order_.data() + part.first, order_.data() + part.last, part.n_rows);
            part.nodes[column] = children[child];
            held_by_[children[child]].push_back(place);
            if (is_first) {
                classes_[at] = std::move(part);
            } else {
                for (std::size_t j = 0; j < part.nodes.size(); ++j) {
                    if (j != column) held_by_[part.nodes[j]].push_back(place);
                }
                classes_.push_back(std::move(part));
            }
            touched.push_back(place);
            is_first = false;
        }
    }

    std::vector<Change> sums_;                          // [node] over the classes that hold it
    std::vector<std::vector<std::size_t>> held_by_;     // [node]: the classes, while it is in the cut
    std::vector<std::vector<std::int32_t>> child_of_;   // [column][code]: which child of its node in the cut
    std::vector<std::int32_t> order_;                   // tuples, class after class
    std::vector<Class> classes_;
    std::vector<Histogram> histograms_;
    Scheme now_;  // whose costs follow the cut
    std::int64_t n_lost_ = 0;
    std::vector<std::int32_t> sorted_;
    std::vector<std::size_t> parts_, ends_;
    std::vector<std::int64_t> n_rows_;
};

// Where the verdict on a class hangs on the others, or on which of them are suppressed: everything is judged anew.
class Together : public Cutting {
   public:
    using Cutting::Cutting;

   protected:
    bool start() override {
        const Outcome found = judged();
        cost_ = found.cost;
        return found.holds;
    }

    std::size_t best() override {
        std::vector<std::size_t> candidates;
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            if (is_candidate(at)) candidates.push_back(at);
        }
        // A step takes off no more than it would if no row were lost by it (rarely it brings one back).
        std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
            return score(a, nodes_[a].gain) > score(b, nodes_[b].gain);
        });
        std::size_t found = nodes_.size();
        double most = 0.0;
        for (const std::size_t at : candidates) {
            if (task_.pulse.stopped()) return nodes_.size();
            if (score(at, nodes_[at].gain) <= most) break;
            move_to_children(at);
            const Outcome own = judged();
            move_back(at);
            if (!own.holds || score(at, cost_ - own.cost) <= most) continue;
            most = score(at, cost_ - own.cost);
            next_cost_ = own.cost;
            found = at;
        }
        return found;
    }

    void replace(std::size_t node) override {
        move_to_children(node);
        cost_ = next_cost_;
    }

   private:
    double score(std::size_t at, std::int64_t gain) const {
        return static_cast<double>(gain) / (score_ == Score::values ? n_more_values(nodes_[at]) : 1.0);
    }

    Outcome judged() {
        ++n_judged_;
        return task_.recoder.evaluate(scheme());
    }

    std::int64_t next_cost_ = 0;
};

bool are_judged_apart(const TopDownTask& task) {
    const Terms& terms = task.terms;
    if (!terms.overall.empty()) return false;
    if (terms.n_spare == 0) return true;
    for (std::size_t demand = 0; demand < terms.demands.size(); ++demand) {
        std::vector<std::int64_t> all(task.tuples.counted[demand].n_codes, 0);
        const Counted& counted = task.tuples.counted[demand];
        for (std::size_t at = 0; at < counted.codes.size(); ++at)
            all[static_cast<std::size_t>(counted.codes[at])] += counted.counts[at];
        if (terms.demands[demand]->measured_against(all)) return false;
    }
    return true;
}

}  // namespace

Specialised specialise(const TopDownTask& task) {
    const bool are_apart = are_judged_apart(task);
    const std::vector<Score> scores = are_apart
                                          ? std::vector{Score::classes, Score::root_of_classes, Score::values}
                                          : std::vector{Score::cost, Score::values};
    Specialised best;
    for (const Score score : scores) {
        Specialised own = are_apart ? ByClasses(task, score).run() : Together(task, score).run();
        const std::int64_t n_judged = best.n_judged + own.n_judged;
        if (own.holds && (!best.holds || own.cost < best.cost)) best = std::move(own);
        best.n_judged = n_judged;
        if (!best.holds || task.pulse.stopped()) break;
    }
    return best;
}

}  // namespace celosia
