"""Exact: the classes with the least loss there are, with a proof."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Options
from celosia.base.progress import check_time_limit
from celosia.data.outcome import Proof
from celosia.data.recode import loses_as_grouped
from celosia.data.schema.fixed_point import WHOLE_LOSS
from celosia.models.people import JudgesTogether
from celosia.search.base import Grouping, Problem
from celosia.search.partitioning import best_partition, check_solver, cost_of
from celosia.search.repair import broken_by_models, settled, united
from celosia.search.trim import trim
from celosia.search.weave import Weave

_MOST_ROWS = 2000
"""Of more rows nothing is proved: listing possible classes would take too long to be of use."""

_PASSES = 300


@dataclass(frozen=True)
class Exact(Options):
    """The optimum: no classes that satisfy the models lose less. For small tables, such as one class of students.

    Chooses among all possible classes those that part the rows at the least sum of size times loss, by linear
    programming (HiGHS). Under k-anonymity alone a class has k to 2k - 1 rows, since a larger one can be cut in two and
    never loses more by that. Classes are listed only as far as their reduced cost lets them be part of something better
    than the best known, which Weave finds first. Rows may be suppressed within the budget, each at the loss of a whole
    row. Losses are compared in whole steps of 2^-30.

    Parameters
    ----------
    time_limit
        Seconds, above 0, after which the best classes found are taken. ``None``: the work is limited instead, to some
        seconds, so that with a seed equal plans give equal classes on any machine.

    Raises
    ------
    OptionError
        The time limit is not a number above 0.

    Guarantee
    ---------
    All models hold. ``release.proof`` says whether the classes are proved to be the best; otherwise they are the best
    that were found, and the proof has a lower bound where one is known. There is no proof where models judge all
    classes together or against a population, where a quasi-identifier is a secret too, where rows had to be suppressed
    before the search, where rows may be suppressed and a model measures against all rows, or where what is published
    may lose more than a class by itself: ranges on a grid, centroids, labels that stand for several nodes. The time
    grows fast with the rows and with k: expect a proof up to about 40 rows, at k = 2 and 3 often for 100. Ctrl-C ends
    the search with the best classes so far.

    References
    ----------
    Balas, Padberg (1976). Set partitioning: a survey. Domingo-Ferrer, Mateo-Sanz (2002). Practical data-oriented
    microaggregation (classes of k to 2k - 1 rows). Huangfu, Hall (2018). Parallelizing the dual revised simplex method.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> marks = pl.DataFrame({"exam": [1, 3, 4, 5, 8, 9, 10]})
    >>> table = cl.Table(marks, cl.Schema(quasi_identifiers={"exam": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=Exact(), seed=1).run(table)
    >>> sorted(set(release.frame["exam"])), release.proof.is_optimal
    (['[1, 5]', '[8, 10]'], True)
    """

    time_limit: float | None = None
    name: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        check_time_limit(self.time_limit, hint="leave it out to limit the work instead.")

    def preflight(self, *, rehearsal: bool) -> None:
        """Refuse a solver that is not installed before anything is read."""
        check_solver()

    def search(self, problem: Problem) -> Grouping:
        """Return the best classes, and whether it is proved that they are.

        Raises
        ------
        InputError
            The solver is not installed.
        """
        check_solver()
        start = trim(problem, settled(problem, self._weave(problem).search(problem)))
        if problem.was_stopped or not _is_decided(problem) or len(broken_by_models(problem, start)):
            return _grouping(problem, united(problem, start), None, 0)
        problem.progress.stage("prove")
        seconds = None if self.time_limit is None else self.time_limit - (time.perf_counter() - problem.started)
        found = problem.run(lambda pulse: best_partition(problem, start, seconds, pulse), keeps_best=True)
        labels = united(problem, found.labels)
        if cost_of(problem.columns, labels) > found.cost or len(broken_by_models(problem, labels)):
            # Kernels are lenient by a hair, and classes that publish the same are one: models have the last word.
            labels = united(problem, start)
        is_known = all(loses_as_grouped(column) for column in problem.quasi_identifiers)
        return _grouping(problem, labels, found.bound if is_known else None, found.n_looks)

    def _weave(self, problem: Problem) -> Weave:
        """Return the search that comes first, whose classes are often the best already."""
        if self.time_limit is None:
            return Weave()
        if not _is_decided(problem):
            return Weave(time_limit=self.time_limit)
        return Weave(passes=_PASSES, time_limit=self.time_limit / 2)


def _is_decided(problem: Problem) -> bool:
    """Whether the demands of the kernels are what the models ask for, and no more, and the rows are all that count."""
    is_local = not any(isinstance(model, JudgesTogether) or "population" in model.needs for model in problem.models)
    keeps = not problem.n_spare or all(model.monotone.suppressing for model in problem.models)
    is_whole = problem.kept is None and problem.n_rows == int((~problem.table.unplaced).sum())
    return is_local and keeps and is_whole and problem.n_rows <= _MOST_ROWS


def _grouping(problem: Problem, labels: NDArray[np.int32], bound: int | None, n_looks: int) -> Grouping:
    cost, whole = cost_of(problem.columns, labels), problem.n_rows * WHOLE_LOSS
    proof = Proof(
        objective="gcp",
        value=cost / whole,
        lower_bound=None if bound is None else bound / whole,
        is_optimal=bound is not None and bound >= cost,
        n_recodings=None,
        n_judged=n_looks,
        levels={},
    )
    return Grouping(labels, {}, proof)
