// How often each value stands in a class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

class Histogram {
   public:
    explicit Histogram(std::size_t n_values) : counts_(n_values, 0), place_(n_values, 0) {}

    void clear();
    void add(std::int32_t value, std::int32_t times = 1);
    void remove(std::int32_t value);
    // Until the next change: as if the class were so many times as large, and the value came once more.
    void imagine(std::int32_t value, double times);
    void forget_imagined();

    double size() const { return size_ * times_ + (imagined_ >= 0 ? 1.0 : 0.0); }
    double count(std::size_t value) const {
        return counts_[value] * times_ + (imagined_ == static_cast<std::int32_t>(value) ? 1.0 : 0.0);
    }
    std::int32_t n_rows() const { return size_; }
    // The values that the class has, in no order.
    const std::vector<std::int32_t>& present() const { return present_; }
    // For the measures: sorted copies and the like.
    mutable std::vector<std::int32_t> values;
    mutable std::vector<double> amounts;

   private:
    std::vector<std::int32_t> counts_;
    std::vector<std::int32_t> place_;  // in present_
    std::vector<std::int32_t> present_;
    std::int32_t size_ = 0, imagined_ = -1;
    double times_ = 1.0;
};

}  // namespace celosia
