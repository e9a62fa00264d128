// The Python face of the kernels: checks shapes, releases the interpreter's lock, hands arrays over.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind_class_sets.hpp"
#include "bind_graph_edits.hpp"
#include "bind_graph_twins.hpp"
#include "bind_graph_degree.hpp"
#include "bind_graphs.hpp"
#include "bind_lower_bound.hpp"
#include "bind_recoder.hpp"
#include "bind_subsets.hpp"
#include "binding.hpp"
#include "columns.hpp"
#include "demands.hpp"
#include "digests.hpp"
#include "dispatch.hpp"
#include "extents.hpp"
#include "growth.hpp"
#include "hilbert.hpp"
#include "histograms.hpp"
#include "joining.hpp"
#include "l_greedy.hpp"
#include "mdav.hpp"
#include "mend.hpp"
#include "merging.hpp"
#include "mondrian.hpp"
#include "ordered_split.hpp"
#include "pulse.hpp"
#include "releasing.hpp"
#include "sha256.hpp"
#include "sieve.hpp"
#include "sorting.hpp"
#include "trials.hpp"
#include "weave.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

const std::int32_t* check_subjects(const std::optional<Integers>& subjects, const Columns& columns) {
    if (!subjects) return nullptr;
    check_length("subjects", subjects->size(), static_cast<std::size_t>(columns.n_rows()));
    return subjects->data();
}

// n_rows fits int32, so a k beyond it is refused by the kernels like any other that is too high.
std::int32_t narrow(std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

// Runs a kernel without the interpreter's lock. `columns` is a copy by then, and the caller holds the arrays.
template <class Kernel>
Result run(Pulse* pulse, int threads, Kernel&& kernel) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    std::vector<std::int32_t> labels;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        labels = kernel(pulse == nullptr ? unwatched : *pulse);
    }
    return hand_over(std::move(labels));
}

Result py_k_members(Columns columns, std::int64_t k, std::int64_t first, std::optional<Integers> subjects,
                    Reals weights, Pulse* pulse, int threads) {
    check_length("weights", weights.size(), columns.size());
    const std::int32_t* codes = check_subjects(subjects, columns);
    return run(pulse, threads, [&](Pulse& watched) {
        return k_members({columns, narrow(k), codes, watched, threads}, narrow(first), weights.data());
    });
}

Result py_l_greedy(Columns columns, Demands demands, Integers order, Pulse* pulse, int threads) {
    check_length("order", order.size(), static_cast<std::size_t>(columns.n_rows()));
    return run(pulse, threads,
               [&](Pulse& watched) { return l_greedy({columns, demands, order.data(), watched, threads}); });
}

Result py_mdav(ScratchTable cells, Reals weights, Integers ends, std::int64_t k, Pulse* pulse) {
    if (cells.shape(0) > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("cells must have at most 2^31-1 rows");
    return run(pulse, 1, [&](Pulse& watched) {
        release_freed_memory();  // what the cells were made from
        auto labels = mdav({cells.data(), weights.data(), weights.size(), cells.shape(0), cells.shape(1), ends.data(),
                            ends.size(), narrow(k), watched});
        release_freed_memory();
        return labels;
    });
}

std::tuple<Result, std::vector<double>, std::vector<double>> py_weave(Columns columns, Demands demands, Integers labels,
                                                                      std::int64_t passes, double seconds,
                                                                      std::uint64_t seed, Pulse* pulse, int threads) {
    check_length("labels", labels.size(), static_cast<std::size_t>(columns.n_rows()));
    Woven woven;
    Result found = run(pulse, threads, [&](Pulse& watched) {
        woven = weave({columns, demands, labels.data(), passes, seconds, seed, watched, threads});
        return std::move(woven.labels);
    });
    return {std::move(found), std::move(woven.seconds), std::move(woven.loss)};
}

// All rows as one pool, for the tests alone; nothing if no cost below the limit was found.
Result py_sift(Columns columns, Demands demands, Integers losses, std::int64_t limit, std::uint64_t seed) {
    check_length("losses", losses.size(), static_cast<std::size_t>(columns.n_rows()));
    return run(nullptr, 1, [&](Pulse&) {
        std::vector<std::int32_t> rows(losses.size());
        std::iota(rows.begin(), rows.end(), 0);
        std::vector<std::vector<std::int32_t>> lanes;
        for (std::size_t c = 0; c < columns.size(); ++c) lanes.push_back(columns[c].values);
        Sieve sieve(columns, demands);
        Random random(seed);
        const std::vector<std::int32_t> before(losses.data(), losses.data() + losses.size());
        return sieve.regroup(rows, lanes, before, limit, random) ? sieve.labels() : std::vector<std::int32_t>();
    });
}

Result py_mend(Columns columns, Demands demands, Integers labels, std::int64_t spare, bool merges_only, Pulse* pulse,
               int threads) {
    check_length("labels", labels.size(), static_cast<std::size_t>(columns.n_rows()));
    return run(pulse, threads, [&](Pulse& watched) {
        return mend({columns, demands, labels.data(), spare, merges_only, watched, threads});
    });
}

Result py_merge_nearest(Columns columns, Integers labels, std::vector<std::int32_t> wanting, std::int64_t spare,
                        Pulse* pulse) {
    check_length("labels", labels.size(), static_cast<std::size_t>(columns.n_rows()));
    return run(pulse, 1,
               [&](Pulse& watched) { return merge_nearest({columns, labels.data(), wanting, spare, watched}); });
}

Result py_mondrian(Columns columns, Demands demands, bool strict, Pulse* pulse, int threads) {
    return run(pulse, threads,
               [&](Pulse& watched) { return mondrian({columns, demands, strict, watched, threads}); });
}

Result py_hilbert_order(UnsignedTable coordinates, std::int64_t bits, Pulse* pulse, int threads) {
    const Points points{coordinates.data(), coordinates.shape(0), coordinates.shape(1), narrow(bits)};
    return run(pulse, threads, [&](Pulse& watched) { return hilbert_order(points, watched, threads); });
}

Result py_split_order(Columns columns, std::int64_t k, Integers order, std::optional<Integers> subjects, Pulse* pulse,
                      int threads) {
    check_length("order", order.size(), static_cast<std::size_t>(columns.n_rows()));
    const std::int32_t* codes = check_subjects(subjects, columns);
    return run(pulse, threads, [&](Pulse& watched) {
        return split_order({columns, narrow(k), order.data(), codes, watched, threads});
    });
}

Result py_join_neighbours(Demands demands, Integers labels, Integers order) {
    check_length("labels", labels.size(), static_cast<std::size_t>(demands.n_rows()));
    check_length("order", order.size(), static_cast<std::size_t>(demands.n_rows()));
    return run(nullptr, 1, [&](Pulse&) { return join_neighbours(demands, labels.data(), order.data()); });
}

Result py_sorted_rows(std::vector<Integers> columns, std::int64_t n_rows, std::optional<Keys> ties) {
    if (n_rows < 0 || n_rows > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("n_rows must lie in 0..2^31-1");
    const auto n = static_cast<std::size_t>(n_rows);
    std::vector<const std::int32_t*> codes;
    for (const Integers& column : columns) {
        check_length("a column", column.size(), n);
        codes.push_back(column.data());
    }
    if (ties) check_length("ties", ties->size(), n);
    std::vector<std::int32_t> order;
    {
        const nb::gil_scoped_release unlocked;
        order = sorted_rows(codes, n, ties ? ties->data() : nullptr);
    }
    return hand_over(std::move(order));
}

std::tuple<Result, Result, Result> py_class_extents(Integers labels, Integers codes, std::int64_t n_classes) {
    check_length("codes", codes.size(), labels.size());
    if (n_classes < 0 || n_classes > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("n_classes must lie in 0..2^31-1");
    Extents extents;
    {
        const nb::gil_scoped_release unlocked;
        extents = class_extents(labels.data(), codes.data(), labels.size(), static_cast<std::size_t>(n_classes));
    }
    return {hand_over(std::move(extents.lowest)), hand_over(std::move(extents.highest)),
            hand_over(std::move(extents.n_missing))};
}

ByteRows byte_rows(const Bytes& data, const Costs& offsets) {
    return {data.data(), data.size(), offsets.data(), offsets.size()};
}

// Runs a kernel that gives a digest per row, without the interpreter's lock.
template <class Kernel>
Digests digest(int threads, std::size_t n_digest_bytes, Kernel&& kernel) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    std::vector<std::uint8_t> found;
    {
        const nb::gil_scoped_release unlocked;
        found = kernel();
    }
    return hand_over_rows(std::move(found), n_digest_bytes);
}

template <auto Kernel, std::size_t n_digest_bytes>
Digests py_digests(Bytes data, Costs offsets, int threads) {
    return digest(threads, n_digest_bytes, [&] { return Kernel(byte_rows(data, offsets), threads); });
}

Digests py_hmac_sha256(nb::bytes key, Bytes data, Costs offsets, int threads) {
    const auto* const key_bytes = reinterpret_cast<const std::uint8_t*>(key.c_str());
    const std::size_t n_key_bytes = key.size();
    return digest(threads, digest_bytes,
                  [&] { return hmac_sha256(key_bytes, n_key_bytes, byte_rows(data, offsets), threads); });
}

const std::vector<std::pair<std::string, InstructionSet>> instruction_set_names = {
    {"plain", InstructionSet::plain}, {"avx2", InstructionSet::avx2}, {"avx512", InstructionSet::avx512}};

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const auto& [name, set] : instruction_set_names) {
        if (set <= best_instruction_set()) names.push_back(name);
    }
    return names;
}

void use_instruction_set(const std::string& wanted) {
    for (const auto& [name, set] : instruction_set_names) {
        if (name != wanted || set > best_instruction_set()) continue;
        instruction_set.store(set, std::memory_order_relaxed);
        return;
    }
    throw std::invalid_argument("this machine has no such instruction set");
}

void bind_columns(nb::module_& m) {
    nb::class_<Columns>(m, "Columns", "Columns of one table, built one by one; all losses are integers.")
        .def(nb::init<std::int64_t>(), "n_rows"_a)
        .def_prop_ro("n_rows", &Columns::n_rows)
        .def("__len__", &Columns::size)
        .def(
            "add_line",
            [](Columns& self, Integers positions, std::int64_t full) {
                self.add_line(positions.data(), positions.size(), full);
            },
            "positions"_a.noconvert(), "full"_a,
            "Numbers. Loss of a class = max - min of its positions; INT32_MIN is a missing value.")
        .def(
            "add_bag",
            [](Columns& self, Integers codes, std::int64_t n_values, std::int64_t unit, std::int64_t full) {
                self.add_bag(codes.data(), codes.size(), n_values, unit, full);
            },
            "codes"_a.noconvert(), "n_values"_a, "unit"_a, "full"_a,
            "Flat categories. Loss of a class = (distinct codes - 1) * unit; -1 is a missing value.")
        .def(
            "take", [](const Columns& self, Integers rows) { return self.take(rows.data(), rows.size()); },
            "rows"_a.noconvert(), "The same columns of some of the rows.")
        .def(
            "add_tree",
            [](Columns& self, Integers codes, IntegerTable nodes, Integers loss, std::int64_t full) {
                self.add_tree(codes.data(), codes.size(), nodes.data(), nodes.shape(0), nodes.shape(1), loss.data(),
                              loss.size(), full);
            },
            "codes"_a.noconvert(), "nodes"_a.noconvert(), "loss"_a.noconvert(), "full"_a,
            "Categories with a hierarchy, codes in leaf order. Loss of a class = loss of its lowest common ancestor,\n"
            "the first level at which nodes[level, lowest] == nodes[level, highest]; -1 is a missing value.");
}

Secret secret_of(const Demands& demands, const Integers& codes, std::size_t n_values) {
    check_length("codes", codes.size(), static_cast<std::size_t>(demands.n_rows()));
    return {codes.data(), codes.size(), n_values};
}

void bind_demands(nb::module_& m) {
    nb::class_<Demands>(m, "Demands", "What every class must satisfy, added one by one.")
        .def(nb::init<std::int64_t>(), "n_rows"_a)
        .def_prop_ro("n_rows", &Demands::n_rows)
        .def_prop_ro("n_least_rows", &Demands::n_least_rows, "The least number of rows in a class, by all demands.")
        .def_prop_ro("counts_only", [](const Demands& self) { return self.others().empty(); },
                     "Whether the number of rows is all that is demanded.")
        .def_prop_ro("are_about_proportion", &Demands::are_about_proportion,
                     "Whether classes must hold values in proportion: they are better grown so than repaired.")
        .def_prop_ro("are_exact", &Demands::are_exact, "Whether all of them are decided by whole numbers.")
        .def("add_rows", &Demands::add_rows, "least"_a, "At least so many rows.")
        .def(
            "add_distinct",
            [](Demands& self, Integers codes, std::int64_t least) {
                self.add_distinct(codes.data(), codes.size(), least);
            },
            "codes"_a.noconvert(), "least"_a, "At least so many distinct codes; negative codes do not count.")
        .def(
            "add_shares",
            [](Demands& self, Integers codes, Reals least, Reals most, bool present_only,
               std::optional<Reals> reference) {
                check_length("most", most.size(), least.size());
                if (reference) check_length("reference", reference->size(), least.size());
                const Secret secret = secret_of(self, codes, least.size());
                self.add(share_demand(secret, least.data(), most.data(), present_only,
                                      reference ? reference->data() : nullptr));
            },
            "codes"_a.noconvert(), "least"_a.noconvert(), "most"_a.noconvert(), "present_only"_a,
            "reference"_a.noconvert().none() = nb::none(),
            "The share of each value within bounds; with present_only the lower one for values that the class has.\n"
            "With a reference the bounds are in proportion to its shares.")
        .def(
            "add_overall",
            [](Demands& self, bool is_mean, std::int64_t least, double limit, std::optional<Integers> people) {
                if (people) check_length("people", people->size(), static_cast<std::size_t>(self.n_rows()));
                self.add_overall(is_mean, narrow(least), limit, people ? people->data() : nullptr);
            },
            "is_mean"_a, "least"_a, "limit"_a, "people"_a.noconvert().none() = nb::none(),
            "Of all classes together: at most this share of the rows (is_mean: a mean of 1 / people) in classes of\n"
            "fewer people than least. Asked for by searches that recode whole columns alone.")
        .def(
            "add_cells",
            [](Demands& self, Integers codes, std::size_t n_values, std::int64_t least) {
                self.add(cell_demand(secret_of(self, codes, n_values), narrow(least)));
            },
            "codes"_a.noconvert(), "n_values"_a, "least"_a,
            "Every code that a class has stands in at least so many of its rows.")
        .def(
            "add_entropy",
            [](Demands& self, Integers codes, std::size_t n_values, double log_l) {
                self.add(entropy_demand(secret_of(self, codes, n_values), log_l));
            },
            "codes"_a.noconvert(), "n_values"_a, "log_l"_a, "Entropy of the codes at least log_l.")
        .def(
            "add_recursive",
            [](Demands& self, Integers codes, std::size_t n_values, double c, std::int64_t l) {
                self.add(recursive_demand(secret_of(self, codes, n_values), c, narrow(l)));
            },
            "codes"_a.noconvert(), "n_values"_a, "c"_a, "l"_a,
            "The greatest count below c times the sum of all from the l-th greatest on.")
        .def(
            "add_equal_distance",
            [](Demands& self, Integers codes, Reals reference, double t) {
                self.add(equal_distance_demand(secret_of(self, codes, reference.size()), reference.data(), t));
            },
            "codes"_a.noconvert(), "reference"_a.noconvert(), "t"_a,
            "Half the sum of differences from the reference shares at most t.")
        .def(
            "add_line_distance",
            [](Demands& self, Integers codes, Reals reference, Reals steps, double t) {
                check_length("steps", steps.size() + 1, reference.size());
                const Secret secret = secret_of(self, codes, reference.size());
                self.add(line_distance_demand(secret, reference.data(), steps.data(), t));
            },
            "codes"_a.noconvert(), "reference"_a.noconvert(), "steps"_a.noconvert(), "t"_a,
            "The way that shares must travel to the reference, codes being places with steps between them, at most t.")
        .def(
            "add_tree_distance",
            [](Demands& self, Integers codes, Reals reference, Integers parents, Reals weights, double t) {
                check_length("weights", weights.size(), parents.size());
                const Secret secret = secret_of(self, codes, reference.size());
                self.add(tree_distance_demand(secret, reference.data(), parents.data(), weights.data(), parents.size(),
                                              t));
            },
            "codes"_a.noconvert(), "reference"_a.noconvert(), "parents"_a.noconvert(), "weights"_a.noconvert(), "t"_a,
            "The same in a tree: over its nodes, the weight times what is exchanged between their children.")
        .def(
            "broken",
            [](const Demands& self, Integers labels) {
                check_length("labels", labels.size(), static_cast<std::size_t>(self.n_rows()));
                std::vector<std::int32_t> found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = broken_classes(self, labels.data());
                }
                return hand_over(std::move(found));
            },
            "labels"_a.noconvert(), "The labels of the classes that break a demand; negative ones are no class.")
        .def(
            "accepts",
            [](const Demands& self, const std::vector<std::int32_t>& rows) {
                for (const std::int32_t row : rows) {
                    if (row < 0 || row >= self.n_rows()) throw std::invalid_argument("there is no such row");
                }
                return Judge(self).accepts(rows);
            },
            "rows"_a, "Whether a class of these rows satisfies all demands.");
}

// For tests: what the search by pieces computes on its way.
void bind_trials(nb::module_& m) {
    m.def(
        "exchange_losses",
        [](const Columns& columns, const std::vector<std::int32_t>& rows, const std::vector<std::size_t>& ends,
           std::size_t x, std::size_t i, std::size_t y) {
            const ExchangeLosses found = exchange_losses(columns, rows, ends, x, i, y);
            return std::make_tuple(found.loss, found.growth, found.without, found.swapped_x, found.swapped_y);
        },
        "columns"_a, "rows"_a, "ends"_a, "x"_a, "i"_a, "y"_a,
        "Loss of each class, growth by row i of x, losses of x without each row, of x and y after each exchange.");
    m.def(
        "regroup_trial",
        [](const Columns& columns, const Demands& demands, const std::vector<std::int32_t>& rows,
           const std::vector<std::size_t>& ends, int way, std::uint64_t seed) {
            const RegroupTrial found = regroup_trial(columns, demands, rows, ends, way, seed);
            return std::make_tuple(found.is_found, found.cost, found.classes, found.loss);
        },
        "columns"_a, "demands"_a, "rows"_a, "ends"_a, "way"_a, "seed"_a,
        "Classes grouped anew (ways 0..2 from nothing, 3 from cores): found or not, cost, rows and loss of each.");
}

void bind_kernels(nb::module_& m) {
    m.def("k_members", &py_k_members, "columns"_a, "k"_a, "first"_a, "subjects"_a.noconvert().none(),
          "weights"_a.noconvert(), "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "Classes grown greedily from the free row furthest from the last one; a label per row.");
    m.def("l_greedy", &py_l_greedy, "columns"_a, "demands"_a, "order"_a.noconvert(), "pulse"_a.none() = nb::none(),
          "threads"_a = 0, "Classes grown greedily from the first free row of an order; a label per row.");
    m.def("mdav", &py_mdav, "cells"_a.noconvert(), "weights"_a.noconvert(), "ends"_a.noconvert(), "k"_a,
          "pulse"_a.none() = nb::none(),
          "Groups of k to 2k - 1 rows by MDAV, each block of rows apart; a label per row. Cells are numbers, as many as\n"
          "there are weights, then codes; the array is left in disorder.");
    m.def("weave", &py_weave, "columns"_a, "demands"_a, "labels"_a.noconvert(), "passes"_a, "seconds"_a, "seed"_a,
          "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "Classes regrouped with their neighbours, pass by pass; a label per row, and the least loss over time.");
    m.def("sift", &py_sift, "columns"_a, "demands"_a, "losses"_a.noconvert(), "limit"_a, "seed"_a,
          "The rows of a table grouped as weave groups those of a few classes by the nodes of their hierarchies; a label\n"
          "per row, or nothing if that costs the limit or more.");
    m.def("mend", &py_mend, "columns"_a, "demands"_a, "labels"_a.noconvert(), "spare"_a, "merges_only"_a = false,
          "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "Classes that break a demand helped by rows of others, merged, or suppressed (-1) within spare rows.");
    m.def("merge_nearest", &py_merge_nearest, "columns"_a, "labels"_a.noconvert(), "wanting"_a, "spare"_a,
          "pulse"_a.none() = nb::none(),
          "Each wanting class merged with its nearest, or suppressed (-1) within spare rows; a label per row.");
    m.def("mondrian", &py_mondrian, "columns"_a, "demands"_a, "strict"_a, "pulse"_a.none() = nb::none(),
          "threads"_a = 0, "Classes cut top-down at medians; a label per row.");
    m.def("hilbert_order", &py_hilbert_order, "coordinates"_a.noconvert(), "bits"_a, "pulse"_a.none() = nb::none(),
          "threads"_a = 0, "The rows in the order of their cells along a Hilbert curve, ties by row.");
    m.def("split_order", &py_split_order, "columns"_a, "k"_a, "order"_a.noconvert(), "subjects"_a.noconvert().none(),
          "pulse"_a.none() = nb::none(), "threads"_a = 0,
          "The best cuts of an order of the rows into classes of neighbours; a label per row.");
    m.def("join_neighbours", &py_join_neighbours, "demands"_a, "labels"_a.noconvert(), "order"_a.noconvert(),
          "Classes, each a stretch of an order, joined along it until the demands are met; a label per row.");
    m.def("sorted_rows", &py_sorted_rows, "columns"_a.noconvert(), "n_rows"_a, "ties"_a.noconvert().none(),
          "The rows in ascending order of their codes, the first column first; equal rows by ties, or as they stand.");
    m.def("class_extents", &py_class_extents, "labels"_a.noconvert(), "codes"_a.noconvert(), "n_classes"_a,
          "Lowest and highest known code (-1 where none) and number of missing codes of each class.");
    m.def("md5", &py_digests<md5, md5_bytes>, "data"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a = 0,
          "MD5 of each row, only to attack unkeyed digests; 16 bytes per row.");
    m.def("sha1", &py_digests<sha1, sha1_bytes>, "data"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a = 0,
          "SHA-1 of each row, only to attack unkeyed digests; 20 bytes per row.");
    m.def("sha512", &py_digests<sha512, sha512_bytes>, "data"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a = 0,
          "SHA-512 of each row, only to attack unkeyed digests; 64 bytes per row.");
    m.def("sha256", &py_digests<sha256, digest_bytes>, "data"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a = 0,
          "SHA-256 of each row, data[offsets[i]:offsets[i + 1]]; 32 bytes per row.");
    m.def("hmac_sha256", &py_hmac_sha256, "key"_a, "data"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a = 0,
          "HMAC-SHA-256 of each row under a key of at least one byte; 32 bytes per row.");
    m.def("instruction_sets", &instruction_sets, "The instruction sets that this machine can run, plainest first.");
    m.def("use_instruction_set", &use_instruction_set, "name"_a,
          "Run the loops with this instruction set; results are the same with all. For tests.");
}

}  // namespace

}  // namespace celosia

NB_MODULE(_kernels, m) {
    using celosia::Pulse;
    m.doc() = "Compiled loops over integer columns: arrays in, arrays out.";
    nb::exception<celosia::Interrupted>(m, "Interrupted");
    nb::class_<Pulse>(m, "Pulse", "Progress of a running kernel, and the way to stop it from another thread.")
        .def(nb::init<>())
        .def_prop_ro("done", &Pulse::done)
        .def_prop_ro("total", &Pulse::total)
        .def_prop_ro("loss", &Pulse::loss, "The least loss found so far, a fraction; negative while there is none.")
        .def_prop_ro("stopped", &Pulse::stopped)
        .def("stop", &Pulse::stop, "Ask the kernel to stop: it raises Interrupted soon after.");
    celosia::bind_columns(m);
    celosia::bind_demands(m);
    celosia::bind_kernels(m);
    celosia::bind_graph_edits(m);
    celosia::bind_graph_twins(m);
    celosia::bind_graphs(m);
    celosia::bind_graph_degree(m);
    celosia::bind_lower_bound(m);
    celosia::bind_recoder(m);
    celosia::bind_class_sets(m);
    celosia::bind_subsets(m);
    celosia::bind_trials(m);
}
