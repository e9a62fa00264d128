"""Risk of a survey's sample: how many people of the population each class stands for is estimated by sampling weights.

A class of f sampled people stands for about F people of the population, the sum of their weights, and p = f / F of them
were sampled. The risk of a row is about the expectation of 1 / F given f (Benedetti and Franconi).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from celosia.base.errors import ColumnNotFoundError, InputError, nearest_column
from celosia.base.fields import Result
from celosia.data.classes import Classes, group
from celosia.data.io import parse_numbers
from celosia.data.outcome import TableOutcome
from celosia.data.schema import Table
from celosia.data.schema.columns import codes_of
from celosia.measure.risk.base import ClassCounts, class_counts, exact_probability

_SERIES_BELOW = 0.25
"""Where 1 - p is smaller, the form for two people loses digits, and its series is short."""
_N_TERMS = 32
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class HouseholdRisk(Result):
    """The chance that somebody of a household is linked to their row, ``1 - prod(1 - r)`` over its people.

    Attributes
    ----------
    max, mean
        Over households.
    expected
        How many households are expected to have somebody linked.
    """

    max: float
    mean: float
    expected: float
    n_households: int


@dataclass(frozen=True)
class WeightedRisk(Result):
    """The risk of the rows of a sample by their sampling weights.

    Attributes
    ----------
    max, mean
        Over rows.
    share_at_risk
        The share of rows whose risk lies strictly above ``threshold``.
    expected
        The expected number of rows that are linked to the right person: the sum of all risks.
    households
        The same by households, if they were given.
    risks
        The risk of every row, not-a-number where it is suppressed; never in ``to_dict``.

    The figures are ``None`` for an empty table: undefined is not zero.
    """

    max: float | None
    mean: float | None
    share_at_risk: float | None
    expected: float | None
    threshold: float
    households: HouseholdRisk | None = None
    risks: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    shown = ("max", "mean", "share_at_risk", "expected", "households")


def weighted(
    table_or_release: Any,
    weights: str | ArrayLike,
    threshold: float | str | Fraction = "0.2",
    *,
    households: str | ArrayLike | None = None,
) -> WeightedRisk:
    """Return the risk of a sample by Benedetti and Franconi, from sampling weights.

    With f people in a class, F the sum of their weights and p = f / F, the risk of its rows is
    ``(p / (1 - p)) ln(1 / p)`` for f = 1, ``p / (1 - p) - (p / (1 - p))^2 ln(1 / p)`` for f = 2,
    ``p / (f - (1 - p))`` for f of 3 or more, and 1 / f for p = 1.

    Parameters
    ----------
    weights
        The column of sampling weights, or a number per row: how many people of the population the row stands for; from
        1. All rows of a person in a class have the same.
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    households
        The column that names the household, or a whole number per row, -1 for none. Rows without one are households of
        their own.

    Raises
    ------
    OptionError
        The threshold is no probability.
    ColumnNotFoundError
        There is no such column.
    InputError
        A weight is missing, below 1 or not finite; or the rows of a person in a class differ in weight; or there is not
        one number per row.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> frame = pl.DataFrame({"age": [30, 30, 30, 70], "weight": [100, 80, 120, 50]})
    >>> found = weighted(cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"})), "weight")
    >>> round(found.max, 4), round(found.expected, 4)
    (0.0798, 0.0948)
    """
    limit = exact_probability(threshold)
    counts, table = class_counts(table_or_release), _table(table_or_release)
    standing = _weights(weights, table, len(counts.labels))
    if not counts.n_rows:
        return WeightedRisk(None, None, None, None, float(limit), risks=np.full(len(counts.labels), np.nan))
    subjects = None if table is None else table.subjects
    n_population = _n_population(counts, standing, subjects)
    of_class = class_risks(counts.people, n_population)
    at_risk = _above(of_class, counts.people, n_population, limit)
    expected = float((of_class * counts.rows).sum())
    risks = np.append(of_class, np.nan)[counts.labels]
    return WeightedRisk(
        float(of_class.max()),
        expected / counts.n_rows,
        float(Fraction(int(counts.rows[at_risk].sum()), counts.n_rows)),
        expected,
        float(limit),
        None if households is None else _by_household(risks, _households(households, table, len(risks)), subjects),
        risks,
    )


def class_risks(people: NDArray[np.int64], n_population: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the risk of classes by their sampled people and the people of the population they stand for.

    Close to p = 1, where the forms for one and two people are differences of numbers almost alike, their series in
    1 - p are summed.

    Examples
    --------
    >>> class_risks(np.array([1, 2, 3, 3]), np.array([1.0, 2.0, 3.0, 300.0])).round(4).tolist()
    [1.0, 0.5, 0.3333, 0.005]
    """
    share = people / n_population
    rest = (n_population - people) / n_population
    risks = share / (people - rest)
    one, two = people == 1, people == 2
    risks[one] = _of_one(share[one], rest[one])
    risks[two] = _of_two(share[two], rest[two])
    return np.minimum(risks, 1 / people)  # nothing of them lies above it but by rounding


def _of_one(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p ln(1 / p) / (1 - p)."""
    result = np.ones(len(p))
    open_ = q > 0
    result[open_] = p[open_] * _log_inverse(p[open_], q[open_]) / q[open_]
    return result


def _of_two(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p / q - (p / q)^2 ln(1 / p), q = 1 - p; for a small q as p times the sum of q^i / ((i + 1) (i + 2))."""
    series = np.zeros(len(p))
    for power in range(_N_TERMS, -1, -1):
        series = series * q + 1.0 / ((power + 1) * (power + 2))
    result: NDArray[np.float64] = p * series
    far = q >= _SERIES_BELOW
    odds = p[far] / q[far]
    result[far] = odds * (1.0 - odds * _log_inverse(p[far], q[far]))
    return result


def _log_inverse(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(1 / p) by whichever of p and q = 1 - p is the more exact."""
    result: NDArray[np.float64] = -np.log(p)
    near = q < 0.5
    result[near] = -np.log1p(-q[near])
    return result


def _above(
    risks: NDArray[np.float64], people: NDArray[np.int64], n_population: NDArray[np.float64], limit: Fraction
) -> NDArray[np.bool_]:
    """Return which risks lie strictly above the threshold; those that are fractions exactly, where they are close."""
    above: NDArray[np.bool_] = risks > float(limit)
    close = np.flatnonzero((np.abs(risks - float(limit)) < _TOLERANCE) & ((people > 2) | (people == n_population)))
    if len(close):
        known: dict[tuple[int, float], bool] = {}
        for place, f, size in zip(close.tolist(), people[close].tolist(), n_population[close].tolist(), strict=True):
            if (f, size) not in known:  # p / (f - (1 - p)) with p = f / F; 1 / f where they are equal
                known[f, size] = Fraction(f) / (Fraction(size) * (f - 1) + f) > limit
            above[place] = known[f, size]
    return above


def _table(source: Any) -> Table | None:
    if isinstance(source, Classes):
        return None
    table: Table = source.table if isinstance(source, TableOutcome) else source
    return table


def _column(name: str, table: Table | None, wanted: str) -> pl.Series:
    columns = [] if table is None else table.frame.columns
    if table is None or name not in columns:
        raise ColumnNotFoundError(
            f"there is no column '{name}' of {wanted}.", hint=nearest_column(name, columns), about=wanted
        )
    return table.frame[name]


def _weights(given: str | ArrayLike, table: Table | None, n_rows: int) -> NDArray[np.float64]:
    """Return a weight per row, each at least 1 and finite."""
    if isinstance(given, str):
        column = _column(given, table, "weights")
        decimal = "." if table is None else table.decimal
        numbers = parse_numbers(column, decimal)[0].cast(pl.Float64).fill_null(np.nan).to_numpy()
    else:
        numbers = _per_row(given, n_rows, "weights", np.float64)
    wrong = ~((numbers >= 1) & np.isfinite(numbers))
    if wrong.any():
        raise InputError(
            f"{int(wrong.sum())} of {n_rows} weights are missing, below 1 or not finite (first in data row "
            f"{int(wrong.argmax()) + 1}).",
            hint="a weight says how many people of the population a row stands for, itself included.",
            about="weights",
        )
    return numbers


def _households(given: str | ArrayLike, table: Table | None, n_rows: int) -> NDArray[np.int64]:
    """Return the household of every row; rows without one get negative numbers of their own."""
    if isinstance(given, str):
        codes = codes_of(_column(given, table, "households"))[0].astype(np.int64)
    else:
        codes = _per_row(given, n_rows, "households", np.int64)
    return np.where(codes < 0, -1 - np.arange(n_rows), codes)


def _per_row(given: ArrayLike, n_rows: int, wanted: str, kind: type[np.generic]) -> NDArray[Any]:
    try:
        numbers = np.asarray(given)
        fits = numbers.dtype.kind in ("iu" if kind is np.int64 else "iuf") and numbers.shape == (n_rows,)
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise InputError(
            f"{wanted} must be the name of a column, or an array with one {'whole ' if kind is np.int64 else ''}number "
            f"for each of the {n_rows} rows.",
            about=wanted,
        )
    return numbers.astype(kind)


def _n_population(
    counts: ClassCounts, weights: NDArray[np.float64], subjects: NDArray[np.integer] | None
) -> NDArray[np.float64]:
    """Return how many people of the population each class stands for: the sum of the weights of its people."""
    kept = np.flatnonzero(counts.labels >= 0)
    if subjects is not None:
        person = group([counts.labels[kept], subjects[kept]])
        first = np.zeros(int(person.max()) + 1, dtype=np.int64)
        first[person[::-1]] = kept[::-1]
        n_torn = len(np.unique(person[weights[kept] != weights[first[person]]]))
        if n_torn:
            raise InputError(
                f"{n_torn} people have rows of one class with different weights.",
                hint="a weight belongs to a person: give all their rows the same.",
                about="weights",
            )
        kept = first
    return np.bincount(counts.labels[kept], weights=weights[kept], minlength=len(counts.people)).astype(np.float64)


def _by_household(
    risks: NDArray[np.float64], households: NDArray[np.int64], subjects: NDArray[np.integer] | None
) -> HouseholdRisk:
    """Return the risk of households; a person counts once in theirs, by the row that is worst."""
    published = ~np.isnan(risks)
    own, home = risks[published], group([households[published]])
    if subjects is not None:
        person = group([home, subjects[published]])
        worst = np.zeros(int(person.max()) + 1)
        np.maximum.at(worst, person, own)
        home_of = np.zeros(len(worst), dtype=np.int64)
        home_of[person] = home
        own, home = worst, home_of
    with np.errstate(divide="ignore"):  # ln 0: somebody is linked for certain
        nobody = np.bincount(home, weights=np.log1p(-own))
    found = -np.expm1(nobody)
    return HouseholdRisk(float(found.max()), float(found.mean()), float(found.sum()), len(found))
