#include "exact_cover.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace celosia {

namespace {

constexpr std::int64_t looks_between_checks = 1 << 16;

struct Part {
    std::int32_t kind, n_rows;
};

class Chooser {
   public:
    explicit Chooser(const CoverTask& task)
        : task_(task), left_(task.n_of_kind, task.n_of_kind + task.n_kinds), bar_(task.bar) {
        starts_.push_back(0);
        for (std::size_t set = 0; set < task.n_sets; ++set) add(set);
        for (const std::int32_t n : left_) n_left_ += n;
    }

    Cover choose() {
        std::vector<std::int32_t> all;
        for (std::int32_t set = 0; static_cast<std::size_t>(set) < task_.n_sets; ++set) {
            if (fits(set) && !(is_spare(set) && task_.n_spare == 0)) all.push_back(set);
        }
        std::stable_sort(all.begin(), all.end(), [&](auto one, auto other) { return cost(one) < cost(other); });
        task_.pulse.begin(0);
        cover(all, 0, 0);
        return std::move(found_);
    }

   private:
    void add(std::size_t set) {
        for (std::int64_t at = task_.starts[set]; at < task_.starts[set + 1]; ++at) {
            const std::int32_t kind = task_.kinds[at];
            if (kind < 0 || static_cast<std::size_t>(kind) >= task_.n_kinds)
                throw std::invalid_argument("a kind is outside 0..n_kinds-1");
            if (std::ssize(parts_) > starts_.back() && parts_.back().kind == kind)
                ++parts_.back().n_rows;
            else
                parts_.push_back({kind, 1});
        }
        starts_.push_back(std::ssize(parts_));
        if (task_.costs[set] < 0) throw std::invalid_argument("a cost is below 0");
    }

    // Completes a choice by sets of the list, which are all that fit, in ascending order of cost.
    void cover(const std::vector<std::int32_t>& list, std::int64_t spent, std::int64_t n_lost) {
        if (n_left_ == 0) {
            const std::int64_t total = spent + task_.unused * (task_.n_spare - n_lost);
            if (total >= bar_) return;
            bar_ = total;
            found_.sets = chosen_;
            return;
        }
        const std::int32_t scarcest = scarcest_kind(list, spent);
        if (scarcest < 0) return;
        std::vector<std::int32_t> fitting;
        for (std::size_t i = 0; i < list.size() && found_.is_complete; ++i) {
            const std::int32_t set = list[i];
            if (spent + cost(set) >= bar_) break;
            if (!holds(set, scarcest)) continue;
            take(set, -1);
            const std::int64_t n_now_lost = n_lost + (is_spare(set) ? 1 : 0);
            fitting.clear();
            look(std::ssize(list));
            for (std::size_t j = 0; j < list.size(); ++j) {
                const std::int32_t other = list[j];
                if (spent + cost(set) + cost(other) >= bar_) break;
                // What was chosen with an earlier set that holds the kind has been looked at with that set.
                const bool is_done = j < i && holds(other, scarcest);
                const bool is_too_many = is_spare(other) && n_now_lost >= task_.n_spare;
                if (!is_done && !is_too_many && fits(other)) fitting.push_back(other);
            }
            chosen_.push_back(set);
            cover(fitting, spent + cost(set), n_now_lost);
            chosen_.pop_back();
            take(set, +1);
        }
    }

    // The kind left over that fewest sets hold; negative if the list cannot complete the choice below the bar.
    std::int32_t scarcest_kind(const std::vector<std::int32_t>& list, std::int64_t spent) {
        n_sets_.assign(task_.n_kinds, 0);
        least_share_.assign(task_.n_kinds, std::numeric_limits<std::int64_t>::max());
        auto n_seen = static_cast<std::int64_t>(task_.n_kinds);
        for (const std::int32_t set : list) {
            n_seen += std::ssize(parts(set));
            const std::int64_t share = cost(set) / n_rows(set);
            for (const Part& part : parts(set)) {
                const auto kind = static_cast<std::size_t>(part.kind);
                ++n_sets_[kind];
                least_share_[kind] = std::min(least_share_[kind], share);
            }
        }
        look(n_seen);
        std::int32_t scarcest = -1;
        for (std::size_t kind = 0; kind < task_.n_kinds; ++kind) {
            if (left_[kind] == 0) continue;
            if (n_sets_[kind] == 0) return -1;
            spent += left_[kind] * least_share_[kind];
            if (scarcest < 0 || n_sets_[kind] < n_sets_[static_cast<std::size_t>(scarcest)])
                scarcest = static_cast<std::int32_t>(kind);
        }
        return spent < bar_ ? scarcest : -1;
    }

    std::span<const Part> parts(std::int32_t set) const {
        const auto at = static_cast<std::size_t>(set);
        return {parts_.data() + starts_[at], parts_.data() + starts_[at + 1]};
    }
    std::int64_t cost(std::int32_t set) const { return task_.costs[set]; }
    std::int64_t n_rows(std::int32_t set) const { return task_.starts[set + 1] - task_.starts[set]; }
    bool is_spare(std::int32_t set) const { return static_cast<std::size_t>(set) >= task_.first_spare; }

    bool holds(std::int32_t set, std::int32_t kind) const {
        return std::ranges::any_of(parts(set), [kind](const Part& part) { return part.kind == kind; });
    }
    bool fits(std::int32_t set) const {
        return std::ranges::all_of(
            parts(set), [&](const Part& part) { return left_[static_cast<std::size_t>(part.kind)] >= part.n_rows; });
    }
    void take(std::int32_t set, std::int32_t sign) {
        for (const Part& part : parts(set)) left_[static_cast<std::size_t>(part.kind)] += sign * part.n_rows;
        n_left_ += sign * n_rows(set);
    }

    void look(std::int64_t n) {
        found_.n_looks += n;
        if (found_.n_looks > task_.n_most_looks) found_.is_complete = false;
        if (found_.n_looks < next_check_) return;
        next_check_ = found_.n_looks + looks_between_checks;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
        if (task_.pulse.stopped() || passed.count() > task_.seconds) found_.is_complete = false;
    }

    const CoverTask& task_;
    std::vector<Part> parts_;
    std::vector<std::int64_t> starts_;
    std::vector<std::int32_t> left_, chosen_;
    std::vector<std::int64_t> n_sets_, least_share_;
    std::int64_t n_left_ = 0, bar_, next_check_ = looks_between_checks;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    Cover found_;
};

}  // namespace

Cover exact_cover(const CoverTask& task) { return Chooser(task).choose(); }

}  // namespace celosia
