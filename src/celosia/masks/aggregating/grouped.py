"""What a group of rows publishes of a column: the mean or median of numbers, the median or mode of categories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.data.schema.columns import codes_of
from celosia.masks.decimals import shown_decimals, typed_numbers

_MOST_UNITS = 2**53
"""Whole numbers below it are exact as doubles."""


Ratio = Literal["mean", "median"]
PART = 2**16
"""How many rows are worked on together: enough to be quick, few enough to take no memory."""


@dataclass(frozen=True, eq=False)
class DecimalUnits:
    """The numbers of a column, counted only when they are asked for: all at once they take as much memory again.

    Attributes
    ----------
    numbers
        As they are.
    places
        Values are whole counts of 10^-places, or the numbers themselves where this is ``None``, because they are no
        decimals, or too long ones.
    decimals
        How many decimals the column shows; ``None`` where it shows all digits that a number has.
    greatest
        The greatest absolute value.
    """

    numbers: pl.Series
    places: int | None
    decimals: int | None
    greatest: float

    @classmethod
    def of(cls, numbers: pl.Series, decimals: int | None) -> DecimalUnits:
        """Return numbers that have so many decimals.

        Examples
        --------
        >>> units = DecimalUnits.of(pl.Series([5.25, None, 3.0]), 2)
        >>> units.values(np.array([2, 1])).tolist(), units.known().tolist()
        ([300.0, 0.0], [525.0, 300.0])
        """
        known = [float(number) for number in (numbers.min(), numbers.max()) if number is not None]  # type: ignore[arg-type]
        greatest = max(map(abs, known), default=0.0)
        if decimals is not None:
            units = float(np.rint(greatest * 10.0**decimals))
            if units < _MOST_UNITS:
                return cls(numbers, decimals, decimals, units)
        return cls(numbers, None, decimals, greatest)

    def values(self, rows: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the values of some rows, 0 where the number is missing."""
        return self._counted(self.numbers.gather(pl.Series(rows)).fill_null(0))

    def known(self) -> NDArray[np.float64]:
        """Return all values that are not missing."""
        return self._counted(self.numbers.drop_nulls())

    def _counted(self, numbers: pl.Series) -> NDArray[np.float64]:
        values: NDArray[np.float64] = np.multiply(numbers.to_numpy(), self.scale, dtype=np.float64)
        if self.places is not None:
            np.rint(values, out=values)
        values += 0.0  # -0.0 becomes 0.0
        return values

    @property
    def scale(self) -> float:
        """How many units are one."""
        return float(10.0 ** (self.places or 0))

    @property
    def shrinking(self) -> float:
        """By which power of two values that are no counts of units must be multiplied, lest their squares overflow."""
        return 1.0 if self.places is not None else float(np.ldexp(1.0, -int(np.frexp(self.greatest)[1])))

    def ratios(self, sums: NDArray[np.float64], sizes: NDArray[np.int64], decimals: int | None) -> NDArray[np.float64]:
        """Return sums of these numbers over sizes, rounded half to even to so many decimals (``None``: their own).

        Exact wherever numerators and denominators are below 2^53.
        """
        wanted = self.decimals if decimals is None else decimals
        if wanted is None:
            return sums / sizes
        if self.places is not None:
            up, down = 10 ** max(wanted - self.places, 0), 10 ** max(self.places - wanted, 0)
            greatest = max(float(np.abs(sums).max(initial=0)) * up, float(sizes.max(initial=1)) * down)
            if greatest < _MOST_UNITS:
                whole = rounded_ratios(sums.astype(np.int64) * up, sizes * down)
                return np.asarray(whole / 10.0**wanted, dtype=np.float64)
        return np.asarray(np.round(sums / sizes / self.scale, wanted) + 0.0, dtype=np.float64)


def rounded_ratios(numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numerators over denominators (above 0), rounded half to even, exactly.

    Examples
    --------
    >>> rounded_ratios(np.array([5, 7, -5, 4]), np.array([2, 2, 2, 3])).tolist()
    [2, 4, -2, 1]
    """
    rounded, rest = np.divmod(2 * numerators + denominators, 2 * denominators)
    return np.asarray(rounded - ((rest == 0) & (rounded % 2 == 1)), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows; those of one have values in the same columns.

    Attributes
    ----------
    rows
        All rows, in an order that depends on their values alone.
    labels
        The group of each of them, 0, 1, ...; -1 is a row without one.
    """

    rows: NDArray[np.int32]
    labels: NDArray[np.int32]

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """How many rows each group has, and at the end how many have none."""
        counts = np.zeros(int(self.labels.max(initial=-1)) + 2, dtype=np.int64)
        for _, labels in self.parts():
            np.add.at(counts, labels, 1)
        return counts

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each group has."""
        return self._counts[:-1]

    @property
    def n(self) -> int:
        """How many groups there are."""
        return len(self._counts) - 1

    @property
    def n_outside(self) -> int:
        """How many rows have no group."""
        return int(self._counts[-1])

    def parts(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Yield some rows and their groups, then more, until all have come."""
        for begin in range(0, len(self.rows), PART):
            yield self.rows[begin : begin + PART], self.labels[begin : begin + PART]

    def by_row(self) -> pl.Series:
        """Return the group of each row in the order of the table, missing where it has none."""
        labels = np.empty(len(self.rows), dtype=np.int32)
        for rows, own in self.parts():
            labels[rows] = own
        found = pl.Series(labels)
        return found.set(found < 0, None) if self.n_outside else found

    def middles(self, values: NDArray[np.generic]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return at which places of ``rows`` the lower and the upper middle of the values of each group stand."""
        order = np.lexsort((values, self.labels))
        starts = self.n_outside + np.cumsum(self.sizes) - self.sizes
        return order[starts + (self.sizes - 1) // 2], order[starts + self.sizes // 2]


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
    def _units(self) -> DecimalUnits:
        return DecimalUnits.of(self.numbers, shown_decimals(self.column, self.numbers))

    @cached_property
    def weight(self) -> float | None:
        """One over the variance; 0 where all are equal."""
        values = self._units.known()
        values *= self._units.shrinking
        return _inverse_variance(values)

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the numbers."""
        return self._units.values(rows) * self._units.shrinking

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the means or medians, rounded to the column's decimals."""
        units = self._units
        found = self._means(groups) if self.by == "mean" else self._medians(groups)
        is_date = self.column.dtype == pl.Date
        dtype = self.column.to_physical().dtype if is_date else self.column.dtype
        decimals = units.decimals if self.decimals is None else self.decimals
        made = typed_numbers(found, dtype, decimals, units.decimals == 0)
        if self.numbers.null_count():
            made = made.zip_with(pl.Series(~self._are_missing(groups)), made.clear(len(made)))
        return made.cast(pl.Date) if is_date else made, self._loss(found, groups)

    def _means(self, groups: Groups) -> NDArray[np.float64]:
        sums = np.zeros(groups.n + 1)  # the last for rows without a group
        for rows, labels in groups.parts():
            np.add.at(sums, labels, self._units.values(rows))
        return self._units.ratios(sums[:-1], groups.sizes, self.decimals)

    def _medians(self, groups: Groups) -> NDArray[np.float64]:
        values = self._units.values(groups.rows)
        lower, upper = groups.middles(values)
        return self._units.ratios(values[lower] + values[upper], np.full(groups.n, 2), self.decimals)

    def _are_missing(self, groups: Groups) -> NDArray[np.bool_]:
        """Return which groups have no numbers."""
        is_missing = np.ones(groups.n + 1, dtype=np.bool_)
        is_known = self.is_known
        for rows, labels in groups.parts():
            is_missing[labels[is_known[rows]]] = False
        return is_missing[:-1]

    def _loss(self, centres: NDArray[np.float64], groups: Groups) -> float:
        if not self.weight:
            return 0.0
        units, loss = self._units, 0.0
        deviation = np.sqrt(1 / self.weight) / units.shrinking
        mean = sum(float(units.values(rows).sum()) for rows, _ in groups.parts()) / self.total
        published = np.append(centres * units.scale, mean)
        is_known = self.is_known
        for rows, labels in groups.parts():
            # Over the deviation, since squares of great numbers would overflow.
            differences = (units.values(rows) - published[labels]) / deviation
            loss += float(np.sum(np.square(differences), where=is_known[rows]))
        return loss

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(len(self.numbers) - self.numbers.null_count()) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class _CodedColumn:
    """Categories: the code of each row, -1 where it is missing, and the value of each code."""

    codes: NDArray[np.int32]
    values: pl.Series

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether each row has a value."""
        return self.codes >= 0


@dataclass(frozen=True, eq=False)
class OrderedColumn(_CodedColumn):
    """Ordered categories by their median; of the two in the middle the lower.

    ``values`` are those of the column, lowest first, and ``ranks`` their places in the declared order.
    """

    ranks: NDArray[np.float64]

    @cached_property
    def weight(self) -> float | None:
        """One over the variance of the ranks; 0 where all are equal."""
        return _inverse_variance(self.ranks[self.codes[self.is_known]])

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the ranks."""
        return np.append(self.ranks, 0.0)[self.codes[rows]]

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the medians."""
        codes = self.codes[groups.rows]
        found = codes[groups.middles(codes)[0]]
        return _gathered(self.values, found), self._loss(found, groups)

    def _loss(self, centres: NDArray[np.int32], groups: Groups) -> float:
        if not self.weight:
            return 0.0
        mean = self.ranks[self.codes[self.is_known]].mean()
        published, loss = np.append(self.ranks[centres], mean), 0.0
        for rows, labels in groups.parts():
            differences = self.cells(rows) - published[labels]
            loss += float(np.sum(np.square(differences), where=self.codes[rows] >= 0))
        return loss * self.weight

    @property
    def total(self) -> float:
        """The number of known cells, since their variance is 1 after weighting; 0 where all are equal."""
        return float(np.count_nonzero(self.is_known)) if self.weight else 0.0


@dataclass(frozen=True, eq=False)
class NameColumn(_CodedColumn):
    """Categories without order by the most frequent one; of several the first in the order of values."""

    weight: ClassVar[None] = None

    def cells(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the codes."""
        return np.maximum(self.codes[rows], 0, dtype=np.float64)

    def centres(self, groups: Groups) -> tuple[pl.Series, float]:
        """Return the most frequent values."""
        found = _modes(groups.labels, self.codes[groups.rows], groups.n, len(self.values))
        published, loss = np.append(found, np.int32(self._mode)), 0.0
        for rows, labels in groups.parts():
            own = self.codes[rows]
            loss += float(np.count_nonzero((own >= 0) & (own != published[labels])))
        return _gathered(self.values, found), loss

    @property
    def _mode(self) -> int:
        counts = np.bincount(self.codes[self.is_known], minlength=1)
        return int(counts.argmax())

    @property
    def total(self) -> float:
        """How many known cells differ from the most frequent value."""
        return float(np.count_nonzero(self.is_known & (self.codes != self._mode)))


GroupedColumn = NumberColumn | OrderedColumn | NameColumn
"""A column as grouping sees it.

``is_known``
    Whether each row has a value.
``codes``
    Per row the rank of its value in canonical order; -1 where it is missing.
``weight``
    What squared differences of cells count; ``None`` where cells are names, and differ or do not.
``cells``
    What is compared of some rows; 0 where the value is missing.
``centres``
    What each group publishes (missing where it has no values), and the loss of the known cells: the sum of squared
    differences times the weight, or the number of cells that differ. A known cell of a row without a group counts as if
    the centre of the whole column were published.
``total``
    The loss if every row were given the centre of the whole column.
"""


def _inverse_variance(values: NDArray[np.float64]) -> float:
    """Return one over the variance, 0 where all are equal; the values do not survive it."""
    if not len(values) or values.min() == values.max():
        return 0.0
    values.sort()  # so that the order of rows leaves no trace
    values -= values.mean()
    variance = float(np.square(values, out=values).mean())
    return 1 / variance if variance > 0 else 0.0


def _gathered(values: pl.Series, codes: NDArray[np.int32]) -> pl.Series:
    return values.gather(pl.Series(codes).set(pl.Series(codes < 0), None))


def _modes(labels: NDArray[np.int32], codes: NDArray[np.int32], n: int, n_values: int) -> NDArray[np.int32]:
    """Return the most frequent code of each group, of several the lowest; -1 where it has none."""
    modes = np.full(n, -1, dtype=np.int32)
    is_held = (labels >= 0) & (codes >= 0)
    if not is_held.any():
        return modes
    pairs = labels[is_held].astype(np.int64)
    pairs *= n_values
    pairs += codes[is_held]
    pairs.sort()
    firsts = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1]))
    pairs, counts = pairs[firsts], np.diff(firsts, append=len(pairs))
    owners, held = np.divmod(pairs, n_values)
    is_first = np.append(True, owners[1:] != owners[:-1])
    greatest = np.maximum.reduceat(counts, np.flatnonzero(is_first))[np.cumsum(is_first) - 1]
    candidates = np.flatnonzero(counts == greatest)[::-1]  # the lowest is written last
    modes[owners[candidates]] = held[candidates]
    return modes
