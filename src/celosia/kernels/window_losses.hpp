// What classes of neighbouring rows lose: all windows over some rows in an order, many ends at once.
//
// Windows that end at neighbouring places grow side by side, one row to the front at a time. The row that joins each of
// them then lies beside the one that joins its neighbour, so that every step is a loop over contiguous cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "columns.hpp"
#include "pulse.hpp"
#include "team.hpp"

namespace celosia {

// The windows of shortest..longest rows that end before the places first_end..first_end + n_ends - 1. A window that
// would begin before place 0 is left out.
struct WindowBlock {
    std::size_t first_end;
    std::size_t n_ends;
    std::size_t shortest, longest;

    std::size_t n_windows() const { return n_ends * (longest - shortest + 1); }
    std::size_t at(std::size_t end, std::size_t size) const { return (size - shortest) * n_ends + (end - first_end); }
};

inline constexpr std::size_t most_ends_of_block = 256;

class WindowLosses {
   public:
    // The rows may be any of the columns', in any order.
    WindowLosses(const Columns& columns, const std::vector<std::int32_t>& rows, Team& team, const Pulse& pulse);

    // Writes the loss of each window to losses[block.at(end, size)]; gives up early once the pulse is stopped.
    void measure(const WindowBlock& block, std::int32_t* losses, const Pulse& pulse) const;

    // A column in the given order. What a row adds to a window is kept in a form that needs no memory of the window's
    // other rows:
    //   line  cells = the value, or missing
    //   bag   cells = the next place with the same code (n where there is none): the code is new to a window
    //         that ends before it; missing where the code is
    //   tree  cells = the level that the row shares with the next one, and n_levels where just one of them is missing.
    //         The highest of these levels within a window is that of the common ancestor, since the ancestor of three
    //         is that of two of them.
    struct Strip {
        const Column* column;
        Buffer<std::int32_t> cells;
        // Trees only: 0 where missing, else the code + 1; and ladder[level * n_rungs + rung], the loss of a window
        // that reaches up to a level from a row on that rung.
        Buffer<std::int32_t> rungs;
        std::vector<std::int32_t> ladder;
        std::size_t n_rungs = 0;
    };

   private:
    std::vector<Strip> strips_;
};

}  // namespace celosia
