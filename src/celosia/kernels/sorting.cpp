#include "sorting.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace celosia {

namespace {

constexpr int digit_bits = 12;
constexpr std::size_t n_digits = std::size_t{1} << digit_bits;

// A code, from 0, in the upper half and its row in the lower one: a pass reads both at once.
using Pair = std::uint64_t;

// One pass of a radix sort, which keeps the order of rows that are equal in this digit.
void sort_by_digit(int shift, const std::vector<Pair>& from, std::vector<Pair>& to) {
    const auto digit = [shift](Pair pair) { return static_cast<std::size_t>(pair >> (32 + shift)) & (n_digits - 1); };
    std::vector<std::size_t> begins(n_digits + 1, 0);
    for (const Pair pair : from) ++begins[digit(pair) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const Pair pair : from) to[begins[digit(pair)]++] = pair;
}

void sort_by_column(const std::int32_t* codes, std::vector<Pair>& pairs, std::vector<Pair>& scratch) {
    const auto [first, last] = std::minmax_element(codes, codes + pairs.size());
    const auto lowest = static_cast<std::uint32_t>(*first);
    const int n_bits = std::bit_width(static_cast<std::uint32_t>(*last) - lowest);
    if (n_bits == 0) return;
    for (Pair& pair : pairs) {
        const auto row = static_cast<std::uint32_t>(pair);
        pair = static_cast<Pair>(static_cast<std::uint32_t>(codes[row]) - lowest) << 32 | row;
    }
    for (int shift = 0; shift < n_bits; shift += digit_bits) {
        sort_by_digit(shift, pairs, scratch);
        std::swap(pairs, scratch);
    }
}

bool are_equal(const std::vector<const std::int32_t*>& columns, std::int32_t one, std::int32_t other) {
    return std::all_of(columns.begin(), columns.end(), [=](auto codes) { return codes[one] == codes[other]; });
}

}  // namespace

std::vector<std::int32_t> sorted_rows(const std::vector<const std::int32_t*>& columns, std::size_t n,
                                      const std::uint64_t* ties) {
    std::vector<Pair> pairs(n), scratch(n);
    std::iota(pairs.begin(), pairs.end(), Pair{0});
    for (auto codes = columns.rbegin(); n > 0 && codes != columns.rend(); ++codes)
        sort_by_column(*codes, pairs, scratch);
    std::vector<std::int32_t> order(n);
    std::transform(pairs.begin(), pairs.end(), order.begin(), [](Pair pair) { return static_cast<std::int32_t>(pair); });
    if (ties == nullptr) return order;
    for (auto begin = order.begin(); begin != order.end();) {
        auto end = begin + 1;
        while (end != order.end() && are_equal(columns, *begin, *end)) ++end;
        if (end - begin > 1)
            std::sort(begin, end, [=](auto x, auto y) { return std::pair(ties[x], x) < std::pair(ties[y], y); });
        begin = end;
    }
    return order;
}

}  // namespace celosia
