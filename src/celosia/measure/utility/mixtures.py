"""Mixtures of potentials, from easy to hard to prove, and which of them proves most in the time there is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.measure.utility.potentials import PotentialSearch, Reals

_SHARES = (
    *((own, 0.0) for own in (0.0, 0.3, 0.6)),
    *((0.6, fitted) for fitted in (0.1, 0.15, 0.2, 0.25, 0.3)),
    *((0.4, 0.4), (0.3, 0.6), (0.2, 0.8), (0.0, 1.0)),
)
"""Of what rows cost by themselves, and of fitted potentials: the higher the harder."""
_MOST_FAILED = 3


def mixtures(own: Reals, fitted: Reals | None) -> list[Reals]:
    """Return mixtures of what rows cost by themselves and of fitted potentials, if there are any, the easiest first.

    Examples
    --------
    >>> [mixed.tolist() for mixed in mixtures(np.array([10.0]), None)]
    [[0.0], [3.0], [6.0]]
    >>> len(mixtures(np.array([10.0]), np.array([20.0])))
    12
    """
    return [
        np.rint(of_own * own if fitted is None else of_own * own + of_fitted * fitted)
        for of_own, of_fitted in _SHARES
        if fitted is not None or of_fitted == 0
    ]


def best_mixture(
    search: PotentialSearch, tried: list[Reals], pilot: NDArray[np.int32], seconds_each: float, seconds: float
) -> Reals:
    """Return the potentials that prove most, as a pilot sample tells; harder ones are tried while they are better.

    By chance the rows of the pilot may cost more than others, or less. By how much is known of the easiest that are not
    0 and of the hardest, and what potentials prove of the pilot is corrected by what it depends on these.

    Parameters
    ----------
    seconds_each, seconds
        What one trial may take, and all together.
    """
    ends, known = search.clock.spent + seconds, np.stack([tried[min(1, len(tried) - 1)], tried[-1]], axis=1)
    centred = known[pilot] - known[pilot].mean(axis=0)
    missing = known.mean(axis=0) - known[pilot].mean(axis=0)
    best, highest, n_failed = tried[0], -np.inf, 0
    for potentials in tried:
        left = min(seconds_each, ends - search.clock.spent)
        if n_failed == _MOST_FAILED or left <= 0:
            break
        values = search.prove(potentials, pilot, left)
        if not np.isfinite(values).all():
            break
        slopes = np.linalg.lstsq(centred, values - values.mean(), rcond=None)[0]
        proved = float(values.mean() + missing @ slopes)
        n_failed += 1
        if proved > highest:
            best, highest, n_failed = potentials, proved, 0
    return best
