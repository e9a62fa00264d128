// Classes as runs of an order of tuples, cut finer column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

struct Partition {
    std::vector<std::int32_t> order;   // tuples, class after class
    std::vector<std::int32_t> starts;  // of each class, and the end
    std::vector<std::int64_t> sizes;   // rows of each class

    std::size_t n_classes() const { return sizes.size(); }
    void become_one(const std::vector<std::int32_t>& weights);
};

class Refiner {
   public:
    explicit Refiner(const std::vector<std::int32_t>& weights) : weights_(weights), group_of_(weights.size()) {}

    // Cuts every class by the groups of its tuples' codes. Classes of fewer rows than `least` are handed to
    // lost(first tuple, last tuple + 1) instead of being kept; where that returns false, nothing more is done.
    template <class Lost>
    bool refine(const Partition& from, Partition& to, const std::int32_t* codes, const std::int32_t* groups,
                std::size_t n_groups, std::int64_t least, const Lost& lost);

   private:
    const std::vector<std::int32_t>& weights_;
    std::vector<std::int32_t> group_of_, n_tuples_, begins_, touched_;
    std::vector<std::int64_t> n_rows_;
};

template <class Lost>
bool Refiner::refine(const Partition& from, Partition& to, const std::int32_t* codes, const std::int32_t* groups,
                     std::size_t n_groups, std::int64_t least, const Lost& lost) {
    n_tuples_.resize(std::max(n_tuples_.size(), n_groups), 0);
    n_rows_.resize(std::max(n_rows_.size(), n_groups), 0);
    begins_.resize(std::max(begins_.size(), n_groups), 0);
    to.order.resize(from.order.size());
    to.starts.clear();
    to.sizes.clear();
    std::int32_t end = 0;
    bool goes_on = true;
    for (std::size_t one = 0; one < from.n_classes() && goes_on; ++one) {
        const auto first = static_cast<std::size_t>(from.starts[one]);
        const auto last = static_cast<std::size_t>(from.starts[one + 1]);
        touched_.clear();
        for (std::size_t i = first; i < last; ++i) {
            const auto tuple = static_cast<std::size_t>(from.order[i]);
            const auto group = static_cast<std::size_t>(groups[codes[tuple]]);
            group_of_[i] = static_cast<std::int32_t>(group);
            if (n_tuples_[group]++ == 0) touched_.push_back(static_cast<std::int32_t>(group));
            n_rows_[group] += weights_[tuple];
        }
        // Kept classes stand in front, those that are lost behind them, where the next class overwrites them.
        std::int32_t behind = end;
        for (const std::int32_t group : touched_) {
            const auto g = static_cast<std::size_t>(group);
            if (n_rows_[g] < least) continue;
            to.starts.push_back(behind);
            to.sizes.push_back(n_rows_[g]);
            begins_[g] = behind;
            behind += n_tuples_[g];
        }
        end = behind;
        for (const std::int32_t group : touched_) {
            const auto g = static_cast<std::size_t>(group);
            if (n_rows_[g] < least) {
                begins_[g] = behind;
                behind += n_tuples_[g];
            }
        }
        for (std::size_t i = first; i < last; ++i)
            to.order[static_cast<std::size_t>(begins_[static_cast<std::size_t>(group_of_[i])]++)] = from.order[i];
        for (const std::int32_t group : touched_) {
            n_tuples_[static_cast<std::size_t>(group)] = 0;
            n_rows_[static_cast<std::size_t>(group)] = 0;
        }
        if (behind > end) goes_on = lost(to.order.data() + end, to.order.data() + behind);
    }
    to.starts.push_back(end);
    to.order.resize(static_cast<std::size_t>(end));
    return goes_on;
}

}  // namespace celosia
