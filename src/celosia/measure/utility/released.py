"""What measures are given: a release, a recoding, classes or labels; whole, or some of its rows."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.data.classes import Classes
from celosia.data.outcome import TableOutcome
from celosia.data.recode import Recoding, recode
from celosia.data.schema import QuasiIdentifier, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class Part(Recoding):
    """Some rows of a recoding; classes, published values and the domains of columns stay those of the whole.

    Attributes
    ----------
    total
        The whole recoding.
    rows
        The numbers of these rows in the whole.
    source
        What the whole was given as.
    """

    total: Recoding
    rows: NDArray[np.intp]
    source: Any


def recoding_of(table: Table, released: Any) -> Recoding:
    """Return the recoding of a release, of classes or of labels per original row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    Examples
    --------
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 10]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> recoding_of(table, [0, 0, -1]).frame()["mark"].to_list()
    ['[5, 8]', '[5, 8]']
    """
    if isinstance(released, Recoding):
        recoding = released
    elif isinstance(released, TableOutcome):
        recoding = released.recoding
    else:
        return recode(table, released if isinstance(released, Classes) else Classes(released))
    if len(recoding.searched) != table.n_rows:
        raise InputError(
            f"the release was made of {len(recoding.searched)} rows, the table has {table.n_rows}.",
            hint="measure a release against the table it was made from: release.table.",
        )
    return recoding


def total_of(recoding: Recoding) -> tuple[Recoding, NDArray[np.intp]]:
    """Return the whole that a recoding is part of (itself if it is whole), and the numbers of its rows in it."""
    if isinstance(recoding, Part):
        return recoding.total, recoding.rows
    return recoding, np.arange(len(recoding.searched))


def part_of(recoding: Recoding, rows: NDArray[np.intp], source: Any) -> Part:
    """Return some rows of a whole recoding, as every measure takes it."""
    labels = recoding.searched.labels[rows]
    places = np.unique(labels[labels >= 0])
    return Part(
        table=part_of_table(recoding.table, rows),
        searched=Classes(labels),
        cells=tuple(replace(cells.at(places), column=_part_of_column(cells.column, rows)) for cells in recoding.cells),
        kept=recoding.kept,
        total=recoding,
        rows=rows,
        source=source,
    )


def part_of_table(table: Table, rows: NDArray[np.intp]) -> Table:
    """Return some rows of a table. Their quasi-identifiers keep the domains of the whole: a new table would fit new."""
    part = copy(table)
    part.frame = table.frame[rows]
    part.__dict__["quasi_identifiers"] = tuple(_part_of_column(column, rows) for column in table.quasi_identifiers)
    return part


def _part_of_column(column: QuasiIdentifier, rows: NDArray[np.intp]) -> QuasiIdentifier:
    return replace(column, values=column.values.gather(pl.Series(rows)), codes=column.codes[rows])
