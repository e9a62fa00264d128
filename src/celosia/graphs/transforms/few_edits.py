"""The fewest edits of a tiny graph, found by trying all sets of one edit, of two, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from celosia.base.errors import UnreachableError
from celosia.graphs.judging import GraphModel
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.undoing import Demanded

_MOST_EDGES = 120  # that may be switched: 16 vertices without direction
_MOST_LOOKS = 20_000_000
_SHARE_OF_TIME = 0.3  # the rest is for those who search without end


def fewest_edits(task: Task, models: Sequence[GraphModel], least: int = 0) -> tuple[Edited | None, int]:
    """Return edges with which all models hold and nothing is nearer, or ``None``; and a bound on the edits.

    On up to about 6 vertices every set of edits is tried. On some more, small sets are: if none of them does, the
    bound is the first number of edits that could not be ruled out.

    Parameters
    ----------
    task, models
        The graph, and what has to hold.
    least
        A number of edits that is known to be needed.

    Raises
    ------
    UnreachableError
        All sets of edits were tried, and none does.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import KLAnonymity
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> edited, n_least = fewest_edits(Task(path), [KLAnonymity(2, 2)])
    >>> edited.n_edits(path), n_least
    (1, 1)
    """
    n_edges = _n_switchable(task)
    if n_edges > _MOST_EDGES:
        return None, least
    demanded = Demanded(task.within(_SHARE_OF_TIME * task.seconds_left), models)
    n_looks = _MOST_LOOKS
    task.progress.stage("try all edits")
    for size in range(least, n_edges + 1):
        found, is_whole, n_used = demanded.with_edits(size, n_looks)
        if found is not None:
            return replace(found, lower_bound=size), size
        n_looks -= n_used
        if not is_whole or n_looks <= 0:
            return None, size if not is_whole else size + 1
    names = " and ".join(f"{model.name} with k = {model.k}" for model in models)
    allowed = {"both": "", "add": " while edges are only added", "delete": " while edges are only deleted"}[task.edits]
    raise UnreachableError(
        f"no graph on these {task.graph.n_vertices} vertices satisfies {names}{allowed}: all were tried.",
        hint="take a smaller k or l, fewer models, or both kinds of edits.",
    )


def _n_switchable(task: Task) -> int:
    """Return how many edges may be added or deleted."""
    graph, n = task.graph, task.graph.n_vertices
    n_there = graph.n_edges
    n_loops = int(np.count_nonzero(graph.source == graph.target))
    n_pairs = n * (n - 1)
    if graph.sides is not None:
        n_first = int(np.count_nonzero(graph.sides == 0))
        n_pairs = 2 * n_first * (n - n_first)
    n_absent = (n_pairs if graph.directed else n_pairs // 2) - (n_there - n_loops)
    return {"add": n_absent, "delete": n_there, "both": n_absent + n_there}[task.edits]
