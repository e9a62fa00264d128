"""Weave: a greedy start, then classes regrouped with their neighbours for as long as one likes."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.base.numbers import checked_whole
from celosia.base.progress import EndedError, Ending, check_time_limit
from celosia.data.hierarchies.domains import Levels
from celosia.search.base import Problem
from celosia.search.l_greedy import seed_order
from celosia.search.repair import mended, rows_only
from celosia.search.rounds import swept

Effort = Literal["fast", "balanced", "best"]

_ROW_PASSES = {"balanced": 1_000_000, "best": 10_000_000}
"""Passes times rows: the same work whatever the size of the table."""

_TIME_TO_END = (0.01, 1e-6)
"""Seconds, and seconds per row, kept back from a time limit for what comes after the last trial."""

_FEWEST_PASSES = {"balanced": 8, "best": 80}
_MOST_PASSES = {"balanced": 300, "best": 3_000}
_MOST_PASSES_IN_TIME = 20_000

_LARGE_CLASS = 20

_ROW_RECODINGS = 400_000_000
"""Recodings of whole columns times rows, tried for the start with hierarchies: a second or so."""

_FEWEST_RECODINGS = 100
_MOST_RECODINGS = 50_000
_SHARE_OF_RECODING = 0.6
"""Of a time limit, what the recodings of the start may take."""

_SHARE_OF_GROWTH = 0.5
"""Of what the recodings leave of a time limit, what growing may take: the rest is for stage 2."""


@dataclass(frozen=True)
class Weave(Options):
    """Celosía's own search: less loss than any greedy one, at a cost that grows with the rows and not their square.

    Stage 1 grows classes as l-greedy does, each from a seed by the free row that raises the loss least; a tree over
    the free rows finds that row after looking at a few hundred of them. (From 20 rows per class the seeds come in
    random order, which loses less there.) Classes that then break another model are helped by rows of others, or
    merged; where a model wants values in proportion, classes grow by rows that help from the start. With hierarchies
    the rows are also recoded level by level, each recoding taking the rows that those before left over, as in
    ``Lattice(local=True)``; the cheaper of the two starts is taken. Under a time limit recoding goes first, and growing
    is given up where it takes too long.

    Stage 2 goes over all classes again and again. Neighbouring classes are put together in groups with other borders in
    each pass. Within a group rows change places, and two to six classes are thrown together and grown anew; with
    hierarchies they are mostly made anew of the rows below nodes, the cheapest nodes first, which moves rows by the
    dozen where single rows cannot leave. What lowers the sum of size times loss is kept, and, as in annealing,
    sometimes what raises it a little, less and less often. The best classes seen are the result, whenever the search
    ends.

    Every change asks the models: a class that breaks one is never kept.

    Parameters
    ----------
    effort
        ``fast``: stage 1 alone. ``balanced``: some passes of stage 2, seconds for up to a hundred
        thousand rows without hierarchies; many columns with hierarchies take longer (minutes for 70,000 rows of 16).
        ``best``: ten times as many.
    passes
        Another number of passes of stage 2, from 0. With a seed, equal passes give equal classes on any number of
        threads and on any machine.
    time_limit
        Seconds for the whole search. Unless ``passes`` says otherwise the search goes on until then. Only stage 1 may
        take longer, since one start is always finished: without hierarchies the grown classes, with them the recoded
        ones, or the grown ones where recoding finds none. What is found depends on the machine.

    Raises
    ------
    OptionError
        An option is not one of these, or ``fast`` is given passes or a time limit.

    Guarantee
    ---------
    Every class satisfies all models. The loss is never above that of stage 1. Nothing says how near it is to the least
    possible. Stage 1 takes O(n log n) in tables that have neighbours, up to O(n^2) in many columns of noise; a pass
    of stage 2 takes O(n log n). Recodings of the start are as many as take a second or so, at least a hundred. Ctrl-C
    ends the recodings or stage 2 with the best classes so far.

    References
    ----------
    Liang, Samavi (2020). Optimization-based k-anonymity algorithms (stage 1). Shaw (1998). Using constraint programming
    and local search methods to solve vehicle routing problems (large neighbourhoods). Kirkpatrick, Gelatt, Vecchi
    (1983). Optimization by simulated annealing.

    Examples
    --------
    >>> Weave(effort="best", time_limit=60).to_dict()
    {'effort': 'best', 'time_limit': 60}
    """

    effort: Effort = "balanced"
    passes: int | None = None
    time_limit: float | None = None
    name: ClassVar[str] = "weave"

    def __post_init__(self) -> None:
        if self.effort not in ("fast", "balanced", "best"):
            raise OptionError(
                "effort must be fast, balanced or best.",
                hint="fast is quickest, best loses least, balanced is the default.",
                about="effort",
            )
        if self.passes is not None:
            checked_whole("passes", self.passes, 0, "leave it out to go by effort.")
        check_time_limit(self.time_limit, hint="effort fast takes the least time.")
        if self.effort == "fast" and (self.passes is not None or self.time_limit is not None):
            raise OptionError(
                "effort fast makes no passes, so that neither passes nor time_limit means anything.",
                hint="leave them out, or take effort balanced or best.",
                about="effort",
            )

    def search(self, problem: Problem) -> NDArray[np.int32]:
        """Return a class label per row of the problem."""
        columns, demands = problem.columns, problem.demands
        labels = self._start(problem)
        if self.effort == "fast" or problem.was_stopped:
            return labels
        problem.progress.stage("improve")
        seed = problem.randomness.below(2**63)
        since = time.perf_counter() - problem.started
        seconds = self._seconds_left(problem, since)
        labels, times, losses = problem.run(
            lambda pulse: kernels.weave(columns, demands, labels, self._n_passes(problem), seconds, seed, pulse),
            keeps_best=True,
        )
        problem.history.extend((since + second, loss) for second, loss in zip(times, losses, strict=True))
        return labels

    def _start(self, problem: Problem) -> NDArray[np.int32]:
        """Return the classes of stage 1: grown or, where hierarchies make that cost less, recoded level by level."""
        seeds = self._seeds(problem)
        if not any(isinstance(column.domain, Levels) for column in problem.quasi_identifiers):
            return self._grown(problem, seeds)
        recoded = self._recoded(problem)
        if recoded is None:
            return self._grown(problem, seeds)
        grown = None if problem.was_stopped else self._grown_in_time(problem, seeds)
        return recoded if grown is None or _loss(problem, recoded) < _loss(problem, grown) else grown

    def _recoded(self, problem: Problem) -> NDArray[np.int32] | None:
        n_recodings = max(min(_MOST_RECODINGS, _ROW_RECODINGS // problem.n_rows), _FEWEST_RECODINGS)
        seconds = None if self.time_limit is None else _SHARE_OF_RECODING * float(self.time_limit)
        return swept(problem, n_recodings, seconds)

    def _grown_in_time(self, problem: Problem, seeds: NDArray[np.int32]) -> NDArray[np.int32] | None:
        """Return grown classes, or ``None`` where the time limit does not leave enough for them."""
        if self.time_limit is None:
            return self._grown(problem, seeds)
        left = self._seconds_left(problem, time.perf_counter() - problem.started)
        time_is_up = Ending(_SHARE_OF_GROWTH * left)
        try:
            return self._grown(problem, seeds, time_is_up)
        except EndedError:
            if not time_is_up.is_over:  # it is the whole run that was ended
                raise
            return None

    def _grown(self, problem: Problem, seeds: NDArray[np.int32], until: Ending | None = None) -> NDArray[np.int32]:
        grown_by = problem.demands if problem.demands.are_about_proportion else rows_only(problem)
        columns = problem.columns
        labels = problem.run(lambda pulse: kernels.l_greedy(columns, grown_by, seeds, pulse), until=until)
        return mended(problem, labels, merges_only=self.effort == "fast", until=until)

    def _seeds(self, problem: Problem) -> NDArray[np.int32]:
        if problem.demands.n_least_rows < _LARGE_CLASS:
            return seed_order(problem)
        return problem.randomness.permutation(problem.n_rows).astype(np.int32)

    def _seconds_left(self, problem: Problem, since: float) -> float:
        if self.time_limit is None:
            return math.inf
        always, per_row = _TIME_TO_END
        return max(0.0, float(self.time_limit) - since - always - per_row * problem.n_rows)

    def _n_passes(self, problem: Problem) -> int:
        if self.passes is not None:
            return int(self.passes)
        if self.time_limit is not None:
            return _MOST_PASSES_IN_TIME
        wanted = _ROW_PASSES[self.effort] // problem.n_rows
        return min(max(wanted, _FEWEST_PASSES[self.effort]), _MOST_PASSES[self.effort])


def _loss(problem: Problem, labels: NDArray[np.int32]) -> float:
    """Return the mean loss of classes."""
    columns, demands = problem.columns, problem.demands
    _, _, losses = problem.run(lambda pulse: kernels.weave(columns, demands, labels, 0, math.inf, 0, pulse))
    return losses[-1]
