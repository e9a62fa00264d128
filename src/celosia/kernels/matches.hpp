// How many rows a row may be confused with, if a missing cell may hold anything.
#pragma once

#include <cstdint>
#include <vector>

#include "pulse.hpp"
#include "subsets.hpp"

namespace celosia {

// Two rows match if they agree in every column where both are known. Returns for each row how many rows match it,
// itself included; with subjects (a code per row) how many distinct subjects those rows have.
std::vector<std::int64_t> match_counts(const CodeTable& table, const std::int32_t* subjects, Pulse& pulse, int threads);

}  // namespace celosia
