"""Annealing over the edits themselves, for small graphs."""

from __future__ import annotations

import numpy as np

from celosia import kernels
from celosia.graphs.transforms.base import Task, edge_keys
from celosia.graphs.transforms.degree_edits import anonymous
from celosia.graphs.transforms.degree_nodes import Nodes, Pairs, edited

_WARM, _HOT = 0.4, 1.2  # from a result on, and from nothing
_HEAT, _PRICE = (0.3, 0.05), (0.015, 0.1)  # with direction


def annealed(task: Task, nodes: Nodes, start: Pairs, n_steps: int, enough: int, seed: int) -> Pairs | None:
    """Return the best edits that were met from some on, or ``None`` if none were valid.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.degree_edits import no_edits
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    >>> nodes = nodes_of(task, np.zeros(4, dtype=np.int64), 3)
    >>> len(annealed(task, nodes, no_edits(), 1000, 1, seed=1)[0])
    1
    """
    if nodes.mates is not None:
        return _annealed_arcs(task, nodes, start, n_steps, seed)
    rows = (nodes.starts, nodes.partners, nodes.groups, nodes.sides, nodes.k, nodes.may_add, nodes.may_delete)
    heat = _WARM if len(start[0]) else _HOT
    seconds = task.seconds_left
    edits = task.watched(
        lambda pulse: kernels.anneal_degrees(*rows, *start, n_steps, 1, heat, enough, seconds, seed, pulse)
    )
    return anonymous(nodes, edits)


def _annealed_arcs(task: Task, nodes: Nodes, start: Pairs, n_steps: int, seed: int) -> Pairs | None:
    graph, n = task.graph, nodes.n // 2
    search = kernels.EditSearch(
        n, True, graph.source, graph.target, graph.sides, may_add=nodes.may_add, may_delete=nodes.may_delete
    )
    search.add_degrees(nodes.k, np.ascontiguousarray(nodes.groups[:n]))
    begun, seconds = edited(graph, nodes, start, 0), task.seconds_left
    found = task.watched(
        lambda pulse: search.run(
            begun.source,
            begun.target,
            n_steps,
            _HEAT,
            _PRICE,
            counts_missing=True,
            seconds=seconds,
            seed=seed,
            pulse=pulse,
        ),
    )
    if found is None:
        return None
    changed = np.setxor1d(edge_keys(graph.source, graph.target, graph), edge_keys(*found, graph), assume_unique=True)
    return anonymous(nodes, ((changed // n).astype(np.int32), (changed % n + n).astype(np.int32)))
