"""Published cells as text: numbers with the wished decimal mark, dates and times in ISO 8601."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

_DECIMAL_NUMBER = r"^[+-]?[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?$"


def spell(frame: pl.DataFrame, *, decimal: str, numbers: Collection[str] = ()) -> pl.DataFrame:
    """Return every cell as text; missing and empty cells are missing.

    Parameters
    ----------
    frame
        Plain columns.
    decimal
        ``.`` or ``,``: the mark in numeric columns, and in those cells of ``numbers`` that are plain numbers.
    numbers
        Text columns that hold numbers. Their ranges and other text stay as they are.

    Examples
    --------
    >>> spell(pl.DataFrame({"mark": ["3.5", "[3.5, 4]"]}), decimal=",", numbers=["mark"])["mark"].to_list()
    ['3,5', '[3.5, 4]']
    """
    return frame.select(_spelt(frame.get_column(name), decimal, name in numbers) for name in frame.columns)


def _spelt(column: pl.Series, decimal: str, is_number: bool) -> pl.Series:
    dtype = column.dtype
    if dtype == pl.String:
        text = column.set(column == "", None)
        if decimal == "," and is_number:
            marked = text.str.contains(_DECIMAL_NUMBER).fill_null(False)
            return text.str.replace(".", ",", literal=True).zip_with(marked, text)
        return text
    if isinstance(dtype, pl.Datetime):
        return column.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + ("%:z" if dtype.time_zone else ""))
    if dtype == pl.Time:
        return column.dt.to_string("%H:%M:%S%.f")
    if dtype == pl.Duration:
        return column.dt.to_string("iso")
    text = column.cast(pl.String)
    if decimal == "," and (dtype.is_float() or dtype.is_decimal()):
        return text.str.replace(".", ",", literal=True)
    return text
