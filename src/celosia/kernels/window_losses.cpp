#include "window_losses.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dispatch.hpp"

namespace celosia {

namespace {

using Strip = WindowLosses::Strip;

template <class Number>
using Lanes = std::array<Number, most_ends_of_block>;

// Turns codes into the next places of the same code.
void link_equal_codes(std::int32_t* cells, std::size_t n, std::int32_t n_values) {
    std::vector<std::int32_t> next(static_cast<std::size_t>(n_values), static_cast<std::int32_t>(n));
    for (std::size_t place = n; place-- > 0;) {
        if (cells[place] == missing) continue;
        const auto code = static_cast<std::size_t>(cells[place]);
        cells[place] = std::exchange(next[code], static_cast<std::int32_t>(place));
    }
}

std::int32_t shared_level(const Tree& tree, std::int32_t code, std::int32_t other) {
    if ((code == missing) != (other == missing)) return static_cast<std::int32_t>(tree.n_levels);
    if (code == missing) return 0;
    return static_cast<std::int32_t>(tree.common_level(std::min(code, other), std::max(code, other)));
}

// Turns codes into the levels shared with the next place, and keeps the codes as rungs.
void climb(Strip& strip, std::size_t n) {
    const Tree& tree = strip.column->tree;
    std::int32_t* cells = strip.cells.data();
    strip.rungs = Buffer<std::int32_t>(n);
    for (std::size_t place = 0; place < n; ++place) strip.rungs[place] = cells[place] + 1;
    for (std::size_t place = 0; place + 1 < n; ++place)
        cells[place] = shared_level(tree, cells[place], cells[place + 1]);
    strip.n_rungs = tree.n_values + 1;
    strip.ladder.assign((tree.n_levels + 1) * strip.n_rungs, strip.column->full);
    for (std::size_t level = 0; level < tree.n_levels; ++level) {
        std::int32_t* rung = strip.ladder.data() + level * strip.n_rungs;
        rung[0] = 0;
        std::copy_n(tree.loss.data() + level * tree.n_values, tree.n_values, rung + 1);
    }
}

// Calls join(lane, place) for the row that each window grows by, and adds loss(lane) once the windows are long enough.
template <class Join, class Loss>
CELOSIA_INLINE void sweep(const WindowBlock* block, std::int32_t* CELOSIA_RESTRICT losses, Join join, Loss loss) {
    const std::size_t n = block->n_ends, first = block->first_end;
    for (std::size_t size = 1; size <= block->longest; ++size) {
        const std::size_t begin = size > first ? size - first : 0;
        for (std::size_t lane = begin; lane < n; ++lane) join(lane, first + lane - size);
        if (size < block->shortest) continue;
        std::int32_t* CELOSIA_RESTRICT row = losses + (size - block->shortest) * n;
        for (std::size_t lane = begin; lane < n; ++lane) row[lane] += loss(lane);
    }
}

template <bool has_missing>
CELOSIA_INLINE int line_loop(const Strip* strip, const WindowBlock* block, std::int32_t* losses) {
    const std::int32_t* CELOSIA_RESTRICT cells = strip->cells.data();
    const std::int32_t full = strip->column->full;
    Lanes<std::int32_t> lowest, highest;
    Lanes<std::uint32_t> lowest_known;  // missing, read without sign, is above every known value
    lowest.fill(INT32_MAX);
    highest.fill(missing);
    lowest_known.fill(UINT32_MAX);
    const auto join = [&](std::size_t lane, std::size_t place) {
        highest[lane] = std::max(highest[lane], cells[place]);
        lowest_known[lane] = std::min(lowest_known[lane], static_cast<std::uint32_t>(cells[place]));
        if constexpr (has_missing) lowest[lane] = std::min(lowest[lane], cells[place]);
    };
    const auto loss = [&](std::size_t lane) {
        // Zero also without a known value: both ends are missing then.
        const std::int32_t range = highest[lane] - static_cast<std::int32_t>(lowest_known[lane]);
        if constexpr (!has_missing) return range;
        return lowest[lane] == missing && highest[lane] != missing ? full : range;
    };
    sweep(block, losses, join, loss);
    return 0;
}

template <bool has_missing>
CELOSIA_INLINE int bag_loop(const Strip* strip, const WindowBlock* block, std::int32_t* losses) {
    const std::int32_t* CELOSIA_RESTRICT cells = strip->cells.data();
    const std::int32_t full = strip->column->full, unit = strip->column->unit;
    const auto first_end = static_cast<std::int32_t>(block->first_end);
    Lanes<std::int32_t> lowest, n_codes;
    lowest.fill(INT32_MAX);
    n_codes.fill(0);
    const auto join = [&](std::size_t lane, std::size_t place) {
        n_codes[lane] += cells[place] >= first_end + static_cast<std::int32_t>(lane);
        if constexpr (has_missing) lowest[lane] = std::min(lowest[lane], cells[place]);
    };
    const auto loss = [&](std::size_t lane) {
        const std::int32_t set = (n_codes[lane] - 1) * unit;
        if constexpr (!has_missing) return set;
        const std::int32_t mixed = lowest[lane] == missing ? full : set;
        return n_codes[lane] == 0 ? 0 : mixed;
    };
    sweep(block, losses, join, loss);
    return 0;
}

CELOSIA_INLINE int tree_loop(const Strip* strip, const WindowBlock* block, std::int32_t* losses) {
    const std::int32_t* CELOSIA_RESTRICT cells = strip->cells.data();
    const std::int32_t* CELOSIA_RESTRICT ladder = strip->ladder.data();
    const auto n_rungs = static_cast<std::ptrdiff_t>(strip->n_rungs);
    Lanes<std::int32_t> level, rung;
    level.fill(0);
    const std::int32_t* rungs = strip->rungs.data() + block->first_end - 1;
    std::copy_n(rungs, block->n_ends, rung.data());
    const auto join = [&](std::size_t lane, std::size_t place) {
        // The level shared with the next row counts only if that row is in the window.
        const std::int32_t inside = place + 1 < block->first_end + lane ? cells[place] : 0;
        level[lane] = std::max(level[lane], inside);
    };
    const auto loss = [&](std::size_t lane) { return ladder[level[lane] * n_rungs + rung[lane]]; };
    sweep(block, losses, join, loss);
    return 0;
}

}  // namespace

WindowLosses::WindowLosses(const Columns& columns, const std::vector<std::int32_t>& rows, Team& team,
                           const Pulse& pulse) {
    const std::size_t n = rows.size();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        pulse.check();
        Strip strip{&columns[c], Buffer<std::int32_t>(n), {}, {}, 0};
        const std::int32_t* values = columns[c].values.data();
        std::int32_t* cells = strip.cells.data();
        team.run(static_cast<std::int64_t>(n), [=, row = rows.data()](std::int64_t begin, std::int64_t end) {
            for (std::int64_t place = begin; place < end; ++place) cells[place] = values[row[place]];
        });
        if (columns[c].kind == Kind::bag) link_equal_codes(cells, n, columns[c].n_values);
        if (columns[c].kind == Kind::tree) climb(strip, n);
        strips_.push_back(std::move(strip));
    }
}

void WindowLosses::measure(const WindowBlock& block, std::int32_t* losses, const Pulse& pulse) const {
    std::fill_n(losses, block.n_windows(), 0);
    for (const Strip& strip : strips_) {
        if (pulse.stopped()) return;
        const bool has_missing = strip.column->has_missing;
        switch (strip.column->kind) {
            case Kind::line:
                has_missing ? dispatch<line_loop<true>>(&strip, &block, losses)
                            : dispatch<line_loop<false>>(&strip, &block, losses);
                break;
            case Kind::bag:
                has_missing ? dispatch<bag_loop<true>>(&strip, &block, losses)
                            : dispatch<bag_loop<false>>(&strip, &block, losses);
                break;
            case Kind::tree: dispatch<tree_loop>(&strip, &block, losses); break;
        }
    }
}

}  // namespace celosia
