// Who the rows are about: with subjects, k counts people and not rows.
#pragma once

#include <cstdint>
#include <vector>

namespace celosia {

// How many distinct subjects are left among the free rows. Without subjects every row is a person of its own.
class Subjects {
   public:
    // codes: not negative, one per row; or null.
    Subjects(const std::int32_t* codes, std::int32_t n_rows);

    // Throws unless a class of k subjects can be made at all.
    void check(std::int32_t k) const;

    bool given() const { return !codes_.empty(); }
    // Codes below the number of rows; empty without subjects.
    const std::vector<std::int32_t>& codes() const { return codes_; }

    std::int32_t n_distinct() const { return n_distinct_; }
    // How many free rows of the row's subject are left once the row is taken.
    std::int32_t take(std::int32_t row);

   private:
    std::vector<std::int32_t> codes_;
    std::int32_t n_distinct_;
    std::vector<std::int32_t> n_free_rows_;
};

}  // namespace celosia
