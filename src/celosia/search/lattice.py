"""Lattice: the best level for every whole column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError, UnreachableError, nearest
from celosia.base.fields import Options
from celosia.base.progress import check_time_limit
from celosia.data.outcome import Proof
from celosia.search.base import Grouping, Problem
from celosia.search.ladders import Objective, check_objective
from celosia.search.rounds import recoded_in_rounds
from celosia.search.whole_columns import WholeColumns, proof_of


@dataclass(frozen=True)
class Lattice(Options):
    """Optimal full-domain recoding: every column on one level of its hierarchy, with suppression of what stands out.

    Columns get their levels one after another. Columns that have none yet are at their tops, so that the classes so far
    are unions of all classes to come: what is broken there for certain is broken below. Whatever costs more than the
    best recoding so far is left out. The search ends with a proof, or at its time limit with a bound.

    Parameters
    ----------
    objective
        What is made least: ``gcp``, ``loss`` (ARX's), ``precision`` (1 - precision), ``discernibility``,
        ``non_uniform_entropy`` or ``average_class_size`` (original rows per class).
    levels
        Bounds on levels by column: one level, or ``[least, most]``. Level 0 are the values themselves.
    local
        Whether to recode row by row (ARX's local recoding, made finer): all recodings are applied one after another,
        the cheapest first, each to the rows that those before left over. It loses less, and the result is cell-local.
    time_limit
        Seconds, above 0; ``None`` for none. Local recoding passes recodings over where the time will not do for all.

    Guarantee
    ---------
    All models hold. Without ``local`` the recoding is full-domain, and no other full-domain recoding within the levels
    has a lower objective if the proof says that it is optimal; otherwise at most by the gap. Local recoding comes
    without a proof.

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan (2005). Incognito. El Emam et al. (2009). OLA. Kohlmayer et al. (2012). Flash.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> people = pl.DataFrame({"zipcode": ["37003", "37005", "28108", "28108"], "age": [40, 44, 41, 41]})
    >>> schema = cl.Schema(quasi_identifiers={"zipcode": cl.Prefix(keep=[2]), "age": cl.Intervals(width=10)})
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(), seed=1).run(cl.Table(people, schema))
    >>> sorted(set(release.frame["zipcode"])), sorted(set(release.frame["age"]))
    (['28***', '37***'], ['[40, 49]'])
    """

    objective: Objective = "gcp"
    levels: Mapping[str, int | Sequence[int]] = field(default_factory=dict, hash=False)
    local: bool = False
    time_limit: float | None = 30.0
    name: ClassVar[str] = "lattice"

    def __post_init__(self) -> None:
        check_objective(self.objective)
        if not isinstance(self.levels, Mapping):
            raise OptionError("levels must give bounds by column.", hint="{age: [0, 2], sex: 0}.", about="levels")
        bounds = {str(column): _bounds(str(column), given) for column, given in self.levels.items()}
        object.__setattr__(self, "levels", bounds)
        if not isinstance(self.local, bool):
            raise OptionError("local must be true or false.", about="local")
        check_time_limit(self.time_limit)

    def search(self, problem: Problem) -> Grouping:
        """Return the classes of the best recoding, and what they publish.

        Raises
        ------
        UnreachableError
            No recoding within the levels satisfies all models.
        """
        columns = WholeColumns(problem, self.objective)
        least, most = self._limits(columns)
        if self.local and (found := recoded_in_rounds(columns, least, most, self.time_limit)) is not None:
            return found
        levels, labels, proof = best_levels(columns, least, most, self.time_limit)
        return columns.grouping(columns.cut_at(levels), labels, proof)

    def _limits(self, columns: WholeColumns) -> tuple[list[int], list[int]]:
        """Return the least and most level of every column."""
        known = {ladder.column.name: ladder.n_levels for ladder in columns.ladders}
        for column in self.levels:
            if column not in known:
                raise OptionError(
                    f"levels names '{column}', which is not a quasi-identifier that is recoded.",
                    hint=nearest(column, known),
                    about="levels",
                )
        least, most = [], []
        for column, n_levels in known.items():
            low, high = _bounds(column, self.levels.get(column, (0, n_levels - 1)))
            if low >= n_levels:
                raise OptionError(
                    f"the levels of '{column}' are 0 to {n_levels - 1}; its bounds begin at {low}.", about="levels"
                )
            least.append(low)
            most.append(min(high, n_levels - 1))
        return least, most


def best_levels(
    columns: WholeColumns, least: list[int], most: list[int], seconds: float | None
) -> tuple[list[int], NDArray[np.int32], Proof]:
    """Return the best levels, their classes, and how good they are among all."""
    problem, recoder = columns.problem, columns.recoder
    confirm = None if columns.is_decided_by_kernels else lambda levels: _confirmed(columns, levels)
    seed = int(problem.randomness.keys(1)[0])
    levels, cost, bound, is_optimal, n_judged = problem.run(
        lambda pulse: recoder.optimum(least, most, seconds or 0.0, seed, confirm, pulse), keeps_best=True
    )
    if not levels:
        raise UnreachableError(
            f"no level of whole columns satisfies the models with at most {problem.n_spare} of {problem.n_rows} rows "
            f"suppressed{'' if is_optimal else ', as far as was searched'}.",
            hint="raise max_suppression, widen the levels, ask for less, or take a search that recodes row by row, "
            "such as weave. Nothing was written.",
            about="algorithm",
        )
    labels = recoder.labels(levels) if confirm is None else columns.settled(columns.classes(columns.cut_at(levels)))
    assert labels is not None
    n_recodings = prod(high - low + 1 for low, high in zip(least, most, strict=True))
    proof = proof_of(columns, cost, n_judged, levels, bound=bound, is_optimal=is_optimal, n_recodings=n_recodings)
    return levels, labels, proof


def _confirmed(columns: WholeColumns, levels: list[int]) -> int:
    """Return the cost of levels as the models themselves judge them, or -1 if they do not hold."""
    cut = columns.cut_at(levels)
    labels = columns.settled(columns.classes(cut))
    return -1 if labels is None else columns.cost(cut, labels)


def _bounds(column: str, given: object) -> tuple[int, int]:
    """Return the least and most level that bounds say."""
    pair = (given, given) if isinstance(given, int) else given
    if (
        not isinstance(pair, Sequence)
        or isinstance(pair, str)
        or len(pair) != 2
        or any(isinstance(level, bool) or not isinstance(level, int) for level in pair)
        or not 0 <= pair[0] <= pair[1]
    ):
        raise OptionError(
            f"the levels of '{column}' must be one whole number from 0, or two of them, the least and the most.",
            hint=f"write levels: {{{column}: [0, 2]}}.",
            about="levels",
        )
    return int(pair[0]), int(pair[1])
