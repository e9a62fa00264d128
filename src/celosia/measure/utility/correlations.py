"""Correlations before and after."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Result
from celosia.data.schema import Table
from celosia.measure.utility.numbers import numbers_of
from celosia.measure.utility.released import recoding_of


@dataclass(frozen=True)
class Correlation(Result):
    """Pearson's r of two columns, before and after; ``None`` where one does not vary, or with fewer than two rows."""

    first: str
    second: str
    before: float | None
    after: float | None

    shown = ("first", "second", "before", "after", "change")

    @property
    def change(self) -> float | None:
        """``|after - before|``; ``None`` where one of the two is not defined."""
        return None if self.before is None or self.after is None else abs(self.after - self.before)


@dataclass(frozen=True)
class Correlations(Result):
    """The correlation of every pair of columns of numbers."""

    pairs: tuple[Correlation, ...]


def correlations(table: Table, released: Any) -> Correlations:
    """Return Pearson's correlation of every two columns of numbers, before and after.

    Columns and their numbers are those of ``statistics``: quasi-identifiers and sensitive columns, a published range by
    its middle. Each r is taken of the rows in which both columns have a number.

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
    >>> marks = pl.DataFrame({"mark": [5, 8, 9, 10], "hours": [1, 4, 3, 4]})
    >>> table = Table(marks, Schema(quasi_identifiers={"mark": "number"}, sensitive=["hours"]))
    >>> [(round(pair.before, 3), round(pair.after, 3)) for pair in correlations(table, [0, 0, 1, 1]).pairs]
    [(0.873, 0.408)]
    """
    columns = numbers_of(table, recoding_of(table, released))
    return Correlations(
        tuple(
            Correlation(one.column, other.column, _pearson(one.before, other.before), _pearson(one.after, other.after))
            for one, other in combinations(columns, 2)
        )
    )


def _pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    both = ~(np.isnan(one) | np.isnan(other))
    if both.sum() < 2:
        return None
    parts = []
    for numbers in (one[both], other[both]):
        # Equal numbers may differ from their mean by a rounding error, which would pass for variation.
        if numbers.min() == numbers.max():
            return None
        apart = numbers - numbers.mean()
        apart /= np.abs(apart).max()  # squares of huge numbers would overflow
        parts.append(apart / np.sqrt(apart @ apart))
    return float(np.clip(parts[0] @ parts[1], -1.0, 1.0))
