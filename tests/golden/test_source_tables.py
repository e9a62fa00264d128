"""The tables printed in the three source texts, judged by the independent verifier.

The agency's note prints six tables over postcode, age and cholesterol; its last one is called 2-anonymous and is not.
The exam paper prints two 3-anonymous versions of nine rows; both hold a reversed range that is also untrue.
The institution's manual prints ranges and masks that leave single rows standing out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from agency_note import (
    NOTE,
    NOTE_1,
    NOTE_2,
    NOTE_3,
    NOTE_4,
    NOTE_5,
    NOTE_6,
    WIDENED_6,
    Columns,
    table,
)

from celosia.audit import Verdict, class_sizes, measure, truthful_without_order, verify_columns


def claim(k: int, columns: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "celosia": "claim",
        "version": 1,
        "models": [{"k_anonymity": {"k": k}}],
        "columns": columns,
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }


def status(verdict: Verdict) -> dict[str, str]:
    return {check.name: check.status for check in verdict.checks}


# The agency's note

NOTE_COLUMNS = [
    {"name": "postcode", "role": "quasi_identifier", "kind": "prefix", "style": "label"},
    {"name": "age", "role": "quasi_identifier", "kind": "number", "style": "dash"},
    {"name": "cholesterol", "role": "sensitive"},
]
ONE_THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("rows", "sizes", "t_equal"),
    [
        (NOTE_1, [2, 2, 2], 2 * ONE_THIRD),
        (NOTE_2, [1, 1, 1, 1, 2], 2 * ONE_THIRD),
        (NOTE_3, [2, 2, 2], 2 * ONE_THIRD),
        (NOTE_4, [2, 2, 2], 2 * ONE_THIRD),
        (NOTE_5, [1, 1, 1, 1, 1, 1, 2], Fraction(5, 8)),
        (NOTE_6, [1, 2, 2, 2], Fraction(4, 7)),
    ],
    ids=[f"table {number}" for number in range(1, 7)],
)
def test_the_notes_tables(rows: str, sizes: list[int], t_equal: Fraction) -> None:
    columns = table(NOTE, rows)
    result = measure(columns, ["postcode", "age"], ["cholesterol"])
    assert class_sizes(columns, ["postcode", "age"]) == sizes
    assert result["k"] == sizes[0]
    assert result["n_classes"] == len(sizes)
    found = result["sensitive"]["cholesterol"]
    assert (found["l_distinct"], found["l_entropy"], found["alpha"]) == (1, 1.0, 1.0)
    assert found["t_equal"] == float(t_equal)
    assert result["risk"]["prosecutor"]["max"] == 1 / sizes[0]
    assert result["risk"]["prosecutor"]["mean"] == float(Fraction(len(sizes), sum(sizes)))


def test_four_rows_of_the_notes_table_2_are_unique() -> None:
    risk = measure(table(NOTE, NOTE_2), ["postcode", "age"])["risk"]["prosecutor"]
    assert risk == {"max": 1.0, "mean": float(Fraction(5, 6)), "share_at_risk": 1.0}


def test_risk_of_the_notes_table_6() -> None:
    risk = measure(table(NOTE, NOTE_6), ["postcode", "age"])["risk"]["prosecutor"]
    assert risk == {"max": 1.0, "mean": float(Fraction(4, 7)), "share_at_risk": 1.0}


def test_no_beta_protects_the_notes_table_3() -> None:
    found = measure(table(NOTE, NOTE_3), ["postcode", "age"], ["cholesterol"])["sensitive"]["cholesterol"]
    assert (found["beta_basic"], found["beta_enhanced"]) == (2.0, "inf")
    assert found["delta_strict"] == "inf"
    assert found["delta_present"] == pytest.approx(math.log(3))
    assert found["l_recursive"] == {"2": "inf"}


@pytest.mark.parametrize("rows", [NOTE_3, NOTE_4], ids=["table 3", "table 4"])
def test_the_notes_generalisations_are_2_anonymous_and_true(rows: str) -> None:
    verdict = verify_columns(
        table(NOTE, rows), claim(2, NOTE_COLUMNS), original_columns=table(NOTE, NOTE_2), order=range(6)
    )
    assert verdict.holds, verdict
    assert not verify_columns(table(NOTE, rows), claim(3, NOTE_COLUMNS)).holds


def test_the_notes_table_6_is_not_2_anonymous() -> None:
    verdict = verify_columns(
        table(NOTE, NOTE_6), claim(2, NOTE_COLUMNS), original_columns=table(NOTE, NOTE_5), order=range(7)
    )
    assert [check.name for check in verdict.checks if check.status == "failed"] == ["k_anonymity"]


@pytest.mark.parametrize(
    ("rows", "order", "sizes"),
    [
        (NOTE_4, range(6), [2, 2, 2]),
        (WIDENED_6, range(7), [2, 2, 3]),
    ],
    ids=["37891 suppressed as well", "37*** widened to 30 - 49"],
)
def test_both_repairs_of_the_notes_table_6(rows: str, order: range, sizes: list[int]) -> None:
    columns = table(NOTE, rows)
    assert class_sizes(columns, ["postcode", "age"]) == sizes
    assert verify_columns(columns, claim(2, NOTE_COLUMNS), original_columns=table(NOTE, NOTE_5), order=order).holds


# The exam paper

PAPER = "participation exam practicals year lecturer"
QUASI_IDENTIFIERS = PAPER.split()
PAPER_COLUMNS: list[dict[str, Any]] = [
    {"name": name, "role": "quasi_identifier", "kind": "number", "style": "dash"} for name in QUASI_IDENTIFIERS[:-1]
]
PAPER_COLUMNS.append({"name": "lecturer", "role": "quasi_identifier", "kind": "category", "style": "set"})
PAPER_1 = table(
    PAPER,
    """
    6|8|5|2022|Jana Doe
    10|3|5|2021|Jana Doe
    5|6|8|2022|Jana Doe
    4|4|10|2020|John Doe
    5|7|9|2018|John Doe
    5|6|8|2022|John Doe
    4|4|10|2020|Richard Roe
    5|7|9|2018|Richard Roe
    5|6|6|2022|Richard Roe
    """,
)
PAPER_2 = (
    "5-10|3-8|5-8|2021-2022|Jana Doe\n" * 3
    + "4-5|4-7|8-10|2022-2020|John Doe\n" * 3
    + "4-5|4-7|6-10|2022-2020|Richard Roe\n" * 3
)
PAPER_3 = """
5-10|3-8|5-6|2021-2022|Jana Doe / Richard Roe
5-10|3-8|5-6|2021-2022|Jana Doe / Richard Roe
4-5|4-7|8-10|2018-2022|Jana Doe / Richard Roe
4-5|6-4|8-10|2018-2022|John Doe
4-5|6-4|8-10|2018-2022|John Doe
4-5|6-4|8-10|2018-2022|John Doe
4-5|4-7|8-10|2018-2022|Jana Doe / Richard Roe
4-5|4-7|8-10|2018-2022|Jana Doe / Richard Roe
5-10|3-8|5-6|2021-2022|Jana Doe / Richard Roe
"""
PRINTED = pytest.mark.parametrize(
    ("rows", "column", "mend"),
    [(PAPER_2, "year", ("2022-2020", "2018-2022")), (PAPER_3, "exam", ("6-4", "4-7"))],
    ids=["table 2", "table 3"],
)


@PRINTED
def test_the_papers_tables_as_printed_are_refused(rows: str, column: str, mend: tuple[str, str]) -> None:
    """Three rows to a class they have; but the reversed ranges contain nothing."""
    published = table(PAPER, rows)
    assert class_sizes(published, QUASI_IDENTIFIERS) == [3, 3, 3]
    verdict = verify_columns(published, claim(3, PAPER_COLUMNS), original_columns=PAPER_1, order=range(9))
    failed = [check.name for check in verdict.checks if check.status == "failed"]
    assert failed == [f"values of {column!r}", f"truthfulness of {column!r}"]
    assert not truthful_without_order(published, PAPER_1, PAPER_COLUMNS).perfect


@PRINTED
def test_turning_the_reversed_ranges_round_does_not_make_them_true(
    rows: str, column: str, mend: tuple[str, str]
) -> None:
    """2020-2022 leaves out two rows of 2018, and 4-6 leaves out a 7."""
    wrong = mend[0]
    turned = "-".join(reversed(wrong.split("-")))
    published = table(PAPER, rows.replace(wrong, turned))
    verdict = verify_columns(published, claim(3, PAPER_COLUMNS), original_columns=PAPER_1, order=range(9))
    (failed,) = [check for check in verdict.checks if check.status == "failed"]
    assert failed.name == f"truthfulness of {column!r}"
    assert failed.detail.startswith("2 " if column == "year" else "1 ")
    assert failed.detail.endswith("row 5.")
    assert not truthful_without_order(published, PAPER_1, PAPER_COLUMNS).perfect


@PRINTED
def test_the_papers_tables_once_mended_hold(rows: str, column: str, mend: tuple[str, str]) -> None:
    published = table(PAPER, rows.replace(*mend))
    verdict = verify_columns(published, claim(3, PAPER_COLUMNS), original_columns=PAPER_1, order=range(9))
    assert verdict.holds, verdict
    assert measure(published, QUASI_IDENTIFIERS)["k"] == 3
    assert truthful_without_order(published, PAPER_1, PAPER_COLUMNS).perfect
    assert not verify_columns(published, claim(4, PAPER_COLUMNS)).holds


def test_two_rows_of_the_papers_table_1_may_be_one_person() -> None:
    """Rows 3 and 6 carry the same masked identifier and differ in the lecturer alone."""
    who = ["123", "321", "456", "654", "678", "456", "789", "987", "891"]
    columns: Columns = PAPER_1 | {"who": [f"****{digits}" for digits in who]}
    result = measure(columns, QUASI_IDENTIFIERS[:-1], subject="who")
    assert class_sizes(columns, QUASI_IDENTIFIERS[:-1])[-3:] == [2, 2, 2]
    assert (result["k_rows"], result["k"]) == (1, 1)
    pair = {name: [column[2], column[5]] for name, column in columns.items()}
    both = measure(pair, QUASI_IDENTIFIERS[:-1], subject="who")
    assert (both["k_rows"], both["k"]) == (2, 1)


# The institution's manual


def test_the_manuals_overlapping_ranges_leave_one_row_alone() -> None:
    grades = ["8", "9", "9", "10", "11"]
    column = [{"name": "grade", "role": "quasi_identifier", "kind": "intervals", "style": "dash"}]
    printed: Columns = {"grade": ["8-9", "9-10", "9-10", "10-11", "10-11"]}
    assert class_sizes(printed, ["grade"]) == [1, 2, 2]
    assert not verify_columns(printed, claim(2, column), original_columns={"grade": grades}, order=range(5)).holds
    mended: Columns = {"grade": ["8-9", "8-9", "8-9", "10-11", "10-11"]}
    assert verify_columns(mended, claim(2, column), original_columns={"grade": grades}, order=range(5)).holds
    assert class_sizes(mended, ["grade"]) == [2, 3]


def test_the_manuals_masked_numbers_single_out() -> None:
    masked: Columns = {"id": ["10XXXXXXXX", "36XXXXXXXX", "10XXXXXXXX", "28XXXXXXXX", "26XXXXXXXX"]}
    assert class_sizes(masked, ["id"]) == [1, 1, 1, 2]


def test_the_manuals_trailing_blanks_do_not_split_a_class() -> None:
    assert class_sizes({"name": ["José", "José "], "mark": ["3.9", "3.9 "]}, ["name", "mark"]) == [2]
