"""Crowd: how many people stand behind groups of rows, so that nothing about fewer than k is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Crowd:
    """Rows in groups, and the people they are about.

    Parameters
    ----------
    groups
        The group of each row, from 0.
    n_groups
        How many groups there are.
    subjects
        The person of each row; ``None`` where rows are people.

    Examples
    --------
    >>> crowd = Crowd(np.array([0, 0, 1]), 2, np.array([7, 8, 7]))
    >>> crowd.rows.tolist(), crowd.people.tolist(), crowd.together([0, 1])
    ([2, 1], [2, 1], 2)
    """

    def __init__(self, groups: NDArray[np.integer], n_groups: int, subjects: NDArray[np.integer] | None) -> None:
        self.rows: NDArray[np.int64] = np.bincount(groups, minlength=n_groups).astype(np.int64)
        self.people = self.rows
        self._group = self._subject = np.zeros(0, dtype=np.int64)
        if subjects is not None and len(groups):
            shifted = subjects.astype(np.int64) + 1
            width = int(shifted.max()) + 1
            pairs = np.unique(groups.astype(np.int64) * width + shifted)
            self._group, self._subject = pairs // width, pairs % width
            self.people = np.bincount(self._group, minlength=n_groups).astype(np.int64)
        self._counts_people = subjects is not None

    def together(self, groups: Sequence[int]) -> int:
        """Return how many people stand behind several groups; one who is in two of them counts once."""
        if not self._counts_people:
            return int(self.rows[list(groups)].sum())
        return len(np.unique(self._subject[np.isin(self._group, list(groups))]))
