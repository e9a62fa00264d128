#include "graph_edit_sets.hpp"

#include <chrono>

namespace celosia {

namespace {

class SetSearch {
   public:
    SetSearch(EditedGraph& graph, std::vector<std::unique_ptr<Demand>>& demands, const EditSetsOptions& options,
              Pulse& pulse)
        : graph_(graph), demands_(demands), options_(options), pulse_(pulse) {
        for (std::size_t a = 0; a < graph.n(); ++a) {
            for (std::size_t b = graph.directed() ? 0 : a; b < graph.n(); ++b) {
                const Edge edge = graph.edge_of(a, b);
                if (graph.is_allowed(edge)) edges_.push_back(edge);
            }
        }
        for (auto& demand : demands_) {
            demand->measure_by(Measure::nearest);
            demand->count(graph_);
        }
        n_before_ = n_looked();
    }

    EditSets run() {
        if (options_.size == 0) {
            if (violation() == 0) result_.found.emplace_back();
        } else {
            choose(0, options_.size);
        }
        result_.n_looks = n_looked() - n_before_;
        return std::move(result_);
    }

   private:
    void choose(std::size_t first, std::size_t n_left) {
        for (std::size_t i = first; i + n_left <= edges_.size(); ++i) {
            ++n_own_looks_;
            if (is_over()) {
                result_.is_whole = false;
                return;
            }
            if (n_left == 1) {
                if (violation() + growth(edges_[i]) == 0) keep(edges_[i]);
                continue;
            }
            flip(edges_[i]);
            choose(i + 1, n_left - 1);
            flip(edges_[i]);
        }
    }

    void keep(Edge last) {
        result_.found.emplace_back(graph_.edits().begin(), graph_.edits().end());
        result_.found.back().push_back(last);
        is_over_ = result_.found.size() >= options_.n_most;
    }

    std::int64_t violation() const {
        std::int64_t sum = 0;
        for (const auto& demand : demands_) sum += demand->violation();
        return sum;
    }
    std::int64_t growth(Edge edge) {
        std::int64_t sum = 0;
        for (auto& demand : demands_) sum += demand->growth(graph_, edge);
        return sum;
    }
    void flip(Edge edge) {
        for (auto& demand : demands_) demand->note(graph_, edge);
        graph_.toggle(edge);
    }
    std::int64_t n_looked() const {
        std::int64_t sum = n_own_looks_;
        for (const auto& demand : demands_) sum += demand->n_looks();
        return sum;
    }
    bool is_over() {
        if (is_over_ || n_own_looks_ % 256 != 0) return is_over_;
        is_over_ = pulse_.stopped() || n_looked() - n_before_ >= options_.n_looks ||
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= options_.seconds;
        return is_over_;
    }

    EditedGraph& graph_;
    std::vector<std::unique_ptr<Demand>>& demands_;
    const EditSetsOptions options_;
    Pulse& pulse_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::vector<Edge> edges_;
    EditSets result_;
    std::int64_t n_own_looks_ = 0, n_before_ = 0;
    bool is_over_ = false;
};

}  // namespace

EditSets edit_sets(EditedGraph& graph, std::vector<std::unique_ptr<Demand>>& demands, const EditSetsOptions& options,
                   Pulse& pulse) {
    return SetSearch(graph, demands, options, pulse).run();
}

}  // namespace celosia
