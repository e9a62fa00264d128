"""Extremes: who is first or last, far-out secrets, and what has no ends."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

from celosia.measure.traps.amounts import amounts_of
from celosia.measure.traps.base import Published
from celosia.measure.traps.extremes import extremes


def found_in(cells, *, secret=False, k=3, **options):
    frame = pl.DataFrame({"x": cells})
    return extremes(Published(frame, (), ("x",) if secret else (), k=k, **options))


AGES = ["30"] * 4 + ["35"] * 4 + ["41"] * 4


@pytest.mark.parametrize(
    "cells",
    [
        [*AGES, "104"],
        [*(int(age) for age in AGES), 104],
        [*(float(age) for age in AGES), 104.5],
        [*(dt.date(1900 + int(age), 1, 1) for age in AGES), dt.date(2004, 1, 1)],
        [*(f"01/02/19{age}" for age in AGES), "01/02/2004"],
        [*(f"19{age}-02-01 10:30" for age in AGES), "2004-02-01 10:30"],
        [*(f"[{age}, 50]" for age in AGES), "[40, 104]"],
        [*(f"{age}-50" for age in AGES), "40-104"],
        [*(f"[{age},5; 50,5]" for age in AGES), "[40,5; 104,5]"],
        [*AGES, ">=104"],
    ],
    ids=["texts", "whole", "decimal", "days", "days as text", "moments", "brackets", "dashes", "commas", "open end"],
)
def test_an_end_of_one_person_is_found_however_it_is_spelt(cells):
    (found,) = found_in(cells, decimal="," if any("," in str(one) and ";" in str(one) for one in cells) else ".")
    assert (found.code, found.severity, found.n_rows) == ("EXTREMES", "warning", 1)
    assert (found.values["n_low"], found.values["n_high"]) == (4, 1)
    assert "104" not in found.message


def test_the_only_ten_in_participation():
    """A17 on the paper's first table."""
    participation = [6, 10, 5, 4, 5, 5, 4, 5, 5]
    (found,) = found_in(participation, k=3)
    assert (found.values["n_low"], found.values["n_high"], found.n_rows) == (2, 1, 3)
    (found,) = found_in(participation, k=2)
    assert found.n_rows == 1
    coded = [min(mark, 6) for mark in participation]
    assert found_in(coded, k=2) == []


@pytest.mark.parametrize(
    "cells",
    [
        AGES,
        [*AGES, "*", None, ""],
        [*AGES, ">=90", ">=90", ">=90"],
        ["7"],
        ["7", "7"],
        ["28001", "37003", "46010"],  # codes of one length
        ["01", "7", "12"],  # a zero in front
        ["2020-01", "2020-12", "1999-03"],  # months
        ["a", "b"],
        ["5", "b"],
        ["*", "*"],
        [None, None],
        [],
        [True, False],
    ],
    ids=str,
)
def test_no_end_stands_out(cells):
    assert found_in(pl.Series(cells, dtype=None if cells else pl.String)) == []


def test_people_are_counted_where_they_are_known():
    frame = pl.DataFrame({"who": [*"abcdefgghh"], "age": [30, 30, 30, 40, 40, 40, 90, 90, 90, 90]})
    assert extremes(Published(frame, k=3)) == []
    (found,) = extremes(Published(frame, subject="who", k=3))
    assert (found.n_rows, found.values["n_high"]) == (4, 4)


def test_a_secret_end_is_a_note_and_one_that_stands_far_out_a_warning():
    pay = np.random.default_rng(2).normal(30_000, 4_000, 500).round(2)
    (usual,) = found_in(pay, secret=True, k=5)
    assert usual.severity == "note"
    (far,) = found_in([*pay, 98_765.43], secret=True, k=5)
    assert (far.severity, far.n_rows) == ("warning", 4)
    assert "98" not in far.message
    few = np.concatenate([pay.clip(24_000, 36_000), [36_000] * 5, [24_000] * 5])
    assert found_in(few, secret=True, k=5) == []


def test_far_out_where_most_rows_have_one_value():
    """The middle half has no spread: the deviation of the rest is taken instead."""
    zeros = [0] * 300 + [50] * 10 + [60] * 10
    assert found_in(zeros, secret=True) == []
    assert [one.severity for one in found_in([*zeros, 61], secret=True)] == ["note"]
    assert [one.severity for one in found_in([*zeros, 99_999], secret=True)] == ["warning"]
    assert [one.severity for one in found_in([0] * 50 + [7], secret=True)] == ["warning"]


def test_untrue_columns_have_no_ends():
    assert found_in([*AGES, "104"], untrue=("x",)) == []


@pytest.mark.parametrize(
    ("text", "low", "high", "closed"),
    [
        ("5", 5, 5, False),
        ("-5", -5, -5, False),
        ("[5, 10]", 5, 10, True),
        ("[5, 10)", 5, 10, False),
        ("[5; 10]", 5, 10, True),
        ("-5--2", -5, -2, True),
        ("1.5 – 2.5", 1.5, 2.5, True),
        ("<6", -np.inf, 6, False),
        (">= 11", 11, np.inf, False),
    ],
)
def test_amounts_are_read(text, low, high, closed):
    found = amounts_of(pl.Series([text, "[1, 2]"]), pl.String())
    assert (found.low[0], found.high[0], bool(found.closed[0])) == (low, high, closed)


def test_a_reversed_range_is_no_amount():
    found = amounts_of(pl.Series(["2022-2020", "2018-2022"]), pl.String())
    assert np.isnan(found.low).tolist() == [True, False]
    assert found.closed.tolist() == [False, True]
