#include "mdav.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "centre.hpp"
#include "point_tree.hpp"

namespace celosia {

namespace {

// Squares of cells below this, and their weighted sums, are far from overflow.
constexpr double greatest_cell = 1e100;

void check_blocks(const MdavTask& task) {
    std::int64_t begin = 0;
    for (std::size_t block = 0; block < task.n_blocks; ++block) {
        if (task.ends[block] - begin < task.k) throw std::invalid_argument("a block has fewer than k rows");
        begin = task.ends[block];
    }
    if (begin != static_cast<std::int64_t>(task.n_rows)) throw std::invalid_argument("the last block must end the rows");
}

void check(const MdavTask& task) {
    if (task.k < 2) throw std::invalid_argument("k is below 2");
    if (task.n_columns == 0 || task.n_numbers > task.n_columns)
        throw std::invalid_argument("there must be a column, and no more weights than columns");
    check_blocks(task);
    for (std::size_t c = 0; c < task.n_numbers; ++c) {
        if (!(task.weights[c] >= 0 && task.weights[c] < greatest_cell))
            throw std::invalid_argument("a weight is negative or too great");
    }
    for (std::size_t i = 0; i < task.n_rows * task.n_columns; ++i) {
        if (!(std::abs(task.cells[i]) < greatest_cell)) throw std::invalid_argument("a cell is no number, or too great");
    }
}

// The rows of one block. Labels of rows without a group are negative: at the lowest such row of a point it is minus the
// number of rows that the point still stands for.
class Block {
   public:
    Block(const MdavTask& task, double* cells, std::int32_t n_rows, std::int32_t* labels, std::int32_t first_label)
        : task_(task),
          labels_(labels),
          n_rows_(n_rows),
          n_left_(n_rows),
          next_label_(first_label),
          centre_(cells, static_cast<std::size_t>(n_rows), task.n_numbers, task.n_columns),
          tree_({task.weights, task.n_numbers, task.n_columns}, cells, gather_points(cells), labels),
          middle_(task.n_columns),
          given_(task.n_columns) {}

    // Returns the next label that is free.
    std::int32_t group() {
        while (n_left_ >= 3 * std::int64_t{task_.k}) {
            group_around(tree_.furthest_from_centre(centre_.cells()));
            group_around(tree_.furthest(middle_.data()));
            task_.pulse.advance(2 * std::int64_t{task_.k});
            task_.pulse.check();
        }
        if (n_left_ >= 2 * std::int64_t{task_.k}) group_around(tree_.furthest_from_centre(centre_.cells()));
        task_.pulse.advance(n_left_);
        std::replace_if(labels_, labels_ + n_rows_, [](std::int32_t label) { return label < 0; }, next_label_);
        return next_label_ + 1;
    }

   private:
    // Brings the cells of points, each the first of equal rows, to the front; returns these rows.
    std::vector<std::int32_t> gather_points(double* cells) {
        const std::size_t width = task_.n_columns;
        std::vector<std::int32_t> rows;
        rows.reserve(static_cast<std::size_t>(n_rows_));
        double* last = cells;
        for (std::int32_t row = 0; row < n_rows_; ++row) {
            const double* own = cells + static_cast<std::size_t>(row) * width;
            if (row > 0 && std::equal(own, own + width, last)) {
                --labels_[rows.back()];
                continue;
            }
            last = cells + rows.size() * width;
            std::copy_n(own, width, last);
            rows.push_back(row);
        }
        return rows;
    }

    void group_around(const Found& middle) {
        tree_.copy_cells(middle, middle_.data());
        give(middle, 1);
        std::int32_t n_wanted = task_.k - 1;
        for (const Found& found : tree_.nearest(middle_.data(), n_wanted)) {
            const std::int32_t n = std::min(n_wanted, -labels_[found.point]);
            give(found, n);
            n_wanted -= n;
        }
        ++next_label_;
        n_left_ -= task_.k;
    }

    // Gives some rows of a point, the lowest first, to the group that is being made.
    void give(const Found& found, std::int32_t n) {
        tree_.copy_cells(found, given_.data());
        const std::int32_t n_kept = -labels_[found.point] - n, next_row = found.point + n;
        for (std::int32_t row = found.point; row < next_row; ++row) {
            labels_[row] = next_label_;
            centre_.take(given_.data());
        }
        if (n_kept == 0) {
            tree_.remove(found);
        } else {
            labels_[next_row] = -n_kept;
            tree_.move_up(found, next_row);
        }
    }

    const MdavTask& task_;
    std::int32_t* labels_;
    std::int32_t n_rows_, n_left_;
    std::int32_t next_label_;
    Centre centre_;
    PointTree tree_;
    std::vector<double> middle_;  // the cells around which the last group was made
    std::vector<double> given_;
};

}  // namespace

std::vector<std::int32_t> mdav(const MdavTask& task) {
    check(task);
    const std::size_t n_rows = task.n_rows;
    task.pulse.begin(static_cast<std::int64_t>(n_rows));
    std::vector<std::int32_t> labels(n_rows, -1);
    std::int32_t begin = 0, next_label = 0;
    for (std::size_t i = 0; i < task.n_blocks; ++i) {
        const std::int32_t n = task.ends[i] - begin;
        const auto first = static_cast<std::size_t>(begin);
        if (n < 2 * std::int64_t{task.k}) {
            std::fill_n(labels.begin() + begin, n, next_label++);
            task.pulse.advance(n);
        } else {
            Block block(task, task.cells + first * task.n_columns, n, labels.data() + first, next_label);
            next_label = block.group();
        }
        task.pulse.check();
        begin = task.ends[i];
    }
    return labels;
}

}  // namespace celosia
