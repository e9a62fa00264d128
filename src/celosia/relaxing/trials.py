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

    def price(self, plan: Plan) -> Figures | None:
        """Return the figures of a changed plan, or ``None`` if it cannot be met or is no plan for this table."""
        try:
            return self.measure(plan)
        except (UnreachableError, InputError):  # a change may take away a column that a model is about
            return None


def weakened_least(steps: Sequence[int], price: Callable[[int], Figures | None]) -> tuple[int, Figures] | None:
    """Return the strongest step that can be met, by halving; ``None`` if not even the first, the weakest, can.

    Examples
    --------
    >>> weakened_least([2, 3, 4, 5], lambda k: {"k": k} if k < 5 else None)
    (4, {'k': 4})
    """
    if not len(steps):
        return None
    figures = price(steps[0])
    if figures is None:
        return None
    low, high = 0, len(steps)
    while high - low > 1:
        middle = (low + high) // 2
        tried = price(steps[middle])
        if tried is None:
            high = middle
        else:
            low, figures = middle, tried
    return steps[low], figures
