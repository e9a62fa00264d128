// Numbers that look random and are the same on every machine: SplitMix64 (Steele, Lea & Flood, 2014).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace celosia {

class Random {
   public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // In 0..n-1; n at most 2^32. The bias is below n / 2^32.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>((next() >> 32) * n >> 32); }
    // In [0, 1).
    float real() { return static_cast<float>(next() >> 40) * (1.0F / (1 << 24)); }
    bool chance(float share) { return real() < share; }
    // -log(u) for a random u, the logarithm drawn straight between powers of two: a library's would differ in its last
    // bit from machine to machine.
    double exponential() {
        const std::uint64_t bits = next() | 1;
        const int n_zeros = std::countl_zero(bits);
        const auto fraction = static_cast<double>((bits << n_zeros) & 0x7fffffffffffffffU) / 9223372036854775808.0;
        return (n_zeros + 1 - fraction) * 0.6931471805599453;
    }

   private:
    std::uint64_t state_;
};

}  // namespace celosia
