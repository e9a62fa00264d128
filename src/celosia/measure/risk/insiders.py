"""Insiders: people in the data who pool what they know of their own rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from celosia.base.fields import Result
from celosia.measure.risk.base import class_counts
from celosia.measure.risk.prosecutor import ProsecutorRisk, coalition_of, people_left, prosecutor


@dataclass(frozen=True)
class InsiderRisk(Result):
    """What is left of a table's classes once some of its people pool their own rows.

    Attributes
    ----------
    coalition
        How many of them may join.
    effective_k
        Among how many people of their class somebody hides at least: the smallest f - c, or 1 if some class has c + 1
        people or fewer. ``None`` for an empty table.
    n_classes_certain, n_rows_certain
        The classes of at most c + 1 people, and their rows: all but one of the class may be the coalition, which then
        knows the row of the last with certainty.
    n_rows_alone
        Those among these rows whose class is one person: they stand alone without any insider.
    risk
        The prosecutor's figures against such a coalition.
    """

    coalition: int
    effective_k: int | None
    n_classes_certain: int
    n_rows_certain: int
    n_rows_alone: int
    risk: ProsecutorRisk
    shown = ("coalition", "effective_k", "n_classes_certain", "n_rows_certain", "n_rows_alone")

    def to_dict(self) -> dict[str, Any]:
        """Return the account as ``--json`` prints it."""
        return super().to_dict() | self.risk.to_dict()


def insiders(table_or_release: Any, coalition: int = 1, threshold: float | str | Fraction = "0.2") -> InsiderRisk:
    """Return what a coalition of participants of the same class can do to the others in it.

    Whoever knows their own row can leave it out: of a class of f people, c of whom join, f - c are left. The figures
    are those of ``prosecutor(..., insiders=coalition)``.

    Parameters
    ----------
    coalition
        How many people may join; a whole number from 0.
    threshold
        Above which (strictly) a row is at risk; in (0, 1].

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        There is neither a table nor a release nor classes.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = insiders(Classes([0, 0, 1, 1, 1]))  # a lecturer with two students, and one with three
    >>> found.effective_k, found.n_rows_certain, found.risk.mean
    (1, 2, 0.7)
    """
    joined = coalition_of(coalition, "coalition")
    risk = prosecutor(table_or_release, threshold, insiders=joined)
    counts = class_counts(table_or_release)
    left = people_left(counts.people, joined)
    certain = left == 1
    return InsiderRisk(
        joined,
        int(left.min()) if counts.n_rows else None,
        int(certain.sum()),
        int(counts.rows[certain].sum()),
        int(counts.rows[counts.people == 1].sum()),
        risk,
    )
