// One cut of Mondrian: which column, where, and the rows moved to their sides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "demands.hpp"
#include "mondrian.hpp"

namespace celosia {

struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};

// Left are the values below `border`, and the first `n_of_border` rows that hold the border itself.
struct Cut {
    std::int32_t border;
    std::size_t n_of_border;
    std::size_t n_left;
};

// A set of small integers that is emptied in no time.
class Marks {
   public:
    explicit Marks(std::size_t size) : round_of_(size, 0) {}
    void clear() {
        if (++round_ == 0) {
            std::fill(round_of_.begin(), round_of_.end(), 0U);
            round_ = 1;
        }
    }
    // Whether it was not yet in.
    bool insert(std::size_t i) {
        const bool fresh = round_of_[i] != round_;
        round_of_[i] = round_;
        return fresh;
    }

   private:
    std::vector<std::uint32_t> round_of_;
    std::uint32_t round_ = 0;
};

// What a thread needs for itself.
struct Desk {
    Marks codes;
    Judge judge;
    std::vector<std::pair<std::int32_t, std::size_t>> columns_by_loss;
    std::vector<Cut> cuts;
};

// The table in the order of the parts. Parts never overlap, so threads share it without locks.
class Splitter {
   public:
    explicit Splitter(const MondrianTask& task);

    // Reorders the part and gives the place of the cut, or nothing if the part has to stay whole.
    std::optional<std::size_t> split(const Part& part, Desk& desk);
    Desk make_desk() const;
    std::int32_t row_at(std::size_t place) const { return rows_[place]; }

   private:
    std::int32_t loss(std::size_t c, const Part& part, Desk& desk) const;
    std::int32_t bag_loss(const Column& column, const std::int32_t* values, std::size_t n, Marks& codes) const;
    std::optional<Cut> find_cut(std::size_t c, const Part& part, bool halve, Desk& desk);
    std::optional<Cut> cut_at_median(std::size_t c, const Part& part, bool halve, Desk& desk);
    std::optional<Cut> cut_tree(std::size_t c, const Part& part, Desk& desk);
    void list_borders(std::size_t c, const Part& part, Desk& desk);
    bool is_allowed(std::size_t c, const Part& part, const Cut& cut, Desk& desk) const;
    bool is_sound(std::size_t c, const Part& part, const Cut& cut, bool left, Desk& desk) const;
    void carry_out(std::size_t c, const Part& part, const Cut& cut);

    const MondrianTask& task_;
    const std::size_t n_least_;
    std::vector<Buffer<std::int32_t>> values_;
    Buffer<std::int32_t> rows_, spare_;
    Buffer<std::uint8_t> left_;
};

}  // namespace celosia
