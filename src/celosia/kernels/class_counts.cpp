#include "class_counts.hpp"

#include <algorithm>
#include <bit>

#include "random.hpp"

namespace celosia {

ClassCounts::ClassCounts(const Tuples& tuples)
    : tuples_(tuples),
      keys_(tuples.size()),
      slots_(std::bit_ceil(2 * tuples.size() + 1)),
      slot_of_(tuples.size()) {
    for (const auto& codes : tuples.codes)
        n_codes_.push_back(static_cast<std::size_t>(*std::max_element(codes.begin(), codes.end())) + 1);
}

std::int64_t ClassCounts::n_rows_below(const Scheme& scheme, std::int64_t least) {
    least_ = least;
    std::fill(keys_.begin(), keys_.end(), 0);
    for (std::size_t j = 0; j < scheme.size(); ++j) {
        if (scheme[j].n_groups == 1) continue;
        const std::vector<std::int32_t>& codes = tuples_.codes[j];
        numbers_.resize(n_codes_[j]);
        for (std::size_t code = 0; code < n_codes_[j]; ++code) {
            const auto group = static_cast<std::uint64_t>(scheme[j].groups[code]);
            numbers_[code] = Random((static_cast<std::uint64_t>(j) << 32) + group).next();
        }
        for (std::size_t tuple = 0; tuple < codes.size(); ++tuple)
            keys_[tuple] += numbers_[static_cast<std::size_t>(codes[tuple])];
    }
    std::fill(slots_.begin(), slots_.end(), Slot{});
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t tuple = 0; tuple < keys_.size(); ++tuple) {
        std::size_t at = static_cast<std::size_t>(keys_[tuple] >> 20) & mask;
        while (slots_[at].n_rows > 0 && slots_[at].key != keys_[tuple]) at = (at + 1) & mask;
        slots_[at].key = keys_[tuple];
        slots_[at].n_rows += tuples_.weights[tuple];
        slot_of_[tuple] = static_cast<std::uint32_t>(at);
    }
    std::int64_t n_below = 0;
    for (const Slot& slot : slots_) {
        if (slot.n_rows < least) n_below += slot.n_rows;
    }
    return n_below;
}

}  // namespace celosia
