// A graph under edit: its edges, which of them differ from the original, and which edits are allowed.
//
// An edge is a pair of vertices, without direction the lesser first. Loops may go and come back, never be added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pair_table.hpp"
#include "random.hpp"

namespace celosia {

struct Edge {
    std::int32_t source, target;
};

class EditedGraph {
   public:
    struct Given {
        std::size_t n;
        bool directed;
        std::span<const std::int32_t> source, target;  // of the original, no edge twice
        const std::int8_t* sides;                      // or nullptr: an edge may be anywhere
        bool may_add, may_delete;
    };

    explicit EditedGraph(const Given& given);

    std::size_t n() const { return given_.n; }
    bool directed() const { return given_.directed; }
    std::size_t n_edges() const { return edges_.size(); }
    std::size_t n_edits() const { return edits_.size(); }
    std::span<const Edge> edges() const { return edges_; }
    std::span<const Edge> edits() const { return edits_; }
    // Whom a vertex reaches, and from whom it is reached; without direction both are its neighbours.
    std::span<const std::int32_t> out(std::size_t v) const { return lists_[0][v]; }
    std::span<const std::int32_t> into(std::size_t v) const { return lists_[given_.directed ? 1 : 0][v]; }
    bool has(std::size_t a, std::size_t b) const { return places_[0].get(a, b) != 0; }
    bool is_edit(Edge edge) const { return edit_places_.get(at(edge.source), at(edge.target)) != 0; }

    Edge edge_of(std::size_t a, std::size_t b) const {
        const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
        return given_.directed || x <= y ? Edge{x, y} : Edge{y, x};
    }
    // Whether the edge may be put in, if it is not there, or taken out. What undoes an edit always may.
    bool is_allowed(Edge edge) const;
    void toggle(Edge edge);

   private:
    static std::size_t at(std::int32_t v) { return static_cast<std::size_t>(v); }
    void link(int way, std::int32_t a, std::int32_t b);
    void cut(int way, std::int32_t a, std::int32_t b);
    static void switch_in(std::vector<Edge>& list, PairTable& places, Edge edge);

    Given given_;
    std::array<std::vector<std::vector<std::int32_t>>, 2> lists_;
    std::array<PairTable, 2> places_;  // where b stands in a's list, from 1
    std::vector<Edge> edges_, edits_;
    PairTable edge_places_, edit_places_;  // where an edge stands in the lists above, from 1
};

}  // namespace celosia
