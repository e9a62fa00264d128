// What the Python faces share: the arrays that come in, and how results go out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace celosia {

// Never converted: a silent copy to another type could wrap codes.
template <class Value, std::size_t n_dimensions = 1>
using Given = nanobind::ndarray<const Value, nanobind::ndim<n_dimensions>, nanobind::c_contig, nanobind::device::cpu>;
using Integers = Given<std::int32_t>;
using IntegerTable = Given<std::int32_t, 2>;
using UnsignedTable = Given<std::uint32_t, 2>;
using Costs = Given<std::int64_t>;
using CostTable = Given<std::int64_t, 2>;
using Keys = Given<std::uint64_t>;
using Bytes = Given<std::uint8_t>;
using Reals = Given<double>;
// The kernel leaves other cells in it.
using ScratchTable = nanobind::ndarray<double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Result = nanobind::ndarray<nanobind::numpy, std::int32_t, nanobind::ndim<1>>;
using Digests = nanobind::ndarray<nanobind::numpy, std::uint8_t, nanobind::ndim<2>>;

template <class Value>
nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<1>> hand_over(std::vector<Value> values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return {kept->data(), {kept->size()}, owner};
}

template <class Value>
nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<2>> hand_over_rows(std::vector<Value> values,
                                                                           std::size_t n_per_row) {
    auto* kept = new std::vector<Value>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return {kept->data(), {kept->size() / n_per_row, n_per_row}, owner};
}

inline void check_length(const char* name, std::size_t got, std::size_t wanted) {
    if (got != wanted)
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(got) + " entries; it must have " +
                                    std::to_string(wanted));
}

// Rows that lie one after the other: row r has the places from starts[r] to starts[r + 1].
inline void check_starts(const Given<std::int64_t>& starts, std::size_t n_rows, std::size_t n_places,
                         const char* places) {
    check_length("starts", starts.size(), n_rows + 1);
    const std::int64_t* own = starts.data();
    if (own[0] != 0 || own[n_rows] != static_cast<std::int64_t>(n_places))
        throw std::invalid_argument(std::string("starts must begin with 0 and end with the number of ") + places);
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (own[row] > own[row + 1]) throw std::invalid_argument("starts must ascend");
    }
}

}  // namespace celosia
