"""Plans that repeat what was done to a graph, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from celosia.base.entries import describe
from celosia.base.yaml import in_lines
from celosia.jobs.graphs.release import GraphRelease
from celosia.jobs.graphs.super_release import SuperGraph
from celosia.masks.base import Mask
from celosia.masks.hiding import shown_options


def plan_text(release: GraphRelease) -> str:
    """Return a plan that repeats a release: no seed, no value of a mask or of a new edge.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> from celosia.jobs.graphs.running import run
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], name="square.csv")
    >>> print(plan_text(run(square, DegreeAnonymity(2), edits="add")))
    version: 1
    input: square.csv
    models:
      - {degree_anonymity: {k: 2}}
    edits: add
    time_limit: 10
    <BLANKLINE>
    """
    if release.method is not None:
        return _text(release, release.masks, release.dropped, {"method": release.method})
    done = {
        "models": [describe(model) for model in release.models],
        "edits": release.edits if release.edits != "both" else None,
        "time_limit": release.time_limit,
    }
    return _text(release, release.masks, release.dropped, done)


def super_plan_text(made: SuperGraph) -> str:
    """Return a plan that repeats a super-graph: no seed, no value of a mask.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.jobs.graphs.super_graphs import super_graph
    >>> print(super_plan_text(super_graph(Graph.of_edges([0, 1], [1, 2], name="path.csv"), 3)))
    version: 1
    input: path.csv
    method:
      super_graph: {k: 3}
    <BLANKLINE>
    """
    return _text(made, made.masks, (), {"method": {"super_graph": {"k": made.k, **made.options}}})


def _text(
    made: GraphRelease | SuperGraph, masks: Sequence[Mask], dropped: Sequence[str], done: Mapping[str, Any]
) -> str:
    graph = made.original
    kind = {
        "directed": graph.directed or None,
        "bipartite": graph.sides is not None or None,
        "weight": graph.weight,
        **{name: Path(value).name if name == "vertices" else value for name, value in made.read_options.items()},
    }
    content: dict[str, Any] = {
        "version": 1,
        "input": graph.name,
        "graph": {name: value for name, value in kind.items() if value is not None},
        "masks": [{mask.name: shown_options(mask)} for mask in masks],
        "drop": list(dropped),
        **done,
    }
    told = {key: value for key, value in content.items() if value not in (None, {}, []) or key == "time_limit"}
    return in_lines(told, 2, width=88, spells_null=True)
