// Who holds what, for attackers who know some of it.
//
// A row is a vertex, or several equal ones with their number as its weight. It holds items. Items stand in slots, a row
// holds at most one item of a slot, and rows of different groups share no slot. Where absence is known too, a row
// without an item in a slot of its group counts as holding a further item there, "nothing", which is never stored.
// An item that is not usable fills its slot, but nobody knows of it.
//
// The attacker knows up to l items of somebody: the candidates are the rows of that group which hold them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace celosia {

class Holdings {
   public:
    struct Given {
        std::size_t n_rows, n_items, n_slots, n_groups;
        const std::int64_t* starts;       // of each row in items
        const std::int32_t* items;        // ascending in a row
        const std::int32_t* slots;        // of each item, ascending; or nullptr: each item has its own
        const std::uint8_t* usable;       // each item; or nullptr: all
        const std::int32_t* row_groups;   // or nullptr: one group
        const std::int32_t* slot_groups;  // or nullptr
        const std::int64_t* weights;      // of rows; or nullptr: 1
        bool absence;                     // whether "nothing" is known
    };

    explicit Holdings(const Given& given);

    std::size_t n_rows() const { return given_.n_rows; }
    std::size_t n_items() const { return given_.n_items; }
    std::size_t n_slots() const { return given_.n_slots; }
    std::size_t n_groups() const { return given_.n_groups; }
    bool absence() const { return given_.absence; }
    bool is_plain() const { return given_.slots == nullptr; }

    std::span<const std::int32_t> items(std::size_t row) const {
        return {given_.items + given_.starts[row], given_.items + given_.starts[row + 1]};
    }
    std::span<const std::int32_t> holders(std::size_t item) const {
        return {holders_.data() + holder_starts_[item], holders_.data() + holder_starts_[item + 1]};
    }
    std::span<const std::int32_t> rows_of_group(std::size_t group) const {
        return {group_rows_.data() + group_starts_[group], group_rows_.data() + group_starts_[group + 1]};
    }
    // Only where absence is known; those that most rows fill first.
    std::span<const std::int32_t> slots_of_group(std::size_t group) const {
        return {group_slots_.data() + group_slot_starts_[group], group_slots_.data() + group_slot_starts_[group + 1]};
    }
    std::int32_t slot(std::int32_t item) const {
        return given_.slots == nullptr ? item : given_.slots[item];
    }
    std::int32_t first_item(std::size_t slot) const {
        return given_.slots == nullptr ? static_cast<std::int32_t>(slot) : first_items_[slot];
    }
    bool is_usable(std::int32_t item) const { return given_.usable == nullptr || given_.usable[item] != 0; }
    std::size_t group_of_row(std::size_t row) const {
        return given_.row_groups == nullptr ? 0 : static_cast<std::size_t>(given_.row_groups[row]);
    }
    std::size_t group_of_slot(std::size_t slot) const {
        return given_.slot_groups == nullptr ? 0 : static_cast<std::size_t>(given_.slot_groups[slot]);
    }
    std::int32_t weight(std::size_t row) const {
        return given_.weights == nullptr ? 1 : static_cast<std::int32_t>(given_.weights[row]);
    }
    std::int64_t item_weight(std::size_t item) const { return item_weights_[item]; }
    std::int64_t slot_weight(std::size_t slot) const {
        return given_.slots == nullptr ? item_weights_[slot] : slot_weights_[slot];
    }
    std::int64_t group_weight(std::size_t group) const { return group_weights_[group]; }

    // The item that a row holds in a slot, -1 for nothing.
    std::int32_t held(std::size_t row, std::size_t slot) const;
    // The rows of the slot's group that hold nothing in it.
    std::vector<std::int32_t> rows_without(std::size_t slot) const;

   private:
    void turn_round();
    void weigh();
    void order_slots();

    Given given_;
    std::vector<std::int64_t> holder_starts_, group_starts_, group_slot_starts_;
    std::vector<std::int32_t> holders_, group_rows_, group_slots_, first_items_;
    std::vector<std::int64_t> item_weights_, slot_weights_, group_weights_;
};

}  // namespace celosia
