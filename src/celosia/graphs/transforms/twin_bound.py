"""A number of edits below which no graph of twins lies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph

_MOST_VERTICES = 2000  # beyond it, a row of distances per vertex takes too long


def twin_bound(graph: Graph, groups: NDArray[np.int64], k: int, closed: bool) -> int | None:
    """Return a number of edits that no graph undercuts in which every vertex has k - 1 twins; ``None`` if unknown.

    Two vertices that become twins lose all places in which their rows of the adjacency matrix (and columns, with
    direction) differ: d(u, v) <= r(u) + r(v), where r counts the edits of a vertex's row. Summed over the pairs of a
    class of s vertices, every r stands there s - 1 times, so that r is on average at least half the mean distance to
    the others of the class, and that is at least the mean distance to the nearest k - 1. An edit is in two rows:

    edits >= 1/4 * sum over v of the mean distance to the k - 1 nearest vertices of its own group

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> twin_bound(path, np.zeros(4, dtype=np.int64), 2, closed=False)
    1
    """
    n = graph.n_vertices
    if n > _MOST_VERTICES:
        return None
    matrix = np.zeros((n, n), dtype=np.float32)  # sums of so many ones are exact
    matrix[graph.source, graph.target] = 1
    if not graph.directed:
        matrix[graph.target, graph.source] = 1
    if closed:
        np.fill_diagonal(matrix, 1)
    rows = np.hstack([matrix, matrix.T]) if graph.directed else matrix
    sizes = rows.sum(axis=1)
    distances = sizes[:, None] + sizes[None, :] - 2 * (rows @ rows.T)
    distances[groups[:, None] != groups[None, :]] = np.inf
    np.fill_diagonal(distances, np.inf)
    nearest = np.partition(distances, k - 2, axis=1)[:, : k - 1]
    total = int(nearest.sum(dtype=np.float64))
    return -(-total // (4 * (k - 1)))
