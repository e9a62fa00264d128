"""Distinction and separation against their definitions, over any columns."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.data.schema import Schema, Table
from celosia.measure.risk.alike import Alike, coded
from celosia.measure.risk.distinction import distinction, estimate_separation, separation

CELLS = st.sampled_from([None, "a", "b", "c", " a", "á"])


@st.composite
def frames(draw, least_rows=0, most_columns=4):
    n_rows = draw(st.integers(least_rows, 12))
    n_columns = draw(st.integers(1, most_columns))
    columns = {f"c{i}": draw(st.lists(CELLS, min_size=n_rows, max_size=n_rows)) for i in range(n_columns)}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def tuples(frame: pl.DataFrame) -> list[tuple]:
    return [tuple(None if cell is None else cell.strip() for cell in row) for row in frame.rows()]


def plain_separation(frame: pl.DataFrame) -> Fraction:
    pairs = list(combinations(tuples(frame), 2))
    return Fraction(sum(one != other for one, other in pairs), len(pairs))


@given(frames())
def test_by_the_definition(frame):
    rows = tuples(frame)
    assert distinction(frame) == (float(Fraction(len(set(rows)), len(rows))) if rows else None)
    assert separation(frame) == (float(plain_separation(frame)) if len(rows) > 1 else None)


@given(frames(least_rows=1), st.data())
def test_columns_that_are_left_out_do_not_count(frame, data):
    chosen = data.draw(st.lists(st.sampled_from(frame.columns), min_size=1, unique=True))
    assert distinction(frame, chosen) == distinction(frame.select(chosen))
    assert separation(frame, chosen) == separation(frame.select(chosen))


def test_the_agency_notes_table_6():
    frame = pl.DataFrame({"x": [0, 0, 1, 1, 2, 2, 3]})
    assert distinction(frame) == 4 / 7
    assert separation(frame) == 6 / 7


def test_columns_of_every_role_can_be_known():
    table = Table(
        pl.DataFrame({"dni": ["1", "2", "3"], "age": ["40", "40.0", "41"], "illness": ["a", "b", "b"], "x": [1, 1, 1]}),
        Schema(identifiers=["dni"], quasi_identifiers={"age": "number"}, sensitive=["illness"], insensitive=["x"]),
    )
    assert distinction(table, ["dni"]) == 1
    assert distinction(table, ["age"]) == 2 / 3  # 40 and 40.0 are one number, as the schema types them
    assert distinction(table.frame, ["age"]) == 1
    assert distinction(table, ["illness", "x"]) == 2 / 3
    assert distinction(table) == 1
    assert separation(table, ["x"]) == 0


def test_missing_is_a_value_and_not_a_number_is_missing():
    frame = pl.DataFrame({"x": [None, float("nan"), 0.0, -0.0]})
    assert distinction(frame) == 0.5
    assert separation(frame) == 4 / 6
    assert distinction(pl.DataFrame({"x": ["", " ", None, "a"]})) == 0.5


@pytest.mark.parametrize("values", [[-(2**63), 0, 2**63 - 1, None], [10**12, 5, 10**12, None], [1, 2, 1, 3]])
def test_whole_numbers_near_and_far(values):
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Int64)})
    assert distinction(frame) == len(set(values)) / 4


def test_other_types_and_frames():
    frame = pl.DataFrame({"day": pl.Series(["2020-01-01", "2020-01-02", "2020-01-01"]).str.to_date(), "b": [True] * 3})
    assert distinction(frame) == 2 / 3
    assert distinction(pd.DataFrame({"x": ["a", "b", None, "a"]})) == 3 / 4
    assert distinction(pl.DataFrame({"x": pl.Series([2**64 - 1, 0, 0], dtype=pl.UInt64)})) == 2 / 3
    assert distinction(pl.DataFrame({"x": [None, None]})) == 1 / 2


def test_many_columns_overflow_no_key():
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 1000, (200, 30))
    codes[150:] = codes[:50]
    frame = pl.DataFrame({f"c{i}": codes[:, i] for i in range(30)})
    assert distinction(frame) == 150 / 200
    assert separation(frame) == float(1 - Fraction(50 * 2, 200 * 199))


@given(frames(least_rows=2))
def test_groups_split_in_any_steps_are_the_same(frame):
    columns = coded(frame)
    at_once = Alike.whole(frame.height).split(columns)
    in_steps = Alike.whole(frame.height)
    for column in columns:
        assert in_steps.n_unique_with([column]) == in_steps.split([column]).n_unique
        in_steps = in_steps.split([column])
    rows = tuples(frame)
    assert at_once.n_unique == in_steps.n_unique == sum(rows.count(row) == 1 for row in rows)
    assert sorted(at_once.sizes) == sorted(in_steps.sizes)


def test_wrong_input():
    frame = pl.DataFrame({"age": [1], "sex": [2]})
    with pytest.raises(ColumnNotFoundError, match="'agge' is not a column") as caught:
        distinction(frame, ["agge"])
    assert "'age'" in caught.value.hint
    with pytest.raises(OptionError, match="at least one column"):
        separation(frame, ["age", "age"])
    with pytest.raises(OptionError, match="no column"):
        separation(frame, [])
    with pytest.raises(InputError):
        distinction(17)


class TestEstimates:
    def test_the_interval_holds_as_often_as_it_says(self):
        chance = np.random.default_rng(3)
        frame = pl.DataFrame({"a": chance.integers(0, 4, 300), "b": chance.integers(0, 2, 300)})
        truth = separation(frame)
        found = [estimate_separation(frame, n_pairs=400, confidence=0.9, seed=seed) for seed in range(60)]
        assert sum(one.low <= truth <= one.high for one in found) >= 54
        assert abs(np.mean([one.separation for one in found]) - truth) < 0.01

    def test_the_reach_is_hoeffdings(self):
        frame = pl.DataFrame({"a": [0, 1] * 50})
        found = estimate_separation(frame, n_pairs=1000, confidence="0.95", seed=1)
        assert found.high - found.low == pytest.approx(2 * np.sqrt(np.log(2 / 0.05) / 2000))
        assert found.to_dict()["n_pairs"] == 1000

    def test_a_row_is_no_pair_with_itself(self):
        found = estimate_separation(pl.DataFrame({"a": [0, 1, 2]}), n_pairs=500, seed=1)
        assert found.separation == found.high == 1
        assert found.low < 1

    def test_tables_are_typed_by_their_schema(self):
        table = Table(pl.DataFrame({"age": ["40", "40.0"] * 9}), Schema(quasi_identifiers={"age": "number"}))
        assert estimate_separation(table, n_pairs=50).separation == 0

    def test_without_pairs_it_is_undefined(self):
        assert estimate_separation(pl.DataFrame({"a": [1]})).separation is None

    @pytest.mark.parametrize("options", [{"n_pairs": 0}, {"n_pairs": True}, {"confidence": 1}, {"confidence": 0}])
    def test_wrong_options(self, options):
        with pytest.raises(OptionError):
            estimate_separation(pl.DataFrame({"a": [1, 2]}), **options)
