"""Statistics that may be told: rounded so coarsely that no figure points at fewer than k people.

A quartile of few rows is somebody's very value, and one person far from all others can be read off mean and standard
deviation. So every figure of a column is rounded to one step: at least a hundredth of its spread, so wide that around
each quartile, as it is told, at least k people have their values, and that mean and standard deviation, as they are
told, are the same without any number below k of the most extreme people. Where that step is wider than the spread (the
distance of the quartiles, or the standard deviation where they are equal), mean and standard deviation are not told;
where the quartiles alone need such a step, nothing is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.data.recode import Recoding
from celosia.data.schema import Table
from celosia.measure.utility import Statistics, Summary, SummaryChange
from celosia.measure.utility.numbers import numbers_of

_STEPS_IN_SPREAD = 100
_NOISE = 1e-9
"""A standard deviation below this share of the numbers is a rounding error of equal ones."""
_QUARTILES = ("lower_quartile", "median", "upper_quartile")


@dataclass(frozen=True)
class RoundedStatistics:
    """A column's figures before and after, rounded to multiples of ``step``; ``None`` where one is not defined."""

    before: dict[str, float | None]
    after: dict[str, float | None]
    step: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures and the step as a dict."""
        return {"before": self.before, "after": self.after, "rounded_to": self.step}


def rounded_statistics(
    table: Table, recoding: Recoding, found: Statistics, least: int
) -> dict[str, RoundedStatistics | None]:
    """Return the statistics of every column of numbers as they may be told.

    Parameters
    ----------
    found
        The exact statistics of the table and its recoding.
    least
        No figure points at fewer people; a column of too few people for that has ``None``.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.classes import Classes
    >>> from celosia.data.recode import recode
    >>> from celosia.data.schema import Schema
    >>> from celosia.measure.utility import statistics
    >>> ages = pl.DataFrame({"age": list(range(20, 40))})
    >>> table = Table(ages, Schema(quasi_identifiers={"age": "number"}))
    >>> recoding = recode(table, Classes([0] * 10 + [1] * 10))
    >>> told = rounded_statistics(table, recoding, statistics(table, recoding), least=2)["age"]
    >>> told.before["mean"], told.before["median"], told.step  # exact: 29.5
    (30.0, 30.0, 2.0)
    >>> rounded_statistics(table, recoding, statistics(table, recoding), least=21)
    {'age': None}
    """
    return {
        own.column: _rounded(found.columns[own.column], own.before, table.subjects, least)
        for own in numbers_of(table, recoding)
    }


def n_people(rows: NDArray[np.bool_], subjects: NDArray[np.integer] | None) -> int:
    """Return how many people some rows are about.

    Examples
    --------
    >>> n_people(np.array([True, True, False]), np.array([7, 7, 8]))
    1
    """
    return int(rows.sum()) if subjects is None else len(np.unique(subjects[rows]))


def _rounded(
    change: SummaryChange, numbers: NDArray[np.float64], subjects: NDArray[np.integer] | None, least: int
) -> RoundedStatistics | None:
    figures = [one for one in asdict(change.before).values() if one is not None]
    if n_people(~np.isnan(numbers), subjects) < least or not np.isfinite(figures).all():
        return None
    told = [getattr(change.before, name) for name in _QUARTILES]
    deviation = change.before.sd or 0.0
    if deviation < _NOISE * abs(told[1]):
        deviation = 0.0
    spread = told[2] - told[0] or deviation
    without = _without_extremes(numbers, subjects, least, told[1]) if deviation else []
    for has_mean in (True, False):
        for step in _steps((spread or abs(told[1]) or 1.0) / _STEPS_IN_SPREAD):
            if spread and step > spread:
                break
            if _hides(told, step, numbers, subjects, least) and (not has_mean or _are_alike(without, step)):
                before, after = _to_step(change.before, step, has_mean), _to_step(change.after, step, has_mean)
                return RoundedStatistics(before, after, step)
    return None


def _without_extremes(
    numbers: NDArray[np.float64], subjects: NDArray[np.integer] | None, least: int, median: float
) -> list[tuple[float, float]]:
    """Return mean and standard deviation without 0, 1, ... ``least`` - 1 of the people farthest from the median."""
    known = np.flatnonzero(~np.isnan(numbers))
    farthest = known[np.argsort(-np.abs(numbers[known] - median), kind="stable")]
    people = np.arange(len(farthest)) if subjects is None else subjects[farthest]
    _, first = np.unique(people, return_index=True)
    order = people[np.sort(first)][: least - 1]
    found = []
    for n_gone in range(len(order) + 1):
        left = numbers[farthest[~np.isin(people, order[:n_gone])]]
        if len(left) > 1:
            found.append((float(left.mean()), float(left.std(ddof=1))))
    return found


def _are_alike(figures: list[tuple[float, float]], step: float) -> bool:
    """Whether all means are told as one number, and all standard deviations."""
    return len({(_multiple(mean, step), _multiple(sd, step)) for mean, sd in figures}) <= 1


def _steps(start: float) -> Iterator[float]:
    """Yield 1, 2 and 5 times the powers of ten, from ``start`` on."""
    power = math.floor(math.log10(start))
    while True:
        for first in (1, 2, 5):
            step = float(f"{first}e{power}")
            if step >= start:
                yield step
        power += 1


def _hides(
    figures: list[float],
    step: float,
    numbers: NDArray[np.float64],
    subjects: NDArray[np.integer] | None,
    least: int,
) -> bool:
    """Whether at least so many people lie within half a step of each figure as it is told."""
    told = {_multiple(figure, step) for figure in figures}
    return all(n_people(np.abs(numbers - figure) <= step / 2, subjects) >= least for figure in told)


def _multiple(figure: float, step: float) -> float:
    """Return the nearest multiple of a step, spelt as people would write it."""
    return float(f"{round(figure / step) * step:.12g}")


def _to_step(summary: Summary, step: float, has_mean: bool) -> dict[str, float | None]:
    figures = {name: one for name, one in asdict(summary).items() if name != "n"}
    return {
        name: _multiple(one, step)
        if one is not None and math.isfinite(one) and (has_mean or name in _QUARTILES)
        else None
        for name, one in figures.items()
    }
