// The Python face of the kernels behind the lower bound of the loss.
#include "bind_lower_bound.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "cheapest_class.hpp"
#include "class_box.hpp"
#include "columns.hpp"
#include "least_partition.hpp"
#include "potentials.hpp"
#include "pulse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

template <class Value>
using Numpy = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

std::int32_t checked_k(const Columns& columns, std::int64_t k) {
    if (k < 2 || k > columns.n_rows()) throw std::invalid_argument("k must lie in 2..n_rows");
    return static_cast<std::int32_t>(k);
}

std::tuple<Numpy<double>, Numpy<double>, Numpy<std::int32_t>, Numpy<std::int64_t>> py_cheapest_classes(
    Columns columns, std::int64_t k, Reals potentials, Integers rows, double tolerance, std::int64_t n_parts,
    double seconds, Pulse* pulse, int threads) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    const std::int32_t least = checked_k(columns, k);
    check_length("potentials", potentials.size(), static_cast<std::size_t>(columns.n_rows()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.data()[i] < 0 || rows.data()[i] >= columns.n_rows())
            throw std::invalid_argument("rows must lie in 0..n_rows-1");
    }
    ClassPrices found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = cheapest_classes({columns, least, potentials.data(), rows.data(), rows.size(), tolerance, n_parts,
                                  seconds, pulse == nullptr ? unwatched : *pulse, threads});
    }
    return {hand_over(std::move(found.bound)), hand_over(std::move(found.cost)), hand_over(std::move(found.members)),
            hand_over(std::move(found.ends))};
}

void check_pool(Integers members, Costs ends, std::int64_t n_rows) {
    std::int64_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        if (ends.data()[s] <= begin) throw std::invalid_argument("ends must ascend from above 0");
        begin = ends.data()[s];
    }
    check_length("members", members.size(), static_cast<std::size_t>(begin));
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members.data()[i] < 0 || members.data()[i] >= n_rows)
            throw std::invalid_argument("members must lie in 0..n_rows-1");
    }
}

Numpy<double> py_class_costs(Columns columns, Integers members, Costs ends) {
    check_pool(members, ends, columns.n_rows());
    std::vector<double> costs;
    {
        const nb::gil_scoped_release unlocked;
        ClassBox box(columns);
        std::int64_t i = 0;
        for (std::size_t s = 0; s < ends.size(); ++s) {
            const std::int64_t begin = i;
            box.clear();
            for (; i < ends.data()[s]; ++i) {
                const auto row = static_cast<std::size_t>(members.data()[i]);
                for (std::size_t c = 0; c < columns.size(); ++c) box.absorb(c, columns[c].values[row]);
            }
            costs.push_back(static_cast<double>(i - begin) * box.loss());
        }
    }
    return hand_over(std::move(costs));
}

Numpy<double> py_fit_potentials(Integers members, Costs ends, Reals costs, Reals caps, Reals potentials,
                                double first_heat, double last_heat, std::int64_t n_sweeps, Pulse* pulse) {
    check_pool(members, ends, static_cast<std::int64_t>(potentials.size()));
    check_length("costs", costs.size(), ends.size());
    check_length("caps", caps.size(), potentials.size());
    if (!(last_heat > 0 && first_heat >= last_heat)) throw std::invalid_argument("heat must be above 0 and not rise");
    std::vector<double> fitted(potentials.data(), potentials.data() + potentials.size());
    {
        const nb::gil_scoped_release unlocked;
        const Pulse unwatched;
        fitted = fit_potentials({members.data(), ends.data(), ends.size(), costs.data(), caps.data()},
                                std::move(fitted), {first_heat, last_heat, n_sweeps},
                                pulse == nullptr ? unwatched : *pulse);
    }
    return hand_over(std::move(fitted));
}

std::optional<double> py_least_partition(Columns columns, std::int64_t k, Reals prices, double cost, bool may_suppress,
                                         std::int64_t n_steps, Pulse* pulse) {
    const std::int32_t least = checked_k(columns, k);
    check_length("prices", prices.size(), static_cast<std::size_t>(columns.n_rows()));
    const nb::gil_scoped_release unlocked;
    const Pulse unwatched;
    return least_partition(
        {columns, least, prices.data(), cost, may_suppress, n_steps, pulse == nullptr ? unwatched : *pulse});
}

}  // namespace

void bind_lower_bound(nb::module_& m) {
    m.def("cheapest_classes", &py_cheapest_classes, "columns"_a, "k"_a, "potentials"_a.noconvert(), "rows"_a.noconvert(),
          "tolerance"_a, "n_parts"_a, "seconds"_a, "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "For each row the least of loss minus mean potential over the classes that hold it: a lower bound, what the\n"
          "cheapest class seen has, and classes seen (members, and where each ends).");
    m.def("class_costs", &py_class_costs, "columns"_a, "members"_a.noconvert(), "ends"_a.noconvert(),
          "Size times loss of each class of a list of members.");
    m.def("fit_potentials", &py_fit_potentials, "members"_a.noconvert(), "ends"_a.noconvert(), "costs"_a.noconvert(),
          "caps"_a.noconvert(), "potentials"_a.noconvert(), "first_heat"_a, "last_heat"_a, "n_sweeps"_a,
          "pulse"_a.none() = nb::none(),
          "Potentials of the highest sum, nearly, such that none of the classes costs less than those of its rows.");
    m.def("least_partition", &py_least_partition, "columns"_a, "k"_a, "prices"_a.noconvert(), "cost"_a, "may_suppress"_a,
          "n_steps"_a, "pulse"_a.none() = nb::none(),
          "The least cost of a partition of at most 20 rows, given prices that no class undercuts and what some partition\n"
          "costs; None if the steps do not suffice.");
}

}  // namespace celosia
