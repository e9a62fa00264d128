// Some classes with all their rows, laid out for the search by pieces.
//
// The rows of a class lie together, column by column. Beside them stands what is asked for all the time: the box of the
// class, what its loss would be without one of its rows, and (class by class) what a column of all classes looks like,
// so that a row is compared with all of them in one loop.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace celosia {

class ClassSet {
   public:
    // Of the known values of a class; the second ones are the ends without the row at the first.
    struct Ends {
        std::int32_t lowest, second_lowest, highest, second_highest;
    };

    explicit ClassSet(const Columns& columns);

    // Takes over classes, given as rows of the table, class after class, and where each class ends. Every class has
    // room for n_spare rows more, and there may be as many further classes of up to 2 * n_spare rows.
    void load(const std::int32_t* rows, const std::vector<std::size_t>& ends, std::size_t n_spare);

    std::size_t n_classes() const { return sizes_.size(); }
    std::size_t n_most_classes() const { return begins_.size() - 1; }
    std::size_t size(std::size_t x) const { return sizes_[x]; }
    // No class x may have more rows.
    std::size_t capacity(std::size_t x) const { return begins_[x + 1] - begins_[x]; }
    std::size_t largest_capacity() const { return largest_capacity_; }
    std::int32_t loss(std::size_t x) const { return loss_[x]; }
    std::int64_t cost(std::size_t x) const { return static_cast<std::int64_t>(sizes_[x]) * loss_[x]; }

    // The rows of class x in the table, and their values in column c. A bag's codes are numbered anew in each set.
    const std::int32_t* rows(std::size_t x) const { return rows_.data() + begins_[x]; }
    const std::int32_t* lane(std::size_t x, std::size_t c) const { return cells_.data() + lane_begin(x, c); }

    // Adds an empty class.
    std::size_t add_class();
    // A class is rewritten by clear, write for each row, settle.
    void clear(std::size_t x);
    // Takes class x away; the last class gets its number, and has to have room there.
    void remove(std::size_t x);
    void write(std::size_t x, std::size_t i, std::int32_t row, const std::int32_t* values);
    void settle(std::size_t x, std::size_t n_rows);

    // growth[y] = what the loss of class y would grow by with this row, for all y.
    void growth_by_row(const std::int32_t* values, std::int32_t* growth);
    // loss[i] = the loss of class x without its row i. The class must have two rows or more.
    void losses_without(std::size_t x, std::int32_t* loss) const;
    // For all rows j of class y: the loss of x with j in place of its row i, and that of y with i in place of j. Both
    // must have two rows or more.
    void losses_swapped(std::size_t x, std::size_t i, std::size_t y, std::int32_t* loss_x, std::int32_t* loss_y) const;

   private:
    // A class in one column.
    struct Part {
        std::int32_t lowest = 0, second_lowest = 0, highest = 0, second_highest = 0;
        std::int32_t n_known = 0, n_missing = 0;
        std::int32_t n_distinct = 0;  // bags
        std::uint64_t codes = 0;      // bags of few codes
        std::int32_t loss = 0;

        Ends ends() const { return {lowest, second_lowest, highest, second_highest}; }
    };
    // One column of all classes, read by the loops over classes. A class of known values only has plain = all bits set, one of missing values only has
    // unknown = full; both are zero in a class with both, which has lost everything already.
    struct Lane {
        std::vector<std::int32_t> lowest, highest, loss, plain, unknown;
        std::vector<std::uint8_t> has;  // bags: [code * n_most_classes + x], how many rows: 0, 1, or 2 for more
        std::int32_t n_codes = 0;
        bool is_simple = false;  // short loops without a question about missing values do
    };

    Part& part(std::size_t x, std::size_t c) { return parts_[x * n_columns_ + c]; }
    const Part& part(std::size_t x, std::size_t c) const { return parts_[x * n_columns_ + c]; }
    std::size_t lane_begin(std::size_t x, std::size_t c) const {
        return begins_[x] * n_columns_ + c * capacity(x);
    }
    const std::int32_t* alone(std::size_t x, std::size_t c) const { return alone_.data() + lane_begin(x, c); }
    void make_room(const std::vector<std::size_t>& ends, std::size_t n_spare);
    void copy_cells(std::size_t x, const std::int32_t* rows, std::size_t n);
    void number_codes(std::size_t c, const std::int32_t* rows, std::size_t n);
    void summarise_line(std::size_t x, std::size_t c, std::size_t n);
    void summarise_bag(std::size_t x, std::size_t c, std::size_t n);
    std::int32_t loss_of(std::size_t c, const Part& part) const;
    Part changed(std::size_t x, std::size_t c, const std::int32_t* out, const std::int32_t* in) const;
    void trees_swapped(std::size_t c, const std::int32_t* cells, Ends ends, std::int32_t incoming, std::int32_t first,
                       std::int32_t last, std::int32_t* loss_x, std::int32_t* loss_y, std::size_t n) const;
    void known_growth(std::size_t c, std::int32_t value, std::int32_t* growth) const;
    std::size_t has_at(std::size_t x, std::int32_t code) const {
        return static_cast<std::size_t>(code) * n_most_classes() + x;
    }

    const Columns& columns_;
    const std::size_t n_columns_;
    std::vector<std::size_t> begins_{0};
    std::size_t largest_capacity_ = 0;
    std::vector<std::size_t> sizes_;
    std::vector<std::int32_t> loss_;
    std::vector<std::int32_t> rows_, cells_;
    std::vector<std::int32_t> alone_;  // bags: all bits set if the row alone has its code in the class
    std::vector<Part> parts_;
    std::vector<Lane> lanes_;
    std::vector<std::vector<std::int32_t>> number_of_code_;
    std::vector<std::vector<std::uint32_t>> last_load_;
    std::uint32_t n_loads_ = 0;
    mutable std::vector<std::int32_t> own_;
    std::vector<std::int32_t> known_;
};

}  // namespace celosia
