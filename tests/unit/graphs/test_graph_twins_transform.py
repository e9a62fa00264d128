"""Graphs edited until everybody has twins: valid, as cheap as can be on tiny graphs, and refused only for a reason."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import plain_graphs as pg
import polars as pl
import pytest
from every_graph import EveryGraph, assert_valid, drawn
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.base.progress import Quiet
from celosia.graphs.graph import Graph
from celosia.graphs.models import ClosedTwinAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms import twins as twins_module
from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.blocks import nearest_twins
from celosia.graphs.transforms.choosing import transformed
from celosia.graphs.transforms.twins import twin_bound
from celosia.jobs.graphs.running import run

OPEN, CLOSED = NeighbourhoodAnonymity, ClosedTwinAnonymity
KARATE = pg.of_networkx(nx.karate_club_graph())
LES_MIS = pg.of_networkx(nx.les_miserables_graph())
DAVIS = cl.graphs.read(nx.davis_southern_women_graph())


def cost(graph: Graph, model: Any, edits: str = "both", seed: int = 1, seconds: float | None = None) -> int:
    """How many edits a transform takes; its result is held against the definition."""
    task = Task(graph, edits, Randomness(seed))  # type: ignore[arg-type]
    edited = transformed(task if seconds is None else task.within(seconds), [model])
    return assert_valid(graph, edited, [model], edits)


# Tiny graphs: nothing is cheaper --------------------------------------------------------------------------------------

TINY = {
    "plain": (EveryGraph(5), 16),
    "loops": (EveryGraph(4, loops=True), 8),
    "directed": (EveryGraph(4, directed=True), 8),
    "directed loops": (EveryGraph(3, directed=True, loops=True), 8),
    "groups": (EveryGraph(5, groups=[0, 0, 1, 1, 1]), 8),
    "sides": (EveryGraph(6, sides=[0, 0, 0, 1, 1, 1]), 8),
    "uneven sides": (EveryGraph(5, sides=[0, 0, 1, 1, 1]), 8),
    "directed sides": (EveryGraph(4, directed=True, sides=[0, 1, 1, 0]), 16),
    "groups and sides": (EveryGraph(6, groups=[0, 1, 0, 1, 0, 1], sides=[0, 0, 0, 1, 1, 1]), 6),
}


def assert_fewest(every: EveryGraph, mask: int, model: Any, edits: str) -> None:
    graph, fewest = every.graph(mask), every.fewest(mask, [model], edits)
    if fewest is None:
        with pytest.raises(UnreachableError) as caught:
            cost(graph, model, edits)
        assert "found no" not in str(caught.value)  # on so few vertices it is proved
        return
    edited = transformed(Task(graph, edits, Randomness(1)), [model])  # type: ignore[arg-type]
    assert assert_valid(graph, edited, [model], edits) == fewest
    assert edited.lower_bound == fewest


@pytest.mark.parametrize("kind", list(TINY))
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_tiny_graphs_take_the_fewest_edits(kind: str, closed: bool, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins_module, "_STEPS_ALWAYS", 500)  # the exact search decides
    every, n_graphs = TINY[kind]
    model = (CLOSED if closed else OPEN)(k, ("group",) if every.groups else ())
    for mask in drawn(every, n_graphs, k):
        for edits in ("both", "add", "delete"):
            assert_fewest(every, mask, model, edits)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_graphs_of_six_take_the_fewest_edits(closed: bool, k: int) -> None:
    every = EveryGraph(6)
    for mask in drawn(every, 100, k):
        for edits in ("both", "add", "delete"):
            assert_fewest(every, mask, (CLOSED if closed else OPEN)(k), edits)


@pytest.mark.parametrize("kind", ["plain", "loops", "directed", "groups", "sides"])
@pytest.mark.parametrize("closed", [False, True])
def test_no_graph_undercuts_the_bound(kind: str, closed: bool) -> None:
    every = TINY[kind][0]
    for k in (2, 3) if kind != "groups" else (2,):
        model = (CLOSED if closed else OPEN)(k, ("group",) if every.groups else ())
        for mask in drawn(every, 100, 7):
            graph, fewest = every.graph(mask), every.fewest(mask, [model])
            bound = twin_bound(graph, Task(graph).groups(model), k, closed)
            assert bound is not None
            assert fewest is None or bound <= fewest


# Every graph: what comes out is valid ---------------------------------------------------------------------------------


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Graph, Any, str]:
    n, k = draw(st.integers(8, 24)), draw(st.integers(2, 4))
    directed, loops = draw(st.booleans()), draw(st.booleans())
    sides = [v % 2 for v in range(n)] if draw(st.booleans()) else None
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    ends = rng.integers(0, n, (2, draw(st.integers(n, 4 * n))))
    keep = np.ones(ends.shape[1], dtype=bool) if loops and sides is None else ends[0] != ends[1]
    if sides is not None:
        keep &= (ends[0] + ends[1]) % 2 == 1
    people = pl.DataFrame({"group": [v // 2 % 2 for v in range(n)]})
    graph = Graph.of_edges(ends[0][keep], ends[1][keep], n, directed=directed, sides=sides, vertices=people)
    model = draw(st.sampled_from([OPEN, CLOSED]))(k, draw(st.sampled_from([(), ("group",)])))
    return graph, model, draw(st.sampled_from(["both", "both", "add", "delete"]))


@given(tasks())
@tries(40)
def test_results_are_valid(drawn_task: tuple[Graph, Any, str]) -> None:
    graph, model, edits = drawn_task
    try:
        n_edits = cost(graph, model, edits, seconds=0.2)
    except UnreachableError:
        has_small_group = min(np.bincount(Task(graph).groups(model))) < model.k
        assert edits != "both" or has_small_group or (isinstance(model, CLOSED) and graph.sides is not None)
        return
    if edits != "add" and isinstance(model, OPEN):
        assert n_edits <= graph.n_edges  # the empty graph is always there


@pytest.mark.parametrize("seconds", [1e-9, 0.01])
@pytest.mark.parametrize("model", [OPEN(2), OPEN(10), CLOSED(3)])
def test_a_result_is_there_at_any_time(seconds: float, model: Any) -> None:
    for graph in (KARATE, LES_MIS):
        assert cost(graph, model, seconds=seconds) > 0
    release = run(KARATE, model, time_limit=0.001, seed=1)
    assert release.result.satisfied


def test_equal_seeds_give_equal_results() -> None:
    one, two = (transformed(Task(KARATE, "both", Randomness(5)), [OPEN(3)]) for _ in range(2))
    assert one.source.tolist() == two.source.tolist()
    assert one.target.tolist() == two.target.tolist()


def test_ctrl_c_ends_the_search_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient(Quiet):
        n_calls = 0

        def advance(self, share: float) -> None:
            self.n_calls += 1
            if self.n_calls == 2:
                raise KeyboardInterrupt

    shown = Impatient()
    monkeypatch.setattr(twins_module, "_MOST_STEPS", 10**12)
    monkeypatch.setattr(twins_module, "_STEPS_PER_PAIR", 10**9)
    edited = transformed(Task(LES_MIS, "both", Randomness(1), progress=shown), [OPEN(3)])  # would take for ever
    assert_valid(LES_MIS, edited, [OPEN(3)])


# Cost -----------------------------------------------------------------------------------------------------------------

# Edits as a share of edges that a prototype reached, in percent (rounded).
TABLE = [
    ("karate", KARATE, OPEN, {2: 44, 3: 65, 5: 86, 10: 100}),
    ("Davis", DAVIS, OPEN, {2: 33, 3: 37, 5: 55, 10: 100}),
    ("Les Miserables", LES_MIS, OPEN, {2: 39, 3: 52, 5: 70, 10: 100}),
    ("Les Miserables, closed", LES_MIS, CLOSED, {2: 35, 3: 47, 5: 69, 10: 104}),
]


def assert_table(names: list[str], sizes: list[int], seeds: list[int]) -> None:
    for name, graph, model, shares in TABLE:
        for k in sizes if name in names else []:
            for seed in seeds:
                assert round(100 * cost(graph, model(k), seed=seed) / graph.n_edges) <= shares[k], (name, k, seed)


def test_few_edits_suffice() -> None:
    assert_table(["karate", "Davis"], [2, 3, 5, 10], [1])
    assert_table(["Les Miserables"], [10], [1])


@pytest.mark.slow
def test_few_edits_suffice_with_any_seed() -> None:
    assert_table([name for name, *_ in TABLE], [2, 3, 5, 10], [1, 2, 3])


@pytest.mark.parametrize("n", [10, 24, 60])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_cost_never_falls_as_k_grows(n: int, closed: bool, directed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short the search is: what is found for a larger k is where the search for a smaller one starts."""
    monkeypatch.setattr(twins_module, "_STEPS_ALWAYS", 2000)
    monkeypatch.setattr(twins_module, "_STEPS_PER_PAIR", 1)
    rng = np.random.default_rng(n)
    ends = rng.integers(0, n, (2, 3 * n))
    ends = ends[:, ends[0] != ends[1]]
    graph = Graph.of_edges(ends[0], ends[1], n, directed=directed)
    costs = [cost(graph, (CLOSED if closed else OPEN)(k), seed=n) for k in range(2, min(n // 2, 8) + 1)]
    assert costs == sorted(costs)


def planted(n_classes: int, n_links: int, share: float, seed: int) -> tuple[Graph, int]:
    """Five vertices for each of a random quotient graph, shuffled, and then some pairs switched: how many."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n_classes, (2, n_links))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    order = rng.permutation(5 * n_classes)
    every, each = np.divmod(np.arange(25), 5)
    first, second = (order[(5 * end[:, None] + part).ravel()] for end, part in zip(ends, (every, each), strict=True))
    n = 5 * n_classes
    keys = np.minimum(first, second) * n + np.maximum(first, second)
    n_flips = int(share * len(keys))
    lost = rng.choice(keys, n_flips // 2, replace=False)
    free = np.unique(np.sort(rng.integers(0, n, (2, 2 * n_flips)), axis=0), axis=1)
    new = np.setdiff1d(free[0][free[0] != free[1]] * n + free[1][free[0] != free[1]], keys)
    new = rng.choice(new, n_flips - n_flips // 2, replace=False)
    kept = np.union1d(np.setdiff1d(keys, lost), new)
    return Graph.of_edges(kept // n, kept % n, n), n_flips


@pytest.mark.parametrize(("n_classes", "n_links"), [(8, 12), (20, 40), (60, 150)])
def test_a_planted_blow_up_comes_back(n_classes: int, n_links: int) -> None:
    graph, n_flips = planted(n_classes, n_links, 0.1, n_classes)
    assert run(graph, OPEN(5), seed=1, time_limit=4).n_edits <= n_flips


def test_a_large_planted_blow_up_comes_back_nearly() -> None:
    """Beyond 5,000 vertices the search sweeps over the vertices first."""
    graph, n_flips = planted(1500, 3000, 0.1, 1)
    assert run(graph, OPEN(5), seed=1, time_limit=6).n_edits <= 1.1 * n_flips


@pytest.mark.slow
def test_a_hundred_thousand_vertices() -> None:
    graph, n_flips = planted(20_000, 20_000, 0.1, 1)
    release = run(graph, OPEN(5), seed=1)
    assert release.n_edits <= 1.2 * n_flips
    assert release.seconds < 30


def test_sparse_graphs_keep_what_pairs_of_classes_save() -> None:
    """A path of 4 is two pairs of twins but for one edge; many of them fit into a sparse graph."""
    rng = np.random.default_rng(2)
    graph = Graph.of_edges(rng.integers(0, 6000, 20_000), rng.integers(0, 6000, 20_000), 6000)
    assert run(graph, OPEN(2), seed=1, time_limit=5).edit_ratio < 0.93


# Refusals -------------------------------------------------------------------------------------------------------------


def star(n_leaves: int, sides: bool = False) -> Graph:
    own = [0] + [1] * n_leaves if sides else None
    return Graph.of_edges([0] * n_leaves, list(range(1, n_leaves + 1)), sides=own)


COMPLETE = pg.of_networkx(nx.complete_graph(4))


@pytest.mark.parametrize(
    ("graph", "model", "edits", "words"),
    [
        (star(2), OPEN(4), "both", "needs at least 4 vertices; there are 3"),
        (COMPLETE, OPEN(2), "add", "some vertex has only 0 others"),
        (star(3), OPEN(2), "add", "some vertex has only 0 others"),
        (star(3, sides=True), OPEN(2), "add", "only 1 vertices of some group lie on one side"),
        (Graph.of_edges([0, 1], [0, 2], 4), OPEN(2), "add", "a vertex with a loop has no twin without"),
        (star(3), CLOSED(3), "delete", "some vertex has only 1 links"),
        (star(3, sides=True), CLOSED(3), "both", "no three vertices are"),
        (star(3, sides=True), CLOSED(2), "both", "as many on one side as on the other"),
        (pg.of_networkx(nx.cycle_graph(5)), OPEN(2), "add", "no graph in which every vertex has 1 twins"),
        (pg.of_networkx(nx.cycle_graph(5)), CLOSED(2), "delete", "no graph in which every vertex has 1 twins"),
        (
            Graph.of_edges([0], [1], 3, vertices=pl.DataFrame({"group": [0, 0, 1]})),
            OPEN(2, ("group",)),
            "both",
            "shared by 1 vertices only",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(graph: Graph, model: Any, edits: str, words: str) -> None:
    with pytest.raises(UnreachableError, match=words) as caught:
        cost(graph, model, edits)
    assert "Hint" in str(caught.value)


def test_what_was_not_found_is_not_called_impossible() -> None:
    task = Task(star(3), "add")
    edited = nearest_twins(task.graph, np.array([0, 0, 1, 1]))
    for is_proved, words in ((True, "^no graph in which"), (False, "^this search found no graph")):
        with pytest.raises(UnreachableError, match=words):
            twins_module._refuse_forbidden(task, edited, 2, is_proved)
