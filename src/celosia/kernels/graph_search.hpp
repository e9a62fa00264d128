// Attackers who know several items of a row: the smallest set of them that leaves fewer than k candidates.
//
// That is a partial hitting set, hard in general. The search goes through sets of a given size, the items that drop most
// candidates first, and leaves a branch when the best items left cannot drop enough even if they overlapped nowhere. It
// counts its steps, and says so when they are used up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph_holdings.hpp"
#include "pulse.hpp"

namespace celosia {

enum class Found : std::int8_t { no = 0, yes = 1, cut = 2 };

// Per given row: whether some set of at most `size` items leaves fewer than k candidates. n_steps are allowed per row.
std::vector<std::int8_t> search_sets(const Holdings& holdings, std::span<const std::int32_t> rows, std::int64_t k,
                                     std::int64_t size, std::int64_t n_steps, Pulse& pulse, int threads);

// Per given row: how many items it takes if each time the one is taken that drops most candidates, never fewer than the
// smallest set has; 0 where all items leave k, or steps ran out.
std::vector<std::int32_t> greedy_sets(const Holdings& holdings, std::span<const std::int32_t> rows, std::int64_t k,
                                      std::int64_t n_steps, Pulse& pulse, int threads);

// The fewest candidates that at most `size` items of any row leave, where at least floor are always left.
struct Fewest {
    std::int64_t n_candidates;
    bool is_exact;  // otherwise somebody may have fewer
};
Fewest fewest_candidates(const Holdings& holdings, std::int64_t size, std::int64_t known, std::int64_t floor,
                         std::int64_t n_steps, Pulse& pulse, int threads);

// Per given row: how many candidates are left if all its usable items are known ("nothing" is not among them).
std::vector<std::int64_t> cover_counts(const Holdings& holdings, std::span<const std::int32_t> rows, Pulse& pulse,
                                       int threads);

}  // namespace celosia
