// MDAV (Domingo-Ferrer & Mateo-Sanz, 2002): groups of k rows made at the two ends of what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace celosia {

struct MdavTask {
    double* cells;          // [row * n_columns + column]: numbers first, then codes; left in another order
    const double* weights;  // one for each column of numbers: 1 / variance
    std::size_t n_numbers;
    std::size_t n_rows;
    std::size_t n_columns;
    const std::int32_t* ends;  // where each block ends: its rows are grouped apart from all others
    std::size_t n_blocks;
    std::int32_t k;
    Pulse& pulse;
};

// Labels in the order in which the groups were made; each has k to 2k - 1 rows. Squared distances are the weighted
// squared differences of numbers plus 1 for each code that differs. The centre of rows is the mean of each number, the
// most frequent of codes (the lowest of several). Ties go to the lowest row.
//
// While 3k rows or more are left: r is the row furthest from the centre of all that are left, and forms a group with
// the k - 1 rows nearest to it; s is, of the others, the one furthest from r, and does so too. Of 2k to 3k - 1 rows the
// furthest from the centre forms a group, the others another; fewer than 2k are one.
//
// Equal rows that follow each other are one point: whoever sorts the rows saves time.
std::vector<std::int32_t> mdav(const MdavTask& task);

}  // namespace celosia
