#include "repairs.hpp"

#include <algorithm>
#include <numeric>

namespace celosia {

namespace {

constexpr std::int32_t none = -1;
// A repair may cost so many times what it did when it was found.
constexpr double tolerance = 2.0;
// A class so many times larger may take in several small ones in one round.
constexpr std::size_t hub_factor = 8;
// So many rows of a class are tried in exchange for one that helps.
constexpr std::size_t n_most_returns = 16;
// Classes are asked whether a broken one may join them, or to give a row, until so many rows have been looked at.
// Where values must stand in proportion, hardly any class will do, and it is worth asking longer.
constexpr std::size_t n_most_rows_asked = 400, n_most_rows_asked_for_proportion = 4000;

std::vector<std::int32_t> all_rows(std::int32_t n) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(n));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

}  // namespace

RepairFinder::RepairFinder(const Columns& columns, const Demands& demands, const Groups& groups,
                           bool merges_only)
    : columns_(columns),
      groups_(groups),
      is_about_proportion_(demands.are_about_proportion()),
      // Where all classes must hold values in proportion, hardly one can give a row away.
      merges_only_(merges_only || is_about_proportion_),
      judge_(demands),
      judge_of_other_(demands),
      box_(columns),
      box_of_both_(columns),
      tree_(columns, all_rows(columns.n_rows())),
      asked_by_(groups.rows.size(), 0),
      answer_(groups.rows.size(), 0) {}

void RepairFinder::absorb(ClassBox& box, std::int32_t row) const {
    for (std::size_t c = 0; c < columns_.size(); ++c)
        box.absorb(c, columns_[c].values[static_cast<std::size_t>(row)]);
}

std::int64_t RepairFinder::cost_of(ClassBox& box, const std::vector<std::int32_t>& rows) const {
    box.clear();
    for (const std::int32_t row : rows) absorb(box, row);
    return static_cast<std::int64_t>(rows.size()) * box.loss();
}

std::int64_t RepairFinder::growth_by(std::int32_t row) const {
    std::int64_t growth = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        growth += box_.growth(c, columns_[c].values[static_cast<std::size_t>(row)]);
    return growth;
}

bool RepairFinder::can_spare(std::size_t y) const {
    return static_cast<std::int32_t>(groups_.rows[y].size()) > judge_.n_least_rows();
}

void RepairFinder::copy_without(const std::vector<std::int32_t>& rows, std::int32_t row) {
    both_.clear();
    for (const std::int32_t own : rows) {
        if (own != row) both_.push_back(own);
    }
}

Repair RepairFinder::find(std::size_t x) {
    const std::int64_t before = cost_of(box_, groups_.rows[x]);
    judge_.accepts(groups_.rows[x]);
    Repair best;
    best.broken = x;
    const auto size = static_cast<std::int64_t>(groups_.rows[x].size());
    if (size <= groups_.n_spare) {
        best.way = Repair::Way::suppress;
        best.cost = size * greatest_loss - before;
    }
    tree_.start_at(groups_.rows[x].front());
    const auto own = static_cast<std::int32_t>(x);
    const RowTree::Filter is_other = [&](std::int32_t row) { return label(row) != own && label(row) != none; };
    const RowTree::Filter helps = [&](std::int32_t row) { return is_other(row) && judge_.helps(row); };
    try_classes(x, before, is_other, helps, best);
    if (!merges_only_) try_row(x, before, helps, best);
    return best;
}

void RepairFinder::try_row(std::size_t x, std::int64_t before, const RowTree::Filter& helps, Repair& best) {
    n_rows_asked_ = 0;
    const RowTree::Filter is_given = [&](std::int32_t row) { return helps(row) && can_give(x, row); };
    // A row that costs more alone than the best repair so far is not worth looking for.
    const std::int64_t limit = best.cost / static_cast<std::int64_t>(groups_.rows[x].size());
    const std::int32_t given =
        tree_.cheapest(box_, &is_given, static_cast<std::int32_t>(std::clamp<std::int64_t>(limit, 0, INT32_MAX)));
    if (given == none) return;
    try_move(x, given, before, best);
    try_exchange(x, given, before, best);
}

void RepairFinder::try_classes(std::size_t x, std::int64_t before, const RowTree::Filter& is_other,
                               const RowTree::Filter& helps, Repair& best) {
    ++n_questions_;
    n_rows_asked_ = 0;
    const RowTree::Filter takes = [&](std::int32_t row) {
        return is_other(row) && mends(x, static_cast<std::size_t>(label(row)));
    };
    const std::int32_t taker = tree_.cheapest(box_, &takes);
    if (taker != none) {
        const std::int64_t cheapest = best.cost;
        try_merge(x, taker, before, 0, best);
        best.is_enough = best.cost < cheapest;
        return;
    }
    // What is still broken after a merger must go at least as far as the nearest row that helps.
    const std::int32_t nearest = tree_.cheapest(box_, &is_other), helper = tree_.cheapest(box_, &helps);
    const std::int64_t still = helper == none ? 0 : growth_by(helper);
    if (nearest != none) try_merge(x, nearest, before, still, best);
    if (helper != none && label(helper) != label(nearest)) try_merge(x, helper, before, still, best);
}

// Whether the two classes together satisfy all demands; no for all once enough have been asked.
bool RepairFinder::mends(std::size_t x, std::size_t y) {
    if (asked_by_[y] == n_questions_) return answer_[y] != 0;
    if (n_rows_asked_ > (is_about_proportion_ ? n_most_rows_asked_for_proportion : n_most_rows_asked)) {
        tree_.give_up();
        return false;
    }
    n_rows_asked_ += groups_.rows[x].size() + groups_.rows[y].size();
    asked_by_[y] = n_questions_;
    both_ = groups_.rows[y];
    both_.insert(both_.end(), groups_.rows[x].begin(), groups_.rows[x].end());
    answer_[y] = judge_of_other_.accepts(both_) ? 1 : 0;
    return answer_[y] != 0;
}

// Whether the row's class would be sound without it, given a row of class x in return if it has none to spare.
bool RepairFinder::can_give(std::size_t x, std::int32_t row) {
    if (n_rows_asked_ > n_most_rows_asked) {
        tree_.give_up();
        return false;
    }
    const auto y = static_cast<std::size_t>(label(row));
    n_rows_asked_ += groups_.rows[y].size();
    copy_without(groups_.rows[y], row);
    if (!can_spare(y)) both_.push_back(groups_.rows[x].front());
    return judge_of_other_.accepts(both_);
}

void RepairFinder::try_merge(std::size_t x, std::int32_t row, std::int64_t before, std::int64_t still, Repair& best) {
    const auto y = static_cast<std::size_t>(label(row));
    const std::int64_t cost_of_other = cost_of(box_of_both_, groups_.rows[y]);
    for (const std::int32_t own : groups_.rows[x]) absorb(box_of_both_, own);
    const auto size = static_cast<std::int64_t>(groups_.rows[x].size() + groups_.rows[y].size());
    const std::int64_t cost = size * (box_of_both_.loss() + still) - before - cost_of_other;
    if (cost < best.cost) best = {Repair::Way::merge, cost, x, y, none, none, false};
}

// A row comes, after which the class is sound.
void RepairFinder::try_move(std::size_t x, std::int32_t row, std::int64_t before, Repair& best) {
    const auto y = static_cast<std::size_t>(label(row));
    if (!can_spare(y)) return;
    both_ = groups_.rows[x];
    both_.push_back(row);
    if (!judge_of_other_.accepts(both_)) return;
    copy_without(groups_.rows[y], row);
    const std::int64_t gain = cost_of(box_of_both_, groups_.rows[y]) - cost_of(box_of_both_, both_);
    const auto size = static_cast<std::int64_t>(groups_.rows[x].size()) + 1;
    const std::int64_t cost = size * (box_.loss() + growth_by(row)) - before - gain;
    if (cost < best.cost) best = {Repair::Way::move, cost, x, y, row, none, false};
}

// A row comes and one of the class goes in return, after which both classes are sound.
void RepairFinder::try_exchange(std::size_t x, std::int32_t row, std::int64_t before, Repair& best) {
    const auto y = static_cast<std::size_t>(label(row));
    before += cost_of(box_of_both_, groups_.rows[y]);
    const std::size_t n_tried = std::min(groups_.rows[x].size(), n_most_returns);
    for (std::size_t i = 0; i < n_tried; ++i) {
        const std::int32_t gone = groups_.rows[x][i];
        copy_without(groups_.rows[x], gone);
        both_.push_back(row);
        const std::int64_t own = cost_of(box_of_both_, both_);
        if (own - before >= best.cost || !judge_of_other_.accepts(both_)) continue;
        copy_without(groups_.rows[y], row);
        both_.push_back(gone);
        const std::int64_t cost = own + cost_of(box_of_both_, both_) - before;
        if (cost < best.cost && judge_of_other_.accepts(both_))
            best = {Repair::Way::exchange, cost, x, y, row, gone, false};
    }
}

Repair RepairFinder::renewed(const Repair& repair) {
    Repair now;
    const std::size_t x = repair.broken, y = repair.other;
    const std::int64_t before = cost_of(box_, groups_.rows[x]);
    judge_.accepts(groups_.rows[x]);
    if (repair.way == Repair::Way::merge) {
        if (groups_.is_broken[y] != 0 || !repair.is_enough)
            return groups_.rows[y].size() >= hub_factor * groups_.rows[x].size() ? repair : now;
        ++n_questions_;
        n_rows_asked_ = 0;
        if (mends(x, y)) try_merge(x, groups_.rows[y].front(), before, 0, now);
    } else if (label(repair.row) == static_cast<std::int32_t>(y)) {
        n_rows_asked_ = 0;
        if (can_give(x, repair.row)) {
            try_move(x, repair.row, before, now);
            try_exchange(x, repair.row, before, now);
        }
    }
    const bool is_cheap = static_cast<double>(now.cost) <= tolerance * static_cast<double>(repair.cost);
    return is_cheap ? now : Repair{};
}

}  // namespace celosia
