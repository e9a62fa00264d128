// How many rows stand in classes that are too small, without sorting the tuples into classes.
//
// Every value that is published gets a random number; a class is known by the sum of its numbers. Two classes are taken
// for one once in about 2^64 times: a search may be led by it, and somebody else judges what it finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ladders.hpp"
#include "recoder.hpp"

namespace celosia {

class ClassCounts {
   public:
    explicit ClassCounts(const Tuples& tuples);

    // Rows in classes of fewer than `least` rows.
    std::int64_t n_rows_below(const Scheme& scheme, std::int64_t least);
    // Whether a tuple stood in one of these.
    bool is_below(std::size_t tuple) const { return slots_[slot_of_[tuple]].n_rows < least_; }

   private:
    struct Slot {
        std::uint64_t key = 0;
        std::int64_t n_rows = 0;  // 0: free
    };

    const Tuples& tuples_;
    std::vector<std::size_t> n_codes_;    // [column]
    std::vector<std::uint64_t> keys_;     // [tuple]
    std::vector<std::uint64_t> numbers_;  // [code] of one column
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> slot_of_;  // [tuple]
    std::int64_t least_ = 0;
};

}  // namespace celosia
