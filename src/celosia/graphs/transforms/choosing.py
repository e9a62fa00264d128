"""Which transform a demand takes: that of its model, or the one for several models at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from celosia.base.errors import OptionError, UnreachableError
from celosia.base.progress import EndedError, Ending
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited, Task

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
    from celosia.graphs.transforms.combining import combined

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
    """Return the transform to a model; it is loaded only now, as most runs need one of them."""
    if isinstance(model, DegreeAnonymity):
        from celosia.graphs.transforms.degree import degree

        return degree
    if isinstance(model, NeighbourhoodAnonymity):
        from celosia.graphs.transforms.neighbourhood import neighbourhood

        return neighbourhood
    if isinstance(model, ClosedTwinAnonymity):
        from celosia.graphs.transforms.closed_twins import closed_twins

        return closed_twins
    if isinstance(model, KLAnonymity):
        from celosia.graphs.transforms.kl import kl

        return kl
    raise OptionError(
        f"there is no transform to {model.name}.",
        hint="allowed: DegreeAnonymity, NeighbourhoodAnonymity, ClosedTwinAnonymity, KLAnonymity.",
        about="models",
    )
