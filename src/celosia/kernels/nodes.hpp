// The trees that the levels of columns make of the values that rows have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ladders.hpp"

namespace celosia {

// Values that are published alike until the node is replaced by its children. A node with one child is none: whoever
// stands there may as well stand at the child.
struct Node {
    std::size_t column = 0;
    std::int32_t level = 0;
    std::vector<std::int32_t> codes;
    std::vector<std::size_t> children;  // empty: a value
    std::int64_t gain = 0;              // what all rows under it cost less at its children
};

// The nodes of all columns, parents before their children; the first ones are the tops.
std::vector<Node> nodes_of(const Ladders& ladders, const Tuples& tuples);

}  // namespace celosia
