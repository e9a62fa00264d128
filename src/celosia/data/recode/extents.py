"""What each class covers in one column: its lowest and highest code, or its set of codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.classes import Classes

_MOST_BITS = 62
"""Of a set that is kept as one number; sums of such numbers may wrap, their differences are true all the same."""


@dataclass(frozen=True, eq=False)
class Extents:
    """What each class publishes of one column.

    Attributes
    ----------
    low, high
        The lowest and highest code that the published value covers; without meaning where it is missing or ``*``.
    missing
        Whether the class is published as missing.
    anything
        Whether it is published as ``*``.
    level
        Where the column is recoded level by level: how far up each class is. ``None`` where classes are published by
        the narrowest value that covers their rows.
    n_levels
        How many levels there are then, values and top included.
    node
        Of a column with levels, recoded level by level: the node that each class publishes.
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    missing: NDArray[np.bool_]
    anything: NDArray[np.bool_]
    level: NDArray[np.int32] | None = None
    node: NDArray[np.int32] | None = None
    n_levels: int = 0

    @property
    def plain(self) -> NDArray[np.bool_]:
        """Classes published by a value, a range, a set or a node."""
        return ~(self.missing | self.anything)

    def at(self, places: NDArray[np.int64]) -> Extents:
        """Return the extents of classes that publish what these do, each by the place of the one it follows."""
        return Extents(
            self.low[places],
            self.high[places],
            self.missing[places],
            self.anything[places],
            None if self.level is None else self.level[places],
            None if self.node is None else self.node[places],
            self.n_levels,
        )


def extents_of(classes: Classes, codes: NDArray[np.int32]) -> Extents:
    """Return the narrowest extents of classes in a column of codes (-1 = missing).

    A class of only missing values is missing, one that mixes missing and known values is ``*``.
    """
    low, high, n_missing = kernels.class_extents(classes.labels.astype(np.int32), codes, classes.n_classes)
    return Extents(low, high, n_missing == classes.sizes, (n_missing > 0) & (n_missing < classes.sizes))


def distinct_sets(
    classes: Classes, codes: NDArray[np.int32], n_values: int, emptied: NDArray[np.bool_]
) -> tuple[list[list[int]], NDArray[np.int64]]:
    """Return the different sets of known codes that classes hold, as they first appear, and the set of every class.

    Parameters
    ----------
    n_values
        Codes lie below it.
    emptied
        Classes whose set counts as empty, whatever they hold.
    """
    members, starts = _sets_of(classes, codes, n_values)
    keys: list[int] | list[bytes]
    if n_values <= _MOST_BITS:  # a number with a bit per value, summed up class by class
        bits = np.concatenate([[0], np.cumsum(np.left_shift(1, members))])
        keys = np.where(emptied, 0, bits[starts[1:]] - bits[starts[:-1]]).tolist()
    else:
        bounds = zip(starts[:-1].tolist(), starts[1:].tolist(), emptied.tolist(), strict=True)
        keys = [b"" if empty else members[start:end].tobytes() for start, end, empty in bounds]
    found: dict[int | bytes, int] = {}
    of_class = np.array([found.setdefault(key, len(found)) for key in keys], dtype=np.int64)
    first = np.unique(of_class, return_index=True)[1].tolist()
    return [[] if emptied[own] else members[starts[own] : starts[own + 1]].tolist() for own in first], of_class


def _sets_of(classes: Classes, codes: NDArray[np.int32], n_values: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct known codes of every class, class after class, and where each class starts among them."""
    known = (classes.labels >= 0) & (codes >= 0)
    pairs = np.sort(classes.labels[known] * n_values + codes[known])  # np.unique hashes, which is slower by far
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    starts = np.searchsorted(pairs, np.arange(classes.n_classes + 1, dtype=np.int64) * n_values)
    return pairs % max(n_values, 1), starts
