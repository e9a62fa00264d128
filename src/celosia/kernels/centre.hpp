// The centre of rows that go one by one: means that do not drift, and most frequent codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace celosia {

// The sum of numbers as a whole number of steps of 2^-62 of the greatest one, in two words of which each holds 2^31
// addends: adding and taking away leave no trace, in whatever order. Numbers with fewer binary digits are exact.
class ExactSum {
   public:
    // No addend is greater in absolute value.
    explicit ExactSum(double greatest);

    void add(double value) { change(value, 1); }
    void take(double value) { change(value, -1); }
    // The sum rounded once.
    double value() const;

   private:
    void change(double value, std::int64_t sign);

    double to_high_, from_low_;
    std::int64_t high_ = 0, low_ = 0;
};

// The most frequent code, of several the lowest.
class FallingMode {
   public:
    explicit FallingMode(std::vector<double> codes);

    void take(double code);
    double code();

   private:
    std::vector<double> codes_;  // ascending
    std::vector<std::int32_t> counts_;
    std::vector<std::pair<std::int32_t, std::int32_t>> heap_;  // a count, which may have fallen since, and -place
};

class Centre {
   public:
    // Cells as in MdavTask.
    Centre(const double* cells, std::size_t n_rows, std::size_t n_numbers, std::size_t n_columns);

    void take(const double* row);
    // Until the next call.
    const double* cells();

   private:
    std::size_t n_rows_;
    std::vector<ExactSum> sums_;
    std::vector<FallingMode> modes_;
    std::vector<double> cells_;
};

}  // namespace celosia
