"""The picture of class sizes for the outward statement: from the published rows alone, and no count below k."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.report import charts
from celosia.report.language import Language

_MOST_SIZES = 8
"""Up to so many different sizes each has a bar of its own."""
_MULTIPLES = (1, 2, 3, 5, 10, 20, 50, 100)
"""Where there are more, bars begin at these multiples of k."""


def rows_by_size(sizes: NDArray[np.int64], k: int) -> list[tuple[int, int | None, int]]:
    """Count the rows of classes by their size: first and last size (``None``: no end) of each bar, and its rows.

    Whole classes are counted, each of at least k rows, so that no bar tells of fewer. The last bar has no end: how
    large the largest class is stays untold.

    Parameters
    ----------
    sizes
        The rows of each class, none of them below ``k``.
    k
        The least number of rows in a class.

    Examples
    --------
    >>> rows_by_size(np.array([5, 7, 12]), 5)
    [(5, 5, 5), (7, 7, 7), (12, None, 12)]
    >>> rows_by_size(np.arange(5, 15), 5)
    [(5, 9, 35), (10, None, 60)]
    """
    found = np.unique(sizes).tolist()
    is_short = len(found) <= _MOST_SIZES
    starts = found if is_short else [k * one for one in _MULTIPLES if k * one <= found[-1]]
    place = np.searchsorted(starts, sizes, side="right") - 1
    rows = np.bincount(place, weights=sizes, minlength=len(starts)).astype(np.int64)
    ends = [*(found[:-1] if is_short else (start - 1 for start in starts[1:])), None]
    return [(first, last, int(n)) for first, last, n in zip(starts, ends, rows.tolist(), strict=True)]


def size_picture(sizes: NDArray[np.int64], k: int, language: Language) -> Markup:
    """Draw how many rows have how many rows alike.

    Examples
    --------
    >>> "≥\N{NO-BREAK SPACE}12" in size_picture(np.array([5, 7, 12]), 5, Language("en"))
    True
    """
    bars = [
        charts.Column(_label(first, last, language), n, language.whole(n) if n else "")
        for first, last, n in rows_by_size(sizes, k)
    ]
    shown = "; ".join(f"{bar.label}: {bar.figure}" for bar in bars if bar.figure)
    return charts.columns(bars, language.text("Number of rows by how many are alike. {bars}.", bars=shown))


def _label(first: int, last: int | None, language: Language) -> str:
    if last is None:
        return f"≥\N{NO-BREAK SPACE}{language.whole(first)}"
    return language.whole(first) if first == last else f"{language.whole(first)}\N{EN DASH}{language.whole(last)}"
