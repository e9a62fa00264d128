"""A graph as degree anonymity sees it: nodes that are linked in pairs, groups of nodes, and edits as pairs of nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.graphs.transforms.base import Edited, Task, edges_of_keys

Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Edits: pairs of nodes that are added where there was none and deleted where there was one."""


_MOST_FILLED = 400  # nodes


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes and the pairs that may be edited.

    Without direction the nodes are the vertices. With direction vertex v is node v for its arcs out and node n + v for
    its arcs in; an arc is a pair of the one and the other.

    Attributes
    ----------
    starts, partners
        The partners of each node, ascending.
    groups
        A number per node: only those with the same may hide each other.
    sides
        Where given, pairs may only be added between 0 and 1, and between 2 and 3.
    mates
        With direction, the other node of the same vertex, with which no pair may be added.
    k
        How many nodes, with direction vertices, must share what is known of one.
    may_add, may_delete
        Which edits are allowed.
    """

    starts: NDArray[np.int64]
    partners: NDArray[np.int32]
    groups: NDArray[np.int32]
    sides: NDArray[np.int8] | None
    mates: NDArray[np.int32] | None
    k: int
    may_add: bool
    may_delete: bool

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.groups)

    @property
    def degrees(self) -> NDArray[np.int32]:
        """How many partners each node has."""
        return np.diff(self.starts).astype(np.int32)

    def with_k(self, k: int) -> Nodes:
        """Return the same nodes with another k."""
        return replace(self, k=k)

    def degrees_after(self, edits: Pairs) -> NDArray[np.int64]:
        """Return the degree of each node after edits."""
        first, second = edits
        by = np.where(self.are_linked(first, second), -1, 1)
        degrees = self.degrees.astype(np.int64)
        np.add.at(degrees, first, by)
        np.add.at(degrees, second[first != second], by[first != second])
        return degrees

    def are_linked(self, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Say of pairs whether they are there."""
        keys = self._keys()
        wanted = first.astype(np.int64) * self.n + second
        places = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        linked: NDArray[np.bool_] = keys[places] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
        return linked

    def after(self, edits: Pairs) -> Nodes:
        """Return the nodes with the pairs that edits leave."""
        first, second = (ends.astype(np.int64) for ends in edits)
        is_loop = first == second
        changed = np.concatenate([first * self.n + second, (second * self.n + first)[~is_loop]])
        keys = np.setxor1d(self._keys(), changed, assume_unique=True)
        starts = np.searchsorted(keys, np.arange(self.n + 1, dtype=np.int64) * self.n)
        return replace(self, starts=starts.astype(np.int64), partners=(keys % self.n).astype(np.int32))

    def changeable(self) -> Pairs:
        """Return the pairs that may be edited; memory is quadratic in the nodes."""
        first, second = (ends.astype(np.int32) for ends in np.triu_indices(self.n))
        may_add = first != second
        if self.sides is not None:
            may_add &= (self.sides[first] ^ self.sides[second]) == 1
        if self.mates is not None:
            may_add &= self.mates[first] != second
        chosen = np.where(self.are_linked(first, second), self.may_delete, may_add & self.may_add)
        return first[chosen], second[chosen]

    def smallest_set(self, degrees: NDArray[np.int64]) -> int:
        """Return how many nodes, with direction vertices, the rarest combination of group and degrees has."""
        return int(self._set_sizes(degrees).min())

    def n_rare(self) -> int:
        """Return how many nodes, with direction vertices, are in sets of fewer than k."""
        sizes = self._set_sizes(self.degrees.astype(np.int64))
        return int(sizes[sizes < self.k].sum())

    def _set_sizes(self, degrees: NDArray[np.int64]) -> NDArray[np.int64]:
        n, width = self.n if self.mates is None else self.n // 2, self.n + 1
        keys = self.groups[:n] * np.int64(width) + degrees[:n]
        if self.mates is not None:
            keys = np.unique(keys, return_inverse=True)[1] * np.int64(width) + degrees[n:]
        sizes: NDArray[np.int64] = np.unique(keys, return_counts=True)[1]
        return sizes

    def _keys(self) -> NDArray[np.int64]:
        """Return a number per pair, from either end, ascending."""
        return np.repeat(np.arange(self.n, dtype=np.int64), np.diff(self.starts)) * self.n + self.partners


def nodes_of(task: Task, groups: NDArray[np.int64], k: int) -> Nodes:
    """Return the nodes of a task's graph.

    Examples
    --------
    >>> nodes = nodes_of(Task(Graph.of_edges([0, 1], [1, 2], directed=True)), np.zeros(3, dtype=np.int64), 2)
    >>> nodes.degrees.tolist(), nodes.partners.tolist()
    ([1, 1, 0, 0, 1, 1], [4, 5, 0, 1])
    """
    graph = task.graph
    n = graph.n_vertices
    starts, partners, labels = graph.out.starts, graph.out.indices, groups.astype(np.int32)
    sides, mates = graph.sides, None
    if graph.directed:
        starts = np.concatenate([starts, starts[-1] + graph.into.starts[1:]])
        partners = np.concatenate([partners + np.int32(n), graph.into.indices])
        labels = np.concatenate([labels, labels])
        own = np.arange(n, dtype=np.int32)
        mates = np.concatenate([own + np.int32(n), own])
        sides = np.repeat(np.array([0, 1], dtype=np.int8), n)
        if graph.sides is not None:
            sides += 2 * np.concatenate([graph.sides, 1 - graph.sides]).astype(np.int8)
    return Nodes(starts, partners, labels, sides, mates, k, task.edits != "delete", task.edits != "add")


def edited(graph: Graph, nodes: Nodes, edits: Pairs, lower_bound: int) -> Edited:
    """Return the edges that edits leave.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> nodes = nodes_of(Task(path), np.zeros(3, dtype=np.int64), 2)
    >>> triangle = edited(path, nodes, (np.array([2], dtype=np.int32), np.array([0], dtype=np.int32)), 1)
    >>> triangle.source.tolist(), triangle.target.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    n = max(graph.n_vertices, 1)
    left, right = np.minimum(*edits).astype(np.int64), np.maximum(*edits).astype(np.int64)
    if nodes.mates is not None:
        right -= n
    before = graph.source.astype(np.int64) * n + graph.target
    after = edges_of_keys(np.setxor1d(before, left * n + right, assume_unique=True), graph)
    return replace(after, lower_bound=lower_bound)


def no_edits() -> Pairs:
    """Return no edits at all.

    Examples
    --------
    >>> [len(ends) for ends in no_edits()]
    [0, 0]
    """
    return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)


def joined(nodes: Nodes, one: Pairs, other: Pairs) -> Pairs:
    """Return edits that do what these do one after the other: what both change is left as it was.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.base import Task
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> nodes = nodes_of(Task(Graph.of_edges([0, 1], [1, 2])), np.zeros(3, dtype=np.int64), 2)
    >>> link, no_link = np.array([0], dtype=np.int32), np.array([2], dtype=np.int32)
    >>> [len(ends) for ends in joined(nodes, (link, no_link), (no_link, link))]
    [0, 0]
    """
    keys, other_keys = (
        np.minimum(first, second).astype(np.int64) * nodes.n + np.maximum(first, second)
        for first, second in (one, other)
    )
    both = np.setxor1d(keys, other_keys, assume_unique=True)
    return (both // nodes.n).astype(np.int32), (both % nodes.n).astype(np.int32)


def fewer(one: Pairs | None, other: Pairs | None) -> Pairs | None:
    """Return the fewer edits of two, the first of equally many.

    Examples
    --------
    >>> nothing = np.zeros(0, dtype=np.int32)
    >>> fewer(None, (nothing, nothing)) == (nothing, nothing)
    True
    """
    if one is None or other is None:
        return one if other is None else other
    return other if len(other[0]) < len(one[0]) else one


def anonymous(nodes: Nodes, edits: Pairs | None) -> Pairs | None:
    """Return edits if the degrees are anonymous after them, else ``None``: a kernel may only miss by being wrong.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.base import Task
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1], [1, 2]))
    >>> nothing = np.zeros(0, dtype=np.int32)
    >>> anonymous(nodes_of(task, np.zeros(3, dtype=np.int64), 2), (nothing, nothing)) is None
    True
    """
    if edits is None or nodes.smallest_set(nodes.degrees_after(edits)) < nodes.k:
        return None
    return edits


def all_deleted(nodes: Nodes) -> Pairs | None:
    """Return the edits that leave no pair: every vertex has degree 0 then; ``None`` where nothing may be deleted.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.base import Task
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1], [1, 2]))
    >>> [ends.tolist() for ends in all_deleted(nodes_of(task, np.zeros(3, dtype=np.int64), 2))]
    [[0, 1], [1, 2]]
    """
    if not nodes.may_delete:
        return None
    owners = np.repeat(np.arange(nodes.n, dtype=np.int32), np.diff(nodes.starts))
    is_first = owners <= nodes.partners
    return owners[is_first], nodes.partners[is_first]


def all_added(nodes: Nodes) -> Pairs | None:
    """Return the edits that leave no pair out, of small graphs; ``None`` where nothing may be added.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.base import Task
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1], [1, 2]))
    >>> [ends.tolist() for ends in all_added(nodes_of(task, np.zeros(3, dtype=np.int64), 2))]
    [[0], [2]]
    """
    if not nodes.may_add or nodes.n > _MOST_FILLED:
        return None
    first, second = nodes.changeable()
    is_new = ~nodes.are_linked(first, second)
    return first[is_new], second[is_new]
