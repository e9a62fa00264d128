"""Gains: what each column adds to what the others tell apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.base.progress import Progress, Quiet
from celosia.measure.risk.alike import Alike, Coded, coded
from celosia.measure.risk.distinction import separation_of

_MOST_EXACT_WORK = 2**31
_MOST_EXACT_COLUMNS = 20
_N_ORDERS = 100
_SHOWN_DEPTH = 4


@dataclass(frozen=True)
class ColumnGain(Result):
    """What one column tells apart, alone and beside the others.

    Attributes
    ----------
    column
        Its name.
    distinction, separation
        Of the column alone.
    marginal
        The distinction of all columns less that of all others.
    only_by_it
        The share of the unique rows that are unique no more without it.
    shapley
        Its share of the unique rows, by Shapley's value: the mean over all orders of the columns of the rows that
        become unique when it comes to those before it. The shares of all columns add up to 1.
    shapley_error
        The standard error of ``shapley``; ``None`` where it is exact.

    Undefined figures are ``None``: without unique rows nobody has a share of them.
    """

    column: str
    distinction: float | None
    separation: float | None
    marginal: float | None
    only_by_it: float | None
    shapley: float | None
    shapley_error: float | None

    shown = ("distinction", "separation", "marginal", "only_by_it", "shapley", "shapley_error")


@dataclass(frozen=True)
class Gains(Result):
    """What columns tell apart together, and what each of them adds.

    Attributes
    ----------
    columns
        One entry per column, in the order asked for.
    distinction, separation
        Of all columns together.
    n_unique, n_rows
        Rows that all columns together tell from every other, and all rows.
    n_orders
        From how many random orders the Shapley shares were estimated; ``None`` where they are exact.
    """

    columns: list[ColumnGain]
    distinction: float | None
    separation: float | None
    n_unique: int
    n_rows: int
    n_orders: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        return super().to_dict() | {"columns": {one.column: one.to_dict() for one in self.columns}}


def gains(
    table_or_frame: Any,
    columns: Sequence[str] | None = None,
    *,
    n_orders: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Gains:
    """Return per column what it tells apart alone, and what it adds to the others.

    With u(S) the rows that are unique by the columns S, and m columns in all, the Shapley share of the column c is the
    sum over all S without c of |S|! (m - |S| - 1)! / m! (u(S with c) - u(S)), divided by u(all).

    Parameters
    ----------
    table_or_frame
        A ``Table``, or a pandas, Polars or Arrow frame.
    columns
        Any columns, whatever their role. By default all of a frame, and all of a table that are not identifiers.
    n_orders
        From how many random orders of the columns to estimate the Shapley shares, from 2. By default they are exact,
        over all sets of columns, up to 20 columns and 2**31 rows times sets (16 columns of 32,000 rows); beyond, 100
        orders are drawn. ``Gains.n_orders`` and the standard errors say so.
    seed
        ``None`` for secure randomness; a whole number for draws that repeat.
    progress
        Shown how far the work is.

    Raises
    ------
    ColumnNotFoundError
        The table lacks a column.
    OptionError
        ``n_orders`` is below 2.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [40, 40, 41, 41], "sex": ["f", "m", "f", "f"]})
    >>> found = gains(people)
    >>> [(one.column, one.marginal, one.only_by_it, one.shapley) for one in found.columns]
    [('age', 0.25, 0.5, 0.25), ('sex', 0.25, 1.0, 0.75)]
    """
    if n_orders is not None:
        n_orders = checked_whole("n_orders", n_orders, 2, "leave it out for exact shares.")
    known = coded(table_or_frame, columns)
    n_rows = len(known[0].codes)
    whole = Alike.whole(n_rows)
    together = whole.split(known)
    shown = progress or Quiet()
    shown.stage("gains")
    if n_orders is None and (len(known) > _MOST_EXACT_COLUMNS or n_rows << len(known) > _MOST_EXACT_WORK):
        n_orders = _N_ORDERS
    shares: list[tuple[float | None, float | None]] = [(None, None)] * len(known)
    if together.n_unique and n_rows > 1:
        if n_orders is None:
            shares = [(share, None) for share in _exact_shares(known, n_rows, shown)]
        else:
            shares = _estimated_shares(known, n_rows, n_orders, Randomness(seed), shown)
    others = dict(leave_one_out(whole, known))
    return Gains(
        columns=[
            _gain(column, whole.split([column]), together, others[column.name], share)
            for column, share in zip(known, shares, strict=True)
        ],
        distinction=_ratio(together.n_distinct, n_rows),
        separation=separation_of(together),
        n_unique=together.n_unique,
        n_rows=n_rows,
        n_orders=n_orders,
    )


def leave_one_out(start: Alike, columns: Sequence[Coded]) -> Iterator[tuple[str, Alike]]:
    """Yield for each column what all others leave alike; halves share their work.

    Examples
    --------
    >>> one, other = (Coded(name, np.array(codes, dtype=np.int32), 2) for name, codes in (("a", [0, 1]), ("b", [0, 0])))
    >>> [(name, alike.n_unique) for name, alike in leave_one_out(Alike.whole(2), [one, other])]
    [('a', 0), ('b', 2)]
    """
    if len(columns) == 1:
        yield columns[0].name, start
        return
    middle = len(columns) // 2
    yield from leave_one_out(start.split(columns[middle:]), columns[:middle])
    yield from leave_one_out(start.split(columns[:middle]), columns[middle:])


def _ratio(numerator: int, denominator: int) -> float | None:
    return float(Fraction(numerator, denominator)) if denominator else None


def _gain(
    column: Coded, alone: Alike, together: Alike, others: Alike, share: tuple[float | None, float | None]
) -> ColumnGain:
    n_rows = together.n_rows
    return ColumnGain(
        column=column.name,
        distinction=_ratio(alone.n_distinct, n_rows),
        separation=separation_of(alone),
        marginal=_ratio(together.n_distinct - others.n_distinct, n_rows),
        only_by_it=_ratio(together.n_unique - others.n_unique, together.n_unique),
        shapley=share[0],
        shapley_error=share[1],
    )


def _exact_shares(columns: Sequence[Coded], n_rows: int, progress: Progress) -> list[float]:
    """Return the Shapley shares from the unique rows of every set of columns; sums are of whole numbers."""
    m = len(columns)
    order = sorted(range(m), key=lambda place: -columns[place].n_codes)
    n_unique = _uniques_of_sets([columns[place] for place in order], n_rows, progress)
    sets = np.arange(2**m)
    sizes = np.bitwise_count(sets)
    shares = [0.0] * m
    for bit, place in enumerate(order):
        without = sets[sets >> bit & 1 == 0]
        steps = n_unique[without | 1 << bit] - n_unique[without]
        by_size = [int(steps[sizes[without] == size].sum()) for size in range(m)]
        total = sum(Fraction(step, m * math.comb(m - 1, size)) for size, step in enumerate(by_size))
        shares[place] = float(total / int(n_unique[-1]))
    return shares


def _uniques_of_sets(columns: Sequence[Coded], n_rows: int, progress: Progress) -> NDArray[np.int64]:
    """Return how many rows are unique by each set of columns, bit i of its number standing for column i.

    Columns with many values come first: rows that are unique by them need no further look in half of the sets.
    """
    found = np.full(2 ** len(columns), n_rows, dtype=np.int64)
    found[0] = 0

    last = len(columns) - 1

    def visit(alike: Alike, chosen: int, first: int, done: float) -> None:
        for bit in range(first, last):
            split = alike.split([columns[bit]])
            found[chosen | 1 << bit] = split.n_unique
            if split.n_groups:
                visit(split, chosen | 1 << bit, bit + 1, done)
            done += 2.0 ** -(bit + 1)  # of all sets, those that agree with this one in the columns up to here
            if bit < _SHOWN_DEPTH:
                progress.advance(done)
        found[chosen | 1 << last] = alike.n_unique_with([columns[last]])

    visit(Alike.whole(n_rows), 0, 0, 0.0)
    return found


def _estimated_shares(
    columns: Sequence[Coded], n_rows: int, n_orders: int, chance: Randomness, progress: Progress
) -> list[tuple[float | None, float | None]]:
    """Return the mean share of each column over random orders, and its standard error."""
    steps = np.zeros((n_orders, len(columns)))
    for number in range(n_orders):
        alike = Alike.whole(n_rows)
        for place in chance.permutation(len(columns)).tolist():
            split = alike.split([columns[place]])
            steps[number, place] = split.n_unique - alike.n_unique
            alike = split
        progress.advance((number + 1) / n_orders)
    steps /= steps.sum(axis=1, keepdims=True)
    errors = steps.std(axis=0, ddof=1) / math.sqrt(n_orders)
    return list(zip(steps.mean(axis=0).tolist(), errors.tolist(), strict=True))
