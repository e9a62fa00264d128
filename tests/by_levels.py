"""Classes and extents as a search makes them that recodes by levels: each column, or each part of the rows, by its own.

Columns with a hierarchy use its levels. Numbers and ordered values get three made-up ones (the value, pairs of
neighbours, ``*``), categories two (the value, ``*``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import celosia as cl
from celosia.data.classes import Classes, group
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.recode import Extents, Recoding, recode
from celosia.data.schema import QuasiIdentifier

_MISSING = -1


def n_levels(column: QuasiIdentifier) -> int:
    if isinstance(column.domain, Levels):
        return column.domain.n_levels
    return 2 if isinstance(column.domain, Bag) else 3


def recode_by_levels(
    table: cl.Table, levels: dict[str, Sequence[int]], suppressed: Sequence[bool] | None = None
) -> Recoding:
    """Publish every row on its own levels: ``levels[column][row]``; a row of the top level is ``*``."""
    columns = table.quasi_identifiers
    dropped = np.zeros(table.n_rows, dtype=np.bool_) if suppressed is None else np.asarray(suppressed)
    keys = []
    for column in columns:
        of_rows = np.asarray(levels[column.name])
        keys += [of_rows, np.array([_place(column, row, level) for row, level in enumerate(of_rows.tolist())])]
    classes = Classes(np.where(dropped, -1, group(keys)))
    first = [int(np.flatnonzero(classes.labels == label)[0]) for label in range(classes.n_classes)]
    return recode(table, classes, extents={column.name: _extents(column, first, levels) for column in columns})


def _place(column: QuasiIdentifier, row: int, level: int) -> int:
    """Which of the published values of a level a row gets; -1 where it is published as missing, -2 for ``*``."""
    code = int(column.codes[row])
    if level == n_levels(column) - 1 and not (isinstance(column.domain, Levels) and code != _MISSING):
        return -2
    if code == _MISSING:
        return -1
    return int(column.domain.nodes[level, code]) if isinstance(column.domain, Levels) else code >> level


def _extents(column: QuasiIdentifier, rows: Sequence[int], levels: dict[str, Sequence[int]]) -> Extents:
    of_rows = [levels[column.name][row] for row in rows]
    places = [_place(column, row, level) for row, level in zip(rows, of_rows, strict=True)]
    spans = [_covered(column, place, level) for place, level in zip(places, of_rows, strict=True)]
    return Extents(
        low=np.array([low for low, _ in spans], dtype=np.int32),
        high=np.array([high for _, high in spans], dtype=np.int32),
        missing=np.array([place == -1 for place in places], dtype=np.bool_),
        anything=np.array([place == -2 for place in places], dtype=np.bool_),
        level=np.array(of_rows, dtype=np.int32),
        node=np.array(places, dtype=np.int32) if isinstance(column.domain, Levels) else None,
    )


def _covered(column: QuasiIdentifier, place: int, level: int) -> tuple[int, int]:
    """The lowest and the highest code under a published value."""
    domain = column.domain
    if place < 0:
        return 0, 0
    if isinstance(domain, Levels):
        codes = np.flatnonzero(domain.nodes[level] == place)
        return int(codes[0]), int(codes[-1])
    return place << level, min(((place + 1) << level) - 1, len(domain.values) - 1)
