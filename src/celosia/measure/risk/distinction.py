"""Distinction and separation: how well columns, whatever their role, tell rows apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from celosia.base.chance import Randomness
from celosia.base.errors import OptionError
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.data.schema import Table
from celosia.measure.risk.alike import Alike, coded, rows_of
from celosia.measure.risk.base import exact_probability


@dataclass(frozen=True)
class SeparationEstimate(Result):
    """A separation measured on pairs of rows drawn at random; for a first look, never to judge a release by.

    Attributes
    ----------
    separation
        The share of drawn pairs that differ in some column.
    low, high
        The interval in which the true separation lies, by Hoeffding's bound.
    n_pairs
        How many pairs were drawn.
    confidence
        The least probability with which the interval holds.
    """

    separation: float | None
    low: float | None
    high: float | None
    n_pairs: int
    confidence: float


def distinction(table_or_frame: Any, columns: Sequence[str] | None = None) -> float | None:
    """Return the different tuples that columns hold, divided by the rows; 1 where they tell every row apart.

    Rows are counted, not people; a missing value is a value of its own.

    Parameters
    ----------
    table_or_frame
        A ``Table``, or a pandas, Polars or Arrow frame.
    columns
        Any columns, whatever their role: an attacker chooses. By default all of a frame, and all of a table that are
        not identifiers.

    Returns
    -------
    float or None
        In (0, 1]; ``None`` for a table without rows.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [40, 40, 41, 41], "sex": ["f", "m", "f", "f"]})
    >>> distinction(people, ["age"]), distinction(people, ["age", "sex"])
    (0.5, 0.75)
    """
    known = coded(table_or_frame, columns)
    n_rows = len(known[0].codes)
    return float(Fraction(Alike.whole(n_rows).split(known).n_distinct, n_rows)) if n_rows else None


def separation(table_or_frame: Any, columns: Sequence[str] | None = None) -> float | None:
    """Return the share of pairs of rows that differ in at least one column: 1 - sum f (f - 1) / (n (n - 1)).

    f runs over how often each tuple occurs among the n rows. Sums are of whole numbers, so that the share is exact
    until it is shown.

    Parameters
    ----------
    table_or_frame
        A ``Table``, or a pandas, Polars or Arrow frame.
    columns
        Any columns, whatever their role. By default all of a frame, and all of a table that are not identifiers.

    Returns
    -------
    float or None
        In [0, 1]; ``None`` for fewer than two rows, which make no pair.

    Examples
    --------
    >>> import polars as pl
    >>> separation(pl.DataFrame({"age": [40, 40, 41, 41], "sex": ["f", "m", "f", "f"]}), ["age", "sex"])
    0.8333333333333334
    """
    known = coded(table_or_frame, columns)
    return separation_of(Alike.whole(len(known[0].codes)).split(known))


def separation_of(alike: Alike) -> float | None:
    """Return the separation of columns from the groups of rows that they leave alike.

    Examples
    --------
    >>> separation_of(Alike.whole(1)) is None, separation_of(Alike.whole(5))
    (True, 0.0)
    """
    n_rows = alike.n_rows
    if n_rows < 2:
        return None
    sizes, n_times = np.unique(alike.sizes, return_counts=True)
    n_pairs = sum(f * (f - 1) * n for f, n in zip(sizes.tolist(), n_times.tolist(), strict=True))
    return float(1 - Fraction(n_pairs, n_rows * (n_rows - 1)))


def estimate_separation(
    table_or_frame: Any,
    columns: Sequence[str] | None = None,
    *,
    n_pairs: int = 100_000,
    confidence: float | str | Fraction = "0.95",
    seed: int | None = None,
) -> SeparationEstimate:
    """Estimate the separation of very many columns from pairs of rows drawn at random, with replacement.

    By Hoeffding's bound the truth lies within sqrt(ln(2 / (1 - confidence)) / (2 n_pairs)) of the estimate with at
    least the probability ``confidence``. Use ``separation`` wherever something is decided by it: that one is exact.

    Parameters
    ----------
    columns
        Any columns; by default all of a frame, and all of a table that are not identifiers.
    n_pairs
        How many pairs to draw, from 1.
    confidence
        In (0, 1).
    seed
        ``None`` for secure randomness; a whole number for draws that repeat.

    Raises
    ------
    OptionError
        ``n_pairs`` or ``confidence`` is out of range.

    Examples
    --------
    >>> import polars as pl
    >>> found = estimate_separation(pl.DataFrame({"x": [1, 1, 2, 3]}), n_pairs=5000, seed=1)
    >>> found.low <= 5 / 6 <= found.high
    True
    """
    exact = exact_probability(confidence, "confidence", hint="0.95 is usual.")
    n_pairs = checked_whole("n_pairs", n_pairs, 1, "100000 is the default.")
    if exact == 1:
        raise OptionError(
            "confidence must lie below 1: no sample makes sure.", hint="0.95 is usual.", about="confidence"
        )
    frame = rows_of(table_or_frame)
    if frame.height < 2:
        return SeparationEstimate(None, None, None, n_pairs, float(exact))
    chance = Randomness(seed)
    one = (chance.keys(n_pairs) % np.uint64(frame.height)).astype(np.int64)
    other = (one + 1 + (chance.keys(n_pairs) % np.uint64(frame.height - 1)).astype(np.int64)) % frame.height
    drawn = frame[np.concatenate([one, other])]
    differ = np.zeros(n_pairs, dtype=np.bool_)
    is_table = isinstance(table_or_frame, Table)
    for column in coded(table_or_frame.with_frame(drawn) if is_table else drawn, columns):
        differ |= column.codes[:n_pairs] != column.codes[n_pairs:]
    share = float(Fraction(int(differ.sum()), n_pairs))
    reach = math.sqrt(math.log(2 / float(1 - exact)) / (2 * n_pairs))
    return SeparationEstimate(share, max(0.0, share - reach), min(1.0, share + reach), n_pairs, float(exact))
