"""The risk of graphs against plain definitions, on graphs of every kind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import plain_graph_risk as pr
import plain_graphs as pg
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.base.progress import Quiet
from celosia.graphs.graph import Graph
from celosia.graphs.risk import neighbours, risk
from celosia.graphs.risk.links import link_risk

SETS = ("degree", "neighbour_degrees", "refinement", "neighbourhood", "attributes", "attributes_and_degree")
THRESHOLDS = st.sampled_from(["0.2", "0.5", "1/3", "1"])


@tries(200)
@given(graph=pg.graphs(), k=st.integers(2, 4), threshold=THRESHOLDS)
def test_every_knowledge_by_its_definition(graph: Graph, k: int, threshold: str) -> None:
    found = risk(graph, threshold, k=k, l=(1, 2, 3), attributes=["sex", "age"])
    limit = Fraction(threshold)
    assert [one.name for one in found.known] == [*SETS[:4], "neighbours_1", "neighbours_2", "neighbours_3", *SETS[4:]]
    for one in found.known:
        expected = pr.figures(pr.candidates_by(graph, one.name, ["sex", "age"]), k, limit)
        shown = one.to_dict()
        if one.name == "neighbours_3" and one.reason:  # judged, not counted: no mean
            assert one.mean is None
            expected["mean"] = None
        assert {name: shown[name] for name in expected} == expected
        if one.name in SETS:
            assert one.links is not None
            plain_links = pr.links(graph, pr.labels_by(graph, one.name, ["sex", "age"]))
            assert {name: one.links.to_dict()[name] for name in plain_links} == plain_links
        else:
            assert one.links is None


@tries(100)
@given(graph=pg.graphs(8), k=st.integers(2, 4), threshold=THRESHOLDS, size=st.integers(1, 3))
def test_judged_vertices_have_the_figures_of_counted_ones(graph: Graph, k: int, threshold: str, size: int) -> None:
    if not graph.n_vertices:
        return
    bare = neighbours._without_loops(graph)
    found = neighbours._judged(bare, size, k, Fraction(threshold), Quiet())
    expected = pr.figures(pr.candidates_by(graph, f"neighbours_{size}"), k, Fraction(threshold))
    if expected["mean"] != 1.0:
        assert found.reason
        expected["mean"] = None
    assert {name: found.to_dict()[name] for name in expected} == expected


@tries(100)
@given(graph=pg.graphs(8), at_once=st.integers(1, 20))
def test_pairs_in_pieces_are_the_same_pairs(graph: Graph, at_once: int) -> None:
    items = neighbours.items_of(neighbours._without_loops(graph))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_PAIRS_AT_ONCE", at_once)
        assert neighbours.fewest_by_two(items).tolist() == pr.candidates_by(graph, "neighbours_2")


def test_a_larger_graph_counted_in_a_sort_and_in_a_table() -> None:
    graph = pg.of_networkx(nx.barabasi_albert_graph(300, 3, seed=1))
    items = neighbours.items_of(graph)
    matrix = nx.to_numpy_array(nx.barabasi_albert_graph(300, 3, seed=1), nodelist=range(300))
    common = (matrix @ matrix).astype(int)  # on the diagonal the degrees: one known neighbour
    near = [np.flatnonzero(row) for row in matrix]
    expected = [int(common[np.ix_(own, own)].min()) for own in near]
    assert neighbours.fewest_by_two(items).tolist() == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_PAIRS_AT_ONCE", 50)
        assert neighbours.fewest_by_two(items).tolist() == expected


def test_too_many_pairs_are_said_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    star = pg.graph_of([(0, i) for i in range(1, 9)], 9)
    monkeypatch.setattr(neighbours, "_COUNTED_PAIRS", 5)
    judged = risk(star, l=2)["neighbours_2"]
    assert (judged.n_unique, judged.mean, judged.reason is None) == (1, None, False)
    monkeypatch.setattr(neighbours, "_JUDGED_PAIRS", 5)
    left_out = risk(star, l=2)["neighbours_2"]
    assert left_out.n_unique is left_out.max is None
    assert "too many" in (left_out.reason or "")


def test_same_neighbours_tell_every_link() -> None:
    # With N(v) known, whoever knows two people's sets knows whether they are linked: all blocks are full or empty.
    for graph in pg.small_graphs(5):
        links = risk(graph)["neighbourhood"].links
        assert links is not None
        assert links.n_certain_links + links.n_certain_absences == links.n_pairs
        assert links.n_certain_links == graph.n_edges


def test_one_set_hides_links_as_far_as_the_density_goes() -> None:
    cycle = pg.of_networkx(nx.cycle_graph(5))
    found = link_risk(cycle, np.zeros(5, dtype=np.int64))
    assert (found.n_certain_links, found.n_certain_absences, found.max_probability) == (0, 0, 0.5)


def test_degree_anonymity_barely_helps_against_more_knowledge() -> None:
    found = risk(pg.of_networkx(nx.karate_club_graph()))
    uniques = [one.n_unique for one in found.known[:3]]
    assert uniques == sorted(uniques)
    assert uniques[0] < uniques[1]


def test_empty_and_tiny_graphs() -> None:
    empty = risk(Graph.of_edges([], [], 0), l=(1, 2, 3))
    assert all(one.smallest is None and one.n_unique == 0 and one.mean is None for one in empty.known)
    lone = risk(Graph.of_edges([], [], 1))
    assert all(one.n_unique == 1 and one.max == 1.0 for one in lone.known)
    links = lone["degree"].links
    assert links is not None
    assert links.max_probability is links.share_certain is None
    loop = risk(Graph.of_edges([0], [0], 2))
    assert loop["degree"].n_unique == 2
    assert loop["neighbours_1"].smallest == 2  # a loop is no known neighbour


def test_other_objects_are_read() -> None:
    assert risk(nx.path_graph(3))["degree"].n_unique == 1
    assert risk(pl.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}))["degree"].n_unique == 1
    with pytest.raises(InputError):
        risk(5)


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0},
        {"threshold": "2"},
        {"k": 1},
        {"k": True},
        {"l": 0},
        {"l": (1, 1)},
        {"l": "2"},
        {"attributes": 3},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        risk(Graph.of_edges([0], [1]), **options)


def test_an_unknown_attribute_is_refused() -> None:
    with pytest.raises(ColumnNotFoundError):
        risk(Graph.of_edges([0], [1]), attributes=["sex"])


def test_k_and_l_above_the_number_of_vertices() -> None:
    found = risk(pg.of_networkx(nx.complete_graph(4)), k=9, l=7)
    assert found["degree"].n_below_k == 4
    assert found["neighbours_7"].smallest == 1


def test_a_finding_by_name_and_a_short_repr() -> None:
    found = risk(Graph.of_edges([0], [1]))
    with pytest.raises(KeyError):
        found["nonsense"]
    assert "degree 0" in repr(found)
    assert found.to_dict()["known"]["neighbours_2"]["title"] == "Up to 2 known neighbours"
