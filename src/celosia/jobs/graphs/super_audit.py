"""The last look at a super-graph: whether its counts are those of the graph, edge by edge, by means of its own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from celosia.base.errors import AuditError, CelosiaError
from celosia.data.hierarchies import ancestors_of
from celosia.data.hierarchies.domains import Levels
from celosia.data.io.spelling import spell
from celosia.data.schema import Table
from celosia.graphs.files import read

if TYPE_CHECKING:
    from celosia.jobs.graphs.super_release import SuperGraph

_HINT = "nothing was handed out. This is a fault of Celosía: please report it with k, without the graph."


def audit_super_graph(made: SuperGraph, table: Table | None) -> None:
    """Count everything anew from the original and who is in which cluster.

    Parameters
    ----------
    made
        The super-graph.
    table
        The attributes of the original's vertices, if clusters publish some.

    Raises
    ------
    AuditError
        A cluster is too small or lies on both sides, a count is wrong, or an attribute is not true of a member.
    """
    original, labels = made.original, made.labels.tolist()
    members = Counter(labels)
    if len(labels) != original.n_vertices or sorted(members) != list(range(made.n_clusters)):
        raise _rejected("its vertices are not those of the original")
    if min(members.values()) < made.k:
        raise _rejected(f"a cluster has fewer than {made.k} vertices")
    if [members[label] for label in range(made.n_clusters)] != made.sizes.tolist():
        raise _rejected("a size is wrong")
    if original.sides is not None and len(set(zip(labels, original.sides.tolist(), strict=True))) != made.n_clusters:
        raise _rejected("a cluster lies on both sides")
    counts: Counter[tuple[int, int]] = Counter()
    for start, end in zip(original.source.tolist(), original.target.tolist(), strict=True):
        if start != end:
            one, other = labels[start], labels[end]
            counts[(one, other) if original.directed or one <= other else (other, one)] += 1
    if [counts.pop((label, label), 0) for label in range(made.n_clusters)] != made.inner.tolist():
        raise _rejected("a number of inner edges is wrong")
    pairs = list(zip(made.source.tolist(), made.target.tolist(), strict=True))
    if len(set(pairs)) < len(pairs) or dict(zip(pairs, made.between.tolist(), strict=True)) != dict(counts):
        raise _rejected("a number of edges between clusters is wrong")
    if table is not None:
        _check_truth(made, table)


def _check_truth(made: SuperGraph, table: Table) -> None:
    """Refuse attributes of a cluster that are not true of a member."""
    from celosia.audit import contains  # here: it is large, and most super-graphs publish no attribute

    for column in table.quasi_identifiers:
        ancestors = ancestors_of(column.domain) if isinstance(column.domain, Levels) else None
        told = spell(made.attributes.select(column.name), decimal=".")[column.name].to_list()
        own = spell(column.values.to_frame(), decimal=".").to_series().to_list()
        pairs = set(zip((told[label] for label in made.labels.tolist()), own, strict=True))
        kind = column.hierarchy.name
        if not all(contains(cell, value, kind, ancestors=ancestors) for cell, value in pairs):
            raise _rejected(f"the attribute '{column.name}' of a cluster is not true of all its members")


def audit_super_file(path: Path, beside: Path | None, format: str, made: SuperGraph) -> None:
    """Read a written super-graph back and compare it.

    Raises
    ------
    AuditError
        The file cannot be read, or holds something else.
    """
    wanted = _told(made.counts())
    try:
        is_plain = format == "json"
        found = _told(json.loads(path.read_text("utf-8"))) if is_plain else _read_back(path, beside, format, made)
    except CelosiaError as error:
        raise _rejected(f"the written file cannot be read ({error.message})") from None
    except (ValueError, KeyError, TypeError, pl.exceptions.PolarsError):  # cut short, or without what it must hold
        raise _rejected("the written file does not hold clusters") from None
    if found != wanted:
        raise _rejected("the written file holds other clusters")


def _told(counts: dict[str, Any]) -> tuple[set[tuple[Any, ...]], set[tuple[Any, ...]]]:
    """Return clusters and the links between them, all as texts."""
    clusters = {
        (str(one["id"]), str(one["size"]), str(one["inner"]), *(map(_text, one["attributes"].values())))
        for one in counts["clusters"]
    }
    between = set()
    for one in counts["between"]:
        ends = [str(one["source"]), str(one["target"])]
        between.add((*(ends if counts["directed"] else sorted(ends)), str(one["edges"])))
    return clusters, between


def _read_back(path: Path, beside: Path | None, format: str, made: SuperGraph) -> Any:
    back = read(path, format=format, directed=made.directed, bipartite=made.original.sides is not None, vertices=beside)
    names = [str(name) for name in back.names.to_list()]
    columns = ["size", "inner", *made.attributes.columns]
    clusters = {(name, *map(_text, row)) for name, row in zip(names, back.vertices.select(columns).rows(), strict=True)}
    between = set()
    counts = back.edges["edges"].to_list() if back.n_edges else []
    for start, end, count in zip(back.source.tolist(), back.target.tolist(), counts, strict=True):
        ends = [names[start], names[end]]
        between.add((*(ends if made.directed else sorted(ends)), str(count)))
    return clusters, between


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _rejected(reason: str) -> AuditError:
    return AuditError(f"the made super-graph was rejected: {reason}.", hint=_HINT)
