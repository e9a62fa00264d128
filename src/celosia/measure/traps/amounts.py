"""Amounts: published values that lie on a line (numbers, ranges, days), read from texts as files of any origin have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.io.numbers import parse_numbers

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


_CODE_DIGITS = 5
"""Whole numbers that all have so many digits or more, and equally many, are taken for codes such as postcodes."""
_SAMPLE = 50
"""Values that are looked at before all are: most columns that hold something else show it at once."""
_DAYS = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%d.%m.%Y")


@dataclass(frozen=True, eq=False)
class Amounts:
    """Where the distinct values of a column lie; not a number where a text is ``*`` or a range that holds nothing.

    Attributes
    ----------
    low, high
        The ends of each value; equal for a single number, infinite for an open end such as that of ``>11``.
    closed
        Whether a value is a range with both its ends in it: ``[5, 10]``, ``5-10``.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    closed: NDArray[np.bool_]


def known_texts(texts: pl.Series) -> NDArray[np.bool_]:
    """Return which texts tell anything: all but ``*`` and its like.

    Examples
    --------
    >>> known_texts(pl.Series(["37***", "*", "*****"])).tolist()
    [True, False, False]
    """
    return (texts.str.strip_chars(ANYTHING) != "").to_numpy().astype(np.bool_)


def amounts_of(texts: pl.Series, dtype: pl.DataType, decimal: str = ".") -> Amounts | None:
    """Read the distinct values of a column of amounts; ``None`` where it holds anything else, or codes.

    Parameters
    ----------
    texts
        The values as text.
    dtype
        What the column holds them as.
    decimal
        The decimal mark of numbers.

    Examples
    --------
    >>> found = amounts_of(pl.Series(["5-10", "12", "*", ">=90"]), pl.String())
    >>> found.low.tolist(), found.high.tolist(), found.closed.tolist()
    ([5.0, 12.0, nan, 90.0], [10.0, 12.0, nan, inf], [True, False, False, False])
    >>> amounts_of(pl.Series(["28001", "37003", "01001"]), pl.String()) is None
    True
    """
    if dtype.is_numeric() or dtype.is_temporal():
        known = np.ones(len(texts), dtype=np.bool_)
    else:
        known = known_texts(texts)
        texts = texts if known.all() else texts.filter(pl.Series(known))
    if texts.is_empty():
        return None
    found = _days(texts) if dtype.is_temporal() else (_numbers(texts, decimal) or _days(texts))
    if found is None or np.isnan(found.low).all():
        return None
    return found if known.all() else _spread(found, known)


def _spread(found: Amounts, known: NDArray[np.bool_]) -> Amounts:
    low, high = np.full(len(known), np.nan), np.full(len(known), np.nan)
    closed = np.zeros(len(known), dtype=np.bool_)
    low[known], high[known], closed[known] = found.low, found.high, found.closed
    return Amounts(low, high, closed)


def _numbers(texts: pl.Series, decimal: str) -> Amounts | None:
    if not texts.head(_SAMPLE).str.contains(r"^[\[(<>=+\-.,\d\s]").all():
        return None
    points = _plain_numbers(texts, decimal)
    if not np.isnan(points).any():
        return None if _are_codes(texts) else Amounts(points, points, np.zeros(len(points), dtype=np.bool_))
    ends = read_ranges(texts)
    low, high = (np.where(np.isnan(end), points, end) for end in (ends.low, ends.high))
    if (np.isnan(low) | np.isnan(high)).any():
        return None
    turned = low > high
    return Amounts(np.where(turned, np.nan, low), np.where(turned, np.nan, high), ends.closed & ~turned)


def _plain_numbers(texts: pl.Series, decimal: str) -> NDArray[np.float64]:
    """Return texts as numbers, not a number where they are none; most columns need no more than a cast."""
    if decimal == ".":
        points = texts.cast(pl.Float64, strict=False).to_numpy()
        if np.isfinite(points).all():
            return points
    return parse_numbers(texts, decimal)[0].cast(pl.Float64).to_numpy()


def _are_codes(texts: pl.Series) -> bool:
    """Tell whether whole numbers look like codes: one length, or a zero in front."""
    if not texts.head(_SAMPLE).str.contains(r"^\d+$").all() or not texts.str.contains(r"^\d+$").all():
        return False
    lengths = texts.str.len_bytes()
    is_one_length = lengths.min() == lengths.max() and int(lengths[0]) >= _CODE_DIGITS
    return is_one_length or bool(texts.str.contains(r"^0\d").any())


def _days(texts: pl.Series) -> Amounts | None:
    """Read days; a time of the day is left out."""
    if not texts.head(_SAMPLE).str.contains(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}").all():
        return None
    plain = texts.str.replace(r"[T ]\d{1,2}:\d{2}.*$", "")
    for form in _DAYS:
        days = plain.str.to_date(form, strict=False)
        if not days.null_count():
            points = days.to_physical().cast(pl.Float64).to_numpy()
            return Amounts(points, points, np.zeros(len(points), dtype=np.bool_))
    return None
