"""What an attack on the transforms found: each case failed before."""

from __future__ import annotations

import time
from dataclasses import replace

import networkx as nx
import polars as pl
import pytest

from celosia.base.errors import AuditError, InputError, OptionError, UnreachableError
from celosia.graphs import DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity, perturbed, run
from celosia.graphs.auditing import audit_edits
from celosia.graphs.graph import Graph


@pytest.mark.parametrize("format", ["csv", "graphml"])
@pytest.mark.parametrize("seed", [1, 2, 7])
@pytest.mark.parametrize(
    "make", [lambda g, seed: run(g, DegreeAnonymity(2), seed=seed), lambda g, seed: perturbed(g, 0.05, seed=seed)]
)
def test_what_is_written_does_not_undo_the_shuffle(make, seed, format, tmp_path):
    """The ids of a file are shuffled once more: the same draws twice gave every vertex its first number back."""
    club = nx.karate_club_graph()
    people = pl.DataFrame({"place": [f"p{place}" for place in range(34)]})
    given = Graph.of_edges(*zip(*club.edges, strict=True), 34, vertices=people)
    folder = make(given, seed).write(tmp_path / "release", format=format)
    if format == "graphml":
        ids = list(nx.read_graphml(folder / "graph.graphml").nodes(data="place"))
    else:
        ids = pl.read_csv(folder / "vertices.csv").select("id", "place").rows()
    n_told = sum(f"p{name}" == place for name, place in ids)
    assert len(ids) == 34
    assert n_told <= 6  # of 34 one stays where it was, in the mean


def test_the_same_model_twice_and_weaker_ones_are_one():
    ring = Graph.of_edges([0, 1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0, 3])
    alone = run(ring, DegreeAnonymity(4), seed=1)
    listed = run(ring, [DegreeAnonymity(2), DegreeAnonymity(4), DegreeAnonymity(4)], seed=1)
    assert listed.is_optimal
    assert (listed.n_edits, listed.lower_bound) == (alone.n_edits, alone.lower_bound)


def test_judging_the_input_keeps_to_the_time_limit():
    dense = nx.gnp_random_graph(200, 0.5, seed=1)
    started = time.perf_counter()
    release = run(dense, KLAnonymity(2, 3, view="rows"), time_limit=1, seed=1)
    assert release.result.satisfied
    assert time.perf_counter() - started < 30  # it was minutes


def test_several_models_keep_what_twins_of_one_of_them_cost():
    """Sixty planted classes of five: the complete graph was judged until no time was left, and the empty one taken."""
    quotient = nx.gnp_random_graph(40, 0.2, seed=2)
    edges = [(5 * u + i, 5 * v + j) for u, v in quotient.edges for i in range(5) for j in range(5)]
    planted = nx.Graph(edges[7:])
    planted.add_nodes_from(range(200))
    twins = run(planted, NeighbourhoodAnonymity(5), seed=1, time_limit=6)
    both = run(planted, [DegreeAnonymity(5), KLAnonymity(5, 3, view="neighbours")], seed=1, time_limit=6)
    assert both.n_edits <= max(twins.n_edits, 7)


def test_edges_within_a_side_are_refused():
    wrong = Graph.of_edges([0, 0], [2, 1], 3, sides=[0, 1, 0])
    for made in (lambda: run(wrong, KLAnonymity(2, 1)), lambda: perturbed(wrong, 1)):
        with pytest.raises(InputError, match="1 edges of the graph join vertices of one side"):
            made()


@pytest.mark.parametrize("weight", [None, float("inf"), float("nan")])
def test_a_new_edge_has_a_weight_that_is_a_number(weight):
    graph = Graph.of_edges([0, 1], [1, 2], 4, edges=pl.DataFrame({"km": [1.5, 2.0]}), weight="km")
    with pytest.raises(OptionError, match="km"):
        run(graph, DegreeAnonymity(2), new_edges={"km": weight})


@pytest.mark.parametrize("value", [{"a": 1}, {}, [1], "x", 1.5])
def test_a_new_edge_has_a_value_of_the_attribute_s_type(value):
    """A mapping became a structure, in which the values of all other edges were wrapped too."""
    star = Graph.of_edges([0, 0, 0], [1, 2, 3], edges=pl.DataFrame({"km": [10, 11, 12]}))
    with pytest.raises(OptionError, match="km"):
        run(star, DegreeAnonymity(4), new_edges={"km": value})


def test_other_types_of_attributes_are_no_equal_ones():
    ring = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], edges=pl.DataFrame({"km": [1, 2, 3, 4]}))
    made = run(ring, DegreeAnonymity(4), seed=1).made
    texts = made.graph.edges.with_columns(pl.col("km").cast(pl.Float64))
    with pytest.raises(AuditError, match="attributes did not stay with their edges"):
        audit_edits(ring, replace(made, graph=replace(made.graph, edges=texts)), "both")


@pytest.mark.parametrize("names", [["a", "a", "b"], ["a", None, None]])
def test_vertices_of_one_name_are_refused(names):
    path = Graph.of_edges([0, 1], [1, 2], names=pl.Series(names))
    with pytest.raises(InputError, match="1 vertices of the graph have the name of another"):
        run(path, DegreeAnonymity(3))


def test_no_categories_in_a_message():
    kinds = pl.DataFrame({"kind": pl.Series(["canaria", "b"], dtype=pl.Enum(["canaria", "b"]))})
    with pytest.raises(OptionError) as caught:
        run(Graph.of_edges([0, 0], [1, 2], 4, edges=kinds), DegreeAnonymity(4), edits="add", new_edges={"kind": "z"})
    assert "canaria" not in str(caught.value)


@pytest.mark.parametrize("options", [{"drop": 5}, {"drop": [1]}, {"drop": None}, {"edits": ["add"]}])
def test_options_of_another_type_are_refused(options):
    with pytest.raises(OptionError):
        run(nx.path_graph(5), DegreeAnonymity(2), **options)


def test_a_k_beyond_all_numbers_is_out_of_reach():
    with pytest.raises(UnreachableError):
        run(nx.path_graph(5), KLAnonymity(2**63, 2))
