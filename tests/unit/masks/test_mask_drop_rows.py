from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from agency_note import NOTE, NOTE_5, table
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, UnreachableError
from celosia.data.hierarchies import Number
from celosia.data.masked import Change
from celosia.data.schema.roles import Role
from celosia.masks.base import Mask, sheet_of
from celosia.masks.derive import Derive
from celosia.masks.drop_rows import DropRows

TABLE_5 = pl.DataFrame(table(NOTE, NOTE_5))


@pytest.mark.parametrize(
    "mask",
    [
        DropRows(where='postcode == "50011" and age == 13'),
        DropRows(where="age < 18"),
        DropRows(column="postcode", values=["50011"]),
        DropRows(column="age", values=[13]),
    ],
)
def test_the_agency_notes_table_without_its_last_row(mask):
    made = mask.apply(TABLE_5)
    assert TABLE_5.height == 8
    assert made.equals(TABLE_5.head(7))


def test_rows_keep_their_order_and_their_numbers():
    sheet = DropRows(where="age in [44, 13]").mask(sheet_of(TABLE_5))
    assert sheet.rows.tolist() == [0, 2, 3, 5, 6]
    assert sheet.changes == ()
    (found,) = sheet.findings
    assert (found.code, found.severity) == ("ROWS_DROPPED", "note")
    assert found.message == "3 of 8 rows (37.5%) were dropped by the rule where."


def test_a_condition_that_is_missing_is_not_true():
    frame = pl.DataFrame({"a": [1, None, 3]})
    assert DropRows(where="a > 2").apply(frame)["a"].to_list() == [1, None]
    assert DropRows(where="not a > 2").apply(frame)["a"].to_list() == [None, 3]
    assert DropRows(where="is_missing(a)").apply(frame)["a"].to_list() == [1, 3]


# Outliers, against their definitions in plain Python.


def plain_outliers(numbers, test, limit):
    known = [number for number in numbers if number is not None]
    if test == "iqr":
        first, _, third = statistics.quantiles(known, n=4, method="inclusive")
        low, high = first - limit * (third - first), third + limit * (third - first)
    elif test == "mad":
        centre = statistics.median(known)
        deviation = 1.4826 * statistics.median([abs(number - centre) for number in known])
        low, high = centre - limit * deviation, centre + limit * deviation
    else:
        centre, deviation = statistics.fmean(known), statistics.stdev(known)
        low, high = centre - limit * deviation, centre + limit * deviation
    return [number is not None and not low <= number <= high for number in numbers], low, high


@tries(150)
@given(
    st.lists(st.none() | st.integers(-50, 50), min_size=4, max_size=30).filter(lambda some: len({*some} - {None}) > 1),
    st.sampled_from(["iqr", "mad", "zscore"]),
    st.none() | st.sampled_from([0.5, 1.0, 2.0]),
    st.booleans(),
)
def test_outliers_are_those_of_the_definition(numbers, test, limit, as_text):
    defaults = {"iqr": 1.5, "mad": 3.5, "zscore": 3.0}
    goes, low, high = plain_outliers(numbers, test, limit or defaults[test])
    if any(
        number is not None and min(abs(number - low), abs(number - high)) < 1e-9 * abs(high - low) for number in numbers
    ):
        return  # on the very boundary rounding decides
    frame = pl.DataFrame({"x": numbers}, schema={"x": pl.Int64})
    frame = frame.with_columns(pl.col("x").cast(pl.String)) if as_text else frame
    mask = DropRows(column="x", outliers=test, limit=limit)
    if low == high:
        with pytest.raises(InputError, match="half of the cells of 'x' or more are equal"):
            mask.apply(frame)
    elif all(goes):
        with pytest.raises(UnreachableError):
            mask.apply(frame)
    else:
        assert mask.apply(frame).rows() == [row for row, gone in zip(frame.rows(), goes, strict=True) if not gone]


def test_outliers_on_both_sides_of_several_columns():
    frame = pl.DataFrame({"a": [*range(10), 900, 5], "b": [*range(10), 5, -900]})
    assert DropRows(columns=["a", "b"], outliers="iqr").apply(frame).equals(frame.head(10))
    assert DropRows(column="a", outliers="mad").apply(frame).height == 11


def test_outliers_at_the_edges():
    assert DropRows(column="a", outliers="iqr").apply(pl.DataFrame({"a": [7, 7, 7, None]})).height == 4
    assert DropRows(column="a", outliers="zscore").apply(pl.DataFrame({"a": [None, 3]})).height == 2
    assert (
        DropRows(column="a", outliers="zscore").apply(pl.DataFrame({"a": [None]}, schema={"a": pl.Int64})).height == 1
    )
    huge = pl.DataFrame({"a": [*(1e200 * n for n in range(1, 20)), 1e308]})
    for test in ("iqr", "mad", "zscore"):
        assert DropRows(column="a", outliers=test).apply(huge).equals(huge.head(19))
    with pytest.raises(InputError, match="1 of its 2 cells") as caught:
        DropRows(column="a", outliers="iqr").apply(pl.DataFrame({"a": ["1", "CANARY"]}))
    assert "CANARY" not in str(caught.value)


# Classes that are too small.


@given(
    st.lists(st.tuples(st.none() | st.sampled_from("ab"), st.none() | st.integers(0, 1)), min_size=1, max_size=20),
    st.integers(2, 4),
)
def test_rows_of_small_classes_go(rows, k):
    frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.Int64}, orient="row")
    sizes = Counter(rows)
    wanted = [row for row in rows if sizes[row] >= k]
    mask = DropRows(class_below=k, by=["a", "b"])
    if not wanted:
        with pytest.raises(UnreachableError, match=f"all {len(rows)} rows"):
            mask.apply(frame)
    else:
        assert mask.apply(frame).rows() == wanted


def test_by_default_classes_are_those_of_the_quasi_identifiers():
    frame = pl.DataFrame({"zip": ["1", "1", "2"], "name": ["x", "y", "z"], "age": [1, 2, 2]})
    assert DropRows(class_below=2).mask(sheet_of(frame, quasi_identifiers=("zip",))).frame["zip"].to_list() == [
        "1",
        "1",
    ]
    # What a mask has removed counts no more; what a mask has made does.
    assert DropRows(class_below=2).mask(sheet_of(frame, quasi_identifiers=("zip", "gone"))).n_rows == 2
    made = Derive("old", "age >= 2", role="quasi_identifier").mask(sheet_of(frame, quasi_identifiers=("zip",)))
    assert made.changes[0].role is Role.QUASI_IDENTIFIER
    with pytest.raises(UnreachableError):
        DropRows(class_below=2).mask(made)
    with pytest.raises(OptionError, match="no quasi-identifiers are declared"):
        DropRows(class_below=2).apply(frame)
    with pytest.raises(ColumnNotFoundError, match="did you mean 'zip'"):
        DropRows(class_below=2, by=["zipp"]).apply(frame)
    assert Change("old", "made", Number()).kind == Number()


# The limit.


@tries(200)
@given(st.integers(1, 60), st.integers(0, 59), st.integers(0, 100))
def test_the_limit_is_exact(n_rows, n_gone, percent):
    n_gone = min(n_gone, n_rows - 1)
    frame = pl.DataFrame({"a": np.arange(n_rows)})
    mask = DropRows(where=f"a < {n_gone}", at_most=percent / 100)
    if Fraction(n_gone, n_rows) > Fraction(percent, 100):
        with pytest.raises(UnreachableError, match=f"{n_gone} of {n_rows} rows") as caught:
            mask.apply(frame)
        assert caught.value.exit_code == 3
    else:
        assert mask.apply(frame).height == n_rows - n_gone


def test_three_of_thirty_are_a_tenth():
    frame = pl.DataFrame({"a": np.arange(30)})
    assert DropRows(where="a < 3", at_most=0.1).apply(frame).height == 27
    with pytest.raises(UnreachableError, match=r"4 of 30 rows \(13.3%\) fall under the rule where; at_most is 0.1"):
        DropRows(where="a < 4", at_most=0.1).apply(frame)


def test_all_rows_or_none():
    frame = pl.DataFrame({"a": [1, 2]})
    with pytest.raises(UnreachableError, match="all 2 rows fall under the rule where"):
        DropRows(where="a > 0").apply(frame)
    sheet = DropRows(where="a > 5", at_most=0).mask(sheet_of(frame))
    assert sheet.findings[0].message == "0 of 2 rows (0.0%) were dropped by the rule where."
    assert DropRows(where="a > 0").apply(frame.head(0)).height == 0
    assert DropRows(class_below=2, by=["a"]).apply(frame.head(0)).height == 0
    assert DropRows(column="a", outliers="iqr").apply(frame.head(0)).height == 0


@pytest.mark.parametrize(
    "mask",
    [
        DropRows(where="a > 1", at_most=0.5),
        DropRows(column="a", values=["x", 5]),
        DropRows(columns=["a", "b"], outliers="mad", limit=3),
        DropRows(class_below=3, by=["a", "b"]),
        DropRows(class_below=3),
    ],
)
def test_a_plan_file_gives_it_back(mask):
    assert isinstance(mask, Mask)
    assert DropRows(**mask.to_dict()) == mask
    assert hash(DropRows(**mask.to_dict())) == hash(mask)


def test_what_it_uses():
    assert DropRows(where="a > b").uses == ("a", "b")
    assert DropRows(column="a", values=[1]).uses == ("a",)
    assert DropRows(class_below=2, by=["a", "b"]).uses == ("a", "b")
    assert DropRows(class_below=2).uses == ()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"where": "a > 1", "class_below": 2},
        {"column": "a", "values": [1], "outliers": "iqr"},
        {"values": [1]},
        {"columns": ["a", "b"], "values": [1]},
        {"column": "a", "values": []},
        {"column": "a"},
        {"outliers": "iqr"},
        {"column": "a", "outliers": "nonsense"},
        {"column": "a", "outliers": "iqr", "limit": 0},
        {"column": "a", "outliers": "iqr", "limit": float("inf")},
        {"where": "a > 1", "limit": 3},
        {"where": "a > 1", "column": "a"},
        {"where": "a > 1", "by": ["a"]},
        {"where": "a >"},
        {"class_below": 1},
        {"class_below": 2.5},
        {"class_below": 2, "by": "a"},
        {"class_below": 2, "by": [5]},
        {"class_below": 2, "by": 5},
        {"where": "a > 1", "columns": 5},
        {"column": "a", "columns": ["b"], "values": [1]},
        {"where": "a > 1", "at_most": 1.5},
        {"where": "a > 1", "at_most": -0.1},
        {"where": "a > 1", "at_most": "x"},
        {"where": "a > 1", "at_most": float("nan")},
        {"where": "a > 1", "at_most": True},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(OptionError):
        DropRows(**options)
