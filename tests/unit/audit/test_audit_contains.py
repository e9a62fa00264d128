"""Published values: what each contains, and which are malformed."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.audit import AuditInputError, contains


@pytest.mark.parametrize(
    ("published", "original", "expected"),
    [
        ("5", "5", True),
        ("5", "5.0", True),
        ("5", "5,0", True),
        ("5", " 5 ", True),
        ("5", "6", False),
        ("0.1", "0.1", True),
        ("[5, 10]", "5", True),
        ("[5, 10]", "10", True),
        ("[5, 10]", "10.001", False),
        ("[5, 10)", "10", False),
        ("[5, 10)", "9.99", True),
        ("(5, 10]", "5", False),
        ("(5, 10]", "10", True),
        ("[5; 10]", "7", True),
        ("5–10", "7", True),
        ("[-5, -2]", "-3", True),
        ("5-10", "7", True),
        ("5-10", "4", False),
        ("-5--2", "-2", True),
        ("-5--2", "-1", False),
        ("-5-2", "0", True),
        ("40 - 49", "44", True),
        ("1e-07-0.5", "0.1", True),
        ("1e-07", "1e-07", True),
        ("<6", "5.9", True),
        ("<6", "6", False),
        ("<=5", "5", True),
        (">11", "11", False),
        (">11", "12", True),
        (">=12", "12", True),
        ("*", "7", True),
        ("*", None, True),
        (None, None, True),
        (None, "", True),
        (None, "7", False),
        ("5-10", None, False),
        ("5-10", "n/a", False),
        ("5-10", "nan", False),
        ("[9007199254740993, 9007199254740993]", "9007199254740993", True),
        ("[9007199254740993, 9007199254740993]", "9007199254740992", False),
        # Malformed values contain nothing, not even what they may have meant.
        ("2022-2020", "2021", False),
        ("6-4", "5", False),
        ("[6, 4]", "5", False),
        ("[5, 5)", "5", False),
        ("(5, 5]", "5", False),
        ("5, 10", "7", False),
        ("[5, 10", "7", False),
        ("5,5-10", "7", False),
        ("5-", "5", False),
        ("5--", "5", False),
        ("5 to 10", "7", False),
        ("1e999", "1e999", False),
        ("٥", "5", False),
        ("", "7", False),
    ],
)
def test_ranges(published: str | None, original: str | None, expected: bool) -> None:
    assert contains(published, original, "number") is expected
    assert contains(published, original, "intervals") is expected


@pytest.mark.parametrize(
    ("published", "original", "expected"),
    [
        ("[5,5; 10]", "5.5", True),
        ("[5,5; 10]", "5,4", False),
        ("5,5-10", "10", True),
        ("[5,5; 10)", "10", False),
        ("5,5", "5.5", True),
        ("5.5", "5,5", True),
        ("<=5,5", "5,5", True),
        ("[5, 10]", "7", True),
        ("[5.5, 10]", "5.4", False),
        ("[5,10]", "7", False),
    ],
)
def test_decimal_comma(published: str, original: str, expected: bool) -> None:
    assert contains(published, original, "number", decimal=",") is expected


@pytest.mark.parametrize(
    ("low", "high", "original", "expected"),
    [
        ("5", "10", "7", True),
        ("5", "10", "11", False),
        ("10", "5", "7", False),
        ("*", "*", "7", True),
        ("*", "*", None, True),
        ("*", "10", "7", False),
        (None, None, None, True),
        (None, None, "7", False),
        ("5", None, "5", False),
        ("5-6", "10", "7", False),
        ("<5", "10", "7", False),
    ],
)
def test_pairs(low: str | None, high: str | None, original: str | None, expected: bool) -> None:
    assert contains((low, high), original, "number", style="pair") is expected


def test_pair_needs_two_cells() -> None:
    with pytest.raises(AuditInputError, match="two cells"):
        contains("5", "5", "number", style="pair")


def test_centroid_is_exempt() -> None:
    assert contains("7.3", "5", "number", style="centroid")


@pytest.mark.parametrize(
    ("published", "original", "kind", "options", "expected"),
    [
        ("physics / law", "law", "category", {}, True),
        ("physics / law", "art", "category", {}, False),
        ("physics|law", "law", "category", {"separator": "|"}, True),
        ("physics", "physics / law", "category", {}, False),
        ("Jose\u0301", "José", "category", {}, True),
        ("physics / physics", "physics", "category", {}, False),
        ("physics / ", "physics", "category", {}, False),
        ("law", "LAW", "category", {}, False),
        ("*", "law", "category", {}, True),
        ("fail / pass", "pass", "order", {}, True),
        ("fail / fail", "fail", "order", {"style": "set"}, False),
        ("low", "fail", "order", {"ancestors": {"fail": ["low", "*"]}}, True),
        ("370**", "37003", "prefix", {}, True),
        ("370**", "37103", "prefix", {}, False),
        ("370**", "3700", "prefix", {}, True),
        ("3700*", "370", "prefix", {}, False),
        ("370**", "370033", "prefix", {}, False),
        ("*****", "3700", "prefix", {}, True),
        ("*****", None, "prefix", {}, True),
        ("370**", None, "prefix", {}, False),
        ("37003", "37003", "prefix", {}, True),
        ("north", "Oslo", "tree", {"ancestors": {"Oslo": ["Oslo", "north", "*"]}}, True),
        ("south", "Oslo", "tree", {"ancestors": {"Oslo": ["Oslo", "north", "*"]}}, False),
        ("north", "Rome", "tree", {"ancestors": {"Oslo": ["north"]}}, False),
        ("north", "Oslo", "tree", {}, False),
        ("Oslo", "Oslo", "tree", {}, True),
        ("*", "Oslo", "tree", {}, True),
        ("flu", "flu", None, {}, True),
        ("flu", "cold", None, {}, False),
        ("5,50", "5.5", None, {}, True),
        ("TRUE", "true", None, {}, True),
        ("TRUE", "false", None, {}, False),
        ("TRUE", "1", None, {}, False),
        ("2020-03-14T10:30:00", "2020-03-14 10:30:00.000000", None, {}, True),
        ("2020-03-14T10:30:00", "2020-03-14 10:30:01", None, {}, False),
        ("2020-03-14", "2020-03-14 00:00:00", None, {}, True),
        ("2020-13-14", "2020-13-14 00:00:00", None, {}, False),
        ("01001", "1001", "prefix", {}, False),
        ("01001", "1001", "category", {}, False),
    ],
)
def test_labels(
    published: str, original: str | None, kind: str | None, options: dict[str, Any], expected: bool
) -> None:
    assert contains(published, original, kind, **options) is expected


@pytest.mark.parametrize(
    ("published", "original", "expected"),
    [
        ("2020-03-14", "2020-03-14", True),
        ("2020-03-14", "2020-03-14 10:30:00", True),
        ("2020-03-14", "2020-03-15", False),
        ("2020-03", "2020-03-31", True),
        ("2020-02", "2020-02-29", True),
        ("2020-02", "2020-03-01", False),
        ("2020-Q1", "2020-03-31", True),
        ("2020-Q1", "2020-04-01", False),
        ("2020-Q4", "2020-12-31", True),
        ("2020", "2020-12-31", True),
        ("2020", "2021-01-01", False),
        ("2020s", "2029-12-31", True),
        ("2020s", "2019-12-31", False),
        ("9990s", "9999-12-31", True),
        ("2020-Q1", "2020-02", True),
        ("2020-02", "2020-Q1", False),
        ("2020-03", "14/03/2020", True),
        ("2020-03", "14.03.2020", True),
        ("2020-03", "20200314", True),
        ("2020-03", "2020/03/14", True),
        ("*", "2020-03-14", True),
        # No such dates.
        ("2020-02-30", "2020-02-28", False),
        ("2020-13", "2020-12-01", False),
        ("2020-Q5", "2020-12-01", False),
        ("2023s", "2023-01-01", False),
        ("0000", "0001-01-01", False),
        ("2020-3", "2020-03-01", False),
    ],
)
def test_dates(published: str, original: str, expected: bool) -> None:
    assert contains(published, original, "dates") is expected


def test_month_first() -> None:
    assert contains("2020-03", "03/04/2020", "dates", month_first=True)
    assert contains("2020-04", "03/04/2020", "dates")


numbers = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6, allow_nan=False))


@given(numbers, numbers, numbers, st.sampled_from(["bracket", "dash", "half-open"]), st.sampled_from(".,"))
def test_ranges_follow_their_numbers(low: float, high: float, value: float, style: str, decimal: str) -> None:
    """A range that is spelt from two numbers contains exactly the numbers between them."""
    mark = ", " if decimal == "." else "; "
    a, b = (repr(end).replace(".", decimal) for end in (low, high))
    text = f"{a}-{b}" if style == "dash" else f"[{a}{mark}{b}{')' if style == 'half-open' else ']'}"
    expected = low <= value < high if style == "half-open" else low <= value <= high
    assert contains(text, repr(value), "number", decimal=decimal) is expected


@given(st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31)), st.dates())
def test_dates_follow_the_calendar(published: datetime.date, original: datetime.date) -> None:
    year, quarter = f"{published.year:04}", math.ceil(published.month / 3)
    same_year = published.year == original.year
    same_quarter = same_year and quarter == math.ceil(original.month / 3)
    assert contains(year, original.isoformat(), "dates") is same_year
    assert contains(f"{year}-Q{quarter}", original.isoformat(), "dates") is same_quarter
    same_month = same_year and published.month == original.month
    assert contains(f"{year}-{published.month:02}", original.isoformat(), "dates") is same_month
    if published.year >= 10:
        same_decade = published.year // 10 == original.year // 10
        assert contains(f"{year[:3]}0s", original.isoformat(), "dates") is same_decade


@given(st.text(max_size=12), st.text(max_size=12), st.sampled_from(["number", "dates", "prefix", "category", None]))
def test_any_text_is_judged_without_an_exception(published: str, original: str, kind: str | None) -> None:
    assert contains(published, original, kind) in (True, False)


@pytest.mark.parametrize(
    ("published", "styles"),
    [
        ("7", {"bracket", "dash", "label"}),
        ("[5, 10]", {"bracket", "label"}),
        ("[5, 10)", {"bracket", "dash", "label"}),
        ("5-10", {"dash", "label"}),
        ("<11", {"bracket", "dash", "label"}),
        ("*", {"bracket", "dash", "label"}),
    ],
)
def test_a_range_is_spelt_in_the_style_of_its_column(published: str, styles: set[str]) -> None:
    assert {
        style for style in ("bracket", "dash", "label") if contains(published, "7", "number", style=style)
    } == styles


@pytest.mark.parametrize("cells", [("5-10", "10"), ("[5, 5]", "10"), ("5", "<10"), ("5", None), ("*", "10")])
def test_the_ends_of_a_pair_are_single_numbers(cells: tuple[str | None, str | None]) -> None:
    assert contains(("5", "10"), "7", "number", style="pair")
    assert not contains(cells, "7", "number", style="pair")
