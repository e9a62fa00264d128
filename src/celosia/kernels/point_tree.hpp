// Points in a k-d tree from which they are taken away: finds the nearest and the furthest without looking at most.
//
// The squared distance of two points is the sum, column by column, of (difference * difference) * weight over numbers,
// then of 1 for each code that differs. A bound is computed in the same order from the side of a box, and rounding
// keeps order, so that no bound is on the wrong side of a distance it stands for: the answers are those of a scan over
// all points, to the last bit, however the tree was cut. Ties go to the lowest point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

struct Metric {
    const double* weights;  // of the numbers, which come first; none is negative
    std::size_t n_numbers;
    std::size_t n_columns;  // the others hold codes
};

struct Found {
    double distance;     // squared
    std::int32_t point;  // its lowest row
    std::int32_t leaf;   // where it is, until it is removed
};

class PointTree {
   public:
    // cells[point * n_columns + column] and rows[point], the lowest row of each point, ascending. Cells stay with the
    // caller, but come into the order of the tree. stock[row], for the lowest row of a point, is minus the number of
    // rows that it stands for.
    PointTree(const Metric& metric, double* cells, std::vector<std::int32_t> rows, const std::int32_t* stock);

    // The point that is furthest from another.
    Found furthest(const double* from);
    // The same from a centre that moves little from one call to the next: what was far is looked at first, and nothing
    // else before the centre has come a way that could have made it the furthest.
    Found furthest_from_centre(const double* centre);
    // The nearest points that stand for so many rows together (for all that are left, if they are fewer), in order.
    const std::vector<Found>& nearest(const double* from, std::int32_t wanted);
    void copy_cells(const Found& found, double* to) const;
    // For a point that has lost its lowest rows; it stays below the points that were above it.
    void move_up(const Found& found, std::int32_t lowest_row);
    void remove(const Found& found);

   private:
    static constexpr std::int32_t leaf_size = 16;

    struct Node {
        std::int32_t begin, end;  // slots; the end of a leaf moves as points go
        std::int32_t parent;
        std::int32_t left;        // the right child is the one after it; -1: a leaf
        std::int32_t lowest_row;  // when the tree was made
        std::int32_t stride;      // of a leaf's cells: how many points it had when the tree was made
        // By the numbers alone, no point here is further from the centre than this plus all the way the centre has gone.
        double reach;

        bool is_leaf() const { return left < 0; }
    };

    Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
    const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
    // Cuts points into nodes; returns which of them each slot holds.
    std::vector<std::int32_t> cut(std::size_t n_points);
    void measure_points(std::int32_t node, const std::vector<std::int32_t>& points);
    void split(std::int32_t node, std::vector<std::int32_t>& points);
    std::size_t widest_column(std::int32_t node) const;
    void bring_in_order(std::vector<std::int32_t> points);
    void finish_leaf(Node& leaf);
    void measure_leaf(std::int32_t node);
    // Whether that changed the box.
    bool unite_children(std::int32_t node);
    // Column by column.
    double* cells_of(const Node& leaf) const {
        return cells_ + static_cast<std::size_t>(leaf.begin) * metric_.n_columns;
    }
    std::int32_t row_of(std::int32_t slot) const { return row_of_slot_[static_cast<std::size_t>(slot)]; }
    std::int32_t n_rows_of(std::int32_t point) const { return -stock_[point]; }
    std::ptrdiff_t place_of(const Found& found) const;
    bool is_empty(std::int32_t node) const { return lowest(node)[0] > highest(node)[0]; }
    double* lowest(std::int32_t node) { return boxes_.data() + static_cast<std::size_t>(node) * 2 * metric_.n_columns; }
    double* highest(std::int32_t node) { return lowest(node) + metric_.n_columns; }
    const double* lowest(std::int32_t node) const {
        return boxes_.data() + static_cast<std::size_t>(node) * 2 * metric_.n_columns;
    }
    const double* highest(std::int32_t node) const { return lowest(node) + metric_.n_columns; }
    double least_distance(std::int32_t node, const double* from) const;
    double greatest_distance(std::int32_t node, const double* from) const;
    double greatest_distance_from_centre(std::int32_t node) const;

    // Distances of a leaf's points from where the search is; returns the greatest by the numbers alone.
    double measure_distances(const Node& leaf);
    void look_for_nearest(std::int32_t node);
    void look_for_furthest(std::int32_t node);
    void look_around_centre(std::int32_t node);
    void offer_far_points(std::int32_t node);
    void offer_near_points(std::int32_t node);
    bool cannot_hold_further(const Node& node, double bound) const {
        return bound < best_.distance || (bound == best_.distance && node.lowest_row > best_.point);
    }
    bool cannot_hold_nearer(const Node& node, double bound) const {
        return n_near_ >= wanted_ && (bound > near_.back().distance ||
                                      (bound == near_.back().distance && node.lowest_row > near_.back().point));
    }
    void move_centre(const double* centre);

    const Metric metric_;
    double* cells_;                          // leaf by leaf, in it column by column
    std::vector<std::int32_t> row_of_slot_;  // the lowest row of the point there
    const std::int32_t* stock_;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;              // [node]: the lowest of each column, then the highest
    std::vector<double> centre_;
    double way_ = 0;                         // how far the centre has gone in all, rounded up
    double distances_[leaf_size];
    // The search that is going on.
    const double* from_ = nullptr;
    Found best_{};
    std::vector<Found> near_;
    std::int32_t wanted_ = 0, n_near_ = 0;
};

}  // namespace celosia
