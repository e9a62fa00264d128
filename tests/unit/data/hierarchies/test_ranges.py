from __future__ import annotations

from fractions import Fraction

import pytest

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies.ranges import (
    Range,
    check_levels,
    check_ranges,
    locate,
    mend_ranges,
    parse_range,
    parse_ranges,
    range_problems,
)

MANUAL = ["<6", "6-7", "8-9", "9-10", "10-11", ">11"]
MENDED = ["<6", "6-7", "8-9", "10-11", ">11"]


@pytest.mark.parametrize(
    ("text", "low", "high", "low_open", "high_open"),
    [
        ("<6", None, "6", False, True),
        ("<=5", None, "5", False, False),
        ("6-7", "6", "7", False, False),
        ("6 - 7", "6", "7", False, False),
        ("6–7", "6", "7", False, False),
        (" [6, 7] ", "6", "7", False, False),
        ("[6, 7)", "6", "7", False, True),
        ("(6; 7.25]", "6", "7.25", True, False),
        (">11", "11", None, True, False),
        (">= 12", "12", None, False, False),
        ("-5--3", "-5", "-3", False, False),
        ("-5 - 3", "-5", "3", False, False),
        ("-0.5-0.5", "-0.5", "0.5", False, False),
        ("<-2.5", None, "-2.5", False, True),
        ("6", "6", "6", False, False),
        ("[1e-05, 2.5e+16]", "0.00001", "25000000000000000", False, False),
    ],
)
def test_every_form_is_read(text: str, low: str | None, high: str | None, low_open: bool, high_open: bool) -> None:
    expected = Range(Fraction(low) if low else None, Fraction(high) if high else None, low_open, high_open)
    assert parse_range(text) == expected


@pytest.mark.parametrize("text", ["", "six", "6-", "<", "6-7-8", "[6 7]", "[6, 7", "6,5-7,5", "<<6", "*"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(HierarchyError, match="is not a range"):
        parse_range(text)


@pytest.mark.parametrize("text", ["2022-2020", "6-4", "[6, 4]"])
def test_a_range_from_high_to_low_is_refused_with_the_right_order(text: str) -> None:
    with pytest.raises(HierarchyError, match="from high to low") as caught:
        parse_ranges([text])
    assert caught.value.hint in ("write 2020-2022.", "write 4-6.")
    with pytest.raises(HierarchyError, match="from high to low"):
        parse_range(text)


@pytest.mark.parametrize("text", ["(6, 6]", "[6, 6)", "(6, 6)"])
def test_a_range_without_numbers_is_refused(text: str) -> None:
    with pytest.raises(HierarchyError, match="holds no number"):
        parse_range(text)


def test_a_wrong_range_is_named_by_its_position() -> None:
    with pytest.raises(HierarchyError, match="range 2 of 3, '9-8', runs from high to low"):
        parse_ranges(["<6", "9-8", ">11"])


def test_the_manuals_ranges_overlap_and_the_mended_list_is_offered() -> None:
    with pytest.raises(HierarchyError, match=r"ranges 3 and 4 overlap; ranges 4 and 5 overlap\.") as caught:
        check_ranges(parse_ranges(MANUAL), whole=True)
    assert caught.value.hint == 'write "<6", "6-7", "8-9", "10-11", ">11".'
    assert mend_ranges(parse_ranges(MANUAL), whole=True) == MENDED


def test_the_mended_list_is_accepted() -> None:
    check_ranges(parse_ranges(MENDED), whole=True)
    check_ranges(parse_ranges(MENDED), whole=None)


def test_closed_ranges_leave_gaps_between_numbers_with_decimals() -> None:
    with pytest.raises(HierarchyError, match="ranges 1 and 2 leave a gap") as caught:
        check_ranges(parse_ranges(["6-7", "8-9"]), whole=False)
    assert caught.value.hint == 'for numbers with decimals write "[6, 8)", "8-9".'
    check_ranges(parse_ranges(["[6, 8)", "[8, 10)"]), whole=False)
    check_ranges(parse_ranges(["6-7", "8-9"]), whole=True)


def test_a_gap_between_whole_numbers() -> None:
    assert range_problems(parse_ranges(["6-7", "9-10"]), whole=True) == ["ranges 1 and 2 leave a gap"]
    assert mend_ranges(parse_ranges(["6-7", "9-10"]), whole=True) == ["6-8", "9-10"]


def test_a_point_between_two_open_ends_is_a_gap() -> None:
    assert range_problems(parse_ranges(["<6", ">6"]), whole=False) == ["ranges 1 and 2 leave a gap"]
    assert range_problems(parse_ranges(["<=6", ">=6"]), whole=False) == ["ranges 1 and 2 overlap"]
    assert range_problems(parse_ranges(["<6", ">=6"]), whole=False) == []


def test_ranges_out_of_order_are_named_and_sorted() -> None:
    with pytest.raises(HierarchyError, match="ranges 2 and 3 are not in ascending order") as caught:
        check_ranges(parse_ranges(["<6", "8-9", "6-7", ">9"]), whole=True)
    assert caught.value.hint == 'write "<6", "6-7", "8-9", ">9".'


def test_a_range_without_whole_numbers() -> None:
    assert range_problems(parse_ranges(["0-1", "(1, 2)", "2-3"]), whole=True)[0] == "range 2 holds no whole number"


def test_what_fits_one_reading_is_not_refused_before_the_data_are_known() -> None:
    check_ranges(parse_ranges(["[0, 0.5)", "[0.5, 1)"]), whole=None)
    check_ranges(parse_ranges(["6-7", "8-9"]), whole=None)
    with pytest.raises(HierarchyError, match="overlap"):
        check_ranges(parse_ranges(MANUAL), whole=None)


@pytest.mark.parametrize(
    ("texts", "whole", "mended"),
    [
        (["6-7", "6-9"], True, ["6-9"]),
        (["<6", "5.5-7"], False, ["<5.5", "5.5-7"]),
        (["<=5", "6-7", ">7"], False, ["<6", "6-7", ">7"]),
        ([">=8", "9-10"], True, ["8", ">=9"]),
        (["8-20", "9-10"], True, ["8", "9-20"]),
        (["0-2", "1-5", "3-9"], True, ["0-2", "3-9"]),
    ],
)
def test_mending(texts: list[str], whole: bool, mended: list[str]) -> None:
    assert mend_ranges(parse_ranges(texts), whole) == mended
    assert range_problems(parse_ranges(mended), whole) == []


def test_levels_must_nest() -> None:
    fine = parse_ranges(["0-4", "5-9", "10-14", "15-19"])
    check_levels([fine, parse_ranges(["0-9", "10-19"])], whole=True)
    with pytest.raises(HierarchyError, match="range 2 of level 1 lies in no single range of level 2"):
        check_levels([fine, parse_ranges(["0-6", "7-19"])], whole=True)


def test_many_problems_are_cut_short() -> None:
    with pytest.raises(HierarchyError, match="and 4 more"):
        check_ranges(parse_ranges([f"{i}-{i + 1}" for i in range(10)]), whole=False)


def test_values_are_located_by_their_decimal_text() -> None:
    ranges = parse_ranges(["<0.1", "[0.1, 0.3)", ">=0.3"])
    values = [0.05, 0.1, 0.2, 0.3, 7]
    assert locate(ranges, values).tolist() == [0, 1, 1, 2, 2]
    assert [[piece.contains(value) for piece in ranges].index(True) for value in values] == [0, 1, 1, 2, 2]
