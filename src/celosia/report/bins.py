"""Bins of numbers: round edges, and at least k people in each."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from celosia.report.axes import round_step
from celosia.report.crowd import Crowd

MOST_BARS = 12
"""How many bars a picture has at most."""


def round_edges(low: float, high: float, *, whole: bool) -> NDArray[np.float64]:
    """Return ascending edges, multiples of 1, 2 or 5 times a power of ten, whose bins ``[edge, next)`` cover a range.

    Parameters
    ----------
    low, high
        The ends of the range. Neither is an edge unless it is round by itself.
    whole
        Whether the numbers are whole, so that no bin is narrower than 1.

    Examples
    --------
    >>> round_edges(17, 90, whole=True).tolist()
    [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]
    """
    step = 1.0 if whole else 0.0
    if high > low:
        step = max(step, round_step((high - low) / MOST_BARS))
    elif not whole:
        step = round_step(abs(high)) if high else 1.0
    first, last = _places(low, high, step)
    while last - first + 1 > MOST_BARS:
        step = round_step(step * 1.5)
        first, last = _places(low, high, step)
    edges = np.unique([_multiple(step, place) for place in range(first, last + 2)])
    # Where floats are sparser than the step, edges coincide.
    return edges if edges[-1] > high else np.append(edges, np.nextafter(high, np.inf))


def _places(low: float, high: float, step: float) -> tuple[int, int]:
    """Return which multiples of the step begin the first and the last bin of a range."""
    last = floor(high / step)
    # 0.6 / 0.05 is a little below 12, and would leave 0.6 itself without a bin.
    return floor(low / step), last + 1 if _multiple(step, last + 1) <= high else last


def _multiple(step: float, place: int) -> float:
    """Return a multiple as people spell it: 3 * 0.1 is a little above 0.3, and would put 0.3 into the bin below."""
    return float(f"{step * place:.15g}")


def merged(edges: NDArray[np.float64], crowd: Crowd, least: int) -> NDArray[np.float64]:
    """Drop edges until at least ``least`` people lie between any two that are left; the outermost edges stay.

    Parameters
    ----------
    crowd
        The people in each bin.

    Examples
    --------
    >>> crowd = Crowd(np.array([0, 0, 1, 2, 2, 2, 3]), 4, None)
    >>> merged(np.array([0.0, 10, 20, 30, 40]), crowd, 2).tolist()
    [0.0, 10.0, 40.0]
    """
    kept = [0]
    for stop in range(1, len(edges)):
        if crowd.together(range(kept[-1], stop)) >= least:
            kept.append(stop)
    if kept[-1] != len(edges) - 1:
        kept = [*kept[:-1], len(edges) - 1] if len(kept) > 1 else [0, len(edges) - 1]
    return edges[kept]


def ticks(edges: NDArray[np.float64], most: int) -> list[int]:
    """Return the positions of the inner edges to label, evenly thinned out to at most ``most``.

    Examples
    --------
    >>> ticks(np.arange(7.0), 3)
    [1, 3, 5]
    """
    inner = list(range(1, len(edges) - 1))
    return inner[:: max(1, ceil(len(inner) / most))]
