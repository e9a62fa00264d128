from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import OptionError
from celosia.data.io import parse_numbers


@pytest.mark.parametrize(
    ("cells", "decimal", "expected", "n_failed"),
    [
        (["1", "02", "+3", "-4", None, ""], ".", [1, 2, 3, -4, None, None], 0),
        (["0,03", "1.0"], ".", [0.03, 1.0], 0),
        (["0,03", "1.0"], ",", [0.03, 1.0], 0),
        ([" 3.9 ", "\t4\n"], ".", [3.9, 4.0], 0),
        (["1,234", "2.5"], ".", [None, 2.5], 1),
        (["1.234", "2,5"], ",", [None, 2.5], 1),
        (["1,234", "2,5"], ".", [1.234, 2.5], 0),
        (["1,234", "5,678"], ".", [None, None], 2),
        (["0,125", "12345,678", "1,2345"], ".", [0.125, 12345.678, 1.2345], 0),
        (["1.234,5", "1,234,567", "1.5"], ".", [None, None, 1.5], 2),
        (["1e3", "1,5E-2", "5."], ".", [1000.0, 0.015, 5.0], 0),
        (["inf", "nan", "NaN", "-inf", "1e400", "1.5"], ".", [None] * 5 + [1.5], 5),
        (["n/a", "5"], ".", [None, 5], 1),
        (["9223372036854775807"], ".", [9223372036854775807], 0),
        (["9223372036854775808", "1"], ".", [None, 1], 1),
        (["99999999999999999999", "1.5"], ".", [None, 1.5], 1),
        (["٣", "1_000", "0x1f", "1 000", "--1"], ".", [None] * 5, 5),
        ([None, None], ".", [None, None], 0),
    ],
)
def test_cells(cells: list[str | None], decimal: str, expected: list[float | None], n_failed: int) -> None:
    numbers, n = parse_numbers(pl.Series("mark", cells, dtype=pl.String), decimal)
    assert (numbers.name, numbers.to_list(), n) == ("mark", expected, n_failed)


def test_whole_numbers_stay_whole() -> None:
    assert parse_numbers(pl.Series(["1", "x"]))[0].dtype == pl.Int64
    assert parse_numbers(pl.Series(["1", "2."]))[0].dtype == pl.Float64


def test_numbers_pass_through() -> None:
    assert parse_numbers(pl.Series([1, None], dtype=pl.UInt8))[0].to_list() == [1, None]
    assert parse_numbers(pl.Series([1.5, float("nan")]))[0].to_list() == [1.5, None]


def test_wrong_mark_is_refused() -> None:
    with pytest.raises(OptionError):
        parse_numbers(pl.Series(["1"]), ";")


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)), st.sampled_from(".,")
)
def test_printed_floats_are_read_back_exactly(values: list[float], decimal: str) -> None:
    cells = [repr(value).replace(".", decimal) for value in values]
    numbers, n_failed = parse_numbers(pl.Series(cells, dtype=pl.String), decimal)
    assert n_failed == 0
    assert numbers.to_list() == values


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_printed_integers_are_read_back_exactly(values: list[int]) -> None:
    numbers, n_failed = parse_numbers(pl.Series([str(value) for value in values], dtype=pl.String))
    assert (numbers.to_list(), n_failed) == (values, 0)
