"""Prosecutor risk: the attacker knows that a person is in the data and looks for their row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from celosia.risk.base import class_counts, exact_probability, tally

__all__ = ["ProsecutorRisk", "prosecutor"]


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
    >>> from celosia.classes import Classes
    >>> prosecutor(Classes([0, 0, 1, 1, 2, 2, 3])).to_dict()
    {'max': 1.0, 'mean': 0.5714285714285714, 'share_at_risk': 1.0}
    """
    limit = exact_probability(threshold)
    counts = class_counts(table_or_release)
    if not counts.n_rows:
        return ProsecutorRisk(None, None, None, float(limit))
    at_risk = int(counts.rows[counts.people * limit.numerator < limit.denominator].sum())
    mean = sum(rows * Fraction(n, people) for (rows, people), n in tally(counts.rows, counts.people)) / counts.n_rows
    return ProsecutorRisk(
        float(Fraction(1, int(counts.people.min()))),
        float(mean),
        float(Fraction(at_risk, counts.n_rows)),
        float(limit),
    )
