"""Classes: the one idea that everything turns on, an integer label per row.

Rows with equal labels are published alike; -1 marks a suppressed row. Algorithms find labels, models judge classes,
measures count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError

_WIDEST_KEY = 2**62


class Classes:
    """A partition of rows into equivalence classes.

    Parameters
    ----------
    labels
        One whole number per row; equal numbers are one class, -1 is a suppressed row. They are renumbered 0, 1, ...
        in ascending order.

    Examples
    --------
    >>> classes = Classes([7, 7, -1, 3])
    >>> classes.labels.tolist(), classes.sizes.tolist(), classes.n_suppressed
    ([1, 1, -1, 0], [1, 2], 1)
    """

    def __init__(self, labels: Sequence[int] | NDArray[np.integer]) -> None:
        given = np.asarray(labels)
        if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
            raise InputError("labels must be one whole number per row.")
        if given.size and given.min() < -1:
            raise InputError("a label below -1 has no meaning; -1 marks a suppressed row.")
        self.labels = _renumbered(given.astype(np.int64, copy=False))
        self.labels.flags.writeable = False

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.integer]], suppressed: NDArray[np.bool_] | None = None) -> Classes:
        """Return the classes of rows that are equal in every column of codes (-1 = missing, a value of its own)."""
        labels = group(columns)
        if suppressed is not None:
            labels = np.where(suppressed, -1, labels)
        return cls(labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Classes({len(self)} rows, {self.n_classes} classes, {self.n_suppressed} suppressed)"

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each class has."""
        return np.bincount(self.labels[self.labels >= 0]).astype(np.int64)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.sizes)

    @property
    def n_published(self) -> int:
        """How many rows belong to a class."""
        return int(self.sizes.sum())

    @property
    def n_suppressed(self) -> int:
        """How many rows belong to none."""
        return len(self) - self.n_published

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Whether each row is suppressed."""
        return self.labels < 0

    def distinct(self, codes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return how many different codes each class holds (missing, -1, is one of them)."""
        kept = ~self.suppressed
        if not kept.any():
            return np.zeros(0, dtype=np.int64)
        pairs = group([self.labels[kept], np.asarray(codes)[kept]])
        _, first = np.unique(pairs, return_index=True)
        return np.bincount(self.labels[kept][first], minlength=self.n_classes).astype(np.int64)

    def units(self, subjects: NDArray[np.integer] | None) -> NDArray[np.int64]:
        """Return how many people each class holds: distinct subjects, or rows where rows are people."""
        return self.sizes if subjects is None else self.distinct(subjects)


def group(columns: Sequence[NDArray[np.integer]]) -> NDArray[np.int64]:
    """Label rows so that two rows have equal labels just if they are equal in every column.

    Codes (any whole numbers) are packed into one mixed-radix number per row. Where the next column would overflow 62
    bits the numbers so far are first replaced by their ranks, so that any number of columns fits.

    Examples
    --------
    >>> group([np.array([0, 0, 1]), np.array([5, 5, 5])]).tolist()
    [0, 0, 1]
    """
    if not columns:
        raise InputError("classes need at least one column of codes.")
    key = np.zeros(len(columns[0]), dtype=np.int64)
    width = 1
    for codes in columns:
        own = np.asarray(codes, dtype=np.int64)
        shifted = own - own.min(initial=0)
        radix = int(shifted.max(initial=0)) + 1
        if width > _WIDEST_KEY // radix:
            key = _ranks(key, width)
            width = int(key.max(initial=0)) + 1
        key = key * radix + shifted
        width *= radix
    return _ranks(key, width)


def _ranks(key: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Replace each number (from 0, below ``width``) by its rank among the distinct ones."""
    if width <= 8 * len(key) + 1024:  # a table of all possible numbers is smaller than a sort is long
        present = np.zeros(width, dtype=np.bool_)
        present[key] = True
        rank_of = np.cumsum(present, dtype=np.int64) - 1
        return rank_of[key]
    return np.unique(key, return_inverse=True)[1].astype(np.int64, copy=False).reshape(-1)


def _renumbered(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    kept = labels >= 0
    result = np.full(len(labels), -1, dtype=np.int64)
    if kept.any():
        result[kept] = _ranks(labels[kept], int(labels.max()) + 1)
    return result
