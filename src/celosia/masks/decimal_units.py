"""Numbers as whole counts of their smallest decimal: 5.25 is 525 hundredths, so that sums and ties are exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["DecimalUnits", "rounded_ratios"]

_MOST_UNITS = 2**53
"""Whole numbers below it are exact as doubles."""


@dataclass(frozen=True, eq=False)
class DecimalUnits:
    """The numbers of a column.

    Attributes
    ----------
    values
        As ``float64``: whole counts of 10^-places, or the numbers themselves where ``places`` is ``None``, because they
        are no decimals, or too long ones; 0 where the number is missing.
    decimals
        How many decimals the column shows; ``None`` where it shows all digits that a number has.
    """

    values: NDArray[np.float64]
    places: int | None
    decimals: int | None

    @classmethod
    def of(cls, numbers: pl.Series, decimals: int | None) -> DecimalUnits:
        """Return numbers that have so many decimals.

        Examples
        --------
        >>> DecimalUnits.of(pl.Series([5.25, None, 3.0]), 2).values.tolist()
        [525.0, 0.0, 300.0]
        """
        values = numbers.fill_null(0).cast(pl.Float64).to_numpy()
        if decimals is not None:
            units = values * 10.0**decimals
            np.rint(units, out=units)
            units += 0.0  # -0.0 becomes 0.0
            if _greatest(units) < _MOST_UNITS:
                return cls(units, decimals, decimals)
        return cls(values, None, decimals)

    @property
    def scale(self) -> float:
        """How many units are one."""
        return float(10.0 ** (self.places or 0))

    @property
    def moderate(self) -> NDArray[np.float64]:
        """The values; those that are no counts of units are shrunk, since their squares could overflow."""
        return self.values if self.places is not None else self.values * self.shrinking

    @property
    def shrinking(self) -> float:
        """The power of two by which values are multiplied there."""
        return 1.0 if self.places is not None else float(np.ldexp(1.0, -int(np.frexp(_greatest(self.values))[1])))

    def ratios(self, sums: NDArray[np.float64], sizes: NDArray[np.int64], decimals: int | None) -> NDArray[np.float64]:
        """Return sums of these numbers over sizes, rounded half to even to so many decimals (``None``: their own).

        Exact wherever numerators and denominators are below 2^53.
        """
        wanted = self.decimals if decimals is None else decimals
        if wanted is None:
            return sums / sizes
        if self.places is not None:
            up, down = 10 ** max(wanted - self.places, 0), 10 ** max(self.places - wanted, 0)
            greatest = max(_greatest(sums) * up, float(sizes.max(initial=1)) * down)
            if greatest < _MOST_UNITS:
                whole = rounded_ratios(sums.astype(np.int64) * up, sizes * down)
                return np.asarray(whole / 10.0**wanted, dtype=np.float64)
        return np.asarray(np.round(sums / sizes / self.scale, wanted) + 0.0, dtype=np.float64)


def _greatest(values: NDArray[np.float64]) -> float:
    """Return the greatest absolute value."""
    return max(float(values.max(initial=0)), -float(values.min(initial=0)))


def rounded_ratios(numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numerators over denominators (above 0), rounded half to even, exactly.

    Examples
    --------
    >>> rounded_ratios(np.array([5, 7, -5, 4]), np.array([2, 2, 2, 3])).tolist()
    [2, 4, -2, 1]
    """
    rounded, rest = np.divmod(2 * numerators + denominators, 2 * denominators)
    return np.asarray(rounded - ((rest == 0) & (rounded % 2 == 1)), dtype=np.int64)
