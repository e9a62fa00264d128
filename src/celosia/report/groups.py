"""Groups of values: the frequent ones by name, the rest together, and at least k people in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.report.bins import MOST_BARS
from celosia.report.crowd import Crowd


@dataclass(frozen=True)
class Grouping:
    """Which values get a bar of their own.

    Attributes
    ----------
    named
        The values with a bar of their own, in drawing order.
    rest
        Those that share one bar.
    share
        The share of the rows that have a bar of their own.
    """

    named: tuple[int, ...]
    rest: tuple[int, ...]
    share: float


def grouped(crowd: Crowd, nameable: NDArray[np.bool_], least: int, *, ordered: bool) -> Grouping:
    """Choose the values to show by name: those that may be named and that at least ``least`` people have.

    The others become one group. Where that group has fewer than ``least`` people, the rarest named values join it:
    otherwise it would tell how few they are.

    Parameters
    ----------
    crowd
        The rows and people of each value; values without rows belong to no group.
    nameable
        Whether the text of each value may be shown at all.
    ordered
        Whether values keep their order; otherwise the most frequent comes first.

    Examples
    --------
    >>> crowd = Crowd(np.array([0, 0, 0, 1, 1, 2]), 3, None)
    >>> grouped(crowd, np.array([True, True, True]), 2, ordered=False)
    Grouping(named=(0,), rest=(1, 2), share=0.5)
    """
    held = np.flatnonzero(crowd.rows)
    frequent = [int(value) for value in held if nameable[value] and crowd.people[value] >= least]
    frequent.sort(key=lambda value: (-int(crowd.rows[value]), value))
    if len(frequent) > MOST_BARS or (len(frequent) == MOST_BARS and len(held) > MOST_BARS):
        frequent = frequent[: MOST_BARS - 1]
    rest = sorted(set(held.tolist()) - set(frequent))
    while rest and frequent and crowd.together(rest) < least:
        rest.append(frequent.pop())
    total = int(crowd.rows.sum())
    share = float(_rows(crowd, frequent)) / total if total else 0.0
    return Grouping(tuple(sorted(frequent) if ordered else frequent), tuple(sorted(rest)), share)


def _rows(crowd: Crowd, values: Sequence[int]) -> int:
    return int(crowd.rows[list(values)].sum()) if values else 0
