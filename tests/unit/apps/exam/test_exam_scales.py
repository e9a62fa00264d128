"""Scales: the grid is fixed, nested, covers the scale, and never straddles the pass mark."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.apps.exam.grids import mark_tree
from celosia.apps.exam.scales import Scale, parse_scale
from celosia.apps.exam.sheets import guessed_top, hinted_ends, is_doubtful
from celosia.data.hierarchies.ranges import parse_range
from celosia.report.language import Language

TENTHS = st.integers(-50, 1200).map(lambda number: Fraction(number, 10))


@st.composite
def scales(draw):
    low, high = sorted(draw(st.lists(TENTHS, min_size=2, max_size=2, unique=True)))
    inside = draw(st.integers(1, 99).map(lambda share: Fraction(share, 100)))
    return Scale(low, high, low + inside * (high - low))


@given(scales(), st.integers(0, 1000).map(lambda share: Fraction(share, 1000)))
def test_each_mark_lies_in_one_cell_of_one_band_of_one_side(scale, share):
    mark = scale.low + share * (scale.high - scale.low)
    cells = [cell for cell in scale.cells if cell.start <= (mark, 0) < cell.stop]
    bands = [band for band in scale.bands if band.range.start <= (mark, 0) < band.range.stop]
    assert len(cells) == len(bands) == 1
    assert scale.band_of(mark) == bands[0]
    side = scale.passed if mark >= scale.pass_mark else scale.failed
    assert side.start <= bands[0].range.start <= cells[0].start < cells[0].stop <= bands[0].range.stop <= side.stop


@given(scales())
def test_no_label_of_the_grid_but_the_star_holds_marks_on_both_sides(scale):
    tree = mark_tree(scale, Language("en"))
    assert {row[-1] for row in tree.rows} == {"*"}
    for label in {label for row in tree.rows for label in row[:-1]}:
        found = parse_range(label[label.index("[") :])
        assert found.high <= scale.pass_mark or found.low >= scale.pass_mark
        assert found.high_open == (found.high < scale.high)


def test_the_usual_bands():
    def bands(scale):
        return {band.name: band.range.text for band in scale.bands}

    tens = {"fail": "[0, 5)", "pass": "[5, 7)", "notable": "[7, 9)", "outstanding": "[9, 10]"}
    assert bands(Scale.of(0, 10)) == tens
    assert bands(Scale.of(0, 5, 3)) == {
        "fail": "[0, 3)",
        "pass": "[3, 3.5)",
        "notable": "[3.5, 4.5)",
        "outstanding": "[4.5, 5]",
    }
    assert bands(Scale.of(0, 20)) == {
        "fail": "[0, 10)",
        "pass": "[10, 14)",
        "notable": "[14, 18)",
        "outstanding": "[18, 20]",
    }
    assert bands(Scale.of(0, 10, 8)) == {"fail": "[0, 8)", "pass": "[8, 9)", "outstanding": "[9, 10]"}
    assert bands(Scale.of(0, 10, 9.5)) == {"fail": "[0, 9.5)", "pass": "[9.5, 10]"}


def test_a_pass_mark_within_a_tenth_is_a_border_of_its_own():
    cells = [cell.text for cell in Scale.of(0, 20, 9.5).cells]
    assert "[8, 9.5)" in cells
    assert "[9.5, 10)" in cells
    assert len(cells) == 11


@pytest.mark.parametrize(("low", "high", "pass_mark"), [(10, 0, 5), (5, 5, 5), (0, 10, 0), (0, 10, 10), (0, 10, 11)])
def test_wrong_scales_are_refused(low, high, pass_mark):
    with pytest.raises(cl.OptionError):
        Scale.of(low, high, pass_mark)


@pytest.mark.parametrize("text", ["", "10", "0-", "0 to 10", "10-0", "a-b", "0-10-20", "5-5"])
def test_a_scale_is_two_numbers(text):
    with pytest.raises(cl.OptionError):
        parse_scale(text)
    assert parse_scale(" 1 – 7 ") == (1, 7)


def test_headers_hint_at_scales():
    low = [Fraction(4)]
    assert hinted_ends("exam (0-20)", low) == (0, 20)
    assert hinted_ends("Nota [1-7]", low) == (1, 7)
    assert hinted_ends("Examen /10", low) == (0, 10)
    assert hinted_ends("Nota sobre 5", low) == (0, 5)
    assert hinted_ends("exam (out of 20)", low) == hinted_ends("exam out of 20", low) == (0, 20)
    assert hinted_ends("parcial (2)", low) is None  # the second one
    assert hinted_ends("parcial (40%)", low) is None  # a weight
    assert hinted_ends("examen (5)", [Fraction(8)]) is None  # marks say otherwise
    assert hinted_ends("exam (20-0)", low) is None


def test_guesses_hold_nine_of_ten_marks():
    def top(*marks):
        return guessed_top({"exam": [Fraction(str(mark)) for mark in marks]})

    assert top(*[4.5] * 9, 4.9) == 5
    assert top(*[6] * 9, 10) == 10
    assert top(*[6] * 19, 75) == 10  # one slip of the keyboard is no other scale
    assert top(12, 15, 18) == 20
    assert top(50, 60, 100) == 100


def test_what_cannot_be_guessed_is_asked_for():
    for marks in ([], [Fraction(1), Fraction(3)], [Fraction(150)] * 5):
        with pytest.raises(cl.InputError):
            guessed_top({"exam": marks})
    assert is_doubtful(Scale.of(0, 10), [Fraction(5)])
    assert not is_doubtful(Scale.of(0, 10), [Fraction(51, 10)])
    assert not is_doubtful(Scale.of(0, 10), [])
