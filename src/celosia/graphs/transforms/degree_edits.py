"""Edits as pairs of nodes: what they lead to, and the plainest ones."""

from __future__ import annotations

import numpy as np

from celosia.graphs.transforms.degree_nodes import Nodes, Pairs

_MOST_FILLED = 400  # nodes


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
