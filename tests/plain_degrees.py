"""Slow, plain definitions of degree anonymity by edits: when degrees are shared, the fewest edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from hypothesis import strategies as st
from plain_graphs import graph_of

from celosia.graphs.graph import Graph

Ends = tuple[int, int]


def ends_of(graph: Graph) -> set[Ends]:
    """The edges; without direction the lower end first."""
    ends = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    return set(ends) if graph.directed else {(min(pair), max(pair)) for pair in ends}


def degrees_of(ends: set[Ends], n: int, directed: bool) -> list[tuple[int, ...]]:
    """How many neighbours, with direction out and in. A loop counts once."""
    out, into = [0] * n, [0] * n
    for i, j in ends:
        out[i] += 1
        into[j] += 1
    loops = {i for i, j in ends if i == j}
    if directed:
        return list(zip(out, into, strict=True))
    return [(out[v] + into[v] - (v in loops),) for v in range(n)]


def are_shared(values: Sequence[object], k: int) -> bool:
    """Every value that occurs does so at least k times."""
    return all(count >= k for count in Counter(values).values())


def is_anonymous(graph: Graph, k: int, groups: Sequence[int] | None = None) -> bool:
    own = [0] * graph.n_vertices if groups is None else groups
    return are_shared(list(zip(own, degrees_of(ends_of(graph), graph.n_vertices, graph.directed), strict=True)), k)


def editable(graph: Graph, edits: str) -> list[Ends]:
    """The pairs that may change: what is there may go, what is not may come, but no loop and nothing within a side."""
    there, n = ends_of(graph), graph.n_vertices
    pairs = [(i, j) for i in range(n) for j in range(n) if graph.directed or i <= j]

    def may_come(pair: Ends) -> bool:
        is_between = graph.sides is None or graph.sides[pair[0]] != graph.sides[pair[1]]
        return pair[0] != pair[1] and bool(is_between)

    return [pair for pair in pairs if (edits != "add" if pair in there else edits != "delete" and may_come(pair))]


def fewest_edits(graph: Graph, k: int, edits: str = "both", groups: Sequence[int] | None = None) -> int | None:
    """The least number of edits after which the graph is anonymous, by trying all; ``None`` if there is no way."""
    there, n = ends_of(graph), graph.n_vertices
    own = [0] * n if groups is None else groups
    pairs = editable(graph, edits)
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            made = degrees_of(there ^ set(chosen), n, graph.directed)
            if are_shared(list(zip(own, made, strict=True)), k):
                return size
    return None


def distance(values: Sequence[int], k: int, may_add: bool = True, may_delete: bool = True) -> int | None:
    """The least sum of moves to values each of which k or more share, by trying all."""
    found = [
        sum(abs(new - old) for new, old in zip(made, values, strict=True))
        for made in product(range(max(values) + 1), repeat=len(values))
        if are_shared(made, k)
        and all((may_add or new <= old) and (may_delete or new >= old) for new, old in zip(made, values, strict=True))
    ]
    return min(found, default=None)


def half_distance(graph: Graph, k: int) -> int:
    """Half the distance between the degrees and the nearest anonymous ones, rounded up: stretches to their medians."""
    values = sorted(degree for (degree,) in degrees_of(ends_of(graph), graph.n_vertices, directed=False))
    best: list[float] = [0] + [float("inf")] * len(values)
    for end in range(k, len(values) + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            own = values[start:end]
            middle = own[len(own) // 2]
            best[end] = min(best[end], best[start] + sum(abs(value - middle) for value in own))
    return -int(-best[-1] // 2)


@st.composite
def edited_graphs(draw: st.DrawFn, max_vertices: int = 5, directed: bool | None = None) -> Graph:
    """Small simple graphs: with and without direction, loops, sides; isolated vertices too."""
    n = draw(st.integers(2, max_vertices))
    is_directed = draw(st.booleans()) if directed is None else directed
    sides = draw(st.none() | st.lists(st.integers(0, 1), min_size=n, max_size=n))
    has_loops = sides is None and draw(st.booleans())
    pairs = [
        (i, j)
        for i in range(n)
        for j in range(n)
        if (is_directed or i <= j) and (i != j or has_loops) and (sides is None or sides[i] != sides[j])
    ]
    ends = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return graph_of(ends, n, directed=is_directed, sides=sides)
