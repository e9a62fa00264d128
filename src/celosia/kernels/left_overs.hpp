// The rows that are left when no further class can be grown.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "pulse.hpp"
#include "team.hpp"

namespace celosia {

// Gives each of `rows`, in their order, to the class whose total loss (size * loss) grows least; ties go to the lowest
// label. Rows not in `rows` must have a label in 0..n_classes-1 already.
void place_left_overs(const Columns& columns, const std::vector<std::int32_t>& rows, std::int32_t n_classes,
                      std::vector<std::int32_t>& labels, Pulse& pulse, Team& team);

}  // namespace celosia
