"""Draws: distributions by counting all outcomes of small cases, under fixed seeds."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import erf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.masks.draws import deranged_within_groups, normals, uniforms, within_groups

CODES = st.lists(st.integers(-1, 4), max_size=30).map(np.array).map(lambda codes: codes.astype(np.int32))
# The 0.9999 quantile of chi-square with d degrees of freedom, by Wilson and Hilferty; seeds are fixed, so that a test
# that passes once passes always.
Z = 3.72


def chi_square_bound(d):
    return d * (1 - 2 / (9 * d) + Z * sqrt(2 / (9 * d))) ** 3


def chi_square(counts, outcomes, n_draws):
    expected = n_draws / len(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


def outcomes_within(codes, fixed_points=True):
    """All permutations that leave codes where they are, by trying every permutation."""
    n = len(codes)
    alone = [codes.count(code) == 1 for code in codes]
    return [
        p
        for p in permutations(range(n))
        if all(codes[p[i]] == codes[i] for i in range(n))
        and (fixed_points or all(p[i] != i or alone[i] for i in range(n)))
    ]


@pytest.mark.parametrize("codes", [[0, 0, 0, 0], [1, 0, 1, 0, 1], [2, 1, 2, 0], [0]])
@pytest.mark.parametrize("fixed_points", [True, False])
def test_every_permutation_within_groups_is_equally_likely(codes, fixed_points):
    draw = within_groups if fixed_points else deranged_within_groups
    outcomes = outcomes_within(codes, fixed_points)
    randomness, n_draws = Randomness(seed=5), 300 * len(outcomes)
    drawn = Counter(tuple(draw(randomness, np.array(codes)).tolist()) for _ in range(n_draws))
    assert set(drawn) == set(outcomes)
    if len(outcomes) > 1:
        assert chi_square(drawn, outcomes, n_draws) < chi_square_bound(len(outcomes) - 1)


def test_groups_are_drawn_independently_of_each_other():
    randomness = Randomness(seed=8)
    drawn = Counter(tuple(deranged_within_groups(randomness, np.array([0, 0, 0, 1, 1, 1]))) for _ in range(1200))
    cycles = [(1, 2, 0), (2, 0, 1)]
    outcomes = [(*a, *(3 + row for row in b)) for a, b in product(cycles, cycles)]
    assert set(drawn) == set(outcomes)
    assert chi_square(drawn, outcomes, 1200) < chi_square_bound(3)


@given(codes=CODES, seed=st.integers(0, 99))
def test_rows_never_leave_their_group(codes, seed):
    for draw in (within_groups, deranged_within_groups):
        source = draw(Randomness(seed=seed), codes)
        assert sorted(source.tolist()) == list(range(len(codes)))
        assert (codes[source] == codes).all()


@given(codes=CODES, seed=st.integers(0, 99))
def test_only_groups_of_one_row_keep_a_row_in_place(codes, seed):
    source = deranged_within_groups(Randomness(seed=seed), codes)
    alone = [Counter(codes.tolist())[code] == 1 for code in codes.tolist()]
    assert (source == np.arange(len(codes))).tolist() == alone


def test_many_groups_of_two_are_all_exchanged():
    codes = np.arange(200_000) // 2
    source = deranged_within_groups(Randomness(seed=1), codes)
    assert (source == np.arange(200_000) ^ 1).all()


def test_uniforms_are_multiples_of_two_to_the_minus_53():
    made = uniforms(Randomness(seed=1), 1000)
    assert (made * 2.0**53 == np.floor(made * 2.0**53)).all()
    assert ((made >= 0) & (made < 1)).all()


class Keys(Randomness):
    """A source that gives the least or the greatest key."""

    def __init__(self, key):
        super().__init__(seed=0)
        self.key = key

    def keys(self, n):
        return np.full(n, self.key, dtype=np.uint64)


def test_the_greatest_key_stays_below_one_and_gives_a_finite_normal():
    assert uniforms(Keys(2**64 - 1), 1)[0] == 1 - 2.0**-53
    assert uniforms(Keys(0), 1)[0] == 0
    assert np.isfinite(normals(Keys(2**64 - 1), 3)).all()
    assert np.isfinite(normals(Keys(0), 3)).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3, (1 << 17) - 1, (1 << 17) + 1, 300_001])
def test_as_many_draws_as_asked(n):
    for draw in (uniforms, normals):
        made = draw(Randomness(seed=2), n)
        assert made.shape == (n,)
        assert len(np.unique(made)) == n


def test_distribution_functions():
    """The largest distance of the empirical distribution function (Kolmogorov): 1.95 / sqrt(n) at 0.999."""
    n = 200_000
    steps = np.arange(1, n + 1) / n
    for made, function in (
        (uniforms(Randomness(seed=3), n), lambda x: x),
        (normals(Randomness(seed=3), n), np.vectorize(lambda x: (1 + erf(x / sqrt(2))) / 2)),
    ):
        values = function(np.sort(made))
        assert np.abs(steps - values).max() < 1.95 / sqrt(n)


def test_neighbouring_normals_are_independent():
    made = normals(Randomness(seed=4), 200_001)
    n_pairs = 1 << 16
    both_halves = np.corrcoef(made[:n_pairs], made[n_pairs : 2 * n_pairs])[0, 1]
    assert abs(both_halves) < 4 / sqrt(n_pairs)
    assert abs(np.corrcoef(made[:-1], made[1:])[0, 1]) < 4 / sqrt(200_000)


def test_a_seed_repeats_and_no_seed_does_not():
    for draw in (uniforms, normals):
        assert (draw(Randomness(seed=6), 50) == draw(Randomness(seed=6), 50)).all()
        assert (draw(Randomness(), 50) != draw(Randomness(), 50)).any()
