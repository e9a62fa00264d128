// What a class of rows has become in every column, and what one more row would cost it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace celosia {

class ClassBox {
   public:
    enum class State : std::uint8_t { empty, known, missing, mixed };

    struct Part {
        State state = State::empty;
        std::int32_t lowest = 0, highest = 0;  // of the known values; a bag needs neither
        std::int32_t loss = 0;
        // Bags: the buckets (bucket_of) of the codes that the class has.
        std::uint64_t buckets = 0;
    };

    explicit ClassBox(const Columns& columns);

    void clear();
    // A row, given by its value in every column.
    void absorb(const std::int32_t* values);
    // The same in one column only.
    void clear(std::size_t c);
    void absorb(std::size_t c, std::int32_t value);

    std::int32_t loss() const { return loss_; }
    const Part& part(std::size_t c) const { return parts_[c]; }
    bool has_code(std::size_t c, std::int32_t code) const {
        return class_of_code_[c][static_cast<std::size_t>(code)] == n_classes_[c];
    }

    // By how much the loss in column c would grow with this value (which may be missing).
    std::int32_t growth(std::size_t c, std::int32_t value) const;

   private:
    std::int32_t extended_loss(std::size_t c, std::int32_t value) const;

    const Columns& columns_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::uint32_t>> class_of_code_;  // bags: the last class that had the code
    std::vector<std::uint32_t> n_classes_;
    std::int32_t loss_ = 0;
};

// What some places of a column, numbered in `among`, lose together. The box's part c is overwritten.
std::int32_t loss_among(const Column& column, const std::int32_t* values, const std::vector<std::int32_t>& among,
                        ClassBox& box, std::size_t c);

// One of 64 buckets of a bag's codes. With at most 64 values every code has its own.
inline std::uint64_t bucket_of(const Column& column, std::int32_t code) {
    const auto n = static_cast<std::uint64_t>(column.n_values);
    const auto own = static_cast<std::uint64_t>(code);
    return std::uint64_t{1} << (n <= 64 ? own : own * 64 / n);
}

}  // namespace celosia
