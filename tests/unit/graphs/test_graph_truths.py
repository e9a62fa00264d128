"""The statements of the graph paper: those that hold on all small graphs, and a counterexample to each that does not.

k of a graph is the greatest with which the model holds. All simple graphs of up to 7 vertices are looked at, one of
each shape ((k, l): 6), and all digraphs of up to 4 vertices without loops, up to 3 with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from typing import Any

import networkx as nx
import numpy as np
import plain_graphs as pg
import pytest

from celosia import audit
from celosia.graphs import colours
from celosia.graphs.graph import Graph
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity

SQUARE = pg.of_networkx(nx.cycle_graph(4))
HOUSE = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)]
BUTTERFLY = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]
DIAMOND_WITH_PENDANT = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 4)]


def strongest(graph: Graph) -> int:
    return NeighbourhoodAnonymity(2).judge(graph).strongest_k


def kl(graph: Graph, known: int, view: Any, exclude_known: bool = False) -> int:
    """The greatest k at this l."""
    return KLAnonymity(2, known, view, exclude_known, profile_up_to=1).judge(graph).strongest_k


def sets_of(graph: Graph) -> list[set[int]]:
    labels = NeighbourhoodAnonymity(2).judge(graph).labels
    return [set(np.flatnonzero(labels == label).tolist()) for label in range(int(labels.max()) + 1)]


def is_connected(graph: Graph) -> bool:
    return nx.is_connected(as_networkx(graph))


def as_networkx(graph: Graph) -> Any:
    made = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(range(graph.n_vertices))
    made.add_edges_from(zip(graph.source.tolist(), graph.target.tolist(), strict=True))
    return made


@pytest.fixture(scope="module")
def simple_graphs() -> list[Graph]:
    return list(pg.small_graphs(7))


@pytest.fixture(scope="module")
def smaller_graphs() -> list[Graph]:
    return list(pg.small_graphs(6))


@pytest.fixture(scope="module")
def digraphs() -> list[Graph]:
    with_loops = (pg.labelled_graphs(n, directed=True, loops=True) for n in (1, 2, 3))
    return list(chain(*with_loops, pg.labelled_graphs(4, directed=True)))


# Proposition 3 --------------------------------------------------------------------------------------------------------


def test_the_minimum_degree_need_not_exceed_k() -> None:
    assert strongest(SQUARE) == 2
    assert SQUARE.out.degrees.min() == 2


def test_every_degree_is_zero_or_at_least_k_and_at_most_n_minus_k(simple_graphs: list[Graph]) -> None:
    for graph in simple_graphs:
        k, degrees = strongest(graph), graph.out.degrees
        assert (degrees[degrees > 0] >= k).all()
        if is_connected(graph):
            assert degrees.max() <= graph.n_vertices - k


def test_neighbourhoods_are_unions_of_sets_and_no_set_is_linked_inside(simple_graphs: list[Graph]) -> None:
    for graph in simple_graphs:
        own = pg.plain(graph)
        sets = sets_of(graph)
        assert sorted(chain(*sets)) == list(range(own.n))
        for v in range(own.n):
            neighbours = own.out(v)
            assert all(one <= neighbours or not one & neighbours for one in sets)
            assert not next(one for one in sets if v in one) & neighbours


def test_with_loops_a_set_may_be_linked_inside() -> None:
    pair = pg.graph_of([(0, 0), (0, 1), (1, 1)], 2)
    assert sets_of(pair) == [{0, 1}]


def test_isolated_vertices() -> None:
    """Def 2 wants none, or at least k; Def 6 says nothing about them."""
    square_and_one, square_and_two = (pg.graph_of([(0, 1), (1, 2), (2, 3), (3, 0)], n) for n in (5, 6))
    assert strongest(square_and_one) == 1
    assert strongest(square_and_two) == 2
    for known in range(1, 6):
        assert kl(square_and_one, known, "neighbours") == 2
        assert 4 not in KLAnonymity(5, known, "neighbours").judge(square_and_one).breaking
    assert kl(square_and_one, 2, "rows") == 1


# Proposition 4: regular graphs ----------------------------------------------------------------------------------------


def test_regular_graphs(simple_graphs: list[Graph]) -> None:
    n_seen = 0
    for graph in simple_graphs:
        degrees = graph.out.degrees
        if len(set(degrees.tolist())) > 1 or not is_connected(graph) or graph.n_vertices == 1:
            continue
        n_seen += 1
        k, d = strongest(graph), int(degrees[0])
        assert k <= d
        if {len(one) for one in sets_of(graph)} == {k}:
            assert d % k == graph.n_vertices % k == 0
    assert n_seen > 10
    assert strongest(Graph.of_edges([], [], 3)) == 3  # regular of degree 0, and k = 3


# Figure 2: 15 vertices, 54 edges, 3-anonymous -------------------------------------------------------------------------


@pytest.mark.parametrize("quotient", [HOUSE, BUTTERFLY, DIAMOND_WITH_PENDANT])
def test_five_sets_of_three(quotient: list[tuple[int, int]]) -> None:
    graph = pg.blow_up(quotient, [3] * 5)
    assert (graph.n_vertices, graph.n_edges) == (15, 54)
    judgement = NeighbourhoodAnonymity(3).judge(graph)
    assert judgement.satisfied
    assert judgement.strongest_k == 3
    assert is_connected(graph)
    assert [len(one) for one in sets_of(graph)] == [3] * 5


def test_these_are_all_quotients_with_five_sets() -> None:
    """Connected, without twins, 5 vertices and 6 edges."""
    found = [
        graph
        for graph in pg.small_graphs(5)
        if (graph.n_vertices, graph.n_edges, strongest(graph)) == (5, 6, 1)
        and is_connected(graph)
        and len(sets_of(graph)) == 5
    ]
    assert len(found) == 3
    for quotient in (HOUSE, BUTTERFLY, DIAMOND_WITH_PENDANT):
        assert sum(nx.is_isomorphic(as_networkx(graph), nx.Graph(quotient)) for graph in found) == 1


def test_other_sizes_of_sets() -> None:
    found = [
        blown
        for quotient in pg.labelled_graphs(4)
        if is_connected(blown := pg.blow_up(list(zip(quotient.source, quotient.target, strict=True)), [3, 3, 3, 6]))
        and blown.n_edges == 54
    ]
    sizes = [sorted(len(one) for one in sets_of(graph)) for graph in found]
    assert [3, 3, 3, 6] in sizes
    assert all(NeighbourhoodAnonymity(3).judge(graph).satisfied for graph in found)
    bipartite = pg.blow_up([(0, 1)], [6, 9])
    assert (bipartite.n_vertices, bipartite.n_edges, strongest(bipartite)) == (15, 54, 6)


# (k, l) ---------------------------------------------------------------------------------------------------------------


def hypercube(dimension: int) -> Graph:
    ends = [(v, v ^ 1 << bit) for v in range(2**dimension) for bit in range(dimension) if v < v ^ 1 << bit]
    return pg.graph_of(ends, 2**dimension)


def test_cubes() -> None:
    cube, hyper = hypercube(3), hypercube(4)
    assert KLAnonymity(2, 2, "neighbours").judge(cube).satisfied
    assert not KLAnonymity(2, 2, "rows").judge(cube).satisfied
    for view in ("rows", "neighbours"):
        assert KLAnonymity(2, 2, view).judge(hyper).satisfied
        assert kl(hyper, 2, view) == 2
        assert kl(hyper, 3, view) == 1


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_complete_graphs(n: int) -> None:
    """K_n is (k, n - k) by Def 6 for all k; by Def 5 it is not even (2, 1)."""
    complete = pg.of_networkx(nx.complete_graph(n))
    for k in range(2, n):
        assert KLAnonymity(k, n - k, "neighbours").judge(complete).satisfied
    assert not KLAnonymity(2, 1, "rows").judge(complete).satisfied


def test_k_plus_l_may_exceed_n_and_l_the_minimum_degree() -> None:
    judgement = KLAnonymity(2, 3, "neighbours").judge(SQUARE)
    assert judgement.satisfied
    assert SQUARE.n_vertices < 2 + 3
    assert SQUARE.out.degrees.min() < 3


def test_what_holds_instead(smaller_graphs: list[Graph]) -> None:
    """k + min(l, max degree) <= n."""
    for graph in smaller_graphs:
        n, top = graph.n_vertices, int(graph.out.degrees.max())
        for known in range(1, n + 1):
            assert kl(graph, known, "neighbours") + min(known, top) <= n


def test_monotone_in_l_and_weaker_from_definition_to_definition(smaller_graphs: list[Graph]) -> None:
    for graph in smaller_graphs:
        n = graph.n_vertices
        rows = [kl(graph, known, "rows") for known in range(1, n + 1)]
        neighbours = [kl(graph, known, "neighbours") for known in range(1, n + 1)]
        assert rows == sorted(rows, reverse=True)
        assert neighbours == sorted(neighbours, reverse=True)
        assert all(one <= other for one, other in zip(rows, neighbours, strict=True))
        assert rows[-1] == strongest(graph)
        assert rows[-1] <= min(rows)


def test_monotone_in_k(smaller_graphs: list[Graph]) -> None:
    for graph in smaller_graphs[::5]:
        for view in ("rows", "neighbours"):
            held = [KLAnonymity(k, 2, view).judge(graph).satisfied for k in range(2, 8)]
            assert held == sorted(held, reverse=True)
            lasting = [KLAnonymity(k, 1, view, profile_up_to=6).judge(graph).strongest_l or 0 for k in range(2, 8)]
            assert lasting == sorted(lasting, reverse=True)


def test_not_all_degrees_differ(simple_graphs: list[Graph]) -> None:
    for graph in simple_graphs:
        if graph.n_vertices > 1:
            assert DegreeAnonymity(2).judge(graph).labels.max() + 1 < graph.n_vertices


@pytest.mark.parametrize(("name", "k"), [("square", 2), ("k33", 3)])
def test_a_known_vertex_may_be_a_candidate(name: str, k: int) -> None:
    """Def 5 holds, and yet whoever rules out the vertices that are known is left with fewer than k."""
    graph = SQUARE if name == "square" else pg.of_networkx(nx.complete_bipartite_graph(3, 3))
    assert KLAnonymity(k, 2, "rows").judge(graph).satisfied
    own = pg.plain(graph)
    left = [
        len(pg.candidates(own, v, known, exclude_known=True))
        for v in range(own.n)
        for known in combinations(range(own.n), 2)
        if v not in known
    ]
    assert min(left) < k
    judgement = KLAnonymity(k, 2, "rows", exclude_known=True).judge(graph)
    assert not judgement.satisfied
    assert judgement.strongest_k == min(left)


def test_without_known_vertices_the_chance_is_at_most_one_in_k(smaller_graphs: list[Graph]) -> None:
    n_seen = 0
    for graph in smaller_graphs:
        own = pg.plain(graph)
        for view in ("rows", "neighbours"):
            if not KLAnonymity(2, 1, view, exclude_known=True).judge(graph).satisfied:
                continue
            n_seen += 1
            for v in range(own.n):
                for known in pg.knowable(own, v, view, exclude_known=True):
                    assert len(set(pg.candidates(own, v, [known], exclude_known=False)) - {known}) >= 2
    assert n_seen > 20


def test_without_loops_known_neighbours_are_never_candidates(smaller_graphs: list[Graph]) -> None:
    for graph in smaller_graphs:
        for known in (1, 2, 3):
            assert kl(graph, known, "neighbours") == kl(graph, known, "neighbours", exclude_known=True)


def test_neither_form_implies_the_other() -> None:
    complete = pg.of_networkx(nx.complete_graph(5))
    assert KLAnonymity(3, 2, "rows", exclude_known=True).judge(complete).satisfied
    assert not KLAnonymity(2, 1, "rows").judge(complete).satisfied
    assert KLAnonymity(2, 2, "rows").judge(SQUARE).satisfied
    assert not KLAnonymity(2, 2, "rows", exclude_known=True).judge(SQUARE).satisfied


def test_missing_links_tell_as_much_as_links() -> None:
    """The cube is (2, 2) by Def 6; one neighbour of a vertex and its opposite leave nobody else."""
    cube = hypercube(3)
    assert KLAnonymity(2, 2, "neighbours").judge(cube).satisfied
    assert pg.candidates(pg.plain(cube), 0, [1, 7], exclude_known=False) == [0]


# Section V: directed graphs -------------------------------------------------------------------------------------------


def test_k_may_exceed_the_least_degrees() -> None:
    arrows = pg.graph_of([(i, j) for i in range(3) for j in range(3, 6)], 6, directed=True)
    assert strongest(arrows) == 3
    assert min(arrows.out.degrees) == min(arrows.into.degrees) == 0


def test_degrees_of_digraphs(digraphs: list[Graph]) -> None:
    n_strong = 0
    for graph in digraphs:
        k, n = strongest(graph), graph.n_vertices
        for degrees in (graph.out.degrees, graph.into.degrees):
            assert (degrees[degrees > 0] >= k).all()
            if not graph.has_loops:
                assert k <= n - degrees.max()
        if n > 1 and nx.is_strongly_connected(as_networkx(graph)):
            n_strong += 1
            assert k <= min(graph.out.degrees.min(), graph.into.degrees.min())
    assert n_strong > 100


def test_with_loops_k_may_exceed_n_minus_the_least_degree() -> None:
    whole = pg.graph_of([(i, j) for i in range(3) for j in range(3)], 3, directed=True)
    assert strongest(whole) == 3 > 3 - whole.out.degrees.min()


def test_repeated_rows_and_repeated_columns_do_not_suffice() -> None:
    rows = [(1, 0, 1, 0), (1, 0, 1, 0), (0, 1, 0, 1), (0, 1, 0, 1)]
    graph = pg.graph_of([(i, j) for i in range(4) for j in range(4) if rows[i][j]], 4, directed=True)
    own = pg.plain(graph)
    for lines in (own.matrix, tuple(zip(*own.matrix, strict=True))):
        assert all(lines.count(line) == 2 for line in lines)
    assert strongest(graph) == 1


def test_reduced_matrices(digraphs: list[Graph]) -> None:
    """Rows and columns reduced apart may leave a matrix that is not square; over vertex sets it is, block by block."""
    n_oblong = 0
    for graph in digraphs:
        own = pg.plain(graph)
        columns = list(zip(*own.matrix, strict=True))
        n_oblong += len(set(own.matrix)) != len(set(columns))
        for one in (sets := sets_of(graph)):
            for other in sets:
                assert len({own.matrix[i][j] for i in one for j in other}) == 1
    assert n_oblong > 0


# The main thesis ------------------------------------------------------------------------------------------------------


def twin_graphs() -> Iterator[Graph]:
    draw = np.random.default_rng(4)
    for _ in range(6):
        quotient = [(a, b) for a in range(7) for b in range(a) if draw.random() < 0.5]
        yield pg.blow_up(quotient, draw.integers(1, 5, 7).tolist())
    yield pg.of_networkx(nx.les_miserables_graph())
    yield pg.of_networkx(nx.davis_southern_women_graph())


@pytest.mark.parametrize(
    "measure",
    [
        nx.betweenness_centrality,
        nx.closeness_centrality,
        nx.harmonic_centrality,
        nx.pagerank,
        nx.clustering,
        nx.core_number,
        nx.average_neighbor_degree,
        nx.square_clustering,
    ],
)
def test_twins_share_every_measure(measure: Callable[[Any], dict[int, float]]) -> None:
    for graph in twin_graphs():
        found = measure(as_networkx(graph))
        for one in sets_of(graph):
            values = [found[v] for v in one]
            assert max(values) - min(values) < 1e-9


def test_swapping_twins_changes_nothing(digraphs: list[Graph]) -> None:
    for graph in chain(twin_graphs(), digraphs[::7]):
        matrix = np.array(pg.plain(graph).matrix, dtype=float)
        for one in sets_of(graph):
            for i, j in combinations(sorted(one)[:3], 2):
                order = np.arange(graph.n_vertices)
                order[[i, j]] = j, i
                assert np.array_equal(matrix[np.ix_(order, order)], matrix, equal_nan=True)


def test_closed_twins_can_be_swapped_too() -> None:
    for graph in pg.small_graphs(6):
        ends = {frozenset(pair) for pair in zip(graph.source.tolist(), graph.target.tolist(), strict=True)}
        labels = ClosedTwinAnonymity(2).judge(graph).labels
        for i, j in combinations(range(graph.n_vertices), 2):
            if labels[i] == labels[j]:
                swap = {i: j, j: i}
                assert frozenset((i, j)) in ends
                assert {frozenset(swap.get(v, v) for v in pair) for pair in ends} == ends


def test_twins_share_colours_of_refinement() -> None:
    for graph in twin_graphs():
        for labels in colours.colour_rounds(graph, 5):
            assert all(len({labels[v] for v in one}) == 1 for one in sets_of(graph))


def test_the_tabular_verifier_finds_the_same_k(simple_graphs: list[Graph], digraphs: list[Graph]) -> None:
    """The adjacency matrix as a table, every column a quasi-identifier; with direction, columns beside the rows."""
    for graph in chain(simple_graphs[::3], digraphs[::11], twin_graphs()):
        vectors = pg.plain(graph).vectors
        table = {f"c{p}": ["0" if row[p] is None else "1" for row in vectors] for p in range(len(vectors[0]))}
        assert min(audit.class_sizes(table, list(table))) == strongest(graph)


def test_anonymity_depends_on_the_component_alone(simple_graphs: list[Graph]) -> None:
    for graph in chain(simple_graphs, twin_graphs()):
        components = list(nx.connected_components(as_networkx(graph)))
        own = pg.plain(graph)
        for one in sets_of(graph):
            if own.out(min(one)):
                assert sum(bool(one & component) for component in components) == 1
        for component in components:
            if len(component) == 1:
                continue
            inside = pg.of_networkx(as_networkx(graph).subgraph(sorted(component)))
            place = sorted(component)
            within = [{place[v] for v in one} for one in sets_of(inside)]
            assert sorted(map(sorted, within)) == sorted(sorted(one) for one in sets_of(graph) if one <= component)
