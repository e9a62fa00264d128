// The Python face of exact searches: the listing of possible classes, and the choice among them.
#include "bind_class_sets.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "class_sets.hpp"
#include "exact_cover.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Starts = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

std::tuple<Result, Starts, Result, bool, std::int64_t> py_class_sets(Columns columns, Demands demands,
                                                                     std::int64_t n_most_rows, Integers kinds,
                                                                     Costs prices, std::int64_t bar,
                                                                     std::int64_t n_per_row, std::int64_t n_most_sets,
                                                                     std::int64_t n_most_looks, double seconds,
                                                                     Pulse* pulse) {
    const auto n = static_cast<std::size_t>(columns.n_rows());
    check_length("kinds", kinds.size(), n);
    check_length("prices", prices.size(), n);
    const auto most = static_cast<std::int32_t>(std::clamp<std::int64_t>(n_most_rows, 0, columns.n_rows()));
    ClassSets found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = class_sets({columns, demands, most, kinds.data(), prices.data(), bar, n_per_row, n_most_sets,
                            n_most_looks, seconds, pulse == nullptr ? unwatched : *pulse});
    }
    return {hand_over(std::move(found.rows)), hand_over(std::move(found.starts)), hand_over(std::move(found.losses)),
            found.is_complete, found.n_looks};
}

std::tuple<Result, bool, std::int64_t> py_exact_cover(Integers kinds, Costs starts, Costs costs,
                                                      std::int64_t first_spare, std::int64_t n_spare,
                                                      std::int64_t unused, Integers n_of_kind, std::int64_t bar,
                                                      std::int64_t n_most_looks, double seconds, Pulse* pulse) {
    check_length("starts", starts.size(), costs.size() + 1);
    for (std::size_t set = 0; set < costs.size(); ++set) {
        if (starts.data()[set] < 0 || starts.data()[set] >= starts.data()[set + 1])
            throw std::invalid_argument("every set must have a row");
    }
    check_length("kinds", kinds.size(), static_cast<std::size_t>(starts.data()[costs.size()]));
    if (first_spare < 0 || n_spare < 0 || unused < 0) throw std::invalid_argument("a number is negative");
    Cover found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = exact_cover({kinds.data(), starts.data(), costs.data(), costs.size(),
                             static_cast<std::size_t>(first_spare), n_spare, unused, n_of_kind.data(),
                             n_of_kind.size(), bar, n_most_looks, seconds, pulse == nullptr ? unwatched : *pulse});
    }
    return {hand_over(std::move(found.sets)), found.is_complete, found.n_looks};
}

Result py_class_losses(Columns columns, Integers labels, std::int64_t n_classes) {
    check_length("labels", labels.size(), static_cast<std::size_t>(columns.n_rows()));
    if (n_classes < 0 || n_classes > columns.n_rows()) throw std::invalid_argument("n_classes must lie in 0..n_rows");
    std::vector<std::int32_t> losses;
    {
        const nb::gil_scoped_release unlocked;
        losses = class_losses(columns, labels.data(), static_cast<std::int32_t>(n_classes));
    }
    return hand_over(std::move(losses));
}

}  // namespace

void bind_class_sets(nb::module_& m) {
    m.def("class_losses", &py_class_losses, "columns"_a, "labels"_a.noconvert(), "n_classes"_a,
          "The loss of each class; negative labels are no class.");
    m.def("exact_cover", &py_exact_cover, "kinds"_a.noconvert(), "starts"_a.noconvert(), "costs"_a.noconvert(),
          "first_spare"_a, "n_spare"_a, "unused"_a, "n_of_kind"_a.noconvert(), "bar"_a, "n_most_looks"_a, "seconds"_a,
          "pulse"_a.none() = nb::none(),
          "The cheapest choice of sets that takes each kind as often as it has rows, if it costs less than the bar; at\n"
          "most n_spare of the sets from first_spare on, each fewer costs unused. The sets, whether all choices were\n"
          "looked at, and at how many sets was looked.");
    m.def("class_sets", &py_class_sets, "columns"_a, "demands"_a, "n_most_rows"_a, "kinds"_a.noconvert(),
          "prices"_a.noconvert(), "bar"_a, "n_per_row"_a, "n_most_sets"_a, "n_most_looks"_a,
          "seconds"_a, "pulse"_a.none() = nb::none(),
          "Sets of rows that meet the demands, of at most n_most_rows, whose size times loss minus prices is at most\n"
          "bar; of each first row the n_per_row best (0: all). Rows, starts and losses of the sets, whether these are\n"
          "all of them, and at how many rows was looked.");
}

}  // namespace celosia
