#include "hilbert.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "dispatch.hpp"
#include "team.hpp"

namespace celosia {

namespace {

struct Key {
    std::uint64_t high, low;
    std::int32_t row;
    auto operator<=>(const Key&) const = default;
};

constexpr std::size_t n_lanes = 64;
constexpr std::size_t n_rows_per_run = 1 << 15;
constexpr int n_rows_per_thread = 8192;

// x[column * n_lanes + lane]: one step of the loops below works on the same column of many rows.
using Axes = std::array<std::uint32_t, n_lanes * n_key_bits>;

// Skilling (2004), "Programming the Hilbert curve": a Hilbert curve is a Gray code whose cells are turned and mirrored
// level by level. The turns are undone from the coarsest level down (mirror the finer bits of the first axis where the
// level's bit is set, else swap them with the axis at hand), then the Gray code is made of what is left.
CELOSIA_INLINE void undo_turns(Axes& x, std::size_t n_columns, int bits) {
    for (int bit = bits - 1; bit > 0; --bit) {
        const std::uint32_t finer = (std::uint32_t{1} << bit) - 1;
        for (std::size_t lane = 0; lane < n_lanes; ++lane) x[lane] ^= finer & (0U - (x[lane] >> bit & 1U));
        for (std::size_t c = 1; c < n_columns; ++c) {
            for (std::size_t lane = 0; lane < n_lanes; ++lane) {
                const std::uint32_t first = x[lane], own = x[c * n_lanes + lane];
                const std::uint32_t set = 0U - (own >> bit & 1U);
                const std::uint32_t swapped = (first ^ own) & finer & ~set;
                x[lane] = first ^ swapped ^ (finer & set);
                x[c * n_lanes + lane] = own ^ swapped;
            }
        }
    }
}

CELOSIA_INLINE void encode(Axes& x, std::size_t n_columns, int bits) {
    for (std::size_t i = n_lanes; i < n_columns * n_lanes; ++i) x[i] ^= x[i - n_lanes];
    std::array<std::uint32_t, n_lanes> flips{};
    for (int bit = bits - 1; bit > 0; --bit) {
        const std::uint32_t finer = (std::uint32_t{1} << bit) - 1;
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            flips[lane] ^= finer & (0U - (x[(n_columns - 1) * n_lanes + lane] >> bit & 1U));
    }
    for (std::size_t c = 0; c < n_columns; ++c) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) x[c * n_lanes + lane] ^= flips[lane];
    }
}

struct Words {
    std::array<std::uint64_t, n_lanes> high{}, low{};
};

// The bits of all axes in turn, coarsest first; the last 64 of them are the low word.
CELOSIA_INLINE void interleave(const Axes& x, std::size_t n_columns, int bits, Words& words) {
    std::size_t n_left = n_columns * static_cast<std::size_t>(bits);
    for (int bit = bits - 1; bit >= 0; --bit) {
        for (std::size_t c = 0; c < n_columns; ++c, --n_left) {
            if (n_left == 64) words.high = std::exchange(words.low, {});
            for (std::size_t lane = 0; lane < n_lanes; ++lane)
                words.low[lane] = words.low[lane] << 1 | (x[c * n_lanes + lane] >> bit & 1U);
        }
    }
}

CELOSIA_INLINE int key_loop(const Points* points, std::size_t begin, std::size_t n, Key* keys) {
    const std::size_t n_columns = points->n_columns;
    Axes x;
    for (std::size_t c = 0; c < n_columns; ++c) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            x[c * n_lanes + lane] = lane < n ? points->coordinates[(begin + lane) * n_columns + c] : 0;
    }
    undo_turns(x, n_columns, points->bits);
    encode(x, n_columns, points->bits);
    Words words;
    interleave(x, n_columns, points->bits, words);
    for (std::size_t lane = 0; lane < n; ++lane)
        keys[begin + lane] = {words.high[lane], words.low[lane], static_cast<std::int32_t>(begin + lane)};
    return 0;
}

// Errors name rows and limits, never a value.
void check(const Points& points) {
    if (points.n_rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() - 1))
        throw std::invalid_argument("there are more than 2^31-2 rows");
    if (points.bits < 1 || points.bits > 32) throw std::invalid_argument("bits must lie in 1..32");
    if (points.n_columns == 0 || points.n_columns * static_cast<std::size_t>(points.bits) > n_key_bits)
        throw std::invalid_argument("columns times bits must lie in 1.." + std::to_string(n_key_bits));
    if (points.bits == 32) return;
    const std::uint32_t* end = points.coordinates + points.n_rows * points.n_columns;
    const auto* wrong = std::find_if(points.coordinates, end, [&](std::uint32_t x) { return x >> points.bits != 0; });
    if (wrong != end) {
        const auto row = static_cast<std::size_t>(wrong - points.coordinates) / points.n_columns;
        throw std::invalid_argument("a coordinate in row " + std::to_string(row) + " is outside 0..2^bits-1");
    }
}

// Runs of a fixed length are sorted, then merged two by two. Nothing is equal to anything else, so that the result
// does not depend on who sorts what.
std::vector<Key> sorted(std::vector<Key> keys, const Pulse& pulse, Team& team) {
    const std::size_t n = keys.size();
    std::vector<Key> merged(n);
    const auto at = [n](std::vector<Key>& of, std::size_t place) {
        return of.begin() + static_cast<std::ptrdiff_t>(std::min(place, n));
    };
    const auto for_stretches = [&](std::size_t length, auto&& work) {
        team.run(static_cast<std::int64_t>((n + length - 1) / length), [&](std::int64_t first, std::int64_t last) {
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
                if (!pulse.stopped()) work(i * length);
            }
        });
        pulse.check();
    };
    for_stretches(n_rows_per_run,
                  [&](std::size_t begin) { std::sort(at(keys, begin), at(keys, begin + n_rows_per_run)); });
    for (std::size_t length = n_rows_per_run; length < n; length *= 2) {
        for_stretches(2 * length, [&](std::size_t begin) {
            std::merge(at(keys, begin), at(keys, begin + length), at(keys, begin + length),
                       at(keys, begin + 2 * length), at(merged, begin));
        });
        keys.swap(merged);
    }
    return keys;
}

}  // namespace

std::vector<std::int32_t> hilbert_order(const Points& points, const Pulse& pulse, int n_threads) {
    check(points);
    pulse.check();
    const std::size_t n = points.n_rows;
    Team team(std::min(count_threads(n_threads), static_cast<int>(n / n_rows_per_thread) + 1));
    std::vector<Key> keys(n);
    team.run(static_cast<std::int64_t>((n + n_lanes - 1) / n_lanes), [&](std::int64_t first, std::int64_t last) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last) && !pulse.stopped(); ++i)
            dispatch<key_loop>(&points, i * n_lanes, std::min(n_lanes, n - i * n_lanes), keys.data());
    });
    pulse.check();
    keys = sorted(std::move(keys), pulse, team);
    std::vector<std::int32_t> order(n);
    std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.row; });
    return order;
}

}  // namespace celosia
