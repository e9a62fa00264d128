"""Ranges that run backwards or overlap, and values of several levels in one column."""

from __future__ import annotations

import polars as pl
import pytest

from celosia.measure.traps import Published
from celosia.measure.traps.levels import mixed_levels
from celosia.measure.traps.ranges import ranges
from celosia.measure.traps.tight_ranges import tight_ranges


def found(trap, values) -> dict[str, int | None]:
    published = Published(pl.DataFrame({"x": values}, strict=False))
    return {finding.code: finding.n_rows for finding in trap(published)}


def test_the_papers_printed_ranges():
    assert found(ranges, ["2021-2022"] * 3 + ["2022-2020"] * 6) == {"RANGE_REVERSED": 6}
    assert found(ranges, ["3-8"] * 3 + ["6-4"] * 3 + ["4-7"] * 3) == {"RANGE_REVERSED": 3}
    assert found(ranges, ["[3, 8]", "[7, 4]", "12"]) == {"RANGE_REVERSED": 1}
    assert found(ranges, ["[7, 4]"] * 4) == {"RANGE_REVERSED": 4}


def test_the_manuals_overlapping_ranges():
    assert found(ranges, ["8-9", "9-10", "9-10", "10-11", "10-11"]) == {"RANGES_OVERLAP": 5}
    assert found(ranges, ["8 – 9", "9 – 10", "10 – 11", "20-21"]) == {"RANGES_OVERLAP": 3}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["9,5-7,0", "5,0-7,0", "6,05-9,0"], {"RANGE_REVERSED": 1}),
        (["[9,5; 7,0]", "[5,0; 7,0]"], {"RANGE_REVERSED": 1}),
        (["[9-7]", "[5-7]", "[6-9]"], {"RANGE_REVERSED": 1}),
        (["2.000-1.000", "1.000-1.500", "500-1.000"], {"RANGE_REVERSED": 1}),
        (["5,5—6,5", "6,5—7,5", "7,5—8,5"], {"RANGES_OVERLAP": 3}),
        (["[50-60]", "[60-70]", "[70-80]"], {"RANGES_OVERLAP": 3}),
        (["1.000-1.500", "1.500-2.000", "2.000-2.500"], {"RANGES_OVERLAP": 3}),
    ],
)
def test_ranges_in_other_spellings(values, expected):
    assert found(ranges, values) == expected


def test_tight_ranges_in_other_spellings():
    for values in (["5,1-6,3", "5,7-7,1", "6,6-8,3"], ["[51-63]", "[57-71]", "[66-83]"]):
        assert found(tight_ranges, values) == {"TIGHT_RANGES": 3}


@pytest.mark.parametrize(
    "values",
    [
        ["500-1.000", "1.001-2.000", "2.001-3.000"],
        ["0-999", "1,000-1,999", "500-2,000"],
        ["2019-2020", "2020-2021", "2021-2022"],
        ["6-7", "8-9", "10-11"],
        ["<6", "6-7", "8-9", "10-11", ">11"],
        ["[8, 9)", "[9, 10)", "[10, 11)"],
        ["[8, 9]", "[9, 10]", "[10, 11]"],
        ["3-7", "5-10", "10-12"],
        ["5-10", "4-5"],
        ["3-5", "5-9", "9-10"],
        ["120-80", "130-85", "110-70"],
        ["3-1", "1-3", "2-2", "0-1"],
        ["3-1", "1-3", "2-1", "1-2", "0-4"],
        ["2022-12", "2022-11", "2021-10"],
        ["12-05", "05-12", "11-30"],
        ["600-123", "601-999", "text"],
        ["-5-3", "4-6"],
        ["30-39", None, "*"],
        ["Soria"],
        [1, 2],
        [],
    ],
)
def test_ranges_that_are_well(values):
    assert found(ranges, values) == {}


@pytest.mark.parametrize(
    ("values", "n_rows"),
    [
        (["24700", "37***", "37***"], 1),
        (["3700*", "37***", "37***", "2470*", "2470*"], 2),
        (["30-39", "30-39", "44", "45"], 2),
        (["[30, 39]", ">=90", "44"], 1),
        (["30-39", "30-39", "44", "*"], 1),
        (["3,5-4,5", "[3,5; 4,5]", "4,0"], 1),
    ],
)
def test_mixed_levels(values, n_rows):
    assert found(mixed_levels, values) == {"MIXED_LEVELS": n_rows}


@pytest.mark.parametrize(
    "values",
    [
        ["28***", "37***"],
        ["30-39", "40-49", "*"],
        ["44", "45"],
        ["J***", "A**"],
        ["flu", "cold"],
        ["30-39", "unknown", "44"],
        ["30-39"],
        ["*", "Soria"],
        [None],
        [1, 2],
        [],
    ],
)
def test_one_level(values):
    assert found(mixed_levels, values) == {}
