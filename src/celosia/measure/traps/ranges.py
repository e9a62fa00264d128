"""Ranges: those that run from high to low, and lists of them in which a number fits two (T-P1, T-P2, T-M3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.measure.traps.amounts import RangeTexts, known_texts, read_ranges
from celosia.measure.traps.base import Published, Values

_MOST_VALUES = 5_000
_LEAST_SHARE = 0.9
_MOST_REVERSED = 0.2
_LEAST_LISTED = 3
_FIRST_YEAR, _LAST_YEAR = 1800, 2250
"""A school year such as 2021-2022 is a name: nobody asks into which of two a date falls."""


def ranges(published: Published) -> list[Finding]:
    """Find columns of ranges with reversed ones, such as ``2022-2020``, and lists such as 8-9, 9-10, 10-11.

    Cells as ``3-1`` may be anything. A column is one of ranges where nine of ten cells are ranges or numbers, none with
    a zero in front or with equal ends, and among dashed ones at most one value in five (or a single one) is
    reversed. A list is one of at least three dashed ranges, equally wide, that meet in their ends and nowhere else:
    ranges that overlap more were made class by class, which is well. School years such as ``2021-2022`` are no list.

    Examples
    --------
    >>> table = pl.DataFrame({"exam": ["6-4", "3-8", "4-7"], "age": ["8-9", "9-10", "10-11"]})
    >>> [(one.code, one.column, one.n_rows) for one in ranges(Published(table))]
    [('RANGE_REVERSED', 'exam', 1), ('RANGES_OVERLAP', 'age', 3)]
    """
    return [finding for column in published.kept for finding in _of_column(published, column)]


def _of_column(published: Published, column: str) -> list[Finding]:
    values = published.values(column)
    if published.frame.schema[column] != pl.String or not 0 < len(values.texts) <= _MOST_VALUES:
        return []
    ends = _ends(values)
    if ends is None:
        return []
    return [*_reversed(column, values, ends), *_overlapping(column, values, ends)]


def _ends(values: Values) -> RangeTexts | None:
    """Return the ends of each value; ``None`` where the column is not one of ranges."""
    ends = read_ranges(values.texts)
    is_known = ends.is_range | ends.single | ~known_texts(values.texts)
    if not ends.is_range.any() or values.rows_where(is_known) < _LEAST_SHARE * int(values.counts.sum()):
        return None
    return None if (ends.is_range & ((ends.low == ends.high) | ends.coded)).any() else ends


def _reversed(column: str, values: Values, ends: RangeTexts) -> Iterator[Finding]:
    is_reversed = ends.is_range & (ends.low > ends.high)
    n_dashed, n_wrong = np.count_nonzero(ends.dashed), np.count_nonzero(is_reversed & ends.dashed)
    if n_wrong > max(1, _MOST_REVERSED * n_dashed) or 0 < n_wrong == n_dashed:
        is_reversed &= ~ends.dashed
    n_rows = values.rows_where(is_reversed)
    if n_rows:
        yield Finding(
            "RANGE_REVERSED",
            "warning",
            "In {n_rows} rows the range of '{column}' runs from high to low: programs refuse or misread it, and an end "
            "in the wrong place may well be a wrong one. Check that each range covers its rows, and write the lower "
            "end first.",
            column,
            {"n_rows": n_rows},
            n_rows,
        )


def _overlapping(column: str, values: Values, ends: RangeTexts) -> Iterator[Finding]:
    listed = ends.dashed & (ends.low < ends.high)
    lows, highs = np.unique(np.column_stack([ends.low[listed], ends.high[listed]]), axis=0).T
    if len(lows) < _LEAST_LISTED:
        return
    meets = lows[1:] == highs[:-1]
    widths = highs - lows
    if meets.sum() < 2 or (lows[1:] < highs[:-1]).any() or not np.allclose(widths, widths[0]):
        return
    if widths[0] == 1 and lows[0] >= _FIRST_YEAR and highs[-1] <= _LAST_YEAR:
        return
    shared = np.unique(highs[:-1][meets])
    n_rows = values.rows_where(ends.dashed & (np.isin(ends.low, shared) | np.isin(ends.high, shared)))
    yield Finding(
        "RANGES_OVERLAP",
        "warning",
        "The ranges of '{column}' meet in {count} numbers that belong to two of them ({n_rows} rows): nobody can "
        "tell which range such a number was put into. Let each range begin above the end of the one before, or "
        "write half-open ones such as [8, 9).",
        column,
        {"count": len(shared), "n_rows": n_rows},
        n_rows,
    )
