"""Link disclosure: whether two people are linked, told by the sets in which they hide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph


class Blocks(NamedTuple):
    """The pairs of sets between which there is a link; without direction ``left <= right``.

    Attributes
    ----------
    left, right
        The two sets of each block; ascending.
    n_links
        How many pairs of different vertices are linked in it. Parallel edges are one link; loops are none.
    n_pairs
        How many pairs of different vertices there are in it; with direction a pair counts both ways.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    n_links: NDArray[np.int64]
    n_pairs: NDArray[np.int64]


@dataclass(frozen=True)
class LinkRisk:
    """What is known about links by whoever knows in which set each of two people is, and nothing else.

    Attributes
    ----------
    n_pairs
        The pairs of different vertices; in a directed graph a pair counts both ways.
    n_linked
        How many of them are linked.
    n_certain_links
        The pairs whose link is certain: all of one set are linked with all of the other (or of the same set).
    n_certain_absences
        The pairs of which it is certain that they are not linked.
    max_probability
        The greatest chance, below 1 or not, that somebody of one set is linked with somebody of another; ``None`` where
        there are no pairs.
    """

    n_pairs: int
    n_linked: int
    n_certain_links: int
    n_certain_absences: int
    max_probability: float | None

    @property
    def share_certain(self) -> float | None:
        """The share of pairs of which it is certain whether they are linked; ``None`` where there are none."""
        return (self.n_certain_links + self.n_certain_absences) / self.n_pairs if self.n_pairs else None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        return {**self.__dict__, "share_certain": self.share_certain}


def blocks_of(graph: Graph, labels: NDArray[np.int64]) -> Blocks:
    """Return the blocks of the adjacency matrix by sets that are not empty.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> blocks = blocks_of(square, np.array([0, 1, 0, 1]))
    >>> blocks.left.tolist(), blocks.right.tolist(), blocks.n_links.tolist(), blocks.n_pairs.tolist()
    ([0], [1], [4], [4])
    """
    sizes = np.bincount(labels).astype(np.int64)
    is_link = graph.source != graph.target
    if graph.multigraph and graph.n_edges:  # parallel edges stand one after the other
        is_link[1:] &= (graph.source[1:] != graph.source[:-1]) | (graph.target[1:] != graph.target[:-1])
    left, right = labels[graph.source[is_link]], labels[graph.target[is_link]]
    if not graph.directed:
        left, right = np.minimum(left, right), np.maximum(left, right)
    keys, n_links = _counted(left * len(sizes) + right, len(sizes) ** 2)
    first, second = keys // max(len(sizes), 1), keys % max(len(sizes), 1)
    return Blocks(first, second, n_links, _n_pairs(sizes[first], sizes[second], first == second, graph.directed))


def link_risk(graph: Graph, labels: NDArray[np.int64]) -> LinkRisk:
    """Return which links the anonymity sets of a graph disclose.

    Between sets A and B with e links among p pairs, somebody of A is linked with somebody of B with a chance of e / p.
    At e = p the link is certain, at e = 0 its absence.

    Parameters
    ----------
    labels
        The set of every vertex, numbered from 0.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> found = link_risk(square, np.array([0, 1, 0, 1]))
    >>> found.n_certain_links, found.n_certain_absences, found.max_probability
    (4, 2, 1.0)
    """
    n = graph.n_vertices
    blocks = blocks_of(graph, labels)
    n_pairs = n * (n - 1) // (1 if graph.directed else 2)
    highest = float((blocks.n_links / blocks.n_pairs).max(initial=0.0))
    return LinkRisk(
        n_pairs=n_pairs,
        n_linked=int(blocks.n_links.sum()),
        n_certain_links=int(blocks.n_pairs[blocks.n_links == blocks.n_pairs].sum()),
        n_certain_absences=n_pairs - int(blocks.n_pairs.sum()),
        max_probability=highest if n_pairs else None,
    )


def _counted(keys: NDArray[np.int64], n_keys: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different keys, ascending, and how often each occurs."""
    if n_keys <= 4 * len(keys) + 1024:  # a table of all possible keys is smaller than a sort is long
        counts = np.bincount(keys, minlength=n_keys)
        there = np.flatnonzero(counts)
        return there, counts[there].astype(np.int64)
    found, counts = np.unique(keys, return_counts=True)
    return found, counts.astype(np.int64)


def _n_pairs(
    left: NDArray[np.int64], right: NDArray[np.int64], is_same: NDArray[np.bool_], directed: bool
) -> NDArray[np.int64]:
    within = left * (left - 1)
    return np.where(is_same, within if directed else within // 2, left * right)
