#include "mend.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "class_box.hpp"
#include "renumbering.hpp"
#include "row_tree.hpp"

namespace celosia {

namespace {

constexpr std::int32_t none = -1;
// A repair may cost so many times what it did when it was found.
constexpr double tolerance = 2.0;
// A class so many times larger may take in several small ones in one round.
constexpr std::size_t hub_factor = 8;
// Classes are asked whether a broken one may join them until so many rows have been looked at.
constexpr std::size_t n_most_rows_asked = 4000;

struct Repair {
    enum class Way : std::uint8_t { none, move, merge, suppress };
    Way way = Way::none;
    std::int64_t cost = std::numeric_limits<std::int64_t>::max();
    std::size_t broken = 0, other = 0;
    std::int32_t row = none;
    bool is_enough = false;  // a merger after which nothing is broken
};

class Mender {
   public:
    explicit Mender(const MendTask& task)
        : task_(task),
          judge_(task.demands),
          judge_of_other_(task.demands),
          box_(task.columns),
          box_of_both_(task.columns),
          labels_(task.labels, task.labels + task.columns.n_rows()),
          n_spare_(task.n_spare) {
        const auto n_classes = static_cast<std::size_t>(*std::max_element(labels_.begin(), labels_.end())) + 1;
        rows_.resize(n_classes);
        for (std::size_t row = 0; row < labels_.size(); ++row)
            rows_[static_cast<std::size_t>(labels_[row])].push_back(static_cast<std::int32_t>(row));
        n_left_ = static_cast<std::size_t>(
            std::count_if(rows_.begin(), rows_.end(), [](const auto& rows) { return !rows.empty(); }));
        round_of_.assign(n_classes, 0);
        asked_by_.assign(n_classes, 0);
        answer_.assign(n_classes, 0);
    }

    std::vector<std::int32_t> run() {
        std::vector<std::size_t> broken(rows_.size());
        std::iota(broken.begin(), broken.end(), std::size_t{0});
        keep_broken(broken);
        if (broken.empty()) return std::move(labels_);
        std::vector<std::int32_t> all(labels_.size());
        std::iota(all.begin(), all.end(), 0);
        RowTree tree(task_.columns, all);
        tree_ = &tree;
        while (!broken.empty() && n_left_ > 1) {
            mend_round(broken);
            broken.insert(broken.end(), touched_.begin(), touched_.end());
            std::sort(broken.begin(), broken.end());
            broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
            keep_broken(broken);
        }
        return std::move(labels_);
    }

   private:
    void keep_broken(std::vector<std::size_t>& classes) {
        std::erase_if(classes, [this](std::size_t x) { return rows_[x].empty() || judge_.accepts(rows_[x]); });
    }

    // Repairs are found for all broken classes and then done, the cheapest first, each class taking part in one.
    void mend_round(const std::vector<std::size_t>& broken) {
        ++n_rounds_;
        is_broken_.assign(rows_.size(), 0);
        for (const std::size_t x : broken) is_broken_[x] = 1;
        touched_.clear();
        repairs_.clear();
        for (const std::size_t x : broken) {
            repairs_.push_back(best_repair(x));
            task_.pulse.check();
        }
        std::stable_sort(repairs_.begin(), repairs_.end(),
                         [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
        for (const Repair& repair : repairs_) apply(repair);
    }

    void absorb(ClassBox& box, std::int32_t row) const {
        for (std::size_t c = 0; c < task_.columns.size(); ++c)
            box.absorb(c, task_.columns[c].values[static_cast<std::size_t>(row)]);
    }
    std::int64_t cost_of(ClassBox& box, const std::vector<std::int32_t>& rows) const {
        box.clear();
        for (const std::int32_t row : rows) absorb(box, row);
        return static_cast<std::int64_t>(rows.size()) * box.loss();
    }
    std::int64_t growth_by(std::int32_t row) const {
        std::int64_t growth = 0;
        for (std::size_t c = 0; c < task_.columns.size(); ++c)
            growth += box_.growth(c, task_.columns[c].values[static_cast<std::size_t>(row)]);
        return growth;
    }
    std::int32_t label(std::int32_t row) const { return labels_[static_cast<std::size_t>(row)]; }

    Repair best_repair(std::size_t x) {
        const std::int64_t before = cost_of(box_, rows_[x]);
        judge_.accepts(rows_[x]);
        Repair best;
        best.broken = x;
        const auto size = static_cast<std::int64_t>(rows_[x].size());
        if (size <= n_spare_) {
            best.way = Repair::Way::suppress;
            best.cost = size * greatest_loss - before;
        }
        tree_->start_at(rows_[x].front());
        const auto own = static_cast<std::int32_t>(x);
        const RowTree::Filter is_other = [&](std::int32_t row) { return label(row) != own && label(row) != none; };
        const RowTree::Filter helps = [&](std::int32_t row) { return is_other(row) && judge_.helps(row); };
        const std::int32_t helper = tree_->cheapest(box_, &helps);
        if (helper != none) try_move(x, helper, before, best);
        ++n_questions_;
        n_rows_asked_ = 0;
        const RowTree::Filter takes = [&](std::int32_t row) {
            return is_other(row) && mends(x, static_cast<std::size_t>(label(row)));
        };
        const std::int32_t taker = tree_->cheapest(box_, &takes);
        if (taker != none) {
            try_merge(x, taker, before, 0, best);
            best.is_enough = best.way == Repair::Way::merge;
            return best;
        }
        // What is still broken after a merger must go at least as far as the nearest row that helps.
        const std::int32_t nearest = tree_->cheapest(box_, &is_other);
        const std::int64_t still = helper == none ? 0 : growth_by(helper);
        if (nearest != none) try_merge(x, nearest, before, still, best);
        if (helper != none && label(helper) != label(nearest)) try_merge(x, helper, before, still, best);
        return best;
    }

    // Whether the two classes together satisfy all demands; no for all once enough have been asked.
    bool mends(std::size_t x, std::size_t y) {
        if (asked_by_[y] == n_questions_) return answer_[y] != 0;
        if (n_rows_asked_ > n_most_rows_asked) {
            tree_->give_up();
            return false;
        }
        n_rows_asked_ += rows_[x].size() + rows_[y].size();
        asked_by_[y] = n_questions_;
        both_ = rows_[y];
        both_.insert(both_.end(), rows_[x].begin(), rows_[x].end());
        answer_[y] = judge_of_other_.accepts(both_) ? 1 : 0;
        return answer_[y] != 0;
    }

    void try_merge(std::size_t x, std::int32_t row, std::int64_t before, std::int64_t still, Repair& best) {
        const auto y = static_cast<std::size_t>(label(row));
        const std::int64_t cost_of_other = cost_of(box_of_both_, rows_[y]);
        for (const std::int32_t own : rows_[x]) absorb(box_of_both_, own);
        const auto size = static_cast<std::int64_t>(rows_[x].size() + rows_[y].size());
        const std::int64_t cost = size * (box_of_both_.loss() + still) - before - cost_of_other;
        if (cost < best.cost) best = {Repair::Way::merge, cost, x, y, none, false};
    }

    void try_move(std::size_t x, std::int32_t row, std::int64_t before, Repair& best) {
        const auto y = static_cast<std::size_t>(label(row));
        if (static_cast<std::int32_t>(rows_[y].size()) <= judge_.n_least_rows()) return;
        both_.clear();
        for (const std::int32_t own : rows_[y]) {
            if (own != row) both_.push_back(own);
        }
        if (!judge_of_other_.accepts(both_)) return;
        const std::int64_t gain = cost_of(box_of_both_, rows_[y]) - cost_of(box_of_both_, both_);
        const auto size = static_cast<std::int64_t>(rows_[x].size()) + 1;
        const std::int64_t cost = size * (box_.loss() + growth_by(row)) - before - gain;
        const std::int32_t n_moves = std::max({judge_.n_needed(), judge_.n_least_rows() - static_cast<std::int32_t>(size) + 1, 1});
        if (static_cast<double>(cost) * n_moves < static_cast<double>(best.cost)) best = {Repair::Way::move, cost, x, y, row, false};
    }

    // Does nothing if the class has changed since, or the other one has, unless that one had been sound and the repair
    // costs hardly more by now, or it is much larger.
    void apply(const Repair& repair) {
        const std::size_t x = repair.broken, y = repair.other;
        if (repair.way == Repair::Way::none || round_of_[x] == n_rounds_) return;
        if (repair.way == Repair::Way::suppress) {
            suppress(x);
            return;
        }
        if (rows_[y].empty()) return;
        if (round_of_[y] == n_rounds_ && (repair.way == Repair::Way::move || !is_still_good(repair))) return;
        round_of_[x] = round_of_[y] = n_rounds_;
        touched_.push_back(y);
        if (repair.way == Repair::Way::move) {
            std::erase(rows_[y], repair.row);
            give(repair.row, x);
            return;
        }
        for (const std::int32_t row : rows_[x]) give(row, y);
        std::vector<std::int32_t>().swap(rows_[x]);
        --n_left_;
    }

    bool is_still_good(const Repair& repair) {
        if (is_broken_[repair.other] != 0 || !repair.is_enough)
            return rows_[repair.other].size() >= hub_factor * rows_[repair.broken].size();
        ++n_questions_;
        n_rows_asked_ = 0;
        if (!mends(repair.broken, repair.other)) return false;
        Repair now;
        const std::int64_t before = cost_of(box_, rows_[repair.broken]);
        try_merge(repair.broken, rows_[repair.other].front(), before, 0, now);
        return static_cast<double>(now.cost) <= tolerance * static_cast<double>(repair.cost);
    }

    void give(std::int32_t row, std::size_t x) {
        rows_[x].push_back(row);
        labels_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(x);
    }

    void suppress(std::size_t x) {
        if (static_cast<std::int64_t>(rows_[x].size()) > n_spare_ || n_left_ == 1) return;
        round_of_[x] = n_rounds_;
        n_spare_ -= static_cast<std::int64_t>(rows_[x].size());
        for (const std::int32_t row : rows_[x]) labels_[static_cast<std::size_t>(row)] = none;
        rows_[x].clear();
        --n_left_;
    }

    const MendTask& task_;
    Judge judge_, judge_of_other_;
    ClassBox box_, box_of_both_;
    std::vector<std::int32_t> labels_, both_;
    std::vector<std::vector<std::int32_t>> rows_;
    std::vector<std::int64_t> round_of_, asked_by_;
    std::vector<std::uint8_t> answer_, is_broken_;
    std::vector<Repair> repairs_;
    std::vector<std::size_t> touched_;
    RowTree* tree_ = nullptr;
    std::size_t n_left_ = 0;
    std::int64_t n_rounds_ = 0, n_questions_ = 0, n_spare_;
    std::size_t n_rows_asked_ = 0;
};

}  // namespace

std::vector<std::int32_t> mend(const MendTask& task) {
    const std::int32_t n = task.columns.n_rows();
    if (n != task.demands.n_rows())
        throw std::invalid_argument("the demands are about " + std::to_string(task.demands.n_rows()) +
                                    " rows; the table has " + std::to_string(n));
    if (task.n_spare < 0) throw std::invalid_argument("spare is negative");
    if (n == 0) return {};
    for (std::int32_t row = 0; row < n; ++row) {
        if (task.labels[row] < 0 || task.labels[row] >= n)
            throw std::invalid_argument("a label is not in 0.." + std::to_string(n) + "-1");
    }
    std::vector<std::int32_t> labels = Mender(task).run();
    renumber(labels);
    return labels;
}

}  // namespace celosia
