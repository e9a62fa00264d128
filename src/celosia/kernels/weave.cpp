#include "weave.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "grouping.hpp"
#include "patch.hpp"
#include "random.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_most_classes_in_patch = 256, n_least_classes_in_patch = 16;
// Of all classes, how many patches there are at least. With hierarchies classes lie within one another, and it matters
// more that they meet.
constexpr std::size_t n_fewest_patches = 4, n_fewest_patches_with_trees = 2;
// A pass over fewer rows is over before another thread has started.
constexpr int n_rows_per_thread = 2000;
// Passes without heat come first, so that a search that is stopped early has the quick gains.
constexpr double share_without_heat = 0.12, share_of_cooling = 0.95;

Partition partition_of(const std::int32_t* labels, std::size_t n) {
    if (n == 0) return {};
    if (*std::min_element(labels, labels + n) < 0) throw std::invalid_argument("a label is negative");
    const auto n_classes = static_cast<std::size_t>(*std::max_element(labels, labels + n)) + 1;
    if (n_classes > n) throw std::invalid_argument("a label is above the number of rows");
    std::vector<std::size_t> next(n_classes + 1, 0);
    for (std::size_t row = 0; row < n; ++row) ++next[static_cast<std::size_t>(labels[row]) + 1];
    if (std::find(next.begin() + 1, next.end(), 0) != next.end()) throw std::invalid_argument("a class has no rows");
    std::partial_sum(next.begin(), next.end(), next.begin());
    Partition result;
    result.ends.assign(next.begin() + 1, next.end());
    result.rows.resize(n);
    for (std::size_t row = 0; row < n; ++row)
        result.rows[next[static_cast<std::size_t>(labels[row])]++] = static_cast<std::int32_t>(row);
    return result;
}

std::vector<std::int32_t> labels_of(const Partition& classes) {
    std::vector<std::int32_t> labels(classes.rows.size());
    for (std::size_t x = 0; x < classes.n_classes(); ++x) {
        for (std::size_t i = classes.begin(x); i < classes.ends[x]; ++i)
            labels[static_cast<std::size_t>(classes.rows[i])] = static_cast<std::int32_t>(x);
    }
    return labels;
}

class Weaver {
   public:
    explicit Weaver(const WeaveTask& task)
        : task_(task),
          start_(Clock::now()),
          workers_(std::min(count_threads(task.n_threads), task.columns.n_rows() / n_rows_per_thread + 1),
                   [&task] { return std::make_unique<Patch>(task.columns, task.demands); }),
          classes_(partition_of(task.labels, static_cast<std::size_t>(task.columns.n_rows()))),
          best_(classes_) {
        const std::size_t wanted =
            classes_.n_classes() / (has_trees(task.columns) ? n_fewest_patches_with_trees : n_fewest_patches);
        patch_size_ = std::clamp(wanted, n_least_classes_in_patch, n_most_classes_in_patch);
    }

    Woven run() {
        task_.pulse.restart(1000);
        least_ = pass(0, -1.0);
        note(task_.n_passes == 0 ? 1.0 : 0.0);
        for (std::int64_t number = 1; number <= task_.n_passes && !is_over() && least_ > 0; ++number) {
            const std::int64_t loss = pass(static_cast<std::uint64_t>(number), heat());
            ++n_done_;
            if (loss < least_) {
                least_ = loss;
                best_ = classes_;
            }
            note(progress());
        }
        result_.labels = labels_of(best_);
        return std::move(result_);
    }

   private:
    using Clock = std::chrono::steady_clock;

    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool is_over() const { return task_.pulse.stopped() || elapsed() >= task_.seconds; }
    // From 0 to 1; the passes alone decide where there is no limit of time.
    double progress() const {
        const double passes = static_cast<double>(n_done_) / static_cast<double>(task_.n_passes);
        return std::min(1.0, std::max(passes, elapsed() / task_.seconds));
    }
    double mean_loss() const {
        return static_cast<double>(least_) / static_cast<double>(task_.columns.n_rows()) / greatest_loss;
    }
    void note(double progress) {
        result_.seconds.push_back(elapsed());
        result_.loss.push_back(mean_loss());
        task_.pulse.found(mean_loss());
        task_.pulse.reach(static_cast<std::int64_t>(progress * static_cast<double>(task_.pulse.total())));
    }

    // By how much a trial may raise the cost, in the mean: at first about a tenth of a class's cost (more for small
    // classes, less where most is lost anyway), then less and less.
    double heat() const {
        const double left = (share_of_cooling - progress()) / (share_of_cooling - share_without_heat);
        if (left <= 0.0 || left > 1.0) return 0.0;
        const double k = task_.demands.n_least_rows(), kept = 1.0 - mean_loss();
        return left * (0.1 + 0.4 / k) * kept * kept * k * mean_loss() * greatest_loss;
    }

    // Returns the cost of all classes afterwards. With negative heat it is only measured.
    std::int64_t pass(std::uint64_t number, double heat) {
        Random random(Random(task_.seed + number).next());
        const Grouping groups(task_.columns, classes_, patch_size_, Random(random.next()));
        sort_classes(groups.order());
        const std::uint64_t salt = random.next();
        const std::size_t n_groups = groups.ends().size();
        std::vector<std::vector<std::size_t>> ends(n_groups);
        std::vector<std::int64_t> costs(n_groups);
        workers_.run(n_groups, [&](Patch& patch, std::size_t group) {
            const std::size_t first = group == 0 ? 0 : groups.ends()[group - 1];
            load(patch, first, groups.ends()[group]);
            Random own(Random(salt + group).next());
            if (heat >= 0.0) patch.search(heat, own, [this] { return is_over(); });
            costs[group] = store(patch.classes(), classes_.begin(first), ends[group]);
        });
        classes_.ends.clear();
        for (const auto& own : ends) classes_.ends.insert(classes_.ends.end(), own.begin(), own.end());
        return std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
    }

    void sort_classes(const std::vector<std::size_t>& order) {
        Partition sorted;
        sorted.rows.reserve(classes_.rows.size());
        sorted.ends.reserve(order.size());
        for (const std::size_t x : order) {
            const auto first = classes_.rows.begin();
            sorted.rows.insert(sorted.rows.end(), first + static_cast<std::ptrdiff_t>(classes_.begin(x)),
                               first + static_cast<std::ptrdiff_t>(classes_.ends[x]));
            sorted.ends.push_back(sorted.rows.size());
        }
        classes_ = std::move(sorted);
    }

    void load(Patch& patch, std::size_t first, std::size_t last) const {
        const std::size_t begin = classes_.begin(first);
        std::vector<std::size_t> ends;
        for (std::size_t x = first; x < last; ++x) ends.push_back(classes_.ends[x] - begin);
        patch.load(classes_.rows.data() + begin, ends);
    }

    // A group's rows stay in their place among all rows, whatever its classes have become.
    std::int64_t store(const ClassSet& found, std::size_t begin, std::vector<std::size_t>& ends) {
        std::int64_t cost = 0;
        for (std::size_t x = 0; x < found.n_classes(); ++x) {
            std::copy_n(found.rows(x), found.size(x), classes_.rows.begin() + static_cast<std::ptrdiff_t>(begin));
            begin += found.size(x);
            ends.push_back(begin);
            cost += found.cost(x);
        }
        return cost;
    }

    const WeaveTask& task_;
    const Clock::time_point start_;
    Workers<Patch> workers_;
    Partition classes_, best_;
    std::size_t patch_size_;
    std::int64_t least_ = 0, n_done_ = 0;
    Woven result_;
};

}  // namespace

Woven weave(const WeaveTask& task) {
    if (task.columns.n_rows() != task.demands.n_rows())
        throw std::invalid_argument("the demands are about " + std::to_string(task.demands.n_rows()) +
                                    " rows; the table has " + std::to_string(task.columns.n_rows()));
    if (task.n_passes < 0) throw std::invalid_argument("passes is negative");
    if (!(task.seconds >= 0.0)) throw std::invalid_argument("seconds is negative");
    if (task.columns.n_rows() == 0) return {};
    return Weaver(task).run();
}

}  // namespace celosia
