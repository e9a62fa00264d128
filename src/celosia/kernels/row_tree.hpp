// The free rows in a k-d tree: finds the row that costs a class least without looking at most of them.
//
// Each node knows a box around its rows, hence a cost that none of them can be below. The search goes down the cheaper
// side first and leaves out whatever cannot beat the best row so far. Ties go to the lowest row, so that the answer is
// that of a scan over all rows, however the tree was cut.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "class_box.hpp"
#include "columns.hpp"
#include "team.hpp"

namespace celosia {

class RowTree {
   public:
    RowTree(const Columns& columns, std::vector<std::int32_t> rows);

    bool contains(std::int32_t row) const { return slot_of_row_[static_cast<std::size_t>(row)] >= 0; }
    std::int32_t size() const { return n_free_; }
    void remove(std::int32_t row);
    // In ascending order.
    std::vector<std::int32_t> rows() const;
    // Anew over the rows that are left: boxes that have lost half their rows are too wide.
    void rebuild() { build(rows()); }

    // Whether a row may join at all.
    using Filter = std::function<bool(std::int32_t row)>;
    // The row whose addition costs the class least, of those that the filter lets through (null: all); -1 if none.
    std::int32_t cheapest(const ClassBox& box, const Filter* filter = nullptr);

    // Rows looked at since the tree was made.
    std::int64_t n_looked_at() const { return n_looked_at_; }

   private:
    static constexpr std::int32_t leaf_size = 32;

    struct Node {
        std::int32_t begin = 0, end = 0;  // slots
        std::int32_t n_free = 0;
        std::int32_t lowest_row = 0;  // when the tree was made
        std::int32_t parent = -1, left = -1;  // the right child is the one after the left; -1: a leaf
        bool all_equal = false;
    };
    struct Candidate {
        std::int32_t cost, row;
    };

    void build(std::vector<std::int32_t> rows);
    void measure_box(std::size_t node);
    bool split(std::size_t node);
    void fill_leaf(std::size_t node);
    std::int32_t spread(std::size_t node, std::size_t c) const;
    std::int32_t bound(std::size_t node, const ClassBox& box) const;
    std::int32_t slow_bound(std::size_t node, const ClassBox& box) const;
    void look_at_leaf(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best);
    void look_at_equal_rows(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best);
    void ask(const ClassBox& box);

    const Columns& columns_;
    // Columns whose bounds are a few instructions, and the others: trees, and whatever has missing values.
    std::vector<std::size_t> lines_, bags_, slow_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> lowest_, highest_;  // [node * lines]
    std::vector<std::uint64_t> buckets_;          // [node * bags]
    struct SlowBox {
        std::int32_t lowest = INT32_MAX, highest = -1;
        std::uint64_t buckets = 0;
        bool has_missing = false;
    };
    std::vector<SlowBox> slow_boxes_;          // [node * slow]
    std::vector<std::int32_t> row_of_slot_;    // a leaf's free rows come first, in ascending order
    std::vector<std::int32_t> slot_of_row_;    // any slot of the row's leaf; -1: not free
    std::vector<std::int32_t> leaf_of_slot_;
    std::vector<std::int32_t> cells_;          // leaf by leaf, in it column by column
    std::vector<std::int32_t> cost_;
    // The box of the class, in the order of the tree's own arrays.
    std::vector<std::int32_t> asked_lowest_, asked_highest_;
    std::vector<std::uint64_t> asked_buckets_;
    std::vector<std::int32_t> units_;
    struct Step {
        std::int32_t node, bound;
    };
    std::vector<Step> stack_;
    std::int32_t n_free_ = 0;
    std::int64_t n_looked_at_ = 0;
};

}  // namespace celosia
