"""Numbers with no more decimals than their column shows, so that a changed cell does not show by its digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.data.hierarchies.options import check_count

MOST_DECIMALS = 12
"""Numbers with more decimals than this are results of a division or the like: all their digits are shown."""

_FEW = 2**16
"""How many numbers are looked at together: enough to be quick, few enough to take no memory."""


def check_decimals(mask: str, decimals: int | None) -> None:
    """Raise ``OptionError`` unless results may have so many decimals; ``None``: as many as the column shows.

    Examples
    --------
    >>> check_decimals("add_noise", 2)
    """
    if decimals is not None:
        check_count(f"{mask}: decimals", decimals, least=0)
        if decimals > MOST_DECIMALS:
            raise OptionError(f"{mask}: decimals is {decimals}; allowed: 0 to {MOST_DECIMALS}.")


def shown_decimals(column: pl.Series, numbers: pl.Series) -> int | None:
    """Return with how many decimals all numbers of a column can be written; ``None`` where no twelve are enough.

    Parameters
    ----------
    column
        The column as it came: single precision tells fewer digits than its numbers in double precision show.
    numbers
        The same as ``Int64`` or ``Float64``.

    Examples
    --------
    >>> marks = pl.Series([4.25, 5.0, None])
    >>> shown_decimals(marks, marks), shown_decimals(pl.Series(["7"]), pl.Series([7]))
    (2, 0)
    """
    if numbers.dtype.is_integer():
        return 0
    shown = (column if column.dtype == pl.Float32 else numbers).drop_nulls().to_numpy()
    for decimals in range(MOST_DECIMALS + 1):
        if all(_have(shown[begin : begin + _FEW], decimals) for begin in range(0, len(shown), _FEW)):
            return decimals
    return None


def _have(numbers: NDArray[Any], decimals: int) -> bool:
    return bool((np.round(numbers, decimals) == numbers).all())


def as_column(values: NDArray[np.float64], like: pl.Series, decimals: int | None, was_whole: bool) -> pl.Series:
    """Return numbers as a column like ``like``: missing where it is, of its type where that holds them all.

    Parameters
    ----------
    values
        One number per cell of ``like`` that is not missing, rounded to ``decimals``.
    was_whole
        Whether the numbers of ``like`` are whole: those without decimals stay so.

    Examples
    --------
    >>> as_column(np.array([5.0, 7.0]), pl.Series("age", [4, None, 6], dtype=pl.UInt8), 0, True)
    shape: (3,)
    Series: 'age' [u8]
    [
        5
        null
        7
    ]
    """
    return in_rows(typed_numbers(values, like.dtype, decimals, was_whole).alias(like.name), like)


def in_rows(known: pl.Series, like: pl.Series) -> pl.Series:
    """Return values, one per cell of ``like`` that is not missing, at the rows of these; missing where it is.

    Examples
    --------
    >>> in_rows(pl.Series([5.0, 7.0]), pl.Series([4, None, 6])).to_list()
    [5.0, None, 7.0]
    """
    if not like.null_count():
        return known
    is_known = like.is_not_null()
    places = (is_known.cast(pl.UInt32).cum_sum() - 1).set(~is_known, None)
    return known.gather(places)


def typed_numbers(values: NDArray[np.float64], dtype: pl.DataType, decimals: int | None, was_whole: bool) -> pl.Series:
    """Return numbers, rounded to ``decimals``, as a type if that is one of numbers and holds them all.

    Examples
    --------
    >>> [typed_numbers(np.array([number]), pl.UInt8(), 0, True).dtype for number in (5.0, 300.0)]
    [UInt8, Int64]
    """
    made = pl.Series(values)
    if was_whole and decimals == 0:
        whole = made.cast(pl.Int64, strict=False)
        made = whole if whole.null_count() == made.null_count() else made  # beyond 64 bits they stay as they are
    if dtype.is_numeric() and dtype != made.dtype and (made.dtype.is_integer() or not dtype.is_integer()):
        cast = made.cast(dtype, strict=False)
        made = cast if cast.null_count() == 0 else made
    return made
