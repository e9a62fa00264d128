from __future__ import annotations

import re

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celosia.data.io.formulas import neutralise, neutralised, restore, restored

TRICKY = st.text(alphabet="'\"=+-@\t\r\n \x1c\x1f\x85\xa0\u3000＝＋－＠0123.,eEab", max_size=12)

# The rule as the specification words it, for the reader of a published file; written here a second time.
PUBLISHED_RULE = re.compile("'['\"\\s]*[=+\\-@\t\r＝＋－＠]")


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://example.org","x")',
        "-2+3",
        "@SUM(A1:A9)",
        "\t=1",
        "\tabc",
        "\r=1",
        "+34 600 000 000",
        "  =1",
        "\n=1",
        "\xa0=1",
        "\x1c=1",
        "＝1",
        "＋1",
        "－1",
        "＠x",
        "'=1",
        "'' =1",
        " '=1",
        '"=1',
        "'-5",
        "-",
        "=",
        "--5",
        "-5-10",
        "-1e",
        "-5\n",
        "- 5",
        "-1.2.3",
        "-٣",
    ],
)
def test_dangerous_text_gets_one_apostrophe(text: str) -> None:
    assert neutralise(text) == "'" + text
    assert restore("'" + text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ana",
        "-5",
        "+3.2",
        "-1e5",
        "-3,5",
        "-.5",
        "5",
        " -5 ",
        "+1E-3",
        "a=1",
        "'quoted'",
        "[-5, 10]",
        "*",
    ],
)
def test_harmless_text_stays(text: str) -> None:
    assert neutralise(text) == text
    assert restore(text) == text


@given(st.one_of(TRICKY, st.text()))
@example("'\t=")
@example("' '=1")
@example("'")
def test_every_text_comes_back(text: str) -> None:
    assert restore(neutralise(text)) == text


@given(st.one_of(TRICKY, st.text()))
def test_a_reader_who_knows_only_the_published_rule_gets_every_text_back(text: str) -> None:
    written = neutralise(text)
    assert (written[1:] if PUBLISHED_RULE.match(written) else written) == text


@given(st.one_of(TRICKY, st.text()))
def test_what_is_written_never_starts_a_formula(text: str) -> None:
    written = neutralise(text).lstrip()
    is_number = re.fullmatch(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?", written)
    assert is_number or not written.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))


@given(st.lists(st.one_of(st.none(), TRICKY), max_size=20))
def test_columns_follow_the_same_rule(cells: list[str | None]) -> None:
    frame = pl.DataFrame(
        {"=name": pl.Series(cells, dtype=pl.String), "mark": pl.Series([-5] * len(cells), dtype=pl.Int64)}
    )
    written = neutralised(frame)
    assert written.columns == ["'=name", "mark"]
    assert written["'=name"].to_list() == [None if cell is None else neutralise(cell) for cell in cells]
    assert written["mark"].to_list() == [-5] * len(cells)
    assert restored(written).equals(frame)
