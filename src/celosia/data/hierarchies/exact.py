"""Exact decimal arithmetic for the ends of ranges: 0.1 is one tenth here, not the nearest binary fraction."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies.domains import Style
from celosia.data.hierarchies.packed import PackedNumbers

LARGEST = 1e300
"""Numbers beyond this overflow when two of them are subtracted."""


def exact(value: float) -> Fraction:
    """Return the number that the shortest decimal text of ``value`` spells.

    Examples
    --------
    >>> exact(0.1), exact(7)
    (Fraction(1, 10), Fraction(7, 1))
    """
    return Fraction(value) if isinstance(value, int) else Fraction(repr(float(value)))


def is_whole(value: float) -> bool:
    """Tell whether a number has no fractional part.

    Examples
    --------
    >>> is_whole(5), is_whole(5.0), is_whole(5.5)
    (True, True, False)
    """
    return isinstance(value, int) or float(value).is_integer()


def fraction_text(value: Fraction, style: Style = Style()) -> str:
    """Spell a decimal fraction in full, without exponent.

    Examples
    --------
    >>> fraction_text(Fraction(-1, 40)), fraction_text(Fraction(20))
    ('-0.025', '20')
    """
    n_decimals = 0
    while value.denominator != 1:
        value *= 10
        n_decimals += 1
    digits = str(abs(value.numerator)).rjust(n_decimals + 1, "0")
    sign = "-" if value < 0 else ""
    if not n_decimals:
        return sign + digits
    return f"{sign}{digits[:-n_decimals]}{style.decimal}{digits[-n_decimals:]}"


def refuse_extreme(values: Sequence[float], column: str) -> None:
    """Raise ``HierarchyError`` if a value is infinite or too large to measure.

    Examples
    --------
    >>> refuse_extreme([1, 2.5], "age")
    """
    if isinstance(values, PackedNumbers):
        n_extreme = int((~(np.abs(values.array) <= LARGEST)).sum())
    else:
        n_extreme = sum(not abs(value) <= LARGEST for value in values)
    if n_extreme:
        raise HierarchyError(
            f"{n_extreme} distinct values of {column!r} are infinite or beyond {LARGEST:g} in size.",
            hint="declare them as missing in the schema, or remove these rows.",
        )
