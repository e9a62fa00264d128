"""Statistics before and after: what users of the data look at first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Result
from celosia.data.schema import Table
from celosia.measure.utility.numbers import numbers_of
from celosia.measure.utility.released import recoding_of


@dataclass(frozen=True)
class Summary(Result):
    """A column of numbers in a few figures.

    Attributes
    ----------
    n
        How many numbers they are taken of.
    mean, sd, lower_quartile, median, upper_quartile
        ``None`` without numbers; the standard deviation (that of a sample, over n - 1) needs two. Quartiles are
        interpolated linearly.
    """

    n: int
    mean: float | None = None
    sd: float | None = None
    lower_quartile: float | None = None
    median: float | None = None
    upper_quartile: float | None = None


_FIGURES = ("mean", "sd", "lower_quartile", "median", "upper_quartile")


@dataclass(frozen=True)
class SummaryChange(Result):
    """A column's figures before and after, and by how much each changed (without its sign)."""

    before: Summary
    after: Summary

    shown = ("before", "after", "change")

    @property
    def change(self) -> dict[str, float | None]:
        """``|after - before|`` of every figure; ``None`` where one of the two is not defined."""
        pairs = {name: (getattr(self.before, name), getattr(self.after, name)) for name in _FIGURES}
        return {name: None if None in pair else abs(pair[1] - pair[0]) for name, pair in pairs.items()}


@dataclass(frozen=True)
class Statistics:
    """The statistics of all columns of numbers, by column."""

    columns: dict[str, SummaryChange]

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as dicts."""
        return {name: column.to_dict() for name, column in self.columns.items()}


def statistics(table: Table, released: Any) -> Statistics:
    """Return mean, standard deviation and quartiles of every column of numbers, before and after.

    Columns are the quasi-identifiers that are numbers, and the sensitive columns that are. A published range counts by
    its middle (of ``[20, 25)`` among whole numbers: 22), an open range up to the end of the data. ``*``, missing values
    and suppressed rows are left out; ``n`` says how many numbers are in.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 10, 3]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> found = statistics(table, [0, 0, 1, -1]).columns["mark"]  # 6.5, 6.5, 10
    >>> found.before.mean, found.after.median, found.change["median"]
    (6.5, 6.5, 0.0)
    """
    recoding = recoding_of(table, released)
    return Statistics(
        {own.column: SummaryChange(_summary(own.before), _summary(own.after)) for own in numbers_of(table, recoding)}
    )


def _summary(numbers: NDArray[np.float64]) -> Summary:
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return Summary(0)
    lower, median, upper = np.quantile(known, [0.25, 0.5, 0.75]).tolist()
    sd = float(known.std(ddof=1)) if len(known) > 1 else None
    return Summary(len(known), float(known.mean()), sd, lower, median, upper)
