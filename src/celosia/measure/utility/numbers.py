"""Columns of numbers before and after: what statistics and correlations are taken of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.data.io.numbers import parse_numbers
from celosia.data.recode import Recoding
from celosia.data.recode.spread import middles_of
from celosia.data.schema import Table

_GLANCE = 1000
"""So many rows tell of most columns of texts that they are none of numbers."""


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers per original row, before and after; NaN where there is none."""

    column: str
    before: NDArray[np.float64]
    after: NDArray[np.float64]


def numbers_of(table: Table, recoding: Recoding) -> list[NumberColumn]:
    """Return the quasi-identifiers that are numbers, then the sensitive columns whose every known value reads as one.

    A published range counts by its middle; ``*``, missing values and suppressed rows are NaN.
    """
    typed = {column.name: column for column in table.quasi_identifiers}
    found = [
        NumberColumn(
            cells.column.name,
            _floats(typed[cells.column.name].values),
            np.append(middles_of(cells), np.nan)[recoding.searched.labels],
        )
        for cells in recoding.cells
        if cells.column.hierarchy.value_type == "number" and cells.column.name in typed
    ]
    for name in recoding.table.schema.sensitive:
        if name in typed or name not in table.frame.columns:
            continue
        before = _secret(table, name)
        pair = before, before if recoding.table is table else _secret(recoding.table, name)
        if pair[0] is not None and pair[1] is not None:
            found.append(NumberColumn(name, pair[0], np.where(recoding.searched.suppressed, np.nan, pair[1])))
    return found


def _secret(table: Table, name: str) -> NDArray[np.float64] | None:
    column = table.frame[name]
    if column.dtype != pl.String and not column.dtype.is_numeric():
        return None
    if parse_numbers(column.head(_GLANCE), table.decimal)[1]:
        return None
    numbers, n_failed = parse_numbers(column, table.decimal)
    return None if n_failed or numbers.null_count() == len(numbers) else _floats(numbers)


def _floats(numbers: pl.Series) -> NDArray[np.float64]:
    return numbers.cast(pl.Float64).fill_null(np.nan).to_numpy()
