from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.acquaintance import acquaintance, exact_share
from celosia.measure.risk.minimal_k import minimal_k

shares = st.integers(1, 1000).map(lambda part: Fraction(part, 1000))


@given(shares, shares, st.booleans(), st.integers(1, 20))
def test_the_smallest_that_is_accepted(threshold, attempt, strict, floor):
    k = minimal_k(threshold=str(float(threshold)), attempt=float(attempt), strict=strict, floor=floor)

    def accepted(people):
        return attempt / people < threshold if strict else attempt / people <= threshold

    assert k >= floor
    assert accepted(k)
    assert k == floor or not accepted(k - 1)


@given(shares, shares)
def test_text_number_and_fraction_say_the_same(threshold, attempt):
    spellings = {
        minimal_k(read(threshold), read(attempt), floor=1, strict=True)
        for read in (float, lambda one: str(float(one)), lambda one: np.float64(float(one)), lambda one: one)
    }
    assert len(spellings) == 1


@pytest.mark.parametrize("attempt", [0, 1.5, -0.1, "often", None, False, math.nan, math.inf])
def test_an_attempt_is_a_probability(attempt):
    with pytest.raises(cl.OptionError, match=r"attempt must lie in \(0, 1\]"):
        minimal_k(threshold=0.1, attempt=attempt)


@pytest.mark.parametrize("floor", [0, -1, 2.0, "3", True, None])
def test_a_floor_is_a_whole_number_from_1(floor):
    with pytest.raises(cl.OptionError, match="floor must be a whole number from 1 on"):
        minimal_k(threshold=0.1, attempt=1, floor=floor)


def test_strict_is_true_or_false():
    with pytest.raises(cl.OptionError, match="strict must be true or false"):
        minimal_k(threshold=0.1, attempt=1, strict="no")


def test_a_tiny_threshold_gives_a_huge_k_and_not_a_rounded_one():
    assert minimal_k(threshold="1e-30", attempt="1/3") == math.ceil(Fraction(10**30, 3))


@given(st.integers(0, 10**6).map(lambda part: Fraction(part, 10**6)), st.integers(0, 400))
def test_acquaintance_against_exact_powers(q, m):
    assert acquaintance(q, m) == pytest.approx(float(1 - (1 - q) ** m), rel=1e-12, abs=0)


def test_acquaintance_at_the_ends():
    assert acquaintance(0) == 0.0
    assert math.copysign(1, acquaintance(0)) == 1.0
    assert acquaintance("1", 1) == 1.0
    assert acquaintance(1, 0) == acquaintance(0.5, 0) == 0.0
    assert acquaintance(1e-300) == pytest.approx(150e-300)


@pytest.mark.parametrize("q", [-0.1, 1.1, "x", None, True, math.nan, "1/0"])
def test_q_is_a_share(q):
    with pytest.raises(cl.OptionError, match=r"q must lie in \[0, 1\]"):
        acquaintance(q)
    with pytest.raises(cl.OptionError):
        exact_share(q)


@pytest.mark.parametrize("m", [-1, 1.5, "150", True])
def test_m_is_a_whole_number(m):
    with pytest.raises(cl.OptionError, match="m must be a whole number from 0 to 10000000000"):
        acquaintance(0.1, m)
