"""Codes of columns against their definition: the rank of each value among the distinct ones, -1 where it is missing."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.data.schema.columns import cleaned, codes_of

COLUMNS = {
    pl.Int64: st.integers(-(2**63), 2**63 - 1),
    pl.UInt64: st.integers(0, 2**64 - 1),
    pl.Int8: st.integers(-128, 127),
    pl.Float64: st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.5]),
    pl.Float32: st.floats(allow_nan=False, width=32),
    pl.Boolean: st.booleans(),
    pl.Date: st.dates(),
    pl.String: st.text(max_size=3),
}


@pytest.mark.parametrize("dtype", COLUMNS, ids=str)
@tries(30)
@given(data=st.data())
def test_codes_are_ranks_of_distinct_values(dtype, data):
    cells = data.draw(st.lists(st.none() | COLUMNS[dtype], max_size=30))
    codes, distinct = codes_of(pl.Series("x", cells, dtype=dtype))
    expected = sorted({cell for cell in cells if cell is not None})
    assert list(distinct) == expected
    assert codes.tolist() == [-1 if cell is None else expected.index(cell) for cell in cells]
    assert {type(value) for value in distinct} == {type(value) for value in expected}


def test_minus_zero_is_zero_whatever_comes_first():
    for cells in ([0.0, -0.0], [-0.0, 0.0], [-0.0]):
        assert [math.copysign(1, value) for value in codes_of(pl.Series(cells))[1]] == [1.0]


def test_not_a_number_is_one_value_where_nobody_cleaned_it():
    codes, distinct = codes_of(pl.Series([math.nan, 1.0, math.nan]))
    assert codes.tolist() == [1, 0, 1]
    assert len(distinct) == 2


@pytest.mark.parametrize(
    ("cells", "missing", "expected", "n_trimmed"),
    [
        (["a", "b"], [], ["a", "b"], 0),
        ([" a", "b"], [], ["a", "b"], 1),
        (["Jose\u0301", None], [], ["Jos\u00e9", None], 0),
        ([" Jose\u0301 ", "n/a"], ["n/a"], ["Jos\u00e9", None], 1),
        (["", "  ", "a"], [], [None, None, "a"], 1),
        ([None, None], [], [None, None], 0),
        ([], [], [], 0),
    ],
)
def test_cleaned_text(cells, missing, expected, n_trimmed):
    column, n_found = cleaned(pl.Series("x", cells, dtype=pl.String), missing)
    assert column.to_list() == expected
    assert n_found == n_trimmed


def test_a_clean_column_is_not_copied():
    for column in (pl.Series("x", ["a", "b", None]), pl.Series("x", [1.5, None]), pl.Series("x", [1, 2])):
        assert cleaned(column)[0] is column
