"""Extremes: the first and the last by rank, whom others often know (A17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published, Values, is_secret, looked_at, n_people

_FAR = 3
"""How many spreads of the middle half lie between an end that stands far out and the k-th row from it (Tukey's far
out)."""


def extremes(published: Published) -> list[Finding]:
    """Find columns of numbers, days or ranges of which fewer than ``k`` people hold the smallest or the largest value.

    Of a column that others may know it is a warning. Of a secret it is a note, and a warning where those few stand far
    out: whoever is known to be the best paid is then known with their pay. Whole numbers of one length, five digits
    or more, are taken for codes, whose ends mean nothing.

    Examples
    --------
    >>> import polars as pl
    >>> table = Published(pl.DataFrame({"age": ["30", "30", "30", "41", "41", "104"]}), k=2)
    >>> [(one.code, one.severity, one.n_rows) for one in extremes(table)]
    [('EXTREMES', 'warning', 1)]
    """
    return [finding for column in looked_at(published) for finding in _of_column(published, column)]


def _of_column(published: Published, column: str) -> Iterator[Finding]:
    amounts = published.amounts(column)
    if amounts is None:
        return
    values = published.values(column)
    low, high = _End.of(published, values, amounts.low), _End.of(published, values, -amounts.high)
    few = [end for end in (low, high) if end.n_people < published.k]
    if not few or low.outermost == -high.outermost:  # where all have one value, nobody is first
        return
    secret = is_secret(published, column)
    n_far = sum(end.n_beyond for end in few if end.is_far)
    if secret and n_far:
        yield Finding(
            "EXTREMES",
            "warning",
            "Fewer than {k} people stand far out at an end of the secret '{column}' ({n_far} rows): whoever knows "
            "who has the most or the least learns how much. Code the ends (top_code, bottom_code).",
            column,
            {"n_far": n_far, "k": published.k},
            n_rows=n_far,
        )
    else:
        yield Finding(
            "EXTREMES",
            "note" if secret else "warning",
            "'{column}' has {n_low} rows at its smallest value and {n_high} at its largest: an end that fewer than "
            "{k} people hold tells who they are to whoever knows who is first or last. Code the ends (bottom_code, "
            "top_code).",
            column,
            {"n_low": low.n_rows, "n_high": high.n_rows, "k": published.k},
            n_rows=values.rows_where(np.logical_or.reduce([end.holds for end in few])),
        )


@dataclass(frozen=True, eq=False)
class _End:
    """The lower end of a column; the upper one is that of its negatives.

    Attributes
    ----------
    outermost
        Where it lies.
    holds
        Which values reach it.
    n_rows, n_people
        Who holds them.
    n_beyond
        Rows beyond the k-th from this end: at most k - 1.
    is_far
        Whether they begin further from it than ``_FAR`` spreads.
    """

    outermost: float
    holds: NDArray[np.bool_]
    n_rows: int
    n_people: int
    n_beyond: int = 0
    is_far: bool = False

    @classmethod
    def of(cls, published: Published, values: Values, points: NDArray[np.float64]) -> _End:
        outermost = float(np.nanmin(points))
        holds = points == outermost
        n_rows = values.rows_where(holds)
        if n_rows >= published.k and published.subject is None:
            return cls(outermost, holds, n_rows, n_rows)
        people = n_people(published, np.flatnonzero(np.append(holds, False)[values.codes]))
        return cls(outermost, holds, n_rows, people, *_beyond(points, values.counts, published.k))


def _beyond(points: NDArray[np.float64], counts: NDArray[np.int64], k: int) -> tuple[int, bool]:
    """Return how many rows lie below the k-th, and whether the first of them lies far from it."""
    order = np.argsort(points)
    order = order[np.isfinite(points[order])]
    ascending, upto = points[order], np.cumsum(counts[order])
    kth = int(np.searchsorted(upto, k))
    if kth == 0 or kth >= len(order):
        return 0, False
    first, third = (ascending[np.searchsorted(upto, share * upto[-1])] for share in (0.25, 0.75))
    spread = third - first or _deviation(ascending[kth:], counts[order][kth:])
    return int(upto[kth - 1]), bool(ascending[kth] - ascending[0] > _FAR * spread)


def _deviation(points: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Return the standard deviation of points that are held so often each."""
    mean = np.average(points, weights=counts)
    return float(np.sqrt(np.average((points - mean) ** 2, weights=counts)))
