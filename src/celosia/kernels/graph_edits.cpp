#include "graph_edits.hpp"

namespace celosia {

EditedGraph::EditedGraph(const Given& given)
    : given_(given),
      places_{PairTable(given.n, given.n), PairTable(given.directed ? given.n : 0, given.n)},
      edge_places_(given.n, given.n),
      edit_places_(given.n, given.n) {
    for (int way = 0; way < (given.directed ? 2 : 1); ++way) lists_[static_cast<std::size_t>(way)].resize(given.n);
    for (std::size_t i = 0; i < given.source.size(); ++i) {
        const Edge edge = edge_of(at(given.source[i]), at(given.target[i]));
        toggle(edge);
        switch_in(edits_, edit_places_, edge);  // what was there at the beginning is no edit
    }
}

bool EditedGraph::is_allowed(Edge edge) const {
    if (is_edit(edge)) return true;
    if (has(at(edge.source), at(edge.target))) return given_.may_delete;
    return given_.may_add && edge.source != edge.target &&
           (given_.sides == nullptr || given_.sides[edge.source] != given_.sides[edge.target]);
}

void EditedGraph::toggle(Edge edge) {
    const auto [a, b] = edge;
    const bool is_there = has(at(a), at(b));
    const auto change = [&](int way, std::int32_t x, std::int32_t y) { is_there ? cut(way, x, y) : link(way, x, y); };
    change(0, a, b);
    if (given_.directed) {
        change(1, b, a);
    } else if (a != b) {
        change(0, b, a);
    }
    switch_in(edges_, edge_places_, edge);
    switch_in(edits_, edit_places_, edge);
}

void EditedGraph::link(int way, std::int32_t a, std::int32_t b) {
    auto& list = lists_[static_cast<std::size_t>(way)][at(a)];
    list.push_back(b);
    places_[static_cast<std::size_t>(way)].set(at(a), at(b), static_cast<std::int32_t>(list.size()));
}

void EditedGraph::cut(int way, std::int32_t a, std::int32_t b) {
    auto& list = lists_[static_cast<std::size_t>(way)][at(a)];
    PairTable& places = places_[static_cast<std::size_t>(way)];
    const std::int32_t place = places.get(at(a), at(b)), last = list.back();
    list[at(place - 1)] = last;
    places.set(at(a), at(last), place);
    list.pop_back();
    places.set(at(a), at(b), 0);
}

// Puts the edge into the list, or takes it out.
void EditedGraph::switch_in(std::vector<Edge>& list, PairTable& places, Edge edge) {
    const std::int32_t place = places.get(at(edge.source), at(edge.target));
    if (place == 0) {
        list.push_back(edge);
        places.set(at(edge.source), at(edge.target), static_cast<std::int32_t>(list.size()));
        return;
    }
    const Edge last = list.back();
    list[at(place - 1)] = last;
    places.set(at(last.source), at(last.target), place);
    list.pop_back();
    places.set(at(edge.source), at(edge.target), 0);
}

}  // namespace celosia
