// The search for few edits that meet demands: edges are switched at random, what makes matters worse less and less often.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph_demands.hpp"
#include "graph_edits.hpp"
#include "pulse.hpp"

namespace celosia {

struct AnnealOptions {
    std::int64_t n_looks;            // how much work is done
    double first_heat, last_heat;    // an edit counts 1
    double first_price, last_price;  // of a unit of violation, in edits
    Measure measure;
    double seconds;  // may be infinite
    std::uint64_t seed;
};

class Annealer {
   public:
    Annealer(EditedGraph& graph, std::vector<std::unique_ptr<Demand>>& demands, const AnnealOptions& options,
             Pulse& pulse);

    // Searches from the state that the graph is in, and leaves it in the best valid one met, which is the first if that
    // is valid. False if none was met. A stopped pulse, like the end of the time, ends it well.
    bool run();

   private:
    std::int64_t violation() const;
    std::int64_t n_looks() const;
    std::int64_t growth(Edge edge);
    void flip(Edge edge);
    void keep();
    void go_to_best();
    std::optional<Edge> propose();
    Edge random_edge();
    void repair();
    void cool_down();
    bool is_over();

    EditedGraph& graph_;
    std::vector<std::unique_ptr<Demand>>& demands_;
    AnnealOptions options_;
    Pulse& pulse_;
    Random random_;
    std::vector<Edge> best_;
    bool has_best_ = false;
    std::int64_t n_own_looks_ = 0;
    double ends_at_ = 0.0;
};

}  // namespace celosia
