"""What a recoding gives away by being the finest that its classes allow (A7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import Levels
from celosia.data.recode import Recoding, Scope
from celosia.data.recode.extents import extents_of
from celosia.data.schema import Table


def about_levels(table: Table, scope: Scope) -> list[Finding]:
    """Find columns in which values of several levels of one hierarchy stand side by side."""
    mixed = [
        column.name
        for column in table.quasi_identifiers
        if isinstance(column.domain, Levels) and scope.columns[column.name] != "full-domain"
    ]
    if not mixed:
        return []
    return [
        Finding(
            "MIXED_LEVELS",
            "note",
            "Values of different levels stand side by side in {columns}. Whoever knows that every class is published "
            "as finely as it can be may narrow the coarser ones down, and a program that expects one form misreads "
            "them. A search for one level per column (Lattice, Datafly) avoids both.",
            mixed[0] if len(mixed) == 1 else None,
            {"columns": ", ".join(mixed)},
        )
    ]


def about_tight_ranges(recoding: Recoding) -> list[Finding]:
    """Find ranges both ends of which are the true value of somebody in the class.

    Numbers without a hierarchy are published so unless a grid moves the ends outwards, and it is their least loss: a
    note therefore, and no warning. Of a file whose making is not known ``traps.tight_ranges`` warns.
    """
    columns, tight = [], np.zeros(recoding.searched.n_classes, dtype=np.bool_)
    for cells in recoding.cells:
        hierarchy = cells.column.hierarchy
        if not isinstance(hierarchy, Number) or hierarchy.publish == "centroid" or hierarchy.grid is not None:
            continue
        true, shown = extents_of(recoding.searched, cells.column.codes), cells.extents
        is_range = true.plain & shown.plain & (shown.low < shown.high)
        own = is_range & (true.low == shown.low) & (true.high == shown.high)
        if own.any():
            columns.append(cells.column.name)
            tight |= own
    if not columns:
        return []
    n_rows = int(recoding.searched.sizes[tight].sum())
    return [
        Finding(
            "TIGHT_RANGES",
            "note",
            "Both ends of the ranges that {n_rows} rows publish in {columns} are true values of somebody in the class. "
            "A grid (grid: in the plan) moves them outwards.",
            columns[0] if len(columns) == 1 else None,
            {"n_rows": n_rows, "columns": ", ".join(columns)},
            n_rows=n_rows,
        )
    ]


def about_tight_levels(recoding: Recoding, scope: Scope, k: int) -> list[Finding]:
    """Find classes of just k people that are published by a node because they do not fit into one below it.

    Whoever knows that every class is published as finely as it can be then knows that they do not all lie below one
    child of the node: of two people under a node of two children there is one under each.

    Parameters
    ----------
    k
        The fewest people that the models allow in a class.
    """
    classes = recoding.classes
    just = classes.units(recoding.table.subjects) == k
    columns, tight = [], np.zeros(classes.n_classes, dtype=np.bool_)
    for cells in recoding.cells:
        domain = cells.column.domain
        if not isinstance(domain, Levels) or scope.columns[cells.column.name] != "cell-local":
            continue
        true, shown = extents_of(classes, cells.column.codes), _of_merged(recoding, cells.extents.node)
        own = just & true.plain & (shown >= len(domain.values))
        own[own] = domain.lowest_common(true.low[own], true.high[own]) == shown[own]
        if own.any():
            columns.append(cells.column.name)
            tight |= own
    if not columns:
        return []
    n_rows = int(classes.sizes[tight].sum())
    return [
        Finding(
            "REFINABLE",
            "note",
            "{n_classes} classes of just {k} people ({n_rows} rows) are published in {columns} by a group because "
            "no part of it holds them all: whoever knows that classes are as fine as can be knows that they lie in "
            "different parts. A search for one level per column (Lattice, Datafly) avoids it.",
            columns[0] if len(columns) == 1 else None,
            {
                "n_classes": int(np.count_nonzero(tight)),
                "k": k,
                "n_rows": n_rows,
                "columns": ", ".join(columns),
            },
            n_rows=n_rows,
        )
    ]


def _of_merged(recoding: Recoding, nodes: NDArray[np.int32] | None) -> NDArray[np.int32]:
    """Return the node of each class of equal published rows from those of the searched ones; -1 where it has none."""
    merged = np.full(recoding.classes.n_classes, -1, dtype=np.int32)
    published = ~recoding.searched.suppressed
    if nodes is not None:
        merged[recoding.classes.labels[published]] = nodes[recoding.searched.labels[published]]
    return merged
