"""Columns of plain cells: no categories, no nesting, no index, no NaN."""

from __future__ import annotations

import re

import polars as pl

from celosia.base.errors import FormatError

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def plain_columns(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Return the frame with categories as text, NaN as missing and pandas' stored index dropped.

    A categorical column keeps every category it ever had, also those of rows that are gone; plain text does not.

    Parameters
    ----------
    frame
        Any frame.
    source
        What to call it in messages.

    Raises
    ------
    FormatError
        When a column holds lists, structures, bytes or Python objects.

    Examples
    --------
    >>> frame = pl.DataFrame({"job": pl.Series(["clerk"], dtype=pl.Categorical), "__index_level_0__": [7]})
    >>> dict(plain_columns(frame, "people.parquet").schema)
    {'job': String}
    """
    kept = [name for name in frame.columns if not _PANDAS_INDEX.fullmatch(name)]
    columns: list[pl.Series] = []
    for name in kept:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise FormatError(
                f"a column of {source} has a name that would be read as a pattern ('*', or '^' to '$').",
                hint="rename it.",
            )
        dtype = frame.schema[name]
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise FormatError(
                f"column '{name}' of {source} holds {str(dtype).partition('(')[0].lower()} cells; "
                "allowed: text, numbers, truth values, dates and times.",
                hint="split it into plain columns, or leave it out.",
            )
        if dtype in (pl.Categorical, pl.Enum, pl.Null):
            columns.append(frame[name].cast(pl.String))
        elif dtype.is_float():
            columns.append(without_nan(frame[name]))
        elif dtype == pl.Int128:
            columns.append(_in_64_bits(frame[name]))
        else:
            columns.append(frame[name])
    return frame.select(columns)


def _in_64_bits(column: pl.Series) -> pl.Series:
    """Return whole numbers of 128 bits in 64, or as text where they do not fit."""
    narrow = column.cast(pl.Int64, strict=False)
    return narrow if narrow.null_count() == column.null_count() else column.cast(pl.String)


def without_nan(column: pl.Series) -> pl.Series:
    """Return a column of floats with NaN as missing; one that has none comes back itself, without a copy.

    Examples
    --------
    >>> without_nan(pl.Series([39.0, float("nan")])).to_list()
    [39.0, None]
    """
    return column.fill_nan(None) if column.is_nan().any() else column
