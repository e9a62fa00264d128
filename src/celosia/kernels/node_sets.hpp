// The rows of a pool below every node of every column, as sets of bits.
//
// A hierarchy brings its nodes along. For other columns a random binary tree of ranges, or of sets of values, stands in.
// Nodes with too few rows for a class are left out, and of nodes with the same rows all but the cheapest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "random.hpp"

namespace celosia {

using Bits = std::uint64_t;

class NodeSets {
   public:
    struct Node {
        std::int32_t loss = 0;
        std::int32_t parent = -1;  // within the column; children come before their parents
        std::size_t bits = 0;      // where its rows begin
    };

    explicit NodeSets(const Columns& columns) : columns_(columns), nodes_(columns.size()) {}

    // lanes: per column the values of all rows.
    void build(const std::vector<std::vector<std::int32_t>>& lanes, std::size_t n_least_rows, Random& random);

    std::size_t n_words() const { return n_words_; }
    const std::vector<Node>& nodes(std::size_t c) const { return nodes_[c]; }
    const Bits* bits(const Node& node) const { return bits_.data() + node.bits; }

   private:
    // Rows that lie together in the order of a column, and the node that stands for them; -1: too few.
    struct Run {
        std::size_t begin, end;
        std::int32_t node;
    };

    void build_column(std::size_t c, const std::vector<std::int32_t>& lane, Random& random);
    void sort_rows(const std::vector<std::int32_t>& lane);
    void shuffle_codes(const std::vector<std::int32_t>& lane, Random& random);
    std::int32_t climb(std::size_t c, std::size_t begin, std::size_t end);
    std::int32_t halve(std::size_t c, std::size_t begin, std::size_t end, Random& random);
    std::int32_t loss_between(std::size_t c, std::size_t begin, std::size_t end) const;
    std::int32_t add(std::size_t c, std::size_t begin, std::size_t end, std::int32_t loss);
    void adopt(std::size_t c, std::int32_t child, std::int32_t parent);

    const Columns& columns_;
    std::size_t n_least_rows_ = 0, n_words_ = 0;
    std::vector<std::vector<Node>> nodes_;
    std::vector<Bits> bits_;
    std::vector<std::int32_t> order_, keys_, sorted_, codes_, rank_;
    std::vector<std::size_t> starts_;
    std::vector<Run> runs_;
};

}  // namespace celosia
