"""Marketer risk: the attacker matches every row and counts how many matches are right."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from celosia.base.fields import Result
from celosia.measure.risk.base import exact_probability, figures_of
from celosia.measure.risk.journalist import fitting


@dataclass(frozen=True)
class MarketerRisk(Result):
    """The share of rows that are linked to the right person if every row is linked to somebody who fits it.

    Attributes
    ----------
    max
        The greatest chance of a single row, 1 / the fewest people that a class fits.
    mean
        The expected share of right matches: the mean chance of a row. This is the marketer's own figure.
    share_at_risk
        The share of rows whose chance lies strictly above ``threshold``.
    expected_matches
        The expected number of right matches.

    All four are ``None`` for an empty table: undefined is not zero.
    """

    max: float | None
    mean: float | None
    share_at_risk: float | None
    expected_matches: float | None
    threshold: float

    shown = ("max", "mean", "share_at_risk", "expected_matches")


def marketer(
    table_or_release: Any, threshold: float | str | Fraction = "0.2", *, population: Any = None
) -> MarketerRisk:
    """Return the marketer risk of a table, a release or classes: ``(1 / n) sum n_j / F_j``.

    n rows in classes of n_j rows each; F_j people of the population fit what class j publishes.

    Parameters
    ----------
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    population
        As ``journalist`` takes it; without it F_j is the number of people in the data's own class.

    Raises
    ------
    OptionError, ColumnNotFoundError, InputError
        As ``journalist``.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> study = cl.Table(pl.DataFrame({"age": [30, 30, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> found = marketer(study, population=pl.DataFrame({"age": [30] * 8 + [70] * 2 + [71]}))
    >>> found.mean, found.expected_matches
    (0.25, 0.75)
    """
    limit = exact_probability(threshold)
    fits = fitting(table_or_release, population)
    found = figures_of(fits.rows, fits.people, limit)
    if found is None:
        return MarketerRisk(None, None, None, None, float(limit))
    return MarketerRisk(
        float(found.max),
        float(found.mean),
        float(found.share_at_risk),
        float(found.mean * int(fits.rows.sum())),
        float(limit),
    )
