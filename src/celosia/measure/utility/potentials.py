"""Potentials of rows, and proofs of how little a class can cost under them: the search behind the lower bound.

For any potentials z let f_i be the least of loss(S) - mean of z over S, over all classes S of k to 2k - 1 rows that
hold row i. Then y_i = z_i + f_i adds up, over the rows of any such class, to at most |S| loss(S); so it does over a
larger one, which loses no less than its two halves. The sum of all y is a lower bound of what any partition costs, and
still is if f_i is itself only known from below. With z = 0 it is what each row costs at least by itself. The best z is
the solution of a linear program, the dual of choosing classes for all rows; classes that break it are looked for and
collected, potentials fitted to them, again and again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.progress import Ending, Progress, watch
from celosia.data.schema.fixed_point import WHOLE_LOSS

Result = TypeVar("Result")
Reals = NDArray[np.float64]

_TOLERANCE = 0.01
"""How far, as a share of the mean loss of a row, a proof may stay below what it could prove."""
_MOST_TIMES = 4
"""A potential is at most so many times what the row costs by itself."""
_FEW_ROWS = 64
"""Up to here proofs go to the end."""
_DEPTHS = (1, 30, 300, 3000, 30000, 300000)
"""Parts of a search for the cheapest class of a row; those that are not proved go on with the next number."""
_HEATS = (0.1, 0.003)
"""First and last heat, as shares of the mean cost of a class."""
_FIT_STEPS = 20_000_000
_LEAST_SWEEPS, _MOST_SWEEPS = 30, 300


class Clock:
    """Counts the seconds of a budget.

    Examples
    --------
    >>> Clock(60).left > 59
    True
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.started = time.perf_counter()

    @property
    def spent(self) -> float:
        """How many seconds have passed."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float:
        """How many are left, at least 0."""
        return max(0.0, self.seconds - self.spent)

    def until(self, share: float) -> float:
        """How many are left until some share of the budget is spent, at least 0."""
        return max(0.0, share * self.seconds - self.spent)


@dataclass(frozen=True, eq=False)
class Prices:
    """What the cheapest class of each row costs under some potentials, at least and at most."""

    bound: Reals
    cost: Reals
    n_new: int

    @property
    def is_complete(self) -> bool:
        """Whether there was time for every row."""
        return bool(np.isfinite(self.bound).all())


class PotentialSearch:
    """Potentials for the rows of a table, fitted to a growing pool of classes.

    Parameters
    ----------
    columns
        The quasi-identifiers.
    k
        The least number of rows in a class, at most as many as there are.
    """

    def __init__(self, columns: kernels.Columns, k: int, clock: Clock, progress: Progress) -> None:
        self.columns, self.k, self.clock, self.progress = columns, k, clock, progress
        self.n_rows = columns.n_rows
        self.tolerance = 0.0
        self.caps = np.full(self.n_rows, float(WHOLE_LOSS))
        self._members: list[NDArray[np.int32]] = []
        self._seen: set[bytes] = set()

    def run(self, kernel: Callable[[kernels.Pulse], Result], until: Ending | None = None) -> Result:
        """Run a kernel with progress and interruption; ``EndedError`` if it is not done when ``until`` is over."""
        pulse = kernels.Pulse()
        return watch(pulse, self.progress, lambda: kernel(pulse), until=until)

    def price(self, potentials: Reals, rows: NDArray[np.int32], n_parts: int, seconds: float) -> Prices:
        """Look for the cheapest class of each row, and collect what was seen."""
        bound, cost, members, ends = self.run(
            lambda pulse: kernels.cheapest_classes(
                self.columns, self.k, potentials, rows, self.tolerance, n_parts, seconds, pulse
            )
        )
        return Prices(bound, cost, self.collect(members, ends))

    def price_within(self, potentials: Reals, block: NDArray[np.int32], n_parts: int, seconds: float) -> Prices:
        """Do the same for all rows of a block and classes within it alone: quicker, and no proof of anything."""
        columns, own, rows = self.columns.take(block), potentials[block], np.arange(len(block), dtype=np.int32)
        bound, cost, members, ends = self.run(
            lambda pulse: kernels.cheapest_classes(columns, self.k, own, rows, self.tolerance, n_parts, seconds, pulse)
        )
        return Prices(bound, cost, self.collect(block[members], ends))

    def collect(self, members: NDArray[np.int32], ends: NDArray[np.int64]) -> int:
        """Add classes to the pool; how many were new."""
        n_before = len(self._members)
        for part in np.split(members, ends[:-1]) if len(ends) else ():
            rows = np.sort(part)
            key = rows.tobytes()
            if key not in self._seen:
                self._seen.add(key)
                self._members.append(rows)
        return len(self._members) - n_before

    def fit(self, potentials: Reals) -> Reals:
        """Return potentials whose sum is as high as the classes of the pool allow, nearly; rows in none have 0."""
        members = np.concatenate(self._members)
        ends = np.cumsum([len(rows) for rows in self._members], dtype=np.int64)
        costs = kernels.class_costs(self.columns, members, ends)
        heat = max(float(costs.mean()), 1.0)
        n_sweeps = int(np.clip(_FIT_STEPS // len(members), _LEAST_SWEEPS, _MOST_SWEEPS))
        begun = np.where(np.isin(np.arange(self.n_rows), members), potentials, 0.0)
        return self.run(
            lambda pulse: kernels.fit_potentials(
                members, ends, costs, self.caps, begun, _HEATS[0] * heat, _HEATS[1] * heat, n_sweeps, pulse
            )
        )

    def prove(self, potentials: Reals, rows: NDArray[np.int32], seconds: float) -> Reals:
        """Return y for some rows, minus infinity where there was no time; deeper and deeper until all is proved.

        All y of one call hold together: whole numbers, none above what a suppressed row loses.
        """
        ends = time.perf_counter() + seconds
        bound = np.full(len(rows), -np.inf)
        left = np.arange(len(rows))
        for n_parts in _DEPTHS:
            if not len(left) or time.perf_counter() >= ends:
                break
            prices = self.price(potentials, rows[left], n_parts, max(0.0, ends - time.perf_counter()))
            is_open = (prices.bound < prices.cost - self.tolerance - 1.0) & (prices.bound > bound[left])
            bound[left] = np.maximum(bound[left], prices.bound)
            left = left[is_open]
        values: Reals = np.minimum(np.floor(potentials[rows] + bound - 0.01), float(WHOLE_LOSS))
        return values

    def prove_alone(self, rows: NDArray[np.int32], seconds: float) -> Reals:
        """Return what each row costs at least by itself; 0 where there was no time. Sets how exact proofs are."""
        own = np.maximum(self.prove(np.zeros(self.n_rows), rows, seconds), 0.0)
        self.settle(own)
        return own

    def settle(self, own: Reals) -> None:
        """Derive from what rows cost by themselves how exact proofs are, and how far potentials go at most.

        The k rows of the cheapest class of row i have potentials of k times its cost at most: so has i alone if none is
        below 0. Less than that is wanted: potentials run to extremes where the pool lacks classes.
        """
        if self.n_rows > _FEW_ROWS:
            self.tolerance = _TOLERANCE * float(own.mean())
            self.caps = np.minimum(float(WHOLE_LOSS), min(self.k, _MOST_TIMES) * own)
