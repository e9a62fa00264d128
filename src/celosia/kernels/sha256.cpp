#include "sha256.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "dispatch.hpp"

#if CELOSIA_X86_VERSIONS
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace celosia {

namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t length_bytes = 8;

using State = std::array<std::uint32_t, 8>;
using Block = std::array<std::uint8_t, block_bytes>;

constexpr State initial_state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

alignas(16) constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t read_word(const std::uint8_t* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void write_word(std::uint32_t word, std::uint8_t* bytes) {
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}

void compress_plain(State& state, const std::uint8_t* block) {
    std::array<std::uint32_t, 64> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = read_word(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t early = words[i - 15], late = words[i - 2];
        const std::uint32_t small_0 = std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3);
        const std::uint32_t small_1 = std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10);
        words[i] = words[i - 16] + small_0 + words[i - 7] + small_1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t big_1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t big_0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t first = h + big_1 + ((e & f) ^ (~e & g)) + round_constants[i] + words[i];
        const std::uint32_t second = big_0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State worked = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += worked[i];
}

#if CELOSIA_X86_VERSIONS
// The processor's own rounds, which take the state as (a, b, e, f) and (c, d, g, h), highest word first.
[[gnu::target("sha,sse4.1")]] void compress_sha(State& state, const std::uint8_t* block) {
    const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
    const __m128i badc = _mm_shuffle_epi32(load(state.data()), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(load(state.data() + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, efgh, 8), cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
        __m128i& now = words[i % 4];
        if (i < 4) {
            now = _mm_shuffle_epi8(load(block + 16 * i), swap_bytes);
        } else {
            const __m128i last = words[(i + 3) % 4], last_but_one = words[(i + 2) % 4];
            now = _mm_sha256msg1_epu32(now, words[(i + 1) % 4]);
            now = _mm_sha256msg2_epu32(_mm_add_epi32(now, _mm_alignr_epi8(last, last_but_one, 4)), last);
        }
        const __m128i added = _mm_add_epi32(now, load(round_constants.data() + 4 * i));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// Asked of the processor itself: older compilers do not know the name in __builtin_cpu_supports.
bool has_sha_rounds() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0;
}
#endif

using Compress = void (*)(State&, const std::uint8_t*);

// Not a version of one loop but another algorithm, so `dispatch` cannot choose it; the set "plain" still runs the plain
// one, for the tests.
Compress best_compress() {
#if CELOSIA_X86_VERSIONS
    static const bool has_sha = has_sha_rounds();
    if (has_sha && instruction_set.load(std::memory_order_relaxed) != InstructionSet::plain) return compress_sha;
#endif
    return compress_plain;
}

// Hashes the last n bytes of a message whose first n_before bytes, whole blocks, are in the state already.
void finish(Compress compress, State& state, const std::uint8_t* bytes, std::size_t n, std::size_t n_before) {
    const std::uint64_t n_bits = (std::uint64_t{n_before} + n) * 8;
    for (; n >= block_bytes; bytes += block_bytes, n -= block_bytes) compress(state, bytes);
    std::array<std::uint8_t, 2 * block_bytes> end{};
    if (n > 0) std::memcpy(end.data(), bytes, n);
    end[n] = 0x80;
    const std::size_t n_end = n + 1 + length_bytes <= block_bytes ? block_bytes : 2 * block_bytes;
    write_word(static_cast<std::uint32_t>(n_bits >> 32), end.data() + n_end - 8);
    write_word(static_cast<std::uint32_t>(n_bits), end.data() + n_end - 4);
    for (std::size_t at = 0; at < n_end; at += block_bytes) compress(state, end.data() + at);
}

void write_digest(const State& state, std::uint8_t* to) {
    for (std::size_t i = 0; i < state.size(); ++i) write_word(state[i], to + 4 * i);
}

// The state after the key's block, every byte of it changed by the pad: the first block of both of HMAC's messages.
State padded(Compress compress, Block key, std::uint8_t pad) {
    for (std::uint8_t& byte : key) byte ^= pad;
    State state = initial_state;
    compress(state, key.data());
    return state;
}

Block block_of(Compress compress, const std::uint8_t* key, std::size_t n_key_bytes) {
    Block block{};
    if (n_key_bytes <= block_bytes) {
        std::memcpy(block.data(), key, n_key_bytes);
        return block;
    }
    State state = initial_state;
    finish(compress, state, key, n_key_bytes, 0);
    write_digest(state, block.data());
    return block;
}

}  // namespace

std::vector<std::uint8_t> sha256(const ByteRows& rows, int n_threads) {
    check(rows);
    const Compress compress = best_compress();
    return digest_rows(rows, digest_bytes, n_threads, [&](std::size_t begin, std::size_t end, std::uint8_t* to) {
        for (std::size_t row = begin; row < end; ++row, to += digest_bytes) {
            State state = initial_state;
            finish(compress, state, rows.row(row), rows.length(row), 0);
            write_digest(state, to);
        }
    });
}

std::vector<std::uint8_t> hmac_sha256(const std::uint8_t* key, std::size_t n_key_bytes, const ByteRows& rows,
                                      int n_threads) {
    check(rows);
    if (n_key_bytes == 0) throw std::invalid_argument("the key is empty");
    const Compress compress = best_compress();
    const Block block = block_of(compress, key, n_key_bytes);
    const State inner = padded(compress, block, 0x36), outer = padded(compress, block, 0x5c);
    return digest_rows(rows, digest_bytes, n_threads, [&](std::size_t begin, std::size_t end, std::uint8_t* to) {
        for (std::size_t row = begin; row < end; ++row, to += digest_bytes) {
            State state = inner;
            finish(compress, state, rows.row(row), rows.length(row), block_bytes);
            std::array<std::uint8_t, digest_bytes> digest;
            write_digest(state, digest.data());
            state = outer;
            finish(compress, state, digest.data(), digest.size(), block_bytes);
            write_digest(state, to);
        }
    });
}

}  // namespace celosia
