// Tuples whose codes stand side by side in a few words, so that two are compared in columns known to both at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "distinct_tuples.hpp"

namespace celosia {

class PackedTuples {
   public:
    explicit PackedTuples(const DistinctTuples& tuples);

    std::size_t n_words() const { return codes_.size(); }
    std::size_t size() const { return n_rows_.size(); }
    // A word of every tuple: its codes, and ones in the bits of columns that are known.
    const std::uint64_t* codes(std::size_t word) const { return codes_[word].data(); }
    const std::uint64_t* known(std::size_t word) const { return known_[word].data(); }
    const std::int64_t* n_rows() const { return n_rows_.data(); }

    // Ones, word by word, in the bits of a set of columns (the lowest bit is the first; at most 64 columns).
    std::vector<std::uint64_t> masks(std::uint64_t set) const;

    // Whether two tuples agree wherever both are known.
    bool match(std::size_t one, std::size_t other) const {
        for (std::size_t w = 0; w < codes_.size(); ++w) {
            if (((codes_[w][one] ^ codes_[w][other]) & known_[w][one] & known_[w][other]) != 0) return false;
        }
        return true;
    }

    // Puts the tuples in another order.
    void reorder(const std::vector<std::int32_t>& order);

   private:
    std::vector<std::vector<std::uint64_t>> codes_, known_;  // [word]
    std::vector<std::int64_t> n_rows_;
    struct Place {
        std::size_t word;
        std::uint64_t ones;
    };
    std::vector<Place> places_;  // of each column
};

}  // namespace celosia
