// best[e], the least sum of size * loss over the first e pieces, is the least over all starts s of best[s] + the cost
// of the class s..e-1 (Hansen & Mukherjee, 2003, who cut numbers for microaggregation).
//
// Which starts have to be tried? Let p(e) be the latest start that leaves k people in s..e-1. A start s <= p(p(e)) is
// never needed: s..p(e)-1 and p(e)..e-1 both have k people then, and since a part of a class loses no more than the
// class, the two cost no more than s..e-1 does. With the two the last class is also shorter, so that even ties are
// decided alike. This leaves the starts p(p(e))+1..p(e). Where rows are people, p(e) = e - k, and these are the classes
// of k..2k-1 rows; with subjects, no class in which 2k or more are found is among them: the shortest stretch p(e)..e-1
// has just k of them, so that k others are left before it.
#include "ordered_split.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "permutation.hpp"
#include "pieces.hpp"
#include "subjects.hpp"
#include "team.hpp"
#include "window_losses.hpp"

namespace celosia {

namespace {

constexpr int n_rows_per_thread = 4096;
constexpr std::size_t fewest_ends_of_block = 16;  // fewer would leave vector lanes empty
constexpr std::size_t n_windows_of_block = 1 << 17;
constexpr std::size_t n_windows_of_round = 1 << 20;
constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max();

// p(e) for e = 0..n, or -1 where the first e pieces have too few people. It never falls.
std::vector<std::int32_t> latest_starts(const Pieces& pieces, const Subjects& subjects, std::int32_t k) {
    const auto n = static_cast<std::int32_t>(pieces.size());
    std::vector<std::int32_t> latest(static_cast<std::size_t>(n) + 1);
    std::vector<std::int32_t> n_rows_of(subjects.codes().size(), 0);
    const auto rows_at = [&](std::int32_t piece) -> std::int32_t& {
        const auto row = static_cast<std::size_t>(pieces.rows()[static_cast<std::size_t>(piece)]);
        return n_rows_of[static_cast<std::size_t>(subjects.codes()[row])];
    };
    for (std::int32_t end = 0, start = 0, n_people = 0; end <= n; ++end) {
        auto& own = latest[static_cast<std::size_t>(end)];
        if (!subjects.given()) {
            own = std::max(end - k, -1);
            continue;
        }
        if (end > 0) n_people += rows_at(end - 1)++ == 0;
        // A start moves on if its subject comes again, or if somebody can be spared.
        while (n_people > k || (n_people == k && rows_at(start) > 1)) n_people -= --rows_at(start++) == 0;
        own = n_people == k ? start : -1;
    }
    return latest;
}

// Walks along the order, round by round: the losses of all classes that may end in a stretch of places are measured by
// all threads, then the best of them are kept one after another. Starts, ends and sizes count pieces.
class Program {
   public:
    Program(const OrderedSplitTask& task, const Subjects& subjects)
        : task_(task),
          pieces_(task.columns, task.order, subjects, task.k),
          n_(pieces_.size()),
          latest_(latest_starts(pieces_, subjects, task.k)),
          best_(n_ + 1, impossible),
          start_of_(n_ + 1, 0) {
        best_[0] = 0;
    }

    void run() {
        Team team(std::min(count_threads(task_.n_threads), static_cast<int>(n_ / n_rows_per_thread) + 1));
        const WindowLosses windows(task_.columns, pieces_.rows(), team, task_.pulse);
        std::size_t end = 1;
        while (end <= n_ && latest_[end] < 0) ++end;
        task_.pulse.advance(pieces_.place(end - 1));
        while (end <= n_) {
            const std::size_t next = plan_round(end);
            team.run(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t first, std::int64_t last) {
                for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
                    windows.measure(blocks_[i], losses_.data() + offsets_[i], task_.pulse);
            });
            task_.pulse.check();
            for (std::size_t i = 0; i < blocks_.size(); ++i) keep_best(blocks_[i], losses_.data() + offsets_[i]);
            task_.pulse.advance(pieces_.n_rows(end - 1, next - 1));
            end = next;
        }
    }

    std::vector<std::int32_t> labels() const {
        std::vector<std::size_t> ends;
        for (std::size_t end = n_; end > 0; end = static_cast<std::size_t>(start_of_[end])) ends.push_back(end);
        std::vector<std::int32_t> labels(static_cast<std::size_t>(pieces_.place(n_)));
        std::int32_t place = 0;
        for (std::size_t label = 0; label < ends.size(); ++label) {
            for (; place < pieces_.place(ends[ends.size() - 1 - label]); ++place)
                labels[static_cast<std::size_t>(task_.order[place])] = static_cast<std::int32_t>(label);
        }
        return labels;
    }

   private:
    std::size_t shortest(std::size_t end) const { return end - static_cast<std::size_t>(latest_[end]); }
    std::size_t longest(std::size_t end) const {
        return end - static_cast<std::size_t>(latest_[static_cast<std::size_t>(latest_[end])] + 1);
    }

    // As many ends as fit a block; with subjects the lengths of their windows may differ a lot.
    WindowBlock plan_block(std::size_t end) const {
        WindowBlock block{end, 1, shortest(end), longest(end)};
        for (++end; end <= n_ && block.n_ends < most_ends_of_block; ++end) {
            const WindowBlock wider{block.first_end, block.n_ends + 1, std::min(block.shortest, shortest(end)),
                                    std::max(block.longest, longest(end))};
            if (wider.n_ends > fewest_ends_of_block && wider.n_windows() > n_windows_of_block) break;
            block = wider;
        }
        return block;
    }

    // Gives the first end after the round.
    std::size_t plan_round(std::size_t end) {
        blocks_.clear();
        offsets_.clear();
        std::size_t n_windows = 0;
        while (end <= n_ && n_windows < n_windows_of_round) {
            blocks_.push_back(plan_block(end));
            offsets_.push_back(n_windows);
            n_windows += blocks_.back().n_windows();
            end += blocks_.back().n_ends;
        }
        if (losses_.size() < n_windows) losses_.resize(n_windows);
        return end;
    }

    void keep_best(const WindowBlock& block, const std::int32_t* losses) {
        for (std::size_t end = block.first_end; end < block.first_end + block.n_ends; ++end) {
            std::int64_t best = impossible;
            std::size_t best_size = 0;
            for (std::size_t size = shortest(end); size <= longest(end); ++size) {
                const std::int64_t before = best_[end - size];
                if (before == impossible) continue;
                const std::int64_t n_rows = pieces_.n_rows(end - size, end);
                const std::int64_t total = before + n_rows * losses[block.at(end, size)];
                if (total < best) {
                    best = total;
                    best_size = size;
                }
            }
            best_[end] = best;
            start_of_[end] = static_cast<std::int32_t>(end - best_size);
        }
    }

    const OrderedSplitTask& task_;
    const Pieces pieces_;
    const std::size_t n_;  // pieces
    const std::vector<std::int32_t> latest_;
    std::vector<std::int64_t> best_;
    std::vector<std::int32_t> start_of_;
    std::vector<WindowBlock> blocks_;
    std::vector<std::size_t> offsets_;
    std::vector<std::int32_t> losses_;
};

}  // namespace

std::vector<std::int32_t> split_order(const OrderedSplitTask& task) {
    const std::int32_t n = task.columns.n_rows();
    check_permutation(task.order, n);
    const Subjects subjects(task.subjects, n);
    subjects.check(task.k);
    task.pulse.begin(n);
    Program program(task, subjects);
    program.run();
    return program.labels();
}

}  // namespace celosia
