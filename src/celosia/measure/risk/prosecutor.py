"""Prosecutor risk: the attacker knows that a person is in the data and looks for their row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.fields import Result
from celosia.measure.risk.base import class_counts, exact_probability, figures_of


@dataclass(frozen=True)
class ProsecutorRisk(Result):
    """The chance that a row is linked to the right person, 1 / class size.

    Attributes
    ----------
    max
        1 / the smallest class: the worst single record.
    mean
        Classes / rows, where rows are people.
    share_at_risk
        The share of rows whose risk lies strictly above ``threshold``.
    insiders
        How many people of a class may pool their own rows against another one.

    The three figures are ``None`` for an empty table: undefined is not zero.
    """

    max: float | None
    mean: float | None
    share_at_risk: float | None
    threshold: float
    insiders: int = 0

    shown = ("max", "mean", "share_at_risk")


def prosecutor(
    table_or_release: Any, threshold: float | str | Fraction = "0.2", *, insiders: int = 0
) -> ProsecutorRisk:
    """Return the prosecutor risk of a table, a release or classes.

    A row's risk is 1 / f, f the number of people in its class (distinct subjects where the schema names a subject). If
    c insiders of the class pool what they know of their own rows, anybody else in it hides among f - c people: the risk
    is 1 / (f - c). In a class of c + 1 people or fewer everybody else may be among the insiders, and the risk is 1.
    Comparison with the threshold is exact.

    Parameters
    ----------
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    insiders
        How many people of a class may join against another one of it; a whole number from 0.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        There is neither a table nor a release nor classes.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> prosecutor(Classes([0, 0, 1, 1, 2, 2, 3])).to_dict()
    {'max': 1.0, 'mean': 0.5714285714285714, 'share_at_risk': 1.0}
    >>> prosecutor(Classes([0, 0, 0]), insiders=1).max
    0.5
    """
    limit, coalition = exact_probability(threshold), coalition_of(insiders, "insiders")
    counts = class_counts(table_or_release)
    found = figures_of(counts.rows, people_left(counts.people, coalition), limit)
    if found is None:
        return ProsecutorRisk(None, None, None, float(limit), coalition)
    return ProsecutorRisk(float(found.max), float(found.mean), float(found.share_at_risk), float(limit), coalition)


def coalition_of(given: object, name: str) -> int:
    """Return how many people join, or raise ``OptionError`` if that is no whole number from 0.

    Examples
    --------
    >>> coalition_of(2, "insiders")
    2
    """
    if isinstance(given, bool) or not isinstance(given, Integral) or given < 0:
        raise OptionError(
            f"{name} must be a whole number from 0: the people who join.",
            hint="1 is a participant who knows their own row.",
            about=name,
        )
    return int(given)


def people_left(people: NDArray[np.int64], coalition: int) -> NDArray[np.int64]:
    """Return among how many people of each class somebody hides from a coalition in it: f - c, at least 1.

    Where a class has at most c people, all but one of them are a coalition that is small enough.

    Examples
    --------
    >>> people_left(np.array([5, 2, 1]), 1).tolist()
    [4, 1, 1]
    """
    if not coalition:
        return people
    return np.maximum(people - min(coalition, int(people.max(initial=0))), 1)
