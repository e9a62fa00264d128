"""How far two rankings of the same vertices agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rank_correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Return Spearman's correlation: Pearson's of the ranks, equal values at their mean rank.

    ``None`` where one of the two has the same value everywhere.

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    if len(first) < 2:
        return None
    left, right = (_mean_ranks(values) for values in (first, second))
    left, right = left - left.mean(), right - right.mean()
    spread = float(np.sqrt((left @ left) * (right @ right)))
    return max(-1.0, min(1.0, float(left @ right) / spread)) if spread else None


def _mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts - 1) / 2)[place]
    return ranks
