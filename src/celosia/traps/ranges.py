"""Ranges: those that run from high to low, and lists of them in which a number fits two (T-P1, T-P2, T-M3)."""

from __future__ import annotations

import numpy as np
import polars as pl

from celosia.findings import Finding
from celosia.traps.base import Published, Values

__all__ = ["ranges"]

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_DASHED = rf"^({_NUMBER})\s*[-–]\s*({_NUMBER})$"
_BRACKETS = rf"^[\[(]\s*({_NUMBER})\s*[,;]\s*({_NUMBER})\s*[\])]$"
_OTHERS = rf"^(?:(?:<=|>=|<|>)\s*)?{_NUMBER}$|^\*+$"
_CODES = r"(?:^|[-–,;\[(\s])0\d"
"""A zero in front is that of a month, a day or a code."""
_MOST_VALUES = 5_000
_LEAST_SHARE = 0.9
_MOST_REVERSED = 0.2
_LEAST_LISTED = 3


def ranges(published: Published) -> list[Finding]:
    """Find columns of ranges with reversed ones, such as ``2022-2020``, and lists such as 8-9, 9-10, 10-11.

    Cells as ``3-1`` may be anything. A column is one of ranges where nine of ten cells are ranges or numbers, none with
    a zero in front or with equal ends, and among dashed ones at most one value in five (or a single one) is
    reversed. A list is one of at least three dashed ranges, equally wide, that meet in their ends and nowhere else:
    ranges that overlap more were made class by class, which is well.

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


def _ends(values: Values) -> pl.DataFrame | None:
    """Return the ends of each value, missing where it is no range, and if it is dashed; ``None`` if too few are."""
    texts = values.texts
    dashed, brackets = texts.str.extract_groups(_DASHED).struct, texts.str.extract_groups(_BRACKETS).struct
    ends = pl.DataFrame(
        {
            "low": dashed.field("1").fill_null(brackets.field("1")).cast(pl.Float64),
            "high": dashed.field("2").fill_null(brackets.field("2")).cast(pl.Float64),
            "is_dashed": dashed.field("1").is_not_null(),
        }
    )
    is_range = ends["low"].is_not_null()
    is_known = is_range | texts.str.contains(_OTHERS)
    if not is_range.any() or values.rows_where(is_known.to_numpy()) < _LEAST_SHARE * int(values.counts.sum()):
        return None
    if (ends["low"] == ends["high"]).any() or texts.filter(is_range).str.contains(_CODES).any():
        return None
    return ends


def _reversed(column: str, values: Values, ends: pl.DataFrame) -> list[Finding]:
    is_reversed = (ends["low"] > ends["high"]).fill_null(False)
    n_dashed, n_wrong = int(ends["is_dashed"].sum()), int((is_reversed & ends["is_dashed"]).sum())
    if n_wrong > max(1, _MOST_REVERSED * n_dashed) or 0 < n_wrong == n_dashed:
        is_reversed &= ~ends["is_dashed"]
    n_rows = values.rows_where(is_reversed.to_numpy())
    if not n_rows:
        return []
    return [
        Finding(
            "RANGE_REVERSED",
            "warning",
            "In {n_rows} rows the range of '{column}' runs from high to low: programs refuse or misread it, and an end "
            "in the wrong place may well be a wrong one. Check that each range covers its rows, and write the lower "
            "end first.",
            column,
            {"n_rows": n_rows},
            n_rows,
        )
    ]


def _overlapping(column: str, values: Values, ends: pl.DataFrame) -> list[Finding]:
    listed = ends.filter(pl.col("is_dashed") & (pl.col("low") < pl.col("high"))).select("low", "high")
    lows, highs = (part.to_numpy() for part in listed.unique().sort("low", "high").get_columns())
    if len(lows) < _LEAST_LISTED:
        return []
    meets = lows[1:] == highs[:-1]
    widths = highs - lows
    if meets.sum() < 2 or (lows[1:] < highs[:-1]).any() or not np.allclose(widths, widths[0]):
        return []
    shared = np.unique(highs[:-1][meets])
    touching = ends["is_dashed"] & (ends["low"].is_in(shared) | ends["high"].is_in(shared))
    n_rows = values.rows_where(touching.fill_null(False).to_numpy())
    return [
        Finding(
            "RANGES_OVERLAP",
            "warning",
            "The ranges of '{column}' meet in {count} numbers that belong to two of them ({n_rows} rows): nobody can "
            "tell which range such a number was put into. Let each range begin above the end of the one before, or "
            "write half-open ones such as [8, 9).",
            column,
            {"count": len(shared), "n_rows": n_rows},
            n_rows,
        )
    ]
