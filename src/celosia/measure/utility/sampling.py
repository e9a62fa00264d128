"""Lower bounds of what the rows of a large table cost, estimated from a random sample, in fixed point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.measure.utility.potentials import PotentialSearch, Reals
from celosia.measure.utility.proving import best_mixture, mixtures, woven

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


_OWN_SHARE, _FITTED_SHARE, _PILOT_SHARE = 0.25, 0.45, 0.65
"""Of the time: until when rows are looked at by themselves, potentials fitted, potentials tried."""
_OWN_ROUNDS, _MOST_ROUNDS = 3, 60
_BLOCK, _BLOCK_PARTS = 1500, 8
_N_PILOT, _FEWEST = 100, 200
_MOST_PILOT, _MOST_OF_ALL, _SHORT_TRIAL = 3000, 0.1, 0.05
"""Four times as many rows are tried, up to a number and a share of all, after trials that took less than this share of
their time."""
_FIRST_BATCH, _SHORT_BATCH = 16, 0.01
"""Rows that are proved together; twice as many after a batch that took less than this share of the time."""
_KEPT_BACK = 2.0
"""No batch begins if there is not so many times what the longest one took."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Lower bounds of some rows drawn by chance.

    Attributes
    ----------
    values
        Per row that was drawn.
    guesses
        What was expected of each, before it was looked at.
    mean_guess
        What was expected of all rows of the table, in the mean.
    """

    values: Reals
    guesses: Reals
    mean_guess: float


def prove_sample(
    search: PotentialSearch, codes: Sequence[Codes], weights: Reals, randomness: Randomness, n_wanted: int | None
) -> Sample:
    """Bound what each row of a random sample costs, with potentials that know nothing of the sample.

    The potentials themselves are guesses of the bounds: only the differences need be estimated.
    """
    potentials = _best_tried(search, _tried(search, codes, weights, randomness), randomness)
    rows = _drawn(search, randomness, search.n_rows if n_wanted is None else n_wanted)
    values = _in_batches(search, potentials, rows)
    guesses = potentials[rows[: len(values)]]
    is_proved = np.isfinite(values)
    return Sample(values[is_proved], guesses[is_proved], float(potentials.mean()))


def _best_tried(search: PotentialSearch, tried: list[Reals], randomness: Randomness) -> Reals:
    """Return the potentials that prove most, as a pilot sample tells: a larger one where trials are quick."""
    clock, n_pilot = search.clock, _N_PILOT
    seconds_each = (1 - _PILOT_SHARE) * clock.seconds * _N_PILOT / _FEWEST
    while True:
        seconds, begun = clock.until(_PILOT_SHARE), clock.spent
        best = best_mixture(search, tried, _drawn(search, randomness, n_pilot), seconds_each, seconds)
        n_pilot *= 4
        is_short = clock.spent - begun < _SHORT_TRIAL * seconds
        if not is_short or n_pilot > min(_MOST_PILOT, _MOST_OF_ALL * search.n_rows):
            return best


def _drawn(search: PotentialSearch, randomness: Randomness, n_rows: int) -> NDArray[np.int32]:
    return randomness.permutation(search.n_rows)[:n_rows].astype(np.int32)


def _in_batches(search: PotentialSearch, potentials: Reals, rows: NDArray[np.int32]) -> Reals:
    """Return what is proved of rows, one batch after the other until time is up; none is begun that might not end."""
    clock, size, longest, found = search.clock, _FIRST_BATCH, 0.0, [np.zeros(0)]
    n_done = 0
    while n_done < len(rows) and (n_done == 0 or clock.left > _KEPT_BACK * longest):
        batch, begun = rows[n_done : n_done + size], clock.spent
        found.append(search.prove(potentials, batch, clock.left))
        seconds = clock.spent - begun
        n_done, longest = n_done + len(batch), max(longest, seconds)
        size *= 2 if seconds < _SHORT_BATCH * clock.seconds else 1
    return np.concatenate(found)


def _tried(search: PotentialSearch, codes: Sequence[Codes], weights: Reals, randomness: Randomness) -> list[Reals]:
    """Return potentials worth a trial, the easiest first."""
    random = np.random.default_rng(randomness.below(2**32))
    own = _own_costs(search, codes, weights, random)
    is_known = np.isfinite(own)
    own[~is_known] = 0.0
    search.settle(own)
    kinds = _kinds(codes, random)
    fitted = None
    if search.clock.until(_FITTED_SHARE) > 0 and is_known.all():
        woven(search, randomness)
        fitted = _mean_of_kinds(_fitted(search, codes, weights, random), kinds)
    return mixtures(own, fitted)


def _kinds(codes: Sequence[Codes], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a number per row, the same for equal rows; by chance, which hardly ever happens, for others too."""
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    for column in codes:
        keys += column * random.integers(2**62)  # wraps around
    return np.unique(keys, return_inverse=True)[1].reshape(-1)


def _mean_of_kinds(potentials: Reals, kinds: NDArray[np.int64]) -> Reals:
    """Return potentials that are the same for equal rows: as good in the mean, and easier to prove."""
    means: Reals = (np.bincount(kinds, potentials) / np.bincount(kinds))[kinds]
    return means


def _own_costs(search: PotentialSearch, codes: Sequence[Codes], weights: Reals, random: np.random.Generator) -> Reals:
    """Return what each row costs by itself at most, as seen in blocks of neighbours; infinite where time was up."""
    clock, nothing = search.clock, np.zeros(search.n_rows)
    own = np.full(search.n_rows, np.inf)
    for _ in range(_OWN_ROUNDS):
        for block in blocks(codes, weights, max(_BLOCK, 20 * search.k), random):
            prices = search.price_within(nothing, block, _BLOCK_PARTS, clock.until(_OWN_SHARE))
            if not prices.is_complete:
                return own
            own[block] = np.minimum(own[block], prices.cost)
    return own


def _fitted(search: PotentialSearch, codes: Sequence[Codes], weights: Reals, random: np.random.Generator) -> Reals:
    """Return potentials fitted to classes that were found in blocks of neighbours, cut anew each round."""
    potentials = np.zeros(search.n_rows)
    for _ in range(_MOST_ROUNDS):
        potentials = np.rint(search.fit(potentials))
        for block in blocks(codes, weights, max(_BLOCK, 20 * search.k), random):
            seconds = search.clock.until(_FITTED_SHARE)
            if not search.price_within(potentials, block, _BLOCK_PARTS, seconds).is_complete:
                return potentials
    return potentials
