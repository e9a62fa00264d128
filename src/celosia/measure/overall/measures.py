"""Measures: every measure of a release that needs no training, each taken when it is first asked for."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from celosia.base.progress import Progress, Quiet
from celosia.data.recode import Scope, scope_of
from celosia.measure.overall.bounding import Nearness, quick_bound
from celosia.measure.overall.rounding import RoundedStatistics, n_people, rounded_statistics
from celosia.measure.run import Run
from celosia.measure.utility import (
    Ambiguity,
    AverageClassSize,
    Correlations,
    Loss,
    LowerBound,
    NonUniformEntropy,
    Precision,
    QueryError,
    Shares,
    Statistics,
    ambiguity,
    average_class_size,
    correlations,
    discernibility,
    kl_divergence,
    loss,
    non_uniform_entropy,
    precision,
    query_error,
    shares,
    statistics,
)
from celosia.measure.utility.numbers import numbers_of

_MOST_PAIRS = 5_000_000_000
"""Above so many pairs of a row and a class the KL divergence would take more than about half a minute."""
_DIGITS = 3
"""Of a correlation that is told."""


class Measures:
    """The measures of a release. They are attributes, taken once, and only if somebody asks.

    ``discernibility``, ``average_class_size``, ``precision``, ``non_uniform_entropy``, ``ambiguity``,
    ``kl_divergence``, ``query_error``, ``statistics``, ``correlations`` and ``shares`` are what the functions of the
    same names in ``celosia.utility`` return for the release and the table it was made from.

    Parameters
    ----------
    run
        A release.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> found = cl.Plan(models=[cl.KAnonymity(2)]).run(table).utility
    >>> found.discernibility, found.average_class_size.c_avg
    (8, 1.0)
    """

    def __init__(self, run: Run) -> None:
        self.run = run

    def of(self, run: Run) -> Measures:
        """Return the measures of the same release with further facts: those that are taken stay."""
        other = Measures(run)
        gone = {"run"} if run.looked_for is self.run.looked_for else {"run", "bound"}
        other.__dict__ |= {name: value for name, value in self.__dict__.items() if name not in gone}
        return other

    @property
    def least(self) -> int:
        """Nothing about fewer people is told: what the plan's models demand of a class, and never one person."""
        return int(self.run.plan.least)

    @cached_property
    def loss(self) -> Loss:
        """The information lost: GCP over all rows, over the published ones, and per column.

        Rows that masks removed are lost whole; what masks did to cells is not counted.
        """
        return loss(self.run.given, self.run) if self.run.masked.n_dropped else loss(self.run.table, self.run.recoding)

    @cached_property
    def scope(self) -> Scope:
        """What kind of recoding it shows: full-domain, value-global or cell-local, by column and as a whole."""
        return scope_of(self.run.recoding)

    @cached_property
    def bound(self) -> LowerBound | None:
        """A GCP that no release by this plan undercuts, where one is known."""
        return quick_bound(self.run, self.loss.gcp) if isinstance(self.run.looked_for, str) else self.run.looked_for

    @property
    def nearness(self) -> Nearness | None:
        """How near the loss is to the best possible, where a bound is known."""
        return None if self.bound is None else Nearness(self.loss.gcp, self.bound)

    @cached_property
    def discernibility(self) -> int | None:
        """How many rows each row looks like, summed."""
        return discernibility(self.run.table, self.run)

    @cached_property
    def average_class_size(self) -> AverageClassSize:
        """The average class, in rows and in multiples of k."""
        return average_class_size(self.run.table, self.run)

    @cached_property
    def precision(self) -> Precision:
        """How far down their hierarchies cells were published."""
        return precision(self.run.table, self.run)

    @cached_property
    def non_uniform_entropy(self) -> NonUniformEntropy:
        """The share of the information that is hidden, in bits."""
        return non_uniform_entropy(self.run.table, self.run)

    @cached_property
    def ambiguity(self) -> Ambiguity:
        """How many rows of values a published row could stand for."""
        return ambiguity(self.run.table, self.run)

    @cached_property
    def kl_divergence(self) -> float | None:
        """How far apart the distributions of rows are; ``None`` too where ``left_out`` says that it takes too long."""
        return None if self.left_out else kl_divergence(self.run.table, self.run)

    @cached_property
    def query_error(self) -> QueryError:
        """How wrong counts come out; the queries are drawn by the plan's seed, if it has one."""
        return query_error(self.run.table, self.run, seed=self.run.plan.seed)

    @cached_property
    def statistics(self) -> Statistics:
        """Mean, standard deviation and quartiles before and after."""
        with np.errstate(over="ignore", invalid="ignore"):  # huge numbers: what overflows is infinite, and not told
            return statistics(self.run.table, self.run)

    @cached_property
    def correlations(self) -> Correlations:
        """Correlations before and after."""
        return correlations(self.run.table, self.run)

    @cached_property
    def shares(self) -> Shares:
        """Shares of values before and after."""
        return shares(self.run.table, self.run)

    @cached_property
    def rounded_statistics(self) -> dict[str, RoundedStatistics | None]:
        """The statistics as they may be told; ``None`` where too few people have a number to hide each of them."""
        return rounded_statistics(self.run.table, self.run.recoding, self.statistics, self.least)

    @property
    def left_out(self) -> dict[str, str]:
        """Which measures are not taken, and why."""
        n_rows, n_classes = self.run.table.n_rows, self.run.recoding.classes.n_classes
        if n_rows * n_classes <= _MOST_PAIRS:
            return {}
        return {"kl_divergence": f"{n_rows} rows and {n_classes} classes are too many to compare each with each."}

    def quick(self) -> dict[str, Any]:
        """Return the measures that cost next to nothing, beside a run that has its classes already."""
        return {
            "discernibility": self.discernibility,
            "average_class_size": self.average_class_size.to_dict(),
            "precision": self.precision.to_dict(),
        }

    def to_dict(self, *, show_values: bool = False, progress: Progress | None = None) -> dict[str, Any]:
        """Return all measures as ``celosia run --utility --json`` prints them.

        Parameters
        ----------
        show_values
            Whether exact statistics and the shares of every value are told. Otherwise statistics are rounded until at
            least ``least`` people lie in a step, and of shares only their total variation is left.
        progress
            Who hears how far it is.
        """
        steps = {
            "non_uniform_entropy": lambda: self.non_uniform_entropy.to_dict(),
            "ambiguity": lambda: self.ambiguity.to_dict(),
            "kl_divergence": lambda: self.kl_divergence,
            "query_error": self._told_query_error,
            "statistics": self.statistics.to_dict if show_values else self._told_statistics,
            "correlations": self.correlations.to_dict if show_values else self._told_correlations,
            "shares": self.shares.to_dict if show_values else self._told_shares,
        }
        shown = progress or Quiet()
        found = self.quick()
        for done, (name, step) in enumerate(steps.items(), start=1):
            found[name] = step()
            shown.advance(done / len(steps))
        told: dict[str, Any] = _finite({**found, "left_out": self.left_out})
        return told

    def _told_query_error(self) -> dict[str, Any]:
        """Leave the plan's own seed out: whoever learns it can undo the shuffle of the rows."""
        found = self.query_error.to_dict()
        return found if self.run.plan.seed is None else found | {"seed": None}

    def _told_statistics(self) -> dict[str, Any]:
        told = self.rounded_statistics
        return {name: None if own is None else own.to_dict() for name, own in told.items()}

    def _told_correlations(self) -> dict[str, Any]:
        columns = {own.column: own.before for own in numbers_of(self.run.table, self.run.recoding)}
        pairs = []
        for pair in self.correlations.pairs:
            both = ~np.isnan(columns[pair.first]) & ~np.isnan(columns[pair.second])
            told = pair.to_dict()
            if n_people(both, self.run.table.subjects) < self.least:
                told |= {"before": None, "after": None, "change": None}
            pairs.append({name: round(one, _DIGITS) if isinstance(one, float) else one for name, one in told.items()})
        return {"pairs": pairs}

    def _told_shares(self) -> dict[str, Any]:
        return {name: {"total_variation": own.total_variation} for name, own in self.shares.columns.items()}


def _finite(found: Any) -> Any:
    """Replace figures that overflowed by ``None``: undefined is not a number."""
    if isinstance(found, dict):
        return {name: _finite(one) for name, one in found.items()}
    if isinstance(found, list):
        return [_finite(one) for one in found]
    return None if isinstance(found, float) and not math.isfinite(found) else found
