"""EditSearch: what it counts, tries and finds, against the definitions and all sets of edits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from every_graph import EveryGraph, edge_set, satisfies
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity

GROUP = ("group",)
INFINITE = float("inf")


def search_of(graph: Graph, models: list[GraphModel], edits: str = "both") -> kernels.EditSearch:
    search = kernels.EditSearch(
        graph.n_vertices, graph.directed, graph.source, graph.target, graph.sides, edits != "delete", edits != "add"
    )
    for model in models:
        groups = graph.vertices["group"].to_numpy().astype(np.int32) if model.attributes else None
        if isinstance(model, KLAnonymity):
            search.add_known(model.k, model.l, model.view == "rows", model.exclude_known, groups)
        elif isinstance(model, DegreeAnonymity):
            search.add_degrees(model.k, groups)
        else:
            search.add_twins(model.k, isinstance(model, ClosedTwinAnonymity), groups, 7)
    return search


@st.composite
def models(draw: st.DrawFn) -> GraphModel:
    k, attributes = draw(st.integers(2, 3)), draw(st.sampled_from([(), GROUP]))
    kind = draw(st.sampled_from(["known", "known", "known", "degree", "open", "closed"]))
    if kind == "known":
        view = draw(st.sampled_from(["rows", "neighbours"]))
        return KLAnonymity(k, draw(st.integers(1, 2)), view, draw(st.booleans()), attributes)
    if kind == "degree":
        return DegreeAnonymity(k, attributes)
    return (NeighbourhoodAnonymity if kind == "open" else ClosedTwinAnonymity)(k, attributes)


@st.composite
def some_graphs(draw: st.DrawFn, max_vertices: int = 6) -> tuple[EveryGraph, int]:
    directed = draw(st.booleans())
    n = draw(st.integers(2, max_vertices - (1 if directed else 0)))
    groups = [0, *draw(st.lists(st.integers(0, 1), min_size=n - 1, max_size=n - 1))]
    every = EveryGraph(n, directed, draw(st.booleans()), groups)
    return every, draw(st.integers(0, len(every.masks) - 1))


def assume_groups(every: EveryGraph, demanded: list[GraphModel]) -> None:
    """Transforms refuse groups of fewer than k before: what nobody knows of leaves them all, and is not counted."""
    assert every.groups is not None
    for model in demanded:
        groups = every.groups if model.attributes else [0] * every.n
        assume(min(groups.count(group) for group in groups) >= model.k)


@given(some_graphs(), models(), st.data())
@tries(300, suppress_health_check=[HealthCheck.filter_too_much])
def test_nothing_is_violated_just_where_the_definition_holds(
    drawn: tuple[EveryGraph, int], model: GraphModel, data: st.DataObject
) -> None:
    every, mask = drawn
    assume_groups(every, [model])
    search = search_of(every.graph(mask), [model])
    for other in [mask, *data.draw(st.lists(st.integers(0, len(every.masks) - 1), max_size=3))]:
        graph = every.graph(other)
        assert (search.violation(graph.source, graph.target) == 0) == satisfies(graph, model)


def allowed_edges(every: EveryGraph, mask: int, edits: str) -> list[int]:
    """The places of edges that may be switched."""
    found = []
    for i, (a, b) in enumerate(every.pairs):
        is_there = bool(mask >> i & 1)
        if (is_there and edits != "add") or (not is_there and edits != "delete" and a != b):
            found.append(i)
    return found


@given(
    some_graphs(5),
    st.lists(models(), min_size=1, max_size=2),
    st.sampled_from(["both", "add", "delete"]),
    st.integers(0, 3),
)
@tries(150, suppress_health_check=[HealthCheck.filter_too_much])
def test_sets_of_edits_are_all_that_meet_the_demands(
    drawn: tuple[EveryGraph, int], demanded: list[GraphModel], edits: str, size: int
) -> None:
    """It switches edges forth and back and counts on the way, so this holds all that is counted to the definition."""
    every, mask = drawn
    assume_groups(every, demanded)
    graph = every.graph(mask)
    search = search_of(graph, demanded, edits)
    found, is_whole, _ = search.edit_sets(size, 10**6, 10**9, INFINITE)
    assert is_whole
    expected = set()
    for chosen in combinations(allowed_edges(every, mask, edits), size):
        made = every.graph(mask ^ sum(1 << i for i in chosen))
        if all(satisfies(made, model) for model in demanded):
            expected.add(frozenset(every.pairs[i] for i in chosen))
    pairs = [frozenset(zip(source.tolist(), target.tolist(), strict=True)) for source, target in found]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected
    if expected:
        assert len(search.edit_sets(size, 1, 10**9, INFINITE)[0]) == 1


def test_edit_sets_say_when_they_are_cut_off() -> None:
    graph = EveryGraph(12).graph(0b1011001)
    search = search_of(graph, [KLAnonymity(3, 2)])
    assert search.edit_sets(4, 10, 5000, INFINITE)[1] is False
    assert search.edit_sets(4, 10, 10**9, 0.0)[1] is False
    pulse = kernels.Pulse()
    pulse.stop()
    assert search.edit_sets(4, 10, 10**9, INFINITE, pulse)[1] is False
    assert search.edit_sets(1, 10, 10**9, INFINITE)[1] is True


@given(
    some_graphs(),
    st.lists(models(), min_size=1, max_size=2),
    st.sampled_from(["both", "add", "delete"]),
    st.integers(0, 99),
    st.booleans(),
)
@tries(100, suppress_health_check=[HealthCheck.filter_too_much])
def test_runs_end_in_valid_graphs(
    drawn: tuple[EveryGraph, int], demanded: list[GraphModel], edits: str, seed: int, missing: bool
) -> None:
    every, mask = drawn
    assume_groups(every, demanded)
    graph = every.graph(mask)

    def run() -> tuple[list[int], list[int]] | None:
        search = search_of(graph, demanded, edits)
        found = search.run(graph.source, graph.target, 3000, (0.4, 0.05), (0.02, 0.2), missing, 600.0, seed)
        return None if found is None else (found[0].tolist(), found[1].tolist())

    made = run()
    assert made == run()  # the same seed, the same result
    if made is None:
        assert not all(satisfies(graph, model) for model in demanded)
        return
    result = Graph.of_edges(
        np.array(made[0], dtype=np.int32), np.array(made[1], dtype=np.int32), every.n, directed=every.directed,
        vertices=graph.vertices,
    )  # fmt: skip
    assert result.n_edges == len(made[0])
    assert all(satisfies(result, model) for model in demanded)
    before, after = edge_set(graph, graph), edge_set(graph, result)
    assert all(i != j for i, j in after - before)
    assert edits != "add" or before <= after
    assert edits != "delete" or after <= before


def test_undoing_leaves_no_edit_that_is_not_needed() -> None:
    rng = np.random.default_rng(4)
    every = EveryGraph(7)
    model = KLAnonymity(2, 2, "neighbours")
    for mask in rng.integers(0, len(every.masks), 30).tolist():
        graph = every.graph(mask)
        empty = np.zeros(0, dtype=np.int32)
        found = search_of(graph, [model]).run(empty, empty, 0, (0.0, 0.0), (1.0, 1.0), False, INFINITE, 1)
        assert found is not None
        edges = {(min(e), max(e)) for e in zip(found[0].tolist(), found[1].tolist(), strict=True)}
        before = edge_set(graph, graph)
        for edge in edges ^ before:
            ends = sorted(edges ^ {edge})
            kept = Graph.of_edges(np.array([i for i, _ in ends], dtype=np.int32), np.array([j for _, j in ends], dtype=np.int32), 7)  # fmt: skip  # noqa: E501
            assert not satisfies(kept, model)


@pytest.mark.parametrize("model", [KLAnonymity(3, 2, "neighbours"), KLAnonymity(3, 2, "rows")])
def test_graphs_too_large_for_a_table_of_pairs(model: KLAnonymity) -> None:
    """From 2,897 vertices on, pairs are kept in a hash table, and pairs that nobody holds are not looked at."""
    n = 3000
    first = np.repeat(np.arange(n // 3) * 3, 9)
    second = (first + 3) % n
    offsets = np.tile(np.stack(np.divmod(np.arange(9), 3)), n // 3)
    ring = Graph.of_edges(first + offsets[0], second + offsets[1], n)  # a ring of classes of three
    search = search_of(ring, [model])
    assert model.judge(ring).satisfied
    assert search.violation(ring.source, ring.target) == 0
    assert search.violation(ring.source[1:], ring.target[1:]) > 0
    assert not model.judge(ring.with_edges(ring.source[1:], ring.target[1:])).satisfied
    made = search.run(ring.source[1:], ring.target[1:], 20_000, (0.3, 0.05), (0.05, 1.0), False, 60.0, 1)
    assert made is not None
    assert model.judge(ring.with_edges(*made)).satisfied


def test_wrong_arguments() -> None:
    path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    search = search_of(path, [DegreeAnonymity(2)])
    ends = path.source, path.target
    with pytest.raises(ValueError, match="n_known"):
        search.add_known(2, 3, True, False, None)
    with pytest.raises(ValueError, match="k must"):
        search.add_degrees(0, None)
    with pytest.raises(ValueError, match="group"):
        search.add_degrees(2, np.full(4, 9, dtype=np.int32))
    with pytest.raises(ValueError, match="no vertex"):
        search.violation(path.source, path.target + 4)
    with pytest.raises(ValueError, match="target"):
        search.violation(path.source, path.target[1:])
    with pytest.raises(ValueError, match="seconds"):
        search.run(*ends, 1, (0.1, 0.1), (1.0, 1.0), False, -1.0, 1)
    with pytest.raises(ValueError, match="nothing"):
        search_of(path, []).run(*ends, 1, (0.1, 0.1), (1.0, 1.0), False, 1.0, 1)
    with pytest.raises(ValueError, match="size"):
        search.edit_sets(-1, 1, 1, 1.0)
    with pytest.raises(ValueError, match="n_most"):
        search.edit_sets(1, 0, 1, 1.0)
    with pytest.raises(ValueError, match="n_vertices"):
        kernels.EditSearch(-1, False, *ends, None, True, True)


@pytest.mark.parametrize("view", ["rows", "neighbours"])
def test_a_loop_of_a_directed_graph_flips_two_places_of_one_row(view: str) -> None:
    """Counted as of two rows, it drove numbers below zero and read beyond its table."""
    every = EveryGraph(3, directed=True, loops=True)
    model = KLAnonymity(2, 2, view)  # type: ignore[arg-type]
    for mask in range(0, len(every.masks), 7):
        found, is_whole, _ = search_of(every.graph(mask), [model]).edit_sets(3, 10**6, 10**9, INFINITE)
        chosen = combinations(allowed_edges(every, mask, "both"), 3)
        assert is_whole
        assert len(found) == sum(satisfies(every.graph(mask ^ sum(1 << i for i in one)), model) for one in chosen)
