// Who the rows are about: with subjects, k counts people and not rows.
#pragma once

#include <cstdint>
#include <vector>

namespace celosia {

// How many distinct subjects are left among the free rows. Without subjects every row is a person of its own.
class Subjects {
   public:
    // codes: a code in 0..n_rows-1 per row, or null.
    Subjects(const std::int32_t* codes, std::int32_t n_rows);

    bool given() const { return codes_ != nullptr; }
    const std::int32_t* codes() const { return codes_; }
    std::int32_t of(std::int32_t row) const { return codes_ == nullptr ? row : codes_[row]; }

    std::int32_t n_distinct() const { return n_distinct_; }
    // Free rows of the row's subject that are left once the row is taken.
    std::int32_t take(std::int32_t row);

   private:
    const std::int32_t* codes_;
    std::int32_t n_distinct_;
    std::vector<std::int32_t> n_free_rows_;
};

}  // namespace celosia
