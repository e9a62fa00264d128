"""How near a release is to the best possible one: a lower bound of its loss, where one is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from celosia.base.progress import Progress
from celosia.data.schema.fixed_point import WHOLE_LOSS
from celosia.measure.run import Run
from celosia.measure.utility import LowerBound, gcp_lower_bound
from celosia.models import KAnonymity

_FEW_ROWS = 100
_QUICK_SECONDS = 0.1
"""Of so few rows a bound comes with every release, in time that nobody notices."""


class Nearness:
    """How far a loss is from the best possible, given a lower bound.

    The best possible is that of all releases of the same rows by the same models that suppress no more rows than the
    plan allows.

    Attributes
    ----------
    above
        At most by this share of the bound; ``None`` where the bound is 0 and the loss is not.
    gap
        The same as a share of the loss.
    is_best
        Whether the loss is the best possible, as far as losses are told apart.

    Examples
    --------
    >>> near = Nearness(0.25, LowerBound(0.2, kind="bound", n_sampled=4, n_rows=4, seconds=0.1))
    >>> round(near.above, 6), round(near.gap, 6), near.is_best
    (0.25, 0.2, False)
    """

    def __init__(self, gcp: float, bound: LowerBound) -> None:
        self.bound = bound
        self.gcp = gcp
        self.is_best = bound.kind != "estimate" and gcp - bound.value <= _SAME
        self.above = self._above(bound.value)
        self.gap = 0.0 if self.is_best or gcp <= 0 else max(0.0, gcp - bound.value) / gcp

    @property
    def above_interval(self) -> tuple[float | None, float | None] | None:
        """Of an estimate: ``above`` by the ends of its interval, the lesser first."""
        if self.bound.interval is None:
            return None
        low, high = self.bound.interval
        return self._above(high), self._above(low)

    def _above(self, bound: float) -> float | None:
        if self.is_best or self.gcp <= bound:
            return 0.0
        return (self.gcp - bound) / bound if bound > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Return the bound's attributes, and how far the loss may be above it."""
        return {**self.bound.to_dict(), "above": self.above, "gap": self.gap, "is_best": self.is_best}


_SAME = 1e-7


def bound_of(run: Run, gcp: float, seconds: float | None, progress: Progress | None = None) -> LowerBound | None:
    """Return a GCP that no release by this plan undercuts; ``None`` where none is known.

    That is: none of these rows by these models that suppresses no more rows than the plan allows. The search may have
    proved one. Otherwise classes have at least as many rows as the models have people in their smallest class, and a
    table of such classes loses no less than ``celosia.utility.gcp_lower_bound``, whatever else the models demand and
    whatever is suppressed, so that this one holds beyond the plan too. Rows that masks removed are lost whole.

    A bound of 0 where the release loses something tells nothing, unless it is exact: the best possible loses nothing.

    Ctrl-C ends it with what is known by then: the release is not in danger.

    Parameters
    ----------
    gcp
        The loss reached.
    seconds
        How long to look; ``None``: only at what the search proved.
    """
    proved = _proved(run, gcp)
    if seconds is None or (proved is not None and proved.kind == "exact"):
        return proved
    k = run.plan.demanded
    if k < 2 or not run.table.quasi_identifiers:
        return proved
    try:
        found = gcp_lower_bound(run.table, k, seconds, seed=run.plan.seed, progress=progress)
    except KeyboardInterrupt:
        return proved
    is_all = run.table.subjects is None and run.recoding.kept is None
    is_all &= all(isinstance(model, KAnonymity) for model in run.plan.models)
    kind = "bound" if found.kind == "exact" and not is_all else found.kind
    bound = _over_given(run, gcp, found, kind)
    if bound.kind == "exact":
        return bound
    if bound <= 0 < gcp:  # which everybody knows
        return proved
    return bound if proved is None or bound > proved else proved


def quick_bound(run: Run, gcp: float) -> LowerBound | None:
    """Return the bound that a release comes with unasked: what its search has proved, or that of a few rows."""
    if run.table.n_rows <= _FEW_ROWS:
        return bound_of(run, gcp, _QUICK_SECONDS)
    return bound_of(run, gcp, None)


def _proved(run: Run, gcp: float) -> LowerBound | None:
    """Return what a search proved about all classes there are, with no more rows suppressed than the plan allows.

    One of whole columns knows of its own kind alone.
    """
    proof = run.proof
    if proof is None or proof.lower_bound is None or run.recoding.extents is not None or run.plan.masks_after:
        return None
    n_rows, n_placed = run.table.n_rows, int(np.count_nonzero(~run.table.unplaced))
    # A range may come out longer by one part in each column: positions are whole numbers.
    rounding = (len(run.table.quasi_identifiers) + 1) / WHOLE_LOSS
    value = (max(0.0, proof.lower_bound - rounding) * n_placed + (n_rows - n_placed)) / n_rows
    found = LowerBound(
        value,
        kind="exact" if proof.is_optimal else "bound",
        n_sampled=n_placed,
        n_rows=n_rows,
        seconds=run.search_seconds,
    )
    return _over_given(run, gcp, found, found.kind)


def _over_given(run: Run, gcp: float, found: LowerBound, kind: Any) -> LowerBound:
    """Return a bound over the rows after masks as one over all that were given, and not above the loss reached."""
    n_given, n_rows = run.given.n_rows, run.table.n_rows

    def over_given(value: float) -> float:
        return min(gcp, (value * n_rows + n_given - n_rows) / n_given)

    return LowerBound(
        over_given(found.value),
        kind=kind,
        interval=None if found.interval is None else (over_given(found.interval[0]), over_given(found.interval[1])),
        n_sampled=found.n_sampled,
        n_rows=n_given,
        seconds=found.seconds,
    )
