#include "graph_holdings.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace celosia {

namespace {

void check_numbers(const std::int32_t* numbers, std::size_t n, std::size_t n_possible, const char* what) {
    if (numbers == nullptr) return;
    for (std::size_t i = 0; i < n; ++i) {
        if (numbers[i] < 0 || static_cast<std::size_t>(numbers[i]) >= n_possible) throw std::invalid_argument(what);
    }
}

}  // namespace

Holdings::Holdings(const Given& given) : given_(given) {
    const auto n_held = static_cast<std::size_t>(given.starts[given.n_rows]);
    check_numbers(given.items, n_held, given.n_items, "an item is out of range");
    check_numbers(given.slots, given.n_items, given.n_slots, "a slot is out of range");
    check_numbers(given.row_groups, given.n_rows, given.n_groups, "the group of a row is out of range");
    check_numbers(given.slot_groups, given.n_slots, given.n_groups, "the group of a slot is out of range");
    if (given.slots == nullptr && given.n_slots != given.n_items)
        throw std::invalid_argument("without slots, there are as many of them as items");
    if (given.slots != nullptr && !std::is_sorted(given.slots, given.slots + given.n_items))
        throw std::invalid_argument("the slots of items must ascend");
    for (std::size_t row = 0; row < given.n_rows; ++row) {
        const auto own = items(row);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i > 0 && (own[i - 1] >= own[i] || slot(own[i - 1]) == slot(own[i])))
                throw std::invalid_argument("the items of a row must ascend, one per slot");
            if (group_of_slot(static_cast<std::size_t>(slot(own[i]))) != group_of_row(row))
                throw std::invalid_argument("a row holds an item of another group");
        }
    }
    std::int64_t n_left = std::numeric_limits<std::int32_t>::max();  // counts are of 32 bits
    for (std::size_t row = 0; given.weights != nullptr && row < given.n_rows; ++row) {
        if (given.weights[row] < 1 || given.weights[row] > n_left)
            throw std::invalid_argument("weights must be at least 1, and all together below 2^31");
        n_left -= given.weights[row];
    }
    turn_round();
    weigh();
    if (given.absence) order_slots();
}

void Holdings::turn_round() {
    holder_starts_.assign(n_items() + 1, 0);
    const auto n_held = static_cast<std::size_t>(given_.starts[n_rows()]);
    for (std::size_t i = 0; i < n_held; ++i) ++holder_starts_[static_cast<std::size_t>(given_.items[i]) + 1];
    for (std::size_t item = 0; item < n_items(); ++item) holder_starts_[item + 1] += holder_starts_[item];
    holders_.resize(n_held);
    std::vector<std::int64_t> next(holder_starts_.begin(), holder_starts_.end() - 1);
    group_starts_.assign(n_groups() + 1, 0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        ++group_starts_[group_of_row(row) + 1];
        for (const std::int32_t item : items(row))
            holders_[static_cast<std::size_t>(next[static_cast<std::size_t>(item)]++)] = static_cast<std::int32_t>(row);
    }
    for (std::size_t group = 0; group < n_groups(); ++group) group_starts_[group + 1] += group_starts_[group];
    next.assign(group_starts_.begin(), group_starts_.end() - 1);
    group_rows_.resize(n_rows());
    for (std::size_t row = 0; row < n_rows(); ++row)
        group_rows_[static_cast<std::size_t>(next[group_of_row(row)]++)] = static_cast<std::int32_t>(row);
}

void Holdings::weigh() {
    item_weights_.assign(n_items(), 0);
    group_weights_.assign(n_groups(), 0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        group_weights_[group_of_row(row)] += weight(row);
        for (const std::int32_t item : items(row)) item_weights_[static_cast<std::size_t>(item)] += weight(row);
    }
    if (is_plain()) return;
    slot_weights_.assign(n_slots(), 0);
    first_items_.assign(n_slots(), static_cast<std::int32_t>(n_items()));
    for (std::size_t item = n_items(); item-- > 0;) {
        const auto own = static_cast<std::size_t>(given_.slots[item]);
        slot_weights_[own] += item_weights_[item];
        first_items_[own] = static_cast<std::int32_t>(item);
    }
}

void Holdings::order_slots() {
    group_slots_.resize(n_slots());
    std::iota(group_slots_.begin(), group_slots_.end(), 0);
    std::sort(group_slots_.begin(), group_slots_.end(), [this](std::int32_t one, std::int32_t other) {
        const auto x = static_cast<std::size_t>(one), y = static_cast<std::size_t>(other);
        if (group_of_slot(x) != group_of_slot(y)) return group_of_slot(x) < group_of_slot(y);
        return slot_weight(x) != slot_weight(y) ? slot_weight(x) > slot_weight(y) : x < y;
    });
    group_slot_starts_.assign(n_groups() + 1, 0);
    for (std::size_t own = 0; own < n_slots(); ++own) ++group_slot_starts_[group_of_slot(own) + 1];
    for (std::size_t group = 0; group < n_groups(); ++group) group_slot_starts_[group + 1] += group_slot_starts_[group];
}

std::int32_t Holdings::held(std::size_t row, std::size_t slot_wanted) const {
    const auto own = items(row);
    const auto at = std::lower_bound(own.begin(), own.end(), first_item(slot_wanted));
    return at == own.end() || slot(*at) != static_cast<std::int32_t>(slot_wanted) ? -1 : *at;
}

std::vector<std::int32_t> Holdings::rows_without(std::size_t slot_wanted) const {
    std::vector<std::int32_t> with;
    for (auto item = static_cast<std::size_t>(first_item(slot_wanted));
         item < n_items() && slot(static_cast<std::int32_t>(item)) == static_cast<std::int32_t>(slot_wanted); ++item) {
        const auto own = holders(item);
        with.insert(with.end(), own.begin(), own.end());
    }
    std::sort(with.begin(), with.end());
    const auto all = rows_of_group(group_of_slot(slot_wanted));
    std::vector<std::int32_t> without;
    std::set_difference(all.begin(), all.end(), with.begin(), with.end(), std::back_inserter(without));
    return without;
}

}  // namespace celosia
