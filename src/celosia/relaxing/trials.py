"""Trials: whether a changed plan can be met, and at what price, by quick searches in a limited time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from celosia.algorithms import Weave
from celosia.errors import InputError, UnreachableError
from celosia.plan import Plan
from celosia.progress import Ending
from celosia.schema import Table

__all__ = ["Trials", "weakened_least"]

Figures = dict[str, Any]


class Trials:
    """Tries changed plans on one table.

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
        """Return the figures of a changed plan.

        Raises
        ------
        UnreachableError
            It cannot be met.
        EndedError
            The time is up.
        """
        self._ending.stage("")
        quick = Weave(effort="fast") if isinstance(plan.algorithm, Weave) else plan.algorithm
        masks = plan.masks[len(self.plan.masks) :]
        return replace(plan, algorithm=quick, masks=masks).measure(self.table, self._ending)

    def may(self, plan: Plan) -> bool:
        """Whether a changed plan may be met, as far as can be seen without a search."""
        self._ending.stage("")
        try:
            replace(plan, masks=plan.masks[len(self.plan.masks) :]).check(self.table)
        except (UnreachableError, InputError):
            return False
        return True

    def price(self, plan: Plan) -> Figures | None:
        """Return the figures of a changed plan, or ``None`` if it cannot be met or is no plan for this table."""
        try:
            return self.measure(plan)
        except (UnreachableError, InputError):  # a change may take away a column that a model is about
            return None


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
