// The Python face of the kernels that make twins.
#include "bind_graph_twins.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "graph_twin_exact.hpp"
#include "graph_twins.hpp"
#include "pulse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace celosia {

namespace {

using Places = Given<std::int64_t>;
using Rows = std::pair<Places, Integers>;

TwinRows checked(const Rows& rows, std::size_t n) {
    const auto& [starts, indices] = rows;
    check_starts(starts, n, indices.size(), "neighbours");
    for (std::size_t v = 0; v < n; ++v) {
        for (std::int64_t i = starts.data()[v]; i < starts.data()[v + 1]; ++i) {
            const std::int64_t u = indices.data()[i];
            if (u < 0 || u >= static_cast<std::int64_t>(n) || u == static_cast<std::int64_t>(v))
                throw std::invalid_argument("a neighbour is out of range, or the vertex itself");
        }
    }
    return {starts.data(), indices.data()};
}

void check_range(const char* message, const Integers& values, std::int32_t least, std::size_t n) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values.data()[i] < least || values.data()[i] >= static_cast<std::int64_t>(n))
            throw std::invalid_argument(message);
    }
}

void check_sizes(const char* message, const std::vector<std::int64_t>& sizes, std::int64_t k) {
    if (std::any_of(sizes.begin(), sizes.end(), [k](std::int64_t size) { return size > 0 && size < k; }))
        throw std::invalid_argument(message);
}

// The arrays of a graph whose vertices are to be made twins, held while it is searched.
class PyTwins {
   public:
    PyTwins(Rows out, std::optional<Rows> into, std::optional<Bytes> loops, Integers kinds, Integers pools, bool closed,
            std::int64_t add_cost, std::int64_t delete_cost)
        : out_(std::move(out)),
          into_(std::move(into)),
          loops_(std::move(loops)),
          kinds_(std::move(kinds)),
          pools_(std::move(pools)) {
        const std::size_t n = kinds_.size(), n_kinds = pools_.size();
        task_.n_vertices = n;
        task_.out = checked(out_, n);
        if (into_) task_.into = checked(*into_, n);
        if (loops_) check_length("loops", loops_->size(), n);
        check_range("a kind is out of range", kinds_, 0, n_kinds);
        check_range("a pool is out of range", pools_, -1, n_kinds);
        if (add_cost < 1 || delete_cost < 1) throw std::invalid_argument("costs must be at least 1");
        std::int32_t n_pools = 0;
        for (std::size_t i = 0; i < n_kinds; ++i) n_pools = std::max(n_pools, pools_.data()[i] + 1);
        task_.loops = loops_ ? loops_->data() : nullptr;
        task_.kinds = kinds_.data();
        task_.pools = pools_.data();
        task_.n_kinds = n_kinds;
        task_.n_pools = static_cast<std::size_t>(n_pools);
        task_.closed = closed;
        task_.add_cost = add_cost;
        task_.delete_cost = delete_cost;
    }

    Result search(std::int64_t k, std::optional<Integers> start, std::int64_t n_steps, std::int64_t n_runs,
                  double seconds, std::uint64_t seed, Pulse* pulse, int threads) const {
        if (k < 1) throw std::invalid_argument("k must be at least 1");
        if (threads < 0) throw std::invalid_argument("threads is negative; 0 means all");
        if (start) {
            check_length("start", start->size(), task_.n_vertices);
            check_range("a label is out of range", *start, 0, task_.n_vertices);
            std::vector<std::int64_t> sizes(task_.n_vertices);
            for (std::size_t v = 0; v < task_.n_vertices; ++v) {
                const auto label = static_cast<std::size_t>(start->data()[v]);
                if (label >= task_.n_pools) ++sizes[label];
            }
            check_sizes("a class of the start has fewer than k vertices", sizes, k);
        }
        check_kinds(k);
        TwinTask task = task_;
        task.k = k;
        const TwinEffort effort{n_steps, n_runs, seconds, seed, threads};
        const std::int32_t* labels = start ? start->data() : nullptr;
        return hand_over([&] {
            const nb::gil_scoped_release unlocked;
            Pulse unwatched;
            return search_twins(task, labels, effort, pulse == nullptr ? unwatched : *pulse);
        }());
    }

    std::tuple<Result, bool> cheapest(std::int64_t k, std::int64_t bound, std::int64_t n_nodes, double seconds,
                                      Pulse* pulse) const {
        if (k < 1) throw std::invalid_argument("k must be at least 1");
        TwinTask task = task_;
        task.k = k;
        TwinOptimum found = [&] {
            const nb::gil_scoped_release unlocked;
            Pulse unwatched;
            return cheapest_twins(task, bound, n_nodes, seconds, pulse == nullptr ? unwatched : *pulse);
        }();
        return {hand_over(std::move(found.labels)), found.is_proved};
    }

   private:
    // A pool needs k vertices, and so does a kind that has none.
    void check_kinds(std::int64_t k) const {
        std::vector<std::int64_t> pools(task_.n_pools), alone(task_.n_kinds);
        for (std::size_t v = 0; v < task_.n_vertices; ++v) {
            const auto kind = static_cast<std::size_t>(task_.kinds[v]);
            const std::int32_t pool = task_.pools[kind];
            ++(pool < 0 ? alone[kind] : pools[static_cast<std::size_t>(pool)]);
        }
        check_sizes("a kind without a pool has fewer than k vertices", alone, k);
        check_sizes("a pool has fewer than k vertices", pools, k);
    }

    Rows out_;
    std::optional<Rows> into_;
    std::optional<Bytes> loops_;
    Integers kinds_, pools_;
    TwinTask task_{};
};

}  // namespace

void bind_graph_twins(nb::module_& m) {
    nb::class_<PyTwins>(m, "Twins", "A graph whose vertices are to be made twins.")
        .def(nb::init<Rows, std::optional<Rows>, std::optional<Bytes>, Integers, Integers, bool, std::int64_t,
                      std::int64_t>(),
             "out"_a, "into"_a.none(), "loops"_a.none(), "kinds"_a.noconvert(), "pools"_a.noconvert(), "closed"_a,
             "add_cost"_a, "delete_cost"_a)
        .def("search", &PyTwins::search, "k"_a, "start"_a.none(), "n_steps"_a, "n_runs"_a, "seconds"_a, "seed"_a,
             "pulse"_a.none() = nb::none(), "threads"_a = 0, "A class per vertex, each of at least k.")
        .def("cheapest", &PyTwins::cheapest, "k"_a, "bound"_a, "n_nodes"_a, "seconds"_a,
             "pulse"_a.none() = nb::none(),
             "The cheapest classes that cost less than the bound, if there are any, and whether that is proved.");
}

}  // namespace celosia
