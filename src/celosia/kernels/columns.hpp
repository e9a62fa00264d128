// The columns of a table as the kernels see them: integers only, losses in fixed point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace celosia {

// Every cost is an integer, and no class can lose more than this: costs fit int32 with room for one barred row above
// them, size * loss fits int64, and sums are exact in any order, hence equal on any number of threads.
inline constexpr std::int32_t greatest_loss = 1 << 30;

// In Column::values; sorts before every known value.
inline constexpr std::int32_t missing = -1;

enum class Kind : std::uint8_t { line, bag, tree };

// A hierarchy over codes in leaf order. The leaves below a node are a range of codes, so the ancestors of a code are
// a chain of nested ranges, and whether a node covers a class is answered by the lowest and highest code alone.
struct Tree {
    std::size_t n_levels = 0;
    std::size_t n_values = 0;
    // All three: [level * n_values + code].
    std::vector<std::int32_t> first, last, loss;

    std::size_t at(std::size_t level, std::int32_t code) const {
        return level * n_values + static_cast<std::size_t>(code);
    }

    // The level of the lowest common ancestor of all codes from lowest to highest.
    std::size_t common_level(std::int32_t lowest, std::int32_t highest) const {
        std::size_t level = 0;
        while (last[at(level, lowest)] < highest) ++level;
        return level;
    }
};

struct Column {
    Kind kind = Kind::line;
    std::int32_t full = 0;
    // Codes are below n_values. A line's positions are shifted to start at 0 and are below n_values as well.
    std::int32_t n_values = 0;
    std::int32_t unit = 0;
    bool has_missing = false;
    Tree tree;
    std::vector<std::int32_t> values;
};

// Built column by column. A copy shares the columns, which never change, so that a kernel that runs without the
// interpreter's lock works on a snapshot whatever happens to the original.
class Columns {
   public:
    explicit Columns(std::int64_t n_rows);

    void add_line(const std::int32_t* positions, std::size_t n, std::int64_t full);
    void add_bag(const std::int32_t* codes, std::size_t n, std::int64_t n_values, std::int64_t unit, std::int64_t full);
    void add_tree(const std::int32_t* codes, std::size_t n, const std::int32_t* nodes, std::size_t n_levels,
                  std::size_t n_values, const std::int32_t* loss, std::size_t n_nodes, std::int64_t full);

    // The same columns of some of the rows.
    Columns take(const std::int32_t* rows, std::size_t n) const;

    std::int32_t n_rows() const { return n_rows_; }
    std::size_t size() const { return columns_.size(); }
    const Column& operator[](std::size_t i) const { return *columns_[i]; }

   private:
    void check(std::size_t n, std::int64_t full) const;
    void keep(Column column);

    std::int32_t n_rows_;
    std::int64_t sum_of_full_ = 0;
    std::vector<std::shared_ptr<const Column>> columns_;
};

inline bool has_trees(const Columns& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind == Kind::tree) return true;
    }
    return false;
}

}  // namespace celosia
