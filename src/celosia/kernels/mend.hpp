// Classes that break a demand are mended: rows move in, also in exchange for others, classes are merged, or, within a
// budget, suppressed.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "demands.hpp"
#include "pulse.hpp"

namespace celosia {

struct MendTask {
    const Columns& columns;
    const Demands& demands;
    const std::int32_t* labels;
    std::int64_t n_spare;  // rows that may be suppressed
    bool merges_only;      // no single rows change class: quicker, and loses more
    Pulse& pulse;
    int n_threads;
};

// Labels in which every class satisfies the demands, unless all rows are left in one class that does not; -1 is a
// suppressed row. Each broken class takes the cheapest of: a row that helps from a class that can spare it or takes another
// in return, the class of the nearest row, the class of the nearest row that helps, and being suppressed whole. Labels are numbered anew.
std::vector<std::int32_t> mend(const MendTask& task);

}  // namespace celosia
