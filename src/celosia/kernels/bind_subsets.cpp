// The Python face of the kernels that look at sets of columns.
#include "bind_subsets.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "matches.hpp"
#include "pulse.hpp"
#include "subsets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

CodeTable code_table(const std::vector<Integers>& columns, std::int64_t n_rows) {
    if (n_rows < 0 || n_rows > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("n_rows must lie in 0..2^31-1");
    CodeTable table{{}, static_cast<std::size_t>(n_rows)};
    for (const Integers& column : columns) {
        check_length("a column", column.size(), table.n_rows);
        table.columns.push_back(column.data());
    }
    return table;
}

const std::int32_t* subject_codes(const std::optional<Integers>& subjects, const CodeTable& table) {
    if (!subjects) return nullptr;
    check_length("subjects", subjects->size(), table.n_rows);
    return subjects->data();
}

// Runs a kernel without the interpreter's lock; the caller holds the arrays.
template <class Kernel>
auto run_unlocked(Pulse* pulse, int threads, Kernel&& kernel) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    const nb::gil_scoped_release unlocked;
    Pulse unwatched;
    return kernel(pulse == nullptr ? unwatched : *pulse);
}

std::vector<std::vector<std::int32_t>> py_minimal_keys(const std::vector<Integers>& columns, std::int64_t n_rows,
                                                       std::int64_t n_needed, std::int64_t max_size, Pulse* pulse,
                                                       int threads) {
    const CodeTable table = code_table(columns, n_rows);
    return run_unlocked(pulse, threads,
                        [&](Pulse& watched) { return minimal_keys(table, n_needed, max_size, watched, threads); });
}

nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> py_match_counts(const std::vector<Integers>& columns,
                                                                  std::int64_t n_rows, Pulse* pulse, int threads,
                                                                  const std::optional<Integers>& subjects) {
    const CodeTable table = code_table(columns, n_rows);
    const std::int32_t* people = subject_codes(subjects, table);
    return hand_over(run_unlocked(
        pulse, threads, [&](Pulse& watched) { return match_counts(table, people, watched, threads); }));
}

template <class Value>
using NumpyTable = nb::ndarray<nb::numpy, Value, nb::ndim<2>>;

std::tuple<NumpyTable<std::int32_t>, NumpyTable<std::int64_t>> py_minimal_uniques(
    const std::vector<Integers>& columns, std::int64_t n_rows, std::int64_t max_size, Pulse* pulse, int threads,
    const std::optional<Integers>& subjects) {
    const CodeTable table = code_table(columns, n_rows);
    const std::int32_t* people = subject_codes(subjects, table);
    MinimalUniques found = run_unlocked(pulse, threads, [&](Pulse& watched) {
        return minimal_uniques(table, max_size, people, watched, threads);
    });
    const auto n_sizes = static_cast<std::size_t>(max_size);
    return {hand_over_rows(std::move(found.counts), n_sizes), hand_over_rows(std::move(found.in_column), n_sizes)};
}

}  // namespace

void bind_subsets(nb::module_& m) {
    m.def("match_counts", &py_match_counts, "columns"_a.noconvert(), "n_rows"_a, "pulse"_a.none() = nb::none(),
          "threads"_a = 0, "subjects"_a.noconvert().none() = nb::none(),
          "For each row how many rows (with subjects: how many people) agree with it wherever both are known.");
    m.def("minimal_uniques", &py_minimal_uniques, "columns"_a.noconvert(), "n_rows"_a, "max_size"_a,
          "pulse"_a.none() = nb::none(), "threads"_a = 0, "subjects"_a.noconvert().none() = nb::none(),
          "How many minimal sample uniques of each size up to max_size every row has, and how many hold each column.");
    m.def("minimal_keys", &py_minimal_keys, "columns"_a.noconvert(), "n_rows"_a, "n_needed"_a, "max_size"_a,
          "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "All minimal sets of columns, up to max_size, by which the rows have at least n_needed distinct tuples.");
}

}  // namespace celosia
