"""Exact comparisons: at, just below and just above every threshold."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.models.exact import entropy_reaches, exact_number, excess, log_excess, power_excess

BOUNDS = st.fractions(0, 5, max_denominator=10**17)


def test_a_number_is_what_its_text_spells():
    assert exact_number(0.1) == Fraction(1, 10)
    assert exact_number(1e-7) == Fraction(1, 10**7)
    assert exact_number(3) == 3


@given(pairs=st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=8), bound=BOUNDS)
@tries(200)
def test_excess_is_the_sign_of_the_difference(pairs, bound):
    parts, wholes = (np.array(side, dtype=np.int64) for side in (zip(*pairs, strict=True) if pairs else ([], [])))
    exact = [Fraction(part) - bound * whole for part, whole in pairs]
    assert excess(parts, wholes, bound).tolist() == [(value > 0) - (value < 0) for value in exact]


@given(part=st.integers(1, 10**12), whole=st.integers(1, 10**6), step=st.sampled_from([-1, 0, 1]))
@tries(200)
def test_excess_decides_what_doubles_cannot(part, whole, step):
    bound = Fraction(part, whole) - Fraction(step, 10**25)
    for kind in (np.int64, object):
        assert excess(np.array([part], dtype=kind), np.array([whole], dtype=kind), bound).tolist() == [step]


@given(counts=st.lists(st.integers(1, 12), min_size=1, max_size=5), l=st.fractions(1, 6, max_denominator=20))
@tries(200)
def test_entropy_by_its_powers(counts, l):  # noqa: E741
    size = sum(counts)
    plain = Fraction(size) ** size >= l**size * np.prod([Fraction(count) ** count for count in counts])
    assert entropy_reaches(tuple(counts), l) == plain


@pytest.mark.parametrize("n_values", [2, 3, 4, 6, 7, 8, 10])
@pytest.mark.parametrize("each", [1, 5, 333_333])
def test_an_even_class_of_l_values_is_l_diverse(n_values, each):
    """Where the exponential of a double entropy, cut to a whole number, gives l - 1 (pycanon does that)."""
    counts = (each,) * n_values
    assert entropy_reaches(counts, Fraction(n_values))
    assert not entropy_reaches(counts, n_values + Fraction(1, 10**30))


def test_entropy_at_a_whole_number_without_being_even():
    assert entropy_reaches((1, 1, 1, 1, 4), Fraction(4))
    assert not entropy_reaches((1, 1, 1, 1, 4), 4 + Fraction(1, 10**70))
    assert not entropy_reaches((499_999, 500_001), Fraction(2))


def test_logarithms_are_followed_until_they_differ():
    digits = Fraction("0.693147180559945309417232121458176568075500134360255254120680009")  # ln 2, cut
    assert log_excess(digits, Fraction(2)) == -1
    assert log_excess(digits + Fraction(1, 10**62), Fraction(2)) == 1
    assert [log_excess(Fraction(n), Fraction(1)) for n in (-1, 0, 1)] == [-1, 0, 1]
    assert log_excess(Fraction(0), Fraction(1, 2)) == 1


@given(
    base=st.fractions(Fraction(10, 9), 9, max_denominator=9),
    exponent=st.fractions(Fraction(1, 6), 4, max_denominator=6),
    number=st.fractions(Fraction(1, 9), 30, max_denominator=30),
)
@tries(200)
def test_powers_by_whole_exponents(base, exponent, number):
    left, right = number**exponent.denominator, base**exponent.numerator
    assert power_excess(number, base, exponent) == (left > right) - (left < right)


@given(root=st.fractions(2, 9, max_denominator=5), u=st.integers(1, 7), v=st.integers(1, 7))
@tries(100)
def test_powers_that_are_equal(root, u, v):
    assert power_excess(root**u, root**v, Fraction(u, v)) == 0
    assert power_excess(root**u, root**v, Fraction(u, v) + Fraction(1, 10**40)) == -1
