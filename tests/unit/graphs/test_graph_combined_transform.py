"""Graphs edited until several models hold at once."""

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

from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms import choosing
from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.choosing import transformed
from celosia.jobs.graphs.running import run

GROUP = ("group",)
KARATE = pg.of_networkx(nx.karate_club_graph())
KNOWN, DEGREE, OPEN, CLOSED = KLAnonymity, DegreeAnonymity, NeighbourhoodAnonymity, ClosedTwinAnonymity


def cost(graph: Graph, models: list[Any], edits: str = "both", seconds: float | None = None) -> int:
    task = Task(graph, edits, Randomness(1))  # type: ignore[arg-type]
    edited = transformed(task if seconds is None else task.within(seconds), models)
    return assert_valid(graph, edited, models, edits)


COMBINATIONS: list[list[Any]] = [
    [KNOWN(2, 2), DEGREE(3)],
    [KNOWN(2, 2, "neighbours"), DEGREE(3)],
    [OPEN(2), DEGREE(4)],
    [CLOSED(2), DEGREE(3)],
    [CLOSED(2), OPEN(2)],
    [CLOSED(2), KNOWN(2, 1)],
    [CLOSED(2), KNOWN(2, 2)],
    [CLOSED(2), KNOWN(2, 2, "neighbours")],
    [CLOSED(2), KNOWN(2, 2, exclude_known=True)],
    [OPEN(2), KNOWN(2, 1, exclude_known=True)],
    [KNOWN(3, 1), KNOWN(2, 3, "neighbours"), DEGREE(2)],
]
TINY = {
    "plain": EveryGraph(5),
    "loops": EveryGraph(3, loops=True),
    "directed": EveryGraph(3, directed=True),
    "sides": EveryGraph(5, sides=[0, 0, 1, 1, 1]),
}


@pytest.mark.parametrize("kind", list(TINY))
@pytest.mark.parametrize("models", COMBINATIONS, ids=str)
def test_tiny_graphs_take_the_fewest_edits(kind: str, models: list[Any]) -> None:
    """And what is refused, contradictions among it, cannot be."""
    every = TINY[kind]
    for mask, edits in product(drawn(every, 3, 1), ("both", "add", "delete")):
        graph, fewest = every.graph(mask), every.fewest(mask, models, edits)
        if fewest is None:
            with pytest.raises(UnreachableError) as caught:
                cost(graph, models, edits)
            assert "there may be one" not in str(caught.value)
        else:
            edited = transformed(Task(graph, edits, Randomness(1)), models)  # type: ignore[arg-type]
            assert assert_valid(graph, edited, models, edits) == fewest == edited.lower_bound


def test_each_model_has_its_own_attributes() -> None:
    every = EveryGraph(4, groups=[0, 1, 0, 1])
    for models in ([KNOWN(2, 2, attributes=GROUP), DEGREE(2)], [CLOSED(2), DEGREE(2, GROUP)]):
        for mask in drawn(every, 4, 2):
            assert cost(every.graph(mask), models) == every.fewest(mask, models)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Graph, list[Any], str]:
    n = draw(st.integers(8, 14))
    directed, has_sides = draw(st.booleans()), draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    ends = rng.integers(0, n, (2, draw(st.integers(n, 3 * n))))
    ends = ends[:, (ends[0] + ends[1]) % 2 == 1] if has_sides else ends[:, ends[0] != ends[1]]
    graph = Graph.of_edges(
        ends[0], ends[1], n, directed=directed, sides=[v % 2 for v in range(n)] if has_sides else None,
        vertices=pl.DataFrame({"group": [v // 2 % 2 for v in range(n)]}),
    )  # fmt: skip
    attributes = draw(st.sampled_from([(), (), GROUP]))
    known = KNOWN(2, draw(st.integers(1, 3)), draw(st.sampled_from(["rows", "neighbours"])), False, attributes)
    other = draw(st.sampled_from([DEGREE(3), DEGREE(2, GROUP), OPEN(2), OPEN(2, GROUP)]))
    return graph, [known, other], draw(st.sampled_from(["both", "both", "add", "delete"]))


@given(tasks())
@tries(15)
def test_results_are_valid(drawn_task: tuple[Graph, list[Any], str]) -> None:
    graph, models, edits = drawn_task
    try:
        n_edits = cost(graph, models, edits, seconds=0.3)
    except UnreachableError:
        assert edits == "add"  # the graph without edges satisfies them all
        return
    if edits != "add":
        assert n_edits <= graph.n_edges


@pytest.mark.parametrize("models", [[KNOWN(2, 2, "neighbours"), DEGREE(3)], [CLOSED(2), DEGREE(4)]], ids=str)
def test_a_real_graph(models: list[Any]) -> None:
    release = run(KARATE, models, seed=1, time_limit=4)
    assert release.result.satisfied
    assert all(judgement.satisfied for judgement in release.judgements)
    if isinstance(models[0], KLAnonymity):
        assert release.n_edits <= KARATE.n_edges
    assert release.lower_bound is not None
    assert release.lower_bound <= release.n_edits


@pytest.mark.parametrize("seconds", [1e-9, 0.01])
def test_a_result_is_there_at_any_time(seconds: float) -> None:
    for models in ([KNOWN(2, 2), DEGREE(3)], [OPEN(2), DEGREE(5)], [CLOSED(2), KNOWN(2, 2, "neighbours")]):
        assert cost(KARATE, models, seconds=seconds) > 0


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([OPEN(2), CLOSED(2)], "contradict each other: in a graph without loops"),
        ([CLOSED(2), KNOWN(2, 2)], "contradict each other from l = 2 on"),
        ([DEGREE(35), OPEN(2)], "needs at least 35 vertices; there are 34"),
        ([DEGREE(2), KNOWN(30, 5, exclude_known=True)], "needs at least 35 vertices; there are 34"),
    ],
)
def test_contradictions_are_told(models: list[Any], words: str) -> None:
    with pytest.raises(UnreachableError, match=words) as caught:
        cost(KARATE, models)
    assert "Hint" in str(caught.value)


def test_with_loops_they_do_not_contradict() -> None:
    """Where everybody is linked with everybody and itself, all are twins of both kinds."""
    ends = [(i, j) for i in range(4) for j in range(i, 4) if (i, j) != (2, 3)]
    graph = Graph.of_edges([i for i, _ in ends], [j for _, j in ends])
    assert cost(graph, [OPEN(2), CLOSED(2)]) == 1


def test_what_was_not_found_is_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "annealed", lambda *given: [])
    monkeypatch.setattr(choosing, "_starts", lambda *given: iter([]))
    monkeypatch.setattr(choosing, "_tried", lambda *given, **more: iter([]))
    with pytest.raises(UnreachableError, match="there may be one"):
        cost(KARATE, [OPEN(2), DEGREE(5)])
