"""What measures of risk stand on: people per class, and probabilities as exact numbers."""

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

__all__ = ["ClassCounts", "Released", "class_counts", "exact_probability", "tally"]


@runtime_checkable
class Released(Protocol):
    """What risk reads off a release."""

    recoding: Recoding

    @property
    def table(self) -> Table:
        """The table it was made from, after masks."""
        ...


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
        known = [column.codes for column in source.quasi_identifiers]
        classes = Classes.of(known) if known else Classes(np.zeros(source.n_rows, dtype=np.int64))
        return ClassCounts(classes.labels, classes.sizes, classes.units(source.subjects))
    if isinstance(source, Released):
        classes = source.recoding.classes
        return ClassCounts(classes.labels, classes.sizes, classes.units(source.table.subjects))
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
        exact = Fraction(0) if isinstance(value, bool) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact <= 1:
        raise OptionError(
            f"{name} must lie in (0, 1]: it is a probability.",
            hint=hint or "0.2 is the manual's threshold for low harm, 0.1 for medium, 0.01 for high.",
            about=name,
        )
    return exact


def tally(*counts: NDArray[np.int64]) -> list[tuple[tuple[int, ...], int]]:
    """Count how often each tuple of counts occurs among the classes, so that exact sums stay short.

    Examples
    --------
    >>> tally(np.array([2, 2, 5]), np.array([1, 1, 4]))
    [((2, 1), 2), ((5, 4), 1)]
    """
    if not len(counts[0]):
        return []
    tuples, n_times = np.unique(np.stack(counts), axis=1, return_counts=True)
    return [(tuple(one), n) for one, n in zip(tuples.T.tolist(), n_times.tolist(), strict=True)]
