"""Gains against their definitions: every order of the columns, walked through."""

from __future__ import annotations

import importlib
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import OptionError
from celosia.base.progress import Quiet
from celosia.measure.risk.distinction import distinction, separation
from celosia.measure.risk.gains import gains

gains_module = importlib.import_module("celosia.measure.risk.gains")


def n_unique(frame: pl.DataFrame, columns) -> int:
    rows = [tuple(row[frame.columns.index(column)] for column in columns) for row in frame.rows()]
    return sum(n == 1 for n in Counter(rows).values())


def plain_shares(frame: pl.DataFrame) -> dict[str, Fraction]:
    """The mean over all orders of the rows that become unique when a column comes, by what all make unique."""
    total = dict.fromkeys(frame.columns, Fraction(0))
    orders = list(permutations(frame.columns))
    for order in orders:
        for place, column in enumerate(order):
            total[column] += n_unique(frame, order[: place + 1]) - n_unique(frame, order[:place])
    return {name: value / len(orders) / n_unique(frame, frame.columns) for name, value in total.items()}


@st.composite
def frames(draw, most_columns=4):
    n_rows, n_columns = draw(st.integers(2, 12)), draw(st.integers(1, most_columns))
    cells = st.one_of(st.none(), st.integers(0, 3))
    columns = {f"c{i}": draw(st.lists(cells, min_size=n_rows, max_size=n_rows)) for i in range(n_columns)}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))


@given(frames())
def test_by_the_definitions(frame):
    found = gains(frame)
    unique = n_unique(frame, frame.columns)
    assert (found.n_unique, found.n_rows, found.n_orders) == (unique, frame.height, None)
    assert (found.distinction, found.separation) == (distinction(frame), separation(frame))
    shares = plain_shares(frame) if unique else dict.fromkeys(frame.columns)
    for one in found.columns:
        others = [name for name in frame.columns if name != one.column]
        n_others = len(set(frame.select(others).rows())) if others else 1
        n_all = len(set(frame.rows()))
        assert one.distinction == distinction(frame, [one.column])
        assert one.separation == separation(frame, [one.column])
        assert one.marginal == float(Fraction(n_all - n_others, frame.height))
        only = Fraction(unique - n_unique(frame, others), unique) if unique else None
        assert one.only_by_it == (None if only is None else float(only))
        assert one.shapley == (None if unique == 0 else float(shares[one.column]))
        assert one.shapley_error is None


@tries(20)
@given(frames(most_columns=3))
def test_estimates_come_close_and_say_what_they_are(frame):
    found = gains(frame, n_orders=300, seed=1)
    assert found.n_orders == 300
    if not found.n_unique:
        assert all(one.shapley is None for one in found.columns)
        return
    shares = plain_shares(frame)
    for one in found.columns:
        assert one.shapley_error is not None
        assert abs(one.shapley - float(shares[one.column])) <= 6 * one.shapley_error + 1e-9
    assert sum(one.shapley for one in found.columns) == pytest.approx(1)


def test_the_standard_error_is_that_of_the_mean():
    frame = pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 0]})
    spread = [gains(frame, n_orders=50, seed=seed).columns[0] for seed in range(200)]
    assert np.std([one.shapley for one in spread]) == pytest.approx(
        np.mean([one.shapley_error for one in spread]), rel=0.2
    )


def test_beyond_the_limit_it_is_estimated_and_says_so(monkeypatch):
    frame = pl.DataFrame({f"c{i}": [0, 1, 2, 3] for i in range(3)})
    assert gains(frame).n_orders is None
    monkeypatch.setattr(gains_module, "_MOST_EXACT_WORK", 4 * 2**3 - 1)
    found = gains(frame)
    assert found.n_orders == 100
    assert all(one.shapley_error > 0 for one in found.columns)


def test_columns_beyond_twenty():
    frame = pl.DataFrame({f"c{i}": [0, 1] for i in range(21)})
    assert gains(frame).n_orders == 100
    assert [one.column for one in gains(frame, ["c7", "c3"]).columns] == ["c7", "c3"]


@pytest.mark.parametrize("rows", [0, 1])
def test_fewer_than_two_rows(rows):
    (one,) = gains(pl.DataFrame({"a": [5] * rows})).columns
    assert one.separation is None
    assert one.shapley is None


def test_to_dict_names_the_columns():
    shown = gains(pl.DataFrame({"a": [1, 2], "b": [1, 1]})).to_dict()
    assert shown["columns"]["a"] == {
        "distinction": 1.0,
        "separation": 1.0,
        "marginal": 0.5,
        "only_by_it": 1.0,
        "shapley": 1.0,
        "shapley_error": None,
    }
    assert shown["columns"]["b"]["shapley"] == 0
    assert shown["n_unique"] == shown["n_rows"] == 2


def test_progress_grows_to_its_end():
    class Heard(Quiet):
        def __init__(self) -> None:
            self.shares: list[float] = []

        def advance(self, share: float) -> None:
            self.shares.append(share)

    chance = np.random.default_rng(1)
    frame = pl.DataFrame({f"c{i}": chance.integers(0, 2, 50) for i in range(6)})
    for options in ({}, {"n_orders": 10}):
        heard = Heard()
        gains(frame, progress=heard, **options)
        assert heard.shares == sorted(heard.shares)
        assert 0.9 < heard.shares[-1] <= 1


@pytest.mark.parametrize("n_orders", [0, 1, True, 2.5])
def test_wrong_options(n_orders):
    with pytest.raises(OptionError):
        gains(pl.DataFrame({"a": [1, 2]}), n_orders=n_orders)
