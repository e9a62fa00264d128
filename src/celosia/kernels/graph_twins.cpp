#include "graph_twins.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "graph_twin_run.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_most_dense_slots = 1500;

template <class Counts>
TwinOutcome best_of_runs(const TwinSearch& search, std::size_t n_slots, const std::int32_t* start) {
    struct Nothing {};
    const auto n_runs = static_cast<std::size_t>(std::max<std::int64_t>(search.effort.n_runs, 1));
    std::vector<TwinOutcome> outcomes(n_runs);
    Random seeds(search.effort.seed);
    std::vector<std::uint64_t> seed_of(n_runs);
    for (auto& seed : seed_of) seed = seeds.next();
    Workers<Nothing> workers(count_threads(search.effort.n_threads), [] { return std::make_unique<Nothing>(); });
    workers.run(n_runs, [&](Nothing&, std::size_t i) {
        if (i > 0 && search.is_over()) return;
        TwinRun<Counts> run(search, n_slots, seed_of[i]);
        outcomes[i] = run.run(i == 0 ? start : nullptr, i % 2 == 1);
    });
    return *std::max_element(outcomes.begin(), outcomes.end(),
                             [](const TwinOutcome& x, const TwinOutcome& y) { return x.gain < y.gain; });
}

}  // namespace

std::vector<std::int32_t> search_twins(const TwinTask& task, const std::int32_t* start, const TwinEffort& effort,
                                       Pulse& pulse) {
    if (task.n_vertices == 0) return {};
    TwinSearch search{task, effort, pulse, TwinSearch::Clock::now(), {}};
    search.of_kind.resize(task.n_kinds);
    for (std::size_t v = 0; v < task.n_vertices; ++v)
        search.of_kind[static_cast<std::size_t>(task.kinds[v])].push_back(static_cast<std::int32_t>(v));
    pulse.restart(effort.n_steps * std::max<std::int64_t>(effort.n_runs, 1));
    const std::size_t n_slots = task.n_pools + task.n_vertices / static_cast<std::size_t>(task.k) + 1;
    TwinOutcome best = n_slots <= n_most_dense_slots ? best_of_runs<DenseCounts>(search, n_slots, start)
                                                     : best_of_runs<SparseCounts>(search, n_slots, start);
    return std::move(best.labels);
}

}  // namespace celosia
