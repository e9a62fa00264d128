"""What a group of rows publishes of a column: the mean or median of numbers, the median or mode of categories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.masks.decimal_units import DecimalUnits
from celosia.masks.decimals import shown_decimals, typed_numbers
from celosia.schema.columns import codes_of

__all__ = ["GroupedColumn", "Groups", "NameColumn", "NumberColumn", "OrderedColumn"]

Ratio = Literal["mean", "median"]
Number = TypeVar("Number", np.int32, np.float64)


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows; those of one have values in the same columns.

    Attributes
    ----------
    labels
        The group of each row, 0, 1, ...; -1 is a row without one.
    """

    labels: NDArray[np.int32]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each group has."""
        return np.bincount(self.labels + 1, minlength=1)[1:]

    @property
    def n(self) -> int:
        """How many groups there are."""
        return len(self.sizes)

    def holding(self, is_known: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which groups have values."""
        return np.bincount(self.labels[is_known] + 1, minlength=self.n + 1)[1:] > 0

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of each group, from its lowest value to its highest: the order of rows leaves no trace."""
        order = np.argsort(values, kind="stable")
        summed = np.bincount(self.labels[order] + 1, weights=values[order], minlength=self.n + 1)
        return np.asarray(summed[1:], dtype=np.float64)

    def middles(self, values: NDArray[np.generic]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which rows have the lower and the upper middle of the values of each group."""
        order = np.lexsort((values, self.labels))
        starts = len(order) - self.sizes.sum() + np.cumsum(self.sizes) - self.sizes
        return order[starts + (self.sizes - 1) // 2], order[starts + self.sizes // 2]


class GroupedColumn(Protocol):
    """A column as grouping sees it."""

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether each row has a value."""
        ...

    @property
    def codes(self) -> NDArray[np.int32]:
        """Per row the rank of its value in canonical order; -1 where it is missing."""
        ...

    @property
    def weight(self) -> float | None:
        """What squared differences of cells count; ``None`` where cells are names, and differ or do not."""
        ...

    @property
    def cells(self) -> NDArray[np.float64]:
        """What is compared, per row; 0 where the value is missing."""
        ...

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return what each group publishes (missing where it has no values), and the loss of the known cells.

        The loss is the sum of squared differences times the weight, or the number of cells that differ. A known cell of
        a row without a group counts as if the centre of the whole column were published.
        """
        ...

    @property
    def total(self) -> float:
        """The loss if every row were given the centre of the whole column."""
        ...


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """Numbers by their mean or median; ``column`` is as it came, ``numbers`` the same as numbers.

    Nothing else is kept that has an entry per row: while groups are formed it would only take memory.
    """

    column: pl.Series
    numbers: pl.Series
    by: Ratio = "mean"
    decimals: int | None = None

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether each row has a number."""
        return self.numbers.is_not_null().to_numpy()

    @property
    def codes(self) -> NDArray[np.int32]:
        """The ranks of numbers."""
        return codes_of(self.numbers)[0]

    @cached_property
    def _shown(self) -> int | None:
        return shown_decimals(self.column, self.numbers)

    @property
    def _units(self) -> DecimalUnits:
        return DecimalUnits.of(self.numbers, self._shown)

    @cached_property
    def weight(self) -> float | None:
        """One over the variance; 0 where all are equal."""
        return _inverse_variance(self.cells[self.is_known])

    @property
    def cells(self) -> NDArray[np.float64]:
        """The numbers."""
        return self._units.moderate

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the means or medians, rounded to the column's decimals."""
        units = self._units
        if self.by == "mean":
            found = units.ratios(groups.sums(units.values), groups.sizes, self.decimals)
        else:
            lower, upper = groups.middles(units.values)
            found = units.ratios(units.values[lower] + units.values[upper], np.full(groups.n, 2), self.decimals)
        is_date = self.column.dtype == pl.Date
        dtype = self.column.to_physical().dtype if is_date else self.column.dtype
        decimals = units.decimals if self.decimals is None else self.decimals
        made = typed_numbers(found, dtype, decimals, units.decimals == 0)
        made = made.set(pl.Series(~groups.holding(self.is_known)), None)
        return made.cast(pl.Date) if is_date else made, self._loss(units, found, groups)

    def _loss(self, units: DecimalUnits, centres: NDArray[np.float64], groups: Groups) -> float:
        if not self.weight:
            return 0.0
        mean = units.values.sum() / self.total
        differences = _spread(centres * units.scale, mean, groups)
        differences -= units.values
        # Over the deviation, since squares of great numbers would overflow.
        differences /= np.sqrt(1 / self.weight) / units.shrinking
        return float(np.sum(np.square(differences, out=differences), where=self.is_known))

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(len(self.numbers) - self.numbers.null_count()) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class OrderedColumn:
    """Ordered categories by their median; of the two in the middle the lower.

    ``values`` are those of the column, lowest first, and ``ranks`` their places in the declared order.
    """

    codes: NDArray[np.int32]
    values: pl.Series
    ranks: NDArray[np.float64]

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether each row has a value."""
        return self.codes >= 0

    @cached_property
    def weight(self) -> float | None:
        """One over the variance of the ranks; 0 where all are equal."""
        return _inverse_variance(self.cells[self.is_known])

    @property
    def cells(self) -> NDArray[np.float64]:
        """The ranks."""
        return _looked_up(self.ranks, self.codes)

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the medians."""
        lower, _ = groups.middles(self.codes)
        found = self.codes[lower]
        return _gathered(self.values, found), self._loss(_looked_up(self.ranks, found), groups)

    def _loss(self, centres: NDArray[np.float64], groups: Groups) -> float:
        if not self.weight:
            return 0.0
        cells = self.cells
        differences = _spread(centres, cells.sum() / self.total, groups) - cells
        return float(np.sum(np.square(differences), where=self.is_known)) * self.weight

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(np.count_nonzero(self.is_known)) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class NameColumn:
    """Categories without order by the most frequent one; of several the first in the order of values."""

    codes: NDArray[np.int32]
    values: pl.Series

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether each row has a value."""
        return self.codes >= 0

    @property
    def weight(self) -> float | None:
        """None: names differ or do not."""
        return None

    @property
    def cells(self) -> NDArray[np.float64]:
        """The codes."""
        return np.maximum(self.codes, 0, dtype=np.float64)

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the most frequent values."""
        found = _modes(groups, self.codes, len(self.values))
        is_lost = _spread(found, self._mode, groups) != self.codes
        return _gathered(self.values, found), float(np.count_nonzero(is_lost & self.is_known))

    @property
    def _mode(self) -> int:
        counts = np.bincount(self.codes[self.is_known], minlength=1)
        return int(counts.argmax())

    @property
    def total(self) -> float:
        """How many known cells differ from the most frequent value."""
        return float(np.count_nonzero(self.is_known & (self.codes != self._mode)))


def _inverse_variance(values: NDArray[np.float64]) -> float:
    variance = float(np.var(np.sort(values))) if len(values) and values.min() < values.max() else 0.0
    return 1 / variance if variance > 0 else 0.0


def _spread(centres: NDArray[Number], otherwise: float, groups: Groups) -> NDArray[Number]:
    """Return the centre of each row's group, or what is said where it has none."""
    return np.append(centres, centres.dtype.type(otherwise))[groups.labels]


def _looked_up(table: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the entries of a table, 0 for a code of -1."""
    return np.append(table, 0.0)[codes]


def _gathered(values: pl.Series, codes: NDArray[np.int32]) -> pl.Series:
    return values.gather(pl.Series(codes).set(pl.Series(codes < 0), None))


def _modes(groups: Groups, codes: NDArray[np.int32], n_values: int) -> NDArray[np.int32]:
    """Return the most frequent code of each group, of several the lowest; -1 where it has none."""
    modes = np.full(groups.n, -1, dtype=np.int32)
    rows = (groups.labels >= 0) & (codes >= 0)
    if not rows.any():
        return modes
    pairs, counts = np.unique(groups.labels[rows].astype(np.int64) * n_values + codes[rows], return_counts=True)
    owners, held = np.divmod(pairs, n_values)
    is_first = np.append(True, owners[1:] != owners[:-1])
    greatest = np.maximum.reduceat(counts, np.flatnonzero(is_first))[np.cumsum(is_first) - 1]
    candidates = np.flatnonzero(counts == greatest)[::-1]  # the lowest is written last
    modes[owners[candidates]] = held[candidates]
    return modes
