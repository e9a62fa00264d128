#include "digests.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "dispatch.hpp"

#if defined(__GNUC__)
#define CELOSIA_UNROLL _Pragma("GCC unroll 20")
#else
#define CELOSIA_UNROLL
#endif
// clang knows no such pragma for the target of functions.
#if CELOSIA_X86_VERSIONS && !defined(__clang__)
#define CELOSIA_AVX2_LANES 1
#else
#define CELOSIA_AVX2_LANES 0
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // wide words never cross a call: everything that takes them is inlined
#endif

namespace celosia {

namespace {

// Several messages of one block each go through the rounds side by side, one in each lane of a wide word: the rounds of
// one message wait for each other, those of different messages do not.
template <class Word>
struct Lanes {
    static constexpr std::size_t count = 1;
    using Wide = Word;
};

#if defined(__GNUC__)
template <>
struct Lanes<std::uint32_t> {
    static constexpr std::size_t count = 8;
    typedef std::uint32_t Wide __attribute__((vector_size(32)));
};
#endif

#if CELOSIA_AVX2_LANES
template <>
struct Lanes<std::uint64_t> {
    static constexpr std::size_t count = 4;
    typedef std::uint64_t Wide __attribute__((vector_size(32)));
};
#endif

template <class Word, unsigned by, class Wide>
CELOSIA_INLINE Wide rotated_left(const Wide& word) {
    return (word << by) | (word >> (8 * sizeof(Word) - by));
}

// x chooses between y and z.
struct Choice {
    template <class Wide>
    CELOSIA_INLINE static Wide of(const Wide& x, const Wide& y, const Wide& z) {
        return z ^ (x & (y ^ z));
    }
};

struct OtherChoice {
    template <class Wide>
    CELOSIA_INLINE static Wide of(const Wide& x, const Wide& y, const Wide& z) {
        return Choice::of(z, x, y);
    }
};

struct Parity {
    template <class Wide>
    CELOSIA_INLINE static Wide of(const Wide& x, const Wide& y, const Wide& z) {
        return x ^ y ^ z;
    }
};

struct Majority {
    template <class Wide>
    CELOSIA_INLINE static Wide of(const Wide& x, const Wide& y, const Wide& z) {
        return (x & y) | (z & (x | y));
    }
};

struct Odd {
    template <class Wide>
    CELOSIA_INLINE static Wide of(const Wide& x, const Wide& y, const Wide& z) {
        return y ^ (x | ~z);
    }
};

struct Md5 {
    using Word = std::uint32_t;
    static constexpr bool is_little = true;
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

    template <class Wide>
    CELOSIA_INLINE static void compress(Wide* state, const Wide* words) {
        Wide now[4] = {state[0], state[1], state[2], state[3]};
        sixteen<Choice, 0, 0, 1, 7, 12, 17, 22>(now, words);
        sixteen<OtherChoice, 16, 1, 5, 5, 9, 14, 20>(now, words);
        sixteen<Parity, 32, 5, 3, 4, 11, 16, 23>(now, words);
        sixteen<Odd, 48, 0, 7, 6, 10, 15, 21>(now, words);
        for (int i = 0; i < 4; ++i) state[i] += now[i];
    }

   private:
    // Words first, first + step, ...; the bits of the four rotations in turn.
    template <class Mix, unsigned begin, unsigned first, unsigned step, unsigned... bits, class Wide>
    CELOSIA_INLINE static void sixteen(Wide* state, const Wide* words) {
        CELOSIA_UNROLL
        for (unsigned i = 0; i < 16; i += 4) {
            unsigned at = i;
            (turn<Mix, bits>(state, words[(first + step * at) % 16], constants[begin + at], at), ...);
        }
    }

    template <class Mix, unsigned bits, class Wide>
    CELOSIA_INLINE static void turn(Wide* state, const Wide& word, Word constant, unsigned& at) {
        Wide &a = state[(16 - at) % 4], &b = state[(17 - at) % 4], &c = state[(18 - at) % 4], &d = state[(19 - at) % 4];
        a = b + rotated_left<Word, bits>(a + Mix::of(b, c, d) + word + constant);
        ++at;
    }
};

struct Sha1 {
    using Word = std::uint32_t;
    static constexpr bool is_little = false;
    static constexpr std::size_t n_length_bytes = 8;
    static constexpr std::array<Word, 5> initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

    template <class Wide>
    CELOSIA_INLINE static void compress(Wide* state, Wide* words) {
        Wide now[5] = {state[0], state[1], state[2], state[3], state[4]};
        twenty<Choice, 0, 0x5a827999>(now, words);
        twenty<Parity, 20, 0x6ed9eba1>(now, words);
        twenty<Majority, 40, 0x8f1bbcdc>(now, words);
        twenty<Parity, 60, 0xca62c1d6>(now, words);
        for (int i = 0; i < 5; ++i) state[i] += now[i];
    }

   private:
    template <class Mix, unsigned begin, Word constant, class Wide>
    CELOSIA_INLINE static void twenty(Wide* state, Wide* words) {
        CELOSIA_UNROLL
        for (unsigned i = 0; i < 20; ++i) {
            const unsigned at = begin + i;
            Wide& word = words[at % 16];
            if (at >= 16)
                word = rotated_left<Word, 1>(word ^ words[(at + 13) % 16] ^ words[(at + 8) % 16] ^ words[(at + 2) % 16]);
            const unsigned turned = 20 - i;  // the state's places move on, not its words
            const Wide a = state[turned % 5], c = state[(turned + 2) % 5], d = state[(turned + 3) % 5];
            Wide &b = state[(turned + 1) % 5], &e = state[(turned + 4) % 5];
            e += rotated_left<Word, 5>(a) + Mix::of(b, c, d) + word + constant;
            b = rotated_left<Word, 30>(b);
        }
    }
};

constexpr std::array<std::uint64_t, 80> sha512_constants = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

// The rounds in words of 64 bits, and again with four messages side by side for processors that have AVX2; a processor
// without it gains nothing from lanes, since few words of 64 bits fit into it and none is rotated in one step there.
namespace one_by_one {
using Wide = std::uint64_t;
#include "sha512_rounds.inc"
}  // namespace one_by_one

#if CELOSIA_AVX2_LANES
#pragma GCC push_options
#pragma GCC target("avx2")
namespace by_fours {
typedef std::uint64_t Wide __attribute__((vector_size(32)));
#include "sha512_rounds.inc"
}  // namespace by_fours
#pragma GCC pop_options
#endif

struct Sha512 {
    using Word = std::uint64_t;
    static constexpr bool is_little = false;
    static constexpr std::size_t n_length_bytes = 16;
    static constexpr std::array<Word, 8> initial = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                                    0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                                    0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

    static void compress(Word* state, Word* words) { one_by_one::sha512_rounds(state, words); }
#if CELOSIA_AVX2_LANES
    static void compress(Lanes<Word>::Wide* state, Lanes<Word>::Wide* words) { by_fours::sha512_rounds(state, words); }
#endif
};

template <class Algorithm>
constexpr std::size_t block_bytes = 16 * sizeof(typename Algorithm::Word);

// How many bytes fit into one block beside the mark of the end and the length.
template <class Algorithm>
constexpr std::size_t n_short = block_bytes<Algorithm> - 1 - Algorithm::n_length_bytes;

template <class Algorithm>
using WordOf = typename Algorithm::Word;

// Bytes in the order of the algorithm and words in that of the machine: the same both ways.
template <class Algorithm>
CELOSIA_INLINE WordOf<Algorithm> ordered(WordOf<Algorithm> word) {
    if constexpr (Algorithm::is_little == (std::endian::native == std::endian::little)) return word;
    WordOf<Algorithm> other = 0;
    for (std::size_t i = 0; i < sizeof(word); ++i)
        other |= (word >> 8 * i & 0xff) << 8 * (sizeof(word) - 1 - i);
    return other;
}

// The end of a message of n_all bytes, of which the last n are not hashed yet: n_end bytes, one block or two.
template <class Algorithm>
CELOSIA_INLINE void pad(const std::uint8_t* bytes, std::size_t n, std::uint64_t n_all, std::uint8_t* to,
                        std::size_t n_end) {
    std::memset(to, 0, n_end);
    if (n > 0) std::memcpy(to, bytes, n);
    to[n] = 0x80;
    const auto length = ordered<Algorithm>(static_cast<WordOf<Algorithm>>(n_all * 8));
    if constexpr (sizeof length == 8) {
        std::memcpy(to + n_end - 8, &length, 8);
    } else {
        const auto high = ordered<Algorithm>(static_cast<WordOf<Algorithm>>(n_all * 8 >> 32));
        std::memcpy(to + n_end - (Algorithm::is_little ? 4 : 8), &high, 4);
        std::memcpy(to + n_end - (Algorithm::is_little ? 8 : 4), &length, 4);
    }
}

template <class Algorithm>
CELOSIA_INLINE void compress_block(WordOf<Algorithm>* state, const std::uint8_t* block) {
    WordOf<Algorithm> words[16];
    std::memcpy(words, block, sizeof words);
    for (auto& word : words) word = ordered<Algorithm>(word);
    Algorithm::compress(state, words);
}

template <class Algorithm>
CELOSIA_INLINE void digest_one(const std::uint8_t* bytes, std::size_t n, std::uint8_t* to) {
    auto state = Algorithm::initial;
    const std::uint64_t n_all = n;
    for (; n >= block_bytes<Algorithm>; bytes += block_bytes<Algorithm>, n -= block_bytes<Algorithm>)
        compress_block<Algorithm>(state.data(), bytes);
    std::uint8_t end[2 * block_bytes<Algorithm>];
    const std::size_t n_end = n <= n_short<Algorithm> ? block_bytes<Algorithm> : 2 * block_bytes<Algorithm>;
    pad<Algorithm>(bytes, n, n_all, end, n_end);
    for (std::size_t at = 0; at < n_end; at += block_bytes<Algorithm>) compress_block<Algorithm>(state.data(), end + at);
    for (auto& word : state) word = ordered<Algorithm>(word);
    std::memcpy(to, state.data(), sizeof state);
}

// Short rows, one in each lane.
template <class Algorithm>
CELOSIA_INLINE void digest_group(const ByteRows& rows, std::size_t begin, std::uint8_t* to) {
    using Word = WordOf<Algorithm>;
    using Wide = typename Lanes<Word>::Wide;
    constexpr std::size_t n_lanes = Lanes<Word>::count, n_state = Algorithm::initial.size();
    alignas(32) Word lanes[16][n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        Word block[16];
        const std::size_t n = rows.length(begin + lane);
        pad<Algorithm>(rows.row(begin + lane), n, n, reinterpret_cast<std::uint8_t*>(block), sizeof block);
        for (std::size_t i = 0; i < 16; ++i) lanes[i][lane] = ordered<Algorithm>(block[i]);
    }
    Wide words[16], state[n_state];
    std::memcpy(words, lanes, sizeof words);
    for (std::size_t i = 0; i < n_state; ++i) state[i] = Wide{} + Algorithm::initial[i];
    Algorithm::compress(state, words);
    alignas(32) Word found[n_state][n_lanes];
    std::memcpy(found, state, sizeof found);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        for (std::size_t i = 0; i < n_state; ++i) {
            const Word word = ordered<Algorithm>(found[i][lane]);
            std::memcpy(to + (lane * n_state + i) * sizeof(Word), &word, sizeof word);
        }
    }
}

// Words of 64 bits have lanes only where the processor has AVX2; the set "plain" goes without, for the tests.
template <class Algorithm>
bool has_lanes() {
    return sizeof(WordOf<Algorithm>) == 4 || instruction_set.load(std::memory_order_relaxed) != InstructionSet::plain;
}

template <class Algorithm>
bool are_short(const ByteRows& rows, std::size_t begin, std::size_t n) {
    for (std::size_t row = begin; row < begin + n; ++row) {
        if (rows.length(row) > n_short<Algorithm>) return false;
    }
    return true;
}

template <class Algorithm>
std::vector<std::uint8_t> digests(const ByteRows& rows, int n_threads) {
    check(rows);
    constexpr std::size_t n_lanes = Lanes<WordOf<Algorithm>>::count, n_digest_bytes = sizeof Algorithm::initial;
    const bool in_groups = n_lanes > 1 && has_lanes<Algorithm>();
    return digest_rows(rows, n_digest_bytes, n_threads, [&](std::size_t begin, std::size_t end, std::uint8_t* to) {
        for (std::size_t row = begin; row < end;) {
            const bool is_group = in_groups && end - row >= n_lanes && are_short<Algorithm>(rows, row, n_lanes);
            if (is_group) {
                digest_group<Algorithm>(rows, row, to);
            } else {
                digest_one<Algorithm>(rows.row(row), rows.length(row), to);
            }
            row += is_group ? n_lanes : 1;
            to += is_group ? n_lanes * n_digest_bytes : n_digest_bytes;
        }
    });
}

}  // namespace

std::vector<std::uint8_t> md5(const ByteRows& rows, int n_threads) { return digests<Md5>(rows, n_threads); }

std::vector<std::uint8_t> sha1(const ByteRows& rows, int n_threads) { return digests<Sha1>(rows, n_threads); }

std::vector<std::uint8_t> sha512(const ByteRows& rows, int n_threads) { return digests<Sha512>(rows, n_threads); }

}  // namespace celosia
