"""What a user should know about a made graph beside what ``check`` finds in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.graphs.graph import Graph
from celosia.graphs.publishing import Published

SEARCH_STOPPED = Finding(
    "SEARCH_STOPPED",
    "note",
    "The search was stopped before its end: this is the best graph that it had found. It satisfies every model; a "
    "longer search may take fewer edits.",
)


def findings_of_edits(
    original: Graph, made: Published, n_deleted: int, declared: Mapping[str, pl.Series]
) -> list[Finding]:
    """Return the findings about what was lost, and about what new edges and attributes give away.

    ``GRAPH_EMPTIED``: no edge is left. ``MOST_EDGES_LOST``: fewer than half of the original's edges are left, or fewer
    than half of the vertices that had an edge still have one. ``MOST_EDGES_NEW``: more than half of the published edges
    are new. ``NEW_EDGES_RECOGNISABLE``: of the edges with the declared values more than half are new.

    Parameters
    ----------
    original, made
        The graph before and after.
    n_deleted
        How many edges were deleted.
    declared
        The values that were declared for new edges.

    Examples
    --------
    >>> from celosia.graphs.publishing import published
    >>> from celosia.graphs.transforms.base import Edited
    >>> from celosia.base.chance import Randomness
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> made = published(path, Edited(path.source[:0], path.target[:0]), np.array([2, 0, 1]), {}, Randomness())
    >>> [found.code for found in findings_of_edits(path, made, 2, {})]
    ['GRAPH_EMPTIED']
    """
    return [
        *_losses(original, made, n_deleted),
        *_about_new_edges(made, declared),
        *_about_attributes(made.graph),
    ]


def n_non_isolated(graph: Graph) -> int:
    """Return how many vertices have an edge.

    Examples
    --------
    >>> n_non_isolated(Graph.of_edges([0], [1], 3))
    2
    """
    return int(np.count_nonzero((graph.out.degrees > 0) | (graph.into.degrees > 0)))


def _losses(original: Graph, made: Published, n_deleted: int) -> Iterator[Finding]:
    graph = made.graph
    n_before, n_kept = original.n_edges, original.n_edges - n_deleted
    linked_before, linked = n_non_isolated(original), n_non_isolated(graph)
    if n_before and not graph.n_edges:
        yield Finding(
            "GRAPH_EMPTIED",
            "warning",
            "The graph was emptied: none of {n_before} edges is left, and all {n_vertices} vertices are isolated. It "
            "hides everybody and tells nothing but their number. Ask for another model, or other edits; from k = 3 on "
            "a smaller k may keep more.",
            values={"n_before": n_before, "n_vertices": graph.n_vertices},
            n_rows=graph.n_vertices,
        )
    elif 2 * n_kept < n_before or 2 * linked < linked_before:
        yield Finding(
            "MOST_EDGES_LOST",
            "warning",
            "Most of the graph was lost: {n_kept} of {n_before} edges of the original are left, and {linked} of "
            "{linked_before} vertices that had an edge still have one.",
            values={"n_kept": n_kept, "n_before": n_before, "linked": linked, "linked_before": linked_before},
        )
    n_new = int(made.is_new.sum())
    if 2 * n_new > graph.n_edges:
        yield Finding(
            "MOST_EDGES_NEW",
            "warning",
            "Most edges of the published graph are new: {n_new} of {n_edges} are not in the original.",
            values={"n_new": n_new, "n_edges": graph.n_edges},
        )


def _about_new_edges(made: Published, declared: Mapping[str, pl.Series]) -> Iterator[Finding]:
    n_new, cells = int(made.is_new.sum()), made.graph.edges
    if not n_new or not cells.width:
        return
    if set(declared) < set(cells.columns):
        yield Finding(
            "NEW_EDGES_DRAWN",
            "note",
            "{n_new} new edges have attributes of edges that were there, drawn by chance: empty or constant ones would "
            "mark them. They say nothing true about these links.",
            values={"n_new": n_new},
        )
    if not declared:
        return
    names = list(declared)
    is_same = np.ones(cells.height, dtype=np.bool_)
    for name, value in declared.items():
        is_same &= cells[name].eq_missing(value.new_from_index(0, cells.height)).to_numpy().astype(np.bool_)
    n_old = int((is_same & ~made.is_new).sum())
    if n_new > n_old:
        yield Finding(
            "NEW_EDGES_RECOGNISABLE",
            "warning",
            "The values declared for new edges ({names}) give them away: {n_new} new edges have them, and only {n_old} "
            "of the others. Whoever removes those edges undoes what was added. Leave the declaration out: then values "
            "are drawn.",
            values={"names": ", ".join(names), "n_new": n_new, "n_old": n_old},
        )


def _about_attributes(graph: Graph) -> Iterator[Finding]:
    for column in graph.edges.get_columns():
        n_values = column.n_unique()
        if n_values > 1:
            yield Finding(
                "EDGE_ATTRIBUTE",
                "warning",
                "The attribute '{column}' of edges has {n_values} different values, and no model protects it: whoever "
                "knows it of a person's links may find the person. Drop it, or make it coarser before you read it.",
                column.name,
                values={"n_values": n_values},
            )
