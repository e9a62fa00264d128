"""The multiples of a step, exact in decimals: 3 times 0.1 is 0.3 here, and 0.3 lies on it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError, OptionError
from celosia.data.hierarchies.exact import exact, fraction_text

_MOST_UNITS = 10**15
"""Two decimals of at most fifteen digits are never the same double, so that doubles can be compared in their place."""

_MOST_DECIMALS = 22
"""Powers of ten up to here are doubles of their own, so that dividing by them rounds once."""

_MOST_WHOLE = 2**61
"""Sums of two whole numbers up to here stay within 64 bits."""

_BLOCK = 1 << 16

Number = TypeVar("Number", np.int64, np.float64, np.int32)


class Multiples:
    """The numbers ``base + i * step`` for whole i.

    A double stands for the number that its shortest decimal text spells. Between doubles of at most fifteen digits
    that reading keeps order, so that a value is compared with the double nearest to a multiple, which is exact.

    Parameters
    ----------
    owner
        Whose option the step is, for messages.
    step
        Above 0.
    base
        One of the multiples.

    Raises
    ------
    OptionError
        If step or base have too many digits to calculate exactly.

    Examples
    --------
    >>> tenths = Multiples("round: to", 0.1)
    >>> places = tenths.below(np.array([0.3, 0.29, -0.05]), "mark")
    >>> places.tolist(), tenths.numbers(places).tolist()
    ([3, 2, -1], [0.3, 0.2, -0.1])
    >>> tenths.texts(places, ",").to_list()
    ['0,3', '0,2', '-0,1']
    """

    def __init__(self, owner: str, step: float | Fraction, base: float = 0) -> None:
        self.step, self.base = step if isinstance(step, Fraction) else exact(step), exact(base)
        self.is_whole = self.step.denominator == self.base.denominator == 1
        # One decimal more than the step has lets the middle between two multiples be spelt as well.
        n_decimals = 1 + max(_n_decimals(self.step), _n_decimals(self.base))
        self._n_decimals, self._scale = n_decimals, 10**n_decimals
        self._step_units, self._base_units = int(self.step * self._scale), int(self.base * self._scale)
        if n_decimals > _MOST_DECIMALS or max(self._step_units, abs(self._base_units)) > _MOST_UNITS:
            raise OptionError(
                f"{owner} has too many digits to calculate exactly.", hint="use at most 14 digits, 20 of them decimals."
            )

    def below(self, values: NDArray[Any], column: str) -> NDArray[np.int64]:
        """Return for each value the greatest i whose multiple is not above it; whole numbers stay whole numbers.

        Raises
        ------
        InputError
            If a value has too many digits for the step; the message gives column and count.
        """
        self._refuse_large(values, column)
        return in_blocks(self._below, values, np.int64)

    def numbers(self, places: NDArray[np.int64], halves: int = 0) -> NDArray[np.float64]:
        """Return the multiples at these places as doubles, each rounded once; ``halves`` steps on by half a step."""
        units = self._base_units + places * self._step_units + halves * (self._step_units // 2)
        return units / float(self._scale)

    def wholes(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the multiples of a whole step at these places as whole numbers."""
        return int(self.base) + places * int(self.step)

    def texts(self, places: NDArray[np.int64], decimal: str) -> pl.Series:
        """Spell the multiples at these places in full, without exponent and with this decimal mark."""
        if self.is_whole:
            return pl.Series(self.wholes(places)).cast(pl.String)
        units = pl.Series("units", self._base_units + places * self._step_units)
        rest = (
            (pl.col("units").abs() % self._scale).cast(pl.String).str.zfill(self._n_decimals).str.strip_chars_end("0")
        )
        return (
            units.to_frame()
            .select(
                pl.concat_str(
                    pl.when(pl.col("units") < 0).then(pl.lit("-")).otherwise(pl.lit("")),
                    (pl.col("units").abs() // self._scale).cast(pl.String),
                    pl.when(rest == "").then(pl.lit("")).otherwise(pl.concat_str(pl.lit(decimal), rest)),
                )
            )
            .to_series()
        )

    def nearest(self, values: NDArray[Any], column: str) -> NDArray[np.int64]:
        """Return for each value the i of the nearest multiple; in the middle between two, the even one.

        Raises
        ------
        InputError
            If a value has too many digits for the step.
        """
        self._refuse_large(values, column)
        return in_blocks(self._nearest, values, np.int64)

    def _below(self, values: NDArray[Any]) -> NDArray[np.int64]:
        if self._is_counted(values):
            return (values - int(self.base)) // int(self.step)
        places = np.floor((values - float(self.base)) / float(self.step)).astype(np.int64)
        places -= values < self.numbers(places)
        places += values >= self.numbers(places + 1)
        return places

    def _nearest(self, values: NDArray[Any]) -> NDArray[np.int64]:
        places = self._below(values)
        if self._is_counted(values):
            rest = values - self.wholes(places)
            side: NDArray[Any] = rest - (int(self.step) - rest)
        else:
            side = values - self.numbers(places, halves=1)
        places += (side > 0) | ((side == 0) & (places % 2 == 1))
        return places

    def _is_counted(self, values: NDArray[Any]) -> bool:
        """Whether whole numbers do, which are exact up to many more digits."""
        return self.is_whole and values.dtype == np.int64

    def _refuse_large(self, values: NDArray[Any], column: str) -> None:
        most = _MOST_WHOLE if self._is_counted(values) else _MOST_UNITS / self._scale
        n_large = int(((values > most) | (values < -most)).sum())
        if n_large:
            raise InputError(
                f"{n_large} of {len(values)} numbers of '{column}' have too many digits for steps of "
                f"{fraction_text(self.step)}.",
                hint="choose a step with fewer decimals, or divide the column first.",
                about=column,
            )


def in_blocks(
    work: Callable[[NDArray[Any]], NDArray[Any]], values: NDArray[Any], kind: type[Number]
) -> NDArray[Number]:
    """Return ``work(values)`` of type ``kind``, block by block, so that what it needs on the way stays small.

    Examples
    --------
    >>> in_blocks(np.square, np.array([1.0, 3.0]), np.float64).tolist()
    [1.0, 9.0]
    """
    result = np.empty(len(values), dtype=kind)
    for start in range(0, len(values), _BLOCK):
        result[start : start + _BLOCK] = work(values[start : start + _BLOCK])
    return result


def _n_decimals(value: Fraction) -> int:
    n_decimals = 0
    while value.denominator != 1:
        value *= 10
        n_decimals += 1
    return n_decimals
