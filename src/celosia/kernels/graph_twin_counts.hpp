// How many edges lead between classes: as a matrix while classes are few, in a table per class where they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace celosia {

struct BlockCount {
    std::int32_t out = 0, into = 0;
};

class DenseCounts {
   public:
    explicit DenseCounts(std::size_t n_slots) : n_slots_(n_slots), cells_(n_slots * n_slots) {}

    static constexpr bool is_dense = true;

    void add(std::size_t a, std::size_t b, std::int32_t out, std::int32_t into) {
        BlockCount& cell = cells_[a * n_slots_ + b];
        cell.out += out;
        cell.into += into;
    }
    BlockCount at(std::size_t a, std::size_t b) const { return cells_[a * n_slots_ + b]; }
    const BlockCount* row(std::size_t a) const { return cells_.data() + a * n_slots_; }
    template <class Visit>
    void each(std::size_t a, const Visit& visit) const {
        for (std::size_t b = 0; b < n_slots_; ++b) {
            const BlockCount cell = row(a)[b];
            if (cell.out != 0 || cell.into != 0) visit(b, cell);
        }
    }

   private:
    std::size_t n_slots_;
    std::vector<BlockCount> cells_;
};

// Each row is a table with linear probing; cells that fell to zero stay until it grows.
class SparseCounts {
    struct Cell {
        std::int32_t slot = -1;
        BlockCount count;
    };
    struct Row {
        std::vector<Cell> cells;
        std::size_t n_used = 0;
    };

    template <class Cells>
    static auto& find(Cells& cells, std::int32_t slot) {
        std::size_t place = (static_cast<std::uint32_t>(slot) * 0x9e3779b1U) & (cells.size() - 1);
        while (cells[place].slot >= 0 && cells[place].slot != slot) place = (place + 1) & (cells.size() - 1);
        return cells[place];
    }

    static void grow(Row& row) {
        std::size_t n_left = 0;
        for (const Cell& cell : row.cells) n_left += cell.count.out != 0 || cell.count.into != 0 ? 1 : 0;
        std::size_t n_cells = 8;
        while (n_cells < 4 * (n_left + 1)) n_cells *= 2;
        std::vector<Cell> cells(n_cells);
        for (const Cell& cell : row.cells) {
            if (cell.count.out != 0 || cell.count.into != 0) find(cells, cell.slot) = cell;
        }
        row.cells = std::move(cells);
        row.n_used = n_left;
    }

   public:
    explicit SparseCounts(std::size_t n_slots) : rows_(n_slots) {}

    static constexpr bool is_dense = false;

    void add(std::size_t a, std::size_t b, std::int32_t out, std::int32_t into) {
        Row& row = rows_[a];
        if (2 * (row.n_used + 1) > row.cells.size()) grow(row);
        Cell& cell = find(row.cells, static_cast<std::int32_t>(b));
        if (cell.slot < 0) {
            cell.slot = static_cast<std::int32_t>(b);
            ++row.n_used;
        }
        cell.count.out += out;
        cell.count.into += into;
    }
    BlockCount at(std::size_t a, std::size_t b) const {
        const Row& row = rows_[a];
        if (row.cells.empty()) return {};
        return find(row.cells, static_cast<std::int32_t>(b)).count;
    }
    template <class Visit>
    void each(std::size_t a, const Visit& visit) const {
        for (const Cell& cell : rows_[a].cells) {
            if (cell.count.out != 0 || cell.count.into != 0) visit(static_cast<std::size_t>(cell.slot), cell.count);
        }
    }

   private:
    std::vector<Row> rows_;
};

}  // namespace celosia
