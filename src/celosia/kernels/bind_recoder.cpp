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

#include "binding.hpp"
#include "demands.hpp"
#include "genetic.hpp"
#include "ladders.hpp"
#include "lattice.hpp"
#include "pulse.hpp"
#include "recoder.hpp"
#include "top_down.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Found = std::tuple<bool, std::int64_t, std::int64_t>;

Objective objective_of(const std::string& name) {
    if (name == "cells") return Objective::cells;
    if (name == "discernibility") return Objective::discernibility;
    if (name == "class_size") return Objective::class_size;
    throw std::invalid_argument("there is no such objective");
}

// The block of each code, the cost of each pair of blocks, and the rebate of each code.
using GivenRanges = std::tuple<Integers, CostTable, Costs>;

// Everything that a search refers to, kept alive together.
class OwnedRecoder {
   public:
    OwnedRecoder(const Ladders& ladders, const Demands& lasting, const Demands& others, Objective objective,
                 std::int64_t n_spare, bool sees_all)
        : ladders_(checked(ladders, lasting, others)),
          terms_(lasting, others, n_spare, sees_all),
          tuples_(ladders_, terms_.counted()),
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

    std::tuple<Result, Result> sweep(IntegerTable nodes, double seconds, Pulse* pulse) {
        check_length("a row of nodes", nodes.shape(1), ladders_.columns().size());
        std::vector<Scheme> schemes;
        for (std::size_t i = 0; i < nodes.shape(0); ++i) {
            const std::int32_t* own = nodes.data() + i * nodes.shape(1);
            schemes.push_back(scheme(std::vector<std::int32_t>(own, own + nodes.shape(1))));
        }
        Swept swept;
        {
            const nb::gil_scoped_release unlocked;
            Pulse unwatched;
            swept = recoder_.sweep(schemes, seconds, pulse == nullptr ? unwatched : *pulse);
        }
        return {hand_over(std::move(swept.labels)), hand_over(std::move(swept.scheme_of))};
    }

    std::tuple<std::vector<std::int32_t>, std::int64_t, std::int64_t, bool, std::int64_t> optimum(
        const std::vector<std::int32_t>& least, const std::vector<std::int32_t>& most, double seconds,
        std::uint64_t seed, nb::object confirm, Pulse* pulse, int threads);

    std::tuple<std::vector<Result>, std::int64_t, std::int64_t> specialise(nb::object approve, Pulse* pulse);

    nb::tuple breed(bool by_levels, const std::vector<std::optional<GivenRanges>>& ranges,
                    const std::vector<std::vector<Integers>>& seeds, std::int64_t population, std::int64_t generations,
                    bool ends_when_idle, double seconds, std::uint64_t seed, nb::object approve, Pulse* pulse,
                    int threads);

   private:
    static const Ladders& checked(const Ladders& ladders, const Demands& lasting, const Demands& others) {
        if (lasting.n_rows() != ladders.n_rows() || others.n_rows() != ladders.n_rows())
            throw std::invalid_argument("demands and columns are not about the same number of rows");
        if (ladders.columns().empty()) throw std::invalid_argument("there are no columns");
        return ladders;
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

// One array per column.
template <class Value>
auto hand_over_all(const std::vector<std::vector<Value>>& columns) {
    std::vector<nb::ndarray<nb::numpy, Value, nb::ndim<1>>> all;
    for (const auto& own : columns) all.push_back(hand_over(own));
    return all;
}

Approve approving(const nb::object& approve) {
    if (approve.is_none()) return {};
    return [&approve](const Places& places) {
        const nb::gil_scoped_acquire locked;
        return nb::cast<bool>(approve(hand_over_all(places)));
    };
}

std::tuple<std::vector<Result>, std::int64_t, std::int64_t> OwnedRecoder::specialise(nb::object approve,
                                                                                     Pulse* pulse) {
    const Approve higher = approving(approve);
    Specialised found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = celosia::specialise(
            {ladders_, tuples_, terms_, recoder_, higher, pulse == nullptr ? unwatched : *pulse});
    }
    return {hand_over_all(found.places), found.cost, found.n_judged};
}

Ranges ranges_of(const GivenRanges& given, const Ladder& ladder) {
    const auto& [block_of, costs, rebates] = given;
    check_length("the blocks of a column", block_of.size(), ladder.n_codes);
    check_length("the rebates of a column", rebates.size(), ladder.n_codes);
    check_length("the costs of blocks", costs.shape(1), costs.shape(0));
    Ranges ranges;
    ranges.block_of.assign(block_of.data(), block_of.data() + block_of.size());
    ranges.costs.assign(costs.data(), costs.data() + costs.shape(0) * costs.shape(1));
    ranges.rebates.assign(rebates.data(), rebates.data() + rebates.size());
    ranges.n_blocks = costs.shape(0);
    std::int32_t before = -1;
    for (std::size_t code = 0; code < ladder.n_codes; ++code) {
        const std::int32_t own = ranges.block_of[code];
        if (own < 0 && code + 1 == ladder.n_codes) break;
        if (own != before && own != before + 1) throw std::invalid_argument("blocks are not numbered in order");
        before = own;
    }
    if (static_cast<std::size_t>(before) + 1 != ranges.n_blocks)
        throw std::invalid_argument("there are not as many blocks as costs");
    return ranges;
}

nb::tuple OwnedRecoder::breed(bool by_levels, const std::vector<std::optional<GivenRanges>>& given,
                              const std::vector<std::vector<Integers>>& given_seeds, std::int64_t population,
                              std::int64_t generations, bool ends_when_idle, double seconds, std::uint64_t seed,
                              nb::object approve, Pulse* pulse, int threads) {
    const std::vector<Ladder>& columns = ladders_.columns();
    check_length("ranges", given.size(), columns.size());
    if (population < 2 || generations < 0) throw std::invalid_argument("a population has at least two members");
    if (given_seeds.empty()) throw std::invalid_argument("there are no seeds");
    if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
    std::vector<Ranges> ranges(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (given[j]) ranges[j] = ranges_of(*given[j], columns[j]);
        if (columns[j].n_levels > 255) throw std::invalid_argument("a column has more than 255 levels");
    }
    std::vector<Places> seeds;
    for (const auto& own : given_seeds) {
        check_length("a seed", own.size(), columns.size());
        seeds.emplace_back();
        for (std::size_t j = 0; j < own.size(); ++j) {
            check_length("a seed's column", own[j].size(), columns[j].n_codes);
            seeds.back().emplace_back(own[j].data(), own[j].data() + own[j].size());
            for (const std::int32_t level : seeds.back().back()) {
                if (level < 0 || static_cast<std::size_t>(level) >= columns[j].n_levels)
                    throw std::invalid_argument("a level is not one of its column");
            }
        }
    }
    const Approve higher = approving(approve);
    Bred found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = celosia::breed({ladders_, tuples_, terms_, recoder_.objective(), by_levels, ranges, seeds,
                                static_cast<std::size_t>(population), generations, ends_when_idle, seconds, seed,
                                recoder_.cost_of_all_lost(), higher, pulse == nullptr ? unwatched : *pulse, threads});
    }
    return nb::make_tuple(hand_over_all(found.places), hand_over_all(found.costs), found.cost, found.n_judged,
                          found.times, found.least);
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
               const std::string& objective, std::int64_t spare, bool sees_all) {
                new (self) OwnedRecoder(ladders, lasting, others, objective_of(objective), spare, sees_all);
            },
            "ladders"_a, "lasting"_a, "others"_a, "objective"_a, "spare"_a, "sees_all"_a = true)
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
        .def("specialise", &OwnedRecoder::specialise, "approve"_a.none() = nb::none(), "pulse"_a.none() = nb::none(),
             "Top-down specialisation: the level of every code of every column (empty: the tops do not hold), the cost,\n"
             "and how many changes were judged. approve(levels) is a higher judge.")
        .def("sweep", &OwnedRecoder::sweep, "nodes"_a.noconvert(), "seconds"_a, "pulse"_a.none() = nb::none(),
             "Recodes by rows of levels, one after another, what those before left over. Returns a class per row (-1: left\n"
             "over) and for every class the place of the levels that publish it.")
        .def("breed", &OwnedRecoder::breed, "by_levels"_a, "ranges"_a, "seeds"_a, "population"_a, "generations"_a,
             "ends_when_idle"_a, "seconds"_a, "seed"_a, "approve"_a.none() = nb::none(), "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "A genetic search from seeds, given as the level of every code of every column. Of each column of ranges:\n"
             "the block of every code (-1: missing), what a row costs between two blocks, and the rebate of every code.\n"
             "Gives the level, or the range, of every code, its cost, their sum, how many recodings were judged, and\n"
             "when the best so far was found and its cost. Empty: nothing holds.")
        .def("optimum", &OwnedRecoder::optimum, "least"_a, "most"_a, "seconds"_a, "seed"_a, "confirm"_a.none(),
             "pulse"_a.none() = nb::none(), "threads"_a = 0,
             "The cheapest levels within bounds (empty: none holds), their cost, a bound that none undercuts, whether\n"
             "they are proved to be the cheapest, and how many recodings were judged. confirm(levels) gives the cost by\n"
             "a higher judge, or -1.");
}

}  // namespace celosia
