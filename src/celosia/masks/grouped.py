"""What a group of rows publishes of a column: the mean or median of numbers, the median or mode of categories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.masks.decimal_units import DecimalUnits
from celosia.masks.decimals import as_column

__all__ = ["GroupedColumn", "Groups", "NameColumn", "NumberColumn", "OrderedColumn"]

Ratio = Literal["mean", "median"]


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows; each has values for a column, or none.

    Attributes
    ----------
    labels
        The group of each row, 0, 1, ...; -1 is a row without one.
    """

    labels: NDArray[np.int32]

    @property
    def n(self) -> int:
        """How many groups there are."""
        return int(self.labels.max(initial=-1)) + 1

    def within(self, is_known: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Return the groups of some rows, and these rows."""
        rows = np.flatnonzero(is_known & (self.labels >= 0))
        return self.labels[rows], rows


class GroupedColumn(Protocol):
    """A column as grouping sees it."""

    @property
    def codes(self) -> NDArray[np.int32]:
        """Per row the rank of its value in canonical order; -1 where it is missing."""
        ...

    @property
    def weight(self) -> float | None:
        """What squared differences of cells count; ``None`` where cells are names, and differ or do not."""
        ...

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return what is compared, for rows in their order; 0 where the value is missing."""
        ...

    def published(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the column with each value replaced by the centre of its group, and the loss of its known cells.

        The loss is the sum of squared differences times the weight, or the number of cells that differ. A known cell of
        a row without a group becomes missing, and counts as if the centre of the whole column were published.
        """
        ...

    @property
    def total(self) -> float:
        """The loss if every row were given the centre of the whole column."""
        ...


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """Numbers by their mean or median; ``column`` is as it came, ``numbers`` the same as numbers."""

    codes: NDArray[np.int32]
    column: pl.Series
    numbers: pl.Series
    by: Ratio = "mean"
    decimals: int | None = None

    @property
    def _units(self) -> DecimalUnits:
        """Not kept: while groups are being formed they are not needed, and would take as much memory as the column."""
        return DecimalUnits.of(self.column, self.numbers)

    @cached_property
    def weight(self) -> float | None:
        """One over the variance; 0 where all are equal."""
        return _inverse_variance(self._units.moderate)

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the numbers."""
        return _spread(self._units.moderate, self.codes)[rows]

    def published(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the means or medians, rounded to the column's decimals."""
        units = self._units
        labels, rows = groups.within(self.codes >= 0)
        values = _spread(units.values, self.codes)
        sizes = np.bincount(labels, minlength=groups.n)
        has_values = sizes > 0
        centres = np.zeros(groups.n)
        if self.by == "mean":
            # In canonical order, so that sums of broken numbers do not depend on the order of the rows.
            order = np.argsort(self.codes[rows], kind="stable")
            weighed = np.bincount(labels[order], weights=values[rows[order]], minlength=groups.n)
            sums = np.asarray(weighed, dtype=np.float64)
            centres[has_values] = units.ratios(sums[has_values], sizes[has_values], self.decimals)
        else:
            lower, upper = _middles(labels, self.codes[rows], sizes)
            two = np.full(len(lower), 2)
            centres[has_values] = units.ratios(values[rows[lower]] + values[rows[upper]], two, self.decimals)
        given = np.zeros(len(self.codes))
        given[rows] = centres[labels]
        decimals = units.decimals if self.decimals is None else self.decimals
        return self._as_column(given, groups, decimals, units.decimals == 0), self._loss(units, values, given, rows)

    def _as_column(
        self, given: NDArray[np.float64], groups: Groups, decimals: int | None, was_whole: bool
    ) -> pl.Series:
        is_date = self.column.dtype == pl.Date
        like = self.column.to_physical() if is_date else self.column
        column = as_column(given[self.codes >= 0], like, decimals, was_whole)
        column = column.set(pl.Series(groups.labels < 0), None)
        return column.cast(pl.Date) if is_date else column

    def _loss(
        self,
        units: DecimalUnits,
        values: NDArray[np.float64],
        given: NDArray[np.float64],
        rows: NDArray[np.intp],
    ) -> float:
        if not self.weight:
            return 0.0
        centres = np.full(len(values), units.values.mean())
        centres[rows] = given[rows] * units.scale
        # Differences over the deviation, since squares of great numbers would overflow.
        deviation = np.sqrt(1 / self.weight) / units.shrinking
        return float(np.sum(np.square((values - centres)[self.codes >= 0] / deviation)))

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(np.count_nonzero(self.codes >= 0)) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class OrderedColumn:
    """Ordered categories by their median; of the two in the middle the lower.

    ``values`` are those of the column, lowest first, and ``ranks`` their places in the declared order.
    """

    codes: NDArray[np.int32]
    values: pl.Series
    ranks: NDArray[np.float64]

    @cached_property
    def weight(self) -> float | None:
        """One over the variance of the ranks; 0 where all are equal."""
        return _inverse_variance(self._known)

    @property
    def _known(self) -> NDArray[np.float64]:
        return self.ranks[self.codes[self.codes >= 0]]

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the ranks."""
        return _looked_up(self.ranks, self.codes[rows])

    def published(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the medians."""
        labels, rows = groups.within(self.codes >= 0)
        sizes = np.bincount(labels, minlength=groups.n)
        lower, _ = _middles(labels, self.codes[rows], sizes)
        centres = np.full(groups.n, -1, dtype=np.int32)
        centres[sizes > 0] = self.codes[rows[lower]]
        given = np.full(len(self.codes), -1, dtype=np.int32)
        given[rows] = centres[labels]
        known = np.flatnonzero(self.codes >= 0)
        mean = self._known.mean() if len(known) else 0.0
        there = np.where(given[known] >= 0, _looked_up(self.ranks, given[known]), mean)
        loss = np.sum(np.square(self.ranks[self.codes[known]] - there)) * (self.weight or 0.0)
        return _gathered(self.values, given), float(loss)

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(np.count_nonzero(self.codes >= 0)) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class NameColumn:
    """Categories without order by the most frequent one; of several the first in the order of values."""

    codes: NDArray[np.int32]
    values: pl.Series

    @property
    def weight(self) -> float | None:
        """None: names differ or do not."""
        return None

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the codes."""
        return np.maximum(self.codes[rows], 0).astype(np.float64)

    def published(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the most frequent values."""
        labels, rows = groups.within(self.codes >= 0)
        centres = _modes(labels, self.codes[rows], groups.n, len(self.values))
        given = np.full(len(self.codes), -1, dtype=np.int32)
        given[rows] = centres[labels]
        compared = np.where(given >= 0, given, self._mode)
        loss = np.count_nonzero((self.codes >= 0) & (compared != self.codes))
        return _gathered(self.values, given), float(loss)

    @property
    def _mode(self) -> int:
        counts = np.bincount(self.codes[self.codes >= 0], minlength=1)
        return int(counts.argmax())

    @property
    def total(self) -> float:
        """How many known cells differ from the most frequent value."""
        return float(np.count_nonzero((self.codes >= 0) & (self.codes != self._mode)))


def _inverse_variance(values: NDArray[np.float64]) -> float:
    variance = float(np.var(np.sort(values))) if len(values) and values.min() < values.max() else 0.0
    return 1 / variance if variance > 0 else 0.0


def _spread(known: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the known values at their rows, 0 elsewhere."""
    if len(known) == len(codes):
        return known
    spread = np.zeros(len(codes))
    spread[codes >= 0] = known
    return spread


def _looked_up(table: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the entries of a table, 0 for a code of -1."""
    return np.append(table, 0.0)[codes]


def _gathered(values: pl.Series, codes: NDArray[np.int32]) -> pl.Series:
    return values.gather(pl.Series(codes).set(pl.Series(codes < 0), None))


def _middles(
    labels: NDArray[np.int32], codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which entries are the lower and the upper middle of each group that has any."""
    order = np.lexsort((codes, labels))
    held = sizes[sizes > 0]
    starts = np.cumsum(held) - held
    return order[starts + (held - 1) // 2], order[starts + held // 2]


def _modes(labels: NDArray[np.int32], codes: NDArray[np.int32], n: int, n_values: int) -> NDArray[np.int32]:
    """Return the most frequent code of each group, of several the lowest; -1 where it has none."""
    modes = np.full(n, -1, dtype=np.int32)
    if not len(labels):
        return modes
    pairs, counts = np.unique(labels.astype(np.int64) * n_values + codes, return_counts=True)
    owners, held = np.divmod(pairs, n_values)
    is_first = np.append(True, owners[1:] != owners[:-1])
    greatest = np.maximum.reduceat(counts, np.flatnonzero(is_first))[np.cumsum(is_first) - 1]
    candidates = np.flatnonzero(counts == greatest)[::-1]  # the lowest is written last
    modes[owners[candidates]] = held[candidates]
    return modes
