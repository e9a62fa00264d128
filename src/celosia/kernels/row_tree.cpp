#include "row_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "dispatch.hpp"
#include "steps.hpp"

namespace celosia {

namespace {

constexpr std::int32_t no_row = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t nothing_found = std::numeric_limits<std::int32_t>::max();

CELOSIA_INLINE int add_line(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t lowest, std::int32_t highest,
                            std::int32_t* CELOSIA_RESTRICT cost, std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i)
        cost[i] += std::max(lowest - cells[i], 0) + std::max(cells[i] - highest, 0);
    return 0;
}

// Two halves, because there is no shift of eight 64-bit words by eight amounts at once.
CELOSIA_INLINE int add_bag(const std::int32_t* CELOSIA_RESTRICT cells, const std::int32_t* codes, std::int32_t unit,
                           std::int32_t* CELOSIA_RESTRICT cost, std::int32_t n) {
    const auto low = static_cast<std::uint32_t>(codes[0]), high = static_cast<std::uint32_t>(codes[1]);
    for (std::int32_t i = 0; i < n; ++i) {
        const auto code = static_cast<std::uint32_t>(cells[i]);
        const std::uint32_t half = code < 32 ? low : high;
        const std::uint32_t has = (half >> (code & 31)) & 1U;
        cost[i] += unit & (static_cast<std::int32_t>(has) - 1);
    }
    return 0;
}

struct LeafScan {
    const std::int32_t* cells;
    std::int32_t stride, n;
    const std::int32_t* asked;
    std::size_t n_lines;
    const std::int32_t* units;
    std::size_t n_bags;
    std::int32_t* cost;
};

CELOSIA_INLINE int scan_leaf(const LeafScan* scan) {
    const std::int32_t* cells = scan->cells;
    std::fill_n(scan->cost, scan->n, 0);
    for (std::size_t j = 0; j < scan->n_lines; ++j, cells += scan->stride)
        add_line(cells, scan->asked[j], scan->asked[scan->n_lines + j], scan->cost, scan->n);
    const std::int32_t* codes = scan->asked + 2 * scan->n_lines;
    for (std::size_t j = 0; j < scan->n_bags; ++j, cells += scan->stride)
        add_bag(cells, codes + 2 * j, scan->units[j], scan->cost, scan->n);
    return 0;
}

void store_codes(std::uint64_t codes, std::int32_t* halves) {
    halves[0] = static_cast<std::int32_t>(static_cast<std::uint32_t>(codes));
    halves[1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(codes >> 32));
}

}  // namespace

RowTree::RowTree(const Columns& columns, const std::vector<std::int32_t>& rows) : columns_(columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        const bool wide = column.kind == Kind::bag && column.n_values > 64;
        if (column.has_missing || column.kind == Kind::tree || wide) {
            slow_.push_back(c);
        } else if (column.kind == Kind::line) {
            lines_.push_back(c);
        } else {
            bags_.push_back(c);
            units_.push_back(column.unit);
        }
    }
    box_size_ = 2 * lines_.size() + 2 * bags_.size();
    asked_.resize(box_size_);
    for (const auto* part : {&lines_, &bags_, &slow_}) lanes_.insert(lanes_.end(), part->begin(), part->end());
    removed_.resize(lanes_.size());
    leaf_of_row_.assign(static_cast<std::size_t>(columns.n_rows()), -1);
    build(rows);
}

void RowTree::build(const std::vector<std::int32_t>& rows) {
    n_free_ = static_cast<std::int32_t>(rows.size());
    row_of_slot_.assign(rows.begin(), rows.end());
    scratch_.resize(rows.size());
    cells_.resize(row_of_slot_.size() * columns_.size());
    nodes_.clear();
    last_leaf_ = 0;
    Node root;
    root.end = root.n_free = n_free_;
    nodes_.push_back(root);
    std::vector<std::size_t> open{0};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        if (nodes_[node].n_free > leaf_size && split(node)) {
            const auto left = static_cast<std::size_t>(nodes_[node].left);
            open.push_back(left + 1);
            open.push_back(left);
        } else {
            fill_leaf(node);
        }
    }
    boxes_.resize(nodes_.size() * box_size_);
    slow_boxes_.resize(nodes_.size() * slow_.size());
    cost_.resize(leaf_size);
    for (std::size_t node = nodes_.size(); node-- > 0;) {
        if (nodes_[node].is_leaf()) {
            measure_leaf(node);
        } else {
            unite_children(node);
        }
    }
}

void RowTree::unite_children(std::size_t node) {
    const auto left = static_cast<std::size_t>(nodes_[node].left), right = left + 1;
    const std::int32_t *one = boxes_.data() + left * box_size_, *other = one + box_size_;
    std::int32_t* own = boxes_.data() + node * box_size_;
    const std::size_t n = lines_.size();
    for (std::size_t j = 0; j < n; ++j) {
        own[j] = std::min(one[j], other[j]);
        own[n + j] = std::max(one[n + j], other[n + j]);
    }
    for (std::size_t j = 2 * n; j < box_size_; ++j) own[j] = one[j] | other[j];
    for (std::size_t j = 0; j < slow_.size(); ++j) {
        SlowBox box = slow_boxes_[left * slow_.size() + j];
        const SlowBox& more = slow_boxes_[right * slow_.size() + j];
        box.lowest = std::min(box.lowest, more.lowest);
        box.highest = std::max(box.highest, more.highest);
        box.buckets |= more.buckets;
        box.has_missing |= more.has_missing;
        slow_boxes_[node * slow_.size() + j] = box;
    }
    nodes_[node].lowest_row = std::min(nodes_[left].lowest_row, nodes_[right].lowest_row);
}

void RowTree::measure_leaf(std::size_t node) {
    const Node& own = nodes_[node];
    const auto begin = row_of_slot_.begin() + own.begin, end = row_of_slot_.begin() + own.end;
    std::int32_t* packed = boxes_.data() + node * box_size_;
    for (std::size_t j = 0; j < lines_.size(); ++j) {
        const auto& values = columns_[lines_[j]].values;
        std::int32_t lowest = std::numeric_limits<std::int32_t>::max(), highest = -1;
        for (auto row = begin; row != end; ++row) {
            const std::int32_t value = values[static_cast<std::size_t>(*row)];
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
        packed[j] = lowest;
        packed[lines_.size() + j] = highest;
    }
    packed += 2 * lines_.size();
    for (std::size_t j = 0; j < bags_.size(); ++j) {
        const auto& values = columns_[bags_[j]].values;
        std::uint64_t codes = 0;
        for (auto row = begin; row != end; ++row)
            codes |= std::uint64_t{1} << static_cast<unsigned>(values[static_cast<std::size_t>(*row)]);
        store_codes(codes, packed + 2 * j);
    }
    for (std::size_t j = 0; j < slow_.size(); ++j) {
        const Column& column = columns_[slow_[j]];
        SlowBox box;
        for (auto row = begin; row != end; ++row) {
            const std::int32_t value = column.values[static_cast<std::size_t>(*row)];
            if (value == missing) {
                box.has_missing = true;
                continue;
            }
            box.lowest = std::min(box.lowest, value);
            box.highest = std::max(box.highest, value);
            if (column.kind == Kind::bag) box.buckets |= bucket_of(column, value);
        }
        slow_boxes_[node * slow_.size() + j] = box;
    }
}

// A few rows of the node, evenly spread.
void RowTree::sample(const Node& node) {
    constexpr std::int32_t n_most = 255;
    const std::int32_t n = node.end - node.begin, n_sampled = std::min(n, n_most);
    sample_.clear();
    for (std::int32_t i = 0; i < n_sampled; ++i) {
        const auto offset = static_cast<std::int32_t>(std::int64_t{n} * i / n_sampled);
        sample_.push_back(row_of_slot_[static_cast<std::size_t>(node.begin + offset)]);
    }
}

// How much a class of the sampled rows would lose in a column, roughly; 0 only if all values are equal.
std::int32_t RowTree::spread(std::size_t c) const {
    const Column& column = columns_[c];
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max(), highest = missing;
    bool has_missing = false;
    for (const std::int32_t row : sample_) {
        const std::int32_t value = column.values[static_cast<std::size_t>(row)];
        has_missing |= value == missing;
        if (value != missing) lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    if (highest == missing) return 0;
    if (has_missing) return std::max(column.full, 1);
    if (lowest == highest) return 0;
    switch (column.kind) {
        case Kind::line: return highest - lowest;
        case Kind::bag: return std::max(2 * std::min(column.unit, greatest_loss / 2), 1);
        case Kind::tree: {
            const std::size_t level = column.tree.common_level(lowest, highest);
            return std::max(column.tree.loss[column.tree.at(level, lowest)], 1);
        }
    }
    return 0;
}

// Its place; the number of columns if the sampled rows are equal in all.
std::size_t RowTree::widest_column() const {
    std::int32_t widest = 0;
    std::size_t chosen = lanes_.size();
    for (std::size_t place = 0; place < lanes_.size(); ++place) {
        const std::int32_t own = spread(lanes_[place]);
        if (own <= widest) continue;
        widest = own;
        chosen = place;
    }
    return chosen;
}

// The place of a column in which the rows of the node are not all equal; the number of columns if there is none.
std::size_t RowTree::differing_column(const Node& node) const {
    for (std::size_t place = 0; place < lanes_.size(); ++place) {
        const auto& values = columns_[lanes_[place]].values;
        const auto value_at = [&](std::int32_t slot) {
            return values[static_cast<std::size_t>(row_of_slot_[static_cast<std::size_t>(slot)])];
        };
        for (std::int32_t slot = node.begin + 1; slot < node.end; ++slot) {
            if (value_at(slot) != value_at(node.begin)) return place;
        }
    }
    return lanes_.size();
}

// Of the sampled rows.
std::int32_t RowTree::median(std::size_t c) {
    const auto middle = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / 2);
    const std::int32_t* values = columns_[c].values.data();
    std::nth_element(sample_.begin(), middle, sample_.end(), [=](auto a, auto b) { return values[a] < values[b]; });
    return values[*middle];
}

// At the border between two values that is nearest to the middle; false if all rows are equal.
bool RowTree::split(std::size_t node) {
    sample(nodes_[node]);
    std::size_t chosen = widest_column();
    if (chosen == lanes_.size()) chosen = differing_column(nodes_[node]);
    if (chosen == lanes_.size()) return false;
    const std::int32_t* values = columns_[lanes_[chosen]].values.data();
    const Node& own = nodes_[node];
    const std::int32_t middle = median(lanes_[chosen]);
    std::int32_t n_below = 0, n_equal = 0;
    for (std::int32_t slot = own.begin; slot < own.end; ++slot) {
        const std::int32_t value = values[row_of_slot_[static_cast<std::size_t>(slot)]];
        n_below += value < middle;
        n_equal += value == middle;
    }
    const std::int32_t half = (own.end - own.begin) / 2;
    const bool before = n_below + n_equal == own.end - own.begin || (n_below > 0 && half - n_below <= n_equal / 2);
    const std::int32_t right_begin = before ? middle : middle + 1;
    // Rows stay in ascending order, which makes the next passes over them fast.
    std::int32_t at = own.begin;
    std::size_t n_right = 0;
    for (std::int32_t slot = own.begin; slot < own.end; ++slot) {
        const std::int32_t row = row_of_slot_[static_cast<std::size_t>(slot)];
        const bool goes_left = values[row] < right_begin;
        row_of_slot_[static_cast<std::size_t>(at)] = row;
        scratch_[n_right] = row;
        at += goes_left;
        n_right += !goes_left;
    }
    std::copy_n(scratch_.begin(), n_right, row_of_slot_.begin() + at);
    Node left, right;
    left.begin = nodes_[node].begin;
    left.end = right.begin = at;
    right.end = nodes_[node].end;
    for (Node* child : {&left, &right}) {
        child->n_free = child->end - child->begin;
        child->parent = static_cast<std::int32_t>(node);
    }
    nodes_[node].left = static_cast<std::int32_t>(nodes_.size());
    nodes_[node].cut_column = static_cast<std::int32_t>(chosen);
    nodes_[node].left_end = right_begin - 1;
    nodes_[node].right_begin = right_begin;
    nodes_.push_back(left);
    nodes_.push_back(right);
    return true;
}

void RowTree::fill_leaf(std::size_t node) {
    Node& leaf = nodes_[node];
    leaf.all_equal = leaf.n_free > leaf_size;
    leaf.lowest_row = row_of_slot_[static_cast<std::size_t>(leaf.begin)];
    leaf.origin = leaf.begin;
    std::int32_t* cells = cells_.data() + static_cast<std::size_t>(leaf.origin) * columns_.size();
    for (const std::size_t c : lanes_) {
        for (std::int32_t slot = leaf.begin; slot < leaf.end; ++slot)
            *cells++ = columns_[c].values[static_cast<std::size_t>(row_of_slot_[static_cast<std::size_t>(slot)])];
    }
    for (std::int32_t slot = leaf.begin; slot < leaf.end; ++slot)
        leaf_of_row_[static_cast<std::size_t>(row_of_slot_[static_cast<std::size_t>(slot)])] =
            static_cast<std::int32_t>(node);
}

std::size_t RowTree::index_in_leaf(const Node& leaf, std::int32_t row) const {
    const std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    return static_cast<std::size_t>(std::lower_bound(rows, rows + leaf.n_free, row) - rows);
}

const std::int32_t* RowTree::remove(std::int32_t row) {
    last_leaf_ = std::exchange(leaf_of_row_[static_cast<std::size_t>(row)], -1);
    Node& leaf = nodes_[static_cast<std::size_t>(last_leaf_)];
    const std::size_t i = index_in_leaf(leaf, row), n_after = static_cast<std::size_t>(leaf.n_free) - 1 - i;
    std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    if (leaf.all_equal && i == 0) {
        ++leaf.begin;
    } else {
        std::memmove(rows + i, rows + i + 1, n_after * sizeof(std::int32_t));
    }
    std::int32_t* cells = cells_.data() + static_cast<std::size_t>(leaf.origin) * columns_.size() + i;
    for (const std::size_t c : lanes_) {
        removed_[c] = *cells;
        if (!leaf.all_equal) std::memmove(cells, cells + 1, n_after * sizeof(std::int32_t));
        cells += leaf.end - leaf.origin;
    }
    for (std::int32_t node = last_leaf_; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
        --nodes_[static_cast<std::size_t>(node)].n_free;
    --n_free_;
    return removed_.data();
}

std::vector<std::int32_t> RowTree::rows() const {
    std::vector<std::int32_t> result;
    result.reserve(static_cast<std::size_t>(n_free_));
    for (std::size_t row = 0; row < leaf_of_row_.size(); ++row) {
        if (leaf_of_row_[row] >= 0) result.push_back(static_cast<std::int32_t>(row));
    }
    return result;
}

void RowTree::ask(const ClassBox& box) {
    for (std::size_t j = 0; j < lines_.size(); ++j) {
        asked_[j] = box.part(lines_[j]).lowest;
        asked_[lines_.size() + j] = box.part(lines_[j]).highest;
    }
    for (std::size_t j = 0; j < bags_.size(); ++j)
        store_codes(box.part(bags_[j]).buckets, asked_.data() + 2 * lines_.size() + 2 * j);
}

std::int32_t RowTree::bound(std::size_t node, const ClassBox& box) const {
    std::int32_t total = 0;
    const std::size_t n_lines = lines_.size();
    const std::int32_t *own = box_of(node), *asked = asked_.data();
    for (std::size_t j = 0; j < n_lines; ++j)
        total += std::max(own[j] - asked[n_lines + j], 0) + std::max(asked[j] - own[n_lines + j], 0);
    own += 2 * n_lines;
    asked += 2 * n_lines;
    for (std::size_t j = 0; j < bags_.size(); ++j) {
        const std::int32_t shared = (own[2 * j] & asked[2 * j]) | (own[2 * j + 1] & asked[2 * j + 1]);
        total += shared == 0 ? units_[j] : 0;
    }
    return slow_.empty() ? total : total + slow_bound(node, box);
}

std::int32_t RowTree::slow_bound(std::size_t node, const ClassBox& box) const {
    std::int32_t total = 0;
    for (std::size_t j = 0; j < slow_.size(); ++j) {
        const std::size_t c = slow_[j];
        const Column& column = columns_[c];
        const ClassBox::Part& part = box.part(c);
        const SlowBox& own = slow_boxes_[node * slow_.size() + j];
        std::int32_t least = own.has_missing ? box.growth(c, missing) : nothing_found;
        if (own.lowest <= own.highest) {
            if (part.state != ClassBox::State::known) {
                least = std::min(least, box.growth(c, own.lowest));
            } else if (column.kind == Kind::bag) {
                least = std::min(least, (own.buckets & part.buckets) == 0 ? column.unit : 0);
            } else {
                // The nearest value: one further away never costs less.
                const std::int32_t nearest = own.lowest > part.highest ? own.lowest
                                             : own.highest < part.lowest ? own.highest
                                                                         : part.lowest;
                least = std::min(least, box.growth(c, nearest));
            }
        }
        total += least;
    }
    return total;
}

std::int32_t RowTree::cost_beyond_cut(const Node& node, bool on_left) const {
    auto c = static_cast<std::size_t>(node.cut_column);
    if (c < lines_.size()) {
        const std::int32_t gap = on_left ? asked_[c] - node.left_end : node.right_begin - asked_[lines_.size() + c];
        return std::max(gap, 0);
    }
    c -= lines_.size();
    if (c >= bags_.size()) return 0;
    const std::int32_t* halves = asked_.data() + 2 * lines_.size() + 2 * c;
    const std::uint64_t codes = static_cast<std::uint32_t>(halves[0]) |
                                static_cast<std::uint64_t>(static_cast<std::uint32_t>(halves[1])) << 32;
    const std::uint64_t below_cut = (std::uint64_t{1} << static_cast<unsigned>(node.right_begin)) - 1;
    return (codes & (on_left ? below_cut : ~below_cut)) == 0 ? units_[c] : 0;
}

bool RowTree::may_hold_better(std::size_t node, std::int32_t least_cost, const Candidate& best) const {
    if (least_cost != best.cost) return least_cost < best.cost;
    return nodes_[node].lowest_row < best.row;
}

std::int32_t RowTree::cheapest(const ClassBox& box, const Filter* filter, std::int32_t limit) {
    ask(box);
    is_given_up_ = false;
    Candidate best{limit, no_row, limit, -1};
    if (runner_up_ >= 0 && contains(runner_up_) && (filter == nullptr || (*filter)(runner_up_)))
        offer(cost_of(runner_up_, box), runner_up_, best);
    auto below = static_cast<std::size_t>(last_leaf_);
    search_below(below, box, filter, best);
    for (std::int32_t up = nodes_[below].parent; up >= 0; up = nodes_[static_cast<std::size_t>(up)].parent) {
        const Node& node = nodes_[static_cast<std::size_t>(up)];
        const bool came_from_left = static_cast<std::int32_t>(below) == node.left;
        const auto other = static_cast<std::size_t>(came_from_left ? node.left + 1 : node.left);
        below = static_cast<std::size_t>(up);
        if (may_hold_better(other, cost_beyond_cut(node, !came_from_left), best))
            search_below(other, box, filter, best);
    }
    runner_up_ = best.second_row;
    return best.row == no_row ? -1 : best.row;
}

std::int32_t RowTree::cost_of(std::int32_t row, const ClassBox& box) const {
    const Node& leaf = nodes_[static_cast<std::size_t>(leaf_of_row_[static_cast<std::size_t>(row)])];
    const std::int32_t* cells = cells_of(leaf) + (leaf.all_equal ? 0 : index_in_leaf(leaf, row));
    std::int32_t cost = 0;
    for (const std::size_t c : lanes_) {
        cost += box.growth(c, *cells);
        cells += leaf.end - leaf.origin;
    }
    return cost;
}

void RowTree::offer(std::int32_t cost, std::int32_t row, Candidate& best) const {
    if (row == best.row) return;
    if (cost < best.cost || (cost == best.cost && row < best.row)) {
        best = {cost, row, best.cost, best.row == no_row ? -1 : best.row};
    } else if (cost < best.second_cost) {
        best.second_cost = cost;
        best.second_row = row;
    }
}

void RowTree::search_below(std::size_t top, const ClassBox& box, const Filter* filter, Candidate& best) {
    if (nodes_[top].n_free == 0) return;
    stack_.push_back({static_cast<std::int32_t>(top), bound(top, box)});
    while (!stack_.empty()) {
        const Step step = stack_.back();
        stack_.pop_back();
        if (is_given_up_) continue;
        if (!may_hold_better(static_cast<std::size_t>(step.node), step.bound, best)) continue;
        const Node& node = nodes_[static_cast<std::size_t>(step.node)];
        if (node.left < 0) {
            if (node.all_equal) {
                look_at_equal_rows(node, box, filter, best);
            } else {
                look_at_leaf(node, box, filter, best);
            }
            continue;
        }
        Step near{node.left, nothing_found}, far{node.left + 1, nothing_found};
        for (Step* child : {&near, &far}) {
            const auto at = static_cast<std::size_t>(child->node);
            if (nodes_[at].n_free > 0) child->bound = bound(at, box);
        }
        if (far.bound < near.bound) std::swap(near, far);
        if (far.bound != nothing_found) stack_.push_back(far);
        if (near.bound != nothing_found) stack_.push_back(near);
    }
}

void RowTree::look_at_leaf(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best) {
    const std::int32_t n = leaf.n_free, stride = leaf.end - leaf.origin;
    n_looked_at_ += n;
    const std::int32_t* cells = cells_of(leaf);
    const LeafScan scan{cells,         stride,       n,           asked_.data(),
                        lines_.size(), units_.data(), bags_.size(), cost_.data()};
    dispatch<scan_leaf>(&scan);
    cells += static_cast<std::ptrdiff_t>(stride) * static_cast<std::ptrdiff_t>(lines_.size() + bags_.size());
    for (const std::size_t c : slow_) {
        for (std::int32_t i = 0; i < n; ++i) cost_[static_cast<std::size_t>(i)] += box.growth(c, cells[i]);
        cells += stride;
    }
    const std::int32_t lowest = least(cost_.data(), static_cast<std::size_t>(n));
    if (lowest > best.cost && lowest >= best.second_cost) return;
    const std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t cost = cost_[static_cast<std::size_t>(i)];
        if (cost > best.second_cost || (filter != nullptr && !(*filter)(rows[i]))) continue;
        offer(cost, rows[i], best);
    }
}

void RowTree::look_at_equal_rows(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best) {
    if (leaf.n_free == 0) return;
    const std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    ++n_looked_at_;
    const std::int32_t cost = cost_of(rows[0], box);
    for (std::int32_t i = 0, n_offered = 0; i < leaf.n_free && n_offered < 2; ++i) {
        if (filter != nullptr && !(*filter)(rows[i])) continue;
        offer(cost, rows[i], best);
        ++n_offered;
    }
}

}  // namespace celosia
