"""Row numbers: a column that counts the rows keeps an order that a shuffle should have ended (A8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published

_STORED_INDEX = re.compile(r"__index_level_\d+__|Unnamed: 0(_level_0)?")
"""What pandas calls an index without a name where it becomes a column."""
_LEAST_ROWS, _LEAST_ROWS_WITH_GAPS = 5, 20
_MOST_GAPS = 1.25
"""Rows that were taken out leave gaps: up to so many numbers for each row that is there."""
_FIRST_YEAR, _LAST_YEAR = 1800, 2250


def row_numbers(published: Published) -> list[Finding]:
    """Find columns of whole numbers that run from row to row, each once.

    In small tables numbers count that run from 0 or 1 without a gap, from 20 rows on also others, with gaps for one
    row in five, unless all could be years. A column that pandas names as its index counts in any case.

    Examples
    --------
    >>> table = Published(pl.DataFrame({"n": [3, 1, 5, 2, 4], "age": [40, 41, 43, 42, 44]}))
    >>> [(one.code, one.column) for one in row_numbers(table)]
    [('ROW_NUMBERS', 'n')]
    """
    return [finding for column in published.kept for finding in _of_column(published, column)]


def _of_column(published: Published, column: str) -> Iterator[Finding]:
    numbers = _distinct_numbers(published, column)
    if numbers is None or not (_STORED_INDEX.fullmatch(column) or _run(numbers)):
        return
    steps = np.diff(numbers)
    if (steps > 0).all() or (steps < 0).all():
        yield Finding(
            "ROW_NUMBERS",
            "warning",
            "'{column}' numbers the rows: their order stays known however they are shuffled later, and where it is "
            "that of the input it tells who is who. Drop the column.",
            column,
            n_rows=published.n_rows,
        )
    else:
        yield Finding(
            "ROW_NUMBERS",
            "warning",
            "'{column}' numbers the rows in another order than that of the file: it tells where each of them stood "
            "before. Drop the column.",
            column,
            n_rows=published.n_rows,
        )


def _distinct_numbers(published: Published, column: str) -> NDArray[np.int64] | None:
    """Return the whole numbers of a column in the order of its rows; ``None`` where it holds others, or one twice."""
    dtype = published.frame.schema[column]
    if published.n_rows < _LEAST_ROWS or not (dtype.is_integer() or dtype.is_float() or dtype == pl.String):
        return None
    texts = published.values(column).texts
    if len(texts) < published.n_rows or not texts.head(_LEAST_ROWS).str.contains(r"^\d{1,15}$").all():
        return None
    numbers = texts.cast(pl.Int64, strict=False)
    return None if numbers.null_count() else numbers.to_numpy()


def _run(numbers: NDArray[np.int64]) -> bool:
    first, last, n_rows = int(numbers.min()), int(numbers.max()), len(numbers)
    if last - first + 1 == n_rows and first in (0, 1):
        return True
    if n_rows < _LEAST_ROWS_WITH_GAPS or (first >= _FIRST_YEAR and last <= _LAST_YEAR):
        return False
    return last - first + 1 <= _MOST_GAPS * n_rows
