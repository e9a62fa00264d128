// Neighbouring classes in groups: a k-d partition with random preferences, so that every pass has other borders.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "random.hpp"

namespace celosia {

// Classes one after the other: all rows, and where each class ends.
struct Partition {
    std::vector<std::int32_t> rows;
    std::vector<std::size_t> ends;

    std::size_t n_classes() const { return ends.size(); }
    std::size_t begin(std::size_t x) const { return x == 0 ? 0 : ends[x - 1]; }
};

class Grouping {
   public:
    Grouping(const Columns& columns, const Partition& classes, std::size_t n_most_classes, Random random);

    // The classes, group after group, and where each group ends.
    const std::vector<std::size_t>& order() const { return order_; }
    const std::vector<std::size_t>& ends() const { return ends_; }

   private:
    void place(const Columns& columns, const Partition& classes, std::size_t c);
    float spread(std::size_t c, std::size_t begin, std::size_t end) const;
    void cut(std::size_t begin, std::size_t end);

    const std::size_t n_most_classes_;
    Random random_;
    std::vector<bool> is_bag_;
    std::vector<std::vector<float>> places_;  // [column][class], from 0 to 1
    std::vector<std::size_t> order_, ends_;
};

}  // namespace celosia
