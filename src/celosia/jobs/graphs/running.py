"""run: a graph's edges edited until models hold, verified, shuffled and named anew."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from celosia.base.chance import Randomness
from celosia.base.errors import OptionError
from celosia.base.progress import Progress, Quiet, check_time_limit
from celosia.graphs.auditing import audit_edits, judged
from celosia.graphs.checking import checked_models
from celosia.graphs.files.reading import given_graph
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import DegreeAnonymity
from celosia.graphs.publishing import declared_values, prepared, published
from celosia.graphs.transforms.base import Edits, Task, checked_edits
from celosia.graphs.transforms.choosing import transformed
from celosia.jobs.graphs.release import GraphRelease
from celosia.masks.base import Mask


def run(
    graph: Any,
    models: GraphModel | Sequence[GraphModel],
    edits: Edits = "both",
    time_limit: float | None = 10,
    seed: int | None = None,
    *,
    new_edges: Mapping[str, Any] | None = None,
    masks: Sequence[Mask] = (),
    drop: Collection[str] = (),
    progress: Progress | None = None,
) -> GraphRelease:
    """Edit the edges of a graph, as few as can be found, until every model holds.

    The result is judged by every model from its definition before it is handed out. Vertices are shuffled and named
    0 .. n - 1. Attributes stay with their vertices and edges, and a bipartite graph stays so.

    Parameters
    ----------
    graph
        A Graph, or what ``read`` takes: a file, a networkx graph, a scipy matrix, a NumPy array, a frame of edges.
    models
        A model such as ``DegreeAnonymity(5)``, or a list of them, which must all hold.
    edits
        ``"both"``, ``"add"`` or ``"delete"``: which edits are allowed. A loop is never added.
    time_limit
        When to end the search, in seconds; ``None`` for as long as it likes. Small graphs mostly end before.
    seed
        For repeatable runs: for tests, as whoever knows it can undo the shuffle. A time limit that ends the search
        lifts that.
    new_edges
        Values of new edges by attribute, such as ``{"weight": 1}``. What is not declared is drawn: the attributes of an
        edge that stays, since missing or constant values would mark the new edges.
    masks
        What is done to the attributes of vertices first, such as ``Generalise``.
    drop
        Attributes of vertices or edges that are left behind.

    Raises
    ------
    InputError
        There is no graph, it has parallel edges, or an attribute repeats the names of vertices.
    OptionError
        An option has a value that is not allowed, or a model would count weights.
    ColumnNotFoundError
        A model names an attribute that vertices do not have.
    UnreachableError
        The models cannot be met with these edits, or no way was found; it says which.
    AuditError
        The result did not stand up to the last look; nothing is handed out.

    Examples
    --------
    >>> from celosia.graphs.models import NeighbourhoodAnonymity
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> release = run(square, NeighbourhoodAnonymity(2), seed=1)
    >>> release.n_added, release.n_deleted, sorted(release.vertices.values())
    (0, 0, [0, 1, 2, 3])
    """
    start = time.monotonic()
    demanded, kinds = checked_models(models), checked_edits(edits)
    check_time_limit(time_limit, "10 is usual.")
    randomness, shown = Randomness(seed), progress or Quiet()
    given = given_graph(graph)
    own = prepared(given, masks, drop)
    _refuse_weights(own, demanded)
    declared = declared_values(own, new_edges)
    order = randomness.permutation(own.n_vertices).astype(np.int64)
    shown.stage("edit")
    search_start = time.monotonic()
    deadline = float("inf") if time_limit is None else search_start + float(time_limit)
    task = Task(replace(own, weight=None), kinds, randomness, deadline, shown)
    edited = transformed(task, demanded)
    search_seconds = time.monotonic() - search_start
    shown.stage("audit")
    made = published(own, edited, order, declared, randomness)
    n_added, n_deleted = audit_edits(own, made, kinds)
    judgements = judged(made.graph, demanded, shown)
    return GraphRelease(
        original=own,
        made=made,
        models=demanded,
        judgements=judgements,
        edits=kinds,
        n_added=n_added,
        n_deleted=n_deleted,
        lower_bound=edited.lower_bound,
        declared=declared,
        masks=tuple(masks),
        dropped=tuple(drop),
        given_findings=given.findings,
        time_limit=time_limit,
        was_stopped=task.stopped.is_set(),
        seed=seed,
        search_seconds=search_seconds,
        seconds=time.monotonic() - start,
    )


def _refuse_weights(graph: Graph, models: Sequence[GraphModel]) -> None:
    for model in models:
        if graph.weight is not None and not isinstance(model, DegreeAnonymity):
            raise OptionError(
                f"{model.name} would count the weight '{graph.weight}', and edits do not reach weights.",
                hint="read the graph without naming a weight: it stays an attribute of edges; or drop it.",
                about="weight",
            )
