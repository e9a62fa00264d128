// The Python face of the searches that recode whole columns.
#include "bind_recoder.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "demands.hpp"
#include "ladders.hpp"
#include "lattice.hpp"
#include "pulse.hpp"
#include "recoder.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IntegerTable = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CostTable = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Found = std::tuple<bool, std::int64_t, std::int64_t>;

void check_length(const char* name, std::size_t got, std::size_t wanted) {
    if (got != wanted)
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(got) + " entries; it must have " +
                                    std::to_string(wanted));
}

Objective objective_of(const std::string& name) {
    if (name == "cells") return Objective::cells;
    if (name == "discernibility") return Objective::discernibility;
    if (name == "class_size") return Objective::class_size;
    throw std::invalid_argument("there is no such objective");
}

Result hand_over(std::vector<std::int32_t> values) {
    auto* kept = new std::vector<std::int32_t>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
    return Result(kept->data(), {kept->size()}, owner);
}

struct Rows {
    std::int64_t n_spare;
    std::optional<std::int64_t> n_few;
    std::int64_t n_enough;
    bool refer_to_published;
    std::optional<Integers> among;
};

// Everything that a search refers to, kept alive together.
class OwnedRecoder {
   public:
    OwnedRecoder(const Ladders& ladders, const Demands& lasting, const Demands& others, Objective objective,
                 const Rows& rows)
        : ladders_(ladders),
          terms_(terms_of(lasting, others, rows)),
          tuples_(ladders_, checked(ladders, lasting, others, rows), terms_.counted()),
          recoder_(ladders_, tuples_, terms_, objective) {}

    std::size_t n_tuples() const { return tuples_.size(); }
    std::int64_t cost_of_all_lost() const { return recoder_.cost_of_all_lost(); }

    Scheme scheme(const std::vector<std::int32_t>& levels) const {
        check_length("levels", levels.size(), ladders_.columns().size());
        Scheme all;
        for (std::size_t j = 0; j < levels.size(); ++j) {
            const Ladder& ladder = ladders_.columns()[j];
            if (levels[j] < 0 || static_cast<std::size_t>(levels[j]) >= ladder.n_levels)
                throw std::invalid_argument("a level is not one of its column");
            const auto level = static_cast<std::size_t>(levels[j]);
            all.push_back({ladder.groups_at(level), static_cast<std::size_t>(ladder.n_groups[level]),
                           ladder.costs_at(level)});
        }
        return all;
    }

    Scheme cuts(const std::vector<Integers>& groups, const std::vector<Costs>& costs) const {
        check_length("groups", groups.size(), ladders_.columns().size());
        check_length("costs", costs.size(), ladders_.columns().size());
        Scheme all;
        for (std::size_t j = 0; j < groups.size(); ++j) {
            const Ladder& ladder = ladders_.columns()[j];
            check_length("a column of groups", groups[j].size(), ladder.n_codes);
            check_length("a column of costs", costs[j].size(), ladder.n_codes);
            const auto [least, most] = std::minmax_element(groups[j].data(), groups[j].data() + ladder.n_codes);
            if (*least < 0 || static_cast<std::size_t>(*most) >= ladder.n_codes)
                throw std::invalid_argument("groups are not numbered within 0..number of codes - 1");
            all.push_back({groups[j].data(), static_cast<std::size_t>(*most) + 1, costs[j].data()});
        }
        return all;
    }

    Found evaluate(const Scheme& scheme) {
        const nb::gil_scoped_release unlocked;
        const Outcome found = recoder_.evaluate(scheme);
        return {found.holds, found.cost, found.n_suppressed};
    }

    Result labels(const Scheme& scheme) {
        std::vector<std::int32_t> found;
        {
            const nb::gil_scoped_release unlocked;
            found = recoder_.labels(scheme);
        }
        return hand_over(std::move(found));
    }

    std::tuple<std::vector<std::int32_t>, std::int64_t, std::int64_t, bool, std::int64_t> optimum(
        const std::vector<std::int32_t>& least, const std::vector<std::int32_t>& most, double seconds,
        std::uint64_t seed, nb::object confirm, Pulse* pulse, int threads);

   private:
    static Terms terms_of(const Demands& lasting, const Demands& others, const Rows& rows) {
        Terms terms(lasting, others);
        terms.n_spare = rows.n_spare;
        terms.n_few = rows.n_few.value_or(rows.n_spare);
        terms.n_enough = rows.n_enough;
        terms.refers_to_published = rows.refer_to_published;
        return terms;
    }

    static std::vector<std::int32_t> checked(const Ladders& ladders, const Demands& lasting, const Demands& others,
                                             const Rows& rows) {
        if (lasting.n_rows() != ladders.n_rows() || others.n_rows() != ladders.n_rows())
            throw std::invalid_argument("demands and columns are not about the same number of rows");
        if (ladders.columns().empty()) throw std::invalid_argument("there are no columns");
        if (!rows.among) return {};
        std::vector<std::int32_t> among(rows.among->data(), rows.among->data() + rows.among->size());
        if (among.empty()) throw std::invalid_argument("there are no rows");
        for (const std::int32_t row : among) {
            if (row < 0 || row >= ladders.n_rows()) throw std::invalid_argument("a row is not one of the table");
        }
        return among;
    }

    Ladders ladders_;
    Terms terms_;
    Tuples tuples_;
    Recoder recoder_;
};

std::tuple<std::vector<std::int32_t>, std::int64_t, std::int64_t, bool, std::int64_t> OwnedRecoder::optimum(
    const std::vector<std::int32_t>& least, const std::vector<std::int32_t>& most, double seconds, std::uint64_t seed,
    nb::object confirm, Pulse* pulse, int threads) {
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    scheme(least);
    scheme(most);
    std::vector<Range> ranges;
    for (std::size_t j = 0; j < least.size(); ++j) {
        if (least[j] > most[j]) throw std::invalid_argument("a least level is above the most");
        ranges.push_back({least[j], most[j]});
    }
    Confirm higher;
    if (!confirm.is_none()) {
        higher = [&confirm](const std::vector<std::int32_t>& levels) {
            const nb::gil_scoped_acquire locked;
            return nb::cast<std::int64_t>(confirm(levels));
        };
    }
    Optimum found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = lattice({ladders_, tuples_, terms_, recoder_.objective(), ranges, recoder_.cost_of_all_lost(), seconds,
                         seed, higher, pulse == nullptr ? unwatched : *pulse, threads});
    }
    return {found.levels, found.cost, found.bound, found.is_proved, found.n_judged};
}

}  // namespace

void bind_recoder(nb::module_& m) {
    nb::class_<Ladders>(m, "Ladders", "The levels on which whole columns can be published, added one by one.")
        .def(nb::init<std::int64_t>(), "n_rows"_a)
        .def_prop_ro("n_rows", &Ladders::n_rows)
        .def("__len__", [](const Ladders& self) { return self.columns().size(); })
        .def(
            "add",
            [](Ladders& self, Integers codes, IntegerTable groups, CostTable costs, Costs lost) {
                check_length("costs", costs.shape(0) * costs.shape(1), groups.shape(0) * groups.shape(1));
                check_length("lost", lost.size(), groups.shape(1));
                self.add(codes.data(), codes.size(), groups.data(), costs.data(), lost.data(), groups.shape(0),
                         groups.shape(1));
            },
            "codes"_a.noconvert(), "groups"_a.noconvert(), "costs"_a.noconvert(), "lost"_a.noconvert(),
            "groups[level, code]: rows of one group are published alike; costs[level, code] of one such row, lost[code]\n"
            "of a suppressed one. Codes are 0, 1, ...; a missing value has one like any other.");
    nb::class_<OwnedRecoder>(m, "Recoder", "Judges recodings of whole columns: what breaks a demand is suppressed.")
        .def(
            "__init__",
            [](OwnedRecoder* self, const Ladders& ladders, const Demands& lasting, const Demands& others,
               const std::string& objective, std::int64_t spare, std::optional<std::int64_t> few, std::int64_t enough,
               bool refer_to_published, std::optional<Integers> rows) {
                new (self) OwnedRecoder(ladders, lasting, others, objective_of(objective),
                                        {spare, few, enough, refer_to_published, rows});
            },
            "ladders"_a, "lasting"_a, "others"_a, "objective"_a, "spare"_a, "few"_a.none() = nb::none(),
            "enough"_a = 0, "refer_to_published"_a = true, "rows"_a.noconvert().none() = nb::none())
        .def_prop_ro("n_tuples", &OwnedRecoder::n_tuples, "How many different rows there are.")
        .def_prop_ro("cost_of_all_lost", &OwnedRecoder::cost_of_all_lost, "What it costs to suppress every row.")
        .def(
            "evaluate",
            [](OwnedRecoder& self, const std::vector<std::int32_t>& levels) {
                return self.evaluate(self.scheme(levels));
            },
            "levels"_a, "Whether a level per column holds, its cost, and how many rows it suppresses.")
        .def(
            "labels",
            [](OwnedRecoder& self, const std::vector<std::int32_t>& levels) { return self.labels(self.scheme(levels)); },
            "levels"_a, "A class per row, -1 where it is suppressed; empty if the levels do not hold.")
        .def(
            "evaluate_cuts",
            [](OwnedRecoder& self, const std::vector<Integers>& groups, const std::vector<Costs>& costs) {
                return self.evaluate(self.cuts(groups, costs));
            },
            "groups"_a, "costs"_a, "The same of a group and a cost per code of every column.")
        .def(
            "labels_of_cuts",
            [](OwnedRecoder& self, const std::vector<Integers>& groups, const std::vector<Costs>& costs) {
                return self.labels(self.cuts(groups, costs));
            },
            "groups"_a, "costs"_a)
        .def("optimum", &OwnedRecoder::optimum, "least"_a, "most"_a, "seconds"_a, "seed"_a, "confirm"_a.none(),
             "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "The cheapest levels within bounds (empty: none holds), their cost, a bound that none undercuts, whether\n"
             "they are proved to be the cheapest, and how many recodings were judged. confirm(levels) gives the cost by\n"
             "a higher judge, or -1.");
}

}  // namespace celosia
