"""A graph edited until a model holds, by the model's own transform, or several models at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from celosia.base.errors import OptionError, UnreachableError
from celosia.base.progress import EndedError, Ending
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.degree import degree
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
from celosia.graphs.transforms.kl import fewest_needed, kl, known_bound, least_class
from celosia.graphs.transforms.twins import closed_twins, neighbourhood, twin_bound

_SHARE_OF_EACH = 0.4  # of the time left, for each way to a start
_TRANSFORMS: Mapping[type, Callable[[Task, Any], Edited]] = {
    DegreeAnonymity: degree,
    NeighbourhoodAnonymity: neighbourhood,
    ClosedTwinAnonymity: closed_twins,
    KLAnonymity: kl,
}
_SHARE_OF_JUDGING = 0.25  # of the time, for whether the graph is as it should be already


def transformed(task: Task, models: Sequence[GraphModel]) -> Edited:
    """Return edges with which every model holds: those of the graph itself if they do.

    Raises
    ------
    UnreachableError
        No such edges exist, or none were found; it says which.
    OptionError
        There is no transform to a model.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> transformed(Task(square), [DegreeAnonymity(4)]).n_edits(square)
    0
    """
    graph = task.graph
    if not graph.n_vertices:
        raise UnreachableError(f"{graph.name} has no vertices: there is nothing to publish.", hint="check the input.")
    models = _without_implied(models)
    if all(_holds(task, model) for model in models):
        return Edited(graph.source, graph.target, 0)
    if len(models) == 1:
        return _transform_to(models[0])(task, models[0])
    for model in models:
        _transform_to(model)
    return combined(task, models)


def _without_implied(models: Sequence[GraphModel]) -> list[GraphModel]:
    """Return the models without those that another one implies: the same with as large a k."""
    highest: dict[str, GraphModel] = {}
    for model in models:
        kind = f"{model.name} {sorted({**model.to_dict(), 'k': 2}.items())}"
        highest[kind] = max(highest.get(kind, model), model, key=lambda one: one.k)
    return list(highest.values())


def _holds(task: Task, model: GraphModel) -> bool:
    """Say whether a model holds; what cannot be told in a share of the time, or a moment at least, does not."""
    graph = task.graph
    if task.seconds_left == float("inf"):
        return model.judge(graph, task.progress).satisfied
    try:
        return model.judge(graph, Ending(task.seconds_to_judge(_SHARE_OF_JUDGING))).satisfied
    except EndedError:
        return False


def _transform_to(model: GraphModel) -> Callable[[Task, Any], Edited]:
    """Return the transform to a model."""
    for kind, transform in _TRANSFORMS.items():
        if isinstance(model, kind):
            return transform
    raise OptionError(
        f"there is no transform to {model.name}.",
        hint=f"allowed: {', '.join(kind.__name__ for kind in _TRANSFORMS)}.",
        about="models",
    )


def combined(task: Task, models: Sequence[GraphModel]) -> Edited:
    """Return edges with which all models hold.

    Tiny graphs are searched through. Otherwise several ways lead to graphs that may satisfy all: each model's own
    transform; twins for everybody, with the greatest k and all attributes, which imply degree anonymity and
    (k, l)-anonymity; all edges, or none; and annealing with all demands at once. What does not hold is mended, edits
    are undone while all models hold, and the cheapest is kept.

    Raises
    ------
    UnreachableError
        No graph satisfies all models, or none was found within the edits allowed.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> combined(Task(path), [DegreeAnonymity(4), KLAnonymity(2, 2, view="neighbours")]).n_edits(path)
    1
    """
    _refuse_contradictions(task, models)
    edited, least = fewest_edits(task, models, max(_bound(task, model) for model in models))
    if edited is None:
        found = _searched(task, models)
        edited = replace(min(found, key=lambda one: one.n_edits(task.graph)), lower_bound=least or None)
    return edited


def _bound(task: Task, model: GraphModel) -> int:
    """Return a number of edits that one of the models needs alone."""
    if isinstance(model, KLAnonymity):
        return known_bound(task, model) or 0
    if isinstance(model, NeighbourhoodAnonymity | ClosedTwinAnonymity):
        is_closed = isinstance(model, ClosedTwinAnonymity)
        return twin_bound(task.graph, task.groups(model), model.k, is_closed) or 0
    return 0


def _searched(task: Task, models: Sequence[GraphModel]) -> list[Edited]:
    """Return what several ways found, with edits undone that are not needed.

    Where everybody needs twins these come first, with all the time: nothing else is as sure to hold.
    """
    seconds = task.seconds_left
    needs_twins = any(isinstance(model, NeighbourhoodAnonymity) for model in models)
    starts = list(_tried(task, _twins_for_all(task, models), share=1.0)) if needs_twins else []
    demanded = Demanded(task, models)
    found = _annealed(task.within(task.seconds_left * _SHARE_OF_EACH), models)
    late = Demanded(replace(task, deadline=task.deadline + seconds * SHARE_FOR_UNDOING), models)
    found = [late.undone(start, seconds * SHARE_FOR_UNDOING, own_seed(task)) for start in found]
    for start in chain(starts, _starts(task, models, needs_twins)):
        # What does not hold is mended first: a model's own best may want for little of the others.
        made = late.undone(start, seconds * SHARE_FOR_UNDOING, own_seed(task))
        if demanded.holds(made, _SHARE_OF_EACH):
            found.append(made)
    if not found:
        task.refuse_if_stopped()
        raise UnreachableError(
            f'no graph was found that satisfies all of {", ".join(model.name for model in models)} with edits="'
            f'{task.edits}"; there may be one.',
            hint="allow both kinds of edits, take a smaller k, or fewer models.",
        )
    return found


def _annealed(task: Task, models: Sequence[GraphModel]) -> list[Edited]:
    """Return what annealing found for all demands at once, and for larger k: what serves those serves these too."""
    found: list[Edited] = []
    for above in range(LEVELS_ABOVE + 1):
        raised: list[GraphModel] = [replace(model, k=model.k + above) for model in models]  # type: ignore[type-var]
        if task.seconds_left == 0 or any(_is_too_many(task, model) for model in raised):
            break
        own = task.within(task.seconds_left / (LEVELS_ABOVE + 1 - above))
        found += annealed(own, raised, max(model.k for model in raised))
    return found


def _is_too_many(task: Task, model: GraphModel) -> bool:
    n_needed = fewest_needed(model) if isinstance(model, KLAnonymity) else model.k
    return n_needed > int(np.bincount(task.groups(model)).min())


def _attributes(models: Sequence[GraphModel]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for model in models for name in model.attributes))


def _twins_for_all(task: Task, models: Sequence[GraphModel]) -> NeighbourhoodAnonymity:
    """Return the model of twins that implies all others but closed twins."""
    k = max(least_class(model, task) if isinstance(model, KLAnonymity) else model.k for model in models)
    return NeighbourhoodAnonymity(k, _attributes(models))


def _starts(task: Task, models: Sequence[GraphModel], has_twins: bool) -> Iterator[Edited]:
    """Yield graphs that may satisfy all models."""
    attributes = _attributes(models)
    empty, full = emptied(task), filled(task)
    if empty is not None:
        yield empty
    if any(isinstance(model, ClosedTwinAnonymity) for model in models):
        for k in sorted({_closed_class(model, task) for model in models}, reverse=True):
            yield from _tried(task, ClosedTwinAnonymity(k, attributes))
        yield from _cliques(task, models, attributes)
    else:
        for model in models:
            if not isinstance(model, NeighbourhoodAnonymity):
                yield from _tried(task, model)
        if not has_twins:
            yield from _tried(task, _twins_for_all(task, models))
    if full is not None:  # last: nothing takes longer to be judged
        yield full


def _tried(task: Task, model: GraphModel, share: float = _SHARE_OF_EACH) -> Iterator[Edited]:
    own = task.within(task.seconds_left * share)
    try:
        yield _transform_to(model)(own, model)
    except UnreachableError:
        return  # another way may lead there


def _closed_class(model: GraphModel, task: Task) -> int:
    """Return how many vertices that are linked with each other, and with the same others, suffice for a model.

    Of l known neighbours all may be twins of the vertex looked for; the others still have the l for neighbours.
    """
    if not isinstance(model, KLAnonymity):
        return model.k
    return model.k + min(model.l, task.graph.n_vertices)


def _cliques(task: Task, models: Sequence[GraphModel], attributes: tuple[str, ...]) -> Iterator[Edited]:
    """Yield groups of vertices linked all with each other and nobody else, as large as needed and no larger."""
    if task.edits != "both" or task.graph.sides is not None:
        return
    size = max(_closed_class(model, task) for model in models)
    labels = task.groups(ClosedTwinAnonymity(2, attributes))
    source, target = [], []
    for group in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == group)
        n_cliques = len(members) // size
        if not n_cliques:
            return
        for clique in np.array_split(members, n_cliques):
            first, second = np.triu_indices(len(clique), 1)
            source += [clique[first], clique[second]] if task.graph.directed else [clique[first]]
            target += [clique[second], clique[first]] if task.graph.directed else [clique[second]]
    yield Edited(np.concatenate(source).astype(np.int32), np.concatenate(target).astype(np.int32))


def _refuse_contradictions(task: Task, models: Sequence[GraphModel]) -> None:
    """Raise an error where models contradict each other, or one of them what is known of the vertices."""
    for model in models:
        refuse_small_groups(task, model, fewest_needed(model) if isinstance(model, KLAnonymity) else model.k)
    if task.graph.has_loops or not any(isinstance(model, ClosedTwinAnonymity) for model in models):
        return
    if any(isinstance(model, NeighbourhoodAnonymity) for model in models):
        # u with N(u) = N(v) is no neighbour of v, w with N[w] = N[v] is one: so w is in N(u), and u in N[w] = N[v].
        raise UnreachableError(
            "neighbourhood anonymity and closed-twin anonymity contradict each other: in a graph without loops no "
            "vertex has both a twin that it is linked with and one that it is not.",
            hint="keep one of the two.",
        )
    for model in models:
        if isinstance(model, KLAnonymity) and model.view == "rows" and model.l >= 2 and not model.exclude_known:
            # Of v and its closed twin u: whoever is linked with u, and not v itself, is linked with v too.
            raise UnreachableError(
                f"closed-twin anonymity and (k, l)-anonymity in the view of rows contradict each other from l = 2 on "
                f"(l = {model.l}): whoever is linked with a twin of a vertex, and not with the vertex, is the vertex.",
                hint='take view="neighbours", exclude_known, l = 1, or one of the two models.',
            )
