#include "graph_anneal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

namespace celosia {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Annealer::Annealer(EditedGraph& graph, std::vector<std::unique_ptr<Demand>>& demands, const AnnealOptions& options,
                   Pulse& pulse)
    : graph_(graph),
      demands_(demands),
      options_(options),
      pulse_(pulse),
      random_(options.seed),
      ends_at_(now() + options.seconds) {}

bool Annealer::run() {
    constexpr std::int64_t n_between = 256;  // steps between looks at the clock
    for (auto& demand : demands_) {
        demand->measure_by(options_.measure);
        demand->count(graph_);
    }
    if (violation() == 0) keep();
    const std::int64_t first = n_looks();
    pulse_.restart(options_.n_looks);
    double heat = options_.first_heat, price = options_.first_price;
    for (std::int64_t step = 0; graph_.n() > 1; ++step) {
        if (step % n_between == 0) {
            const std::int64_t n_done = n_looks() - first;
            pulse_.reach(std::min(n_done, options_.n_looks));
            if (n_done >= options_.n_looks || is_over()) break;
            double share = static_cast<double>(n_done) / static_cast<double>(options_.n_looks);
            // The clock has a say only once it is plain that the time is short: until then equal seeds do the same.
            const double gone = 1.0 - (ends_at_ - now()) / options_.seconds;
            if (gone > 0.25 && gone > share) share = gone;
            heat = options_.first_heat + share * (options_.last_heat - options_.first_heat);
            price = options_.first_price * std::pow(options_.last_price / options_.first_price, share);
        }
        ++n_own_looks_;
        const std::optional<Edge> edge = propose();
        if (!edge || !graph_.is_allowed(*edge)) continue;
        const double rise = (graph_.is_edit(*edge) ? -1.0 : 1.0) + price * static_cast<double>(growth(*edge));
        if (rise > 0 && rise > heat * random_.exponential()) continue;
        flip(*edge);
        if (violation() == 0 && (!has_best_ || graph_.n_edits() < best_.size())) keep();
    }
    repair();
    if (violation() == 0) {
        cool_down();
        if (!has_best_ || graph_.n_edits() < best_.size()) keep();
    }
    if (!has_best_) return false;
    go_to_best();
    cool_down();
    return true;
}

std::int64_t Annealer::violation() const {
    std::int64_t sum = 0;
    for (const auto& demand : demands_) sum += demand->violation();
    return sum;
}

std::int64_t Annealer::n_looks() const {
    std::int64_t sum = n_own_looks_;
    for (const auto& demand : demands_) sum += demand->n_looks();
    return sum;
}

std::int64_t Annealer::growth(Edge edge) {
    std::int64_t sum = 0;
    for (auto& demand : demands_) sum += demand->growth(graph_, edge);
    return sum;
}

void Annealer::flip(Edge edge) {
    for (auto& demand : demands_) demand->note(graph_, edge);
    graph_.toggle(edge);
}

void Annealer::keep() {
    best_.assign(graph_.edits().begin(), graph_.edits().end());
    has_best_ = true;
}

// Flips what differs alone: on large graphs every flip is dear.
void Annealer::go_to_best() {
    const auto is_before = [](Edge a, Edge b) { return std::pair(a.source, a.target) < std::pair(b.source, b.target); };
    std::vector<Edge> edits(graph_.edits().begin(), graph_.edits().end()), differing;
    std::sort(edits.begin(), edits.end(), is_before);
    std::sort(best_.begin(), best_.end(), is_before);
    std::set_symmetric_difference(edits.begin(), edits.end(), best_.begin(), best_.end(),
                                  std::back_inserter(differing), is_before);
    for (const Edge edge : differing) flip(edge);
}

std::optional<Edge> Annealer::propose() {
    const std::size_t n = graph_.n();
    const std::size_t way = random_.below(8);
    if (way < 3) {
        Demand& demand = *demands_[random_.below(demands_.size())];
        if (demand.violation() > 0) return demand.remedy(graph_, random_);
    }
    if (way < 5) {
        if (graph_.n_edits() == 0) return std::nullopt;
        return graph_.edits()[random_.below(graph_.n_edits())];
    }
    if (way < 6 && graph_.n_edges() > 0) return random_edge();
    if (way < 7 && graph_.n_edges() > 0) {  // who are linked with the same vertex
        const Edge edge = random_edge();
        const bool is_turned = random_.below(2) == 0;
        const std::int32_t a = is_turned ? edge.target : edge.source, b = is_turned ? edge.source : edge.target;
        const auto others = random_.below(2) == 0 ? graph_.out(at(b)) : graph_.into(at(b));
        if (others.empty()) return std::nullopt;
        const auto others_of = others[random_.below(others.size())];
        const auto further = random_.below(2) == 0 ? graph_.out(at(others_of)) : graph_.into(at(others_of));
        const std::int32_t c = further.empty() || random_.below(2) == 0 ? others_of : further[random_.below(further.size())];
        return random_.below(2) == 0 ? graph_.edge_of(at(a), at(c)) : graph_.edge_of(at(c), at(a));
    }
    return graph_.edge_of(random_.below(n), random_.below(n));
}

Edge Annealer::random_edge() { return graph_.edges()[random_.below(graph_.n_edges())]; }

// Mends what is still violated: of some remedies the one that mends most, an undone edit before others. Where none mends
// anything, and always once that has been tried for long, an edge is taken out that one of them speaks of. So it ends,
// with the last edge at the latest, unless edges may not go.
void Annealer::repair() {
    constexpr int n_tries = 64, worth_of_undoing = 4;
    const std::int64_t n_most = static_cast<std::int64_t>(4 * graph_.n_edges() + 64);
    for (std::int64_t n_done = 0; violation() > 0 && n_done < n_most && !is_over(); ++n_done) {
        const bool only_deletes = 4 * n_done > n_most;
        std::optional<Edge> best;
        std::int64_t least = 0;
        for (int i = 0; i < n_tries; ++i) {
            Demand& demand = *demands_[random_.below(demands_.size())];
            const std::optional<Edge> edge = demand.violation() > 0 ? demand.remedy(graph_, random_) : std::nullopt;
            if (!edge || !graph_.is_allowed(*edge)) continue;
            const bool is_there = graph_.has(at(edge->source), at(edge->target));
            if (!is_there && only_deletes) continue;
            const std::int64_t change = growth(*edge);
            if (change >= 0 && !is_there) continue;
            const std::int64_t rise = change < 0 && graph_.is_edit(*edge) ? change * worth_of_undoing : change;
            if (best && rise >= least) continue;
            least = rise;
            best = edge;
        }
        if (best) flip(*best);
    }
}

// Undoes edits that are not needed, in random order, until all are.
void Annealer::cool_down() {
    for (bool is_better = true; is_better;) {
        is_better = false;
        std::vector<Edge> edits(graph_.edits().begin(), graph_.edits().end());
        for (std::size_t i = edits.size(); i > 1; --i) std::swap(edits[i - 1], edits[random_.below(i)]);
        for (std::size_t i = 0; i < edits.size(); ++i) {
            if (i % 64 == 0 && is_over()) return;
            if (growth(edits[i]) > 0) continue;
            flip(edits[i]);
            is_better = true;
        }
    }
}

bool Annealer::is_over() { return pulse_.stopped() || now() >= ends_at_; }

}  // namespace celosia
