from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.journalist import journalist
from celosia.measure.risk.marketer import marketer
from celosia.measure.risk.prosecutor import prosecutor

AGES = st.integers(30, 34)


def table_of(ages):
    return cl.Table(pl.DataFrame({"age": ages}), cl.Schema(quasi_identifiers={"age": "number"}))


@given(st.lists(AGES, min_size=1, max_size=12), st.lists(AGES, max_size=12), st.fractions("1/9", 1))
def test_against_the_definition(ages, others, threshold):
    people = [*ages, *others]
    chances = [Fraction(1, people.count(age)) for age in ages]
    assert marketer(table_of(ages), threshold, population=pl.DataFrame({"age": people})).to_dict() == {
        "max": float(max(chances)),
        "mean": float(sum(chances) / len(ages)),
        "share_at_risk": float(Fraction(sum(chance > threshold for chance in chances), len(ages))),
        "expected_matches": float(sum(chances)),
    }


def test_the_mean_is_how_many_matches_come_out_right():
    ages = [30, 30, 31, 32, 32, 32]
    town = [*ages, 30, 31, 31, 31, 32]
    rng, n_right, n_trials = np.random.default_rng(1), 0, 20_000
    for place, age in enumerate(ages):
        fitting = [person for person, other in enumerate(town) if other == age]
        n_right += int((rng.choice(fitting, n_trials) == place).sum())
    found = marketer(table_of(ages), population=pl.DataFrame({"age": town}))
    assert found.expected_matches == pytest.approx(n_right / n_trials, abs=0.02)
    assert found.mean == pytest.approx(found.expected_matches / 6)


def test_it_is_never_above_the_journalist_and_differs_where_classes_weigh_more_than_rows():
    town = pl.DataFrame({"age": [30] * 2 + [40] * 98})
    table = table_of([30] + [40] * 98)
    assert marketer(table, population=town).mean == float(Fraction(1, 66))
    assert journalist(table, population=town).mean == 0.02


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_without_a_population_as_many_matches_as_classes(rows):
    found = marketer(cl.Classes(rows))
    assert found.expected_matches == len(set(rows))
    own = prosecutor(cl.Classes(rows))
    assert (found.max, found.mean, found.share_at_risk) == (own.max, own.mean, own.share_at_risk)


def test_rows_of_one_person_are_matched_one_by_one():
    frame = pl.DataFrame({"who": ["a", "a", "b"], "age": [30, 30, 30]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = marketer(table)
    assert (found.mean, found.expected_matches) == (0.5, 1.5)


def test_an_empty_table_has_no_figure():
    assert set(marketer(cl.Classes([])).to_dict().values()) == {None}


def test_wrong_input():
    with pytest.raises(cl.OptionError, match="threshold"):
        marketer(cl.Classes([0]), 0)
    with pytest.raises(cl.OptionError, match="a number of people"):
        marketer(table_of([30]), population=100)
    with pytest.raises(cl.InputError, match="hold more people"):
        marketer(table_of([30, 30]), population=pl.DataFrame({"age": [30]}))
