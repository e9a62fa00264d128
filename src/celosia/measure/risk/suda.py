"""SUDA: how few of a person's values single them out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.base.fields import Result
from celosia.base.numbers import whole_number
from celosia.base.progress import Progress, Quiet, watch
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.data.schema.columns import cleaned, codes_of
from celosia.measure.risk.base import exact_probability

_MOST_COLUMNS = 64  # of the kernel; factorials below 64 fit a float
_MOST_COLUMNS_WHOLE = 12
_USUAL_SIZE = 3


@dataclass(frozen=True, eq=False)
class Suda(Result):
    """Scores of how easily each row is singled out, from its minimal sample uniques (MSU).

    Attributes
    ----------
    scores
        Per row, the sum over its MSUs of (M - size)!, M the number of columns; 0 where it has none.
    n_minimal_uniques
        How many MSUs all rows have, by size from 1 to ``max_size``.
    contributions
        Per column, the share of the total score that comes from MSUs with that column. An MSU counts for each of its
        columns, so that shares add up to more than 1. ``None`` where no row has an MSU.
    n_rows_unique, n_rows_special
        Rows with an MSU, and those with one of fewer than all columns ("special uniques").
    dis
        The chance that a unique match is a correct one, from ``sampling_fraction``; ``None`` where that is not given,
        or nobody is alone or one of two.
    max_size
        The most columns that were looked at together. Where it is less than M, larger MSUs are not in the scores.

    Examples
    --------
    >>> found = Suda(np.array([2.0, 0.0]), {1: 1}, {"age": 1.0}, 1, 0, None, None, 1)
    >>> found.to_dict()["n_rows_unique"]
    1
    """

    scores: NDArray[np.float64]
    n_minimal_uniques: dict[int, int]
    contributions: dict[str, float | None]
    n_rows_unique: int
    n_rows_special: int
    dis: float | None
    sampling_fraction: float | None
    max_size: int

    shown = (
        *("n_rows", "n_rows_unique", "n_rows_special", "n_minimal_uniques"),
        *("contributions", "dis", "sampling_fraction", "max_size"),
    )

    @property
    def n_rows(self) -> int:
        """How many rows the table has."""
        return len(self.scores)


def suda(
    table: Table,
    max_size: int | None = None,
    *,
    columns: Sequence[str] | None = None,
    sampling_fraction: float | str | Fraction | None = None,
    progress: Progress | None = None,
) -> Suda:
    """Return the SUDA scores of a table's rows.

    A minimal sample unique (MSU) of a row is a set of columns in which nobody else has the row's values, while every
    smaller set of them is shared with somebody. A row's score is the sum over its MSUs of (M - size)!, M the number of
    columns: few values that suffice weigh most. A missing cell is no value: no MSU holds it, and it makes nobody
    less unique. Where the schema names a subject, rows of the same person do not count against each other.

    Data intrusion simulation: DIS = s1 p / (s1 p + 2 s2 (1 - p)), s1 the people who are unique in all columns, s2 the
    classes of two, p the sampling fraction. It is one figure for the file, and no probability of a row.

    Parameters
    ----------
    max_size
        The most columns of an MSU, from 1 to M. By default all of them, if they are at most 12, else 3.
    columns
        Columns that an attacker may know, at most 64; by default the quasi-identifiers.
    sampling_fraction
        The share of the population that is in the table, in (0, 1].
    progress
        Shown how far the search is.

    Raises
    ------
    InputError
        ``table`` is no ``Table``.
    ColumnNotFoundError
        The table lacks a column.
    OptionError
        An option is out of range.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> frame = pl.DataFrame({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})
    >>> found = suda(cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys("abc", "number"))))
    >>> found.scores.tolist(), found.contributions
    ([2.0, 4.0, 2.0], {'a': 0.5, 'b': 0.375, 'c': 0.375})
    """
    if not isinstance(table, Table):
        raise InputError("suda needs a Table.", hint="cl.Table(frame, schema) makes one of any frame.")
    codes = _codes(table, columns)
    size = _size(max_size, len(codes))
    fraction = None
    if sampling_fraction is not None:
        hint = "rows / people in the population, such as 0.05."
        fraction = exact_probability(sampling_fraction, "sampling_fraction", hint=hint)
    counts, in_column = _minimal_uniques(list(codes.values()), table, size, progress or Quiet())
    weights = np.array([math.factorial(len(codes) - own) for own in range(1, size + 1)], dtype=np.float64)
    scores = counts @ weights
    total = float(scores.sum())
    shares = [None] * len(codes) if total == 0 else (in_column @ weights / total).tolist()
    return Suda(
        scores=scores,
        n_minimal_uniques=dict(enumerate(counts.sum(axis=0, dtype=np.int64).tolist(), start=1)),
        contributions=dict(zip(codes, shares, strict=True)),
        n_rows_unique=int(counts.any(axis=1).sum()),
        n_rows_special=int(counts[:, : len(codes) - 1].any(axis=1).sum()),
        dis=None if fraction is None else _dis(list(codes.values()), table, fraction),
        sampling_fraction=None if fraction is None else float(fraction),
        max_size=size,
    )


def _codes(table: Table, columns: Sequence[str] | None) -> dict[str, NDArray[np.int32]]:
    """Return the codes of each column, -1 where a cell is missing."""
    typed = {column.name: column.codes for column in table.quasi_identifiers}
    names = list(typed) if columns is None else [columns] if isinstance(columns, str) else list(columns)
    available = table.frame.columns
    for name in names:
        if name not in available:
            raise ColumnNotFoundError(
                f"'{name}' is not a column of {table.name} ({len(available)} columns).",
                hint=nearest_column(name, available),
            )
    if not names or len(set(names)) < len(names) or len(names) > _MOST_COLUMNS:
        raise OptionError(
            f"suda looks at 1 to {_MOST_COLUMNS} columns, none twice; got {len(names)}.",
            hint="name those that an attacker may know.",
            about="columns",
        )
    codes = {name: typed[name] if name in typed else codes_of(cleaned(table.frame[name])[0])[0] for name in names}
    return {name: np.ascontiguousarray(own, dtype=np.int32) for name, own in codes.items()}


def _size(max_size: object, n_columns: int) -> int:
    if max_size is None:
        return n_columns if n_columns <= _MOST_COLUMNS_WHOLE else _USUAL_SIZE
    size = whole_number(max_size)
    if size is None or not 1 <= size <= n_columns:
        raise OptionError(
            f"max_size must be a whole number from 1 to {n_columns}, the number of columns.",
            hint="leave it out for all sizes of up to 12 columns.",
            about="max_size",
        )
    return size


def _minimal_uniques(
    codes: list[NDArray[np.int32]], table: Table, max_size: int, shown: Progress
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    pulse = kernels.Pulse()
    shown.stage("suda")
    return watch(
        pulse, shown, lambda: kernels.minimal_uniques(codes, table.n_rows, max_size, pulse, subjects=table.subjects)
    )


def _dis(codes: list[NDArray[np.int32]], table: Table, fraction: Fraction) -> float | None:
    """Return s1 p / (s1 p + 2 s2 (1 - p)); missing is a value of its own here, as in every class."""
    people = Classes.of(codes).units(table.subjects)
    alone = int((people == 1).sum()) * fraction
    in_pairs = 2 * int((people == 2).sum()) * (1 - fraction)
    return None if alone + in_pairs == 0 else float(alone / (alone + in_pairs))
