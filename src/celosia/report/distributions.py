"""Distributions: a column before and after as at most twelve bars, none of which tells of fewer than k people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Levels, Style
from celosia.data.recode import Cells
from celosia.data.recode.spread import Spread, ranges_of, spread_of
from celosia.data.schema import QuasiIdentifier
from celosia.report.bins import merged, round_edges
from celosia.report.crowd import Crowd
from celosia.report.groups import Grouping, grouped

_ENOUGH_NAMED = 0.9
"""A level of a tree is drawn if so much of the rows gets a bar with a name; otherwise a coarser one is tried."""


@dataclass(frozen=True)
class Bar:
    """One bar.

    Attributes
    ----------
    kind
        ``value`` (with ``text``), ``range`` (from ``low`` up to but not including ``high``; ``None`` = open), ``other``
        (``n_values`` values together) or ``missing``.
    whole
        Whether a range is one of whole numbers.
    before, kept, after
        Shares: of the original rows; of those that were not suppressed, still with their original values; of the
        published values, each spread evenly over what it covers.
    lost
        The share of the bar's rows that were suppressed; ``None`` where it would tell of fewer than k people, either
        suppressed or left.
    """

    kind: Literal["value", "range", "other", "missing"]
    before: float
    kept: float
    after: float
    lost: float | None = None
    text: str = ""
    low: float | None = None
    high: float | None = None
    whole: bool = False
    n_values: int = 0


@dataclass(frozen=True)
class Distribution:
    """The bars of a column.

    Attributes
    ----------
    bars
        None at all where there are not k people to draw.
    edges
        Those of ranges; the outermost are for drawing only.
    """

    column: str
    bars: tuple[Bar, ...]
    edges: tuple[float, ...] = ()

    @property
    def change(self) -> float:
        """What suppression changed: half the sum of |before - kept|, the share of rows that would have to move."""
        return sum(abs(bar.before - bar.kept) for bar in self.bars) / 2


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a column by slots: a slot per value, then one for missing and one for unknown values."""

    slots: NDArray[np.int64]
    n_values: int
    suppressed: NDArray[np.bool_]
    subjects: NDArray[np.integer] | None
    least: int

    @classmethod
    def of(
        cls,
        codes: NDArray[np.integer],
        n_values: int,
        suppressed: NDArray[np.bool_],
        subjects: NDArray[np.integer] | None,
        least: int,
    ) -> _Rows:
        slots = np.where(codes >= 0, codes, np.where(codes == -1, n_values, n_values + 1)).astype(np.int64)
        return cls(slots, n_values, suppressed, subjects, least)

    def crowd(self, group_of_slot: NDArray[np.integer], n_groups: int) -> Crowd:
        """Count the rows and people of each group of slots."""
        return Crowd(group_of_slot[self.slots], n_groups, self.subjects)

    def bars(self, drafts: Sequence[Bar], bar_of_slot: NDArray[np.int64]) -> tuple[Bar, ...]:
        """Fill in the shares before suppression, after it, and what was lost; slots of bar -1 are not drawn."""
        bar = bar_of_slot[self.slots]
        drawn = bar >= 0
        before = np.bincount(bar[drawn], minlength=len(drafts))
        lost = self._crowd(bar, drawn & self.suppressed, len(drafts))
        left = self._crowd(bar, drawn & ~self.suppressed, len(drafts))
        kept = left.rows
        told = (lost.people >= self.least) & ((left.people >= self.least) | (kept == 0))
        after = np.array([draft.after for draft in drafts])
        shares = [part / part.sum() if part.sum() else np.zeros(len(drafts)) for part in (before, kept, after)]
        return tuple(
            Bar(
                draft.kind,
                before=float(shares[0][place]),
                kept=float(shares[1][place]),
                after=float(shares[2][place]),
                lost=float(lost.rows[place] / before[place]) if told[place] else None,
                text=draft.text,
                low=draft.low,
                high=draft.high,
                whole=draft.whole,
                n_values=draft.n_values,
            )
            for place, draft in enumerate(drafts)
        )

    def _crowd(self, bar: NDArray[np.int64], rows: NDArray[np.bool_], n_bars: int) -> Crowd:
        return Crowd(bar[rows], n_bars, None if self.subjects is None else self.subjects[rows])


def distribution_of(cells: Cells, searched: Classes, subjects: NDArray[np.integer] | None, least: int) -> Distribution:
    """Return before and after of a quasi-identifier.

    Parameters
    ----------
    searched
        The classes that the cells publish.
    subjects
        The person of each row; ``None`` where rows are people.
    least
        No bar tells of fewer people.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.recode import recode
    >>> from celosia.data.schema import Schema, Table
    >>> table = Table(pl.DataFrame({"age": [21, 25, 38, 39]}), Schema(quasi_identifiers={"age": "number"}))
    >>> found = distribution_of(recode(table, Classes([0, 0, 1, 1])).cells[0], Classes([0, 0, 1, 1]), None, 2)
    >>> [(bar.high, bar.before, bar.after) for bar in found.bars]
    [(26.0, 0.5, 0.5), (None, 0.5, 0.5)]
    """
    column = cells.column
    domain = column.domain
    rows = _Rows.of(column.codes, len(domain.values), searched.suppressed, subjects, least)
    if column.hierarchy.value_type == "number":
        return _numbers(cells, searched, rows)
    spread = spread_of(cells, searched)
    if isinstance(domain, Levels) and domain.kind != "order":
        return _best_level(cells, domain, rows, spread)
    groups = np.arange(rows.n_values)
    texts = [str(value) for value in domain.values]
    return _values(column, rows, spread, groups, texts, spread.spelt, ordered=domain.kind == "order")[0]


def number_distribution(
    name: str,
    values: NDArray[np.float64],
    codes: NDArray[np.integer],
    suppressed: NDArray[np.bool_],
    subjects: NDArray[np.integer] | None,
    least: int,
) -> Distribution:
    """Return the distribution of a column of numbers that is published as it is; ``values`` by code, ascending."""
    rows = _Rows.of(codes, len(values), suppressed, subjects, least)
    whole = bool((values == np.floor(values)).all())
    return _histogram(name, rows, values, whole, None)


def value_distribution(
    name: str,
    texts: Sequence[str],
    codes: NDArray[np.integer],
    suppressed: NDArray[np.bool_],
    subjects: NDArray[np.integer] | None,
    least: int,
) -> Distribution:
    """Return the distribution of a column of texts that is published as it is."""
    rows = _Rows.of(codes, len(texts), suppressed, subjects, least)
    kept = np.bincount(rows.slots[~suppressed], minlength=len(texts) + 2)[: len(texts)]
    spread = Spread(kept.astype(np.float64), 0.0, kept > 0)
    return _values(name, rows, spread, np.arange(len(texts)), texts, spread.spelt, ordered=False)[0]


def _numbers(cells: Cells, searched: Classes, rows: _Rows) -> Distribution:
    values = np.asarray(cells.column.domain.values, dtype=np.float64)
    whole = bool((values == np.floor(values)).all())
    return _histogram(cells.column.name, rows, values, whole, (cells, searched))


def _histogram(
    name: str, rows: _Rows, values: NDArray[np.float64], whole: bool, published: tuple[Cells, Classes] | None
) -> Distribution:
    if not len(values):
        return Distribution(name, ())
    edges = round_edges(float(values[0]), float(values[-1]), whole=whole)
    crowd = rows.crowd(_bin_of_slot(values, edges), len(edges) + 1)
    if crowd.together(range(len(edges) - 1)) < rows.least:
        return Distribution(name, ())
    edges = merged(edges, crowd, rows.least)
    n_bins = len(edges) - 1
    bar_of_slot = _bin_of_slot(values, edges)
    n_missing = Crowd(bar_of_slot[rows.slots], n_bins + 2, rows.subjects).people[n_bins]
    after, after_missing = np.zeros(n_bins), 0.0
    if published is not None:
        ranges = ranges_of(*published, whole=whole)
        after, after_missing = ranges.over(edges), ranges.missing
    drafts = [
        Bar(
            "range",
            0.0,
            0.0,
            float(after[place]),
            low=float(edges[place]) if place else None,
            high=float(edges[place + 1]) if place < n_bins - 1 else None,
            whole=whole,
        )
        for place in range(n_bins)
    ]
    if n_missing >= rows.least:
        drafts.append(Bar("missing", 0.0, 0.0, after_missing))
        bar_of_slot[bar_of_slot > n_bins] = -1
    else:
        bar_of_slot[bar_of_slot >= n_bins] = -1
    return Distribution(name, rows.bars(drafts, bar_of_slot), tuple(edges.tolist()))


def _bin_of_slot(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bin of each value, then one more each for missing and unknown values."""
    n_bins = len(edges) - 1
    inside = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, n_bins - 1)
    return np.append(inside, [n_bins, n_bins + 1]).astype(np.int64)


def _best_level(cells: Cells, domain: Levels, rows: _Rows, spread: Spread) -> Distribution:
    """Draw the finest level of a tree on which most rows get a bar with a name."""
    published = set(cells.texts[0])
    hidden = {domain.spell(code, Style()) for code in range(rows.n_values)} - published
    best, best_share = Distribution(cells.column.name, ()), -1.0
    for level in domain.nodes[:-1]:
        nodes, groups = np.unique(level, return_inverse=True)
        texts = [domain.spell(int(node), Style()) for node in nodes]
        # A value may only be named if it is published; what stands above the values is the hierarchy's own word.
        nameable = np.array([text not in hidden for text in texts], dtype=np.bool_)
        drawn, share = _values(cells.column, rows, spread, groups, texts, nameable, ordered=True)
        if share > best_share:
            best, best_share = drawn, share
        if share >= _ENOUGH_NAMED:
            break
    return best


def _values(
    column: QuasiIdentifier | str,
    rows: _Rows,
    spread: Spread,
    groups: NDArray[np.integer],
    texts: Sequence[str],
    nameable: NDArray[np.bool_],
    *,
    ordered: bool,
) -> tuple[Distribution, float]:
    """Draw groups of values; return also which share of the rows has a bar with a name."""
    n_groups = len(texts)
    group_of_slot = np.append(groups, [n_groups, n_groups + 1]).astype(np.int64)
    crowd = rows.crowd(group_of_slot, n_groups + 2)
    # The missing slot may have a bar of its own, unknown values never.
    chosen = grouped(crowd, np.append(nameable, [True, False]), rows.least, ordered=ordered)
    after = np.append(np.bincount(groups, weights=spread.values, minlength=n_groups), [spread.missing, 0.0])
    drafts, bar_of_group = _drafts(chosen, n_groups, texts, after)
    name = column if isinstance(column, str) else column.name
    return Distribution(name, rows.bars(drafts, bar_of_group[group_of_slot])), chosen.share


def _drafts(
    chosen: Grouping, n_groups: int, texts: Sequence[str], after: NDArray[np.float64]
) -> tuple[list[Bar], NDArray[np.int64]]:
    """Return a bar per named group, then the rest, then missing values; and the bar of each group."""
    bar_of_group = np.full(n_groups + 2, -1, dtype=np.int64)
    drafts: list[Bar] = []
    for group in [one for one in chosen.named if one < n_groups]:
        bar_of_group[group] = len(drafts)
        drafts.append(Bar("value", 0.0, 0.0, float(after[group]), text=texts[group]))
    if chosen.rest:
        rest = list(chosen.rest)
        bar_of_group[rest] = len(drafts)
        drafts.append(Bar("other", 0.0, 0.0, float(after[rest].sum()), n_values=len(rest)))
    if n_groups in chosen.named:
        bar_of_group[n_groups] = len(drafts)
        drafts.append(Bar("missing", 0.0, 0.0, float(after[n_groups])))
    return drafts, bar_of_group
