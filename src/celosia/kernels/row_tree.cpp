#include "row_tree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "dispatch.hpp"

namespace celosia {

namespace {

constexpr std::int32_t nothing_found = std::numeric_limits<std::int32_t>::max();

CELOSIA_INLINE int add_line(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t lowest, std::int32_t highest,
                            std::int32_t* CELOSIA_RESTRICT cost, std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i)
        cost[i] += std::max(lowest - cells[i], 0) + std::max(cells[i] - highest, 0);
    return 0;
}

// Two halves, because there is no shift of eight 64-bit words by eight amounts at once.
CELOSIA_INLINE int add_bag(const std::int32_t* CELOSIA_RESTRICT cells, std::uint64_t codes, std::int32_t unit,
                           std::int32_t* CELOSIA_RESTRICT cost, std::int32_t n) {
    const auto low = static_cast<std::uint32_t>(codes), high = static_cast<std::uint32_t>(codes >> 32);
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
    const std::int32_t *lowest, *highest;
    std::size_t n_lines;
    const std::uint64_t* codes;
    const std::int32_t* units;
    std::size_t n_bags;
    std::int32_t* cost;
};

CELOSIA_INLINE int scan_leaf(const LeafScan* scan) {
    const std::int32_t* cells = scan->cells;
    std::fill_n(scan->cost, scan->n, 0);
    for (std::size_t j = 0; j < scan->n_lines; ++j, cells += scan->stride)
        add_line(cells, scan->lowest[j], scan->highest[j], scan->cost, scan->n);
    for (std::size_t j = 0; j < scan->n_bags; ++j, cells += scan->stride)
        add_bag(cells, scan->codes[j], scan->units[j], scan->cost, scan->n);
    return 0;
}

}  // namespace

RowTree::RowTree(const Columns& columns, std::vector<std::int32_t> rows) : columns_(columns) {
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
    asked_lowest_.resize(lines_.size());
    asked_highest_.resize(lines_.size());
    asked_buckets_.resize(bags_.size());
    slot_of_row_.assign(static_cast<std::size_t>(columns.n_rows()), -1);
    build(std::move(rows));
}

void RowTree::build(std::vector<std::int32_t> rows) {
    n_free_ = static_cast<std::int32_t>(rows.size());
    row_of_slot_ = std::move(rows);
    leaf_of_slot_.assign(row_of_slot_.size(), -1);
    cells_.resize(row_of_slot_.size() * columns_.size());
    nodes_.clear();
    Node root;
    root.end = root.n_free = n_free_;
    nodes_.push_back(root);
    std::vector<std::size_t> open{0};
    std::size_t largest_leaf = 0;
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        measure_box(node);
        if (nodes_[node].n_free > leaf_size && split(node)) {
            const auto left = static_cast<std::size_t>(nodes_[node].left);
            open.push_back(left + 1);
            open.push_back(left);
        } else {
            fill_leaf(node);
            largest_leaf = std::max(largest_leaf, static_cast<std::size_t>(nodes_[node].n_free));
        }
    }
    cost_.resize(largest_leaf);
}

void RowTree::measure_box(std::size_t node) {
    const Node& own = nodes_[node];
    const auto begin = row_of_slot_.begin() + own.begin, end = row_of_slot_.begin() + own.end;
    lowest_.resize(nodes_.size() * lines_.size());
    highest_.resize(nodes_.size() * lines_.size());
    buckets_.resize(nodes_.size() * bags_.size());
    slow_boxes_.resize(nodes_.size() * slow_.size());
    for (std::size_t j = 0; j < lines_.size(); ++j) {
        const auto& values = columns_[lines_[j]].values;
        std::int32_t lowest = std::numeric_limits<std::int32_t>::max(), highest = -1;
        for (auto row = begin; row != end; ++row) {
            const std::int32_t value = values[static_cast<std::size_t>(*row)];
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
        lowest_[node * lines_.size() + j] = lowest;
        highest_[node * lines_.size() + j] = highest;
    }
    for (std::size_t j = 0; j < bags_.size(); ++j) {
        const auto& values = columns_[bags_[j]].values;
        std::uint64_t buckets = 0;
        for (auto row = begin; row != end; ++row)
            buckets |= std::uint64_t{1} << static_cast<unsigned>(values[static_cast<std::size_t>(*row)]);
        buckets_[node * bags_.size() + j] = buckets;
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

// How much a class over all rows of the node would lose in a column, roughly; 0 only if all values are equal.
std::int32_t RowTree::spread(std::size_t node, std::size_t c) const {
    if (c < lines_.size()) return highest_[node * lines_.size() + c] - lowest_[node * lines_.size() + c];
    c -= lines_.size();
    if (c < bags_.size()) {
        const std::uint64_t buckets = buckets_[node * bags_.size() + c];
        return (buckets & (buckets - 1)) != 0 ? std::max(2 * units_[c], 1) : 0;
    }
    c -= bags_.size();
    const SlowBox& box = slow_boxes_[node * slow_.size() + c];
    const Column& column = columns_[slow_[c]];
    if (box.highest < box.lowest) return 0;
    if (box.has_missing) return std::max(column.full, 1);
    if (box.lowest == box.highest) return 0;
    switch (column.kind) {
        case Kind::line: return box.highest - box.lowest;
        case Kind::bag: return std::max(2 * column.unit, 1);
        case Kind::tree: {
            const std::size_t level = column.tree.common_level(box.lowest, box.highest);
            return std::max(column.tree.loss[column.tree.at(level, box.lowest)], 1);
        }
    }
    return 0;
}

// At the border between two values that is nearest to the middle; false if all rows are equal.
bool RowTree::split(std::size_t node) {
    std::int32_t widest = 0;
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::int32_t own = spread(node, c);
        if (own > widest) {
            widest = own;
            chosen = c;
        }
    }
    if (widest == 0) return false;
    const std::size_t c = chosen < lines_.size()                  ? lines_[chosen]
                          : chosen < lines_.size() + bags_.size() ? bags_[chosen - lines_.size()]
                                                                  : slow_[chosen - lines_.size() - bags_.size()];
    const std::int32_t* values = columns_[c].values.data();
    const auto begin = row_of_slot_.begin() + nodes_[node].begin, end = row_of_slot_.begin() + nodes_[node].end;
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, [values](std::int32_t a, std::int32_t b) { return values[a] < values[b]; });
    const std::int32_t median = values[*middle];
    const auto below = std::partition(begin, end, [=](std::int32_t row) { return values[row] < median; });
    const auto above = std::partition(below, end, [=](std::int32_t row) { return values[row] == median; });
    const auto cut = below == begin                                                  ? above
                     : above == end                                                  ? below
                     : middle - below <= above - middle /* the nearer border */      ? below
                                                                                     : above;
    const auto at = static_cast<std::int32_t>(cut - row_of_slot_.begin());
    Node left, right;
    left.begin = nodes_[node].begin;
    left.end = right.begin = at;
    right.end = nodes_[node].end;
    for (Node* child : {&left, &right}) {
        child->n_free = child->end - child->begin;
        child->parent = static_cast<std::int32_t>(node);
    }
    nodes_[node].left = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(left);
    nodes_.push_back(right);
    return true;
}

void RowTree::fill_leaf(std::size_t node) {
    Node& leaf = nodes_[node];
    std::sort(row_of_slot_.begin() + leaf.begin, row_of_slot_.begin() + leaf.end);
    leaf.all_equal = leaf.n_free > leaf_size;
    leaf.lowest_row = row_of_slot_[static_cast<std::size_t>(leaf.begin)];
    for (std::int32_t up = leaf.parent; up >= 0; up = nodes_[static_cast<std::size_t>(up)].parent) {
        Node& above = nodes_[static_cast<std::size_t>(up)];
        above.lowest_row = leaf.begin == above.begin ? leaf.lowest_row : std::min(above.lowest_row, leaf.lowest_row);
    }
    std::int32_t* cells = cells_.data() + static_cast<std::size_t>(leaf.begin) * columns_.size();
    for (const auto* part : {&lines_, &bags_, &slow_}) {
        for (const std::size_t c : *part) {
            for (std::int32_t slot = leaf.begin; slot < leaf.end; ++slot)
                *cells++ = columns_[c].values[static_cast<std::size_t>(row_of_slot_[static_cast<std::size_t>(slot)])];
        }
    }
    for (std::int32_t slot = leaf.begin; slot < leaf.end; ++slot) {
        leaf_of_slot_[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(node);
        slot_of_row_[static_cast<std::size_t>(row_of_slot_[static_cast<std::size_t>(slot)])] = slot;
    }
}

void RowTree::remove(std::int32_t row) {
    auto& slot = slot_of_row_[static_cast<std::size_t>(row)];
    const std::int32_t owner = leaf_of_slot_[static_cast<std::size_t>(slot)];
    Node& leaf = nodes_[static_cast<std::size_t>(owner)];
    slot = -1;
    std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    const auto i = std::lower_bound(rows, rows + leaf.n_free, row) - rows;
    const auto n_after = static_cast<std::size_t>(leaf.n_free - 1 - i);
    if (leaf.all_equal && i == 0) {
        ++leaf.begin;
    } else {
        std::memmove(rows + i, rows + i + 1, n_after * sizeof(std::int32_t));
    }
    if (!leaf.all_equal) {
        std::int32_t* cells = cells_.data() + static_cast<std::size_t>(leaf.begin) * columns_.size() + i;
        for (std::size_t c = 0; c < columns_.size(); ++c, cells += leaf.end - leaf.begin)
            std::memmove(cells, cells + 1, n_after * sizeof(std::int32_t));
    }
    for (std::int32_t node = owner; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
        --nodes_[static_cast<std::size_t>(node)].n_free;
    --n_free_;
}

std::vector<std::int32_t> RowTree::rows() const {
    std::vector<std::int32_t> result;
    result.reserve(static_cast<std::size_t>(n_free_));
    for (std::size_t row = 0; row < slot_of_row_.size(); ++row) {
        if (slot_of_row_[row] >= 0) result.push_back(static_cast<std::int32_t>(row));
    }
    return result;
}

void RowTree::ask(const ClassBox& box) {
    for (std::size_t j = 0; j < lines_.size(); ++j) {
        asked_lowest_[j] = box.part(lines_[j]).lowest;
        asked_highest_[j] = box.part(lines_[j]).highest;
    }
    for (std::size_t j = 0; j < bags_.size(); ++j) asked_buckets_[j] = box.part(bags_[j]).buckets;
}

std::int32_t RowTree::bound(std::size_t node, const ClassBox& box) const {
    std::int32_t total = 0;
    const std::int32_t* lowest = lowest_.data() + node * lines_.size();
    const std::int32_t* highest = highest_.data() + node * lines_.size();
    for (std::size_t j = 0; j < lines_.size(); ++j)
        total += std::max(lowest[j] - asked_highest_[j], 0) + std::max(asked_lowest_[j] - highest[j], 0);
    const std::uint64_t* buckets = buckets_.data() + node * bags_.size();
    for (std::size_t j = 0; j < bags_.size(); ++j) total += (buckets[j] & asked_buckets_[j]) == 0 ? units_[j] : 0;
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

std::int32_t RowTree::cheapest(const ClassBox& box, const Filter* filter) {
    ask(box);
    Candidate best{nothing_found, nothing_found};
    stack_.assign(1, {0, 0});
    while (!stack_.empty()) {
        const Step step = stack_.back();
        stack_.pop_back();
        const Node& node = nodes_[static_cast<std::size_t>(step.node)];
        if (step.bound > best.cost || (step.bound == best.cost && node.lowest_row > best.row)) continue;
        if (node.left < 0) {
            if (node.all_equal) {
                look_at_equal_rows(node, box, filter, best);
            } else {
                look_at_leaf(node, box, filter, best);
            }
            continue;
        }
        Step near{node.left, nothing_found}, far{node.left + 1, nothing_found};
        if (nodes_[static_cast<std::size_t>(near.node)].n_free > 0)
            near.bound = bound(static_cast<std::size_t>(near.node), box);
        if (nodes_[static_cast<std::size_t>(far.node)].n_free > 0)
            far.bound = bound(static_cast<std::size_t>(far.node), box);
        if (far.bound < near.bound) std::swap(near, far);
        if (far.bound != nothing_found) stack_.push_back(far);
        if (near.bound != nothing_found) stack_.push_back(near);
    }
    return best.cost == nothing_found ? -1 : best.row;
}

void RowTree::look_at_leaf(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best) {
    const std::int32_t n = leaf.n_free, stride = leaf.end - leaf.begin;
    n_looked_at_ += n;
    const std::int32_t* cells = cells_.data() + static_cast<std::size_t>(leaf.begin) * columns_.size();
    const LeafScan scan{cells,          stride,          n,           asked_lowest_.data(), asked_highest_.data(),
                        lines_.size(),  asked_buckets_.data(), units_.data(), bags_.size(), cost_.data()};
    dispatch<scan_leaf>(&scan);
    cells += static_cast<std::ptrdiff_t>(stride) * static_cast<std::ptrdiff_t>(lines_.size() + bags_.size());
    for (const std::size_t c : slow_) {
        for (std::int32_t i = 0; i < n; ++i) cost_[static_cast<std::size_t>(i)] += box.growth(c, cells[i]);
        cells += stride;
    }
    const std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t cost = cost_[static_cast<std::size_t>(i)];
        if (cost > best.cost || (cost == best.cost && rows[i] >= best.row)) continue;
        if (filter == nullptr || (*filter)(rows[i])) best = {cost, rows[i]};
    }
}

void RowTree::look_at_equal_rows(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best) {
    const std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    ++n_looked_at_;
    std::int32_t cost = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        cost += box.growth(c, columns_[c].values[static_cast<std::size_t>(rows[0])]);
    for (std::int32_t i = 0; i < leaf.n_free; ++i) {
        if (cost > best.cost || (cost == best.cost && rows[i] >= best.row)) return;
        if (filter == nullptr || (*filter)(rows[i])) best = {cost, rows[i]};
    }
}

}  // namespace celosia
