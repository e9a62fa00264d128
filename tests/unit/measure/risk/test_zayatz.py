from __future__ import annotations

from fractions import Fraction
from math import comb, perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.uniqueness import Sample
from celosia.measure.risk.zayatz import zayatz, zayatz_of

sizes = st.lists(st.one_of(st.just(1), st.integers(1, 30)), min_size=1, max_size=25)


def classes_of(histogram):
    """Return classes with so many of each size."""
    given_sizes = [size for size, n in histogram.items() for _ in range(n)]
    return cl.Classes(np.repeat(np.arange(len(given_sizes)), given_sizes))


def plain_probability(class_sizes, n, size):
    """Return P of the spec: h_i counts the draws of n of N that hold just one of i marked people."""

    def h(i):
        return Fraction(i * comb(size - i, n - 1), comb(size, n))

    return class_sizes.count(1) * h(1) / sum(h(i) for i in class_sizes)


def test_the_number_of_the_spec():
    found = zayatz(classes_of({1: 4, 2: 3, 5: 2}), population_size=100)
    assert round(found.parameters["probability"], 6) == 0.306515
    assert round(found.uniques, 4) == 6.1303
    assert found.share == found.uniques / 100
    assert (found.sample_uniques, found.estimator, found.reason) == (4, "zayatz", None)


@given(sizes, st.integers(1, 2000))
def test_against_exact_hypergeometric_chances(class_sizes, more):
    n, n_alone = sum(class_sizes), class_sizes.count(1)
    found = zayatz(cl.Classes(np.repeat(np.arange(len(class_sizes)), class_sizes)), n + more)
    if not n_alone:
        assert found.uniques == 0.0
        return
    exact = plain_probability(class_sizes, n, n + more)
    assert found.parameters["probability"] == pytest.approx(float(exact), rel=1e-13)
    assert found.uniques == pytest.approx(float(n_alone * exact * (n + more) / n), rel=1e-13)


@pytest.mark.parametrize("size", [2**31 - 1, 2**31 + 1, 10**10, 7 * 10**9 + 3, 10**14, 2**53])
@pytest.mark.parametrize("histogram", [{1: 3, 2: 2, 7: 1}, {1: 1, 40: 30, 4000: 2}, {1: 5000, 2: 300, 9000: 1}])
def test_populations_beyond_32_bits(histogram, size):
    n = sum(i * count for i, count in histogram.items())
    # h_i / h_1 = i (N - n)! (N - i)! / ((N - n - i + 1)! (N - 1)!), of whole numbers
    ratios = {
        i: Fraction(i) * Fraction(perm(size - n, i - 1) * 10**40 // perm(size - 1, i - 1), 10**40) for i in histogram
    }
    exact = histogram[1] / sum(count * ratios[i] for i, count in histogram.items())
    found = zayatz(classes_of(histogram), size)
    assert found.parameters["probability"] == pytest.approx(float(exact), rel=1e-12)
    assert found.uniques == pytest.approx(float(histogram[1] * exact * size / n), rel=1e-12)


def test_a_class_that_cannot_have_lost_so_many_people_weighs_nothing():
    # Of 10 people 9 are drawn: a class of three or more cannot be left with one.
    found = zayatz(classes_of({1: 2, 3: 1, 4: 1}), 10)
    assert found.parameters["probability"] == 1.0
    assert found.uniques == pytest.approx(2 * 10 / 9)


def test_a_million_in_one_class_and_one_alone():
    found = zayatz_of(Sample(np.array([1, 10**6]), np.array([1, 1]), 10**10))
    ratio = 10**6 * (1 - (10**6 + 1) / 10**10) ** 10**6  # about: the factors fall a little
    assert found.parameters["probability"] == pytest.approx(1 / (1 + ratio), rel=1e-3)
