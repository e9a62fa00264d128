"""Rounding against its definition in fractions, at random and to the nearest multiple."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trying import tries

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.masks.base import sheet_of
from celosia.masks.coarsening.multiples import Multiples
from celosia.masks.round_ import Round

STEPS = st.sampled_from([1, 2, 3, 5, 10, 0.1, 0.05, 0.25, 2.5, 0.003, 7.0, 1000])
BASES = st.sampled_from([0, 1, 0.5, -0.3, 100])
DECIMALS = st.integers(-3000, 3000).map(lambda units: units / 1000)
NUMBERS = DECIMALS | st.integers(-(10**6), 10**6).map(float) | st.floats(-1e6, 1e6)


def said(number: float) -> Fraction:
    """The number that the shortest text of a double spells."""
    return Fraction(repr(number))


def neighbours(value: float, step: float, base: float) -> tuple[Fraction, Fraction, int]:
    place = math.floor((said(value) - said(base)) / said(step))
    return said(base) + place * said(step), said(base) + (place + 1) * said(step), place


def nearest(value: float, step: float, base: float) -> Fraction:
    low, high, place = neighbours(value, step, base)
    exact = said(value)
    if exact - low == high - exact:
        return low if place % 2 == 0 else high
    return low if exact - low < high - exact else high


@tries(200)
@given(st.lists(NUMBERS, min_size=1, max_size=20), STEPS, BASES)
@example([0.15, 0.25, 0.35, 0.45, -0.05], 0.1, 0)
def test_the_nearest_multiple_is_taken_and_in_the_middle_the_even_one(values, step, base):
    made = Round(column="x", to=step, base=base).apply(pl.DataFrame({"x": values}))["x"].to_list()
    assert [said(number) for number in made] == [nearest(value, step, base) for value in values]


@tries(100)
@given(st.lists(st.integers(-(2**60), 2**60), min_size=1, max_size=20), st.sampled_from([1, 3, 10, 10**12]))
def test_whole_numbers_of_any_length_are_rounded_exactly(values, step):
    made = Round(column="x", to=step).apply(pl.DataFrame({"x": values}))["x"]
    assert made.dtype == pl.Int64
    for value, number in zip(values, made.to_list(), strict=True):
        assert number % step == 0
        rest = value % step
        assert number == value - rest + step * (2 * rest > step or (2 * rest == step and value // step % 2))


@tries(100)
@given(st.lists(NUMBERS, min_size=1, max_size=20), STEPS, BASES, st.integers(0, 5))
def test_at_random_one_of_the_two_neighbours_is_taken(values, step, base, seed):
    mask = Round(column="x", to=step, base=base, random=True)
    made = mask.apply(pl.DataFrame({"x": values}), Randomness(seed))["x"].to_list()
    for value, number in zip(values, made, strict=True):
        low, high, _ = neighbours(value, step, base)
        assert said(number) in ([low] if said(value) == low else [low, high])


def test_at_random_the_mean_is_kept_and_equal_values_are_drawn_apart():
    frame = pl.DataFrame({"x": [12.5] * 40_000 + [19.0] * 40_000})
    made = Round(column="x", to=10, random=True).apply(frame, Randomness(1))["x"].to_numpy()
    assert set(made.tolist()) == {10.0, 20.0}
    # Four standard errors of the mean of 40000 draws with chance 0.25 and 0.9.
    assert abs(made[:40_000].mean() - 12.5) < 4 * 10 * math.sqrt(0.25 * 0.75 / 40_000)
    assert abs(made[40_000:].mean() - 19.0) < 4 * 10 * math.sqrt(0.9 * 0.1 / 40_000)


def test_a_seed_repeats_the_draws_and_no_seed_does_not():
    frame = pl.DataFrame({"x": np.arange(200) / 7})
    mask = Round(column="x", to=1, random=True)
    first, second = (mask.apply(frame, Randomness(3))["x"].to_list() for _ in range(2))
    assert first == second
    assert mask.apply(frame)["x"].to_list() != mask.apply(frame)["x"].to_list()


def test_text_comes_back_as_text_with_its_decimal_mark_and_without_noise_in_the_digits():
    sheet = sheet_of(pl.DataFrame({"x": ["0,34", " 0,16 ", None, "2", "-0,02"]}), decimal=",")
    assert Round(column="x", to=0.1).mask(sheet).frame["x"].to_list() == ["0,3", "0,2", None, "2", "0"]


def test_whole_columns_stay_whole_and_missing_cells_missing():
    frame = pl.DataFrame({"a": [14, None, 16], "b": ["14", None, "16"], "c": [14.0, None, 16.2]})
    made = Round(columns=["a", "b", "c"], to=5).apply(frame)
    assert made["a"].dtype == pl.Int64
    assert made.to_dict(as_series=False) == {
        "a": [15, None, 15],
        "b": ["15", None, "15"],
        "c": [15.0, None, 15.0],
    }


@tries(100)
@given(
    st.lists(st.integers(0, 100).map(lambda units: units / 10), min_size=1),
    st.booleans(),
    STEPS.filter(lambda to: to <= 10),
)
def test_marks_never_leave_their_limits(values, random, step):
    mask = Round(column="x", to=step, random=random, within=[0, 10])
    made = mask.apply(pl.DataFrame({"x": values}), Randomness(1))["x"].to_list()
    assert all(0 <= number <= 10 and (said(number) / said(step)).denominator == 1 for number in made)


def test_the_nearest_multiple_inside_the_limits_replaces_one_outside():
    frame = pl.DataFrame({"x": [1.0, 2.0, 9.9]})
    assert Round(column="x", to=4, within=[1, 10]).apply(frame)["x"].to_list() == [4.0, 4.0, 8.0]


def test_numbers_outside_the_limits_are_refused_with_their_count():
    with pytest.raises(InputError, match="2 of 3 numbers of 'x' lie outside") as caught:
        Round(column="x", to=1, within=[0, 10]).apply(pl.DataFrame({"x": [777.5, 5.0, -888.5]}))
    assert "777" not in str(caught.value)
    assert "888" not in str(caught.value)


def test_rounding_that_changes_nothing_is_found():
    changed = Round(column="x", to=10).mask(sheet_of(pl.DataFrame({"x": [10, 25]})))
    same = Round(column="x", to=5).mask(sheet_of(pl.DataFrame({"x": [10, 25, None]})))
    assert [finding.code for finding in changed.findings] == []
    assert [(finding.code, finding.severity) for finding in same.findings] == [("ROUND_NO_EFFECT", "warning")]
    assert [(change.column, change.verb, change.kind) for change in same.changes] == [("x", "perturbed", None)]


def test_an_empty_column_stays_empty():
    frame = pl.DataFrame({"x": [None, None]}, schema={"x": pl.String})
    assert Round(column="x", to=5, random=True, within=[0, 10]).apply(frame)["x"].to_list() == [None, None]
    assert Round(column="x", to=5).apply(frame.head(0))["x"].to_list() == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"to": 0}, "above 0"),
        ({"to": -1}, "above 0"),
        ({"to": True}, "above 0"),
        ({"to": float("inf")}, "above 0"),
        ({"to": "5"}, "above 0"),
        ({"to": 1e-30}, "too many digits"),
        ({"to": 1.2345678901234567}, "too many digits"),
        ({"to": 5, "base": None}, "base"),
        ({"to": 5, "random": 1}, "true or false"),
        ({"to": 5, "within": [0]}, "two numbers"),
        ({"to": 5, "within": [10, 0]}, "two numbers"),
        ({"to": 5, "within": 3}, "list"),
        ({"to": 5, "within": ["a", 3]}, "number"),
        ({"to": 5, "within": [1, 4]}, "no multiple"),
    ],
)
def test_options_that_are_not_allowed(options, words):
    with pytest.raises(OptionError, match=words):
        Round(column="x", **options)


def test_columns_that_do_not_hold_numbers_are_refused_without_their_values():
    with pytest.raises(InputError, match="1 of its 2 cells") as caught:
        Round(column="x", to=5).apply(pl.DataFrame({"x": ["5", "CANARY"]}))
    assert "CANARY" not in str(caught.value)
    with pytest.raises(ColumnNotFoundError):
        Round(column="y", to=5).apply(pl.DataFrame({"x": [5]}))
    with pytest.raises(InputError, match="1 of 2 numbers of 'x' have too many digits"):
        Round(column="x", to=0.001).apply(pl.DataFrame({"x": [5.0, 1e15]}))


def test_options_come_back_as_they_stand_in_a_plan():
    for mask in (
        Round(column="x", to=5),
        Round(columns=["x", "y"], to=0.1, random=True, base=0.05, within=[0, 10]),
    ):
        again = Round(**mask.to_dict())
        assert again == mask
        assert hash(again) == hash(mask)
    assert Round(column="x", to=5).to_dict() == {"columns": ["x"], "to": 5}


@tries(200)
@given(st.lists(NUMBERS, min_size=1, max_size=20), STEPS, BASES)
def test_multiples_below_and_their_texts(values, step, base):
    multiples = Multiples("test", step, base)
    places = multiples.below(np.array(values, dtype=np.float64), "x")
    for value, place, text in zip(values, places.tolist(), multiples.texts(places, ".").to_list(), strict=True):
        low = said(base) + place * said(step)
        assert low <= said(value) < low + said(step)
        assert Fraction(text) == low
        assert "e" not in text
        assert "." not in text or not text.endswith("0")
