"""Which model would cost less: what the others take at the same k, and what they leave."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, UnreachableError
from celosia.base.progress import Progress, Quiet, check_time_limit
from celosia.graphs.auditing import judged
from celosia.graphs.files.objects import needed
from celosia.graphs.files.reading import given_graph
from celosia.graphs.findings import n_non_isolated
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.publishing import prepared
from celosia.graphs.risk import risk
from celosia.graphs.transforms.base import Edits, Task, checked_edits
from celosia.graphs.transforms.choosing import transformed

_FEW = 1_000
"""So many vertices and edges together are cheap to try other models on."""
_KNOWN = ("degree", "neighbour_degrees", "neighbourhood")
_USUAL_L = 2


@dataclass(frozen=True)
class Alternative:
    """What one model takes of a graph, and what it leaves.

    Attributes
    ----------
    model
        The model.
    n_edits, edit_ratio
        Edges added and deleted, and their share of the edges before; ``None`` where there are none, or the model could
        not be met.
    n_edges, n_non_isolated
        What would be left: edges, and vertices with an edge.
    unique
        The share of vertices with a single candidate left, by what is known: ``degree`` (H1), ``neighbour_degrees``
        (H2) and ``neighbourhood`` (all neighbours).
    reason
        Why the model could not be met.
    """

    model: GraphModel
    n_edits: int | None = None
    edit_ratio: float | None = None
    n_edges: int | None = None
    n_non_isolated: int | None = None
    unique: dict[str, float | None] | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        return {**self.__dict__, "model": {self.model.name: self.model.to_dict()}}


def alternatives(
    graph: Any,
    k: int,
    edits: Edits = "both",
    time_limit: float | None = 10,
    seed: int | None = None,
    *,
    attributes: Sequence[str] = (),
    progress: Progress | None = None,
) -> tuple[Alternative, ...]:
    """Return what every model would cost at this k, and what it would leave; the cheapest first.

    Degree, neighbourhood, closed twins, and (k, l)-anonymity in both views with l = 2.

    Parameters
    ----------
    graph
        A simple Graph, or what ``read`` takes.
    k
        A whole number from 2.
    edits
        ``"both"``, ``"add"`` or ``"delete"``.
    time_limit
        Seconds for each model.
    seed
        For repeatable runs.
    attributes
        Attributes of vertices that are known as well.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        There is no graph, or it has parallel edges.

    Examples
    --------
    >>> found = alternatives(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), 2, seed=1)
    >>> found[0].model.name, found[0].n_edits
    ('degree_anonymity', 0)
    """
    kinds = checked_edits(edits)
    check_time_limit(time_limit, "10 is usual.")
    own = replace(prepared(given_graph(graph), (), ()), weight=None)
    return _found(own, _others(k, _USUAL_L, tuple(attributes)), kinds, time_limit, seed, progress)


def are_cheap(graph: Graph) -> bool:
    """Say whether a graph is so small that other models are tried without being asked for.

    Examples
    --------
    >>> are_cheap(Graph.of_edges([0], [1])), are_cheap(Graph.of_edges([0], [1], 4_000))
    (True, False)
    """
    return graph.n_vertices + graph.n_edges <= _FEW


def found_alternatives(
    graph: Graph,
    models: Sequence[GraphModel],
    edits: Edits,
    time_limit: float | None,
    seed: int | None,
    progress: Progress | None = None,
) -> tuple[Alternative, ...]:
    """Return what the models other than these would cost at the greatest k of these, known attributes the same.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> names = [one.model.name for one in found_alternatives(square, [DegreeAnonymity(2)], "both", 1, 1)]
    >>> "degree_anonymity" in names
    False
    """
    k = max(model.k for model in models)
    attributes = tuple(dict.fromkeys(name for model in models for name in model.attributes))
    sizes = [model.l for model in models if isinstance(model, KLAnonymity)]
    others = _others(k, max(sizes, default=_USUAL_L), attributes)
    asked = {_kind(model) for model in models} if len(models) == 1 else set()
    wanted = [model for model in others if _kind(model) not in asked]
    return _found(replace(graph, weight=None), wanted, edits, time_limit, seed, progress)


def _others(k: int, l: int, attributes: tuple[str, ...]) -> list[GraphModel]:  # noqa: E741
    return [
        DegreeAnonymity(k, attributes),
        NeighbourhoodAnonymity(k, attributes),
        ClosedTwinAnonymity(k, attributes),
        KLAnonymity(k, l, view="neighbours", attributes=attributes),
        KLAnonymity(k, l, view="rows", attributes=attributes),
    ]


def _kind(model: GraphModel) -> tuple[str, str]:
    return model.name, model.view if isinstance(model, KLAnonymity) else ""


def _found(
    graph: Graph,
    models: Sequence[GraphModel],
    edits: Edits,
    time_limit: float | None,
    seed: int | None,
    progress: Progress | None,
) -> tuple[Alternative, ...]:
    shown = progress or Quiet()
    found = []
    for model in models:
        shown.stage("alternatives")
        deadline = float("inf") if time_limit is None else time.monotonic() + time_limit
        task = Task(graph, edits, Randomness(seed), deadline, shown)
        tried = _tried(task, model)
        if task.stopped.is_set():  # what it had by then says nothing about the model
            break
        found.append(tried)
    return tuple(sorted(found, key=lambda one: float("inf") if one.n_edits is None else one.n_edits))


def _tried(task: Task, model: GraphModel) -> Alternative:
    graph = task.graph
    if isinstance(model, ClosedTwinAnonymity) and graph.sides is not None:
        try:
            needed("scipy")
        except InputError as error:
            return Alternative(model, reason=error.message)
    try:
        edited = transformed(task, [model])
    except UnreachableError as error:
        return Alternative(model, reason=error.message)
    made = graph.with_edges(edited.source, edited.target)
    judged(made, [model], task.progress)
    n_edits = edited.n_edits(graph)
    known = risk(made, k=model.k, l=1, progress=task.progress)
    return Alternative(
        model,
        n_edits=n_edits,
        edit_ratio=n_edits / graph.n_edges if graph.n_edges else None,
        n_edges=made.n_edges,
        n_non_isolated=n_non_isolated(made),
        unique={name: known[name].share_unique for name in _KNOWN},
    )
