// The Python face of the kernels that look at graphs.
#include "bind_graphs.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "graph_classes.hpp"
#include "graph_holdings.hpp"
#include "graph_pairs.hpp"
#include "graph_search.hpp"
#include "pulse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Places = Given<std::int64_t>;
using Rows = std::tuple<Places, Integers, std::optional<Places>>;
template <class Value>
using Numpy = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

// Runs a kernel without the interpreter's lock; the caller holds the arrays.
template <class Kernel>
auto run_unlocked(Pulse* pulse, int threads, Kernel&& kernel) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    const nb::gil_scoped_release unlocked;
    Pulse unwatched;
    return kernel(pulse == nullptr ? unwatched : *pulse);
}

template <class Value>
const Value* data_of(const std::optional<Given<Value>>& given, const char* name, std::size_t n) {
    if (!given) return nullptr;
    check_length(name, given->size(), n);
    return given->data();
}

GraphRows graph_rows(const Rows& given, std::size_t n, bool has_colours) {
    const auto& [starts, indices, entries] = given;
    check_starts(starts, n, indices.size(), "places");
    for (std::size_t i = 0; has_colours && i < indices.size(); ++i) {
        if (indices.data()[i] < 0 || static_cast<std::size_t>(indices.data()[i]) >= n)
            throw std::invalid_argument("a neighbour is no vertex");
    }
    return {starts.data(), indices.data(), data_of(entries, "entries", indices.size())};
}

Result py_graph_classes(const std::vector<Rows>& rows, std::int64_t n_vertices, const std::optional<Integers>& colours,
                        const std::optional<Integers>& before, std::uint64_t seed, Pulse* pulse, int threads,
                        int hash_bits) {
    if (n_vertices < 0 || n_vertices > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("n_vertices must lie in 0..2^31-1");
    if (hash_bits < 0) throw std::invalid_argument("hash_bits is negative");
    const auto n = static_cast<std::size_t>(n_vertices);
    GraphLook look{{}, n, data_of(colours, "colours", n), data_of(before, "before", n)};
    for (const Rows& own : rows) look.rows.push_back(graph_rows(own, n, colours.has_value()));
    return hand_over(run_unlocked(
        pulse, threads, [&](Pulse& watched) { return graph_classes(look, seed, hash_bits, watched, threads); }));
}

// Holdings with the arrays that they read.
struct PyHoldings {
    Places starts;
    Integers items;
    std::optional<Integers> slots, row_groups, slot_groups;
    std::optional<Given<std::uint8_t>> usable;
    std::optional<Places> weights;
    std::unique_ptr<Holdings> holdings;
};

std::size_t size_of(std::int64_t n, const char* name) {
    if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument(std::string(name) + " must lie in 0..2^31-1");
    return static_cast<std::size_t>(n);
}

void make_holdings(PyHoldings* made, Places starts, Integers items, std::int64_t n_items, bool absence,
                   std::optional<Integers> slots, std::int64_t n_slots, std::optional<Given<std::uint8_t>> usable,
                   std::optional<Integers> row_groups, std::optional<Integers> slot_groups, std::int64_t n_groups,
                   std::optional<Places> weights) {
    if (starts.size() == 0) throw std::invalid_argument("starts has 0 entries; it must have one more than rows");
    auto own = std::make_unique<PyHoldings>(PyHoldings{starts, items, slots, row_groups, slot_groups, usable, weights,
                                                       nullptr});
    Holdings::Given given{};
    given.n_rows = size_of(static_cast<std::int64_t>(starts.size()) - 1, "the number of rows");
    given.n_items = size_of(n_items, "n_items");
    given.n_slots = slots ? size_of(n_slots, "n_slots") : given.n_items;
    given.n_groups = size_of(n_groups, "n_groups");
    check_starts(starts, given.n_rows, items.size(), "places");
    if (row_groups.has_value() != slot_groups.has_value() || (!row_groups && n_groups != 1))
        throw std::invalid_argument("groups are given for rows and slots, or there is one");
    given.starts = starts.data();
    given.items = items.data();
    given.slots = data_of(slots, "slots", given.n_items);
    given.usable = data_of(usable, "usable", given.n_items);
    given.row_groups = data_of(row_groups, "row_groups", given.n_rows);
    given.slot_groups = data_of(slot_groups, "slot_groups", given.n_slots);
    given.weights = data_of(weights, "weights", given.n_rows);
    given.absence = absence;
    {
        const nb::gil_scoped_release unlocked;
        own->holdings = std::make_unique<Holdings>(given);
    }
    new (made) PyHoldings(std::move(*own));
}

std::tuple<Numpy<std::uint8_t>, std::int64_t> handed(Known known) {
    return {hand_over(std::move(known.broken)), known.fewest};
}

std::tuple<Numpy<std::uint8_t>, std::int64_t> py_one_known(const PyHoldings& own, std::int64_t k) {
    return handed(run_unlocked(nullptr, 0, [&](Pulse&) { return one_known(*own.holdings, k); }));
}

std::tuple<Numpy<std::uint8_t>, std::int64_t> py_two_known(const PyHoldings& own, std::int64_t k, std::int64_t floor,
                                                           Pulse* pulse, int threads) {
    return handed(run_unlocked(pulse, threads, [&](Pulse& watched) {
        return two_known(*own.holdings, k, one_known(*own.holdings, k), floor, watched, threads);
    }));
}

std::span<const std::int32_t> checked_rows(const PyHoldings& own, const Integers& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.data()[i] < 0 || static_cast<std::size_t>(rows.data()[i]) >= own.holdings->n_rows())
            throw std::invalid_argument("a row is out of range");
    }
    return {rows.data(), rows.size()};
}

Numpy<std::int8_t> py_search_sets(const PyHoldings& own, const Integers& rows, std::int64_t k, std::int64_t size,
                                  std::int64_t n_steps, Pulse* pulse, int threads) {
    if (size < 1) throw std::invalid_argument("size must be at least 1");
    const auto wanted = checked_rows(own, rows);
    return hand_over(run_unlocked(pulse, threads, [&](Pulse& watched) {
        return search_sets(*own.holdings, wanted, k, size, n_steps, watched, threads);
    }));
}

Result py_greedy_sets(const PyHoldings& own, const Integers& rows, std::int64_t k, std::int64_t n_steps, Pulse* pulse,
                      int threads) {
    const auto wanted = checked_rows(own, rows);
    return hand_over(run_unlocked(pulse, threads, [&](Pulse& watched) {
        return greedy_sets(*own.holdings, wanted, k, n_steps, watched, threads);
    }));
}

std::tuple<std::int64_t, bool> py_fewest_candidates(const PyHoldings& own, std::int64_t size, std::int64_t known,
                                                    std::int64_t floor, std::int64_t n_steps, Pulse* pulse,
                                                    int threads) {
    if (size < 1) throw std::invalid_argument("size must be at least 1");
    const Fewest found = run_unlocked(pulse, threads, [&](Pulse& watched) {
        return fewest_candidates(*own.holdings, size, known, floor, n_steps, watched, threads);
    });
    return {found.n_candidates, found.is_exact};
}

Numpy<std::int64_t> py_cover_counts(const PyHoldings& own, const Integers& rows, Pulse* pulse, int threads) {
    const auto wanted = checked_rows(own, rows);
    return hand_over(run_unlocked(
        pulse, threads, [&](Pulse& watched) { return cover_counts(*own.holdings, wanted, watched, threads); }));
}

}  // namespace

void bind_graphs(nb::module_& m) {
    m.def("graph_classes", &py_graph_classes, "rows"_a.noconvert(), "n_vertices"_a, "colours"_a.noconvert().none(),
          "before"_a.noconvert().none(), "seed"_a, "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "hash_bits"_a = 64, "A label per vertex: equal for those with equal neighbours, or colours of neighbours.");
    nb::class_<PyHoldings>(m, "Holdings", "Who holds what, for attackers who know some of it.")
        .def("__init__", &make_holdings, "starts"_a.noconvert(), "items"_a.noconvert(), "n_items"_a, "absence"_a,
             "slots"_a.noconvert().none() = nb::none(), "n_slots"_a = 0, "usable"_a.noconvert().none() = nb::none(),
             "row_groups"_a.noconvert().none() = nb::none(), "slot_groups"_a.noconvert().none() = nb::none(),
             "n_groups"_a = 1, "weights"_a.noconvert().none() = nb::none())
        .def("one_known", &py_one_known, "k"_a,
             "Whether one known item leaves each row fewer than k candidates, and the fewest it leaves anybody.")
        .def("two_known", &py_two_known, "k"_a, "floor"_a, "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "The same for two known items, where floor candidates are always left.")
        .def("search_sets", &py_search_sets, "rows"_a.noconvert(), "k"_a, "size"_a, "n_steps"_a,
             "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "Per row: 1 if some set of so many items leaves fewer than k candidates, 0 if none, 2 if cut off.")
        .def("greedy_sets", &py_greedy_sets, "rows"_a.noconvert(), "k"_a, "n_steps"_a,
             "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "Per row: a number of items that leaves fewer than k candidates, 0 if none was found.")
        .def("fewest_candidates", &py_fewest_candidates, "size"_a, "known"_a, "floor"_a, "n_steps"_a,
             "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "The fewest candidates that so many items of anybody leave, and whether the search went to its end.")
        .def("cover_counts", &py_cover_counts, "rows"_a.noconvert(), "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "Per row: how many candidates are left if all its items are known.");
}

}  // namespace celosia
