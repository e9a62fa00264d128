// What the addition of one row to a class does to the cost of every free row, one column at a time.
//
// The cost of a row is what the loss of the class would grow by if the row joined. Whatever the kind of the column, a
// change of the class changes these costs in one of two ways: by a constant on a range of codes and another constant
// outside it (bags, trees, missing values), or by a ramp (lines). Hence a few short loops are enough for everything.
#pragma once

#include <cstddef>
#include <cstdint>

namespace celosia {

// Costs start here and not at zero, so that a barred row, which only ever gets cheaper, stays above every other.
inline constexpr std::int32_t lowest_cost = -(1 << 30);
inline constexpr std::int32_t barred_cost = INT32_MAX;

struct Step {
    enum class Shape : std::uint8_t {
        range,  // cost += inside if start <= x <= start + reach, else outside
        away,   // cost += |x - start|
        beyond, // cost += the distance of x from start..start + reach
        above,  // cost -= clamp(x - start, 0, reach)
        below,  // cost -= clamp(start - x, 0, reach)
        bar,    // cost = barred_cost if x == start
    };
    Shape shape;
    std::uint32_t lane;
    std::int32_t start;
    std::int32_t reach;
    std::int32_t inside;
    std::int32_t outside;

    // Whether no x in lowest..highest is touched: rows come sorted, so many blocks hold few values of a column.
    bool spares(std::int32_t lowest, std::int32_t highest) const {
        switch (shape) {
            case Shape::range:
                return (outside == 0 && (highest < start || lowest > start + reach)) ||
                       (inside == 0 && lowest >= start && highest <= start + reach);
            case Shape::away: return lowest == start && highest == start;
            case Shape::beyond: return lowest >= start && highest <= start + reach;
            case Shape::above: return highest <= start;
            case Shape::below: return lowest >= start;
            case Shape::bar: return start < lowest || start > highest;
        }
        return false;
    }
};

// The width in bytes of a lane's cells: small codes are stored small, since the loops wait for memory.
enum class Width : std::uint8_t { one = 1, two = 2, four = 4 };

// Applies a step to n rows (n > 0) and returns the least cost after it.
std::int32_t apply_step(const Step& step, Width width, const std::byte* cells, std::int32_t* cost, std::size_t n);

std::int32_t least(const std::int32_t* cost, std::size_t n);

// The first of n costs that equals `wanted`, which must be there.
std::size_t find(const std::int32_t* cost, std::size_t n, std::int32_t wanted);

}  // namespace celosia
