// What is demanded of a graph under edit, and how far it is from it. All demands speak of numbers that must be 0 or at
// least k: of vertices that hold two places, that have a degree, that have the same neighbours. How much a number x
// between counts is a matter of the search: by the root of what it lacks to the nearer end, or by all that it lacks to k.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph_edits.hpp"
#include "pair_table.hpp"
#include "random.hpp"

namespace celosia {

// Which vertices may hide each other: those of one group. Without numbers, all.
struct Groups {
    const std::int32_t* numbers;
    std::size_t n;
    std::size_t of(std::size_t v) const { return numbers == nullptr ? 0 : static_cast<std::size_t>(numbers[v]); }
};

enum class Measure : std::uint8_t { nearest, missing };

class Demand {
   public:
    virtual ~Demand() = default;
    // How violations are measured from the next count on.
    void measure_by(Measure measure);
    // Counts everything anew.
    virtual void count(const EditedGraph& graph) = 0;
    // How much the violation grows if the edge is switched; it is not switched yet.
    virtual std::int64_t growth(const EditedGraph& graph, Edge edge) = 0;
    // Takes note that the edge is about to be switched.
    virtual void note(const EditedGraph& graph, Edge edge) = 0;
    // An edge whose switching may mend something that is violated.
    virtual std::optional<Edge> remedy(const EditedGraph& graph, Random& random) = 0;

    std::int64_t violation() const { return violation_; }
    // Numbers looked at so far: the work done.
    std::int64_t n_looks() const { return n_looks_; }

   protected:
    Demand(std::size_t n, std::int64_t k);
    std::int64_t gap(std::int64_t number) const {
        return number >= k_ ? 0 : gaps_[static_cast<std::size_t>(number)];
    }

    std::int64_t k_;
    std::int64_t violation_ = 0, n_looks_ = 0;

   private:
    std::vector<std::int64_t> gaps_;
};

// Every degree is that of none or at least k vertices; with direction, every pair of degrees.
std::unique_ptr<Demand> degree_demand(std::size_t n, std::int64_t k, Groups groups);
// Every vertex has the same neighbours as k - 1 others; closed: each is taken for its own neighbour.
std::unique_ptr<Demand> twin_demand(std::size_t n, std::int64_t k, bool closed, Groups groups, std::uint64_t seed);

}  // namespace celosia
