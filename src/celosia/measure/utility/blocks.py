"""Rows cut into blocks of neighbours, along other borders each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]

_CUTS = (0.35, 0.65)


def blocks(
    codes: Sequence[Codes], weights: NDArray[np.float64], n_most: int, random: np.random.Generator
) -> Iterator[NDArray[np.int32]]:
    """Cut rows in two, again and again, in a column where they differ much, until no block has more than some rows.

    Parameters
    ----------
    codes
        Per column a code per row; neighbours in a column have neighbouring codes.
    weights
        Per column: what one step from code to code costs.

    Examples
    --------
    >>> found = list(blocks([np.arange(10, dtype=np.int32)], np.ones(1), 4, np.random.default_rng(1)))
    >>> sorted(np.concatenate(found).tolist()) == list(range(10)), max(map(len, found)) <= 4
    (True, True)
    """
    waiting = [np.arange(len(codes[0]), dtype=np.int32)]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= n_most:
            yield rows
            continue
        spreads = [weight * float(column[rows].std()) for column, weight in zip(codes, weights, strict=True)]
        column = codes[int(np.argmax(np.array(spreads) * random.random(len(spreads))))]
        place = int(len(rows) * random.uniform(*_CUTS))
        order = np.argpartition(column[rows] + random.random(len(rows)), place)
        waiting += [rows[order[:place]], rows[order[place:]]]
