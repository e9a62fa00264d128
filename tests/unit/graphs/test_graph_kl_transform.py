"""Graphs edited until l known neighbours leave k candidates: valid, exact on tiny graphs, never dearer than twins."""

from __future__ import annotations

from itertools import product
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
from celosia.graphs.models import KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms import few_edits, kl
from celosia.graphs.transforms import twins as twins_module
from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.choosing import transformed
from celosia.graphs.transforms.kl import known_bound
from celosia.jobs.graphs.running import run

GROUP = ("group",)
KARATE = pg.of_networkx(nx.karate_club_graph())
LES_MIS = pg.of_networkx(nx.les_miserables_graph())
DAVIS = cl.graphs.read(nx.davis_southern_women_graph())


def cost(graph: Graph, model: Any, edits: str = "both", seed: int = 1, seconds: float | None = None) -> int:
    task = Task(graph, edits, Randomness(seed))  # type: ignore[arg-type]
    edited = transformed(task if seconds is None else task.within(seconds), [model])
    return assert_valid(graph, edited, [model], edits)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few looks: for what holds however short the search is."""
    monkeypatch.setattr(few_edits, "_FEWEST_LOOKS", 3000)
    monkeypatch.setattr(few_edits, "_LOOKS_PER_PART", 100)


@pytest.fixture
def inexact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the search through all sets of edits: what remains must be valid, and honest about its bound."""
    monkeypatch.setattr(few_edits, "_MOST_EDGES", -1)


TINY = {
    "plain": (EveryGraph(5), 8),
    "loops": (EveryGraph(3, loops=True), 8),
    "directed": (EveryGraph(3, directed=True), 8),
    "groups": (EveryGraph(4, groups=[0, 1, 0, 1]), 8),
    "sides": (EveryGraph(5, sides=[0, 0, 1, 1, 1]), 6),
}


def options(k: int, n_known: int, every: EveryGraph) -> list[KLAnonymity]:
    return [
        KLAnonymity(k, n_known, view, exclude, GROUP if every.groups else ())
        for view, exclude in product(("rows", "neighbours"), (False, True))
    ]


@pytest.mark.parametrize("kind", list(TINY))
@pytest.mark.parametrize(("k", "n_known"), [(2, 1), (3, 1), (2, 2), (3, 2), (2, 3)])
def test_tiny_graphs_take_the_fewest_edits(kind: str, k: int, n_known: int) -> None:
    every, n_graphs = TINY[kind]
    for model in options(k, n_known, every):
        for mask, edits in product(drawn(every, n_graphs, k), ("both", "add", "delete")):
            graph, fewest = every.graph(mask), every.fewest(mask, [model], edits)
            if fewest is None:
                with pytest.raises(UnreachableError) as caught:
                    cost(graph, model, edits)
                assert "there may be one" not in str(caught.value)
                continue
            edited = transformed(Task(graph, edits, Randomness(1)), [model])  # type: ignore[arg-type]
            assert assert_valid(graph, edited, [model], edits) == fewest
            assert edited.lower_bound == fewest


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n_known"), [(2, 1), (2, 2), (3, 2)])
def test_graphs_of_six_take_the_fewest_edits(k: int, n_known: int) -> None:
    every = EveryGraph(6)
    for model in options(k, n_known, every):
        for mask in drawn(every, 30, k):
            fewest = every.fewest(mask, [model])
            assert fewest is None or cost(every.graph(mask), model) == fewest


@pytest.mark.parametrize("kind", list(TINY))
def test_no_graph_undercuts_the_bound_of_one_place(kind: str) -> None:
    """And what it proves impossible is."""
    every, _ = TINY[kind]
    for k in (2, 3):
        for model, mask, edits in product(options(k, 1, every), drawn(every, 15, 9), ("both", "add", "delete")):
            fewest = every.fewest(mask, [model], edits)
            try:
                bound = known_bound(Task(every.graph(mask), edits), model)  # type: ignore[arg-type]
            except UnreachableError:
                assert fewest is None
                continue
            assert bound is not None
            assert fewest is None or bound <= fewest


@pytest.mark.usefixtures("short", "inexact")
@pytest.mark.parametrize("kind", list(TINY))
def test_what_is_searched_is_valid_and_no_better_than_can_be(kind: str) -> None:
    every, _ = TINY[kind]
    for k, n_known in ((2, 1), (2, 2), (2, 3), (3, 2)):
        for model, mask, edits in product(options(k, n_known, every), drawn(every, 3, 4), ("both", "add", "delete")):
            fewest = every.fewest(mask, [model], edits)
            try:
                edited = transformed(Task(every.graph(mask), edits, Randomness(1)), [model])  # type: ignore[arg-type]
            except UnreachableError:
                assert fewest is None or edits == "add"  # the empty graph is always found, if it may be had
                continue
            assert fewest is not None
            assert assert_valid(every.graph(mask), edited, [model], edits) >= fewest
            assert edited.lower_bound is None or edited.lower_bound <= fewest


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Graph, KLAnonymity, str]:
    n = draw(st.integers(7, 14))
    directed, has_sides = draw(st.booleans()), draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    ends = rng.integers(0, n, (2, draw(st.integers(n, 3 * n))))
    ends = ends[:, (ends[0] + ends[1]) % 2 == 1] if has_sides else ends
    people = pl.DataFrame({"group": [v // 2 % 2 for v in range(n)]})
    sides = [v % 2 for v in range(n)] if has_sides else None
    graph = Graph.of_edges(ends[0], ends[1], n, directed=directed, sides=sides, vertices=people)
    view, attributes = draw(st.sampled_from(["rows", "neighbours"])), draw(st.sampled_from([(), (), GROUP]))
    model = KLAnonymity(draw(st.integers(2, 3)), draw(st.integers(1, 3)), view, draw(st.booleans()), attributes)
    return graph, model, draw(st.sampled_from(["both", "both", "add", "delete"]))


@given(tasks())
@tries(25)
def test_results_are_valid(drawn_task: tuple[Graph, KLAnonymity, str]) -> None:
    graph, model, edits = drawn_task
    try:
        n_edits = cost(graph, model, edits, seconds=0.15)
    except UnreachableError:
        fewest = min(np.bincount(Task(graph).groups(model)))
        needed = model.k + model.l if model.exclude_known and model.view == "rows" else model.k
        assert fewest < needed or edits == "add"
        return
    if edits != "add":
        assert n_edits <= graph.n_edges


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("model", [KLAnonymity(2, 2), KLAnonymity(3, 2, "neighbours")])
def test_it_never_costs_more_than_twins(model: KLAnonymity) -> None:
    for graph in (KARATE, DAVIS):
        assert cost(graph, model) <= cost(graph, NeighbourhoodAnonymity(model.k))


# Edits as a share of edges that a prototype reached, in percent (rounded).
TABLE = [("karate", KARATE, {2: 42, 3: 65, 5: 86}), ("Davis", DAVIS, {2: 20, 3: 29, 5: 55})]


def test_few_edits_suffice() -> None:
    for _, graph, shares in TABLE:
        assert round(100 * cost(graph, KLAnonymity(3, 2, "neighbours"), seconds=5) / graph.n_edges) <= shares[3]


@pytest.mark.slow
def test_few_edits_suffice_with_any_seed_and_cost_never_falls() -> None:
    for _, graph, shares in TABLE:
        for seed in (1, 2, 3):
            costs = [cost(graph, KLAnonymity(k, 2, "neighbours"), seed=seed) for k in (2, 3, 4, 5)]
            assert costs == sorted(costs)
            for k, share in shares.items():
                assert round(100 * costs[k - 2] / graph.n_edges) <= share
            by_l = [cost(graph, KLAnonymity(2, n_known, "neighbours"), seed=seed, seconds=20) for n_known in (1, 2, 3)]
            assert by_l == sorted(by_l)


@pytest.mark.parametrize("seconds", [1e-9, 0.01])
@pytest.mark.parametrize("model", [KLAnonymity(2, 2), KLAnonymity(3, 3, "neighbours"), KLAnonymity(2, 1, "rows", True)])
def test_a_result_is_there_at_any_time(seconds: float, model: KLAnonymity) -> None:
    assert cost(KARATE, model, seconds=seconds) > 0
    assert run(DAVIS, model, time_limit=0.001, seed=1).result.satisfied


@pytest.mark.usefixtures("short")
def test_equal_seeds_give_equal_results() -> None:
    graph = pg.of_networkx(nx.gnm_random_graph(18, 40, seed=1))
    one, two = (transformed(Task(graph, "both", Randomness(3)), [KLAnonymity(2, 2)]) for _ in range(2))
    assert one.source.tolist() == two.source.tolist()
    assert one.target.tolist() == two.target.tolist()


def test_additions_alone_lead_to_the_complete_graph_if_need_be() -> None:
    """Known vertices left aside, a complete graph hides everybody among all others."""
    path = pg.of_networkx(nx.path_graph(18))
    assert cost(path, KLAnonymity(12, 2, "rows", exclude_known=True), "add", seconds=0.5) <= 18 * 17 // 2 - 17


@pytest.mark.parametrize(
    ("graph", "model", "edits", "words"),
    [
        (pg.of_networkx(nx.path_graph(3)), KLAnonymity(4, 1), "both", "needs at least 4 vertices; there are 3"),
        (pg.of_networkx(nx.path_graph(5)), KLAnonymity(3, 3, exclude_known=True), "both", "at least 6 vertices"),
        (pg.of_networkx(nx.complete_graph(20)), KLAnonymity(2, 1), "add", "none or at least 2, and so are those"),
        (
            Graph.of_edges([0], [1], 30, sides=[0] + [1] * 29),
            KLAnonymity(2, 1, view="neighbours"),
            "add",
            "none or at least 2, and for some vertex",
        ),
        (
            Graph.of_edges([0], [1], 3, vertices=pl.DataFrame({"group": [0, 0, 1]})),
            KLAnonymity(2, 1, attributes=GROUP),
            "both",
            "shared by 1 only",
        ),
        (pg.of_networkx(nx.cycle_graph(5)), KLAnonymity(2, 2), "add", "all were tried"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(graph: Graph, model: Any, edits: str, words: str) -> None:
    with pytest.raises(UnreachableError, match=words) as caught:
        cost(graph, model, edits)
    assert "Hint" in str(caught.value)


def test_what_was_not_found_is_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kl, "_annealed", lambda task, model: [])
    monkeypatch.setattr(kl, "_twins", lambda task, model: {})
    monkeypatch.setattr(kl, "filled", lambda task: None)
    monkeypatch.setattr(kl, "emptied", lambda task: None)
    with pytest.raises(UnreachableError, match="there may be one"):
        cost(KARATE, KLAnonymity(2, 2))


def test_what_time_ran_out_on_does_not_count_as_tried() -> None:
    task = Task(pg.of_networkx(nx.cycle_graph(5)), "add", Randomness(1)).within(0.0)
    assert few_edits.fewest_edits(task, [KLAnonymity(2, 3)]) == (None, 0)


def test_ctrl_c_ends_the_search_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped among twins it neither anneals nor searches on, and undoes edits no longer."""
    seen: list[str] = []

    class Impatient(Quiet):
        def stage(self, name: str) -> None:
            seen.append(name)

        def advance(self, share: float) -> None:
            if seen[-1] == "search for twins":
                raise KeyboardInterrupt

    monkeypatch.setattr(twins_module, "_MOST_STEPS", 10**12)
    monkeypatch.setattr(twins_module, "_STEPS_PER_PAIR", 10**9)
    release = cl.graphs.run(LES_MIS, KLAnonymity(2, 3), time_limit=600, seed=1, progress=Impatient())
    assert release.result.satisfied
    assert release.was_stopped
    assert release.seconds < 60
    assert "SEARCH_STOPPED" in {finding.code for finding in release.findings}


def test_l_of_three_never_costs_more_for_a_smaller_k() -> None:
    graph = cl.graphs.read(nx.gnp_random_graph(21, 0.4, seed=582))
    costs = [cl.graphs.run(graph, KLAnonymity(k, 3, view="neighbours"), time_limit=60, seed=3).n_edits for k in (4, 5)]
    assert costs == sorted(costs)
