"""Kernels that look for classes of twins, against plain costs and all partitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels
from celosia.graphs.graph import Graph
from celosia.graphs.transforms.blocks import nearest_twins

FORBIDDEN = 1 << 24


@dataclass(frozen=True)
class Case:
    """A graph whose vertices are to be made twins; kinds may not mix, and each has its own pool unless closed."""

    graph: Graph
    kinds: tuple[int, ...]
    closed: bool
    edits: str = "both"

    def kernel(self) -> kernels.Twins:
        graph = self.graph
        is_loop = graph.source == graph.target
        bare = graph.with_edges(graph.source[~is_loop], graph.target[~is_loop])
        loops = np.zeros(graph.n_vertices, dtype=np.uint8)
        loops[graph.source[is_loop]] = 1
        n_kinds = max(self.kinds) + 1
        return kernels.Twins(
            (bare.out.starts, bare.out.indices),
            (bare.into.starts, bare.into.indices) if graph.directed else None,
            None if self.closed else loops,
            np.array(self.kinds, dtype=np.int32),
            np.full(n_kinds, -1, dtype=np.int32) if self.closed else np.arange(n_kinds, dtype=np.int32),
            self.closed,
            FORBIDDEN if self.edits == "delete" else 1,
            FORBIDDEN if self.edits == "add" else 1,
        )


def plain_cost(case: Case, labels: list[int]) -> int:
    """The fewest edits that make every class a set of twins, block by block."""
    graph = case.graph
    edges = {(i, j) for a, b in zip(graph.source.tolist(), graph.target.tolist(), strict=True)
             for i, j in ([(a, b)] if graph.directed else [(a, b), (b, a)])}  # fmt: skip
    classes = [[v for v, own in enumerate(labels) if own == label] for label in sorted(set(labels))]
    add = FORBIDDEN if case.edits == "delete" else 1
    delete = FORBIDDEN if case.edits == "add" else 1
    total = 0
    for a, first in enumerate(classes):
        loops = sum((v, v) in edges for v in first)
        inner = [(u, v) in edges for u in first for v in first if u < v or (graph.directed and u != v)]
        fill, empty = add * inner.count(False), delete * (sum(inner) + loops)
        if case.closed:
            total += fill
        else:
            total += min(fill, empty) if loops == len(first) else empty
        for b, second in enumerate(classes):
            if a < b or (graph.directed and a != b):
                block = [(u, v) in edges for u in first for v in second]
                total += min(add * block.count(False), delete * sum(block))
    return total


def partitions(n: int, k: int, kinds: tuple[int, ...], labels: tuple[int, ...] = ()) -> Iterator[list[int]]:
    """Every partition into classes of at least k vertices of one kind."""
    if len(labels) == n:
        if all(labels.count(label) >= k for label in labels):
            yield list(labels)
        return
    v = len(labels)
    for label in range(max(labels, default=-1) + 2):
        if label not in labels or kinds[labels.index(label)] == kinds[v]:
            yield from partitions(n, k, kinds, (*labels, label))


@st.composite
def cases(draw: st.DrawFn, max_vertices: int, edits: bool = False) -> Case:
    n = draw(st.integers(4, max_vertices))
    directed, loops, closed = (draw(st.booleans()) for _ in range(3))
    pairs = [(i, j) for i in range(n) for j in range(n) if (i != j or loops) and (directed or i <= j)]
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    ends = [pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge]
    graph = Graph.of_edges(
        np.array([i for i, _ in ends], dtype=np.int32),
        np.array([j for _, j in ends], dtype=np.int32),
        n,
        directed=directed,
    )
    n_kinds = draw(st.integers(1, 2))
    kinds = tuple(v % n_kinds for v in range(n))
    allowed = draw(st.sampled_from(["both", "add", "delete"])) if edits else "both"
    return Case(graph, kinds, closed, allowed)


@given(cases(6, edits=True), st.integers(2, 3))
@tries(60)
def test_cheapest_is_the_best_of_all_partitions(case: Case, k: int) -> None:
    n = case.graph.n_vertices
    costs = [plain_cost(case, labels) for labels in partitions(n, k, case.kinds)]
    labels, is_proved = case.kernel().cheapest(k, FORBIDDEN, 10**7, 60.0)
    assert is_proved
    possible = [cost for cost in costs if cost < FORBIDDEN]
    assert bool(len(labels)) == bool(possible)
    if possible:
        assert plain_cost(case, labels.tolist()) == min(possible)
        better, is_proved = case.kernel().cheapest(k, min(possible), 10**7, 60.0)
        assert is_proved
        assert len(better) == 0  # nothing costs less than the best


def test_cheapest_says_when_it_was_cut_off() -> None:
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 14, (2, 40))
    case = Case(Graph.of_edges(ends[0], ends[1], 14), (0,) * 14, False)
    assert case.kernel().cheapest(2, FORBIDDEN, 50, 60.0)[1] is False
    assert case.kernel().cheapest(2, FORBIDDEN, 10**9, 0.0)[1] is False


@given(cases(12), st.integers(2, 4), st.integers(0, 9))
@tries(60)
def test_classes_are_large_enough_and_of_one_kind(case: Case, k: int, seed: int) -> None:
    if min(case.kinds.count(kind) for kind in case.kinds) < k:
        return
    search = case.kernel().search
    labels = search(k, None, 3000, 2, 60.0, seed)
    for label in set(labels.tolist()):
        members = np.flatnonzero(labels == label)
        assert len(members) >= k
        assert len({case.kinds[v] for v in members}) == 1
    again = search(k, None, 3000, 2, 60.0, seed, None, 1)
    assert labels.tolist() == again.tolist()  # on any number of threads
    best, is_proved = case.kernel().cheapest(k, FORBIDDEN, 10**6, 60.0)
    if is_proved:
        assert plain_cost(case, best.tolist()) <= plain_cost(case, labels.tolist())
    later = search(k, labels, 3000, 1, 60.0, seed)
    assert plain_cost(case, later.tolist()) <= plain_cost(case, labels.tolist())  # a start is never made worse


@given(cases(9), st.integers(2, 3))
@tries(80)
def test_the_nearest_graph_costs_what_the_blocks_cost(case: Case, k: int) -> None:
    labels = np.arange(case.graph.n_vertices) // k
    edited = nearest_twins(case.graph, labels, "both", case.closed)
    assert edited.n_edits(case.graph) == plain_cost(case, labels.tolist())


@pytest.mark.parametrize("n", [400, 6000])
def test_no_time_is_no_excuse(n: int) -> None:
    rng = np.random.default_rng(2)
    case = Case(Graph.of_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), n), (0,) * n, False)
    for seconds in (0.0, 0.05):
        labels = case.kernel().search(3, None, 10**9, 2, seconds, 1)
        assert np.bincount(labels)[np.unique(labels)].min() >= 3
    pulse = kernels.Pulse()
    pulse.stop()
    labels = case.kernel().search(3, None, 10**9, 2, 60.0, 1, pulse)
    assert np.bincount(labels)[np.unique(labels)].min() >= 3


def test_many_vertices_are_searched_alike_on_any_number_of_threads() -> None:
    """Beyond 1500 classes counts are kept in tables, beyond 5000 vertices there are sweeps."""
    rng = np.random.default_rng(3)
    n = 6000
    case = Case(Graph.of_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), n), (0,) * n, False)
    one, two = (case.kernel().search(2, None, 20_000, 2, 600.0, 5, None, threads) for threads in (1, 2))
    assert one.tolist() == two.tolist()
    assert nearest_twins(case.graph, one).n_edits(case.graph) < 0.95 * case.graph.n_edges


def test_wrong_arguments() -> None:
    case = Case(Graph.of_edges([0, 1, 2], [1, 2, 3]), (0,) * 4, False)
    kernel = case.kernel()
    starts, indices = case.graph.out.starts, case.graph.out.indices
    kinds, pools = np.zeros(4, dtype=np.int32), np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="k must"):
        kernel.search(0, None, 1, 1, 1.0, 1)
    with pytest.raises(ValueError, match="k must"):
        kernel.cheapest(0, 1, 1, 1.0)
    with pytest.raises(ValueError, match="threads"):
        kernel.search(2, None, 1, 1, 1.0, 1, None, -1)
    with pytest.raises(ValueError, match="label"):
        kernel.search(2, np.full(4, 9, dtype=np.int32), 1, 1, 1.0, 1)
    with pytest.raises(ValueError, match="start"):
        kernel.search(2, np.zeros(3, dtype=np.int32), 1, 1, 1.0, 1)
    with pytest.raises(ValueError, match="kind"):
        kernels.Twins((starts, indices), None, None, kinds + 1, pools, False, 1, 1)
    with pytest.raises(ValueError, match="pool"):
        kernels.Twins((starts, indices), None, None, kinds, pools + 1, False, 1, 1)
    with pytest.raises(ValueError, match="costs"):
        kernels.Twins((starts, indices), None, None, kinds, pools, False, 0, 1)
    with pytest.raises(ValueError, match="neighbour"):
        kernels.Twins((starts, np.full_like(indices, 7)), None, None, kinds, pools, False, 1, 1)
    with pytest.raises(ValueError, match="class of the start"):
        kernel.search(2, np.arange(4, dtype=np.int32), 1, 1, 1.0, 1)
    with pytest.raises(ValueError, match="a pool has fewer"):
        kernel.search(5, None, 1, 1, 1.0, 1)
    closed = kernels.Twins((starts, indices), None, None, kinds, pools - 1, True, 1, 1)
    with pytest.raises(ValueError, match="a kind without a pool"):
        closed.search(5, None, 1, 1, 1.0, 1)
    far = np.array([0, 900_000_000, 900_000_000, 0, 0])
    with pytest.raises(ValueError, match="ascend"):
        kernels.Twins((far, indices[:0]), None, None, kinds, pools, False, 1, 1)
    with pytest.raises(ValueError, match="starts"):
        kernels.Twins((starts[::-1].copy(), indices), None, None, kinds, pools, False, 1, 1)
