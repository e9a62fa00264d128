"""Levels: exact values beside coarser ones in one column, such as 24700 beside 37*** (T-N2, T-N3)."""

from __future__ import annotations

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.measure.traps.amounts import read_ranges
from celosia.measure.traps.base import Published, Values

_CUT = r"^[\p{L}\p{N}]+(\*+)$"
_WHOLE = r"^[\p{L}\p{N}]+$"
_MOST_VALUES = 20_000
_LEAST_SHARE = 0.9


def mixed_levels(published: Published) -> list[Finding]:
    """Find columns whose values stand on several levels: cut at several places, or numbers beside ranges.

    A single ``*`` is a cell that is left out, no level. ``n_rows`` counts the rows that are not on the commonest one.

    Examples
    --------
    >>> table = pl.DataFrame({"zip": ["24700", "37***", "37***"], "age": ["30-39", "30-39", "44"]})
    >>> [(one.code, one.column, one.n_rows) for one in mixed_levels(Published(table))]
    [('MIXED_LEVELS', 'zip', 1), ('MIXED_LEVELS', 'age', 1)]
    """
    return [
        Finding(
            "MIXED_LEVELS",
            "note",
            "Values of different levels stand side by side in '{column}' ({n_rows} rows are not on the "
            "commonest one). Whoever knows that every class is published as finely as it can be may narrow the "
            "coarser ones down, and a program that expects one form misreads them.",
            column,
            {"n_rows": n_rows},
            n_rows,
        )
        for column in published.kept
        if (n_rows := _n_apart(published, column))
    ]


def _n_apart(published: Published, column: str) -> int:
    values = published.values(column)
    if published.frame.schema[column] != pl.String or not 1 < len(values.texts) <= _MOST_VALUES:
        return 0
    levels = _levels(values)
    counted = (
        levels.filter(levels != "").to_frame("level").with_columns(n=pl.Series(values.counts).filter(levels != ""))
    )
    sizes = counted.group_by("level").agg(pl.col("n").sum())["n"].to_numpy()
    n_cells = values.rows_where(~values.texts.str.contains(r"^\*+$").to_numpy())
    is_known = int(sizes.sum()) >= _LEAST_SHARE * n_cells
    return int(sizes.sum()) - int(sizes.max()) if is_known and len(sizes) > 1 else 0


def _levels(values: Values) -> pl.Series:
    """Return a text for the level of each value; an empty one where it has none."""
    texts = values.texts
    n_cut = texts.str.extract(_CUT).str.len_chars()
    if n_cut.null_count() < len(texts):
        length = texts.filter(n_cut.is_not_null()).str.len_chars()
        fits = texts.str.contains(_WHOLE) | n_cut.is_not_null()
        same = fits & (texts.str.len_chars() == length[0])
        return n_cut.fill_null(0).cast(pl.String).set(~same, "")
    ends = read_ranges(texts)
    is_number = ends.single & np.isfinite(ends.low) & np.isfinite(ends.high)
    is_range = ~np.isnan(ends.low) & ~is_number
    if not is_range.any():
        return pl.repeat("", len(texts), eager=True)
    return pl.Series(np.select([is_range, is_number], ["range", "number"], ""))
