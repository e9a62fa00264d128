#include "ladders.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "refining.hpp"

namespace celosia {

Ladders::Ladders(std::int64_t n_rows) : n_rows_(static_cast<std::int32_t>(n_rows)) {
    // Costs of up to 2^36 per row must add up in 64 bits.
    if (n_rows < 0 || n_rows >= std::int64_t{1} << 26)
        throw std::invalid_argument("n_rows is " + std::to_string(n_rows) + "; it must lie in 0..2^26-1");
}

void Ladders::add(const std::int32_t* codes, std::size_t n, const std::int32_t* groups, const std::int64_t* costs,
                  const std::int64_t* lost, std::size_t n_levels, std::size_t n_codes) {
    if (n != static_cast<std::size_t>(n_rows_))
        throw std::invalid_argument("codes has " + std::to_string(n) + " entries; there are " +
                                    std::to_string(n_rows_) + " rows");
    if (n_levels == 0 || n_codes == 0) throw std::invalid_argument("a column needs at least one level and one code");
    Ladder column;
    column.codes.assign(codes, codes + n);
    for (const std::int32_t code : column.codes) {
        if (code < 0 || static_cast<std::size_t>(code) >= n_codes)
            throw std::invalid_argument("a code is not in 0.." + std::to_string(n_codes) + "-1");
    }
    column.n_codes = n_codes;
    column.n_levels = n_levels;
    column.groups.assign(groups, groups + n_levels * n_codes);
    column.costs.assign(costs, costs + n_levels * n_codes);
    column.lost.assign(lost, lost + n_codes);
    for (std::size_t level = 0; level < n_levels; ++level) {
        const std::int32_t* own = column.groups_at(level);
        const auto [least, most] = std::minmax_element(own, own + n_codes);
        if (*least < 0 || static_cast<std::size_t>(*most) >= n_codes)
            throw std::invalid_argument("groups are not numbered within 0..number of codes - 1");
        column.n_groups.push_back(*most + 1);
    }
    columns_.push_back(std::move(column));
}

void Partition::become_one(const std::vector<std::int32_t>& weights) {
    order.resize(weights.size());
    std::iota(order.begin(), order.end(), 0);
    starts.assign({0, static_cast<std::int32_t>(weights.size())});
    sizes.assign(1, std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
}

namespace {

// The rows of each tuple, by all columns' codes.
Partition equal_rows(const Ladders& ladders) {
    const std::vector<std::int32_t> one_each(static_cast<std::size_t>(ladders.n_rows()), 1);
    Refiner refiner(one_each);
    Partition now, next;
    now.become_one(one_each);
    for (const Ladder& column : ladders.columns()) {
        std::vector<std::int32_t> itself(column.n_codes);
        std::iota(itself.begin(), itself.end(), 0);
        refiner.refine(now, next, column.codes.data(), itself.data(), column.n_codes, 0,
                       [](const std::int32_t*, const std::int32_t*) { return true; });
        std::swap(now, next);
    }
    return now;
}

Counted counted_of(const Demand& demand, const Partition& tuples) {
    Counted found;
    found.n_codes = demand.n_codes();
    std::vector<std::int32_t> own;
    for (std::size_t tuple = 0; tuple < tuples.n_classes(); ++tuple) {
        found.starts.push_back(found.codes.size());
        own.clear();
        for (auto i = tuples.starts[tuple]; i < tuples.starts[tuple + 1]; ++i) {
            const std::int32_t code = demand.code_of(tuples.order[static_cast<std::size_t>(i)]);
            if (code >= 0) own.push_back(code);
        }
        std::sort(own.begin(), own.end());
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i > 0 && own[i] == own[i - 1]) {
                ++found.counts.back();
            } else {
                found.codes.push_back(own[i]);
                found.counts.push_back(1);
            }
        }
    }
    found.starts.push_back(found.codes.size());
    return found;
}

}  // namespace

Tuples::Tuples(const Ladders& ladders, const std::vector<const Demand*>& demands) : n_rows(ladders.n_rows()) {
    const Partition equal = equal_rows(ladders);
    tuple_of.assign(static_cast<std::size_t>(n_rows), -1);
    codes.resize(ladders.columns().size());
    for (std::size_t tuple = 0; tuple < equal.n_classes(); ++tuple) {
        const auto first = static_cast<std::size_t>(equal.starts[tuple]);
        const auto last = static_cast<std::size_t>(equal.starts[tuple + 1]);
        weights.push_back(static_cast<std::int32_t>(last - first));
        for (std::size_t i = first; i < last; ++i)
            tuple_of[static_cast<std::size_t>(equal.order[i])] = static_cast<std::int32_t>(tuple);
        const auto sample = static_cast<std::size_t>(equal.order[first]);
        for (std::size_t j = 0; j < codes.size(); ++j) codes[j].push_back(ladders.columns()[j].codes[sample]);
    }
    for (const Demand* demand : demands) counted.push_back(counted_of(*demand, equal));
}

}  // namespace celosia
