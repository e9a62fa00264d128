"""How far the degrees have moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.colours import degrees
from celosia.graphs.graph import Graph


def degree_distance(before: Graph, after: Graph) -> float | None:
    """Return the Wasserstein-1 distance of the two distributions of degrees: the sum over d of |F(d) - G(d)|.

    On the same number of vertices it is how far a degree moves on average, if degrees are matched in their order. In a
    directed graph it is the mean of the distances of the degrees out and in. ``None`` where a graph has no vertices.

    Examples
    --------
    >>> degree_distance(Graph.of_edges([0, 1], [1, 2]), Graph.of_edges([0, 1, 2], [1, 2, 0]))
    0.6666666666666666
    """
    if not before.n_vertices or not after.n_vertices:
        return None
    pairs = zip(degrees(before), degrees(after), strict=True)
    return float(np.mean([_distance(left, right) for left, right in pairs]))


def _distance(left: NDArray[np.int64], right: NDArray[np.int64]) -> float:
    width = int(max(left.max(), right.max())) + 1
    first, second = (np.cumsum(np.bincount(degree, minlength=width)) / len(degree) for degree in (left, right))
    return float(np.abs(first - second).sum())
