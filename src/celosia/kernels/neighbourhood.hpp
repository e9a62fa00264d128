// The rows of a table as one of them sees them: what a class that holds it becomes, column by column, as others join.
//
// Around a row every column is one of three scales. A line is left in two directions. A tree is a chain: the ancestors
// of the row, one above the other, and above them all the mixture with missing values. A bag is a set of other codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace celosia {

// Above every loss: the row may not join.
inline constexpr std::int32_t barred = INT32_MAX;

// A cut of all classes that hold the row in two: those that reach this far in a column, and those that do not.
struct Reach {
    enum class Side : std::uint8_t { up, down, code, unknown };

    std::int32_t column = 0;
    Side side = Side::up;
    std::int32_t value = 0;  // of a chain: the level
    std::int32_t cost = 0;   // what the loss grows by for those that do
};

class Neighbourhood {
   public:
    explicit Neighbourhood(const Columns& columns);

    // The loss of the pair that a row makes with each row of the table.
    void measure_pairs(std::int32_t row, std::vector<std::int32_t>& loss) const;
    // Looks at these rows only from now on. The row itself is none of them.
    void settle(std::int32_t row, const std::vector<std::int32_t>& others);
    std::int32_t row(std::size_t other) const { return rows_[other]; }

    // The classes that are searched: at first all that hold the row.
    void clear();
    void demand(const Reach& reach);
    void forbid(const Reach& reach);
    // Demands all that another row reaches.
    void take(std::int32_t other);
    // What every one of them loses at least.
    std::int32_t loss() const { return loss_; }
    // By how much that grows with each of some others; barred where it is forbidden.
    void measure_growth(const std::vector<std::int32_t>& others, std::vector<std::int32_t>& growth);

    // A way to grow, numbered; a class pays for each of them by the row that goes furthest on it.
    struct Stretch {
        std::int32_t way, growth;
    };
    // The ways on which another row, which is not barred, grows what is demanded.
    void stretches_of(std::int32_t other, std::vector<Stretch>& stretches) const;

    // Demands what these others reach, and nothing else; the loss of the class that they are with the row.
    std::int32_t loss_of(const std::vector<std::int32_t>& others);
    // How a class of the row and these others reaches beyond what is demanded: at high cost, and with many of them.
    Reach best_cut(const std::vector<std::int32_t>& others);

   private:
    enum class Shape : std::uint8_t { line, chain, bag };
    struct Scale {
        Shape shape = Shape::line;
        std::int32_t own = 0;  // the row's position, level or code
        std::int32_t full = 0, unit = 0;
        bool has_missing = false;
        std::int32_t first_way = 0;
        std::vector<std::int32_t> cells;  // per other: position, level or local code; missing where it mixes
        std::vector<std::int32_t> loss;   // chain: per level
        std::vector<std::int32_t> codes;  // bag: the code of each local code; the row's own is the first
    };
    struct Part {
        std::int32_t lowest = 0, highest = 0;  // reached; chain: highest is the level
        std::int32_t floor = 0, ceiling = 0;   // not to be left
        std::int32_t loss = 0;
        bool is_mixed = false, bars_missing = false;
        std::vector<std::uint8_t> state;  // bag: per local code
    };
    enum : std::uint8_t { open = 0, held = 1, closed = 2 };

    void settle_line(std::size_t c);
    void settle_bag(std::size_t c);
    void settle_chain(std::size_t c);
    void clear_part(std::size_t c);
    void raise(Part& part, std::int32_t loss);
    std::int32_t growth(const Scale& scale, const Part& part, std::int32_t cell) const;
    void add_growth_on_line(std::size_t c, const std::vector<std::int32_t>& others,
                            std::vector<std::int32_t>& growth) const;
    void add_growth_by_step(std::size_t c, const std::vector<std::int32_t>& others, std::vector<std::int32_t>& growth);
    void absorb(std::size_t c, std::int32_t cell);
    // How a cell reaches beyond what is demanded.
    Reach reach_of(std::size_t c, std::int32_t cell) const;

    const Columns& columns_;
    std::int32_t centre_ = 0;
    std::vector<std::int32_t> rows_;
    std::vector<Scale> scales_;
    std::vector<Part> parts_;
    std::int32_t loss_ = 0;
    std::vector<std::int32_t> local_of_code_, growth_of_step_;
    std::vector<Reach> reaches_;
};

}  // namespace celosia
