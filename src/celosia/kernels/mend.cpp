#include "mend.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "renumbering.hpp"
#include "repairs.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::int32_t none = -1;
// Fewer are found before another thread has started.
constexpr std::size_t n_repairs_worth_sharing = 64;

class Mender {
   public:
    explicit Mender(const MendTask& task) : task_(task) {
        groups_.labels.assign(task.labels, task.labels + task.columns.n_rows());
        groups_.n_spare = task.n_spare;
        const auto highest = *std::max_element(groups_.labels.begin(), groups_.labels.end());
        groups_.rows.resize(static_cast<std::size_t>(highest) + 1);
        for (std::size_t row = 0; row < groups_.labels.size(); ++row)
            groups_.rows[static_cast<std::size_t>(groups_.labels[row])].push_back(static_cast<std::int32_t>(row));
        n_left_ = static_cast<std::size_t>(std::count_if(groups_.rows.begin(), groups_.rows.end(),
                                                         [](const auto& rows) { return !rows.empty(); }));
        round_of_.assign(groups_.rows.size(), 0);
    }

    std::vector<std::int32_t> run() {
        std::vector<std::size_t> broken = broken_at_first();
        if (broken.empty()) return std::move(groups_.labels);
        Workers<RepairFinder> finders(n_useful_threads(broken.size()), [this] {
            return std::make_unique<RepairFinder>(task_.columns, task_.demands, groups_, task_.merges_only);
        });
        while (!broken.empty() && n_left_ > 1) {
            mend_round(broken, finders);
            broken.insert(broken.end(), touched_.begin(), touched_.end());
            std::sort(broken.begin(), broken.end());
            broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
            std::erase_if(broken, [&](std::size_t x) { return groups_.rows[x].empty() || finders.first().is_sound(x); });
        }
        return std::move(groups_.labels);
    }

   private:
    std::vector<std::size_t> broken_at_first() const {
        Judge judge(task_.demands);
        std::vector<std::size_t> found;
        for (std::size_t x = 0; x < groups_.rows.size(); ++x) {
            if (!groups_.rows[x].empty() && !judge.accepts(groups_.rows[x])) found.push_back(x);
        }
        return found;
    }

    int n_useful_threads(std::size_t n_broken) const {
        const auto n_useful = static_cast<int>(std::min(n_broken / n_repairs_worth_sharing, std::size_t{64})) + 1;
        return std::min(count_threads(task_.n_threads), n_useful);
    }

    // Repairs are found for all broken classes and then done, the cheapest first, each class taking part in one.
    void mend_round(const std::vector<std::size_t>& broken, Workers<RepairFinder>& finders) {
        ++n_rounds_;
        groups_.is_broken.assign(groups_.rows.size(), 0);
        for (const std::size_t x : broken) groups_.is_broken[x] = 1;
        touched_.clear();
        repairs_.assign(broken.size(), {});
        finders.run(broken.size(), [&](RepairFinder& finder, std::size_t i) {
            task_.pulse.check();
            repairs_[i] = finder.find(broken[i]);
        });
        std::stable_sort(repairs_.begin(), repairs_.end(),
                         [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
        for (const Repair& repair : repairs_) apply(repair, finders.first());
    }

    // Does nothing if the class has changed since, or the other one has and the repair is not worth it any more.
    void apply(const Repair& found, RepairFinder& finder) {
        const std::size_t x = found.broken, y = found.other;
        if (found.way == Repair::Way::none || round_of_[x] == n_rounds_) return;
        if (found.way == Repair::Way::suppress) {
            suppress(x);
            return;
        }
        auto &rows = groups_.rows[x], &rows_of_other = groups_.rows[y];
        if (rows_of_other.empty()) return;
        const Repair repair = round_of_[y] == n_rounds_ ? finder.renewed(found) : found;
        if (repair.way == Repair::Way::none) return;
        round_of_[x] = round_of_[y] = n_rounds_;
        touched_.push_back(y);
        if (repair.way == Repair::Way::merge) {
            for (const std::int32_t row : rows) give(row, y);
            std::vector<std::int32_t>().swap(rows);
            --n_left_;
            return;
        }
        std::erase(rows_of_other, repair.row);
        give(repair.row, x);
        if (repair.way == Repair::Way::move) return;
        std::erase(rows, repair.in_return);
        give(repair.in_return, y);
    }

    void give(std::int32_t row, std::size_t x) {
        groups_.rows[x].push_back(row);
        groups_.labels[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(x);
    }

    void suppress(std::size_t x) {
        const auto n = static_cast<std::int64_t>(groups_.rows[x].size());
        if (n > groups_.n_spare || n_left_ == 1) return;
        round_of_[x] = n_rounds_;
        groups_.n_spare -= n;
        for (const std::int32_t row : groups_.rows[x]) groups_.labels[static_cast<std::size_t>(row)] = none;
        groups_.rows[x].clear();
        --n_left_;
    }

    const MendTask& task_;
    Groups groups_;
    std::vector<Repair> repairs_;
    std::vector<std::int64_t> round_of_;
    std::vector<std::size_t> touched_;
    std::size_t n_left_ = 0;
    std::int64_t n_rounds_ = 0;
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
