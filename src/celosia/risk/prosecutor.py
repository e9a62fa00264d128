"""Prosecutor risk: the attacker knows that a person is in the data and looks for their row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from celosia.classes import Classes
from celosia.errors import InputError, OptionError
from celosia.recode import Recoding
from celosia.schema import Table

__all__ = ["ProsecutorRisk", "prosecutor"]


@runtime_checkable
class _Released(Protocol):
    recoding: Recoding

    @property
    def table(self) -> Table: ...


@dataclass(frozen=True)
class ProsecutorRisk:
    """The chance that a row is linked to the right person, 1 / class size.

    Attributes
    ----------
    max
        1 / the smallest class: the worst single record.
    mean
        Classes / rows.
    share_at_risk
        The share of rows whose risk lies strictly above ``threshold``.

    All three are ``None`` for an empty table: undefined is not zero.
    """

    max: float | None
    mean: float | None
    share_at_risk: float | None
    threshold: float

    def to_dict(self) -> dict[str, Any]:
        """Return the three figures as ``--json`` prints them."""
        return {"max": self.max, "mean": self.mean, "share_at_risk": self.share_at_risk}


def prosecutor(table_or_release: Any, threshold: float | str | Fraction = "0.2") -> ProsecutorRisk:
    """Return the prosecutor risk of a table, a release or classes.

    A row's risk is 1 / f, f the number of people in its class (distinct subjects where the schema names a subject).
    Comparison with the threshold is exact.

    Parameters
    ----------
    threshold
        Above which (strictly) a row is at risk; in (0, 1].

    Examples
    --------
    >>> prosecutor(Classes([0, 0, 1, 1, 2, 2, 3])).to_dict()
    {'max': 1.0, 'mean': 0.5714285714285714, 'share_at_risk': 1.0}
    """
    limit = _probability(threshold)
    sizes, units = _counts(table_or_release)
    n_rows = int(sizes.sum())
    if n_rows == 0:
        return ProsecutorRisk(None, None, None, float(limit))
    at_risk = int(sizes[units * limit.numerator < limit.denominator].sum())
    mean = sum(int(size) * Fraction(int(n), int(unit)) for (size, unit), n in _tally(sizes, units)) / n_rows
    return ProsecutorRisk(
        float(Fraction(1, int(units.min()))), float(mean), float(Fraction(at_risk, n_rows)), float(limit)
    )


def _probability(threshold: float | str | Fraction) -> Fraction:
    try:
        limit = Fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        limit = Fraction(0)
    if not 0 < limit <= 1:
        raise OptionError(
            "threshold must lie in (0, 1]: it is a probability.", hint="0.2 is the manual's for low harm."
        )
    return limit


def _tally(sizes: NDArray[np.int64], units: NDArray[np.int64]) -> list[tuple[tuple[int, int], int]]:
    """Count how often each pair of class size and number of people occurs, so that exact sums stay short."""
    width = int(units.max()) + 1
    keys, counts = np.unique(sizes * width + units, return_counts=True)
    return [((int(key) // width, int(key) % width), int(count)) for key, count in zip(keys, counts, strict=True)]


def _counts(source: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and people per class."""
    if isinstance(source, Classes):
        return source.sizes, source.sizes
    if isinstance(source, Table):
        known = [column.codes for column in source.quasi_identifiers]
        classes = Classes.of(known) if known else Classes(np.zeros(source.n_rows, dtype=np.int64))
        return classes.sizes, classes.units(source.subjects)
    if isinstance(source, _Released):
        return source.recoding.classes.sizes, source.recoding.classes.units(source.table.subjects)
    raise InputError("risk needs a Table, a Release or Classes.")
