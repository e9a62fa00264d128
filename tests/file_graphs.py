"""Random graphs of every kind for the tests of graph files, and plain ways to compare them."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Any

import polars as pl
from hypothesis import strategies as st

from celosia.graphs.graph import Graph

PLAIN = "abcxyzÁñß日0123456789.-_"
ODD = PLAIN + "=+@&<>'\";,|#%[] \t\n\r/\\"


def texts(alphabet: str) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=1, max_size=6)


def cells(alphabet: str, n_rows: int, *, missing: bool = True, is_typed: bool = True) -> st.SearchStrategy[pl.Series]:
    """A column of some type, with missing cells."""
    kinds: list[tuple[Any, st.SearchStrategy[Any]]] = [(pl.String, texts(alphabet))]
    if is_typed:
        kinds += [
            (pl.Int64, st.integers(-(2**63), 2**63 - 1)),
            (pl.Float64, st.floats(allow_nan=False)),
            (pl.Boolean, st.booleans()),
            (pl.Date, st.dates(datetime.date(1700, 1, 1), datetime.date(2200, 1, 1))),
        ]

    def column(kind: tuple[Any, st.SearchStrategy[Any]]) -> st.SearchStrategy[pl.Series]:
        dtype, values = kind
        cell = st.none() | values if missing else values
        return st.lists(cell, min_size=n_rows, max_size=n_rows).map(lambda found: pl.Series(found, dtype=dtype))

    return st.sampled_from(kinds).flatmap(column)


@st.composite
def graphs(
    draw: st.DrawFn,
    *,
    alphabet: str = ODD,
    min_vertices: int = 0,
    with_attributes: bool = True,
    with_isolated: bool = True,
    missing: bool = True,
    bipartite: bool | None = None,
) -> Graph:
    """A graph: directed or not, multi or not, bipartite or not, with loops, isolated vertices and attributes."""
    n = draw(st.integers(min_vertices, 6))
    directed, multigraph = draw(st.booleans()), draw(st.booleans())
    is_bipartite = draw(st.booleans()) if bipartite is None else bipartite
    sides = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) if is_bipartite else None
    pairs = [(u, v) for u in range(n) for v in range(n) if sides is None or sides[u] != sides[v]]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=10)) if pairs else []
    if not with_isolated:
        keep = sorted({end for edge in edges for end in edge})
        place = {vertex: row for row, vertex in enumerate(keep)}
        edges = [(place[u], place[v]) for u, v in edges]
        sides = None if sides is None else [sides[vertex] for vertex in keep]
        n = len(keep)
    names = draw(st.lists(texts(alphabet), min_size=n, max_size=n, unique=True))
    frames = []
    for scope, n_rows in (("v", n), ("e", len(edges))):
        n_columns = draw(st.integers(0, 2)) if with_attributes else 0
        frames.append(
            pl.DataFrame(
                [draw(cells(alphabet, n_rows, missing=missing)).alias(f"{scope}{place}a") for place in range(n_columns)]
            )
        )
    return Graph.of_edges(
        [u for u, _ in edges],
        [v for _, v in edges],
        n,
        directed=directed,
        multigraph=multigraph,
        names=pl.Series("name", [f"who-{name}" for name in names], dtype=pl.String),
        vertices=frames[0],
        edges=frames[1],
        sides=sides,
    )


def vertex_rows(graph: Graph, names: Sequence[Any] | None = None) -> dict[str, tuple[Any, ...]]:
    """Vertex -> its side and its attributes that are not missing."""
    called = [str(name) for name in (graph.names if names is None else names)]
    rows = graph.vertices.to_dicts() if graph.vertices.width else [{}] * graph.n_vertices
    sides = [None] * graph.n_vertices if graph.sides is None else graph.sides.tolist()
    return {name: (side, *_present(row)) for name, side, row in zip(called, sides, rows, strict=True)}


def edge_rows(graph: Graph, names: Sequence[Any] | None = None) -> Counter[tuple[Any, ...]]:
    """How often each edge comes up, with its attributes; the ends sorted where there is no direction."""
    called = [str(name) for name in (graph.names if names is None else names)]
    rows = graph.edges.to_dicts() if graph.edges.width else [{}] * graph.n_edges
    found: Counter[tuple[Any, ...]] = Counter()
    for start, end, row in zip(graph.source.tolist(), graph.target.tolist(), rows, strict=True):
        ends = (called[start], called[end])
        found[(*(ends if graph.directed else sorted(ends)), *_present(row))] += 1
    return found


def _present(row: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted((name, cell) for name, cell in row.items() if cell is not None)
