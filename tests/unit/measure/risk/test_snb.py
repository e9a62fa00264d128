from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.risk.snb import _n_population_classes, snb, snb_of
from celosia.measure.risk.uniqueness import Sample

sizes = st.lists(st.one_of(st.just(1), st.integers(1, 3), st.integers(1, 80)), min_size=1, max_size=40)


def classes_of(class_sizes):
    return cl.Classes(np.repeat(np.arange(len(class_sizes)), class_sizes))


def summed(n_drawn_of_class, n_classes, a, b, drawn):
    """Return how many of K classes of 1 + NB(a, b) people are expected to have so many in the sample: term by term."""
    terms = []
    for size in range(max(n_drawn_of_class, 1), 60_000):
        others = size - 1
        log_chance = math.lgamma(a + others) - math.lgamma(a) - math.lgamma(size) + a * math.log(b)
        log_chance += others * math.log1p(-b)
        log_kept = (size - n_drawn_of_class) * math.log1p(-drawn) if drawn < 1 else (-math.inf if others else 0.0)
        terms.append(math.comb(size, n_drawn_of_class) * drawn**n_drawn_of_class * math.exp(log_chance + log_kept))
        if size > 50 and terms[-1] < 1e-18 * max(terms):
            break
    return n_classes * math.fsum(terms)


def expected(n_classes, a, b, drawn):
    """Return s_1 and s_2 as the spec's equations give them."""
    d = (1 - drawn) * (1 - b)
    alone = n_classes * drawn * (b / (1 - d)) ** a * (1 + a * d / (1 - d))
    pairs = n_classes * a * b**a * drawn**2 * (1 - b) * (2 - (1 - a) * d) / (2 * (1 - d) ** (a + 2))
    return alone, pairs


def plain_n_classes(class_sizes, drawn):
    """Return the spec's K by exact arithmetic."""
    once = sum(i * drawn**2 * (1 - drawn**2) ** (i - 1) for i in class_sizes)
    seen = sum((1 - drawn) ** i * ((1 + drawn) ** i - 1) for i in class_sizes)
    unseen = sum((1 - drawn) ** i for i in class_sizes)
    alone = sum(i * drawn * (1 - drawn) ** (i - 1) for i in class_sizes)
    return len(class_sizes) + class_sizes.count(1) * (once / seen) * (unseen / alone) ** 2


@given(st.floats(0.05, 6), st.floats(0.03, 0.97), st.floats(0.02, 0.98))
@tries(60)
def test_the_equations_are_the_sums_of_the_model(a, b, drawn):
    alone, pairs = expected(1000, a, b, drawn)
    assert alone == pytest.approx(summed(1, 1000, a, b, drawn), rel=1e-8)
    assert pairs == pytest.approx(summed(2, 1000, a, b, drawn), rel=1e-8)


def test_the_second_equation_divides():
    _, pairs = expected(10_000, 0.7, 0.4, 0.3)
    assert round(pairs, 1) == 811.7 == round(summed(2, 10_000, 0.7, 0.4, 0.3), 1)
    d = 0.7 * 0.6
    assert round(pairs * (1 - d) ** (2 * 2.7), 1) == 42.8  # what multiplying would give


@given(sizes, st.integers(1, 10**4))
def test_the_number_of_classes_against_exact_arithmetic(class_sizes, more):
    n = sum(class_sizes)
    found, counts = np.unique(class_sizes, return_counts=True)
    exact = plain_n_classes(class_sizes, Fraction(n, n + more))
    assert _n_population_classes(Sample(found, counts, n + more)) == pytest.approx(float(exact), rel=1e-11)


@given(sizes, st.one_of(st.integers(1, 100), st.integers(1, 10**9)))
@tries(200)
def test_a_solution_solves_the_equations_as_printed(class_sizes, more):
    size = sum(class_sizes) + more
    found = snb(classes_of(class_sizes), size)
    if "a" not in found.parameters:
        assert found.uniques is None or found.uniques == 0.0
        return
    a, b, n_classes = (found.parameters[name] for name in ("a", "b", "n_classes"))
    assert a > 0
    assert 0 < b < 1
    assert found.uniques == pytest.approx(n_classes * b**a, rel=1e-9)
    assert len(class_sizes) <= n_classes <= size
    assert 0 <= found.uniques <= found.sample_uniques * size / sum(class_sizes) * (1 + 1e-12)
    if b > 1e-9 and 1 - b > 1e-4:  # beyond, the equations as printed lose their digits in 1 - b and 1 - d
        alone, pairs = expected(n_classes, a, b, sum(class_sizes) / size)
        assert alone == pytest.approx(class_sizes.count(1), rel=1e-6)
        assert pairs == pytest.approx(class_sizes.count(2), rel=1e-6)


@given(sizes, st.integers(1, 300))
@tries(60)
def test_without_a_solution_no_pair_of_parameters_comes_near(class_sizes, more):
    n = sum(class_sizes)
    found = snb(classes_of(class_sizes), n + more)
    if found.uniques is not None or 2 not in class_sizes:
        return
    n_classes, drawn = found.parameters["n_classes"], n / (n + more)
    # Along each b the equation of pairs over singles fixes a; singles are then always too few.
    for b in np.linspace(0.01, 0.999, 40):
        low, high = 1e-12, 1e9
        for _ in range(120):
            a = math.sqrt(low * high)
            alone, pairs = expected(1, a, float(b), drawn) if a * -math.log(b) < 600 else (1.0, math.inf)
            low, high = (a, high) if pairs / alone < class_sizes.count(2) / class_sizes.count(1) else (low, a)
        if a * -math.log(b) < 600:
            assert n_classes * alone < class_sizes.count(1) * (1 + 1e-6)


def test_it_finds_the_parameters_of_a_population_that_is_nearly_whole():
    generator = np.random.default_rng(4)
    population = np.repeat(np.arange(40_000), 1 + generator.negative_binomial(0.7, 0.4, 40_000))
    drawn = generator.choice(population, int(0.8 * len(population)), replace=False)
    found = snb(cl.Classes(drawn), len(population)).parameters
    assert found["a"] == pytest.approx(0.7, rel=0.1)
    assert found["b"] == pytest.approx(0.4, rel=0.1)
    assert found["n_classes"] == pytest.approx(40_000, rel=0.02)


def test_without_pairs_it_says_so():
    found = snb(classes_of([1, 1, 3]), 100)
    assert found.uniques is None
    assert "just two people" in found.reason


def test_more_pairs_than_the_model_can_have():
    found = snb(classes_of([1] * 2 + [2] * 60), 130)
    assert found.uniques is None
    assert "no solution" in found.reason


def test_a_tiny_share_of_ten_thousand_million():
    found = snb_of(Sample(np.array([1, 2, 40]), np.array([7, 2, 1]), 10**10))
    assert found.uniques is None or 0 <= found.uniques <= 7 / 51 * 10**10
