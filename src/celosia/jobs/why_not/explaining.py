"""why_not: for a demand that cannot be met, what blocks it and what each way round it costs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from celosia.base.errors import InputError, UnreachableError
from celosia.base.fields import Result
from celosia.base.progress import EndedError, Ending, Progress, Quiet, aside, check_time_limit
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.why_not.attempts import Relaxation, attempts, together
from celosia.jobs.why_not.blocks import Block, find_blocks
from celosia.jobs.why_not.trials import Trials

_SECONDS = 20.0


@dataclass(frozen=True)
class WhyNot(Result):
    """Why a plan's demand cannot be met, and what would help.

    Attributes
    ----------
    reachable
        Whether it can be met after all; ``None`` if the time was up before that was known.
    blocks
        What stands in the way.
    relaxations
        Single changes that help, each tried, the one that loses least first. Where none does, all blocked models
        weakened together.
    untried
        Changes for which the time was up.
    seconds
        How long it took.
    """

    reachable: bool | None
    blocks: tuple[Block, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    untried: tuple[str, ...] = ()
    seconds: float = 0.0


def why_not(
    plan: Plan, table: Table, *, time_limit: float | None = _SECONDS, progress: Progress | None = None
) -> WhyNot:
    """Explain why a plan cannot be met on a table, and price the changes that would let it be met.

    Tried are, one at a time: a weaker parameter of each model (a smaller k, l or p, a larger alpha, t, beta, delta,
    limit or share), found by halving; a larger ``max_suppression``; the plan without one of its models; the table
    without one of its quasi-identifiers; other limits on levels. Each is searched for by quick searches of the plan's
    kind, so that the plan's own usually loses less, and nothing is published. Nothing is chosen for you, and no message
    holds a cell value.

    Parameters
    ----------
    time_limit
        Seconds for everything; what was not tried then is listed. ``None`` for no limit.

    Raises
    ------
    InputError
        The table does not fit the plan.
    OptionError
        The time limit is no number of seconds above 0.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> frame = pl.DataFrame({"age": [30, 31, 50, 54], "ill": ["flu", "flu", "hiv", "flu"]})
    >>> table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> answer = why_not(cl.Plan(models=[cl.KAnonymity(2), cl.LDiversity(3, on="ill")]), table)
    >>> answer.blocks[0].column, [relaxation.message for relaxation in answer.relaxations]
    ('ill', ["drop l_diversity on 'ill'", "l_diversity on 'ill': l 3 -> 2"])
    """
    if not isinstance(plan, Plan) or not isinstance(table, Table):
        raise InputError("why_not needs a Plan and a Table.", hint="write why_not(plan, Table(frame, schema)).")
    check_time_limit(time_limit)
    ending = Ending(None if time_limit is None else float(time_limit))
    return aside(lambda: _explained(plan, table, ending, progress or Quiet()), ending)


def _explained(plan: Plan, table: Table, ending: Ending, progress: Progress) -> WhyNot:
    started = time.perf_counter()
    progress.stage("why_not")
    trials = Trials(plan, plan.masked(table), ending)
    try:
        trials.measure(plan)
        return WhyNot(True, seconds=time.perf_counter() - started)
    except UnreachableError as error:
        blocks = find_blocks(plan, trials.table, error)
    except EndedError:
        return WhyNot(None, untried=("the plan itself",), seconds=time.perf_counter() - started)
    found, untried = _tried(trials, progress)
    found.sort(key=lambda relaxation: relaxation.gcp)
    return WhyNot(False, tuple(blocks), tuple(found), tuple(untried), time.perf_counter() - started)


def _tried(trials: Trials, progress: Progress) -> tuple[list[Relaxation], list[str]]:
    found, untried = [], []
    wanted = attempts(trials)
    for place, attempt in enumerate(wanted):
        try:
            relaxation = attempt.run()
        except EndedError:
            untried.append(attempt.what)
            continue
        found += [] if relaxation is None else [relaxation]
        progress.advance((place + 1) / len(wanted))
    if not found and not untried:
        try:
            relaxation = together(trials)
            found += [] if relaxation is None else [relaxation]
        except EndedError:
            untried.append("all blocked models together")
    return found, untried
