"""Comparisons that are exact at the threshold: doubles decide what is clear, integers and more digits the rest.

A bound is the number that its decimal text spells, so that a share of 1/10 is at most 0.1.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

NEAR = 1e-9
"""Doubles that differ by less (relative to what they are compared with) do not decide."""

_DIGITS = (60, 240, 960, 3840, 15360)
"""How many digits are tried, one after the other, where a logarithm is close to a number that it cannot equal."""


def exact_number(number: int | float) -> Fraction:
    """Return the number that the shortest decimal text of a number spells.

    Examples
    --------
    >>> exact_number(0.1)
    Fraction(1, 10)
    """
    return Fraction(str(number))


def excess(parts: NDArray[Any], wholes: NDArray[Any], bound: Fraction) -> NDArray[np.int8]:
    """Return the sign of ``parts - bound * wholes``, exactly, for whole numbers from 0 and a bound from 0.

    Examples
    --------
    >>> excess(np.array([1, 2, 3]), np.array([10, 10, 10]), Fraction(1, 5)).tolist()
    [-1, 0, 1]
    """
    if parts.dtype == object:  # Python's integers, which may be beyond doubles
        return _signs(parts, wholes, bound)
    left, right = parts.astype(np.float64), wholes.astype(np.float64) * float(bound)
    signs = np.sign(left - right).astype(np.int8)
    near = np.flatnonzero(np.abs(left - right) <= NEAR * (left + right))
    signs[near] = _signs(parts[near].astype(object), wholes[near].astype(object), bound)
    return signs


def _signs(parts: NDArray[Any], wholes: NDArray[Any], bound: Fraction) -> NDArray[np.int8]:
    """Do the same with Python's integers, which do not overflow however many decimals the bound has."""
    difference = parts * bound.denominator - wholes * bound.numerator
    return np.asarray((difference > 0).astype(np.int8) - (difference < 0).astype(np.int8))


@lru_cache(maxsize=100_000)
def entropy_reaches(counts: tuple[int, ...], bound: Fraction) -> bool:
    """Whether the entropy of positive counts is at least ln(bound), exactly: ``f^f >= bound^f * prod n^n``.

    Examples
    --------
    >>> entropy_reaches((7, 7, 7), Fraction(3)), entropy_reaches((4, 1, 1, 1, 1), Fraction("4.0001"))
    (True, False)
    """
    shared = math.gcd(*counts)  # both sides are powers of ``shared``: without it the numbers stay small
    counts = tuple(count // shared for count in counts)
    size = sum(counts)
    with localcontext(Context(prec=_DIGITS[0] + 20)):
        left = size * Decimal(size).ln() - sum((count * Decimal(count).ln() for count in counts), Decimal(0))
        difference = left - size * _ln(bound)
        if abs(difference) > Decimal(10) ** -_DIGITS[0]:
            return difference > 0
    needed = bound.numerator**size * math.prod(count**count for count in counts)
    return bool(bound.denominator**size * size**size >= needed)


@lru_cache(maxsize=100_000)
def log_excess(number: Fraction, argument: Fraction) -> int:
    """Return the sign of ``number - ln(argument)``, exactly, for a positive argument.

    The logarithm of a rational number other than 1 is irrational: enough digits always decide.

    Examples
    --------
    >>> log_excess(Fraction("0.6931471805"), Fraction(2)), log_excess(Fraction("0.6931471806"), Fraction(2))
    (-1, 1)
    """
    if argument == 1:
        return (number > 0) - (number < 0)
    for digits in _DIGITS:
        with localcontext(Context(prec=digits + 20)):
            difference = Decimal(number.numerator) / Decimal(number.denominator) - _ln(argument)
            if abs(difference) > Decimal(10) ** -digits:
                return 1 if difference > 0 else -1
    raise AssertionError("a rational number cannot be this close to a logarithm")


@lru_cache(maxsize=100_000)
def power_excess(number: Fraction, base: Fraction, exponent: Fraction) -> int:
    """Return the sign of ``number - base^exponent``, exactly, for number > 0, base > 1 and exponent > 0.

    Examples
    --------
    >>> power_excess(Fraction(2), Fraction(4), Fraction(1, 2)), power_excess(Fraction(2), Fraction(4), Fraction("0.51"))
    (0, -1)
    """
    if _is_power(number, base, exponent):
        return 0
    for digits in _DIGITS:
        with localcontext(Context(prec=digits + 20)):
            difference = _ln(number) - Decimal(exponent.numerator) / Decimal(exponent.denominator) * _ln(base)
            if abs(difference) > Decimal(10) ** -digits:
                return 1 if difference > 0 else -1
    raise AssertionError("unequal logarithms of such numbers cannot be this close")


def _is_power(number: Fraction, base: Fraction, exponent: Fraction) -> bool:
    """Whether ``number^v = base^u`` for the exponent u/v: just if numbers z exist with base = z^v and number = z^u."""
    u, v = exponent.numerator, exponent.denominator
    pairs = ((number.numerator, base.numerator), (number.denominator, base.denominator))
    return all(_share_root(whole, power, u, v) for whole, power in pairs)


def _share_root(whole: int, power: int, u: int, v: int) -> bool:
    """Whether some z has z^u = whole and z^v = power (u and v have no common divisor)."""
    if whole == 1 or power == 1:
        return whole == power
    if u >= whole.bit_length() or v >= power.bit_length():  # z is at least 2
        return False
    root = round(2 ** (math.log2(power) / v))
    return any(z**v == power and z**u == whole for z in range(max(root - 1, 2), root + 2))


def _ln(number: Fraction) -> Decimal:
    return Decimal(number.numerator).ln() - Decimal(number.denominator).ln()
