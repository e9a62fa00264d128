"""check and compare of graphs, as a plan or the command line asks for them; nothing is edited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from celosia.base.errors import FormatError
from celosia.base.progress import Progress
from celosia.data import io
from celosia.graphs.attributes import masked
from celosia.graphs.checking import Result
from celosia.graphs.checking import check as judge
from celosia.graphs.files import read
from celosia.graphs.files.outgoing import without
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.naming import every_model, models_at
from celosia.graphs.utility import GraphUtility, utility
from celosia.jobs.graphs.plans import GraphPlan

_TWINS = ("neighbourhood_anonymity", "closed_twin_anonymity")


def check_graph(
    plan: GraphPlan,
    source: str | None,
    models: Sequence[GraphModel],
    k: int | None,
    attributes: tuple[str, ...],
    progress: Progress,
) -> tuple[Result, bool | None]:
    """Judge a graph by models, those of the plan where none are given, and say whether what was asked holds.

    Parameters
    ----------
    k
        Judged as well are the models that have no parameter but k; one of those about twins must hold, since no graph
        without loops satisfies both.
    attributes
        What is known about vertices.

    Returns
    -------
    The result, of every model where none was asked for, and ``None`` in place of a verdict then.
    """
    named = tuple(models) or (() if k is not None else plan.models)
    judged = [*named, *([] if k is None else models_at(k, attributes))] or every_model(attributes)
    graph = plan.graph(source)
    with plan.locating():
        result = judge(without(masked(graph, plan.masks), plan.drop), judged, progress)
    return result, _holds(result, len(named), k)


def _holds(result: Result, n_asked: int, k: int | None) -> bool | None:
    if not n_asked and k is None:
        return None
    named = all(judgement.satisfied for judgement in result.judgements[:n_asked])
    rest = zip(result.models[n_asked:], result.judgements[n_asked:], strict=True)
    return named and (k is None or any(judgement.satisfied for model, judgement in rest if model.name in _TWINS))


def compare_graphs(
    plan: GraphPlan,
    before: str | None,
    after: str | None,
    matching: str | None,
    seed: int | None,
    progress: Progress,
    **read_options: Any,
) -> tuple[Graph, Graph, GraphUtility]:
    """Read a graph and an edited one, that in the plan's output where none is named, and measure what was kept.

    Parameters
    ----------
    matching
        Which vertex is which: ``order``, ``names``, ``none``, or the file of a table of names.
    read_options
        How the edited graph is read; whether it is directed, a plan file says for both.
    """
    first = plan.graph(before)
    if after is None:
        second = plan.released(first)
    else:
        directed = first.directed if plan.places else plan.read_options.get("directed")  # of a plan file, as it says
        second = read(after, directed=directed, **read_options)
    told = "none" if after is None and matching is None else matching  # the names of a release are always fresh
    return first, second, utility(first, second, _matched(told, first, second), seed=seed, progress=progress)


def is_doubtful(found: GraphUtility, matching: str | None, original: Graph) -> bool:
    """Whether vertices were matched by order unasked, as if nobody shuffled 0, 1, 2 ..., as every release has them."""
    names = set(map(str, original.names.to_list()))
    return found.matched_by == "order" and matching is None and names == set(map(str, range(original.n_vertices)))


def _matched(text: str | None, before: Graph, after: Graph) -> Any:
    """Return how vertices are matched; names in a file are compared as texts."""
    if text is None or text in ("order", "names", "none"):
        return text
    frame = io.read(text).frame
    if frame.width < 2:
        raise FormatError(
            f"{Path(text).name} has one column.", hint="the first names vertices before, the second after."
        )
    told = [frame.to_series(place).cast(pl.String).to_list() for place in (0, 1)]
    known = [{str(name): name for name in graph.names.to_list()} for graph in (before, after)]
    firsts, seconds = ([names.get(name, name) for name in column] for names, column in zip(known, told, strict=True))
    found = [(one, two) for one, two in zip(firsts, seconds, strict=True) if one is not None and two is not None]
    if len({one for one, _ in found}) < len(found):
        raise FormatError(f"{Path(text).name} names a vertex twice.", hint="keep one row per vertex.")
    return dict(found)
