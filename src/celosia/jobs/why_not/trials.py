"""Trials: whether a changed plan can be met, and at what price, by quick searches in a limited time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from celosia.base.errors import InputError, UnreachableError
from celosia.base.progress import EndedError, Ending
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.search import HilbertOrder, KMembers, LGreedy, Mondrian, ReferenceOrder, Weave
from celosia.search.base import Algorithm

Figures = dict[str, Any]

_ROW_BY_ROW = (HilbertOrder, KMembers, LGreedy, Mondrian, ReferenceOrder, Weave)
_SECONDS_EACH = 2.5
"""For a better price of one change."""


class Trials:
    """Tries changed plans on one table.

    A search that recodes row by row reaches whatever one class of all rows reaches, so that Mondrian, the quickest of
    them, tries for all of them.

    Parameters
    ----------
    plan
        The plan to be changed.
    table
        The table after the plan's masks, so that they are applied once.
    ending
        When to give up.
    """

    def __init__(self, plan: Plan, table: Table, ending: Ending) -> None:
        self.plan, self.table, self._ending = plan, table, ending

    def measure(self, plan: Plan) -> Figures:
        """Return the figures of a changed plan by the quickest search that tells whether it can be met.

        Raises
        ------
        UnreachableError
            It cannot be met.
        EndedError
            The time is up.
        """
        return self._by(_quickest(plan.algorithm), plan, self._ending)

    def may(self, plan: Plan) -> bool:
        """Whether a changed plan may be met, as far as can be seen without a search."""
        self._ending.check()
        try:
            self._unmasked(plan).check(self.table)
        except (UnreachableError, InputError):
            return False
        return True

    def price(self, plan: Plan) -> Figures | None:
        """Return the figures of a changed plan, or ``None`` if it cannot be met or is no plan for this table."""
        try:
            return self.measure(plan)
        except (UnreachableError, InputError):  # a change may take away a column that a model is about
            return None

    def weakened(self, steps: Sequence[int], changed: Callable[[int], Plan]) -> tuple[int, Figures] | None:
        """Return the strongest step whose changed plan can be met, and its figures; steps begin with the weakest."""
        return weakened_least(steps, lambda step: self.price(changed(step)), lambda step: self.may(changed(step)))

    def refined(self, plan: Plan, figures: Figures) -> Figures:
        """Return figures of less loss, if a few seconds of a search that is nearer to the plan's own find any."""
        if _quickest(plan.algorithm) == plan.algorithm:
            return figures
        try:
            better = self._by(Weave(effort="fast"), plan, Ending(_SECONDS_EACH, within=self._ending))
        except (UnreachableError, EndedError):  # a coarser search has already shown the way
            return figures
        return min(figures, better, key=lambda found: float(found["gcp"]))

    def _by(self, algorithm: Algorithm, plan: Plan, ending: Ending) -> Figures:
        self._ending.check()
        return replace(self._unmasked(plan), algorithm=algorithm).measure(self.table, ending)

    def _unmasked(self, plan: Plan) -> Plan:
        """Return a plan without the masks that the table has been through."""
        return replace(plan, masks=plan.masks[len(self.plan.masks) :])


def _quickest(algorithm: Algorithm) -> Algorithm:
    return Mondrian() if isinstance(algorithm, _ROW_BY_ROW) else algorithm


def weakened_least(
    steps: Sequence[int], price: Callable[[int], Figures | None], may: Callable[[int], bool] = lambda step: True
) -> tuple[int, Figures] | None:
    """Return the strongest step that can be met, by halving; ``None`` if not even the first, the weakest, can.

    Parameters
    ----------
    steps
        From the weakest to the strongest.
    price
        What a step costs, by a search; ``None`` if it cannot be met.
    may
        Whether a step may be met at all, as far as can be seen without a search.

    Examples
    --------
    >>> weakened_least([2, 3, 4, 5], lambda k: {"k": k} if k < 5 else None)
    (4, {'k': 4})
    """
    n_open = _n_first(len(steps), lambda place: may(steps[place]))
    if not n_open:
        return None
    figures = price(steps[n_open - 1])
    if figures is not None:  # what is possible by counts is nearly always found
        return steps[n_open - 1], figures
    priced: dict[int, Figures] = {}

    def is_met(place: int) -> bool:
        found = price(steps[place])
        if found is not None:
            priced[place] = found
        return found is not None

    n_met = _n_first(n_open - 1, is_met)
    return (steps[n_met - 1], priced[n_met - 1]) if n_met else None


def _n_first(n_places: int, holds: Callable[[int], bool]) -> int:
    """Return how many of the first places hold, where all that hold come first."""
    low, high = 0, n_places
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if holds(middle) else (low, middle)
    return low
