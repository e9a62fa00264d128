"""super_graph: clusters of at least k vertices published in place of vertices, with counts of edges."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.entries import describe
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.progress import Progress, Quiet
from celosia.data.classes import Classes
from celosia.data.recode import recode
from celosia.data.schema import Schema, Table
from celosia.graphs.attributes import masked
from celosia.graphs.clusters import greedy_clusters
from celosia.graphs.colours import attribute_labels
from celosia.graphs.files.outgoing import without
from celosia.graphs.files.reading import given_graph
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import checked_number
from celosia.graphs.publishing import refuse_parallel
from celosia.jobs.graphs.super_audit import audit_super_graph
from celosia.jobs.graphs.super_release import EDGES, INNER, SIZE, SuperGraph
from celosia.masks.base import Mask
from celosia.measure.utility.gcp import gcp


def super_graph(
    graph: Any,
    k: int,
    attributes: Sequence[str] | Mapping[str, Any] = (),
    *,
    weights: tuple[float, float] = (1.0, 1.0),
    masks: Sequence[Mask] = (),
    drop: Collection[str] = (),
    seed: int | None = None,
    progress: Progress | None = None,
) -> SuperGraph:
    """Publish clusters of at least k vertices in place of vertices, with the number of edges inside and between them.

    Clusters are grown as SaNGreeA does: from the vertex with most links, taking those that cost least in structure and
    attributes. In a bipartite graph each cluster lies on one side. All counts are made anew, edge by edge, before the
    result is handed out.

    Parameters
    ----------
    graph
        A Graph, or what ``read`` takes. Parallel edges are refused, loops left aside.
    k
        A whole number from 2.
    attributes
        Attributes of vertices to be published, made as coarse as each cluster needs: names (numbers become ranges, also
        where a text file spells them; all else, such as codes with leading zeros, sets of values), or names with a kind
        or hierarchy, as in a ``Schema``. All others are left behind.
    weights
        How much attributes and structure count while clusters grow.
    masks
        What is done to the attributes of vertices first, such as ``Generalise``.
    drop
        Attributes of vertices or edges that are left behind; those of edges and those not named above are anyway.
    seed
        For repeatable runs: for tests, as whoever knows it can undo the shuffle.

    Guarantee
    ---------
    Whoever looks for a person in the output is left with a cluster of at least k vertices that it does not tell apart:
    not by attributes, not by links. It does not hide links: where a count is that of all pairs, every link is certain,
    and a finding says so. The number of vertices, of edges and the sizes are told as they are. Somebody who knows more
    than the output, such as the clusters of friends, may learn in which cluster a person is.

    Raises
    ------
    UnreachableError
        There are fewer than k vertices, on a side of a bipartite graph too.
    InputError
        The graph has parallel edges, or an attribute does not fit its kind.
    OptionError
        An option is out of range.
    AuditError
        The result did not stand up to the last look; nothing is handed out.

    References
    ----------
    Campan, A., Truta, T. M. (2008). A clustering approach for data and structural anonymity in social networks.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> found = super_graph(square, 2, seed=1)
    >>> found.sizes.tolist(), found.inner.tolist(), found.between.tolist(), found.structural_loss
    ([2, 2], [0, 0], [4], 0.0)
    """
    start = time.monotonic()
    least = checked_number(k, "k", 2, "k = 1 hides nobody.")
    counted, randomness, shown = checked_weights(weights), Randomness(seed), progress or Quiet()
    own = without(masked(given_graph(graph), masks), drop)
    _refuse(own, least)
    table = _table(own, attributes)
    groups = np.zeros(own.n_vertices, dtype=np.int64) if own.sides is None else own.sides.astype(np.int64)
    columns = [] if table is None else table.quasi_identifiers
    shown.stage("cluster")
    labels = greedy_clusters(_without_loops(own), groups, least, columns, counted, randomness, shown)
    labels = randomness.permutation(int(labels.max()) + 1)[labels].astype(np.int64)
    shown.stage("audit")
    options: dict[str, Any] = {} if table is None else {"attributes": _described(table)}
    made = _counted(own, table, labels, least)
    made = replace(
        made,
        options=options if counted == (1.0, 1.0) else options | {"weights": list(counted)},
        masks=tuple(masks),
        seed_fixed=seed is not None,
        seconds=time.monotonic() - start,
    )
    audit_super_graph(made, table)
    return made


def _refuse(graph: Graph, k: int) -> None:
    refuse_parallel(graph, "a super-graph counts every pair once")
    sizes = [graph.n_vertices] if graph.sides is None else np.bincount(graph.sides, minlength=2).tolist()
    fewest = min((size for size in sizes if size), default=0)
    if fewest < k:
        where = "there are" if graph.sides is None else "one side has"
        raise UnreachableError(
            f"a cluster needs at least {k} vertices; {where} {fewest}.",
            hint="take a smaller k." if fewest > 1 else None,
        )


def _without_loops(graph: Graph) -> Graph:
    there = graph.source != graph.target
    return Graph.of_edges(graph.source[there], graph.target[there], graph.n_vertices, directed=graph.directed)


def checked_weights(weights: object) -> tuple[float, float]:
    """Return how much attributes and structure count, or raise ``OptionError``.

    Examples
    --------
    >>> checked_weights([2, 1])
    (2.0, 1.0)
    """
    if (
        not isinstance(weights, tuple | list)
        or len(weights) != 2
        or not all(
            isinstance(weight, int | float) and not isinstance(weight, bool) and 0 <= weight < float("inf")
            for weight in weights
        )
        or not sum(weights) > 0
    ):
        raise OptionError(
            "weights must be two numbers from 0, of attributes and of structure.",
            hint="(1, 1) is usual.",
            about="weights",
        )
    return float(weights[0]), float(weights[1])


def _table(graph: Graph, attributes: Sequence[str] | Mapping[str, Any]) -> Table | None:
    """Return the attributes as a table's quasi-identifiers."""
    if not isinstance(attributes, str | Sequence | Mapping):
        raise OptionError("attributes must be a list of names.", hint='such as ["age"].', about="attributes")
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    if not names:
        return None
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise OptionError("attributes must be names, none of them twice.", hint='such as ["age"].', about="attributes")
    attribute_labels(graph, names)  # refuses those that are not there
    taken = [name for name in names if name in (SIZE, INNER, EDGES, "id")]
    if taken:
        raise InputError(
            f"the attribute '{taken[0]}' has a name that the output needs (id, {SIZE}, {INNER}, {EDGES}).",
            hint="rename it in the file.",
        )
    if isinstance(attributes, Mapping):
        kinds = dict(attributes)
    else:
        kinds = {name: "number" if _holds_numbers(graph.vertices[name]) else "category" for name in names}
    table = Table(graph.vertices.select(names), Schema(quasi_identifiers=kinds), name=graph.name)
    for column in table.quasi_identifiers:
        if int(column.codes.min(initial=0)) < -1:
            raise InputError(f"the hierarchy of '{column.name}' does not know all values.", hint="extend it.")
    return table


def _holds_numbers(column: pl.Series) -> bool:
    """Say whether a column holds numbers, or texts that spell some; 01001 is a code and no number."""
    if column.dtype != pl.String:
        return column.dtype.is_numeric()
    known = column.drop_nulls()
    return len(known) > 0 and bool(known.str.contains(r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$").all())


def _described(table: Table) -> dict[str, Any]:
    """Return the attributes with their kinds, as a plan says them."""
    return {
        name: "number" if kind.name == "number" else "category" if kind.name == "category" else describe(kind)
        for name, kind in ((column.name, column.hierarchy) for column in table.quasi_identifiers)
    }


def _counted(graph: Graph, table: Table | None, labels: NDArray[np.int64], k: int) -> SuperGraph:
    """Count the edges of every block, and what is lost by telling no more."""
    sizes = np.bincount(labels).astype(np.int64)
    n_clusters = len(sizes)
    there = graph.source != graph.target
    left, right = labels[graph.source[there]], labels[graph.target[there]]
    if not graph.directed:
        left, right = np.minimum(left, right), np.maximum(left, right)
    blocks, counts = np.unique(left * n_clusters + right, return_counts=True)
    left, right = blocks // n_clusters, blocks % n_clusters
    is_inner = left == right
    inner = np.zeros(n_clusters, dtype=np.int64)
    inner[left[is_inner]] = counts[is_inner]
    source, target, between = left[~is_inner], right[~is_inner], counts[~is_inner].astype(np.int64)
    n = graph.n_vertices
    greatest = n * (n - 1) / (2 if graph.directed else 4)
    n_within = sizes * (sizes - 1) // (1 if graph.directed else 2)
    return SuperGraph(
        original=graph,
        k=k,
        sizes=sizes,
        inner=inner,
        source=source.astype(np.int32),
        target=target.astype(np.int32),
        between=between,
        attributes=pl.DataFrame() if table is None else _shared(table, labels),
        intra_loss=_told_wrong(inner, n_within) / greatest,
        inter_loss=_told_wrong(between, sizes[source] * sizes[target]) / greatest,
        attribute_loss=None if table is None else gcp(table, labels),
        labels=labels,
        options={},
    )


def _told_wrong(counts: NDArray[np.int64], n_pairs: NDArray[np.int64]) -> float:
    """Return how many pairs are told wrong on average if the edges of each block are put in by chance."""
    return float((2.0 * counts * (1.0 - counts / np.maximum(n_pairs, 1))).sum())


def _shared(table: Table, labels: NDArray[np.int64]) -> pl.DataFrame:
    """Return the published attributes, a row per cluster."""
    first = np.unique(labels, return_index=True)[1]
    return recode(table, Classes(labels)).frame(first.astype(np.intp))
