// Numbers by pairs of places, 0 where none was set: a flat table if the pairs are few, a hash table otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

class PairTable {
   public:
    static constexpr std::uint64_t most_flat = std::uint64_t{1} << 23;

    PairTable(std::size_t n_rows, std::size_t n_columns)
        : n_columns_(n_columns), is_flat_(static_cast<std::uint64_t>(n_rows) * n_columns <= most_flat) {
        if (is_flat_) {
            values_.assign(n_rows * n_columns, 0);
        } else {
            resize(64);
        }
    }

    bool is_flat() const { return is_flat_; }

    std::int32_t get(std::size_t row, std::size_t column) const {
        const std::uint64_t key = key_of(row, column);
        if (is_flat_) return values_[key];
        const std::size_t slot = slot_of(key);
        return keys_[slot] == key ? values_[slot] : 0;
    }

    void set(std::size_t row, std::size_t column, std::int32_t value) {
        const std::uint64_t key = key_of(row, column);
        if (is_flat_) {
            values_[key] = value;
            return;
        }
        std::size_t slot = slot_of(key);
        if (keys_[slot] != key) {
            if (value == 0) return;
            if (2 * (n_used_ + 1) > keys_.size()) {
                grow();
                slot = slot_of(key);
            }
            keys_[slot] = key;
            ++n_used_;
        }
        values_[slot] = value;
    }

   private:
    static constexpr std::uint64_t nobody = ~std::uint64_t{0};

    std::uint64_t key_of(std::size_t row, std::size_t column) const {
        return static_cast<std::uint64_t>(row) * n_columns_ + column;
    }
    std::size_t slot_of(std::uint64_t key) const {
        std::size_t slot = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> shift_);
        while (keys_[slot] != key && keys_[slot] != nobody) slot = (slot + 1) & (keys_.size() - 1);
        return slot;
    }
    void resize(std::size_t n_slots) {
        keys_.assign(n_slots, nobody);
        values_.assign(n_slots, 0);
        n_used_ = 0;
        shift_ = 64;
        for (std::size_t n = n_slots; n > 1; n /= 2) --shift_;
    }
    // Pairs that are back at 0 are left behind.
    void grow() {
        const std::vector<std::uint64_t> keys = std::move(keys_);
        const std::vector<std::int32_t> values = std::move(values_);
        std::size_t n_live = 0;
        for (const std::int32_t value : values) n_live += value != 0 ? 1 : 0;
        std::size_t n_slots = 64;
        while (n_slots < 4 * (n_live + 1)) n_slots *= 2;
        resize(n_slots);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (values[i] == 0) continue;
            const std::size_t slot = slot_of(keys[i]);
            keys_[slot] = keys[i];
            values_[slot] = values[i];
            ++n_used_;
        }
    }

    std::size_t n_columns_;
    bool is_flat_;
    int shift_ = 64;
    std::size_t n_used_ = 0;
    std::vector<std::uint64_t> keys_;
    std::vector<std::int32_t> values_;
};

}  // namespace celosia
