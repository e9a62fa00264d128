// Many short values in one array of bytes, and their digests on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "team.hpp"
#include "workers.hpp"

namespace celosia {

// Row i is data[offsets[i]] up to data[offsets[i + 1]].
struct ByteRows {
    const std::uint8_t* data;
    std::size_t n_bytes;
    const std::int64_t* offsets;
    std::size_t n_offsets;  // one more than rows

    const std::uint8_t* row(std::size_t i) const { return data + offsets[i]; }
    std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1] - offsets[i]); }
};

// Throws std::invalid_argument if the offsets do not ascend within the data.
inline void check(const ByteRows& rows) {
    if (rows.n_offsets == 0) throw std::invalid_argument("offsets is empty; it must have one entry more than rows");
    const std::int64_t* const end = rows.offsets + rows.n_offsets;
    if (*rows.offsets < 0 || !std::is_sorted(rows.offsets, end) ||
        static_cast<std::uint64_t>(end[-1]) > static_cast<std::uint64_t>(rows.n_bytes))
        throw std::invalid_argument("offsets must ascend from 0 or more to the length of data or less");
}

// digest(begin, end, to) for stretches of rows, on several threads; `to` is where the digest of row `begin` goes.
template <class Digest>
std::vector<std::uint8_t> digest_rows(const ByteRows& rows, std::size_t n_digest_bytes, int n_threads,
                                      const Digest& digest) {
    struct NoTool {};
    constexpr std::size_t n_rows_per_item = 2048;
    const std::size_t n_rows = rows.n_offsets - 1, n_items = (n_rows + n_rows_per_item - 1) / n_rows_per_item;
    std::vector<std::uint8_t> found(n_rows * n_digest_bytes);
    const auto n_useful = static_cast<int>(std::clamp<std::size_t>(n_items, 1, 1024));
    Workers<NoTool> workers(std::min(count_threads(n_threads), n_useful), [] { return std::make_unique<NoTool>(); });
    workers.run(n_items, [&](NoTool&, std::size_t item) {
        const std::size_t begin = item * n_rows_per_item, end = std::min(begin + n_rows_per_item, n_rows);
        digest(begin, end, found.data() + begin * n_digest_bytes);
    });
    return found;
}

}  // namespace celosia
