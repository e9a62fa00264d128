"""Vertices that an attacker cannot tell apart, by what the attacker knows: a label per vertex.

Labels are numbered from 0 in the order of their first vertices. Everything is exact.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import ColumnNotFoundError, InputError, nearest
from celosia.base.progress import Progress, Quiet, watch
from celosia.data.classes import group
from celosia.data.schema.columns import cleaned, codes_of
from celosia.graphs.graph import Adjacency, Graph

Labels = NDArray[np.int64]
Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None]
Result = TypeVar("Result")


def degrees(graph: Graph) -> tuple[Labels, ...]:
    """Return the degrees of the vertices; of a directed graph those out and those in.

    In a multigraph parallel edges count each. A loop counts once.

    Examples
    --------
    >>> degrees(Graph.of_edges([0, 0], [1, 2], directed=True))
    (array([2, 0, 0]), array([0, 1, 1]))
    """
    if not graph.multigraph:
        return (graph.out.degrees, graph.into.degrees) if graph.directed else (graph.out.degrees,)
    n = graph.n_vertices
    out = np.bincount(graph.source, minlength=n).astype(np.int64)
    if graph.directed:
        return out, np.bincount(graph.target, minlength=n).astype(np.int64)
    return (out + np.bincount(graph.target[graph.source != graph.target], minlength=n),)


def attribute_labels(graph: Graph, attributes: Sequence[str]) -> Labels:
    """Return labels that tell apart who differs in one of the attributes; missing is a value of its own.

    Raises
    ------
    ColumnNotFoundError
        Vertices have no such attribute.
    InputError
        An attribute holds lists or the like.

    Examples
    --------
    >>> import polars as pl
    >>> graph = Graph.of_edges([0], [1], 3, vertices=pl.DataFrame({"sex": ["f", None, "f"]}))
    >>> attribute_labels(graph, ["sex"])
    array([0, 1, 0])
    """
    codes = []
    for name in attributes:
        if name not in graph.vertices.columns:
            known = graph.vertices.columns
            raise ColumnNotFoundError(
                f"vertices of {graph.name} have no attribute '{name}'.",
                hint=nearest(name, known)
                if known
                else "they have none: give a table of vertices (vertices=, --vertices).",
            )
        column = graph.vertices[name]
        if column.dtype.is_nested() or column.dtype.is_object():
            raise InputError(
                f"the attribute '{name}' holds more than one value per vertex.", hint="keep texts, numbers and dates."
            )
        codes.append(codes_of(cleaned(column)[0])[0])
    return numbered(group(codes)) if codes else np.zeros(graph.n_vertices, dtype=np.int64)


def degree_labels(graph: Graph, attributes: Sequence[str] = ()) -> Labels:
    """Return labels by the degree (H1), in a directed graph by both degrees, and by attributes.

    Examples
    --------
    >>> degree_labels(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    array([0, 1, 1, 0])
    """
    return colour_rounds(graph, 1, attributes)[0]


def neighbour_degree_labels(graph: Graph, attributes: Sequence[str] = (), progress: Progress | None = None) -> Labels:
    """Return labels by the degree and the multiset of the neighbours' degrees (H2), and by attributes.

    In a multigraph each neighbour's degree comes with the number of edges to it, in a weighted graph with the weight;
    in a directed graph those out and those in are told apart.

    Examples
    --------
    >>> neighbour_degree_labels(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4]))
    array([0, 1, 2, 1, 0])
    """
    return colour_rounds(graph, 2, attributes, progress)[1]


def refined_labels(
    graph: Graph, rounds: int = 2, attributes: Sequence[str] = (), progress: Progress | None = None
) -> Labels:
    """Return labels after some rounds of colour refinement from the degrees (H3: two rounds), and by attributes.

    Examples
    --------
    >>> refined_labels(Graph.of_edges([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]))
    array([0, 1, 2, 3, 2, 1, 0])
    """
    return colour_rounds(graph, rounds + 1, attributes, progress)[-1]


def neighbourhood_labels(graph: Graph, attributes: Sequence[str] = (), progress: Progress | None = None) -> Labels:
    """Return labels by the neighbourhood N(v), entries included: rows of the adjacency matrix, and columns too.

    Examples
    --------
    >>> neighbourhood_labels(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]))
    array([0, 1, 0, 1])
    """
    before = attribute_labels(graph, attributes).astype(np.int32) if attributes else None
    return _classes(graph, None, before, progress or Quiet())


def colour_rounds(
    graph: Graph, n_rounds: int, attributes: Sequence[str] = (), progress: Progress | None = None
) -> list[Labels]:
    """Return the labels by H1, H2, ..., each made from the one before.

    Attributes tell apart the vertices themselves; those of neighbours are not known.

    Examples
    --------
    >>> [labels.max() + 1 for labels in colour_rounds(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4]), 3)]
    [np.int64(2), np.int64(3), np.int64(3)]
    """
    shown = progress or Quiet()
    rounds = [numbered(group(degrees(graph)))]
    while len(rounds) < n_rounds:
        colours = rounds[-1].astype(np.int32)
        rounds.append(_classes(graph, colours, colours, shown))
    if not attributes:
        return rounds
    told_apart = attribute_labels(graph, attributes)
    return [numbered(group([labels, told_apart])) for labels in rounds]


def numbered(labels: NDArray[np.integer]) -> Labels:
    """Return labels numbered from 0 in the order of their first vertices.

    Examples
    --------
    >>> numbered(np.array([7, 3, 7]))
    array([0, 1, 0])
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def watched(progress: Progress, stage: str, work: Callable[[kernels.Pulse], Result]) -> Result:
    """Run a kernel under a new pulse, shown as a stage of its own.

    Examples
    --------
    >>> watched(Quiet(), "count", lambda pulse: 42)
    42
    """
    pulse = kernels.Pulse()
    progress.stage(stage)
    return watch(pulse, progress, lambda: work(pulse))


def _classes(
    graph: Graph, colours: NDArray[np.int32] | None, before: NDArray[np.int32] | None, shown: Progress
) -> Labels:
    rows = [_rows(graph.out), _rows(graph.into)] if graph.directed else [_rows(graph.out)]
    seed = secrets.randbits(64)  # nobody can prepare a graph whose hashes fall together
    labels = watched(
        shown,
        "compare vertices",
        lambda pulse: kernels.graph_classes(rows, graph.n_vertices, colours, before, seed, pulse),
    )
    return labels.astype(np.int64)


def _rows(adjacency: Adjacency) -> Rows:
    """Return the rows as the kernels want them: without entries where all are the same."""
    entries = adjacency.entries
    tells_apart = len(entries) > 0 and int(entries.min()) != int(entries.max())
    return adjacency.starts, adjacency.indices, np.ascontiguousarray(entries, np.int64) if tells_apart else None
