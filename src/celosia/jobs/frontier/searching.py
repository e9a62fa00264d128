"""The searches behind a frontier: one per k, algorithm and share of suppression, several at once."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from numbers import Integral
from typing import Any

from celosia.base.entries import describe
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.progress import Ending, Progress, Quiet, check_time_limit
from celosia.data.schema import Table
from celosia.jobs.frontier.defaults import default_algorithms, default_ks, spread
from celosia.jobs.frontier.point import Point
from celosia.jobs.frontier.result import Frontier
from celosia.jobs.plan import Plan
from celosia.models import KAnonymity
from celosia.models.base import Model
from celosia.search.base import Algorithm

_LOOK_EVERY = 0.1
_ROWS_AT_ONCE = 4_000_000
"""More rows than these are not searched at once, for the sake of memory."""


def frontier(
    table: Table,
    *,
    k: Iterable[int] | None = None,
    algorithms: Sequence[Algorithm] | None = None,
    max_suppression: Sequence[float] = (0.0,),
    models: Sequence[Model] = (),
    plan: Plan | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Frontier:
    """Measure loss and risk over k, algorithm and suppression, so that nobody picks k blind.

    Every point is what ``Plan.run`` would give for the same options and seed, measured on the recoded table, but not
    audited: nothing is published. What cannot be met is a point too, with the reason. Nothing is chosen: the frontier
    shows, and you choose. Ctrl-C ends all searches and leaves nothing behind.

    Parameters
    ----------
    k
        Whole numbers from 2. By default 2 to 100, a dozen of them in tables above 50,000 rows.
    algorithms
        The searches. By default a quick Weave, Mondrian, HilbertOrder and Lattice, which recodes whole columns.
    max_suppression
        Shares of the rows that may be suppressed, in [0, 1].
    models
        Demanded beside k-anonymity in every point.
    plan
        A plan whose masks apply, once, and whose models other than k-anonymity are demanded too. It is measured
        as it stands, as the frontier's ``own`` point.
    seed
        As in a plan; that of ``plan`` by default.
    time_limit
        Seconds after which no further point is begun. Values of k are taken so that those done are always spread.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        The table does not fit the plan, or an algorithm does not fit the table.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 50, 54]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> found = frontier(table, k=[2, 4, 8], algorithms=[cl.Mondrian()])
    >>> [(point.k, point.n_classes) for point in found.points]
    [(2, 2), (4, 1), (8, None)]
    >>> found.largest_k(loss=0.2).k
    2
    """
    started = time.perf_counter()
    if not isinstance(table, Table):
        raise InputError("frontier needs a Table.", hint="write frontier(Table(frame, schema)).")
    check_time_limit(time_limit)
    demanded = [*_others(plan), *_checked_models(models)]
    shares = _checked_shares(max_suppression)
    if plan is not None:
        seed = plan.seed if seed is None else seed
        table = replace(plan, seed=seed).masked(table)
    _encode(table)
    ks = default_ks(table) if k is None else _checked_ks(k)
    chosen = default_algorithms(table, len(ks) * len(shares)) if algorithms is None else _checked_algorithms(algorithms)
    wanted = [
        Plan(models=[KAnonymity(one), *demanded], algorithm=algorithm, max_suppression=share, seed=seed)
        for one in spread(ks)
        for algorithm in chosen
        for share in shares
    ]
    own = [] if plan is None else [replace(plan, masks=(), seed=seed)]
    found = _measured([*own, *wanted], table, time_limit, progress or Quiet())
    points = [point for point in found[len(own) :] if point is not None]
    rank = {_key(algorithm): place for place, algorithm in enumerate(chosen)}
    points.sort(key=lambda point: (point.max_suppression, rank[repr(point.algorithm)], point.k))
    return Frontier(
        points=tuple(points),
        own=found[0] if own else None,
        models=tuple(_told(model) for model in demanded),
        table=table.name,
        n_rows=table.n_rows,
        n_missing=len(wanted) - len(points),
        seconds=time.perf_counter() - started,
    )


def _measured(plans: Sequence[Plan], table: Table, time_limit: float | None, progress: Progress) -> list[Point | None]:
    """Return the point of every plan in the order given; ``None`` where the time was up before its turn."""
    ending, starting = Ending(), Ending(time_limit)
    n_threads = max(1, min(os.cpu_count() or 1, _ROWS_AT_ONCE // max(table.n_rows, 1)))
    progress.stage("frontier")
    with ThreadPoolExecutor(n_threads, "frontier") as pool:
        futures = [pool.submit(_point_in_time, plan, table, starting, ending) for plan in plans]
        try:
            _watch(futures, progress)
        except BaseException:
            ending.end()
            starting.end()
            raise
    return [future.result() for future in futures]


def _watch(futures: Sequence[Future[Point | None]], progress: Progress) -> None:
    """Show how many are done until all are; raise what one of them raises."""
    pending = set(futures)
    while pending:
        # A wait that ends by itself can be interrupted on every system.
        done, pending = wait(pending, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        progress.advance(1 - len(pending) / len(futures))


def _point_in_time(plan: Plan, table: Table, starting: Ending, ending: Ending) -> Point | None:
    return None if starting.is_over else _point(plan, table, ending)


def _point(plan: Plan, table: Table, ending: Ending) -> Point:
    asked = max(model.smallest_class for model in plan.models)
    algorithm = describe(plan.algorithm)
    try:
        figures = plan.measure(table, ending)
    except UnreachableError as error:
        return Point(asked, algorithm, plan.max_suppression, reason=error.message)
    return Point(
        k=asked,
        algorithm=algorithm,
        max_suppression=plan.max_suppression,
        reached_k=figures["k"],
        gcp=figures["gcp"],
        gcp_published=figures["gcp_published"],
        suppressed=figures["n_suppressed"] / figures["n_rows"],
        n_classes=figures["n_classes"],
        risk=figures["risk"]["prosecutor"],
        seconds=figures["search_seconds"],
    )


def _told(model: Model) -> dict[str, Any]:
    """Return a model as it may be shown: declared values are values of cells."""
    return {model.name: {option: value for option, value in model.to_dict().items() if option != "values"}}


def _encode(table: Table) -> None:
    """Encode the table once, before several threads want it."""
    _ = table.quasi_identifiers, table.subjects, table.unplaced


def _key(algorithm: Algorithm) -> str:
    return repr(describe(algorithm))


def _others(plan: Plan | None) -> list[Model]:
    if plan is None:
        return []
    if not isinstance(plan, Plan):
        raise OptionError("plan must be a Plan.", about="plan")
    return [model for model in plan.models if not isinstance(model, KAnonymity)]


def _checked_models(models: Sequence[Model]) -> list[Model]:
    if not _are(models, Model):
        raise OptionError("models must be a list of models such as LDiversity(2, on=...).", about="models")
    if any(isinstance(model, KAnonymity) for model in models):
        raise OptionError(
            "models are demanded beside k-anonymity, whose k varies.", hint="name the values of k in k.", about="models"
        )
    return list(models)


def _checked_ks(ks: Iterable[int]) -> list[int]:
    if isinstance(ks, str | bytes | int) or not isinstance(ks, Iterable):
        raise OptionError("k must be a list of whole numbers from 2.", hint="write k=range(2, 101).", about="k")
    found = list(ks)
    if not found or any(isinstance(k, bool) or not isinstance(k, Integral) or k < 2 for k in found):
        raise OptionError(
            "k must be a list of whole numbers from 2.", hint="k = 1 hides nobody; write k=[2, 5, 10].", about="k"
        )
    return sorted({int(k) for k in found})


def _checked_algorithms(algorithms: Sequence[Algorithm]) -> list[Algorithm]:
    if not _are(algorithms, Algorithm) or not algorithms:
        raise OptionError("algorithms must be a list of searches such as Mondrian(), at least one.", about="algorithms")
    return list({_key(algorithm): algorithm for algorithm in algorithms}.values())


def _checked_shares(shares: Sequence[float]) -> list[float]:
    if not isinstance(shares, list | tuple) or not shares:
        raise OptionError(
            "max_suppression must be a list of shares, at least one.", hint="write [0, 0.02].", about="max_suppression"
        )
    for share in shares:
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise OptionError(
                "max_suppression must list shares of the rows in [0, 1].", hint="0.02 is 2 %.", about="max_suppression"
            )
    return sorted({float(share) for share in shares})


def _are(things: Any, kind: type) -> bool:
    return isinstance(things, list | tuple) and all(
        isinstance(thing, kind) and not isinstance(thing, type) for thing in things
    )
