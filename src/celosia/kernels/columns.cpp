#include "columns.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace celosia {

namespace {

constexpr std::int32_t missing_position = std::numeric_limits<std::int32_t>::min();

// Errors name rows and limits, never a value: values may be personal data.
[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

void copy_codes(Column& column, const std::int32_t* codes, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) {
        if (codes[row] < missing || codes[row] >= column.n_values)
            refuse("the code in row " + std::to_string(row) + " is outside -1.." + std::to_string(column.n_values - 1));
        column.has_missing |= codes[row] == missing;
    }
    column.values.assign(codes, codes + n);
}

// first and last code of each node's run. A node in two runs would cover codes that are not below it.
void lay_out_level(Tree& tree, std::size_t level, const std::int32_t* nodes, const std::int32_t* loss,
                   std::vector<std::size_t>& last_level_of_node) {
    const auto n = static_cast<std::int32_t>(tree.n_values);
    for (std::int32_t begin = 0, end = 0; begin < n; begin = end) {
        while (end < n && nodes[end] == nodes[begin]) ++end;
        auto& seen = last_level_of_node[static_cast<std::size_t>(nodes[begin])];
        if (seen == level + 1)
            refuse("level " + std::to_string(level) + " of the tree is not in leaf order: a node has two runs");
        seen = level + 1;
        for (std::int32_t code = begin; code < end; ++code) {
            tree.first[tree.at(level, code)] = begin;
            tree.last[tree.at(level, code)] = end - 1;
            tree.loss[tree.at(level, code)] = loss[nodes[begin]];
        }
    }
}

// Without these two no cost could be called the growth of a loss: it might be negative.
void check_nesting(const Tree& tree) {
    for (std::size_t level = 1; level < tree.n_levels; ++level) {
        for (std::size_t code = 0; code < tree.n_values; ++code) {
            const std::size_t here = level * tree.n_values + code, below = here - tree.n_values;
            if (tree.first[here] > tree.first[below] || tree.last[here] < tree.last[below])
                refuse("level " + std::to_string(level) + " of the tree splits a node of the level below");
            if (tree.loss[here] < tree.loss[below])
                refuse("level " + std::to_string(level) + " of the tree loses less than the level below");
        }
    }
    if (tree.n_values > 0 && static_cast<std::size_t>(tree.last[tree.at(tree.n_levels - 1, 0)]) != tree.n_values - 1)
        refuse("the top level of the tree is more than one node");
}

}  // namespace

Columns::Columns(std::int64_t n_rows) : n_rows_(static_cast<std::int32_t>(n_rows)) {
    if (n_rows < 0 || n_rows > std::numeric_limits<std::int32_t>::max() - 1)
        refuse("n_rows is " + std::to_string(n_rows) + "; it must lie in 0..2^31-2");
}

void Columns::check(std::size_t n, std::int64_t full) const {
    if (n != static_cast<std::size_t>(n_rows_))
        refuse("the column has " + std::to_string(n) + " rows; the table has " + std::to_string(n_rows_));
    if (full < 0) refuse("full is negative");
    if (full > greatest_loss - sum_of_full_)
        refuse("the sum of full over all columns is above 2^30 at column " + std::to_string(size()));
}

void Columns::keep(Column column) {
    sum_of_full_ += column.full;
    columns_.push_back(std::make_shared<const Column>(std::move(column)));
}

void Columns::add_line(const std::int32_t* positions, std::size_t n, std::int64_t full) {
    check(n, full);
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max(), highest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t row = 0; row < n; ++row) {
        if (positions[row] == missing_position) continue;
        lowest = std::min<std::int64_t>(lowest, positions[row]);
        highest = std::max<std::int64_t>(highest, positions[row]);
    }
    if (lowest <= highest && highest - lowest > full) refuse("the range of the positions is above full");
    Column column;
    column.kind = Kind::line;
    column.full = static_cast<std::int32_t>(full);
    column.n_values = lowest <= highest ? static_cast<std::int32_t>(highest - lowest + 1) : 0;
    column.values.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
        const bool known = positions[row] != missing_position;
        column.values[row] = known ? static_cast<std::int32_t>(positions[row] - lowest) : missing;
        column.has_missing |= !known;
    }
    keep(std::move(column));
}

void Columns::add_bag(const std::int32_t* codes, std::size_t n, std::int64_t n_values, std::int64_t unit,
                      std::int64_t full) {
    check(n, full);
    if (n_values < 0 || n_values > greatest_loss) refuse("n_values must lie in 0..2^30");
    if (unit < 0 || unit > greatest_loss) refuse("unit must lie in 0..2^30");
    if ((n_values - 1) * unit > full) refuse("(n_values - 1) * unit is above full");
    Column column;
    column.kind = Kind::bag;
    column.full = static_cast<std::int32_t>(full);
    column.n_values = static_cast<std::int32_t>(n_values);
    column.unit = static_cast<std::int32_t>(unit);
    copy_codes(column, codes, n);
    keep(std::move(column));
}

void Columns::add_tree(const std::int32_t* codes, std::size_t n, const std::int32_t* nodes, std::size_t n_levels,
                       std::size_t n_values, const std::int32_t* loss, std::size_t n_nodes, std::int64_t full) {
    check(n, full);
    if (n_levels == 0) refuse("the tree has no level");
    if (n_values > static_cast<std::size_t>(greatest_loss)) refuse("n_values must lie in 0..2^30");
    for (std::size_t i = 0; i < n_levels * n_values; ++i) {
        if (nodes[i] < 0 || static_cast<std::size_t>(nodes[i]) >= n_nodes)
            refuse("level " + std::to_string(i / n_values) + " of the tree names a node outside 0..n_nodes-1");
    }
    for (std::size_t node = 0; node < n_nodes; ++node) {
        if (loss[node] < 0 || loss[node] > full)
            refuse("the loss of node " + std::to_string(node) + " is outside 0..full");
    }
    Column column;
    column.kind = Kind::tree;
    column.full = static_cast<std::int32_t>(full);
    column.n_values = static_cast<std::int32_t>(n_values);
    Tree& tree = column.tree;
    tree.n_levels = n_levels;
    tree.n_values = n_values;
    for (auto* part : {&tree.first, &tree.last, &tree.loss}) part->resize(n_levels * n_values);
    std::vector<std::size_t> last_level_of_node(n_nodes, 0);
    for (std::size_t level = 0; level < n_levels; ++level)
        lay_out_level(tree, level, nodes + level * n_values, loss, last_level_of_node);
    check_nesting(tree);
    copy_codes(column, codes, n);
    keep(std::move(column));
}

Columns Columns::take(const std::int32_t* rows, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) {
        if (rows[i] < 0 || rows[i] >= n_rows_) refuse("rows must lie in 0..n_rows-1");
    }
    Columns taken(static_cast<std::int64_t>(n));
    for (const auto& column : columns_) {
        Column own{column->kind, column->full, column->n_values, column->unit, column->has_missing, column->tree, {}};
        own.values.resize(n);
        for (std::size_t i = 0; i < n; ++i) own.values[i] = column->values[static_cast<std::size_t>(rows[i])];
        taken.keep(std::move(own));
    }
    return taken;
}

}  // namespace celosia
