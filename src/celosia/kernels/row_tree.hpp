// The free rows in a k-d tree: finds the row that costs a class least without looking at most of them.
//
// Each node knows a box around its rows, hence a cost that none of them can be below. The search begins where the last
// row was taken, goes up from there, and down into whatever may hold a cheaper row, the cheaper side first; mostly the
// cut of a node alone tells that its other side does not. Ties go to the lowest row, so that the answer is that of a
// scan over all rows, however the tree was cut.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "class_box.hpp"
#include "columns.hpp"

namespace celosia {

class RowTree {
   public:
    // The rows in ascending order.
    RowTree(const Columns& columns, const std::vector<std::int32_t>& rows);

    bool contains(std::int32_t row) const { return leaf_of_row_[static_cast<std::size_t>(row)] >= 0; }
    std::int32_t size() const { return n_free_; }
    // The next search begins where this row was: the row last removed must be one of the class.
    // Returns its value in every column, until the next call.
    const std::int32_t* remove(std::int32_t row);
    // The next search begins where this row is, which is not removed, and knows nothing of the last one.
    void start_at(std::int32_t row) {
        last_leaf_ = leaf_of_row_[static_cast<std::size_t>(row)];
        runner_up_ = -1;
    }
    // In ascending order.
    std::vector<std::int32_t> rows() const;
    // Anew over the rows that are left: boxes that have lost half their rows are too wide.
    void rebuild() { build(rows()); }

    // Whether a row may join at all.
    using Filter = std::function<bool(std::int32_t row)>;
    // The row whose addition costs the class least, of those that the filter lets through (null: all); -1 if none.
    // Rows that cost more than the limit are not looked for.
    std::int32_t cheapest(const ClassBox& box, const Filter* filter = nullptr, std::int32_t limit = INT32_MAX);
    // A filter may call this: the search ends with the best row so far.
    void give_up() { is_given_up_ = true; }

    // Rows looked at since the tree was made.
    std::int64_t n_looked_at() const { return n_looked_at_; }

   private:
    static constexpr std::int32_t leaf_size = 64;

    struct Node {
        std::int32_t begin = 0, end = 0;  // slots
        std::int32_t origin = 0;          // of a leaf's cells: where it began when the tree was made
        std::int32_t n_free = 0;
        std::int32_t lowest_row = 0;  // when the tree was made
        std::int32_t parent = -1, left = -1;  // the right child is the one after the left; -1: a leaf
        // The column of the cut (simple ones first), and the values beside it: left_end | right_begin.
        std::int32_t cut_column = -1, left_end = 0, right_begin = 0;
        bool all_equal = false;

        bool is_leaf() const { return left < 0; }
    };
    struct Candidate {
        std::int32_t cost, row;
        std::int32_t second_cost, second_row;
    };

    void build(const std::vector<std::int32_t>& rows);
    bool split(std::size_t node);
    void sample(const Node& node);
    std::size_t widest_column() const;
    std::size_t differing_column(const Node& node) const;
    std::int32_t spread(std::size_t c) const;
    std::int32_t median(std::size_t c);
    void fill_leaf(std::size_t node);
    void measure_leaf(std::size_t node);
    void unite_children(std::size_t node);
    // What any row on one side of a node's cut costs at least, by the column of the cut alone.
    std::int32_t cost_beyond_cut(const Node& node, bool on_left) const;
    std::int32_t bound(std::size_t node, const ClassBox& box) const;
    const std::int32_t* box_of(std::size_t node) const { return boxes_.data() + node * box_size_; }
    std::int32_t slow_bound(std::size_t node, const ClassBox& box) const;
    bool may_hold_better(std::size_t node, std::int32_t least_cost, const Candidate& best) const;
    void search_below(std::size_t top, const ClassBox& box, const Filter* filter, Candidate& best);
    void offer(std::int32_t cost, std::int32_t row, Candidate& best) const;
    std::int32_t cost_of(std::int32_t row, const ClassBox& box) const;
    std::size_t index_in_leaf(const Node& leaf, std::int32_t row) const;
    const std::int32_t* cells_of(const Node& leaf) const {
        return cells_.data() + static_cast<std::size_t>(leaf.origin) * columns_.size();
    }
    void look_at_leaf(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best);
    void look_at_equal_rows(const Node& leaf, const ClassBox& box, const Filter* filter, Candidate& best);
    void ask(const ClassBox& box);

    const Columns& columns_;
    // Columns whose bounds are a few instructions, and the others: trees, and whatever has missing values.
    std::vector<std::size_t> lines_, bags_, slow_;
    std::vector<std::size_t> lanes_;  // all of them
    std::vector<Node> nodes_;
    // The simple columns of each node, side by side because they are read together: the lowest values of the lines,
    // then the highest, then two halves of the set of codes of each bag.
    std::vector<std::int32_t> boxes_;
    std::size_t box_size_ = 0;
    struct SlowBox {
        std::int32_t lowest = INT32_MAX, highest = -1;
        std::uint64_t buckets = 0;
        bool has_missing = false;
    };
    std::vector<SlowBox> slow_boxes_;          // [node * slow]
    std::vector<std::int32_t> row_of_slot_;    // a leaf's free rows come first, in ascending order
    std::vector<std::int32_t> leaf_of_row_;    // -1: not free
    std::vector<std::int32_t> cells_;          // leaf by leaf, in it column by column (lanes_)
    std::vector<std::int32_t> removed_, scratch_, sample_;
    std::vector<std::int32_t> cost_;
    std::vector<std::int32_t> asked_;  // the same of the class
    std::vector<std::int32_t> units_;
    struct Step {
        std::int32_t node, bound;
    };
    std::vector<Step> stack_;
    std::int32_t last_leaf_ = 0;
    // The second best row of the last search: as a class grows, its cost can only fall, so the next search has a good
    // row to beat from the start.
    std::int32_t runner_up_ = -1;
    std::int32_t n_free_ = 0;
    std::int64_t n_looked_at_ = 0;
    bool is_given_up_ = false;
};

}  // namespace celosia
