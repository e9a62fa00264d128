"""Lower bounds of what all rows of a table cost together, in fixed point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.chance import Randomness
from celosia.base.progress import EndedError, Ending
from celosia.measure.utility.potentials import PotentialSearch, Reals

_SHARES = (
    *((own, 0.0) for own in (0.0, 0.3, 0.6)),
    *((0.6, fitted) for fitted in (0.1, 0.15, 0.2, 0.25, 0.3)),
    *((0.4, 0.4), (0.3, 0.6), (0.2, 0.8), (0.0, 1.0)),
)
"""Of what rows cost by themselves, and of fitted potentials: the higher the harder."""
_MOST_WORSE = 3


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
        if n_failed == _MOST_WORSE or left <= 0:
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


_FIRST_SHARE = 0.25
"""Of the time: for what rows cost by themselves."""
_SEARCH_SHARE = 0.4
"""Until when potentials are fitted; the rest is for the proof."""
_WEAVE_SHARE, _WEAVE_PASSES = 0.05, 60
_MOST_ROUNDS = 1000
_FIRST_PARTS = 50
_EASY = 0.9
"""Where so many rows are proved in passing, the potentials are proved as they are, else mixed with easier ones."""
_N_PILOT = 100
"""Rows on which mixtures are tried."""
_MOST_FAILED = 3
"""So many rounds after which nothing more is proved end the search."""
_TRIALS_SHARE, _PLANNED_SHARE = 0.3, 0.6
"""Of the time left, what trials may take, and for which part of it proofs of all rows are planned."""
_ENOUGH = 1e-4
"""A proof that gains less than this share of the last one ends the search."""
_ROUNDING = 4.0
"""What flooring costs a row at most, with some to spare."""
_MOST_TO_PARTITION, _PARTITION_STEPS = 20, 300_000_000
_PARTITION_STEPS_PER_SECOND = 300_000_000
"""Fewer than there are: the kernel looks at the clock less often than it should."""


@dataclass(frozen=True, eq=False)
class Proved:
    """Lower bounds of rows that hold together.

    Attributes
    ----------
    values
        Per row that was looked at.
    is_exact
        Whether some partition costs no more than all of them together.
    """

    values: Reals
    is_exact: bool = False


def prove_all(search: PotentialSearch, randomness: Randomness) -> Proved:
    """Bound what all rows cost together; valid whenever time is up."""
    clock, rows = search.clock, np.arange(search.n_rows, dtype=np.int32)
    best = search.prove_alone(rows, clock.until(_FIRST_SHARE))
    if clock.left == 0:
        return Proved(best)
    upper = woven(search, randomness)
    best = _raised(search, rows, best, upper, randomness)
    if search.n_rows <= _MOST_TO_PARTITION and upper - best.sum() > _ROUNDING * len(rows):
        best, upper = _partitioned(search, best, upper)
    return Proved(best, is_exact=bool(upper - best.sum() <= _ROUNDING * len(rows)))


def woven(search: PotentialSearch, randomness: Randomness) -> float:
    """Return what a good partition costs; its classes come into the pool."""
    demands = kernels.Demands(search.n_rows)
    demands.add_rows(search.k)
    order = np.arange(search.n_rows, dtype=np.int32)
    seconds, seed = search.clock.seconds * _WEAVE_SHARE, randomness.below(2**32)
    labels = search.run(lambda pulse: kernels.l_greedy(search.columns, demands, order, pulse))
    labels, _, _ = search.run(
        lambda pulse: kernels.weave(search.columns, demands, labels, _WEAVE_PASSES, seconds, seed, pulse)
    )
    members = np.argsort(labels, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(labels), dtype=np.int64)
    search.collect(members, ends)
    return float(kernels.class_costs(search.columns, members, ends).sum())


def _raised(
    search: PotentialSearch, rows: NDArray[np.int32], own: Reals, upper: float, randomness: Randomness
) -> Reals:
    """Fit potentials round by round and prove what they give; the best proof counts."""
    clock, best, centre, n_parts, n_failed = search.clock, own, own, _FIRST_PARTS, 0
    for n_left in reversed(range(_MOST_ROUNDS)):
        if clock.left == 0 or upper - best.sum() <= _ROUNDING * len(rows):
            break
        # Half way from where one stands: fitted potentials run to extremes where the pool lacks classes.
        potentials = np.rint((search.fit(centre) + centre) / 2)
        prices = search.price(potentials, rows, n_parts, clock.until(_SEARCH_SHARE))
        is_late = clock.until(_SEARCH_SHARE) == 0 or not prices.is_complete or n_left == 0
        is_easy = False
        if prices.is_complete:
            centre = (centre + potentials + prices.cost) / 2
            is_easy = float((prices.bound >= prices.cost - search.tolerance - 1).mean()) > _EASY
        if not is_late and prices.n_new > 0.01 * len(rows):
            continue
        chosen = potentials if is_easy else _mixed(search, own, potentials, randomness)
        proved = search.prove(chosen, rows, clock.left)
        n_failed = 0 if proved.sum() > best.sum() * (1 + _ENOUGH) else n_failed + 1
        if proved.sum() > best.sum():
            best = proved
        if is_late or n_failed == _MOST_FAILED:
            break
        n_parts *= 2
    return best


def _mixed(search: PotentialSearch, own: Reals, fitted: Reals, randomness: Randomness) -> Reals:
    """Return the mixture that proves most in the time that is left for all rows, as a pilot sample tells."""
    n_pilot = min(_N_PILOT, search.n_rows)
    pilot = randomness.permutation(search.n_rows)[:n_pilot].astype(np.int32)
    left = search.clock.left
    seconds_each = _PLANNED_SHARE * left * n_pilot / search.n_rows
    return best_mixture(search, mixtures(own, fitted), pilot, seconds_each, _TRIALS_SHARE * left)


def _partitioned(search: PotentialSearch, best: Reals, upper: float) -> tuple[Reals, float]:
    """Return bounds that add up to the least cost of a partition, rows suppressed or not, and that with no row so.

    What the clock leaves no time for stays as it is.
    """
    optimum = _least(search, best, upper, may_suppress=True)
    if optimum is None:
        return best, upper
    without = _least(search, best, upper, may_suppress=False)
    return best + (optimum - best.sum()) / len(best), upper if without is None else without


def _least(search: PotentialSearch, best: Reals, upper: float, *, may_suppress: bool) -> float | None:
    """Return the least cost of a partition, or ``None`` where there is no time to find it."""
    time_is_up = Ending(search.clock.left)
    n_steps = min(_PARTITION_STEPS, int(_PARTITION_STEPS_PER_SECOND * search.clock.left))
    if time_is_up.is_over or n_steps == 0:
        return None
    try:
        return search.run(
            lambda pulse: kernels.least_partition(search.columns, search.k, best, upper, may_suppress, n_steps, pulse),
            time_is_up,
        )
    except EndedError:
        if not time_is_up.is_over:  # it is the whole run that was ended
            raise
        return None
