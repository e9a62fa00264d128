"""Minimal keys against a look at every set of columns."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import OptionError
from celosia.base.progress import Quiet
from celosia.data.schema import Schema, Table
from celosia.measure.risk.minimal_keys import minimal_keys


def n_distinct(frame: pl.DataFrame, columns) -> int:
    return len(set(frame.select(columns).rows()))


def plain_keys(frame: pl.DataFrame, n_needed: int, max_size: int) -> set[tuple[str, ...]]:
    sets = chain.from_iterable(combinations(frame.columns, size) for size in range(1, max_size + 1))
    enough = [one for one in sets if n_distinct(frame, one) >= n_needed]
    return {one for one in enough if not any(set(other) < set(one) for other in enough)}


@st.composite
def frames(draw):
    n_rows, n_columns = draw(st.integers(2, 14)), draw(st.integers(1, 6))
    cells = st.one_of(st.none(), st.integers(0, 3))
    columns = {f"c{i}": draw(st.lists(cells, min_size=n_rows, max_size=n_rows)) for i in range(n_columns)}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))


@given(frames(), st.integers(1, 6))
def test_as_many_as_all_columns_tell_apart(frame, max_size):
    found = minimal_keys(frame, max_size=max_size)
    n_needed = n_distinct(frame, frame.columns)
    assert found.n_needed == n_needed
    expected = plain_keys(frame, n_needed, min(max_size, frame.width)) if n_needed > 1 else set()
    assert set(found.keys) == expected
    assert len(found.keys) == len(expected)
    assert [len(key) for key in found.keys] == sorted(len(key) for key in found.keys)
    assert found.n_distinct == [n_distinct(frame, key) for key in found.keys]
    assert found.is_key == (bool(expected) and n_needed == frame.height)


@given(frames(), st.sampled_from(["0.3", "1/2", "0.75", "0.9", "1"]))
def test_sets_of_a_distinction(frame, share):
    found = minimal_keys(frame, distinction=share)
    n_needed = math.ceil(Fraction(share) * frame.height)
    assert found.n_needed == n_needed
    assert set(found.keys) == (plain_keys(frame, n_needed, frame.width) if n_needed > 1 else set())
    assert found.n_distinct == [n_distinct(frame, key) for key in found.keys]


def test_the_order_is_that_of_the_table():
    frame = pl.DataFrame({"z": [1, 1, 2, 2], "id": [1, 2, 3, 4], "a": [1, 2, 1, 2]})
    assert minimal_keys(frame).keys == [("id",), ("z", "a")]
    assert minimal_keys(frame, ["a", "z"]).keys == [("a", "z")]
    assert minimal_keys(frame).to_dict() == {
        "keys": [["id"], ["z", "a"]],
        "n_distinct": [4, 4],
        "is_key": True,
        "n_needed": 4,
        "n_rows": 4,
        "max_size": 3,
    }


def test_identifiers_of_a_table_are_left_out_unless_they_are_asked_for():
    frame = pl.DataFrame({"dni": ["1", "2", "3", "4"], "age": [1, 1, 2, 2], "ill": ["a", "b", "a", "b"]})
    table = Table(frame, Schema(identifiers=["dni"], quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    assert minimal_keys(table).keys == [("age", "ill")]
    assert minimal_keys(table, ["dni", "age"]).keys == [("dni",)]


def test_repeated_rows_do_not_make_the_answer_empty():
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 1]})
    found = minimal_keys(frame)
    assert (found.keys, found.n_needed, found.is_key) == ([("a", "b")], 3, False)
    assert minimal_keys(frame, distinction=1).keys == []


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_rows_that_nothing_tells_apart_need_no_column(rows):
    assert minimal_keys(pl.DataFrame({"a": [7] * rows, "b": [None] * rows})).keys == []


def test_very_many_columns_are_looked_at_in_small_sets():
    frame = pl.DataFrame({f"c{i}": np.arange(8) >> (i % 3) & 1 for i in range(100)})
    found = minimal_keys(frame)
    assert found.max_size == 3
    assert found.keys[0] == ("c0", "c1", "c2")
    assert len(found.keys) == 34 * 33 * 33


def test_progress_is_shown():
    class Heard(Quiet):
        def __init__(self) -> None:
            self.stages: list[str] = []

        def stage(self, name: str) -> None:
            self.stages.append(name)

    heard = Heard()
    minimal_keys(pl.DataFrame({"a": [1, 2]}), progress=heard)
    assert heard.stages == ["keys"]


@pytest.mark.parametrize("options", [{"max_size": 0}, {"max_size": True}, {"max_size": 1.5}, {"distinction": 0}])
def test_wrong_options(options):
    with pytest.raises(OptionError):
        minimal_keys(pl.DataFrame({"a": [1, 2]}), **options)
    with pytest.raises(OptionError):
        minimal_keys(pl.DataFrame({"a": [1, 2]}), distinction="1.1")
