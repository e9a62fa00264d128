// The levels on which whole columns can be published, what that costs, and the rows as distinct tuples with weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "demands.hpp"

namespace celosia {

// One column. Codes are 0, 1, ...; a missing value has a code like any other.
struct Ladder {
    std::vector<std::int32_t> codes;     // per row
    std::size_t n_codes = 0, n_levels = 0;
    std::vector<std::int32_t> groups;    // [level][code]: rows of one group are published alike
    std::vector<std::int32_t> n_groups;  // per level
    std::vector<std::int64_t> costs;     // [level][code] of one row
    // [code] of one suppressed row. A search proves what it finds only if no level costs more.
    std::vector<std::int64_t> lost;

    const std::int32_t* groups_at(std::size_t level) const { return groups.data() + level * n_codes; }
    const std::int64_t* costs_at(std::size_t level) const { return costs.data() + level * n_codes; }
};

class Ladders {
   public:
    explicit Ladders(std::int64_t n_rows);

    // Groups of a level lie within groups of the level above it.
    void add(const std::int32_t* codes, std::size_t n, const std::int32_t* groups, const std::int64_t* costs,
             const std::int64_t* lost, std::size_t n_levels, std::size_t n_codes);

    std::int32_t n_rows() const { return n_rows_; }
    const std::vector<Ladder>& columns() const { return columns_; }

   private:
    std::int32_t n_rows_;
    std::vector<Ladder> columns_;
};

// How often each code of one demand stands in each tuple.
struct Counted {
    std::size_t n_codes = 0;
    std::vector<std::size_t> starts;  // per tuple, and the end
    std::vector<std::int32_t> codes, counts;
};

// Rows that are equal in all columns are one tuple.
struct Tuples {
    // Counted for every demand.
    Tuples(const Ladders& ladders, const std::vector<const Demand*>& demands);

    std::size_t size() const { return weights.size(); }

    std::int64_t n_rows = 0;
    std::vector<std::int32_t> weights;             // rows per tuple
    std::vector<std::vector<std::int32_t>> codes;  // [column][tuple]
    std::vector<Counted> counted;                  // per demand
    std::vector<std::int32_t> tuple_of;            // per row
};

}  // namespace celosia
