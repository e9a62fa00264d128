"""Degree anonymity by edits: every result is judged anew from the definition, and held against the fewest edits."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_degrees import degrees_of, edited_graphs, ends_of, fewest_edits, half_distance, is_anonymous
from plain_graphs import degrees, graph_of, of_networkx, small_graphs
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models import DegreeAnonymity
from celosia.graphs.transforms import degree as degree_module
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.degree import degree, searched
from celosia.graphs.transforms.degree_bounds import fewest_edits as bound_of
from celosia.graphs.transforms.degree_exact import Proof
from celosia.graphs.transforms.degree_nodes import nodes_of

EDITS = ("both", "add", "delete")


def task_of(graph: Graph, edits: str = "both", seed: int = 1) -> Task:
    return Task(graph, edits=edits, randomness=Randomness(seed))


def checked(graph: Graph, result: Edited, k: int, edits: str = "both", groups=None) -> int:
    """Return the number of edits of a result that stands up to the definition."""
    made = graph_of(
        list(zip(result.source.tolist(), result.target.tolist(), strict=True)),
        graph.n_vertices,
        directed=graph.directed,
    )
    assert is_anonymous(made, k, groups)
    before, after = ends_of(graph), ends_of(made)
    assert len(after) == len(result.source)
    assert edits != "add" or before <= after
    assert edits != "delete" or after <= before
    for v, u in after - before:
        assert v != u
        assert graph.sides is None or graph.sides[v] != graph.sides[u]
    n_edits = len(before ^ after)
    assert result.lower_bound is not None
    assert result.lower_bound <= n_edits
    return n_edits


def without_proof(monkeypatch):
    """Leave the integer program out: what the searches find counts."""
    monkeypatch.setattr(degree_module, "exact", lambda task, nodes, known, bound: Proof(known, bound))


def nodes_for(graph: Graph, k: int, edits: str = "both"):
    return nodes_of(task_of(graph, edits), np.zeros(graph.n_vertices, dtype=np.int64), k)


# Against all graphs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edits", EDITS)
def test_the_fewest_edits_of_all_small_graphs(edits):
    for graph in small_graphs(5):
        for k in range(2, graph.n_vertices + 1):
            result = degree(task_of(graph, edits), DegreeAnonymity(k))
            assert checked(graph, result, k, edits) == fewest_edits(graph, k, edits) == result.lower_bound


@tries(80)
@given(edited_graphs(max_vertices=4), st.integers(2, 4), st.sampled_from(EDITS), st.booleans())
def test_the_fewest_edits_of_every_kind_of_graph(graph, k, edits, grouped):
    n = graph.n_vertices
    groups = [v % 2 if grouped and n >= 2 * k else 0 for v in range(n)]
    attributed = graph_of(
        sorted(ends_of(graph)),
        n,
        directed=graph.directed,
        sides=graph.sides,
        vertices=pl.DataFrame({"town": groups}),
    )
    least = fewest_edits(graph, k, edits, groups) if n >= k else None
    model = DegreeAnonymity(k, attributes=("town",))
    if least is None:
        with pytest.raises(UnreachableError):
            degree(task_of(attributed, edits), model)
        return
    assert checked(graph, degree(task_of(attributed, edits), model), k, edits, groups) == least


@tries(200)
@given(edited_graphs(max_vertices=5), st.integers(2, 5), st.sampled_from(EDITS))
def test_bounds_are_below_and_searches_above_the_fewest(graph, k, edits):
    if graph.n_vertices < k or (graph.directed and graph.n_vertices > 4):
        return
    least = fewest_edits(graph, k, edits)
    nodes = nodes_for(graph, k, edits)
    found = searched(task_of(graph, edits), nodes, seed=3)
    if least is None:
        assert found is None
        return
    assert bound_of(nodes) <= least
    assert found is not None
    assert least <= len(found[0])


@given(edited_graphs())
def test_degrees_are_counted_as_the_model_counts_them(graph):
    assert degrees_of(ends_of(graph), graph.n_vertices, graph.directed) == degrees(graph)


# What holds on any graph ----------------------------------------------------------------------------------------------


@st.composite
def larger_graphs(draw) -> Graph:
    """Graphs of up to 60 vertices: by chance, with hubs, regular, bipartite; with and without direction."""
    n, seed = draw(st.integers(4, 60)), draw(st.integers(0, 999))
    kind = draw(st.sampled_from(["chance", "arcs", "hubs", "dense", "sides", "arc hubs"]))
    if kind == "sides":
        made = nx.bipartite.gnmk_random_graph(n // 2, n - n // 2, n, seed=seed)
        sides = [0] * (n // 2) + [1] * (n - n // 2)
        return graph_of(list(made.edges), n, sides=sides)
    if kind == "arc hubs":
        made = nx.DiGraph(nx.scale_free_graph(n, seed=seed))
    elif kind == "hubs":
        made = nx.barabasi_albert_graph(n, 2, seed=seed)
    else:
        share = {"dense": 0.7}.get(kind, 3 / n)
        made = nx.gnp_random_graph(n, share, seed=seed, directed=kind == "arcs")
    return of_networkx(made)


@tries(25)
@given(larger_graphs(), st.integers(2, 8), st.sampled_from(["both", "delete"]))
def test_with_deletions_it_always_succeeds(graph, k, edits):
    with pytest.MonkeyPatch.context() as patch:
        without_proof(patch)
        if graph.n_vertices < k:
            with pytest.raises(UnreachableError, match="needs at least"):
                degree(task_of(graph, edits), DegreeAnonymity(k))
            return
        result = degree(task_of(graph, edits), DegreeAnonymity(k))
    assert checked(graph, result, k, edits) <= graph.n_edges


@tries(20)
@given(larger_graphs(), st.integers(2, 6))
def test_additions_alone_suffice_without_sides_and_loops(graph, k):
    if graph.n_vertices < k or graph.sides is not None or any(v == u for v, u in ends_of(graph)):
        return
    with pytest.MonkeyPatch.context() as patch:
        without_proof(patch)
        checked(graph, degree(task_of(graph, "add"), DegreeAnonymity(k)), k, "add")


@tries(8)
@given(larger_graphs(), st.sampled_from(EDITS))
def test_a_higher_k_never_costs_less(graph, edits):
    costs = []
    with pytest.MonkeyPatch.context() as patch:
        without_proof(patch)
        for k in range(2, min(graph.n_vertices, 7) + 1):
            try:
                costs.append(checked(graph, degree(task_of(graph, edits), DegreeAnonymity(k)), k, edits))
            except UnreachableError:
                assert edits == "add"
                costs.append(graph.n_vertices**2)
    assert costs == sorted(costs)


@pytest.mark.parametrize("directed", [False, True])
def test_equal_seeds_give_equal_edits(monkeypatch, directed):
    without_proof(monkeypatch)
    graph = of_networkx(nx.gnm_random_graph(30, 80, seed=4, directed=directed))
    one, two, other = (degree(task_of(graph, seed=seed), DegreeAnonymity(5)) for seed in (4, 4, 5))
    assert (one.source.tolist(), one.target.tolist()) == (two.source.tolist(), two.target.tolist())
    assert (one.source.tolist(), one.target.tolist()) != (other.source.tolist(), other.target.tolist())


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("edits", ["both", "delete"])
def test_no_time_at_all_still_gives_a_valid_result(directed, edits):
    graph = of_networkx(nx.gnm_random_graph(400, 1500, seed=4, directed=directed))
    task = task_of(graph, edits).within(0.0)
    assert checked(graph, degree(task, DegreeAnonymity(5)), 5, edits) <= graph.n_edges


# What is said when there is no way ------------------------------------------------------------------------------------


def test_a_claw_with_sides_cannot_be_reached_by_additions():
    claw = graph_of([(0, 1), (0, 2), (0, 3)], 4, sides=[0, 1, 1, 1])
    with pytest.raises(UnreachableError, match="cannot be reached with additions between the sides alone") as raised:
        degree(task_of(claw, "add"), DegreeAnonymity(2))
    assert "allow deletions" in str(raised.value)
    assert checked(claw, degree(task_of(claw), DegreeAnonymity(2)), 2) == fewest_edits(claw, 2)


def test_too_few_vertices_with_the_same_attributes():
    graph = graph_of([(0, 1)], 5, vertices=pl.DataFrame({"town": ["a", "a", "a", "b", "b"]}))
    with pytest.raises(UnreachableError, match="1 of 2 combinations of the known attributes"):
        degree(task_of(graph), DegreeAnonymity(3, attributes=("town",)))
    with pytest.raises(UnreachableError, match="needs at least 6 vertices; there are 5"):
        degree(task_of(graph), DegreeAnonymity(6))


def test_loops_count_once_and_go_alone():
    """One loop on a square: its vertex has degree 3, the others 2; deleting the loop is the one way with one edit."""
    square = graph_of([(0, 1), (1, 2), (2, 3), (0, 3), (0, 0)], 4)
    result = degree(task_of(square), DegreeAnonymity(4))
    assert ends_of(square.with_edges(result.source, result.target)) == ends_of(square) - {(0, 0)}
    ring = graph_of([(0, 1), (1, 2), (2, 0), (1, 1)], 3, directed=True)
    result = degree(task_of(ring), DegreeAnonymity(3))
    assert checked(ring, result, 3) == 1


def test_a_graph_that_is_anonymous_stays():
    ring = of_networkx(nx.cycle_graph(7))
    assert checked(ring, degree(task_of(ring), DegreeAnonymity(7)), 7) == 0


# Known graphs ---------------------------------------------------------------------------------------------------------


def davis() -> Graph:
    made = nx.davis_southern_women_graph()
    place = {name: i for i, name in enumerate(made.nodes)}
    sides = [made.nodes[name]["bipartite"] for name in made.nodes]
    return graph_of([(place[i], place[j]) for i, j in made.edges], len(place), sides=sides)


KNOWN = {
    "karate": (lambda: of_networkx(nx.karate_club_graph()), {2: 3, 3: 8, 5: 14, 10: 27}),
    "davis": (davis, {2: 4, 3: 4, 5: 11, 10: 18}),
    "florentine": (lambda: of_networkx(nx.florentine_families_graph()), {2: 2, 3: 2, 5: 4}),
}


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, (_, least) in KNOWN.items() for k in least])
def test_the_optimum_of_known_graphs_is_found_without_proof(monkeypatch, name, k):
    without_proof(monkeypatch)
    make, least = KNOWN[name]
    graph = make()
    assert checked(graph, degree(task_of(graph), DegreeAnonymity(k)), k) == least[k]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "k"), [(name, k) for name, (_, least) in KNOWN.items() for k in least])
def test_the_optimum_of_known_graphs_is_proved(name, k):
    make, least = KNOWN[name]
    result = degree(task_of(make()), DegreeAnonymity(k))
    assert result.lower_bound == least[k] == checked(make(), result, k)


@pytest.mark.parametrize("k", [2, 3, 5, 8, 77])
def test_les_miserables(k):
    graph = of_networkx(nx.les_miserables_graph())
    result = degree(task_of(graph), DegreeAnonymity(k))
    assert checked(graph, result, k) <= 1.3 * result.lower_bound


@pytest.mark.slow
def test_les_miserables_at_every_k():
    graph = of_networkx(nx.les_miserables_graph())
    costs = []
    for k in range(2, 78):
        result = degree(task_of(graph), DegreeAnonymity(k))
        costs.append(checked(graph, result, k))
        assert costs[-1] <= 1.3 * result.lower_bound
    assert costs == sorted(costs)


# Graphs with hubs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "seed"), [(2, 1), (3, 7), (5, 3)])
def test_hubs_cost_little_more_than_the_bound(m, seed):
    graph = of_networkx(nx.barabasi_albert_graph(1000, m, seed=seed))
    costs = []
    for k in (2, 3, 5, 10):
        result = degree(task_of(graph), DegreeAnonymity(k))
        assert half_distance(graph, k) <= result.lower_bound
        costs.append(checked(graph, result, k))
        assert costs[-1] <= 1.5 * result.lower_bound
    for low, high in pairwise(costs):
        assert low <= high


@pytest.mark.parametrize("edits", EDITS)
def test_arcs_with_hubs(edits):
    made = nx.DiGraph(nx.scale_free_graph(500, seed=3))
    graph = of_networkx(made)
    result = degree(task_of(graph, edits), DegreeAnonymity(3))
    assert checked(graph, result, 3, edits) <= {"both": 1.5, "add": 3, "delete": 2}[edits] * result.lower_bound


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
def test_a_hundred_thousand_vertices(directed):
    n = 100_000
    made = nx.barabasi_albert_graph(n, 3, seed=5)
    arcs = [(i, j) if (i * 7 + j) % 3 else (j, i) for i, j in made.edges]
    release = cl.graphs.run(graph_of(arcs, n, directed=directed), DegreeAnonymity(10), time_limit=60, seed=1)
    assert is_anonymous(release.graph, 10)
    assert release.n_added + release.n_deleted <= 2 * release.lower_bound
