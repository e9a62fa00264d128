// The Python face of the search for few edits of a graph.
#include "bind_graph_edits.hpp"

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
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "graph_anneal.hpp"
#include "graph_demands.hpp"
#include "graph_edit_sets.hpp"
#include "graph_edits.hpp"
#include "graph_kl.hpp"
#include "pulse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Sides = Given<std::int8_t>;

void check_ends(const Integers& source, const Integers& target, std::size_t n) {
    check_length("target", target.size(), source.size());
    for (const Integers* ends : {&source, &target}) {
        for (std::size_t i = 0; i < ends->size(); ++i) {
            if (ends->data()[i] < 0 || static_cast<std::size_t>(ends->data()[i]) >= n)
                throw std::invalid_argument("an end is no vertex");
        }
    }
}

// A graph with the arrays that it reads and the demands on it.
class EditSearch {
   public:
    EditSearch(std::int64_t n, bool directed, Integers source, Integers target, std::optional<Sides> sides,
               bool may_add, bool may_delete)
        : sides_(std::move(sides)), n_(checked(n)) {
        check_ends(source, target, n_);
        if (sides_) check_length("sides", sides_->size(), n_);
        graph_ = std::make_unique<EditedGraph>(EditedGraph::Given{n_,
                                                                  directed,
                                                                  {source.data(), source.size()},
                                                                  {target.data(), target.size()},
                                                                  sides_ ? sides_->data() : nullptr,
                                                                  may_add,
                                                                  may_delete});
    }

    void add_known(std::int64_t k, int n_known, bool absence, bool exclude_known, std::optional<Integers> groups) {
        if (n_known != 1 && n_known != 2) throw std::invalid_argument("n_known must be 1 or 2");
        const KlOptions options{checked_k(k), n_known, absence, exclude_known};
        const Groups own = hold(std::move(groups));
        if (!kl_fits(n_, graph_->directed(), options, own.n)) throw std::invalid_argument("there are too many pairs");
        demands_.push_back(kl_demand(*graph_, options, own));
    }
    void add_degrees(std::int64_t k, std::optional<Integers> groups) {
        demands_.push_back(degree_demand(n_, checked_k(k), hold(std::move(groups))));
    }
    void add_twins(std::int64_t k, bool closed, std::optional<Integers> groups, std::uint64_t seed) {
        demands_.push_back(twin_demand(n_, checked_k(k), closed, hold(std::move(groups)), seed));
    }

    std::int64_t violation(Integers source, Integers target) {
        check_ends(source, target, n_);
        const nb::gil_scoped_release unlocked;
        go_to(source, target);
        std::int64_t sum = 0;
        for (auto& demand : demands_) {
            demand->count(*graph_);
            sum += demand->violation();
        }
        return sum;
    }

    using Ends = std::tuple<Result, Result>;

    std::optional<Ends> run(Integers source, Integers target, std::int64_t n_looks, std::tuple<double, double> heat,
                            std::tuple<double, double> price, bool counts_missing, double seconds, std::uint64_t seed,
                            Pulse* pulse) {
        check_ends(source, target, n_);
        if (!(seconds >= 0.0)) throw std::invalid_argument("seconds is negative");
        if (demands_.empty()) throw std::invalid_argument("nothing is demanded");
        bool is_found = false;
        {
            const nb::gil_scoped_release unlocked;
            Pulse unwatched;
            go_to(source, target);
            const AnnealOptions options{n_looks,
                                        std::get<0>(heat),
                                        std::get<1>(heat),
                                        std::get<0>(price),
                                        std::get<1>(price),
                                        counts_missing ? Measure::missing : Measure::nearest,
                                        seconds,
                                        seed};
            is_found = Annealer(*graph_, demands_, options, pulse == nullptr ? unwatched : *pulse).run();
        }
        if (!is_found) return std::nullopt;
        return ends_of(graph_->edges());
    }

    std::tuple<std::vector<Ends>, bool, std::int64_t> edit_sets(std::int64_t size, std::int64_t n_most,
                                                                std::int64_t n_looks, double seconds, Pulse* pulse) {
        if (size < 0) throw std::invalid_argument("size is negative");
        if (n_most < 1) throw std::invalid_argument("n_most must be at least 1");
        EditSets sets = [&] {
            const nb::gil_scoped_release unlocked;
            Pulse unwatched;
            const std::vector<Edge> edits(graph_->edits().begin(), graph_->edits().end());
            for (const Edge edge : edits) graph_->toggle(edge);
            const EditSetsOptions options{static_cast<std::size_t>(size), static_cast<std::size_t>(n_most), n_looks,
                                          seconds};
            return celosia::edit_sets(*graph_, demands_, options, pulse == nullptr ? unwatched : *pulse);
        }();
        std::vector<Ends> found;
        for (const auto& edits : sets.found) found.push_back(ends_of(edits));
        return {std::move(found), sets.is_whole, sets.n_looks};
    }

   private:
    static Ends ends_of(std::span<const Edge> edges) {
        std::vector<std::int32_t> sources, targets;
        for (const Edge edge : edges) {
            sources.push_back(edge.source);
            targets.push_back(edge.target);
        }
        return {hand_over(std::move(sources)), hand_over(std::move(targets))};
    }
    static std::size_t checked(std::int64_t n) {
        if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("n_vertices must lie in 0..2^31-1");
        return static_cast<std::size_t>(n);
    }
    static std::int64_t checked_k(std::int64_t k) {
        if (k < 1 || k > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("k must be at least 1");
        return k;
    }
    Groups hold(std::optional<Integers> groups) {
        if (!groups) return {nullptr, 1};
        check_length("groups", groups->size(), n_);
        std::int32_t highest = 0;
        for (std::size_t v = 0; v < n_; ++v) {
            if (groups->data()[v] < 0 || static_cast<std::size_t>(groups->data()[v]) >= n_)
                throw std::invalid_argument("a group is out of range");
            highest = std::max(highest, groups->data()[v]);
        }
        groups_.push_back(std::move(*groups));
        return {groups_.back().data(), static_cast<std::size_t>(highest) + 1};
    }
    void go_to(const Integers& source, const Integers& target) {
        const std::vector<Edge> edges(graph_->edges().begin(), graph_->edges().end());
        for (const Edge edge : edges) graph_->toggle(edge);
        for (std::size_t i = 0; i < source.size(); ++i) {
            const Edge edge = graph_->edge_of(static_cast<std::size_t>(source.data()[i]),
                                              static_cast<std::size_t>(target.data()[i]));
            if (graph_->has(static_cast<std::size_t>(edge.source), static_cast<std::size_t>(edge.target))) continue;
            graph_->toggle(edge);
        }
    }

    std::optional<Sides> sides_;
    std::vector<Integers> groups_;
    std::size_t n_;
    std::unique_ptr<EditedGraph> graph_;
    std::vector<std::unique_ptr<Demand>> demands_;
};

}  // namespace

void bind_graph_edits(nb::module_& m) {
    nb::class_<EditSearch>(m, "EditSearch", "A search for few edits of a graph that meet demands.")
        .def(nb::init<std::int64_t, bool, Integers, Integers, std::optional<Sides>, bool, bool>(), "n_vertices"_a,
             "directed"_a, "source"_a.noconvert(), "target"_a.noconvert(), "sides"_a.noconvert().none(), "may_add"_a,
             "may_delete"_a)
        .def("add_known", &EditSearch::add_known, "k"_a, "n_known"_a, "absence"_a, "exclude_known"_a,
             "groups"_a.noconvert().none(), "Demand that one or two known places leave k candidates.")
        .def("add_degrees", &EditSearch::add_degrees, "k"_a, "groups"_a.noconvert().none(),
             "Demand that every degree is that of k vertices.")
        .def("add_twins", &EditSearch::add_twins, "k"_a, "closed"_a, "groups"_a.noconvert().none(), "seed"_a,
             "Demand that every vertex has the same neighbours as k - 1 others.")
        .def("violation", &EditSearch::violation, "source"_a.noconvert(), "target"_a.noconvert(),
             "How far edges are from meeting the demands: 0 if they do.")
        .def("run", &EditSearch::run, "source"_a.noconvert(), "target"_a.noconvert(), "n_looks"_a, "heat"_a, "price"_a,
             "counts_missing"_a, "seconds"_a, "seed"_a, "pulse"_a.none() = nb::none(),
             "The edges of the best state met from the given one on, or None if none met the demands.")
        .def("edit_sets", &EditSearch::edit_sets, "size"_a, "n_most"_a, "n_looks"_a, "seconds"_a,
             "pulse"_a.none() = nb::none(),
             "The sets of so many edits that meet the demands, whether these are all, and the work done.");
}

}  // namespace celosia
