"""A graph edited until whoever knows l of a vertex's neighbours is left with at least k vertices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from celosia.base.errors import UnreachableError
from celosia.graphs.models import KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.annealing import LEVELS_ABOVE, SHARE_FOR_UNDOING, annealed, own_seed
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.few_edits import fewest_edits
from celosia.graphs.transforms.known_bound import known_bound
from celosia.graphs.transforms.twins import twins_by_size
from celosia.graphs.transforms.undoing import Demanded, emptied, filled, refuse_small_groups

_MOST_CHAINED = 6  # l from which the undoing starts, on its way down to the l asked for


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
