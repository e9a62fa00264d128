// Classes that somebody else has found wanting are merged with their nearest neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "pulse.hpp"

namespace celosia {

struct MergeTask {
    const Columns& columns;
    const std::int32_t* labels;  // negative: not in any class
    const std::vector<std::int32_t>& wanting;
    std::int64_t n_spare;  // rows that may be suppressed
    Pulse& pulse;
};

// Each of the wanting classes is merged with the class of the row that costs it least, or suppressed (-1) where that
// costs less and the spare rows suffice. A class that has just taken one in is not merged any further. Labels are
// numbered anew.
std::vector<std::int32_t> merge_nearest(const MergeTask& task);

}  // namespace celosia
