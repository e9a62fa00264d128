"""Genetic: recodings of whole columns that are crossed, mutated and selected; and where ordered values may be cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.base.numbers import checked_whole
from celosia.base.progress import check_time_limit
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import Line
from celosia.data.recode import Extents
from celosia.search.base import Grouping, Problem
from celosia.search.datafly import climbed
from celosia.search.ladders import SCALE, Ladder, Objective, check_objective
from celosia.search.top_down import specialised
from celosia.search.whole_columns import Places, WholeColumns, cut_of, proof_of, unreachable

Coding = Literal["cuts", "levels"]

_MOST_GENERATIONS = 1000
_ANY_GENERATIONS = 2**31

_MOST_VALUES = 128
"""Of more values neighbours stand together in blocks that are never cut."""

_N_BLOCKS = 64

_BY_CLASSES = ("discernibility", "average_class_size")


@dataclass(frozen=True)
class Genetic(Options):
    """Iyengar's genetic search: recodings are bred from each other, and what loses least survives.

    A recoding is a row of bits, one for every place where a column can be cut: between neighbouring values of numbers
    and ordered values without a hierarchy (in blocks of equally many rows where there are more than 128 values), at
    every inner node of a tree, and of categories without a hierarchy whether they are published at all. So ranges of
    numbers lie where they lose least, and not on levels made up beforehand. Or, by ``coding="levels"``, it is a level
    per column: for lattices that are too large for ``Lattice``.

    The first population is made of what ``TopDown`` and ``Datafly`` find, of everything at its top, and of mutants.
    Children take each column from one of their parents, or its first cuts from one and the rest from the other; then a
    few cuts are made, unmade or moved. Classes that break a model are suppressed; a recoding that suppresses more than
    may be dies. The best of parents and children, no two alike, are the next generation. When 100 of them have brought
    nothing better, distant mutants of the best begin anew.

    Parameters
    ----------
    objective
        What is made least: as in ``Lattice``; ``precision`` goes with levels only, since ranges that a search makes up
        have none.
    coding
        ``cuts`` or ``levels``.
    population
        How many recodings there are at a time, a whole number from 2.
    generations
        How often they are replaced, from 0; ``None``: as often as the time limit allows or, without one, until 100
        generations have brought nothing better, 1000 at the most.
    time_limit
        Seconds for the whole search, above 0; ``None`` for none. What is found depends on the machine then; without it,
        equal seeds give equal results on any number of threads.

    Guarantee
    ---------
    All models hold. With ``cuts`` each value of a column is published in one way (value-global), and the objective is
    never above what ``TopDown`` and ``Datafly`` reach; with ``levels`` the recoding is full-domain, and never above
    ``Datafly``'s. Nothing says how near it is to the best. Ctrl-C ends the search with the best so far.

    References
    ----------
    Iyengar, V. S. (2002). Transforming data to satisfy privacy constraints.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> people = pl.DataFrame({"age": [20, 21, 30, 31, 32, 60, 61]})
    >>> table = cl.Table(people, cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Genetic(generations=20), seed=1).run(table)
    >>> sorted(set(release.frame["age"]))
    ['[20, 21]', '[30, 32]', '[60, 61]']
    """

    objective: Objective = "gcp"
    coding: Coding = "cuts"
    population: int = 100
    generations: int | None = None
    time_limit: float | None = None
    name: ClassVar[str] = "genetic"

    def __post_init__(self) -> None:
        check_objective(self.objective)
        if self.coding not in get_args(Coding):
            raise OptionError("coding must be cuts or levels.", about="coding")
        if self.objective == "precision" and self.coding == "cuts":
            raise OptionError(
                "precision counts levels, which ranges between cut points do not have.",
                hint="take coding levels, or another objective such as gcp.",
                about="objective",
            )
        checked_whole("population", self.population, 2, "100 is usual.")
        if self.generations is not None:
            checked_whole("generations", self.generations, 0, "leave it out to go on while it gets better.")
        check_time_limit(self.time_limit)

    def search(self, problem: Problem) -> Grouping:
        """Return the classes of the best recoding found, and what they publish.

        Raises
        ------
        UnreachableError
            No recoding was found that satisfies all models.
        """
        columns = WholeColumns(problem, self.objective)
        seeds = _seeds(columns, by_levels=self.coding == "levels")
        bred, n_judged = self._bred(columns, seeds)
        found = [bred, *(_recoded(columns, seed) for seed in seeds)]
        best = min((one for one in found if one is not None), key=lambda one: one.cost, default=None)
        if best is None:
            raise unreachable(problem)
        return replace(best.grouping, proof=proof_of(columns, best.cost, n_judged, best.levels(columns)))

    def _bred(self, columns: WholeColumns, seeds: list[Places]) -> tuple[_Recoded | None, int]:
        """Return the best recoding that was bred, if one holds, and how many were judged."""
        problem, recoder = columns.problem, columns.recoder
        by_levels = self.coding == "levels"
        points = [None] * len(columns.ladders) if by_levels else _cut_points(columns)
        approve = (
            None if columns.is_decided_by_kernels else lambda places: _settled(columns, points, places) is not None
        )
        seed = problem.randomness.below(2**63)
        since = perf_counter() - problem.started
        seconds = 0.0 if self.time_limit is None else max(float(self.time_limit) - since, 1e-3)
        places, costs, _, n_judged, times, least = problem.run(
            lambda pulse: recoder.breed(
                by_levels,
                [None if own is None else own.for_kernel for own in points],
                seeds,
                int(self.population),
                self._n_generations(problem),
                self.generations is None and self.time_limit is None,
                seconds,
                seed,
                approve,
                pulse,
            ),
            keeps_best=True,
        )
        if self.objective not in _BY_CLASSES:
            whole = max(recoder.cost_of_all_lost, 1)
            problem.history.extend((since + at, cost / whole) for at, cost in zip(times, least, strict=True))
        labels = _settled(columns, points, places) if places else None
        if labels is None:
            return None, n_judged
        return _Recoded.of_ranges(columns, points, places, costs, labels), n_judged

    def _n_generations(self, problem: Problem) -> int:
        if problem.was_stopped:  # while the first population was made
            return 0
        if self.generations is not None:
            return int(self.generations)
        return _MOST_GENERATIONS if self.time_limit is None else _ANY_GENERATIONS


@dataclass(frozen=True, eq=False)
class _Recoded:
    """A recoding that holds: what it costs, its classes and what they publish."""

    cost: int
    grouping: Grouping

    @classmethod
    def of_ranges(
        cls,
        columns: WholeColumns,
        points: Sequence[CutPoints | None],
        places: Places,
        costs: Sequence[NDArray[np.int64]],
        labels: NDArray[np.int32],
    ) -> _Recoded:
        """Return one whose columns with cut points give the range of each code, the others its level."""
        at_tops = [
            np.full(ladder.n_codes, ladder.n_levels - 1, dtype=np.int32) if own is not None else place
            for ladder, own, place in zip(columns.ladders, points, places, strict=True)
        ]
        grouping = columns.grouping(cut_of(columns, at_tops), labels, None)
        sample = np.unique(labels, return_index=True)[1][-(int(labels.max()) + 1) :]
        extents = dict(grouping.extents)
        for own, ranges, codes in zip(points, places, columns.codes, strict=True):
            if own is not None:
                extents[own.ladder.column.name] = own.extents(ranges, codes[sample])
        return cls(_cost(columns, costs, labels), replace(grouping, extents=extents))

    def levels(self, columns: WholeColumns) -> list[int]:
        """Return the level of each column, if all have one."""
        found = []
        for ladder in columns.ladders:
            extents = self.grouping.extents[ladder.column.name]
            level = None if extents.level is None else np.unique(extents.level[~extents.missing])
            if level is None or len(level) > 1:
                return []
            found.append(int(level[0]) if len(level) else 0)
        return found


def _recoded(columns: WholeColumns, places: Places) -> _Recoded | None:
    """Return levels of all codes as a recoding, if they hold."""
    cut = cut_of(columns, places)
    labels = columns.settled(columns.classes(cut))
    return None if labels is None else _Recoded(columns.cost(cut, labels), columns.grouping(cut, labels, None))


def _settled(columns: WholeColumns, points: Sequence[CutPoints | None], places: Places) -> NDArray[np.int32] | None:
    """Return the classes of a recoding as the models judge it, if it holds."""
    cut = [
        place if own is not None else ladder.nodes[place, np.arange(ladder.n_codes)]
        for own, place, ladder in zip(points, places, columns.ladders, strict=True)
    ]
    return columns.settled(columns.classes(cut))


def _seeds(columns: WholeColumns, by_levels: bool) -> list[Places]:
    """Return what simpler searches find, as levels of all codes."""
    guide = WholeColumns(columns.problem, "gcp") if columns.objective in _BY_CLASSES else columns
    levels = [[ladder.n_levels - 1 for ladder in guide.ladders]]
    if (datafly := climbed(guide)) is not None:
        levels.append(datafly[0])
    top_down = specialised(guide)
    if top_down is not None and by_levels:
        present = [np.unique(codes) for codes in guide.codes]
        levels.append([int(own[codes].max()) for own, codes in zip(top_down[0], present, strict=True)])
    seeds: list[Places] = [
        [np.full(ladder.n_codes, level, dtype=np.int32) for ladder, level in zip(guide.ladders, own, strict=True)]
        for own in levels
    ]
    if top_down is not None and not by_levels:
        seeds.append(top_down[0])
    return seeds


def _cut_points(columns: WholeColumns) -> list[CutPoints | None]:
    return [
        cut_points_of(ladder, codes, columns.objective, share)
        for ladder, codes, share in zip(columns.ladders, columns.codes, columns.shares, strict=True)
    ]


def _cost(columns: WholeColumns, costs: Sequence[NDArray[np.int64]], labels: NDArray[np.int32]) -> int:
    """Return what classes cost, given the cost of each code."""
    if columns.objective in _BY_CLASSES:
        return columns.cost([], labels)
    kept = labels >= 0
    return sum(
        int(np.where(kept, own[codes], lost[codes]).sum())
        for own, codes, (_, lost) in zip(costs, columns.codes, columns.costs, strict=True)
    )


@dataclass(frozen=True, eq=False)
class CutPoints:
    """The blocks of a column between which it may be cut.

    Attributes
    ----------
    block_of
        int32 per code: the block, in order; -1 for missing values, whose code is the last.
    costs
        int64 (blocks, blocks): what a row costs in the range from one block to another ...
    rebates
        int64 per code: ... less that.
    """

    ladder: Ladder
    block_of: NDArray[np.int32]
    costs: NDArray[np.int64]
    rebates: NDArray[np.int64]

    @property
    def for_kernel(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """The points as the kernel takes them."""
        return self.block_of, self.costs, self.rebates

    def extents(self, ranges: NDArray[np.int32], codes: NDArray[np.int32]) -> Extents:
        """Return what classes publish that hold these codes, given the range of every code.

        If missing values stand in the range of others, everything is one range, which is published as ``*``.
        """
        n_known = self.ladder.n_codes - (1 if self.ladder.missing >= 0 else 0)
        n_ranges = int(ranges.max(initial=0)) + 1
        low, high = np.zeros(n_ranges, dtype=np.int32), np.zeros(n_ranges, dtype=np.int32)
        known = np.arange(n_known, dtype=np.int32)
        low[ranges[:n_known][::-1]] = known[::-1]
        high[ranges[:n_known]] = known
        is_missing = np.zeros(len(codes), dtype=np.bool_)
        is_anything = np.zeros(len(codes), dtype=np.bool_)
        if n_known < self.ladder.n_codes:
            mixes = bool((ranges[:n_known] == ranges[-1]).any())
            is_missing = (codes == n_known) & (not mixes)
            is_anything[:] = mixes
        own = ranges[codes]
        return Extents(low[own], high[own], is_missing, is_anything)


def cut_points_of(ladder: Ladder, codes: NDArray[np.int32], objective: Objective, share: float) -> CutPoints | None:
    """Return where a column may be cut; ``None`` for columns that are cut at the nodes of their ladders.

    Up to 128 values are parted between any two neighbours, more of them into about 64 blocks of equally many rows and
    at the borders of the ladder's levels.

    Parameters
    ----------
    codes
        The ladder's codes of all rows.
    share
        The column's share of a row's whole cost.
    """
    domain = ladder.column.domain
    has_missing = ladder.missing >= 0
    n_known = ladder.n_codes - (1 if has_missing else 0)
    hierarchy = ladder.column.hierarchy
    on_grid = isinstance(hierarchy, Number) and hierarchy.grid is not None  # ranges that differ could be spelt alike
    if not isinstance(domain, Line) or n_known < 1 or on_grid:
        return None
    n_rows = np.bincount(codes, minlength=ladder.n_codes)[:n_known]
    begins = _begins(ladder, n_rows, n_known)
    block_of = np.cumsum(begins, dtype=np.int32) - 1
    first = np.flatnonzero(begins)
    last = np.append(first[1:], n_known) - 1
    unit = SCALE * share
    rebates = np.zeros(ladder.n_codes, dtype=np.int64)
    costs = np.zeros((len(first), len(first)))
    if objective in ("gcp", "loss"):
        costs = domain.positions[last][None, :] - domain.positions[first][:, None]
    elif objective == "non_uniform_entropy":
        until = np.append(0, np.cumsum(n_rows))
        under = until[last + 1][None, :] - until[first][:, None]
        bits = max(np.log2(max(len(codes), 2)), 1.0)
        costs = np.log2(np.maximum(under, 1)) / bits
        rebates[:n_known] = np.ceil(np.log2(np.maximum(n_rows, 1)) / bits * unit)
    return CutPoints(
        ladder,
        np.append(block_of, np.full(int(has_missing), -1)).astype(np.int32),
        np.ascontiguousarray(np.floor(np.maximum(costs, 0.0) * unit).astype(np.int64)),
        rebates,
    )


def _begins(ladder: Ladder, n_rows: NDArray[np.int64], n_known: int) -> NDArray[np.bool_]:
    """Return whether each known code begins a block."""
    if n_known <= _MOST_VALUES:
        return np.ones(n_known, dtype=np.bool_)
    before = np.cumsum(n_rows) - n_rows
    quantile = before * _N_BLOCKS // max(int(n_rows.sum()), 1)
    begins = np.diff(quantile, prepend=-1) > 0
    for nodes in ladder.nodes[1:, :n_known]:
        begins |= np.diff(nodes, prepend=-1) != 0
    return begins
