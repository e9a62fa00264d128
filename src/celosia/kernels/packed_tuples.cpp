#include "packed_tuples.hpp"

#include <algorithm>
#include <bit>

namespace celosia {

PackedTuples::PackedTuples(const DistinctTuples& tuples) : n_rows_(tuples.n_rows.begin(), tuples.n_rows.end()) {
    int n_used = 64;  // bits of the last word; no column straddles two
    for (const DenseColumn& column : tuples.columns) {
        const int n_bits = std::bit_width(static_cast<std::uint32_t>(column.n_codes - 1));
        places_.push_back({0, 0});
        if (n_bits == 0) continue;  // nobody knows it
        if (n_used + n_bits > 64) {
            codes_.emplace_back(tuples.size(), 0);
            known_.emplace_back(tuples.size(), 0);
            n_used = 0;
        }
        const std::uint64_t ones = (std::uint64_t{1} << n_bits) - 1;
        places_.back() = {codes_.size() - 1, ones << n_used};
        for (std::size_t i = 0; i < tuples.size(); ++i) {
            const auto code = static_cast<std::uint64_t>(column.codes[i]);
            codes_.back()[i] |= code << n_used;
            known_.back()[i] |= (code != 0 ? ones : 0) << n_used;
        }
        n_used += n_bits;
    }
}

std::vector<std::uint64_t> PackedTuples::masks(std::uint64_t set) const {
    std::vector<std::uint64_t> masks(codes_.size(), 0);
    for (; set != 0; set &= set - 1) {
        const Place& place = places_[static_cast<std::size_t>(std::countr_zero(set))];
        if (place.ones != 0) masks[place.word] |= place.ones;
    }
    return masks;
}

void PackedTuples::reorder(const std::vector<std::int32_t>& order) {
    const auto apply = [&order](auto& values) {
        auto moved = values;
        std::transform(order.begin(), order.end(), moved.begin(),
                       [&values](std::int32_t i) { return values[static_cast<std::size_t>(i)]; });
        values = std::move(moved);
    };
    for (auto& word : codes_) apply(word);
    for (auto& word : known_) apply(word);
    apply(n_rows_);
}

}  // namespace celosia
