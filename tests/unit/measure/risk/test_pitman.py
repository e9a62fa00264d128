from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.risk.pitman import _log_gamma_ratio, _sum_within, pitman, pitman_of, rank_sum, reciprocal_sum
from celosia.measure.risk.uniqueness import Sample

sizes = st.lists(st.one_of(st.just(1), st.just(1), st.integers(1, 6), st.integers(1, 200)), min_size=1, max_size=40)
firsts = st.one_of(st.floats(1e-9, 60), st.floats(60, 1e15))


def classes_of(class_sizes):
    return cl.Classes(np.repeat(np.arange(len(class_sizes)), class_sizes))


def sample_of_sizes(class_sizes, size):
    found, counts = np.unique(class_sizes, return_counts=True)
    return Sample(found, counts, size)


def sides(class_sizes, theta, alpha):
    """Return left and right side of the spec's two equations, summed term by term."""
    u, n = len(class_sizes), sum(class_sizes)
    within = math.fsum(1 / (i - alpha) for size in class_sizes for i in range(1, size))
    return (
        (math.fsum(1 / (theta + i * alpha) for i in range(1, u)), math.fsum(1 / (theta + i) for i in range(1, n))),
        (math.fsum(i / (theta + i * alpha) for i in range(1, u)), within),
    )


def plain_slope(class_sizes, alpha):
    """Return how the likelihood changes with alpha at the theta that solves the first equation, found by bisection."""
    low, high = -alpha + 1e-12, 1e9
    for _ in range(150):
        middle = low + (high - low) / 2 if high + alpha < 1 else math.sqrt((low + alpha) * (high + alpha)) - alpha
        left, right = sides(class_sizes, middle, alpha)[0]
        low, high = (middle, high) if left > right else (low, middle)
    left, right = sides(class_sizes, high, alpha)[1]
    return left - right


@given(firsts, st.integers(0, 3000))
def test_sums_against_their_terms(first, n_terms):
    terms = [first + i for i in range(n_terms)]
    assert reciprocal_sum(first, n_terms) == pytest.approx(math.fsum(1 / term for term in terms), rel=1e-13)
    plain = math.fsum((i + 1) / term for i, term in enumerate(terms))
    assert rank_sum(first, n_terms) == pytest.approx(plain, rel=1e-13)


def test_sums_of_a_million_terms():
    terms = 0.37 + np.arange(10**6)
    assert reciprocal_sum(0.37, 10**6) == pytest.approx(math.fsum(1 / terms), rel=1e-14)
    assert rank_sum(0.37, 10**6) == pytest.approx(math.fsum((np.arange(10**6) + 1) / terms), rel=1e-14)


@given(sizes, st.floats(1e-6, 0.999999))
def test_the_sum_within_classes(class_sizes, rest):
    plain = math.fsum(1 / (i + rest) for size in class_sizes for i in range(size - 1))
    assert _sum_within(sample_of_sizes(class_sizes, 10**6), rest) == pytest.approx(plain, rel=1e-13)


@given(st.floats(1e-6, 1e14), st.floats(0, 0.5))
def test_the_ratio_of_gammas_keeps_its_digits(low, step):
    # Gamma(x + 1) / Gamma(x) = x, in one step or in two.
    high = low + step
    exact_step = high - low
    whole = _log_gamma_ratio(low, exact_step) + _log_gamma_ratio(high, 1 - exact_step)
    assert whole == pytest.approx(math.log(low), rel=1e-12, abs=1e-12)


@given(sizes, st.integers(1, 10**7))
@tries(50)
def test_a_solution_solves_the_equations_as_printed(class_sizes, more):
    size = sum(class_sizes) + more
    found = pitman(classes_of(class_sizes), size)
    if "theta" not in found.parameters:
        assert found.uniques is None or found.uniques == 0.0
        return
    theta, alpha = found.parameters["theta"], found.parameters["alpha"]
    assert 0 < alpha < 1
    assert theta > -alpha
    first, second = sides(class_sizes, theta, alpha)
    assert first[0] == pytest.approx(first[1], rel=1e-8)
    assert second[0] == pytest.approx(second[1], rel=1e-8)
    uniques = math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha)) * size**alpha
    if found.uniques is None:
        assert uniques > size * (1 - 1e-9)
    else:
        assert found.uniques == pytest.approx(uniques, rel=1e-8)
        assert 0 <= found.uniques <= size


@given(st.lists(st.integers(1, 8), min_size=2, max_size=12))
@tries(20)
def test_without_a_solution_the_likelihood_only_falls(class_sizes):
    if 1 not in class_sizes or max(class_sizes) == 1:
        return
    found = pitman(classes_of(class_sizes), 10**9)
    slopes = [plain_slope(class_sizes, alpha) for alpha in (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)]
    if "alpha" not in found.parameters:
        assert found.uniques is None
        assert max(slopes) <= 1e-6
    else:
        below = [
            slope for slope, alpha in zip(slopes, (0.001, 0.01, 0.1), strict=False) if alpha < found.parameters["alpha"]
        ]
        assert min(below, default=1) > -1e-6
        assert plain_slope(class_sizes, min(found.parameters["alpha"] * 1.05, 0.9999)) < 1e-6


def test_it_is_the_most_likely_pair():
    class_sizes = [1] * 80 + [2] * 15 + [3] * 6 + [7, 9, 20, 55]

    def log_likelihood(theta, alpha):
        u, n = len(class_sizes), sum(class_sizes)
        seated = math.fsum(math.log(i - alpha) for size in class_sizes for i in range(1, size))
        opened = math.fsum(math.log(theta + i * alpha) for i in range(1, u))
        return opened + seated - math.fsum(math.log(theta + i) for i in range(1, n))

    found = pitman(classes_of(class_sizes), 10**6).parameters
    best = log_likelihood(**found)
    for theta in (0.9, 1.1):
        for alpha in (0.95, 1.05):
            assert log_likelihood(found["theta"] * theta, found["alpha"] * alpha) < best


def test_where_nobody_shares_a_class_it_says_so():
    found = pitman(cl.Classes(range(50)), 1000)
    assert (found.uniques, found.share, found.sample_uniques) == (None, None, 50)
    assert "nobody shares a class" in found.reason


def test_where_classes_are_all_alike_it_says_so():
    found = pitman(classes_of([1] + [5] * 30), 10_000)
    assert found.uniques is None
    assert "alpha between 0 and 1" in found.reason


def test_more_uniques_than_people_are_no_estimate():
    # Theta is far above N here, where the formula N^alpha is no longer that of the model.
    found = pitman(classes_of([1] * 1000 + [2] * 20 + [3]), 2000)
    assert found.uniques is None
    assert "more uniques than the population has people" in found.reason
    assert found.parameters["theta"] > 2000


@pytest.mark.parametrize("class_sizes", [[1] * 9 + [2] * 2 + [11], [1] * 60 + [3] * 5 + [400]])
def test_the_parameters_do_not_depend_on_the_population(class_sizes):
    found = [pitman(classes_of(class_sizes), size) for size in (10**4, 10**7, 10**11)]
    assert found[0].parameters == found[1].parameters == found[2].parameters
    slope = math.log(found[2].uniques / found[1].uniques) / math.log(10**4)
    assert slope == pytest.approx(found[0].parameters["alpha"], rel=1e-12)


def test_a_million_classes_and_one_pair():
    found = pitman_of(Sample(np.array([1, 2]), np.array([999_998, 1]), 10**8))
    assert found.uniques is None
    counted = Counter({1: 999_000, 2: 480, 40: 1})
    found = pitman_of(Sample(np.array([*counted]), np.array([*counted.values()]), 10**10))
    assert found.reason is None
    assert 0 < found.uniques < 10**10
