"""The largest eigenvalue of the adjacency matrix, and the centrality that its eigenvector is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph

_DENSE_UP_TO = 200
_SAME = 1e-9
_DIGITS = 8
_TOLERANCE = 1e-11


class Leading(NamedTuple):
    """The largest eigenvalue and an eigenvector of it."""

    value: float
    vector: NDArray[np.float64]

    @property
    def centrality(self) -> NDArray[np.float64]:
        """The eigenvector, its greatest entry 1, rounded to 8 digits."""
        sizes = np.abs(self.vector)
        rounded: NDArray[np.float64] = np.round(sizes / sizes.max(), _DIGITS)
        return rounded


def largest_eigenvalue(graph: Graph) -> float | None:
    """Return the largest eigenvalue of the adjacency matrix of a graph without direction; weights are left aside.

    Entries are numbers of edges; a loop counts once. ``None`` where there are no vertices, or it did not converge.

    Examples
    --------
    >>> round(largest_eigenvalue(Graph.of_edges([0, 1, 2], [1, 2, 0])), 9)
    2.0
    """
    found = leading(graph)
    return None if found is None else found.value


def eigenvector_centrality(graph: Graph) -> NDArray[np.float64] | None:
    """Return the eigenvector of the largest eigenvalue, its greatest entry 1, rounded to 8 digits.

    Where the eigenvalue has several, it is the one that repeated multiplication of (1, ..., 1) leads to. ``None`` where
    there are no edges, or it did not converge.

    Examples
    --------
    >>> eigenvector_centrality(Graph.of_edges([0, 0, 0], [1, 2, 3])).tolist()
    [1.0, 0.57735027, 0.57735027, 0.57735027]
    """
    found = leading(graph) if graph.n_edges else None
    return None if found is None else found.centrality


def leading(graph: Graph) -> Leading | None:
    """Return eigenvalue and eigenvector; ``None`` where there are no vertices, or they did not converge.

    Examples
    --------
    >>> round(leading(Graph.of_edges([0], [1])).value, 9)
    1.0
    """
    n = graph.n_vertices
    if not n:
        return None
    matrix = _matrix(graph)
    ones = np.ones(n)
    if n <= _DENSE_UP_TO:
        values, vectors = np.linalg.eigh(matrix.toarray())
        top = vectors[:, values >= values[-1] - _SAME * max(1.0, abs(values[-1]))]
        return Leading(float(values[-1]), top @ (top.T @ ones))
    if not graph.n_edges:
        return Leading(0.0, ones)
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    try:
        value, vector = eigsh(matrix, k=1, which="LA", v0=ones, ncv=min(n, 40), tol=_TOLERANCE)
    except ArpackNoConvergence:
        return None
    return Leading(float(value[0]), vector[:, 0])


def _matrix(graph: Graph) -> Any:
    from scipy import sparse

    bare = graph if graph.weight is None else replace(graph, weight=None)
    rows = bare.out
    return sparse.csr_array(
        (rows.entries.astype(np.float64), rows.indices, rows.starts), shape=(graph.n_vertices, graph.n_vertices)
    )
