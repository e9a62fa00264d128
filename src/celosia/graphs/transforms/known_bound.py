"""What one known place demands of degrees: a number of edits that no result undercuts, or that there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models import KLAnonymity
from celosia.graphs.transforms.base import Task

_MOST_CELLS = 1 << 23  # of a table of groups and places
_NONE = np.iinfo(np.int64).max // 4

Counts = NDArray[np.int64]


def known_bound(task: Task, model: KLAnonymity) -> int | None:
    """Return a number of edits that no graph undercuts in which the model holds; ``None`` if unknown.

    Of the vertices of a group, x hold a place (are linked with its vertex); x must be 0 or at least k, and in the view
    of rows the others must be none or at least k as well. How far x is from there are changes of that one place, and an
    edit changes two:

    edits >= 1/2 * sum over groups and places of the distance of x to the nearest number allowed

    Raises
    ------
    UnreachableError
        No number allowed can be had with these edits at some place.

    Examples
    --------
    >>> path = Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    >>> known_bound(path, KLAnonymity(2, 1, view="neighbours"))
    1
    """
    graph, groups = task.graph, task.groups(model)
    n_groups = int(groups.max()) + 1
    ways = 2 if graph.directed else 1
    if n_groups * graph.n_vertices * ways > _MOST_CELLS:
        return None
    total = 0
    for way in range(ways):
        held, n_free, n_all = _cells(task, model, groups, n_groups, way)
        lowest = held if task.edits == "add" else np.zeros_like(held)
        highest = held if task.edits == "delete" else held + n_free
        away = _distance(held, lowest, highest, n_all, model)
        if (away >= _NONE).any():
            raise _unreachable(task, model)
        total += int(away.sum())
    return -(-total // 2)


def _cells(task: Task, model: KLAnonymity, groups: Counts, n_groups: int, way: int) -> tuple[Counts, Counts, Counts]:
    """Return by group and place how many hold it, how many more could, and how many there are."""
    graph, n = task.graph, task.graph.n_vertices
    holder, place = _holdings(graph, way)
    is_own = holder == place
    is_counted = ~is_own if model.exclude_known else np.ones(len(holder), dtype=bool)
    held = np.bincount(groups[holder[is_counted]] * n + place[is_counted], minlength=n_groups * n)
    linked = np.bincount(groups[holder[~is_own]] * n + place[~is_own], minlength=n_groups * n)
    every = np.arange(n)
    own_cell = groups * n + every
    sizes = np.bincount(groups, minlength=n_groups)
    n_all = np.repeat(sizes, n)
    n_others = n_all.copy()
    n_others[own_cell] -= 1
    if graph.sides is not None:
        of_side = np.stack([np.bincount(groups[graph.sides == side], minlength=n_groups) for side in (0, 1)])
        n_others = of_side[1 - graph.sides].T.reshape(-1)
    if model.exclude_known:
        n_all[own_cell] -= 1
    return held, n_others - linked, n_all


def _holdings(graph: Graph, way: int) -> tuple[Counts, Counts]:
    """Return who holds which place: out of the first way, in of the second."""
    adjacency = graph.out if way == 0 else graph.into
    holder = np.repeat(np.arange(graph.n_vertices), adjacency.degrees)
    return holder, adjacency.indices.astype(np.int64)


def _distance(held: Counts, lowest: Counts, highest: Counts, n_all: Counts, model: KLAnonymity) -> Counts:
    """Return how far each number is from the nearest that is allowed and within reach."""
    k = model.k
    none, all_of = np.zeros_like(held), n_all
    ranges = [(none, none), (np.full_like(held, k), all_of)]
    if model.view == "rows":
        no_rest = np.where(n_all >= k, 0, _NONE)  # nobody may hold it only if those are enough
        ranges = [(no_rest, none), (np.full_like(held, k), n_all - k), (np.maximum(n_all, k), n_all)]
    nearest = np.full_like(held, _NONE)
    for first, last in ranges:
        least, most = np.maximum(first, lowest), np.minimum(last, highest)
        away = np.maximum(np.maximum(least - held, held - most), 0)
        nearest = np.where(least <= most, np.minimum(nearest, away), nearest)
    return nearest


def _unreachable(task: Task, model: KLAnonymity) -> UnreachableError:
    allowed = {"add": "added", "delete": "deleted", "both": "added and deleted"}[task.edits]
    others = ", and so are those who are not" if model.view == "rows" else ""
    return UnreachableError(
        f"{model.name} with k = {model.k}: those who are linked with a vertex are none or at least {model.k}{others}, "
        f"and for some vertex that cannot be had while edges are only {allowed}.",
        hint="allow both kinds of edits, or take a smaller k.",
    )
