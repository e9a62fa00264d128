"""Where the values of a column lie between 0 and 1, for searches that measure distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.data.hierarchies.domains import Bag, Domain, Line


def places(domain: Domain, codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return a place from 0 to 1 for each value of the domain.

    Numbers and ordered values have the positions of their line; the leaves of a tree lie at equal distances in leaf
    order; categories lie at equal distances too, the most frequent one first.

    Examples
    --------
    >>> places(Bag(["a", "b", "c"]), np.array([1, 1, 2], dtype=np.int32)).tolist()
    [1.0, 0.0, 0.5]
    """
    if isinstance(domain, Line):
        return domain.positions
    rank = np.arange(len(domain.values))
    if isinstance(domain, Bag):
        rank[by_frequency(domain, codes)] = np.arange(len(rank))
    return rank / max(len(rank) - 1, 1)


def by_frequency(domain: Domain, codes: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the codes of all values, the most frequent first; ties in canonical order."""
    counts = np.bincount(codes[codes >= 0], minlength=len(domain.values))
    return np.argsort(-counts, kind="stable")
