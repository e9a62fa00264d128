"""A graph edited until whoever knows l of a vertex's neighbours is left with at least k vertices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models import KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.few_edits import (
    LEVELS_ABOVE,
    SHARE_FOR_UNDOING,
    Demanded,
    annealed,
    emptied,
    fewest_edits,
    filled,
    own_seed,
    refuse_small_groups,
)
from celosia.graphs.transforms.twins import twins_by_size

_MOST_CELLS = 1 << 23  # of a table of groups and places
_NONE = np.iinfo(np.int64).max // 4

Counts = NDArray[np.int64]


_MOST_CHAINED = 6  # l from which the undoing starts, on its way down to the l asked for


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


def kl(task: Task, model: KLAnonymity) -> Edited:
    """Return edges with which any l known places of a vertex leave k candidates, the better of two ways.

    One way is a graph in which every vertex has k - 1 twins (definition 2 of the paper), which satisfies the model for
    every l, with edits undone while the model holds. It is searched as ``neighbourhood`` does, with the same chance and
    the same time, so that no result costs more than that one unless the clock ends it. The other way, for l = 1 and 2
    and where time is left, starts from the graph as it is and switches edges by annealing: every number of vertices
    that hold one or two places has to be 0 or at least k. Both are tried for k and the next larger ones, whose results
    serve k too.

    Guarantee
    ---------
    The model holds. That the edits are the fewest is not promised.

    Raises
    ------
    UnreachableError
        No such graph exists, or none was found within the edits allowed.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> kl(Task(path), KLAnonymity(2, 2, view="neighbours")).n_edits(path)
    1
    """
    refuse_small_groups(task, model, fewest_needed(model))
    bound = known_bound(task, model)
    edited, least = fewest_edits(task, [model], bound or 0)
    if edited is None:
        found = _searched(task, model)
        edited = replace(min(found, key=lambda one: one.n_edits(task.graph)), lower_bound=least or bound)
    return edited


def _searched(task: Task, model: KLAnonymity) -> list[Edited]:
    """Return what both ways found. Twins come first, with all the time: no result may cost more than they do."""
    seconds = task.seconds_left
    twins = _twins(task, model)
    found = _annealed(task, model)
    late = replace(task, deadline=task.deadline + seconds * SHARE_FOR_UNDOING)
    for k, start in twins.items():
        found += _undone(late, replace(model, k=k), start)
    for plain in (filled(task), None if twins else emptied(task)):
        if plain is not None and Demanded(late, [model]).holds(plain):
            found += _undone(late, model, plain)
    if not found:
        task.refuse_if_stopped()
        raise UnreachableError(
            f"no graph was found that satisfies {model.name} with k = {model.k}, l = {model.l} "
            f'and edits="{task.edits}"; there may be one.',
            hint="allow both kinds of edits, take a smaller k or l, or the view of neighbours.",
        )
    return found


def least_class(model: KLAnonymity, task: Task) -> int:
    """Return how many vertices with the same neighbours suffice for the model.

    k do, unless known vertices are no candidates: then l of them may be known. In the view of neighbours twins are no
    neighbours of each other, so that none is known, if there are no loops.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> path = Task(Graph.of_edges([0], [1]))
    >>> least_class(KLAnonymity(3, 2), path), least_class(KLAnonymity(3, 2, exclude_known=True), path)
    (3, 5)
    """
    is_safe = not model.exclude_known or (model.view == "neighbours" and not task.graph.has_loops)
    return model.k if is_safe else model.k + model.l


def fewest_needed(model: KLAnonymity) -> int:
    """Return how many vertices a group needs at least: whom an attacker can rule out may be of the group too.

    Examples
    --------
    >>> fewest_needed(KLAnonymity(3, 2)), fewest_needed(KLAnonymity(3, 2, exclude_known=True))
    (3, 5)
    """
    return model.k + model.l if model.exclude_known and model.view == "rows" else model.k


def _twins(task: Task, model: KLAnonymity) -> dict[int, Edited]:
    """Return edges with enough twins for everybody, for k and the next larger ones; none where edits forbid it."""
    size = least_class(model, task)
    try:
        found = twins_by_size(task, NeighbourhoodAnonymity(size, model.attributes), False, LEVELS_ABOVE)
    except UnreachableError:
        return {}
    return {model.k + own - size: one for own, one in found.items()}


def _undone(task: Task, model: KLAnonymity, start: Edited) -> list[Edited]:
    """Return a graph in which the model holds, and what is left of its edits when those not needed are undone.

    From l = 3 on it goes down from a larger l, so that what is found for an l never costs more than for a larger one.
    """
    found = [start]
    chain = range(max(model.l, _MOST_CHAINED), model.l - 1, -1) if model.l > 2 else [model.l]
    for n_left, n_known in zip(range(len(chain), 0, -1), chain, strict=True):
        demanded = Demanded(task, [replace(model, l=n_known)])
        if n_known == model.l or demanded.holds(found[-1]):
            found.append(demanded.undone(found[-1], task.seconds_left / n_left, own_seed(task)))
    return found


def _annealed(task: Task, model: KLAnonymity) -> list[Edited]:
    """Return what the runs of annealing found, for k and the next larger ones.

    The seeds of a run hang on its k alone, and not on the k asked for: so the same is found for it in any case.
    """
    found: list[Edited] = []
    fewest = int(np.bincount(task.groups(model)).min())
    for k in range(model.k, model.k + LEVELS_ABOVE + 1):
        own = replace(model, k=k)
        if fewest_needed(own) > fewest or task.seconds_left == 0:
            break
        found += annealed(task, [own], k)
    return found
