"""Betweenness: how many shortest paths lead through each vertex."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.progress import Progress, Quiet
from celosia.graphs.utility.pattern import Pattern


def betweenness(out: Pattern, sources: NDArray[np.int64], progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the sum over sources s and vertices t of the share of shortest paths from s to t that lead through v.

    Brandes' algorithm, level by level. With all vertices as sources it is betweenness (without direction every pair
    counts both ways round); with some, an estimate up to a factor.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility.pattern import pattern_of
    >>> betweenness(pattern_of(Graph.of_edges([0, 1], [1, 2])), np.arange(3)).tolist()
    [0.0, 2.0, 0.0]
    """
    shown = progress or Quiet()
    total = np.zeros(out.n_vertices)
    for done, source in enumerate(sources.tolist()):
        total += _dependencies(out, source)
        shown.advance((done + 1) / len(sources))
    return total


def _dependencies(out: Pattern, source: int) -> NDArray[np.float64]:
    level = np.full(out.n_vertices, -1, dtype=np.int32)
    n_paths = np.zeros(out.n_vertices)
    level[source], n_paths[source] = 0, 1.0
    steps: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    front = np.array([source])
    while len(front):
        places, lengths = out.places_of(front)
        start, end = np.repeat(front, lengths), out.indices[places].astype(np.int64)
        onward = level[end] < 0
        start, end = start[onward], end[onward]
        level[end] = len(steps) + 1
        np.add.at(n_paths, end, n_paths[start])
        steps.append((start, end))
        front = np.unique(end)
    through = np.zeros(out.n_vertices)
    for start, end in reversed(steps):
        np.add.at(through, start, n_paths[start] / n_paths[end] * (1.0 + through[end]))
    through[source] = 0.0
    return through
