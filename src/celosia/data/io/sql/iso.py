"""Dates and times that databases spell in ISO 8601."""

from __future__ import annotations

from typing import Literal

import polars as pl

Moment = Literal["date", "time", "timestamp"]
"""What a text may be read as."""

_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_SHAPES: dict[Moment, str] = {"date": f"^{_DAY}$", "time": f"^{_CLOCK}$", "timestamp": f"^{_DAY}[ T]{_CLOCK}$"}


def parse_moments(text: pl.Series, kind: Moment) -> tuple[pl.Series, int]:
    """Return the moments that a text column spells (``None`` where it spells none), and how many cells spell none.

    Examples
    --------
    >>> parse_moments(pl.Series(["2024-05-01", "May", None]), "date")[1]
    1
    """
    shaped = text.set(~text.str.contains(_SHAPES[kind]).fill_null(True), None)
    if kind == "date":
        moments = shaped.str.to_date("%Y-%m-%d", strict=False)
    elif kind == "time":
        moments = shaped.str.to_time("%H:%M:%S%.f", strict=False)
    else:
        shaped = shaped.str.replace("T", " ", literal=True)
        moments = shaped.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    return moments, moments.null_count() - text.null_count()


def spell_moments(column: pl.Series) -> pl.Series:
    """Return a column of dates, times or timestamps as text of six decimals, as SQLAlchemy spells them for SQLite.

    Examples
    --------
    >>> import datetime
    >>> spell_moments(pl.Series([datetime.datetime(2024, 5, 1, 10, 30)])).to_list()
    ['2024-05-01 10:30:00.000000']
    """
    if column.dtype == pl.Date:
        return column.dt.to_string("%Y-%m-%d")
    if column.dtype == pl.Time:
        return column.dt.to_string("%H:%M:%S.%6f")
    return column.dt.to_string("%Y-%m-%d %H:%M:%S.%6f")
