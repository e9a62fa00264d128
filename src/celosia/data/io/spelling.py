"""Cells as text: numbers with the wished decimal mark, dates and times in ISO 8601."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any

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


def cell_text(value: Any) -> str | None:
    """Return a cell as text: whole floats without ``.0``, dates in ISO 8601, truth as ``TRUE`` or ``FALSE``.

    Text stays as it is, so that leading zeros survive; ``None`` and empty text are missing.

    Examples
    --------
    >>> cell_text(5.0), cell_text(5.5), cell_text("01001"), cell_text(True), cell_text("")
    ('5', '5.5', '01001', 'TRUE', None)
    >>> cell_text(datetime.datetime(2024, 5, 1, 10, 30)), cell_text(datetime.timedelta(hours=26, minutes=30))
    ('2024-05-01T10:30:00', '26:30:00')
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, datetime.timedelta):
        return _duration_text(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _duration_text(value: datetime.timedelta) -> str:
    """Hours may exceed 24: a spreadsheet's elapsed time has no days."""
    seconds = abs(value) // datetime.timedelta(seconds=1)
    sign = "-" if value < datetime.timedelta(0) else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
