"""Communities, and how far two partitions of the same vertices agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.data.classes import group
from celosia.graphs.utility.pattern import Pattern


def communities(pattern: Pattern, seed: int) -> NDArray[np.int64]:
    """Return the community of every vertex, by Louvain's method as networkx has it; chance plays a part.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility.pattern import pattern_of
    >>> found = communities(pattern_of(Graph.of_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])), seed=1)
    >>> len(set(found.tolist())), found[0] == found[1] == found[2]
    (2, np.True_)
    """
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(pattern.n_vertices))
    rows = np.repeat(np.arange(pattern.n_vertices), pattern.degrees)
    once = rows < pattern.indices
    graph.add_edges_from(zip(rows[once].tolist(), pattern.indices[once].tolist(), strict=True))
    labels = np.zeros(pattern.n_vertices, dtype=np.int64)
    for label, members in enumerate(networkx.community.louvain_communities(graph, seed=seed)):
        labels[list(members)] = label
    return labels


def overlap(first: NDArray[np.int64], second: NDArray[np.int64]) -> float | None:
    """Return the normalised mutual information of two partitions: 2 I(X; Y) / (H(X) + H(Y)), in [0, 1].

    ``None`` where both have a single part: there is nothing to agree on.

    Examples
    --------
    >>> overlap(np.array([0, 0, 1, 1]), np.array([5, 5, 3, 3]))
    1.0
    """
    if not len(first):
        return None
    one, two, both = (_entropy(labels) for labels in (first, second, group([first, second])))
    return max(0.0, min(1.0, 2 * (one + two - both) / (one + two))) if one + two else None


def _entropy(labels: NDArray[np.int64]) -> float:
    shares = np.bincount(group([labels])) / len(labels)
    return float(-(shares * np.log(shares)).sum()) + 0.0
