"""Slow, plain definitions of graph anonymity, written from the specification, and small graphs to hold them against.

A plain graph is its adjacency matrix: ``None`` where there is no link, else the entry. Groups stand for attributes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
from hypothesis import strategies as st

from celosia.graphs.graph import Graph

Entry = float | None


@dataclass(frozen=True)
class Plain:
    matrix: tuple[tuple[Entry, ...], ...]
    directed: bool = False
    groups: tuple[Any, ...] | None = None

    @property
    def n(self) -> int:
        return len(self.matrix)

    @cached_property
    def vectors(self) -> list[tuple[Entry, ...]]:
        """What there is to know of each vertex: its row and, with direction, its column."""
        columns = list(zip(*self.matrix, strict=True))
        return [row + column if self.directed else row for row, column in zip(self.matrix, columns, strict=True)]

    def group(self, v: int) -> Any:
        return None if self.groups is None else self.groups[v]

    def out(self, v: int) -> set[int]:
        return {u for u in range(self.n) if self.matrix[v][u] is not None}

    def into(self, v: int) -> set[int]:
        return {u for u in range(self.n) if self.matrix[u][v] is not None}


def plain(graph: Graph, attributes: Sequence[str] = ()) -> Plain:
    """The matrix of a graph, straight from its edges."""
    n = graph.n_vertices
    matrix: list[list[Entry]] = [[None] * n for _ in range(n)]
    weights = [1] * graph.n_edges if graph.weight is None else graph.edges[graph.weight].to_list()
    for i, j, weight in zip(graph.source.tolist(), graph.target.tolist(), weights, strict=True):
        for a, b in {(i, j)} if graph.directed else {(i, j), (j, i)}:
            matrix[a][b] = (matrix[a][b] or 0) + weight
    groups = tuple(graph.vertices.select(list(attributes)).rows()) if attributes else None
    return Plain(tuple(map(tuple, matrix)), graph.directed, groups)


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Labels from 0 in the order of first vertices."""
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


def neighbourhood_labels(graph: Plain) -> list[int]:
    return numbered([(graph.vectors[v], graph.group(v)) for v in range(graph.n)])


def closed_matrix(graph: Plain, parallel: bool) -> Plain:
    """The matrix with every vertex its own neighbour; where parallel edges or weights add up, by one more of 1."""
    rows = [list(row) for row in graph.matrix]
    for v, row in enumerate(rows):
        own = row[v]
        row[v] = 1 if own is None else own + 1 if parallel else own
    return Plain(tuple(map(tuple, rows)), graph.directed, graph.groups)


def degrees(graph: Graph) -> list[tuple[int, ...]]:
    """How many neighbours, in a multigraph how many edges; with direction out and in. A loop counts once."""
    ends = list(zip(graph.source.tolist(), graph.target.tolist(), strict=True))
    own = range(graph.n_vertices)
    if graph.directed:
        return [(sum(i == v for i, _ in ends), sum(j == v for _, j in ends)) for v in own]
    return [(sum(v in (i, j) for i, j in ends),) for v in own]


def refinement(graph: Plain, first: Sequence[Hashable], n_rounds: int) -> list[list[Hashable]]:
    """H1, H2, ...: each the colour before and the multiset of the neighbours' colours with entries, out and in."""
    rounds = [list(first)]
    for _ in range(n_rounds - 1):
        colours = rounds[-1]

        def seen(v: int, colours: list[Hashable] = colours) -> Hashable:
            out = Counter((graph.matrix[v][u], colours[u]) for u in graph.out(v))
            into = Counter((graph.matrix[u][v], colours[u]) for u in graph.into(v))
            return colours[v], frozenset(out.items()), frozenset(into.items())

        rounds.append([seen(v) for v in range(graph.n)])
    return rounds


def knowable(graph: Plain, v: int, view: str, exclude_known: bool) -> list[int]:
    """The places of v's vector of which an attacker may know."""
    places = [p for p, entry in enumerate(graph.vectors[v]) if view == "rows" or entry is not None]
    return [p for p in places if not exclude_known or p % graph.n != v]


def candidates(graph: Plain, v: int, known: Sequence[int], exclude_known: bool) -> list[int]:
    """Who agrees with v on the known places; without the known vertices, if they are excluded."""
    vertices = {p % graph.n for p in known}
    return [
        u
        for u in range(graph.n)
        if graph.group(u) == graph.group(v)
        and not (exclude_known and u in vertices)
        and all(graph.vectors[u][p] == graph.vectors[v][p] for p in known)
    ]


def fewest_by_size(graph: Plain, v: int, up_to: int, view: str, exclude_known: bool = False) -> list[int]:
    """The fewest candidates that at most 0, 1, ..., ``up_to`` known places leave for v."""
    places = knowable(graph, v, view, exclude_known)
    fewest: list[int] = []
    for size in range(up_to + 1):
        counts = [len(candidates(graph, v, known, exclude_known)) for known in combinations(places, size)]
        fewest.append(min(counts + fewest[-1:]))
    return fewest


def holds(graph: Plain, k: int, size: int, view: str, exclude_known: bool = False) -> bool:
    """Definition 5 ("rows") or 6 ("neighbours"), written out."""
    return graph.n > 0 and all(fewest_by_size(graph, v, size, view, exclude_known)[-1] >= k for v in range(graph.n))


# Graphs ---------------------------------------------------------------------------------------------------------------


def graph_of(ends: Sequence[tuple[int, int]], n: int, **options: Any) -> Graph:
    source, target = ([i for i, _ in ends], [j for _, j in ends])
    return Graph.of_edges(np.array(source, dtype=np.int64), np.array(target, dtype=np.int64), n, **options)


def of_networkx(graph: Any) -> Graph:
    """A simple networkx graph, vertices in its own order."""
    place = {name: i for i, name in enumerate(graph.nodes)}
    ends = [(place[i], place[j]) for i, j in graph.edges]
    return graph_of(ends, len(place), directed=graph.is_directed())


def small_graphs(max_vertices: int = 7) -> Iterator[Graph]:
    """Every simple graph without loops of 1 to 7 vertices, one of each shape."""
    for graph in nx.graph_atlas_g()[1:]:
        if graph.number_of_nodes() <= max_vertices:
            yield of_networkx(graph)


def labelled_graphs(n: int, directed: bool = False, loops: bool = False) -> Iterator[Graph]:
    """Every graph on n named vertices."""
    pairs = [(i, j) for i in range(n) for j in range(n) if (i != j or loops) and (directed or i <= j)]
    for chosen in product((False, True), repeat=len(pairs)):
        yield graph_of([pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge], n, directed=directed)


def blow_up(quotient: Sequence[tuple[int, int]], sizes: Sequence[int]) -> Graph:
    """Each vertex of the quotient as a set of so many vertices without links inside, each edge as all links between."""
    first = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    ends = [(i, j) for a, b in quotient for i in range(first[a], first[a + 1]) for j in range(first[b], first[b + 1])]
    return graph_of(ends, first[-1])


@st.composite
def graphs(draw: st.DrawFn, max_vertices: int = 6) -> Graph:
    """Graphs of every kind: directed, multi, weighted, with loops, isolated vertices, attributes; empty ones too."""
    n = draw(st.integers(0, max_vertices))
    directed, multigraph, loops, weighted = (draw(st.booleans()) for _ in range(4))
    pairs = [(i, j) for i in range(n) for j in range(n) if loops or i != j]
    ends = draw(st.lists(st.sampled_from(pairs), max_size=2 * max_vertices)) if pairs else []
    if n > 1 and draw(st.booleans()):  # some twins, or hardly any graph would be anonymous
        v, u = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        kept = [(i, j) for i, j in ends if u not in (i, j)]
        ends = kept + [(u if i == v else i, u if j == v else j) for i, j in kept if v in (i, j)]
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 0.0, -1.0]), min_size=len(ends), max_size=len(ends)))
    sexes = draw(st.lists(st.sampled_from(["f", "m", None]), min_size=n, max_size=n))
    ages = draw(st.lists(st.sampled_from([30, 40]), min_size=n, max_size=n))
    return graph_of(
        ends,
        n,
        directed=directed,
        multigraph=multigraph,
        vertices=pl.DataFrame({"sex": pl.Series(sexes, dtype=pl.String), "age": pl.Series(ages, dtype=pl.Int64)}),
        edges=pl.DataFrame({"weight": pl.Series(weights, dtype=pl.Float64)}) if weighted and ends else None,
        weight="weight" if weighted and ends else None,
    )
