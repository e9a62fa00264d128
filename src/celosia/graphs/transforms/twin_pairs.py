"""Closed twins in a bipartite graph: pairs, one vertex of each side, linked with each other and nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.graphs.files.objects import needed
from celosia.graphs.graph import Graph

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def paired(graph: Graph, sides: NDArray[np.int8], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a label per vertex, the same for the two of a pair; as many links as can be lie within pairs.

    A third vertex that is linked with one of two closed twins would be linked with both, which lie on both sides. So
    the pairs are all there is, and the most links are kept by a greatest matching of vertices of one group; with
    direction two vertices may share two links, and the matching is one of greatest weight.

    Raises
    ------
    UnreachableError
        A group does not have as many vertices on one side as on the other.
    InputError
        scipy is not installed.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3], sides=[0, 1, 0, 1])
    >>> paired(path, path.sides, np.zeros(4, dtype=np.int64))
    array([0, 0, 1, 1])
    """
    balance = np.bincount(groups, weights=2.0 * sides - 1.0)
    if balance.any():
        raise UnreachableError(
            "closed twins of a bipartite graph are pairs of vertices of both sides, and some group does not have as "
            "many on one side as on the other.",
            hint="take neighbourhood anonymity.",
        )
    first, second = (np.flatnonzero(sides == side) for side in (0, 1))
    match = _matched(_links(graph, sides, groups, first, second), graph.directed)
    labels = np.full(graph.n_vertices, -1, dtype=np.int64)
    labels[first] = np.arange(len(first))
    has_link = match >= 0
    labels[second[match[has_link]]] = np.flatnonzero(has_link)
    for group in range(len(balance)):
        left = first[~has_link & (groups[first] == group)]
        labels[second[(labels[second] < 0) & (groups[second] == group)]] = labels[left]
    return labels


def _links(
    graph: Graph,
    sides: NDArray[np.int8],
    groups: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> csr_array:
    """Return how many links each vertex of the first side has with each of the second, within groups."""
    needed("scipy")
    from scipy.sparse import csr_array

    place = np.zeros(graph.n_vertices, dtype=np.int64)
    place[first], place[second] = np.arange(len(first)), np.arange(len(second))
    crosses = (sides[graph.source] != sides[graph.target]) & (groups[graph.source] == groups[graph.target])
    ends = np.stack([graph.source[crosses], graph.target[crosses]])
    is_turned = sides[ends[0]] == 1
    rows, columns = np.where(is_turned, ends[::-1], ends)
    return csr_array((np.ones(len(rows)), (place[rows], place[columns])), shape=(len(first), len(second)))


def _matched(links: csr_array, weighted: bool) -> NDArray[np.int64]:
    """Return the partner of each row, -1 where it has none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching, min_weight_full_bipartite_matching

    links.sum_duplicates()
    if not weighted:
        partner: NDArray[np.int64] = maximum_bipartite_matching(links, perm_type="column").astype(np.int64)
        return partner
    n, n_columns = links.shape
    # Each row may also go without, at a column of its own; a link less costs one more.
    alone = np.arange(n)
    rows = np.concatenate([np.repeat(alone, np.diff(links.indptr)), alone])
    columns = np.concatenate([links.indices, n_columns + alone])
    costs = np.concatenate([3.0 - links.data, np.full(n, 3.0)])
    _, chosen = min_weight_full_bipartite_matching(csr_array((costs, (rows, columns)), shape=(n, n_columns + n)))
    return np.where(chosen < n_columns, chosen, -1).astype(np.int64)
