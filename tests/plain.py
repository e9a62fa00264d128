"""Slow, plain definitions, written from the specification and used as the other side of the tests."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Ancestors = Callable[[Any], Sequence[Any]]


def number_loss(values: Sequence[float], column: Sequence[float | None]) -> Fraction:
    known = [Fraction(value) for value in column if value is not None]
    width = max(known) - min(known)
    return (Fraction(max(values)) - Fraction(min(values))) / width if width else Fraction(0)


def set_loss(values: Sequence[str], column: Sequence[str | None]) -> Fraction:
    n_values = len({value for value in column if value is not None})
    return Fraction(len(set(values)) - 1, n_values - 1) if n_values > 1 else Fraction(0)


def class_loss(values: Sequence[Any], column: Sequence[Any], loss: Callable[..., Fraction]) -> Fraction:
    """The loss of one class in one column; missing mixed with known values costs 1, missing alone nothing."""
    known = [value for value in values if value is not None]
    if known and len(known) < len(values):
        return Fraction(1)
    return loss(known, column) if known else Fraction(0)


def gcp(
    columns: dict[str, Sequence[Any]],
    losses: dict[str, Callable[..., Fraction]],
    labels: Sequence[int],
    weights: dict[str, Fraction] | None = None,
) -> Fraction:
    """Sum over rows and columns of weight times loss, over n times the sum of the weights; -1 is a lost row."""
    weights = weights or {name: Fraction(1) for name in columns}
    members = defaultdict(list)
    for row, label in enumerate(labels):
        members[label].append(row)
    total = Fraction(0)
    for name, column in columns.items():
        for label, rows in members.items():
            lost = Fraction(1) if label < 0 else class_loss([column[row] for row in rows], column, losses[name])
            total += weights[name] * len(rows) * lost
    return total / (len(labels) * sum(weights.values()))


def nodes_of_date(day: dt.date) -> list[tuple[dt.date, dt.date]]:
    """The periods over a day, finest first: day, month, quarter, year, decade."""

    def month_end(year: int, month: int) -> dt.date:
        return dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)

    quarter = (day.month - 1) // 3 * 3 + 1
    decade = day.year // 10 * 10
    return [
        (day, day),
        (day.replace(day=1), month_end(day.year, day.month)),
        (dt.date(day.year, quarter, 1), month_end(day.year, quarter + 2)),
        (dt.date(day.year, 1, 1), dt.date(day.year, 12, 31)),
        (dt.date(decade, 1, 1), dt.date(decade + 9, 12, 31)),
    ]
