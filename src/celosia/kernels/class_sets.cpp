#include "class_sets.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "class_box.hpp"

namespace celosia {

namespace {

constexpr std::int64_t looks_between_checks = 1 << 14;

struct Candidate {
    std::int32_t row;
    std::int32_t growth;  // of the loss of the set so far, with this row
    std::int64_t share;   // what the row adds at least: its part of the loss, minus its price
};

struct Found {
    std::int64_t reduced_cost;
    std::int32_t loss;
    std::vector<std::int32_t> rows;

    bool operator<(const Found& other) const { return reduced_cost < other.reduced_cost; }
};

std::vector<std::int32_t> row_by_row(const Columns& columns) {
    const auto n = static_cast<std::size_t>(columns.n_rows());
    std::vector<std::int32_t> values(n * columns.size());
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t c = 0; c < columns.size(); ++c) values[row * columns.size() + c] = columns[c].values[row];
    }
    return values;
}

class Lister {
   public:
    explicit Lister(const ClassSetTask& task)
        : task_(task),
          judge_(task.demands),
          n_least_(task.demands.n_least_rows()),
          n_columns_(task.columns.size()),
          values_(row_by_row(task.columns)) {}

    ClassSets list() {
        const std::int32_t n = task_.columns.n_rows();
        found_.starts.push_back(0);
        task_.pulse.begin(n);
        for (std::int32_t first = 0; first < n && found_.is_complete; ++first) {
            task_.pulse.advance(1);
            if (first > 0 && task_.kinds[first] == task_.kinds[first - 1]) continue;
            best_.clear();
            bar_ = task_.bar;
            std::vector<std::int32_t> others;
            for (std::int32_t row = first + 1; row < n; ++row) others.push_back(row);
            extend(first, others, -task_.prices[first]);
            keep_best();
        }
        return std::move(found_);
    }

   private:
    // Lists the sets that hold the set so far, the given row and any of the others, of which it is in ascending order.
    void extend(std::int32_t row, const std::vector<std::int32_t>& others, std::int64_t minus_prices) {
        set_.push_back(row);
        const std::size_t size = set_.size();
        if (boxes_.size() < size) boxes_.emplace_back(task_.columns);
        ClassBox& box = boxes_[size - 1];
        box.clear();
        for (const std::int32_t one : set_) box.absorb(values_of(one));
        const std::int64_t reduced_cost = static_cast<std::int64_t>(size) * box.loss() + minus_prices;
        if (reduced_cost <= bar_ && judge_.accepts(set_)) take(reduced_cost, box.loss());
        if (static_cast<std::int32_t>(size) < task_.n_most_rows && found_.is_complete) {
            const std::vector<std::int32_t> left = worth_adding(box, others, reduced_cost);
            std::vector<std::int32_t> after;
            for (std::size_t i = 0; i < left.size() && found_.is_complete; ++i) {
                // Without its twin before it the set would be listed twice.
                if (i > 0 && task_.kinds[left[i]] == task_.kinds[left[i - 1]]) continue;
                after.assign(left.begin() + static_cast<std::ptrdiff_t>(i) + 1, left.end());
                extend(left[i], after, minus_prices - task_.prices[left[i]]);
            }
        }
        set_.pop_back();
    }

    // The rows with which some larger set may still be below the bar.
    std::vector<std::int32_t> worth_adding(const ClassBox& box, const std::vector<std::int32_t>& rows,
                                           std::int64_t reduced_cost) {
        look(static_cast<std::int64_t>(rows.size()));
        const auto size = static_cast<std::int64_t>(set_.size());
        const std::int64_t n_needed = std::max<std::int64_t>(n_least_ - size, 1);
        std::vector<std::int32_t> left;
        if (static_cast<std::int64_t>(rows.size()) < n_needed) return left;
        std::vector<Candidate> candidates;
        std::vector<std::int64_t> shares;
        for (const std::int32_t row : rows) {
            const std::int32_t growth = growth_by(box, row);
            candidates.push_back({row, growth, std::int64_t{box.loss()} + growth - task_.prices[row]});
            shares.push_back(candidates.back().share);
        }
        const std::int64_t by_others = least_sum(shares, n_needed - 1, task_.n_most_rows - size - 1);
        for (const Candidate& one : candidates) {
            if (reduced_cost + size * one.growth + one.share + by_others <= bar_) left.push_back(one.row);
        }
        if (static_cast<std::int64_t>(left.size()) < n_needed) left.clear();
        return left;
    }

    // The least sum of at least n_least and at most n_most of the shares.
    static std::int64_t least_sum(std::vector<std::int64_t>& shares, std::int64_t n_least, std::int64_t n_most) {
        const auto n = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(n_most, std::ssize(shares)));
        std::partial_sort(shares.begin(), shares.begin() + n, shares.end());
        std::int64_t sum = 0;
        for (std::ptrdiff_t i = 0; i < n; ++i) {
            const std::int64_t share = shares[static_cast<std::size_t>(i)];
            if (i >= n_least && share >= 0) break;
            sum += share;
        }
        return sum;
    }

    std::int32_t growth_by(const ClassBox& box, std::int32_t row) const {
        const std::int32_t* values = values_of(row);
        std::int32_t growth = 0;
        for (std::size_t c = 0; c < n_columns_; ++c) growth += box.growth(c, values[c]);
        return growth;
    }

    const std::int32_t* values_of(std::int32_t row) const {
        return values_.data() + static_cast<std::size_t>(row) * n_columns_;
    }

    void look(std::int64_t n) {
        found_.n_looks += n;
        if (found_.n_looks > task_.n_most_looks) found_.is_complete = false;
        if (found_.n_looks < next_check_) return;
        next_check_ = found_.n_looks + looks_between_checks;
        task_.pulse.check();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
        if (passed.count() > task_.seconds) found_.is_complete = false;
    }

    void take(std::int64_t reduced_cost, std::int32_t loss) {
        if (task_.n_per_row == 0) {
            add(set_, loss);
            return;
        }
        best_.push_back({reduced_cost, loss, set_});
        std::push_heap(best_.begin(), best_.end());
        if (std::ssize(best_) > task_.n_per_row) {
            std::pop_heap(best_.begin(), best_.end());
            best_.pop_back();
        }
        if (std::ssize(best_) == task_.n_per_row) bar_ = std::min(bar_, best_.front().reduced_cost - 1);
    }

    void keep_best() {
        for (const Found& one : best_) add(one.rows, one.loss);
    }

    void add(const std::vector<std::int32_t>& rows, std::int32_t loss) {
        if (std::ssize(found_.losses) >= task_.n_most_sets) {
            found_.is_complete = false;
            return;
        }
        found_.rows.insert(found_.rows.end(), rows.begin(), rows.end());
        found_.starts.push_back(std::ssize(found_.rows));
        found_.losses.push_back(loss);
    }

    const ClassSetTask& task_;
    Judge judge_;
    std::int64_t n_least_;
    std::size_t n_columns_;
    std::vector<std::int32_t> values_;
    std::vector<std::int32_t> set_;
    std::vector<ClassBox> boxes_;  // of the first row of the set, of the first two ...
    std::vector<Found> best_;      // of the present first row, a heap with the dearest on top
    std::int64_t bar_ = 0;
    std::int64_t next_check_ = looks_between_checks;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    ClassSets found_;
};

}  // namespace

ClassSets class_sets(const ClassSetTask& task) {
    if (task.demands.n_rows() != task.columns.n_rows()) throw std::invalid_argument("demands are of other rows");
    if (task.n_most_rows < 1) throw std::invalid_argument("n_most_rows must be at least 1");
    return Lister(task).list();
}

std::vector<std::int32_t> class_losses(const Columns& columns, const std::int32_t* labels, std::int32_t n_classes) {
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(n_classes));
    for (std::int32_t row = 0; row < columns.n_rows(); ++row) {
        if (labels[row] >= n_classes) throw std::invalid_argument("a label is outside -1..n_classes-1");
        if (labels[row] >= 0) members[static_cast<std::size_t>(labels[row])].push_back(row);
    }
    const std::vector<std::int32_t> values = row_by_row(columns);
    std::vector<std::int32_t> losses;
    ClassBox box(columns);
    for (const auto& rows : members) {
        box.clear();
        for (const std::int32_t row : rows) box.absorb(values.data() + static_cast<std::size_t>(row) * columns.size());
        losses.push_back(box.loss());
    }
    return losses;
}

}  // namespace celosia
