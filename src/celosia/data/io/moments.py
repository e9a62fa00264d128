"""Dates and times as statistical programs count them: a number since a day, and a format that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

Program = Literal["spss", "stata", "sas"]
MomentKind = Literal["date", "moment", "time"]

_SECOND, _DAY = 1_000_000, 86_400_000_000
_SPSS_DAY_ZERO, _DAY_ZERO = -141_428 * _DAY, -3_653 * _DAY
"""1582-10-14 and 1960-01-01, in microseconds from 1970-01-01."""
_YEAR_1, _YEAR_9999 = -719_162 * _DAY, 2_932_896 * _DAY
_MOST = 2.0**62
_STEPS = (10, 1_000)


@dataclass(frozen=True)
class Clock:
    """How a program counts, in microseconds: from when on, and by what unit.

    Examples
    --------
    >>> CLOCKS["stata", "moment"].unit
    1000
    """

    zero: int
    unit: int


CLOCKS: Mapping[tuple[Program, MomentKind], Clock] = {
    ("spss", "date"): Clock(_SPSS_DAY_ZERO, _SECOND),
    ("spss", "moment"): Clock(_SPSS_DAY_ZERO, _SECOND),
    ("spss", "time"): Clock(0, _SECOND),
    ("stata", "date"): Clock(_DAY_ZERO, _DAY),
    ("stata", "moment"): Clock(_DAY_ZERO, 1_000),
    ("stata", "time"): Clock(0, 1_000),
    ("sas", "date"): Clock(_DAY_ZERO, _DAY),
    ("sas", "moment"): Clock(_DAY_ZERO, _SECOND),
    ("sas", "time"): Clock(0, _SECOND),
}
"""The clock of each program and kind."""

_FORMATS: Mapping[Program, tuple[tuple[MomentKind, re.Pattern[str]], ...]] = {
    "spss": (
        ("date", re.compile(r"([AEJS]?DATE|MOYR|QYR|WKYR)[0-9.]*")),
        ("moment", re.compile(r"(DATETIME|YMDHMS)[0-9.]*")),
        ("time", re.compile(r"[DM]?TIME[0-9.]*")),
    ),
    "stata": (
        ("date", re.compile(r"%-?t?d.*")),
        ("time", re.compile(r"%-?tc(?=.*[Hh])[HhMmSsaAPp:._ ]+")),
        ("moment", re.compile(r"%-?tc.*")),
    ),
    "sas": (
        (
            "date",
            re.compile(
                r"(DATE|WEEKDAT[EX]|WORDDAT[EX]|(DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?|MONYY|(MMYY|YYMM|YYQ)[CDNPS]?|JULIAN"
                r"|[EB]8601DA|IS8601DA|NLDATE)[0-9.]*"
            ),
        ),
        (
            "moment",
            re.compile(r"(DATETIME|DATEAMPM|MDYAMPM|DTDATE|DTMONYY|[EB]8601D[TN]|IS8601DT|NLDATM)[0-9.]*"),
        ),
        ("time", re.compile(r"(TIME|TIMEAMPM|TOD|HHMM|MMSS|[EB]8601TM|IS8601TM)[0-9.]*")),
    ),
}


def moment_kind(program: Program, format: str | None) -> MomentKind | None:
    """Return whether a format shows a number as a date, as a date with a time, or as a time; ``None`` if as a number.

    Stata's ``%tC`` (with leap seconds), weeks, months, quarters and years are numbers.

    Examples
    --------
    >>> moment_kind("spss", "EDATE10"), moment_kind("stata", "%tcHH:MM"), moment_kind("sas", "BEST12")
    ('date', 'time', None)
    """
    for kind, pattern in _FORMATS[program]:
        if format is not None and pattern.fullmatch(format):
            return kind
    return None


def moments(column: pl.Series, program: Program, kind: MomentKind) -> pl.Series:
    """Return the dates and times that numbers stand for.

    The numbers of SPSS, and of others for remote years, are too large to hold every microsecond; where whole
    milliseconds, or ten microseconds, are the same number, they are meant. Dates with a time of day become date-times;
    times below 0 or from 24 hours on make the column one of durations. Numbers that are no date of the years 1 to 9999
    leave the column as it is.

    Examples
    --------
    >>> moments(pl.Series([22_280.0, None]), "sas", "date").to_list()
    [datetime.date(2020, 12, 31), None]
    """
    clock = CLOCKS[program, kind]
    low, high = column.min(), column.max()
    if isinstance(low, float) and isinstance(high, float):
        lowest, highest = low * clock.unit + clock.zero, high * clock.unit + clock.zero
        allowed = (-_MOST, _MOST) if kind == "time" else (_YEAR_1, _YEAR_9999 + _DAY)
        if not allowed[0] <= lowest <= highest < allowed[1]:
            return column
    whole = column.floor()
    count = whole.cast(pl.Int64) * clock.unit + _microseconds(column, whole, clock.unit) + clock.zero
    if kind == "time":
        of_a_day = bool(((count >= 0) & (count < _DAY)).all())
        return (count * 1_000).cast(pl.Time) if of_a_day else count.cast(pl.Duration("us"))
    if kind == "date" and not (count % _DAY != 0).any():
        return (count // _DAY).cast(pl.Int32).cast(pl.Date)
    return count.cast(pl.Datetime("us"))


def _microseconds(column: pl.Series, whole: pl.Series, unit: int) -> pl.Series:
    """Return what numbers hold beyond whole units, as the roundest count that gives the same number."""
    part = column - whole
    count = (part * unit).round().cast(pl.Int64)
    if not (part != 0).any():
        return count
    for step in _STEPS:
        rounder = (part * (unit / step)).round().cast(pl.Int64) * step
        is_same = (whole + _quotient(rounder, unit) == column).fill_null(False)
        count = rounder.zip_with(is_same, count)
    return count


def numbers_of(column: pl.Series, program: Program, kind: MomentKind) -> pl.Series:
    """Return the numbers by which a program counts dates (Date), date-times (Datetime) or times (Time).

    Examples
    --------
    >>> import datetime
    >>> numbers_of(pl.Series([datetime.date(2020, 12, 31)]), "sas", "date").to_list()
    [22280.0]
    """
    clock = CLOCKS[program, kind]
    if kind == "date":
        count = column.to_physical().cast(pl.Int64) * _DAY
    elif kind == "moment":
        count = column.dt.cast_time_unit("us").to_physical()
    else:
        count = column.to_physical() // 1_000
    since = count - clock.zero
    return (since // clock.unit).cast(pl.Float64) + _quotient(since % clock.unit, clock.unit)


def _quotient(count: pl.Series, unit: int) -> pl.Series:
    """Divide by NumPy: Polars multiplies by the inverse, which is off by a bit, and 7 / 1000 would not be 0.007."""
    exact = pl.Series(np.true_divide(count.fill_null(0).to_numpy(), unit))
    return exact.set(count.is_null(), None) if count.null_count() else exact
