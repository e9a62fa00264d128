"""Estimates on populations whose uniques are known; ``python -m benchmarks.uniqueness_bias`` shows the figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[4]
N_PEOPLE = 30_000


@pytest.fixture
def bias():
    from benchmarks.uniqueness_bias import POPULATIONS, errors

    def measured(population, share, n_people=N_PEOPLE):
        generator = np.random.default_rng(21)
        n_uniques, found = errors(POPULATIONS[population](n_people, generator), share, 4, generator)
        assert n_uniques > 500
        return found

    return measured


@pytest.mark.parametrize(("share", "most"), [(0.05, 0.25), (0.1, 0.15), (0.3, 0.1)])
def test_pitman_on_its_own_model(bias, share, most):
    found = bias("Pitman's model", share)["pitman"]
    assert not np.isnan(found).any()
    assert abs(found.mean()) < most


@pytest.mark.parametrize(("share", "most"), [(0.3, 0.2), (0.5, 0.1), (0.8, 0.05)])
def test_snb_on_its_own_model(bias, share, most):
    found = bias("shifted negative binomial", share)["snb"]
    assert not np.isnan(found).any()
    assert abs(found.mean()) < most


@pytest.mark.parametrize("population", ["uniform", "Zipf", "independent columns", "Pitman's model"])
def test_zayatz_errs_towards_caution_and_less_as_the_sample_grows(bias, population):
    means = [bias(population, share)["zayatz"].mean() for share in (0.02, 0.2, 0.8)]
    assert means[0] > means[1] > means[2] > -0.02
    assert means[2] < 0.1


@pytest.mark.parametrize(
    ("population", "lowest", "highest"),
    [("uniform", 0.3, 1.1), ("Zipf", 0.0, 0.4), ("independent columns", -0.1, 0.3), ("Pitman's model", -0.1, 0.1)],
)
def test_the_rule_at_a_fifth(bias, population, lowest, highest):
    found = bias(population, 0.2)["dankar"]
    assert not np.isnan(found).any()
    assert lowest < found.mean() < highest


def test_the_rule_at_a_tenth_of_independent_columns(bias):
    found = bias("independent columns", 0.1, n_people=100_000)
    assert abs(found["dankar"].mean()) < 0.15 < 0.5 < found["zayatz"].mean()
