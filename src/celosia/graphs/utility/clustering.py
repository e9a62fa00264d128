"""How often two neighbours of a vertex are neighbours of each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.utility.pattern import Pattern

_STEPS_AT_ONCE = 10_000_000


@dataclass(frozen=True)
class Clustering:
    """The clustering coefficients; ``None`` where no vertex has two neighbours.

    Attributes
    ----------
    whole
        Closed pairs of neighbours over all pairs of neighbours (transitivity).
    mean_local
        The mean over vertices with at least two neighbours of the share of their pairs that are linked.
    """

    whole: float | None
    mean_local: float | None


def triangle_steps(pattern: Pattern) -> int:
    """Return how many steps it takes to count triangles: at most about the edges to the power of 3 / 2.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility.pattern import pattern_of
    >>> triangle_steps(pattern_of(Graph.of_edges([0, 1, 2], [1, 2, 0])))
    6
    """
    upward = _upward(pattern)
    n_above = np.bincount(
        np.repeat(np.arange(pattern.n_vertices), pattern.degrees)[upward], minlength=pattern.n_vertices
    )
    return int(n_above[pattern.indices].sum())


def clustering(pattern: Pattern) -> Clustering:
    """Return how often neighbours of a vertex are linked.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility.pattern import pattern_of
    >>> clustering(pattern_of(Graph.of_edges([0, 1, 2, 2], [1, 2, 0, 3])))
    Clustering(whole=0.6, mean_local=0.7777777777777778)
    """
    degree = pattern.degrees
    n_pairs = degree * (degree - 1) // 2
    there = n_pairs > 0
    if not there.any():
        return Clustering(None, None)
    closed = _triangles(pattern)
    return Clustering(int(closed.sum()) / int(n_pairs.sum()), float((closed[there] / n_pairs[there]).mean()))


def _triangles(pattern: Pattern) -> NDArray[np.int64]:
    """Return in how many triangles each vertex is.

    With U the edges from a vertex to neighbours that come later by degree, (A U)[v, w] counts the x with v - x -> w.
    Where v - w too, that is a triangle, and each is met once: {x, w} are in one order.
    """
    from scipy import sparse

    n = pattern.n_vertices
    shape = (n, n)
    upward = _upward(pattern)
    ones = np.ones(len(pattern.indices), dtype=np.int32)
    every: Any = sparse.csr_array((ones, pattern.indices, pattern.starts), shape=shape)
    rows = np.repeat(np.arange(n), pattern.degrees)[upward]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    later: Any = sparse.csr_array((ones[upward], pattern.indices[upward], starts), shape=shape)
    steps = np.concatenate([[0], np.cumsum(np.diff(starts)[pattern.indices])])[pattern.starts]
    cuts = np.flatnonzero(np.diff(steps // _STEPS_AT_ONCE)) + 1
    closed = np.zeros(n, dtype=np.int64)
    for first, end in zip([0, *cuts.tolist()], [*cuts.tolist(), n], strict=True):
        if first < end:
            part = every[first:end]
            closed[first:end] = np.asarray((part @ later).multiply(part).sum(axis=1)).reshape(-1)
    return closed


def _upward(pattern: Pattern) -> NDArray[np.bool_]:
    """Say which entries lead from a vertex to one of a greater degree, or an equal one and a later place."""
    degree = pattern.degrees
    rank = np.empty(pattern.n_vertices, dtype=np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(pattern.n_vertices)
    return np.repeat(rank, degree) < rank[pattern.indices]
