// The Python face of the kernels that make graphs degree anonymous.
#include "bind_graph_degree.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "graph_degree.hpp"
#include "graph_degree_anneal.hpp"
#include "graph_degree_edits.hpp"
#include "graph_degree_joint.hpp"
#include "graph_degree_targets.hpp"
#include "pulse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Places = Given<std::int64_t>;
using Ends = std::tuple<Result, Result>;

constexpr std::size_t most_nodes_annealed = 8192;

NodePairs checked_pairs(const Places& starts, const Integers& partners) {
    if (starts.size() == 0) throw std::invalid_argument("starts has 0 entries; it must have one more than nodes");
    const std::size_t n = starts.size() - 1;
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("there are at most 2^31-1 nodes");
    check_starts(starts, n, partners.size(), "partners");
    for (std::size_t i = 0; i < partners.size(); ++i) {
        if (partners.data()[i] < 0 || static_cast<std::size_t>(partners.data()[i]) >= n)
            throw std::invalid_argument("a partner is no node");
    }
    return {starts.data(), partners.data(), n};
}

using Sides = std::optional<Given<std::int8_t>>;

DegreeRules checked_rules(std::int64_t k, bool may_add, bool may_delete, const Sides& sides,
                          const std::optional<Integers>& mates, std::size_t n) {
    if (k < 1 || k > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("k must lie in 1..2^31-1");
    if (!may_add && !may_delete) throw std::invalid_argument("some edits must be allowed");
    if (sides) check_length("sides", sides->size(), n);
    if (mates) {
        check_length("mates", mates->size(), n);
        for (std::size_t v = 0; v < n; ++v) {
            const std::int32_t mate = mates->data()[v];
            if (mate < 0 || static_cast<std::size_t>(mate) >= n) throw std::invalid_argument("a mate is no node");
        }
    }
    return {k, may_add, may_delete, sides ? sides->data() : nullptr, mates ? mates->data() : nullptr};
}

std::size_t n_groups_of(const Integers& groups, std::size_t n) {
    check_length("groups", groups.size(), n);
    std::int32_t highest = -1;
    for (std::size_t v = 0; v < n; ++v) {
        if (groups.data()[v] < 0 || static_cast<std::size_t>(groups.data()[v]) >= n)
            throw std::invalid_argument("groups must be numbered from 0");
        highest = std::max(highest, groups.data()[v]);
    }
    return static_cast<std::size_t>(highest + 1);
}

void check_group_sizes(const Integers& groups, std::size_t n_groups, std::int64_t k) {
    std::vector<std::int64_t> sizes(n_groups, 0);
    for (std::size_t v = 0; v < groups.size(); ++v) ++sizes[static_cast<std::size_t>(groups.data()[v])];
    for (const std::int64_t size : sizes) {
        if (size < k) throw std::invalid_argument("a group has fewer than k nodes");
    }
}

// With mates, the first half of the nodes is for arcs out, the second for arcs in of the same vertices.
void check_halves(const Integers& mates, const Integers& groups, const Sides& sides, std::size_t n) {
    check_length("mates", mates.size(), n);
    check_length("groups", groups.size(), n);
    if (!sides) throw std::invalid_argument("with mates there must be sides");
    check_length("sides", sides->size(), n);
    for (std::size_t v = 0; v < n; ++v) {
        const std::size_t mate = v < n / 2 ? v + n / 2 : v - n / 2;
        if (n % 2 != 0 || mates.data()[v] != static_cast<std::int32_t>(mate) || groups.data()[v] != groups.data()[mate])
            throw std::invalid_argument("mates must be v and n / 2 + v, of one group");
    }
}

// Pairs of nodes as they are given.
PairList checked_edits(const Integers& first, const Integers& second, std::size_t n) {
    check_length("second", second.size(), first.size());
    PairList edits;
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (const std::int32_t v : {first.data()[i], second.data()[i]}) {
            if (v < 0 || static_cast<std::size_t>(v) >= n) throw std::invalid_argument("the end of an edit is no node");
        }
        edits.emplace_back(first.data()[i], second.data()[i]);
    }
    return edits;
}

Ends handed(const PairList& pairs) {
    std::vector<std::int32_t> first, second;
    for (const auto& [v, u] : pairs) {
        first.push_back(v);
        second.push_back(u);
    }
    return {hand_over(std::move(first)), hand_over(std::move(second))};
}

std::int64_t py_degree_distance(const Integers& degrees, std::int64_t k, bool may_add, bool may_delete) {
    checked_rules(k, may_add, may_delete, std::nullopt, std::nullopt, 0);
    for (std::size_t i = 1; i < degrees.size(); ++i) {
        if (degrees.data()[i - 1] > degrees.data()[i]) throw std::invalid_argument("degrees must ascend");
    }
    if (degrees.size() < static_cast<std::size_t>(k)) throw std::invalid_argument("there are fewer than k degrees");
    const nb::gil_scoped_release unlocked;
    return DegreeCuts(k, degree_prices(may_add, may_delete)).update({degrees.data(), degrees.size()}, 0);
}

std::int64_t py_priced_degree_distance(const Integers& degrees, const Integers& up, const Integers& down,
                                       std::int64_t k) {
    check_length("up", up.size(), degrees.size());
    check_length("down", down.size(), degrees.size());
    if (k < 1 || degrees.size() < static_cast<std::size_t>(k))
        throw std::invalid_argument("k must lie in 1 and the number of degrees");
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        if (up.data()[i] < 0 || down.data()[i] < 0) throw std::invalid_argument("prices must not be negative");
        if (i == 0) continue;
        if (degrees.data()[i - 1] > degrees.data()[i]) throw std::invalid_argument("degrees must ascend");
        if (up.data()[i - 1] < up.data()[i] || down.data()[i - 1] > down.data()[i])
            throw std::invalid_argument("prices up must not rise, prices down not fall");
    }
    const nb::gil_scoped_release unlocked;
    return priced_degree_distance({degrees.data(), degrees.size()}, {up.data(), up.size()},
                                  {down.data(), down.size()}, k);
}

std::int64_t py_distance_to_nearest(const Integers& groups, const Integers& out, const Integers& in,
                                    const Places& sizes, std::int64_t k) {
    for (const std::size_t length : {out.size(), in.size(), sizes.size()}) check_length("points", length, groups.size());
    if (k < 1) throw std::invalid_argument("k must be at least 1");
    std::vector<DegreePoint> points;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (sizes.data()[i] < 1) throw std::invalid_argument("every point must have a vertex");
        points.push_back({groups.data()[i], out.data()[i], in.data()[i], sizes.data()[i]});
    }
    const nb::gil_scoped_release unlocked;
    return distance_to_nearest(std::move(points), k);
}

std::optional<Ends> py_anneal_degrees(const Places& starts, const Integers& partners, const Integers& groups,
                                      const Sides& sides, std::int64_t k, bool may_add, bool may_delete,
                                      const Integers& first, const Integers& second, std::int64_t n_steps,
                                      std::int64_t n_rounds, double heat, std::int64_t enough, double seconds,
                                      std::uint64_t seed, Pulse* pulse) {
    const NodePairs pairs = checked_pairs(starts, partners);
    if (pairs.n_nodes > most_nodes_annealed) throw std::invalid_argument("there are too many nodes to anneal");
    if (n_steps < 1 || n_rounds < 1) throw std::invalid_argument("n_steps and n_rounds must be at least 1");
    if (!(heat > 0)) throw std::invalid_argument("heat must be above 0");
    const DegreeAnnealing task{pairs,
                               checked_rules(k, may_add, may_delete, sides, std::nullopt, pairs.n_nodes),
                               groups.data(),
                               n_groups_of(groups, pairs.n_nodes),
                               n_steps,
                               n_rounds,
                               heat,
                               enough,
                               seconds,
                               seed};
    const PairList start = checked_edits(first, second, pairs.n_nodes);
    check_group_sizes(groups, task.n_groups, k);
    AnnealedPairs found;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        found = anneal_degrees(task, start, pulse == nullptr ? unwatched : *pulse);
    }
    if (!found.found) return std::nullopt;
    return handed(found.edits);
}

std::tuple<Result, Ends, std::int64_t> py_degree_targets(const Places& starts, const Integers& partners,
                                                         const Integers& groups, const Sides& sides,
                                                         const std::optional<Integers>& mates, std::int64_t k,
                                                         bool may_add, bool may_delete, std::int64_t n_trials,
                                                         double seconds, std::uint64_t seed, Pulse* pulse) {
    const NodePairs pairs = checked_pairs(starts, partners);
    if (mates) check_halves(*mates, groups, sides, pairs.n_nodes);
    const DegreeAim aim{pairs,
                        checked_rules(k, may_add, may_delete, sides, mates, pairs.n_nodes),
                        groups.data(),
                        n_groups_of(groups, pairs.n_nodes),
                        n_trials,
                        seconds,
                        seed};
    check_group_sizes(groups, aim.n_groups, mates ? 2 * k : k);
    DegreeTargets targets;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        Pulse& watched = pulse == nullptr ? unwatched : *pulse;
        targets = mates ? joint_degree_targets(aim, watched) : degree_targets(aim, watched);
    }
    return {hand_over(std::move(targets.degrees)), handed(targets.pairs), targets.n_edits};
}

std::tuple<Result, Result, bool> py_realise_degrees(const Places& starts, const Integers& partners, const Integers& groups,
                                       const Sides& sides, const std::optional<Integers>& mates, std::int64_t k,
                                       bool may_add, bool may_delete, const Integers& targets,
                                       const Integers& first, const Integers& second, std::uint64_t seed,
                                       Pulse* pulse) {
    const NodePairs pairs = checked_pairs(starts, partners);
    n_groups_of(groups, pairs.n_nodes);
    check_length("targets", targets.size(), pairs.n_nodes);
    const DegreeRealising task{pairs, checked_rules(k, may_add, may_delete, sides, mates, pairs.n_nodes), groups.data(),
                               targets.data(), checked_edits(first, second, pairs.n_nodes), seed};
    RealisedDegrees realised;
    {
        const nb::gil_scoped_release unlocked;
        Pulse unwatched;
        realised = realise_degrees(task, pulse == nullptr ? unwatched : *pulse);
    }
    auto [ends, other_ends] = handed(realised.edits);
    return {std::move(ends), std::move(other_ends), realised.found};
}

}  // namespace

void bind_graph_degree(nb::module_& m) {
    m.def("degree_distance", &py_degree_distance, "degrees"_a.noconvert(), "k"_a, "may_add"_a = true,
          "may_delete"_a = true, "How far ascending degrees are from the nearest where each is that of k or more.");
    m.def("priced_degree_distance", &py_priced_degree_distance, "degrees"_a.noconvert(), "up"_a.noconvert(),
          "down"_a.noconvert(), "k"_a,
          "The same where every degree has its own price for a unit up or down; the prices of the moves that are made.");
    m.def("distance_to_nearest", &py_distance_to_nearest, "groups"_a.noconvert(), "out"_a.noconvert(),
          "into"_a.noconvert(), "sizes"_a.noconvert(), "k"_a,
          "The distances of every vertex to the k - 1 nearest of its group, in the plane of degrees out and in.");
    m.def("anneal_degrees", &py_anneal_degrees, "starts"_a.noconvert(), "partners"_a.noconvert(),
          "groups"_a.noconvert(), "sides"_a.noconvert().none(), "k"_a, "may_add"_a, "may_delete"_a,
          "first"_a.noconvert(), "second"_a.noconvert(), "n_steps"_a, "n_rounds"_a, "heat"_a, "enough"_a, "seconds"_a, "seed"_a,
          "pulse"_a.none() = nb::none(),
          "Few edits of a small graph after which every degree of a group is that of k or more; None if not found.");
    m.def("degree_targets", &py_degree_targets, "starts"_a.noconvert(), "partners"_a.noconvert(),
          "groups"_a.noconvert(), "sides"_a.noconvert().none(), "mates"_a.noconvert().none(), "k"_a, "may_add"_a,
          "may_delete"_a, "n_trials"_a, "seconds"_a, "seed"_a, "pulse"_a.none() = nb::none(),
          "A degree for each node so that each in a group is that of k or more, and about how many edits lead there.");
    m.def("realise_degrees", &py_realise_degrees, "starts"_a.noconvert(), "partners"_a.noconvert(),
          "groups"_a.noconvert(), "sides"_a.noconvert().none(), "mates"_a.noconvert().none(), "k"_a, "may_add"_a,
          "may_delete"_a, "targets"_a.noconvert(), "first"_a.noconvert(), "second"_a.noconvert(), "seed"_a, "pulse"_a.none() = nb::none(),
          "Edits that lead to these degrees, or to others that are as common, and whether they do, or a part of the way.");
}

}  // namespace celosia
