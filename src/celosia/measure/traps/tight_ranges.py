"""Tight ranges: ends that are somebody's true value, told from their look alone (A7, T-P10)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published, looked_at

_MOST_RANGES = 1000
"""Of a column that are compared with one another."""
_MOST_DECIMALS = 9
_FEWEST_APART = 5
"""Ranges that must leave gaps before gaps say anything: a list made by hand may have parts without rows."""


def tight_ranges(published: Published) -> list[Finding]:
    """Find columns of ranges that look as if each ran from the lowest to the highest value of its class.

    Examples
    --------
    >>> import polars as pl
    >>> paper = pl.DataFrame({"practicals": ["5-8", "8-10", "6-10"] * 3, "age": ["30-39", "40-49", "20-29"] * 3})
    >>> [(one.code, one.column, one.n_rows) for one in tight_ranges(Published(paper))]
    [('TIGHT_RANGES', 'practicals', 9)]
    """
    found = []
    for column in looked_at(published):
        amounts = published.amounts(column)
        if amounts is None:
            continue
        ranged = amounts.closed & (amounts.low < amounts.high) & np.isfinite(amounts.high - amounts.low)
        if not are_tight(amounts.low[ranged], amounts.high[ranged]):
            continue
        n_rows = published.values(column).rows_where(ranged)
        found.append(
            Finding(
                "TIGHT_RANGES",
                "warning",
                "{n_ranges} different ranges of '{column}' ({n_rows} rows) lie on no common grid and cross one another "
                "or leave gaps, as ranges do whose ends are somebody's true values. Publish ranges on a grid, or the "
                "levels of a hierarchy.",
                column,
                {"n_ranges": int(np.count_nonzero(ranged)), "n_rows": n_rows},
                n_rows=n_rows,
            )
        )
    return found


def are_tight(low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Tell whether distinct closed ranges look like the hulls of classes.

    Ranges of a hierarchy lie inside or beside one another, and ranges on a grid share a step greater than the last
    digit of their ends. So ranges look tight if they have no such step and two of them cross (each holds a part of the
    other), or if there are five or more, of three or more widths, and most neighbours leave a gap. Beside one another
    ``30-39`` and ``60-69`` count as on a grid of 10.

    Examples
    --------
    >>> are_tight(np.array([5.0, 3.0]), np.array([10.0, 8.0]))
    True
    >>> are_tight(np.array([40.0, 45.0]), np.array([50.0, 60.0]))
    False
    """
    if len(low) < 2:
        return False
    starts, ends = _scaled(low[:_MOST_RANGES], high[:_MOST_RANGES])
    if _step(starts, ends) > 1:
        return False
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    crosses = (starts < starts[:, None]) & (starts[:, None] < ends) & (ends < ends[:, None])
    return bool(crosses.any()) or (_step(starts, ends + 1) == 1 and _are_apart(starts, ends))


def _scaled(low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return ends as whole numbers of the last digit that any of them has."""
    ends = np.concatenate([low, high])
    for decimals in range(_MOST_DECIMALS):
        scaled = ends * 10.0**decimals
        if np.abs(scaled - np.rint(scaled)).max() <= 1e-6 * max(1.0, np.abs(scaled).max() * 1e-9):
            break
    whole = np.rint(scaled).clip(-(2.0**62), 2.0**62).astype(np.int64)
    return whole[: len(low)], whole[len(low) :]


def _step(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> int:
    """Return the greatest step of a grid that holds all ends."""
    return int(np.gcd.reduce(np.concatenate([starts, ends]) - starts[0]))


def _are_apart(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> bool:
    """Tell whether most ranges, among those that hold no other, leave a gap to the next."""
    holds_other = (starts[:, None] <= starts) & (ends <= ends[:, None])
    inner = np.count_nonzero(holds_other, axis=1) == 1  # itself
    starts, ends = starts[inner], ends[inner]
    if len(starts) < _FEWEST_APART or len(np.unique(ends - starts)) < 3:
        return False
    gaps = starts[1:] - ends[:-1] > 1
    return bool(2 * np.count_nonzero(gaps) > len(gaps))
