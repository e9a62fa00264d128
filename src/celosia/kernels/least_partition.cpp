#include "least_partition.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "class_box.hpp"

namespace celosia {

namespace {

// What a class costs above the prices of its rows.
struct PricedClass {
    std::uint32_t rows;
    double excess;
};

// The classes that a partition cheaper than the given one can have, by their first row.
std::vector<std::vector<PricedClass>> promising_classes(const PartitionTask& task, double gap) {
    const auto n = static_cast<std::uint32_t>(task.columns.n_rows());
    const auto least = static_cast<std::uint32_t>(task.k);
    std::vector<std::vector<PricedClass>> found(n);
    ClassBox box(task.columns);
    for (std::uint32_t rows = 1; rows < (1U << n); ++rows) {
        const auto size = static_cast<std::uint32_t>(std::popcount(rows));
        const bool is_alone = size == 1 && task.may_suppress;
        if ((rows & 0xffff) == 0) task.pulse.check();
        if (!is_alone && (size < least || size >= 2 * least)) continue;
        box.clear();
        double prices = 0;
        for (std::uint32_t left = rows; left != 0; left &= left - 1) {
            const auto row = static_cast<std::size_t>(std::countr_zero(left));
            prices += task.prices[row];
            for (std::size_t c = 0; c < task.columns.size(); ++c) box.absorb(c, task.columns[c].values[row]);
        }
        const double excess = (is_alone ? double{greatest_loss} : static_cast<double>(size) * box.loss()) - prices;
        if (excess < gap) found[static_cast<std::size_t>(std::countr_zero(rows))].push_back({rows, excess});
    }
    return found;
}

}  // namespace

std::optional<double> least_partition(const PartitionTask& task) {
    const std::int32_t n = task.columns.n_rows();
    if (n < 1 || n > most_rows_to_partition) throw std::invalid_argument("the rows must be 1 to 20");
    double priced = 0;
    for (std::int32_t row = 0; row < n; ++row) priced += task.prices[row];
    const double gap = task.cost - priced;
    const auto classes = promising_classes(task, gap);
    const std::uint32_t all = (1U << n) - 1;
    std::vector<double> least(std::size_t{all} + 1, std::numeric_limits<double>::infinity());
    least[0] = 0;
    std::int64_t n_steps = 0;
    for (std::uint32_t taken = 0; taken < all; ++taken) {
        if (!(least[taken] < gap)) continue;
        const auto& next = classes[static_cast<std::size_t>(std::countr_one(taken))];
        n_steps += static_cast<std::int64_t>(next.size());
        if (n_steps > task.n_steps) return std::nullopt;
        if ((taken & 0xfff) == 0) task.pulse.check();
        for (const PricedClass& one : next) {
            if ((one.rows & taken) != 0) continue;
            double& there = least[taken | one.rows];
            there = std::min(there, least[taken] + one.excess);
        }
    }
    return std::min(task.cost, priced + least[all]);
}

}  // namespace celosia
