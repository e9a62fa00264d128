#include "digests.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "dispatch.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // wide words never cross a call: everything here is inlined
#endif

namespace celosia {

namespace {

// Several messages of one block each go through the rounds side by side, one in each lane of a word: the rounds of one
// message wait for each other, those of different messages do not.
#if defined(__GNUC__)
template <class Word>
struct Lanes {
    static constexpr std::size_t count = 32 / sizeof(Word);
    typedef Word Wide __attribute__((vector_size(32)));
};
#else
template <class Word>
struct Lanes {
    static constexpr std::size_t count = 1;
    using Wide = Word;
};
#endif

template <unsigned by, class Word>
CELOSIA_INLINE Word rotated(Word word) {
    constexpr unsigned n_bits = sizeof(word) == 8 || sizeof(word) == 4 ? 8 * sizeof(word) : 32;
    return (word << by) | (word >> (n_bits - by));
}

template <class Word>
CELOSIA_INLINE Word turned(Word word) {
    Word other = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i) other = static_cast<Word>(other << 8 | (word >> 8 * i & 0xff));
    return other;
}

struct Md5 {
    using Word = std::uint32_t;
    static constexpr std::size_t lanes = Lanes<Word>::count;
    static constexpr std::endian order = std::endian::little;
    static constexpr std::size_t n_length_bytes = 8;
    static constexpr std::array<Word, 4> initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    static constexpr std::array<Word, 64> constants = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

    template <unsigned first, unsigned second, unsigned third, unsigned fourth, class Wide, class Mix>
    CELOSIA_INLINE static void sixteen(Wide& a, Wide& b, Wide& c, Wide& d, const Wide* words, const Word* added,
                                       unsigned start, unsigned step, Mix&& mix) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < 16; i += 4) {
            a = b + rotated<first>(a + mix(b, c, d) + words[(start + step * i) % 16] + added[i]);
            d = a + rotated<second>(d + mix(a, b, c) + words[(start + step * (i + 1)) % 16] + added[i + 1]);
            c = d + rotated<third>(c + mix(d, a, b) + words[(start + step * (i + 2)) % 16] + added[i + 2]);
            b = c + rotated<fourth>(b + mix(c, d, a) + words[(start + step * (i + 3)) % 16] + added[i + 3]);
        }
    }

    template <class Wide>
    CELOSIA_INLINE static void compress(Wide* state, const Wide* words) {
        Wide a = state[0], b = state[1], c = state[2], d = state[3];
        const Word* const k = constants.data();
        sixteen<7, 12, 17, 22>(a, b, c, d, words, k, 0, 1,
                               [](Wide x, Wide y, Wide z) __attribute__((always_inline)) { return z ^ (x & (y ^ z)); });
        sixteen<5, 9, 14, 20>(a, b, c, d, words, k + 16, 1, 5,
                              [](Wide x, Wide y, Wide z) __attribute__((always_inline)) { return y ^ (z & (x ^ y)); });
        sixteen<4, 11, 16, 23>(a, b, c, d, words, k + 32, 5, 3,
                               [](Wide x, Wide y, Wide z) __attribute__((always_inline)) { return x ^ y ^ z; });
        sixteen<6, 10, 15, 21>(a, b, c, d, words, k + 48, 0, 7,
                               [](Wide x, Wide y, Wide z) __attribute__((always_inline)) { return y ^ (x | ~z); });
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
};

}  // namespace
}  // namespace celosia
