#include "centre.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace celosia {

namespace {

constexpr int word_bits = 31;
constexpr double word = 2147483648.0;  // 2^31

}  // namespace

ExactSum::ExactSum(double greatest) {
    int exponent = 0;
    std::frexp(greatest, &exponent);       // greatest < 2^exponent
    exponent = std::max(exponent, -512);  // what is smaller has squares of 0
    to_high_ = std::ldexp(1.0, word_bits - exponent);
    from_low_ = std::ldexp(1.0, exponent - 2 * word_bits);
}

void ExactSum::change(double value, std::int64_t sign) {
    const double scaled = value * to_high_;
    const double whole = std::floor(scaled);
    high_ += sign * static_cast<std::int64_t>(whole);
    low_ += sign * static_cast<std::int64_t>(std::floor((scaled - whole) * word));
}

double ExactSum::value() const {
    // Two numbers that need no rounding, so that their sum is rounded once.
    constexpr std::int64_t low_mask = (std::int64_t{1} << word_bits) - 1, high_mask = (std::int64_t{1} << 22) - 1;
    const std::int64_t high = high_ + (low_ >> word_bits), low = low_ & low_mask;
    const double upper = static_cast<double>(high & ~high_mask) * word;
    const double lower = static_cast<double>((high & high_mask) << word_bits | low);
    return (upper + lower) * from_low_;
}

FallingMode::FallingMode(std::vector<double> codes) : codes_(std::move(codes)) {
    std::sort(codes_.begin(), codes_.end());
    std::size_t n_codes = 0;
    for (const double code : codes_) {
        if (n_codes == 0 || code != codes_[n_codes - 1]) {
            codes_[n_codes++] = code;
            counts_.push_back(0);
        }
        ++counts_.back();
    }
    codes_.resize(n_codes);
    codes_.shrink_to_fit();
    for (std::size_t place = 0; place < n_codes; ++place)
        heap_.emplace_back(counts_[place], -static_cast<std::int32_t>(place));
    std::make_heap(heap_.begin(), heap_.end());
}

void FallingMode::take(double code) {
    --counts_[static_cast<std::size_t>(std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin())];
}

double FallingMode::code() {
    for (;;) {
        const auto place = static_cast<std::size_t>(-heap_.front().second);
        if (counts_[place] == heap_.front().first) return codes_[place];
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.back().first = counts_[place];
        std::push_heap(heap_.begin(), heap_.end());
    }
}

Centre::Centre(const double* cells, std::size_t n_rows, std::size_t n_numbers, std::size_t n_columns)
    : n_rows_(n_rows), cells_(n_columns) {
    for (std::size_t c = 0; c < n_numbers; ++c) {
        double greatest = 0;
        for (std::size_t row = 0; row < n_rows; ++row) greatest = std::max(greatest, std::abs(cells[row * n_columns + c]));
        ExactSum sum(greatest);
        for (std::size_t row = 0; row < n_rows; ++row) sum.add(cells[row * n_columns + c]);
        sums_.push_back(sum);
    }
    for (std::size_t c = n_numbers; c < n_columns; ++c) {
        std::vector<double> codes(n_rows);
        for (std::size_t row = 0; row < n_rows; ++row) codes[row] = cells[row * n_columns + c];
        modes_.emplace_back(std::move(codes));
    }
}

void Centre::take(const double* row) {
    --n_rows_;
    for (ExactSum& sum : sums_) sum.take(*row++);
    for (FallingMode& mode : modes_) mode.take(*row++);
}

const double* Centre::cells() {
    double* next = cells_.data();
    for (const ExactSum& sum : sums_) *next++ = sum.value() / static_cast<double>(n_rows_);
    for (FallingMode& mode : modes_) *next++ = mode.code();
    return cells_.data();
}

}  // namespace celosia
