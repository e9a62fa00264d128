"""What measures of risk stand on: people per class, and probabilities as exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError, OptionError
from celosia.data.classes import Classes, group
from celosia.data.outcome import TableOutcome
from celosia.data.schema import Table
from celosia.models.people import fewest_people

_MOST_PEOPLE = 2**62
"""More than any class has; what lies above it need not fit an array."""


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """The classes of a table or release, counted.

    Attributes
    ----------
    labels
        The class of each row; -1 where it is suppressed.
    rows, people
        Rows and people of each class: distinct subjects where the schema names a subject.
    """

    labels: NDArray[np.int64]
    rows: NDArray[np.int64]
    people: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        """How many rows belong to a class."""
        return int(self.rows.sum())


_COUNTED: WeakKeyDictionary[Table | Classes, ClassCounts] = WeakKeyDictionary()
"""The classes of tables, and those of releases by their recoding: every measure asks for them, none changes them."""


def class_counts(source: Any) -> ClassCounts:
    """Return the counted classes of a table (by equal quasi-identifiers), of a release or of classes.

    Raises
    ------
    InputError
        ``source`` is none of them.

    Examples
    --------
    >>> class_counts(Classes([0, 0, 1])).people.tolist()
    [2, 1]
    """
    if isinstance(source, Classes):
        return ClassCounts(source.labels, source.sizes, source.sizes)
    if isinstance(source, Table):
        if source not in _COUNTED:
            known = [column.codes for column in source.quasi_identifiers]
            classes = Classes.of(known) if known else Classes(np.zeros(source.n_rows, dtype=np.int64))
            _COUNTED[source] = ClassCounts(classes.labels, classes.sizes, classes.units(source.subjects))
        return _COUNTED[source]
    if isinstance(source, TableOutcome):
        classes = source.recoding.classes
        if classes not in _COUNTED:
            _COUNTED[classes] = ClassCounts(classes.labels, classes.sizes, classes.units(source.table.subjects))
        return _COUNTED[classes]
    raise InputError("risk needs a Table, a Release or Classes.")


def exact_probability(value: float | str | Fraction, name: str = "threshold", *, hint: str | None = None) -> Fraction:
    """Return a probability in (0, 1] as the exact number that its decimal text says.

    Raises
    ------
    OptionError
        It is none.

    Examples
    --------
    >>> exact_probability(0.2), exact_probability("1/3")
    (Fraction(1, 5), Fraction(1, 3))
    """
    try:
        exact = value if isinstance(value, Fraction) else Fraction(0 if isinstance(value, bool) else str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact <= 1:
        raise OptionError(
            f"{name} must lie in (0, 1]: it is a probability.",
            hint=hint or "0.2 is the manual's threshold for low harm, 0.1 for medium, 0.01 for high.",
            about=name,
        )
    return exact


def exact_sum(parts: NDArray[np.int64], divisors: NDArray[np.int64]) -> Fraction:
    """Return the exact sum of ``parts / divisors``; whole numbers, the divisors from 1.

    Fractions are added two by two and reduced once, at the end: one after another they would take minutes where there
    are thousands of different divisors.

    Examples
    --------
    >>> exact_sum(np.array([1, 1, 2]), np.array([2, 3, 2]))
    Fraction(11, 6)
    """
    place, first = _distinct(divisors)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, place, parts)
    terms = list(zip(total.tolist(), divisors[first].tolist(), strict=True))
    while len(terms) > 1:
        paired = [(a * d + c * b, b * d) for (a, b), (c, d) in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + terms[2 * len(paired) :]
    return Fraction(*terms[0]) if terms else Fraction(0)


@dataclass(frozen=True)
class Figures:
    """The three figures of a record's risk: its maximum and mean over records, and the share of records at risk."""

    max: Fraction
    mean: Fraction
    share_at_risk: Fraction


def figures_of(rows: NDArray[np.int64], people: NDArray[np.int64], threshold: Fraction) -> Figures | None:
    """Return the figures of classes whose every row has the risk ``1 / people``; ``None`` where there are no rows.

    Parameters
    ----------
    rows
        How many rows each class has.
    people
        Among how many people each of them hides, from 1.
    threshold
        A row is at risk just if its risk lies strictly above it.

    Examples
    --------
    >>> figures_of(np.array([2, 5]), np.array([2, 5]), Fraction(1, 5))
    Figures(max=Fraction(1, 2), mean=Fraction(2, 7), share_at_risk=Fraction(2, 7))
    """
    n_rows = int(rows.sum())
    if not n_rows:
        return None
    at_risk = people < min(fewest_people(threshold), _MOST_PEOPLE)
    return Figures(
        Fraction(1, int(people.min())), exact_sum(rows, people) / n_rows, Fraction(int(rows[at_risk].sum()), n_rows)
    )


def _distinct(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each class the rank of its count, and where the count of each rank occurs."""
    ranks = group([counts])
    where = np.zeros(int(ranks.max(initial=-1)) + 1, dtype=np.int64)
    where[ranks] = np.arange(len(ranks))
    return ranks, where
