// The rows of an order in the pieces between which a cut may be worth while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "subjects.hpp"

namespace celosia {

// Where rows are people, each row is a piece. With subjects, a person may have many equal rows on end (all of a
// panel's rows, say), and all of them but the first and the last are one piece, if k > 1.
//
// No best cut is lost. Let m equal rows of one person be cut after i of them, 1 < i < m - 1; since k > 1 there is no
// other cut among them. The classes on both sides keep their losses L and M and their people while i stays within
// 1..m-1, so that the total grows by L - M for each row moved to the left. It is least at an end, or L = M and the end
// m - 1 is as good and makes the later class shorter, which decides ties.
class Pieces {
   public:
    Pieces(const Columns& columns, const std::int32_t* order, const Subjects& subjects, std::int32_t k);

    std::size_t size() const { return rows_.size(); }
    // One row of each piece.
    const std::vector<std::int32_t>& rows() const { return rows_; }
    // The first place of a piece in the order; for size(), the number of rows.
    std::int32_t place(std::size_t piece) const { return places_[piece]; }
    std::int32_t n_rows(std::size_t begin, std::size_t end) const { return places_[end] - places_[begin]; }

   private:
    std::vector<std::int32_t> rows_, places_;
};

}  // namespace celosia
