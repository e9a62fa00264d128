"""Numbers as whole counts of their smallest decimal: 5.25 is 525 hundredths, so that sums and ties are exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

_MOST_UNITS = 2**53
"""Whole numbers below it are exact as doubles."""


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
