"""Attributes that come cell by cell, as typed columns."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from celosia.base.errors import FormatError
from celosia.base.findings import Finding
from celosia.data.io.spelling import cell_text

_PLAIN = (bool, int, float, str, datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
_NESTED = (list, tuple, dict, set, frozenset, bytes, bytearray, np.ndarray)


class Cells:
    """Cells of attributes, collected row by row; a row may lack any of them.

    Examples
    --------
    >>> cells = Cells()
    >>> cells.put(0, "age", 39)
    >>> cells.put(2, "age", 44)
    >>> cells.frame(3)["age"].to_list()
    [39, None, 44]
    """

    def __init__(self) -> None:
        self._columns: dict[str, tuple[list[int], list[Any]]] = {}
        self._types: dict[str, Any] = {}
        self._defaults: dict[str, Any] = {}
        self._nested: set[str] = set()

    def put(self, row: int, name: str, value: Any) -> None:
        """Store one cell."""
        rows, values = self._columns.setdefault(name, ([], []))
        rows.append(row)
        values.append(value)

    def put_all(self, row: int, cells: Mapping[Any, Any]) -> None:
        """Store the cells of one row."""
        for name, value in cells.items():
            self.put(row, str(name), value)

    def declare(self, name: str, dtype: Any) -> None:
        """Have a column of this type, also where no row has a cell of it."""
        self._columns.setdefault(name, ([], []))
        self._types[name] = dtype

    def default(self, name: str, value: Any) -> None:
        """Have rows without a cell of this column take this value."""
        self._defaults[name] = value

    def frame(self, n_rows: int) -> pl.DataFrame:
        """Return the columns in the order in which they came up; nested ones are left aside."""
        columns = []
        for name, (rows, values) in self._columns.items():
            cells: list[Any] = [self._defaults.get(name)] * n_rows
            for row, value in zip(rows, values, strict=True):
                cells[row] = value
            column = pl.Series(name, cells, dtype=self._types[name]) if name in self._types else series_of(name, cells)
            if column is None:
                self._nested.add(name)
            else:
                columns.append(column)
        return pl.DataFrame(columns)

    def findings(self) -> list[Finding]:
        """Return what ``frame`` left aside."""
        return [
            Finding(
                "NESTED_ATTRIBUTE",
                "note",
                "The attribute '{column}' holds lists or structures; it was left aside.",
                name,
            )
            for name in sorted(self._nested)
        ]


def series_of(name: str, cells: list[Any]) -> pl.Series | None:
    """Return cells as a column: typed if all are of one kind, text if of several, ``None`` if one of them is nested.

    Whole numbers beyond 64 bits are text; NaN and ``None`` are missing.

    Raises
    ------
    FormatError
        A text holds half characters.

    Examples
    --------
    >>> series_of("age", [39, None]).dtype, series_of("age", [39, "44"]).to_list(), series_of("age", [[39]])
    (Int64, ['39', '44'], None)
    """
    plain = [_plain(cell) for cell in cells]
    if any(isinstance(cell, _NESTED) for cell in plain):
        return None
    kinds = {_kind(cell) for cell in plain if cell is not None}
    if kinds == {int} and all(-(2**63) <= cell < 2**63 for cell in plain if cell is not None):
        return pl.Series(name, plain, dtype=pl.Int64)
    if float in kinds and kinds <= {int, float}:
        return pl.Series(name, [None if cell is None else float(cell) for cell in plain], dtype=pl.Float64)
    if len(kinds) == 1 and not kinds & {int, str, object}:
        return pl.Series(name, plain)
    try:
        texts = [cell if isinstance(cell, str) else cell_text(cell) for cell in plain]
        return pl.Series(name, texts, dtype=pl.String)
    except UnicodeEncodeError:
        pass
    raise FormatError(f"the attribute '{name}' holds half characters (lone surrogates).", hint="read its source anew.")


def _plain(cell: Any) -> Any:
    if isinstance(cell, np.generic):
        cell = cell.item()
    # NaN, and the missing moment of pandas, are the values that differ from themselves.
    return None if isinstance(cell, float | datetime.datetime) and cell != cell else cell


def _kind(cell: Any) -> type:
    if isinstance(cell, datetime.datetime) and cell.tzinfo is not None:
        return object  # as text: its own date would change with a change of zone
    return next((kind for kind in _PLAIN if isinstance(cell, kind)), object)
