// Matching tuples counted by their patterns of missing cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "packed_tuples.hpp"
#include "pulse.hpp"

namespace celosia {

// Tuples that are missing in the same columns stand together; any two such patterns share columns that both know, and
// a table of the codes there counts all pairs in time linear in their tuples. Good where patterns are few.
class PatternJoin {
   public:
    explicit PatternJoin(const PackedTuples& tuples);

    std::size_t n_patterns() const { return begins_.size() - 1; }
    // For each tuple, the rows that match it.
    std::vector<std::int64_t> counts(Pulse& pulse, int threads);

   private:
    class Worker;

    PackedTuples tuples_;
    std::vector<std::int32_t> order_;   // place -> tuple
    std::vector<std::size_t> begins_;   // of each pattern, those of most tuples first, and the end
};

}  // namespace celosia
