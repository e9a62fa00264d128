"""The bare pattern of a graph: who is linked with whom, without loops, weights and parallel edges."""

from __future__ import annotations

import importlib.util
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph, stretches


class Pattern(NamedTuple):
    """Rows of neighbours: those of vertex v are ``indices[starts[v]:starts[v + 1]]``, ascending."""

    starts: NDArray[np.int64]
    indices: NDArray[np.int32]

    @property
    def n_vertices(self) -> int:
        """How many vertices there are."""
        return len(self.starts) - 1

    @property
    def degrees(self) -> NDArray[np.int64]:
        """How many neighbours each vertex has."""
        found: NDArray[np.int64] = np.diff(self.starts)
        return found

    def places_of(self, vertices: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places in ``indices`` of the neighbours of some vertices, and how many each of these has."""
        first = self.starts[vertices]
        lengths = self.starts[vertices + 1] - first
        return stretches(first, lengths), lengths


def pattern_of(graph: Graph) -> Pattern:
    """Return the neighbours of every vertex, directions left aside.

    Examples
    --------
    >>> pattern_of(Graph.of_edges([1, 0, 1], [0, 1, 1], directed=True)).indices.tolist()
    [1, 0]
    """
    if not graph.directed and not graph.has_loops:
        return Pattern(graph.out.starts, graph.out.indices)
    there = graph.source != graph.target
    left, right = graph.source[there].astype(np.int64), graph.target[there].astype(np.int64)
    return _rows(np.concatenate([left, right]), np.concatenate([right, left]), graph.n_vertices)


def one_way_pattern(graph: Graph) -> tuple[Pattern, Pattern]:
    """Return who is reached from every vertex, and from whom each is reached; without direction the same twice.

    Examples
    --------
    >>> [rows.indices.tolist() for rows in one_way_pattern(Graph.of_edges([0, 2], [1, 1], directed=True))]
    [[1, 1], [0, 2]]
    """
    if not graph.directed:
        both = pattern_of(graph)
        return both, both
    there = graph.source != graph.target
    left, right = graph.source[there].astype(np.int64), graph.target[there].astype(np.int64)
    return _rows(left, right, graph.n_vertices), _rows(right, left, graph.n_vertices)


def is_measurable() -> bool:
    """Say whether the packages are there by which utility is measured.

    Examples
    --------
    >>> is_measurable()
    True
    """
    return all(importlib.util.find_spec(package) is not None for package in ("scipy", "networkx"))


def _rows(row: NDArray[np.int64], column: NDArray[np.int64], n: int) -> Pattern:
    keys = np.unique(row * max(n, 1) + column)
    starts = np.searchsorted(keys, np.arange(n + 1, dtype=np.int64) * max(n, 1))
    return Pattern(starts.astype(np.int64), (keys % max(n, 1)).astype(np.int32))
