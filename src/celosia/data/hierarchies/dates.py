"""Dates that get coarser along the calendar: day, month, quarter, year, decade."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import ANYTHING, Level, Levels, Style, assemble, number_groups
from celosia.data.hierarchies.options import check_choice, check_list

Period = Literal["day", "month", "quarter", "year", "decade"]

PERIODS: tuple[Period, ...] = ("day", "month", "quarter", "year", "decade")

LABELS: dict[Period, Callable[[datetime.date], str]] = {
    "month": lambda date: f"{date.year:04d}-{date.month:02d}",
    "quarter": lambda date: f"{date.year:04d}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04d}",
    "decade": lambda date: f"{date.year // 10 * 10:04d}s",
}


@dataclass(frozen=True)
class Dates(Options):
    """Dates by calendar periods: loss = (last day - first day) / (Max - Min) in days.

    The period is cut to the data's range. A day costs 0, the root ``*`` costs 1.

    Parameters
    ----------
    levels
        Some of ``day``, ``month``, ``quarter``, ``year``, ``decade``, in this order. The value itself is always the
        lowest level, whether ``day`` is named or not.

    Raises
    ------
    OptionError
        If ``levels`` is empty, out of order or holds another name.

    Examples
    --------
    >>> from celosia.data.hierarchies.domains import ancestors_of
    >>> ancestors_of(Dates(levels=["month", "quarter", "year"]).fit([datetime.date(2020, 3, 14)], "birth"))
    {'2020-03-14': ['2020-03', '2020-Q1', '2020', '*']}
    """

    name: ClassVar[str] = "dates"
    value_type: ClassVar[ValueType] = "date"

    levels: Sequence[Period] = PERIODS

    def __post_init__(self) -> None:
        levels = check_list("dates: levels", self.levels)
        for level in levels:
            check_choice("dates: an entry of levels", level, PERIODS)
        ordered = [period for period in PERIODS if period in levels]
        if list(levels) != ordered:
            raise OptionError(
                f"dates: levels is {list(levels)}; each may stand once, from fine to coarse.", hint=f"write {ordered}."
            )
        object.__setattr__(self, "levels", tuple(levels))

    def fit(self, values: Sequence[datetime.date], column: str) -> Levels:
        """Return the levels of these ascending dates."""
        levels = [_level(values, period) for period in self.levels if period != "day"]
        return assemble("dates", values, lambda code, style: values[code].isoformat(), levels, ANYTHING)


def _level(values: Sequence[datetime.date], period: Period) -> Level:
    labels = [LABELS[period](value) for value in values]
    groups = number_groups(labels)
    starts = np.flatnonzero(np.diff(groups, prepend=-1)).tolist()
    ends = [_ends(values[start], period) for start in starts]
    lowest, highest = (values[0].toordinal(), values[-1].toordinal()) if len(values) else (0, 0)
    share = [(min(last, highest) - max(first, lowest)) / max(highest - lowest, 1) for first, last in ends]

    def spell(group: int, style: Style) -> str:
        return labels[starts[group]]

    return Level(groups, np.array(share, dtype=np.float64), np.full(len(starts), -1), spell)


def _ends(date: datetime.date, period: Period) -> tuple[int, int]:
    """Return the ordinals of the first and the last day of the period that holds ``date``."""
    if period == "decade":
        year = date.year // 10 * 10
        return datetime.date(max(year, 1), 1, 1).toordinal(), datetime.date(year + 9, 12, 31).toordinal()
    n_months = {"month": 1, "quarter": 3, "year": 12}[period]
    first_month = (date.month - 1) // n_months * n_months + 1
    last_month = first_month + n_months - 1
    last_day = 31 if last_month == 12 else (datetime.date(date.year, last_month + 1, 1) - datetime.timedelta(1)).day
    first = datetime.date(date.year, first_month, 1)
    return first.toordinal(), datetime.date(date.year, last_month, last_day).toordinal()
