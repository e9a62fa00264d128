"""Vertex classes by what an attacker may know."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import plain_graphs as pg
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.graphs import colours
from celosia.graphs.graph import Graph

ATTRIBUTES = st.sampled_from([(), ("sex",), ("sex", "age")])


@tries(300)
@given(graph=pg.graphs(), attributes=ATTRIBUTES)
def test_every_round_by_the_definition(graph: Graph, attributes: tuple[str, ...]) -> None:
    own = pg.plain(graph, attributes)
    rounds = pg.refinement(own, pg.degrees(graph), 4)
    expected = [pg.numbered([(colour, own.group(v)) for v, colour in enumerate(one)]) for one in rounds]
    found = colours.colour_rounds(graph, 4, attributes)
    assert [labels.tolist() for labels in found] == expected
    assert colours.degree_labels(graph, attributes).tolist() == expected[0]
    assert colours.neighbour_degree_labels(graph, attributes).tolist() == expected[1]
    assert colours.refined_labels(graph, 2, attributes).tolist() == expected[2]
    assert colours.refined_labels(graph, 3, attributes).tolist() == expected[3]
    assert colours.neighbourhood_labels(graph, attributes).tolist() == pg.neighbourhood_labels(own)


@tries(100)
@given(graph=pg.graphs())
def test_degrees_count_edges(graph: Graph) -> None:
    assert list(zip(*[one.tolist() for one in colours.degrees(graph)], strict=True)) == pg.degrees(graph)


def hay(graph: nx.Graph, rounds: int) -> list[object]:
    """H1, H2, H3 as Hay and others define them: the degree, then multisets of what the neighbours show."""
    seen: dict[object, object] = {v: graph.degree(v) for v in graph}
    for _ in range(rounds - 1):
        seen = {v: tuple(sorted((seen[u] for u in graph[v]), key=repr)) for v in graph}
    return [seen[v] for v in graph]


def test_in_simple_graphs_these_are_the_queries_of_the_literature() -> None:
    for graph in [nx.karate_club_graph(), nx.florentine_families_graph(), nx.barabasi_albert_graph(60, 2, seed=3)]:
        found = colours.colour_rounds(pg.of_networkx(graph), 3)
        for rounds in (1, 2, 3):
            assert found[rounds - 1].tolist() == pg.numbered(hay(graph, rounds))


def test_each_round_tells_more_apart_and_neighbourhoods_most() -> None:
    graph = pg.of_networkx(nx.les_miserables_graph())
    labels = [*colours.colour_rounds(graph, 3), colours.neighbourhood_labels(graph)]
    for coarse, fine in pairwise(labels):
        assert len(np.unique(np.stack([coarse, fine]), axis=1).T) == len(np.unique(fine))


def test_graphs_without_vertices_and_without_edges() -> None:
    nobody = Graph.of_edges([], [], 0)
    alone = Graph.of_edges([], [], 3, directed=True)
    assert [labels.tolist() for labels in colours.colour_rounds(nobody, 3)] == [[], [], []]
    assert colours.neighbourhood_labels(nobody).tolist() == []
    assert [labels.tolist() for labels in colours.colour_rounds(alone, 3)] == [[0, 0, 0]] * 3
    assert colours.neighbourhood_labels(alone).tolist() == [0, 0, 0]
