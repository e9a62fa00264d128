#include "steps.hpp"

#include <algorithm>
#include <cstdlib>

#include "dispatch.hpp"

namespace celosia {

namespace {

// Each loop also takes the minimum: it costs nothing there, and only the last step's is used.

template <class Cell>
CELOSIA_INLINE std::int32_t step_range(const Cell* CELOSIA_RESTRICT cells, std::int32_t* CELOSIA_RESTRICT cost,
                                       std::size_t n, std::int32_t start, std::int32_t reach, std::int32_t inside,
                                       std::int32_t outside) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) {
        const auto offset = static_cast<std::uint32_t>(static_cast<std::int32_t>(cells[i]) - start);
        const std::int32_t c = cost[i] + (offset <= static_cast<std::uint32_t>(reach) ? inside : outside);
        cost[i] = c;
        lowest = std::min(lowest, c);
    }
    return lowest;
}

CELOSIA_INLINE std::int32_t step_away(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t* CELOSIA_RESTRICT cost,
                                      std::size_t n, std::int32_t start) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t c = cost[i] + std::abs(cells[i] - start);
        cost[i] = c;
        lowest = std::min(lowest, c);
    }
    return lowest;
}

CELOSIA_INLINE std::int32_t step_beyond(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t* CELOSIA_RESTRICT cost,
                                        std::size_t n, std::int32_t first, std::int32_t last) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t c = cost[i] + std::max(first - cells[i], 0) + std::max(cells[i] - last, 0);
        cost[i] = c;
        lowest = std::min(lowest, c);
    }
    return lowest;
}

template <bool above>
CELOSIA_INLINE std::int32_t step_ramp(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t* CELOSIA_RESTRICT cost,
                                      std::size_t n, std::int32_t start, std::int32_t reach) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t offset = above ? cells[i] - start : start - cells[i];
        const std::int32_t c = cost[i] - std::min(std::max(offset, 0), reach);
        cost[i] = c;
        lowest = std::min(lowest, c);
    }
    return lowest;
}

CELOSIA_INLINE std::int32_t step_bar(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t* CELOSIA_RESTRICT cost,
                                     std::size_t n, std::int32_t barred) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) {
        // By a mask: GCC makes a branch of a choice between two values here, and does not vectorise it.
        const std::int32_t same = -static_cast<std::int32_t>(cells[i] == barred);
        const std::int32_t c = (cost[i] & ~same) | (barred_cost & same);
        cost[i] = c;
        lowest = std::min(lowest, c);
    }
    return lowest;
}

CELOSIA_INLINE std::int32_t step_least(const std::int32_t* CELOSIA_RESTRICT cost, std::size_t n) {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t i = 0; i < n; ++i) lowest = std::min(lowest, cost[i]);
    return lowest;
}

CELOSIA_INLINE std::int32_t step_count(const std::int32_t* CELOSIA_RESTRICT cost, std::size_t n, std::int32_t wanted) {
    std::int32_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += cost[i] == wanted;
    return count;
}

template <class Cell>
std::int32_t range_of(const Step& step, const std::byte* cells, std::int32_t* cost, std::size_t n) {
    return dispatch<step_range<Cell>>(reinterpret_cast<const Cell*>(cells), cost, n, step.start, step.reach,
                                      step.inside, step.outside);
}

}  // namespace

std::int32_t apply_step(const Step& step, Width width, const std::byte* cells, std::int32_t* cost, std::size_t n) {
    const auto* wide = reinterpret_cast<const std::int32_t*>(cells);
    switch (step.shape) {
        case Step::Shape::away: return dispatch<step_away>(wide, cost, n, step.start);
        case Step::Shape::beyond: return dispatch<step_beyond>(wide, cost, n, step.start, step.start + step.reach);
        case Step::Shape::above: return dispatch<step_ramp<true>>(wide, cost, n, step.start, step.reach);
        case Step::Shape::below: return dispatch<step_ramp<false>>(wide, cost, n, step.start, step.reach);
        case Step::Shape::bar: return dispatch<step_bar>(wide, cost, n, step.start);
        case Step::Shape::range: break;
    }
    switch (width) {
        case Width::one: return range_of<std::uint8_t>(step, cells, cost, n);
        case Width::two: return range_of<std::uint16_t>(step, cells, cost, n);
        case Width::four: break;
    }
    return range_of<std::int32_t>(step, cells, cost, n);
}

std::int32_t least(const std::int32_t* cost, std::size_t n) { return dispatch<step_least>(cost, n); }

std::size_t find(const std::int32_t* cost, std::size_t n, std::int32_t wanted) {
    constexpr std::size_t block = 64;
    std::size_t begin = 0;
    while (begin + block <= n && dispatch<step_count>(cost + begin, block, wanted) == 0) begin += block;
    return static_cast<std::size_t>(std::find(cost + begin, cost + n, wanted) - cost);
}

}  // namespace celosia
