#include "nodes.hpp"

#include <algorithm>
#include <utility>

namespace celosia {

namespace {

// Lowers a node to the level on which its codes part below it.
void settle(Node& node, const Ladder& ladder) {
    const auto is_one_at = [&](std::int32_t level) {
        const std::int32_t* groups = ladder.groups_at(static_cast<std::size_t>(level));
        return std::all_of(node.codes.begin(), node.codes.end(),
                           [&](std::int32_t code) { return groups[code] == groups[node.codes.front()]; });
    };
    while (node.level > 0 && is_one_at(node.level - 1)) --node.level;
}

Node top_of(std::size_t column, const Ladder& ladder, const std::vector<std::int64_t>& n_rows) {
    Node top;
    top.column = column;
    top.level = static_cast<std::int32_t>(ladder.n_levels) - 1;
    for (std::size_t code = 0; code < ladder.n_codes; ++code) {
        if (n_rows[code] > 0) top.codes.push_back(static_cast<std::int32_t>(code));
    }
    settle(top, ladder);
    return top;
}

std::vector<Node> children_of(const Node& node, const Ladder& ladder) {
    const auto below = static_cast<std::size_t>(node.level) - 1;
    std::vector<std::size_t> place(static_cast<std::size_t>(ladder.n_groups[below]), 0);  // 1: the first child
    std::vector<Node> children;
    for (const std::int32_t code : node.codes) {
        std::size_t& own = place[static_cast<std::size_t>(ladder.groups_at(below)[code])];
        if (own == 0) {
            children.emplace_back();
            children.back().column = node.column;
            children.back().level = static_cast<std::int32_t>(below);
            own = children.size();
        }
        children[own - 1].codes.push_back(code);
    }
    for (Node& child : children) settle(child, ladder);
    return children;
}

}  // namespace

std::vector<Node> nodes_of(const Ladders& ladders, const Tuples& tuples) {
    std::vector<Node> nodes;
    std::vector<std::vector<std::int64_t>> n_rows;
    for (std::size_t j = 0; j < ladders.columns().size(); ++j) {
        n_rows.emplace_back(ladders.columns()[j].n_codes, 0);
        for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple)
            n_rows[j][static_cast<std::size_t>(tuples.codes[j][tuple])] += tuples.weights[tuple];
        nodes.push_back(top_of(j, ladders.columns()[j], n_rows[j]));
    }
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at].level == 0) continue;
        const std::size_t column = nodes[at].column;
        const Ladder& ladder = ladders.columns()[column];
        const std::int64_t* before = ladder.costs_at(static_cast<std::size_t>(nodes[at].level));
        for (Node& child : children_of(nodes[at], ladder)) {
            const std::int64_t* after = ladder.costs_at(static_cast<std::size_t>(child.level));
            for (const std::int32_t code : child.codes)
                nodes[at].gain += n_rows[column][static_cast<std::size_t>(code)] * (before[code] - after[code]);
            nodes[at].children.push_back(nodes.size());
            nodes.push_back(std::move(child));
        }
    }
    return nodes;
}

}  // namespace celosia
