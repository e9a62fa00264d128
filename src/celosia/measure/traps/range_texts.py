"""Range texts: ranges and numbers as files of any origin spell them, read once for all traps that look at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

# \d would be the digits of any script, which no cast reads.
_MARKED = r"[+-]?[0-9]+(?:[.,][0-9]+)*"
_POINTED = r"[+-]?[0-9]+(?:\.[0-9]+)*"
_DASHED = rf"^(\[?)\s*({_MARKED})\s*[-–—]\s*({_MARKED})\s*(\]?)$"
_COMMA_PARTED = rf"^([\[(])\s*({_POINTED})\s*,\s*({_POINTED})\s*([\])])$"
_PARTED = rf"^([\[(])\s*({_MARKED})\s*;\s*({_MARKED})\s*([\])])$"
_SINGLE = rf"^(<=|>=|<|>)?\s*({_MARKED})$"
_CODE = r"^[+-]?0[0-9]"
_GROUPED = r"^[+-]?[1-9][0-9]{{0,2}}(?:\{mark}[0-9]{{3}})+$"


@dataclass(frozen=True, eq=False)
class RangeTexts:
    """What texts spell: the ends of each, not a number where it is neither a range nor a number.

    Attributes
    ----------
    low, high
        The ends as they are written, which may run from high to low; infinite for an open end such as that of ``>11``.
    closed
        Whether a text is a range with both its ends in it: ``[5, 10]``, ``[5-10]``, ``5-10``.
    dashed
        Whether a dash stands between the ends.
    single
        Whether a text is one number, with a sign such as ``<`` or without.
    coded
        Whether an end has a zero in front, as months, days and codes have.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    closed: NDArray[np.bool_]
    dashed: NDArray[np.bool_]
    single: NDArray[np.bool_]
    coded: NDArray[np.bool_]

    @property
    def is_range(self) -> NDArray[np.bool_]:
        """Whether a text has two ends."""
        known: NDArray[np.bool_] = ~np.isnan(self.low) & ~self.single
        return known


def read_ranges(texts: pl.Series) -> RangeTexts:
    """Read distinct texts as ranges and numbers.

    Decimals have a point or a comma; a mark that only ever stands before three digits, as in ``500-1.000``, parts
    thousands.

    Examples
    --------
    >>> found = read_ranges(pl.Series(["5-10", "[6,5; 4,0)", ">11", "7", "*", "500-1.000"]))
    >>> found.low.tolist(), found.high.tolist()
    ([5.0, 6.5, 11.0, 7.0, nan, 500.0], [10.0, 4.0, inf, 7.0, nan, 1000.0])
    >>> found.closed.tolist(), found.single.tolist()
    ([True, False, False, False, False, True], [False, False, True, True, False, False])
    """
    dashed, single = _groups(texts, _DASHED), _groups(texts, _SINGLE)
    brackets = [
        one.fill_null(other) for one, other in zip(_groups(texts, _COMMA_PARTED), _groups(texts, _PARTED), strict=True)
    ]
    whole = dashed[0].is_not_null() & ((dashed[0] == "") == (dashed[3] == ""))
    low_texts = dashed[1].set(~whole, None).fill_null(brackets[1])
    high_texts = dashed[2].set(~whole, None).fill_null(brackets[2])
    marks = _decimal_marks(pl.concat([low_texts, high_texts, single[1]]).drop_nulls())
    point = _read(single[1], marks)
    is_upper = single[0].str.starts_with("<").fill_null(False).to_numpy()
    is_lower = single[0].str.starts_with(">").fill_null(False).to_numpy()
    low, high = _read(low_texts, marks), _read(high_texts, marks)
    both = ((brackets[0] == "[") & (brackets[3] == "]")).fill_null(False)
    coded = (low_texts.str.contains(_CODE) | high_texts.str.contains(_CODE)).fill_null(False)
    return RangeTexts(
        low=np.where(np.isnan(low), np.where(is_upper, -np.inf, point), low),
        high=np.where(np.isnan(high), np.where(is_lower, np.inf, point), high),
        closed=(whole | both).to_numpy(),
        dashed=whole.to_numpy(),
        single=single[1].is_not_null().to_numpy(),
        coded=coded.to_numpy(),
    )


def _groups(texts: pl.Series, pattern: str) -> list[pl.Series]:
    return texts.str.extract_groups(pattern).struct.unnest().get_columns()


def _decimal_marks(numbers: pl.Series) -> str:
    """Return the marks of which one stands where it cannot part thousands."""
    found = ""
    for mark in ".,":
        own = numbers.filter(numbers.str.contains(mark, literal=True))
        if not own.str.contains(_GROUPED.format(mark=mark)).all():
            found += mark
    return found


def _read(numbers: pl.Series, marks: str) -> NDArray[np.float64]:
    for mark in ".,":
        numbers = numbers.str.replace_all(mark, "." if mark in marks else "", literal=True)
    return numbers.cast(pl.Float64, strict=False).to_numpy()
