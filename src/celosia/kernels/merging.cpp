#include "merging.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "class_box.hpp"
#include "renumbering.hpp"
#include "row_tree.hpp"

namespace celosia {

namespace {

constexpr std::int32_t none = -1;

class Merger {
   public:
    explicit Merger(const MergeTask& task)
        : task_(task), box_(task.columns), labels_(task.labels, task.labels + task.columns.n_rows()) {
        std::vector<std::int32_t> placed;
        for (std::size_t row = 0; row < labels_.size(); ++row) {
            if (labels_[row] < 0) continue;
            const auto x = static_cast<std::size_t>(labels_[row]);
            if (x >= labels_.size()) throw std::invalid_argument("a label is above the number of rows");
            if (x >= rows_.size()) rows_.resize(x + 1);
            rows_[x].push_back(static_cast<std::int32_t>(row));
            placed.push_back(static_cast<std::int32_t>(row));
        }
        if (!placed.empty()) tree_.emplace_back(task.columns, placed);
        has_changed_.assign(rows_.size(), 0);
    }

    std::vector<std::int32_t> run() {
        std::vector<std::size_t> wanting;
        for (const std::int32_t label : task_.wanting) {
            if (label < 0 || static_cast<std::size_t>(label) >= rows_.size())
                throw std::invalid_argument("a wanting class does not exist");
            wanting.push_back(static_cast<std::size_t>(label));
        }
        std::stable_sort(wanting.begin(), wanting.end(),
                         [this](auto x, auto y) { return rows_[x].size() < rows_[y].size(); });
        std::int64_t n_spare = task_.n_spare;
        for (const std::size_t x : wanting) {
            task_.pulse.check();
            if (has_changed_[x] == 0 && !rows_[x].empty()) merge(x, n_spare);
        }
        renumber(labels_);
        return std::move(labels_);
    }

   private:
    std::int64_t cost_of(const std::vector<std::int32_t>& rows) {
        box_.clear();
        absorb(rows);
        return static_cast<std::int64_t>(rows.size()) * box_.loss();
    }
    void absorb(const std::vector<std::int32_t>& rows) {
        for (const std::int32_t row : rows) {
            for (std::size_t c = 0; c < task_.columns.size(); ++c)
                box_.absorb(c, task_.columns[c].values[static_cast<std::size_t>(row)]);
        }
    }

    void merge(std::size_t x, std::int64_t& n_spare) {
        const auto own = static_cast<std::int32_t>(x);
        const std::int64_t cost_of_own = cost_of(rows_[x]);
        const RowTree::Filter is_other = [&](std::int32_t row) {
            const std::int32_t label = labels_[static_cast<std::size_t>(row)];
            return label != own && label != none;
        };
        RowTree& tree = tree_.front();
        tree.start_at(rows_[x].front());
        const std::int32_t nearest = tree.cheapest(box_, &is_other);
        if (nearest == none) return;
        const auto y = static_cast<std::size_t>(labels_[static_cast<std::size_t>(nearest)]);
        const std::int64_t cost_of_other = cost_of(rows_[y]);
        absorb(rows_[x]);
        const auto n = static_cast<std::int64_t>(rows_[x].size()), n_both = n + static_cast<std::int64_t>(rows_[y].size());
        const std::int64_t cost = n_both * box_.loss() - cost_of_own - cost_of_other;
        const bool is_suppressed = n <= n_spare && n * greatest_loss - cost_of_own < cost;
        if (is_suppressed) n_spare -= n;
        for (const std::int32_t row : rows_[x]) {
            labels_[static_cast<std::size_t>(row)] = is_suppressed ? none : static_cast<std::int32_t>(y);
            if (!is_suppressed) rows_[y].push_back(row);
        }
        rows_[x].clear();
        if (!is_suppressed) has_changed_[y] = 1;
    }

    const MergeTask& task_;
    ClassBox box_;
    std::vector<std::int32_t> labels_;
    std::vector<std::vector<std::int32_t>> rows_;
    std::vector<RowTree> tree_;  // one, once the rows are known
    std::vector<std::uint8_t> has_changed_;
};

}  // namespace

std::vector<std::int32_t> merge_nearest(const MergeTask& task) {
    if (task.n_spare < 0) throw std::invalid_argument("spare is negative");
    if (task.columns.n_rows() == 0) return {};
    return Merger(task).run();
}

}  // namespace celosia
