"""Set partitioning: the cheapest classes there are, with a proof.

Every possible class S costs size times loss, and classes are to be chosen so that every row is in one:

    minimise  sum of cost(S) x(S) + sum of W s(i),   x whole, sum of x(S) over S with i in it + s(i) = 1, sum of s <= B

where s(i) suppresses row i, W is the loss of a whole row and B how many rows may be suppressed. The linear programme
without "whole" has a price y(i) per row, and a price m <= 0 of the budget. Classes are listed only as they are needed:
a kernel finds those whose reduced cost, cost(S) - y(S), is lowest, and once none is below 0, no classes cost less than

    sum of y + m B                                                                                          (the bound)

Prices are rounded to whole numbers and lowered until that is so to the last unit: what the solver of the linear
programme says is only a good guess of them. If the best classes known cost U, better ones hold no class whose reduced
cost is above U - 1 - (the bound). These few are listed, and a kernel goes through all choices among them that could be
better. All costs are whole numbers too, a row's whole loss being 2^30, so that nothing rests on a tolerance.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import InputError
from celosia.data.schema.fixed_point import WHOLE_LOSS
from celosia.search.base import Problem

_SETS_PER_ROW = 8
_MOST_SETS = 400_000
_MOST_STEPS = 1_000_000_000
"""Of all kernels together, where there is no time limit: some seconds. A look at a set is one."""

_STEPS_PER_LOOK, _STEPS_PER_COLUMN = 24, 8
"""Of a look at a row, which costs more."""

_SLACK = WHOLE_LOSS // 10**6
"""Reduced costs above minus this count as none: the solver's own prices are not better."""

_LOOK_EVERY = 0.02

Result = TypeVar("Result")


@dataclass(frozen=True)
class Partition:
    """Classes, and how good they are.

    Attributes
    ----------
    labels
        A class per row, -1 where it is suppressed.
    cost
        The sum of what all rows lose, 2^30 being a whole row.
    bound
        No classes cost less; ``None`` where none is known.
    n_looks
        At how many rows and sets was looked.
    """

    labels: NDArray[np.int32]
    cost: int
    bound: int | None
    n_looks: int


def check_solver() -> None:
    """Raise ``InputError`` unless there is a solver of linear programmes."""
    try:
        import scipy.optimize  # noqa: F401
    except ImportError:
        raise InputError(
            "exact needs the solver HiGHS, which comes with scipy, which is not installed.",
            hint='pip install "celosia[exact]"',
        ) from None


def cost_of(columns: kernels.Columns, labels: NDArray[np.int32]) -> int:
    """Return the sum of what all rows lose, 2^30 being a whole row; a suppressed row (-1) loses everything."""
    n_classes = int(labels.max(initial=-1)) + 1
    losses = kernels.class_losses(columns, labels, n_classes).astype(np.int64)
    sizes = np.bincount(labels[labels >= 0], minlength=n_classes)
    return int(losses @ sizes) + int((labels < 0).sum()) * WHOLE_LOSS


def best_partition(
    problem: Problem, labels: NDArray[np.int32], seconds: float | None, pulse: kernels.Pulse
) -> Partition:
    """Return the cheapest classes, or the best that were found in time; never worse than the given ones.

    Parameters
    ----------
    labels
        Classes that satisfy the demands, from which the search starts.
    seconds
        How long it may take; ``None``: until it is proved, or has become too much.
    pulse
        A stop ends the search with what it has.
    """
    return _Partitioner(problem, labels, seconds, pulse).run()


@dataclass(frozen=True)
class _Sets:
    """Possible classes: the kinds of their rows, class after class, where each starts, and what it costs."""

    kinds: NDArray[np.int64]
    starts: NDArray[np.int64]
    costs: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def of_set(self) -> NDArray[np.int64]:
        """The set of each entry of ``kinds``."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def reduced(self, prices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the reduced costs at a price per kind."""
        sums = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(prices[self.kinds])])
        reduced: NDArray[np.int64] = self.costs - (sums[self.starts[1:]] - sums[self.starts[:-1]])
        return reduced

    def with_others(self, others: _Sets) -> _Sets:
        return _Sets(
            np.concatenate([self.kinds, others.kinds]),
            np.concatenate([self.starts, self.starts[-1] + others.starts[1:]]),
            np.concatenate([self.costs, others.costs]),
        )


@dataclass(frozen=True)
class _Prices:
    """What rows should cost, by kind, so that no class has a reduced cost below 0; and of a row of budget, at most 0.

    ``bound`` is what follows: no classes cost less.
    """

    of_kinds: NDArray[np.int64]
    of_budget: int
    bound: int


class _Partitioner:
    def __init__(
        self, problem: Problem, labels: NDArray[np.int32], seconds: float | None, pulse: kernels.Pulse
    ) -> None:
        self.columns, self.demands, self.budget = problem.columns, problem.demands, problem.n_spare
        self.kinds = _kinds(problem)
        self.n_of_kind = np.bincount(self.kinds)
        self.n_least = self.demands.n_least_rows
        # A class of twice as many rows could be cut in two, which never loses more; other demands may forbid the cut.
        self.n_most = 2 * self.n_least - 1 if self.demands.counts_only else problem.n_rows
        self.pulse = pulse
        self.deadline = math.inf if seconds is None else time.perf_counter() + seconds
        self.n_steps = 0
        self.n_most_steps = _MOST_STEPS if seconds is None else 2**62
        self.n_looks = 0
        self.labels = labels
        self.chosen = self._sets_of(labels)
        self.cost = cost_of(self.columns, labels)
        self.best: _Prices | None = None
        self.bound: int | None = None

    def run(self) -> Partition:
        try:
            pool = self._price()
            if self.best is not None and not self._is_proved:
                self._choose(pool, self.best)
        except kernels.Interrupted:
            pass  # what was found until then is the result
        return Partition(self.labels, self.cost, self.bound, self.n_looks)

    @property
    def _is_proved(self) -> bool:
        return self.bound is not None and self.bound >= self.cost

    def _sets_of(self, labels: NDArray[np.int32]) -> _Sets:
        n_classes = int(labels.max(initial=-1)) + 1
        losses = kernels.class_losses(self.columns, labels, n_classes).astype(np.int64)
        sizes = np.bincount(labels[labels >= 0], minlength=n_classes)
        rows = np.argsort(labels, kind="stable")[int((labels < 0).sum()) :]
        return _Sets(self.kinds[rows].astype(np.int64), np.concatenate([[0], np.cumsum(sizes)]), losses * sizes)

    def _listed(self, prices: NDArray[np.int64], bar: int, n_per_row: int) -> _Sets | None:
        """Return the sets whose reduced cost is at most the bar, or the best of them; ``None`` if that is too much."""
        per_look = _STEPS_PER_LOOK + _STEPS_PER_COLUMN * len(self.columns)
        rows, starts, losses, is_complete, n_looks = kernels.class_sets(
            self.columns,
            self.demands,
            self.n_most,
            self.kinds,
            np.ascontiguousarray(prices[self.kinds]),
            bar,
            n_per_row,
            _MOST_SETS,
            (self.n_most_steps - self.n_steps) // per_look,
            max(0.0, self.deadline - time.perf_counter()),
            self.pulse,
        )
        self.n_steps += n_looks * per_look
        self.n_looks += n_looks
        if not is_complete:
            return None
        return _Sets(self.kinds[rows].astype(np.int64), starts, losses.astype(np.int64) * np.diff(starts))

    def _price(self) -> _Sets:
        """Solve the linear programme, listing classes as it needs them; return all that were listed."""
        pool = self.chosen
        wanted: NDArray[np.int64] | None = self._first_prices()
        while wanted is not None:
            found = self._listed(wanted, -1, _SETS_PER_ROW)
            if found is None:
                break
            lowest = int(found.reduced(wanted).min(initial=0))
            prices = self._valid(wanted - -(lowest // self.n_least))
            if self.best is None or prices.bound > self.best.bound:
                self.best = prices
                self.bound = max(prices.bound, 0)
            if lowest >= -_SLACK or self._is_proved:
                break
            pool = pool.with_others(found)
            wanted = self._master_prices(pool)
        return pool

    def _valid(self, of_kinds: NDArray[np.int64]) -> _Prices:
        """Return the prices with that of the budget: suppressing a row has no reduced cost below 0 either."""
        of_budget = min(0, int((WHOLE_LOSS - of_kinds).min())) if self.budget else 0
        return _Prices(of_kinds, of_budget, int(of_kinds @ self.n_of_kind) + of_budget * self.budget)

    def _first_prices(self) -> NDArray[np.int64]:
        """Return what each kind of row costs in the classes that the search starts from."""
        n_classes = int(self.labels.max(initial=-1)) + 1
        losses = np.append(kernels.class_losses(self.columns, self.labels, n_classes).astype(np.int64), WHOLE_LOSS)
        of_row = losses[self.labels]
        return np.bincount(self.kinds, weights=of_row).astype(np.int64) // self.n_of_kind

    def _master_prices(self, pool: _Sets) -> NDArray[np.int64] | None:
        """Return the prices of the linear programme over the sets so far; ``None`` where it was not solved."""
        from scipy.optimize import linprog
        from scipy.sparse import coo_array, eye_array, hstack

        shape = (len(self.n_of_kind), len(pool))
        matrix = coo_array((np.ones(len(pool.kinds)), (pool.kinds, pool.of_set)), shape=shape).tocsc()
        costs, within = pool.costs / WHOLE_LOSS, {}
        if self.budget:
            of_kinds = np.ones(len(self.n_of_kind))
            matrix = hstack([matrix, eye_array(len(of_kinds))], format="csc")
            costs = np.concatenate([costs, of_kinds])
            within = {"A_ub": np.concatenate([np.zeros(len(pool)), of_kinds])[None], "b_ub": [self.budget]}
        solved = self._aside(lambda: linprog(costs, A_eq=matrix, b_eq=self.n_of_kind, method="highs", **within))
        if solved is None or solved.status != 0:
            return None
        marginals: NDArray[np.float64] = solved.eqlin.marginals
        return np.floor(marginals * WHOLE_LOSS).astype(np.int64)

    def _choose(self, pool: _Sets, prices: _Prices) -> None:
        """List all classes that better ones could be made of, and choose among them."""
        listed = self._listed(prices.of_kinds, self.cost - 1 - prices.bound, 0)
        if listed is None:  # from better classes to start from the list is shorter
            before = self.cost
            self._cover(pool, prices)
            if self.cost < before:
                listed = self._listed(prices.of_kinds, self.cost - 1 - prices.bound, 0)
        if listed is not None and self._cover(listed, prices):
            self.bound = self.cost

    def _cover(self, sets: _Sets, prices: _Prices) -> bool:
        """Take the cheapest choice among some sets if it is better; tell whether all choices were looked at."""
        n_kinds = len(self.n_of_kind) if self.budget else 0
        alone = _Sets(np.arange(n_kinds), np.arange(n_kinds + 1), np.full(n_kinds, WHOLE_LOSS))
        both = sets.with_others(alone)
        costs = both.reduced(prices.of_kinds)
        costs[len(sets) :] -= prices.of_budget
        chosen, is_complete, n_looks = kernels.exact_cover(
            both.kinds.astype(np.int32),
            both.starts,
            costs,
            len(sets),
            self.budget,
            -prices.of_budget,
            self.n_of_kind.astype(np.int32),
            self.cost - prices.bound,
            self.n_most_steps - self.n_steps,
            max(0.0, self.deadline - time.perf_counter()),
            self.pulse,
        )
        self.n_steps += n_looks
        self.n_looks += n_looks
        if len(chosen):
            self.labels = self._labels(both, chosen[chosen < len(sets)])
            self.cost, self.chosen = cost_of(self.columns, self.labels), self._sets_of(self.labels)
        return is_complete

    def _labels(self, sets: _Sets, chosen: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the class of every row, -1 for rows in none; of rows of a kind, any will do."""
        rows_of = [list(rows) for rows in np.split(np.argsort(self.kinds, kind="stable"), np.cumsum(self.n_of_kind))]
        labels = np.full(len(self.kinds), -1, dtype=np.int32)
        for label, own in enumerate(chosen):
            for kind in sets.kinds[sets.starts[own] : sets.starts[own + 1]]:
                labels[rows_of[kind].pop()] = label
        return labels

    def _aside(self, work: Callable[[], Result]) -> Result | None:
        """Run a solver that nobody can stop in a thread that is left behind once it is stopped or out of time."""
        done: list[Result] = []
        failed: list[BaseException] = []

        def body() -> None:
            try:
                done.append(work())
            except BaseException as error:  # handed over to whoever waits, who raises it
                failed.append(error)

        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        while thread.is_alive() and not self.pulse.stopped and time.perf_counter() < self.deadline:
            thread.join(_LOOK_EVERY)
        if failed:
            raise failed[0]
        return done[0] if done else None


def _kinds(problem: Problem) -> NDArray[np.int32]:
    """Return a number per row, equal for rows that may stand for each other; equal rows follow each other."""
    if not problem.demands.counts_only:
        return np.arange(problem.n_rows, dtype=np.int32)
    differs = np.zeros(problem.n_rows, dtype=np.bool_)
    for codes in problem.codes:
        differs[1:] |= np.diff(codes) != 0
    return np.cumsum(differs).astype(np.int32)
