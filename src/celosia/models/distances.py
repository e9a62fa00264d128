"""How far the secrets of each class are from those of all published rows, in whole numbers.

Each function returns the earth mover's distance of every class times its size times the number of published rows (and
times a number of the ground distance): whole numbers, so that a threshold is met exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.models.exact import NEAR, excess
from celosia.models.secrets import Histograms

_WIDEST = 2**63


def beyond_equal(found: Histograms, bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound where all values are equally far apart: ``sum |q - p| / 2``.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = Histograms.of(Classes([0, 0, 1, 1]), np.array([0, 0, 0, 1]), 2)
    >>> beyond_equal(found, Fraction(1, 4)).tolist(), beyond_equal(found, Fraction("0.24")).tolist()
    ([False, False], [True, True])
    """
    return excess(_moved(found), found.sizes * found.n_rows, bound) > 0


def beyond_tree(found: Histograms, levels: Sequence[NDArray[np.integer]], bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound where values are as far apart as their lowest common node is high.

    Moving a row up to the height h of the root costs 1/h at each level. A row must leave its node at a level just if
    the node has more than its share: the distance is the mean of the equal distances over the levels below the root.

    Parameters
    ----------
    levels
        For each level below the root the node of each value, numbered from 0, ascending with the values.
    """
    moved = np.zeros(len(found.sizes), dtype=np.int64)
    for nodes in levels:
        moved += _moved(found.grouped(nodes))
    return excess(moved, found.sizes * found.n_rows * len(levels), bound) > 0


def beyond_line(found: Histograms, gaps: NDArray[Any], bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound on a line: ``sum_i gap_i |sum_{h <= i} (q_h - p_h)| / length``.

    Parameters
    ----------
    found
        Histograms in which each value stands in some row; values are ranks on the line.
    gaps
        The way from each value to the next, whole numbers above 0 (``int64``, or Python's where those are too short).

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = Histograms.of(Classes([0, 0, 0, 1, 2, 1, 2, 2, 1]), np.arange(9), 9)
    >>> beyond_line(found, np.ones(8, dtype=np.int64), Fraction("0.3")).tolist()
    [True, False, False]
    """
    length = sum(gaps.tolist())
    if not length:
        return np.zeros(len(found.sizes), dtype=np.bool_)
    if 4 * int(found.sizes.max(initial=0)) * found.n_rows * length < _WIDEST:
        return excess(_carried(found, gaps, np.int64), found.sizes * (found.n_rows * length), bound) > 0
    distances = _carried(found, gaps / length, np.float64) / (found.sizes * float(found.n_rows))
    beyond: NDArray[np.bool_] = distances > float(bound)
    near = np.flatnonzero(np.abs(distances - float(bound)) <= NEAR)
    if len(near):
        carried = _carried(found.only(near), gaps, object)
        beyond[near] = excess(carried, found.sizes[near].astype(object) * (found.n_rows * length), bound) > 0
    return beyond


def _moved(found: Histograms) -> NDArray[np.int64]:
    """Return the share of rows that must change their value, times size times rows: what values have too much."""
    surplus = found.counts * found.n_rows - found.totals[found.values] * found.sizes[found.labels]
    return found.summed(np.maximum(surplus, 0))


def _carried(found: Histograms, gaps: NDArray[Any], dtype: type) -> NDArray[Any]:
    """Return ``sum_i gap_i |n C_i - f R_i|`` per class, C and R being cumulated counts of the class and of all n rows.

    From one value of a class to the next C stays and R grows, so that the sum over this stretch follows from sums from
    the start (``walked`` of the gaps, ``weighed`` of gap times R) at its ends and where n C - f R changes its sign: no
    table of classes by values is needed.
    """
    n_rows = found.n_rows
    cumulated = np.cumsum(found.totals)
    zero: NDArray[Any] = np.zeros(1, dtype=dtype)
    walked = np.concatenate([zero, np.cumsum(gaps.astype(dtype))])
    weighed = np.concatenate([zero, np.cumsum(gaps.astype(dtype) * cumulated[:-1].astype(dtype))])
    owner = np.repeat(np.arange(len(found.starts)), np.diff(found.starts, append=len(found.counts)))
    sizes = found.sizes[owner]
    within = np.cumsum(found.counts)
    held = within - (within[found.starts] - found.counts[found.starts])[owner]
    here = found.values
    following = np.append(here[1:], len(cumulated) - 1)
    following[found.starts[1:] - 1] = len(cumulated) - 1
    turn = np.clip(np.searchsorted(cumulated, -(-held * n_rows // sizes)), here, following)
    stretch = (held * n_rows).astype(dtype) * (2 * walked[turn] - walked[here] - walked[following])
    stretch = stretch + sizes.astype(dtype) * (weighed[here] + weighed[following] - 2 * weighed[turn])
    before = found.sizes.astype(dtype) * weighed[here[found.starts]]
    return np.asarray(found.summed(stretch) + before)
