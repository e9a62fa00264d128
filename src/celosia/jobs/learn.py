"""Training: how well a learner does after a plan, told with its time and stopped by Ctrl-C."""

from __future__ import annotations

import time
from typing import Any

from celosia.base.errors import ColumnNotFoundError, OptionError, UnreachableError, nearest_column
from celosia.base.progress import Ending, Progress, Quiet, aside
from celosia.data.schema import Role, Table
from celosia.jobs.plan import Plan
from celosia.jobs.release import Release
from celosia.measure.utility import Classification, classification

_FOLDS = 5
_REPEATS = 2


class _Counting:
    """Runs a plan again and again, and tells how many of the runs are done."""

    def __init__(self, plan: Plan, ending: Ending, progress: Progress) -> None:
        self._plan, self._ending, self._progress = plan, ending, progress
        self._done = 0

    def run(self, table: Table) -> Release:
        release = self._plan.run(table, self._ending, rehearsal=True)
        self._done += 1
        self._progress.advance(self._done / (_FOLDS * _REPEATS))
        return release


def check_target(table: Table, target: str) -> None:
    """Raise unless a column can be predicted: it is there, and published as it is.

    Raises
    ------
    ColumnNotFoundError
        The table has no such column.
    OptionError
        It is an identifier or a quasi-identifier.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [9], "ill": ["S"]}), Schema([], {"age": "number"}, ["ill"]))
    >>> check_target(table, "ill")
    >>> check_target(table, "age")
    Traceback (most recent call last):
    celosia.base.errors.OptionError: 'age' is not published as it is, so that nothing can be learnt about it.
      Hint: predict a sensitive or insensitive column.
    """
    if target not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{target}' is not a column of {table.name}, or a mask removes it.",
            hint=nearest_column(target, table.frame.columns),
            about=target,
        )
    if table.schema.roles(target) & {Role.IDENTIFIER, Role.QUASI_IDENTIFIER}:
        raise OptionError(
            f"'{target}' is not published as it is, so that nothing can be learnt about it.",
            hint="predict a sensitive or insensitive column.",
            about=target,
        )


def expected_seconds(run_seconds: float) -> float:
    """Return about how long ``learnt`` takes, where one run on all rows took so long.

    Examples
    --------
    >>> expected_seconds(0.5)  # ten runs on four fifths of the rows
    4.0
    """
    return run_seconds * _FOLDS * _REPEATS * (1 - 1 / _FOLDS)


def learnt(table: Table, plan: Plan, target: str, progress: Progress | None = None) -> dict[str, Any]:
    """Return how well a column can be predicted after learning from anonymised rows, and the seconds that it took.

    ``celosia.utility.classification`` in 5 folds, twice; by the plan's seed, if it has one, which is then left out of
    the result. Where the plan cannot be met on the training rows there are no figures, and the reason is given.

    Parameters
    ----------
    table
        The table before masks: the plan applies them to the training rows.

    Raises
    ------
    InputError
        The column cannot be predicted: see ``check_target``.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> marks = pl.DataFrame({"mark": list(range(40)), "passed": ["no"] * 20 + ["yes"] * 20})
    >>> table = cl.Table(marks, cl.Schema(quasi_identifiers={"mark": "number"}, insensitive=["passed"]))
    >>> found = learnt(table, cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian(), seed=1), "passed")
    >>> found["accuracy"] > 0.9 > found["accuracy_majority"], found["seeds"]
    (True, None)
    """
    ending = Ending()
    runner = _Counting(plan, ending, progress or Quiet())
    started = time.perf_counter()
    try:
        found = aside(lambda: classification(table, runner, target, _FOLDS, _REPEATS, plan.seed), ending)
    except UnreachableError:
        reason = "the plan cannot be met on the training rows, which are four fifths of all."
        known = table.frame[target].drop_nulls()
        sizes = (len(known), known.n_unique(), _FOLDS, _REPEATS)
        found = Classification(target, None, None, None, None, *sizes, seeds=(), reason=reason)
    told = found.to_dict() | {"seconds": time.perf_counter() - started}
    return told if plan.seed is None else told | {"seeds": None}
