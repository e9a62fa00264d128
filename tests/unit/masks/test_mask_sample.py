"""Sampling: sizes exactly, chances by counting all samples of a small table under a fixed seed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.base.errors import OptionError, UnreachableError
from celosia.masks.base import Mask, sheet_of
from celosia.masks.sample import Sample


def table(n):
    return pl.DataFrame({"row": range(n), "name": [f"CANARY{row}" for row in range(n)]})


def masked(mask, n_rows, seed=1):
    return mask.mask(sheet_of(table(n_rows), Randomness(seed=seed)))


@given(n_rows=st.integers(1, 60), share=st.integers(1, 100), seed=st.integers(0, 99))
def test_sizes_and_order(n_rows, share, seed):
    expected = round(Fraction(share, 100) * n_rows)
    for mask in (Sample(fraction=share / 100), Sample(n=max(expected, 1))):
        if mask.fraction is not None and expected == 0:
            with pytest.raises(UnreachableError, match="none of the"):
                masked(mask, n_rows, seed)
            continue
        made = masked(mask, n_rows, seed)
        kept = made.frame["row"].to_list()
        assert len(kept) == max(expected, 1)
        assert kept == sorted(set(kept))
        assert made.rows.tolist() == kept
        assert made.frame["name"].to_list() == [f"CANARY{row}" for row in kept]


def test_decimals_are_taken_at_their_word():
    """0.29 of 100 rows are 29, though 0.29 * 100 is 28.999999999999996 in floating point, and 0.145 * 200 is 29."""
    assert masked(Sample(fraction=0.29), 100).n_rows == 29
    assert masked(Sample(fraction=0.145), 200).n_rows == 29


def test_every_sample_is_equally_likely():
    randomness = Randomness(seed=3)
    outcomes = list(combinations(range(5), 2))
    frame = table(5)
    drawn = Counter(tuple(Sample(n=2).mask(sheet_of(frame, randomness)).rows.tolist()) for _ in range(1500))
    assert set(drawn) == set(outcomes)
    assert sum((count - 150) ** 2 / 150 for count in drawn.values()) < 34  # the 0.9999 quantile of 9 degrees


def test_bernoulli_draws_every_row_on_its_own():
    randomness = Randomness(seed=4)
    frame = table(3)
    drawn = Counter()
    for _ in range(2000):
        try:
            drawn[tuple(Sample(fraction=0.3, bernoulli=True).mask(sheet_of(frame, randomness)).rows.tolist())] += 1
        except UnreachableError:
            drawn[()] += 1
    outcomes = [rows for size in range(4) for rows in combinations(range(3), size)]
    expected = {rows: 2000 * 0.3 ** len(rows) * 0.7 ** (3 - len(rows)) for rows in outcomes}
    assert sum((drawn[rows] - mean) ** 2 / mean for rows, mean in expected.items()) < 30  # 7 degrees, 0.9999


def test_the_whole_table():
    assert masked(Sample(fraction=1), 7).n_rows == 7
    assert masked(Sample(n=7), 7).n_rows == 7
    assert masked(Sample(fraction=1, bernoulli=True), 7).n_rows == 7


def test_the_fraction_that_came_out_is_recorded():
    made = masked(Sample(fraction=0.25, bernoulli=True), 1000)
    [finding] = made.findings
    assert (finding.code, finding.severity, finding.column) == ("SAMPLED", "note", None)
    assert finding.values["count"] == made.n_rows != 250
    assert finding.values["total"] == 1000
    assert float(finding.values["fraction"]) == made.n_rows / 1000
    assert "CANARY" not in finding.message
    assert made.changes == ()


def test_without_a_seed_samples_differ():
    mask = Sample(n=50)
    first, second = (mask.mask(sheet_of(table(100))).rows for _ in range(2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize(
    ("mask", "n_rows"),
    [
        (Sample(n=6), 5),
        (Sample(n=1), 0),
        (Sample(fraction=0.1), 4),
        (Sample(fraction=0.5), 0),
        (Sample(fraction=1e-9, bernoulli=True), 10),
    ],
)
def test_samples_that_cannot_be_drawn(mask, n_rows):
    with pytest.raises(UnreachableError) as caught:
        masked(mask, n_rows)
    assert caught.value.hint


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n": 5, "fraction": 0.5},
        {"n": 0},
        {"n": -1},
        {"n": 2.5},
        {"n": True},
        {"n": "5"},
        {"fraction": 0},
        {"fraction": 1.01},
        {"fraction": float("nan")},
        {"fraction": "half"},
        {"fraction": -0.5},
        {"n": 5, "bernoulli": True},
        {"fraction": 0.5, "bernoulli": 1},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError):
        Sample(**options)


@pytest.mark.parametrize("options", [{"n": 5}, {"fraction": 0.5}, {"fraction": 0.5, "bernoulli": True}])
def test_options_as_in_a_plan_file(options):
    mask = Sample(**options)
    assert isinstance(mask, Mask)
    assert mask.to_dict() == options
    assert Sample(**mask.to_dict()) == mask
    assert hash(Sample(**mask.to_dict())) == hash(mask)
    assert mask.uses == ()
