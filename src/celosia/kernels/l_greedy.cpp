#include "l_greedy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "class_box.hpp"
#include "growth.hpp"
#include "left_overs.hpp"
#include "permutation.hpp"
#include "row_tree.hpp"
#include "team.hpp"

namespace celosia {

namespace {

// The cheapest rows found in a tree.
class TreeGrowth {
   public:
    explicit TreeGrowth(const LGreedyTask& task)
        : task_(task),
          judge_(task.demands),
          box_(task.columns),
          tree_(task.columns, all_rows(task.columns.n_rows())),
          n_when_built_(tree_.size()),
          next_(task.order),
          labels_(static_cast<std::size_t>(tree_.size()), -1) {}

    // Nothing if the tree does not pay.
    std::optional<std::vector<std::int32_t>> run() {
        const std::int32_t n = tree_.size();
        std::vector<std::int32_t> rest;
        while (tree_.size() >= judge_.n_least_rows()) {
            if (tree_.size() * 2 < n_when_built_) rebuild();
            if (!grow_class()) {
                rest = members_;
                break;
            }
            for (const std::int32_t row : members_) labels_[static_cast<std::size_t>(row)] = n_classes_;
            ++n_classes_;
            task_.pulse.advance(static_cast<std::int64_t>(members_.size()));
            task_.pulse.check();
            if (n_classes_ == n_trial_classes && judge_.counts_only() && is_idle(n)) return std::nullopt;
        }
        const std::vector<std::int32_t> free = tree_.rows();
        rest.insert(rest.end(), free.begin(), free.end());
        std::sort(rest.begin(), rest.end());
        if (!judge_.counts_only()) {
            for (const std::int32_t row : rest) labels_[static_cast<std::size_t>(row)] = n_classes_++;
            return std::move(labels_);
        }
        Team team(count_threads(task_.n_threads));
        place_left_overs(task_.columns, rest, n_classes_, labels_, task_.pulse, team);
        return std::move(labels_);
    }

   private:
    static constexpr std::int32_t n_trial_classes = 64;

    static std::vector<std::int32_t> all_rows(std::int32_t n) {
        std::vector<std::int32_t> rows(static_cast<std::size_t>(n));
        std::iota(rows.begin(), rows.end(), 0);
        return rows;
    }

    // Whether so many rows are looked at (many columns, no clusters) that a plain scan is faster.
    bool is_idle(std::int32_t n) const {
        const std::int64_t n_found = std::int64_t{n_trial_classes} * judge_.n_least_rows();
        return tree_.n_looked_at() * 12 > n_found * n;
    }

    void rebuild() {
        tree_.rebuild();
        n_when_built_ = tree_.size();
    }

    bool grow_class() {
        while (!tree_.contains(*next_)) ++next_;
        std::int32_t row = *next_;
        const RowTree::Filter helps = [this](std::int32_t candidate) { return judge_.helps(candidate); };
        const RowTree::Filter helps_and_is_plentiful = [this](std::int32_t candidate) {
            return judge_.helps_and_is_plentiful(candidate);
        };
        members_.clear();
        box_.clear();
        judge_.clear();
        while (true) {
            members_.push_back(row);
            const std::int32_t* values = tree_.remove(row);
            judge_.add(row);
            judge_.take(row);
            if (judge_.satisfied()) return true;
            box_.absorb(values);
            const bool is_choosy = judge_.is_choosy();
            row = -1;
            if (!is_choosy || judge_.may_find_plentiful_help())
                row = tree_.cheapest(box_, is_choosy ? &helps_and_is_plentiful : nullptr);
            if (row < 0 && is_choosy) row = tree_.cheapest(box_, &helps);
            if (row < 0) return false;
        }
    }

    const LGreedyTask& task_;
    Judge judge_;
    ClassBox box_;
    RowTree tree_;
    std::int32_t n_when_built_;
    const std::int32_t* next_;
    std::vector<std::int32_t> labels_, members_;
    std::int32_t n_classes_ = 0;
};

std::vector<std::int32_t> scan(const LGreedyTask& task) {
    const std::int32_t* next = task.order;
    return grow({task.columns, task.demands.n_least_rows(), nullptr, task.pulse, task.n_threads}, 0,
                [&](FreeRows& free, std::int32_t) {
                    while (!free.contains(*next)) ++next;
                    return *next;
                });
}

}  // namespace

std::vector<std::int32_t> l_greedy(const LGreedyTask& task) {
    const std::int32_t n = task.columns.n_rows();
    if (n != task.demands.n_rows())
        throw std::invalid_argument("the demands are about " + std::to_string(task.demands.n_rows()) +
                                    " rows; the table has " + std::to_string(n));
    check_permutation(task.order, n);
    task.pulse.begin(n);
    if (n == 0) return {};
    if (auto labels = TreeGrowth(task).run()) return *std::move(labels);
    return scan(task);
}

}  // namespace celosia
