"""Minimal keys: the smallest sets of columns that tell rows apart as well as all columns do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from celosia import kernels
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.base.progress import Progress, Quiet, watch
from celosia.measure.risk.alike import Alike, Coded, coded
from celosia.measure.risk.base import exact_probability

_MOST_SETS = 2**20


@dataclass(frozen=True)
class MinimalKeys(Result):
    """Sets of columns that tell enough rows apart, none of which can lose a column.

    Attributes
    ----------
    keys
        The sets as tuples of column names in the table's order, smallest first.
    n_distinct
        How many different tuples each of them holds.
    n_needed
        How many it had to hold: as many as all columns together, or the share that was asked for.
    n_rows
        Rows of the table.
    max_size
        The most columns that were looked at together: larger keys may exist.

    Examples
    --------
    >>> MinimalKeys([("a", "b")], [9], 9, 10, 3).is_key
    False
    """

    keys: list[tuple[str, ...]]
    n_distinct: list[int]
    n_needed: int
    n_rows: int
    max_size: int

    shown = ("keys", "n_distinct", "is_key", "n_needed", "n_rows", "max_size")

    @property
    def is_key(self) -> bool:
        """Whether each set tells every row from every other; else the table repeats rows, or a share was asked for."""
        return bool(self.keys) and all(n == self.n_rows for n in self.n_distinct)


def minimal_keys(
    table_or_frame: Any,
    columns: Sequence[str] | None = None,
    max_size: int | None = None,
    distinction: float | str | Fraction | None = None,
    progress: Progress | None = None,
) -> MinimalKeys:
    """Return all minimal sets of columns that tell as many rows apart as all of them together.

    A set S is one if it holds at least ``n_needed`` different tuples and no set with a column less does. ``n_needed``
    is the number of different tuples of all columns, so that rows that are repeated whole do not make the answer empty;
    with ``distinction`` = a it is a times the rows, rounded up (a-distinct sets).

    Parameters
    ----------
    table_or_frame
        A ``Table``, or a pandas, Polars or Arrow frame.
    columns
        Any columns, whatever their role: an attacker chooses. By default all of a frame, and all of a table that are
        not identifiers.
    max_size
        The most columns of a set, from 1; by default as many as keep the sets below about a million.
    distinction
        The share of rows that must be told apart, in (0, 1].
    progress
        Shown how far the search is.

    Raises
    ------
    ColumnNotFoundError
        The table lacks a column.
    OptionError
        An option is out of range.

    Returns
    -------
    MinimalKeys
        Without keys where nothing needs a column: fewer than two rows, or all rows alike.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [40, 40, 41, 41], "sex": ["f", "m", "f", "m"], "town": ["a", "b", "c", "c"]})
    >>> minimal_keys(people).keys
    [('age', 'sex'), ('sex', 'town')]
    >>> minimal_keys(people, distinction=0.75).keys
    [('town',), ('age', 'sex')]
    """
    known = coded(table_or_frame, columns)
    size = _largest(len(known))
    if max_size is not None:
        size = min(checked_whole("max_size", max_size, 1, "3 is what an attacker often knows."), len(known))
    return keys_of(known, size, distinction, progress)


def keys_of(
    known: Sequence[Coded],
    max_size: int,
    distinction: float | str | Fraction | None = None,
    progress: Progress | None = None,
) -> MinimalKeys:
    """Return the minimal keys among columns that are coded already, of at most ``max_size`` columns.

    Examples
    --------
    >>> import polars as pl
    >>> keys_of(coded(pl.DataFrame({"a": [1, 2, 2], "b": [1, 1, 2]})), 2).keys
    [('a', 'b')]
    """
    n_rows = len(known[0].codes)
    n_together = Alike.whole(n_rows).split(known).n_distinct
    n_needed = n_together if distinction is None else _n_needed(distinction, n_rows)
    found: list[list[int]] = []
    if 1 < n_needed <= n_together:
        pulse = kernels.Pulse()
        shown = progress or Quiet()
        shown.stage("keys")
        codes = [column.codes for column in known]
        found = watch(pulse, shown, lambda: kernels.minimal_keys(codes, n_rows, n_needed, max_size, pulse))
    sets = sorted((sorted(places) for places in found), key=lambda places: (len(places), places))
    chosen = [[known[place] for place in places] for places in sets]
    return MinimalKeys(
        keys=[tuple(column.name for column in one) for one in chosen],
        n_distinct=[
            n_together if n_needed == n_together else Alike.whole(n_rows).split(one).n_distinct for one in chosen
        ],
        n_needed=n_needed,
        n_rows=n_rows,
        max_size=max_size,
    )


def _n_needed(share: float | str | Fraction, n_rows: int) -> int:
    exact = exact_probability(share, "distinction", hint="0.9 finds what tells nine rows of ten apart.")
    return math.ceil(exact * n_rows)


def _largest(n_columns: int) -> int:
    """Return the largest size at which the sets of columns up to it number at most about a million."""
    n_sets, size = n_columns, 1
    while size < n_columns and n_sets + math.comb(n_columns, size + 1) <= _MOST_SETS:
        size += 1
        n_sets += math.comb(n_columns, size)
    return size
