#include "distances.hpp"

#include <array>
#include <type_traits>

#include "dispatch.hpp"

namespace celosia {

namespace {

template <class Real, class Cell>
CELOSIA_INLINE int mismatch_loop(const Cell* CELOSIA_RESTRICT cells, std::int32_t code, Real weight,
                                 Real* CELOSIA_RESTRICT total, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) total[i] += static_cast<std::int32_t>(cells[i]) == code ? Real{0} : weight;
    return 0;
}

template <class Real>
CELOSIA_INLINE int square_loop(const std::int32_t* CELOSIA_RESTRICT cells, std::int32_t position, std::int32_t unknown,
                               std::int32_t full, Real weight, Real* CELOSIA_RESTRICT total, std::size_t n) {
    const Real divisor = static_cast<Real>(full), factor = Real{1} / divisor;
    for (std::size_t i = 0; i < n; ++i) {
        const Real offset = static_cast<Real>(cells[i] - position);
        // Only an estimate may multiply by the inverse: the definition divides.
        const Real share = std::is_same_v<Real, float> ? offset * factor : offset / divisor;
        total[i] += cells[i] == unknown ? weight : weight * (share * share);
    }
    return 0;
}

// Compilers may not reorder a maximum of floating-point numbers, so the lanes are spelled out: each is a maximum of
// its own.
template <class Real>
CELOSIA_INLINE Real greatest_loop(const Real* CELOSIA_RESTRICT total, std::size_t n) {
    constexpr std::size_t n_lanes = 16;
    std::array<Real, n_lanes> lanes{};
    std::size_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            lanes[lane] = lanes[lane] < total[i + lane] ? total[i + lane] : lanes[lane];
    }
    Real result{0};
    for (const Real lane : lanes) result = result < lane ? lane : result;
    for (; i < n; ++i) result = result < total[i] ? total[i] : result;
    return result;
}

template <class Real, class Cell>
void mismatch_of(const std::byte* cells, std::int32_t code, Real weight, Real* total, std::size_t n) {
    dispatch<mismatch_loop<Real, Cell>>(reinterpret_cast<const Cell*>(cells), code, weight, total, n);
}

}  // namespace

template <class Real>
void add_mismatch(Width width, const std::byte* cells, std::int32_t code, Real weight, Real* total, std::size_t n) {
    switch (width) {
        case Width::one: return mismatch_of<Real, std::uint8_t>(cells, code, weight, total, n);
        case Width::two: return mismatch_of<Real, std::uint16_t>(cells, code, weight, total, n);
        case Width::four: return mismatch_of<Real, std::int32_t>(cells, code, weight, total, n);
    }
}

template <class Real>
void add_square(const std::byte* cells, std::int32_t position, std::int32_t unknown, std::int32_t full, Real weight,
                Real* total, std::size_t n) {
    const auto* positions = reinterpret_cast<const std::int32_t*>(cells);
    dispatch<square_loop<Real>>(positions, position, unknown, full, weight, total, n);
}

template <class Real>
Real greatest(const Real* total, std::size_t n) {
    return dispatch<greatest_loop<Real>>(total, n);
}

template void add_mismatch(Width, const std::byte*, std::int32_t, float, float*, std::size_t);
template void add_mismatch(Width, const std::byte*, std::int32_t, double, double*, std::size_t);
template void add_square(const std::byte*, std::int32_t, std::int32_t, std::int32_t, float, float*, std::size_t);
template void add_square(const std::byte*, std::int32_t, std::int32_t, std::int32_t, double, double*, std::size_t);
template float greatest(const float*, std::size_t);
template double greatest(const double*, std::size_t);

}  // namespace celosia
