"""Top and bottom coding against plain minimum and maximum."""

from __future__ import annotations

import math
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import InputError, OptionError
from celosia.data.hierarchies import Category
from celosia.masks.base import sheet_of
from celosia.masks.end_codes import BottomCode, TopCode

CELLS = st.lists(st.none() | st.integers(-50, 50), min_size=1, max_size=30)
SHARES = st.sampled_from([0.01, 0.05, 0.1, 0.3, 0.5, 0.9])


def coded(mask, cells, **options):
    return mask.mask(sheet_of(pl.DataFrame({"x": pl.Series(cells)}), **options))


@tries(100)
@given(CELLS, st.integers(-60, 60))
def test_numbers_beyond_the_threshold_become_it(cells, at):
    cells = [*cells, 0]
    top = coded(TopCode(column="x", at=at), cells).frame["x"].to_list()
    bottom = coded(BottomCode(column="x", at=at), cells).frame["x"].to_list()
    assert top == [None if cell is None else min(cell, at) for cell in cells]
    assert bottom == [None if cell is None else max(cell, at) for cell in cells]


@tries(100)
@given(CELLS, st.integers(-60, 60))
def test_a_label_takes_the_threshold_in_unless_it_says_otherwise(cells, at):
    cells = [*cells, at]
    closed = coded(TopCode(column="x", at=at, label=f">={at}"), cells).frame["x"].to_list()
    opened = coded(TopCode(column="x", at=at, label=f">{at}"), cells).frame["x"].to_list()
    low = coded(BottomCode(column="x", at=at, label="few"), cells).frame["x"].to_list()
    assert closed == [None if cell is None else f">={at}" if cell >= at else str(cell) for cell in cells]
    assert opened == [None if cell is None else f">{at}" if cell > at else str(cell) for cell in cells]
    assert low == [None if cell is None else "few" if cell <= at else str(cell) for cell in cells]


@tries(200)
@given(CELLS, SHARES, st.integers(2, 6))
def test_a_share_gives_the_outermost_threshold_that_enough_rows_reach(cells, share, k):
    known = sorted(cell for cell in [*cells, 0] if cell is not None)
    n_wanted = min(max(math.ceil(Fraction(str(share)) * len(known)), k), len(known))
    thresholds = [at for at in known if sum(cell >= at for cell in known) >= n_wanted]
    made = coded(TopCode(column="x", share=share), [*cells, 0], k=k).frame["x"].to_list()
    assert made == [None if cell is None else min(cell, max(thresholds)) for cell in [*cells, 0]]
    mirrored = coded(
        BottomCode(column="x", share=share), [None if cell is None else -cell for cell in [*cells, 0]], k=k
    )
    assert mirrored.frame["x"].to_list() == [None if cell is None else -cell for cell in made]


def test_the_threshold_of_a_share_is_in_no_message():
    sheet = coded(TopCode(column="x", share=0.01), [77777, 77777, 5, 3], k=3)
    assert sheet.frame["x"].to_list() == [5, 5, 5, 3]
    assert all("77777" not in finding.message for finding in sheet.findings)


def test_what_became_of_the_column_is_declared():
    plain = coded(TopCode(column="x", at=1), [1, 2]).changes
    labelled = coded(TopCode(column="x", at=1, label="high"), [1, 2]).changes
    assert [(change.verb, change.kind) for change in plain] == [("perturbed", None)]
    assert [(change.verb, change.kind) for change in labelled] == [("coarsened", Category())]


@pytest.mark.parametrize(
    ("cells", "at", "label", "codes"),
    [
        ([1, 2, 3, 9, 9], 5, None, []),
        ([1, 2, 3, 9, 9], 9, None, ["NO_EFFECT"]),
        ([1, 2, 3, 9, 9], 9, "high", []),
        ([1, 2, 3, 9], 9, "high", ["FEW"]),
        ([1, 2, 3, 9], 5, None, ["FEW"]),
        ([1, 2, 5, 9], 5, None, []),
        ([1, 2, 3, 9], 9, ">9", ["NO_EFFECT"]),
        ([None, None], 9, None, ["NO_EFFECT"]),
    ],
)
def test_findings_of_both_ends(cells, at, label, codes):
    top = coded(TopCode(column="x", at=at, label=label), cells)
    assert [finding.code for finding in top.findings] == [f"TOP_CODE_{code}" for code in codes]
    mirrored = None if label != ">9" else "<-9"
    flipped = [None if cell is None else -cell for cell in cells]
    bottom = coded(BottomCode(column="x", at=-at, label=mirrored or label), flipped)
    assert [finding.code for finding in bottom.findings] == [f"BOTTOM_CODE_{code}" for code in codes]
    assert all(finding.severity == "warning" and str(finding.message) for finding in top.findings + bottom.findings)


def test_few_is_measured_by_what_the_plan_demands():
    assert [finding.code for finding in coded(TopCode(column="x", at=5), [1, 6, 7], k=3).findings] == ["TOP_CODE_FEW"]
    assert coded(TopCode(column="x", at=5), [1, 6, 7], k=2).findings == ()


def test_text_stays_text_and_whole_numbers_whole():
    text = coded(TopCode(column="x", at=2.5), ["1,5", "9,25", None, "007"], decimal=",")
    assert text.frame["x"].to_list() == ["1,5", "2,5", None, "2,5"]
    labelled = coded(TopCode(column="x", at=2.5, label="high"), ["1,50", "9,25", None], decimal=",")
    assert labelled.frame["x"].to_list() == ["1,50", "high", None]
    typed = coded(TopCode(column="x", at=9, label="high"), [1.5, 9.0], decimal=",")
    assert typed.frame["x"].to_list() == ["1,5", "high"]
    assert coded(TopCode(column="x", at=2.0), [1, 5]).frame["x"].dtype == pl.Int64
    assert coded(TopCode(column="x", at=2.5), [1, 5]).frame["x"].to_list() == [1.0, 2.5]
    large = coded(TopCode(column="x", at=2**60), [2**60 + 1, 2**60 - 1]).frame["x"].to_list()
    assert large == [2**60, 2**60 - 1]


@pytest.mark.parametrize("kind", [TopCode, BottomCode])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "none of them"),
        ({"at": 5, "share": 0.1}, "both"),
        ({"at": "5"}, "at is"),
        ({"at": float("nan")}, "at is"),
        ({"share": 0}, "above 0"),
        ({"share": 1}, "below 1"),
        ({"share": True}, "above 0"),
        ({"at": 5, "label": ""}, "empty"),
        ({"at": 5, "label": "*"}, "empty"),
        ({"at": 5, "label": 2.5}, "must be text"),
        ({"at": 5, "label": "5-10"}, "reads as a range"),
        ({"at": 5, "label": ">=6"}, "reads as a range"),
        ({"at": 5, "label": "5"}, "reads as a range"),
        ({"share": 0.1, "label": ">=5"}, "reads as a range"),
    ],
)
def test_options_that_are_not_allowed(kind, options, words):
    with pytest.raises(OptionError, match=words):
        kind(column="x", **options)


def test_the_label_of_the_other_end_is_refused():
    with pytest.raises(OptionError, match="reads as a range") as caught:
        TopCode(column="x", at=5, label="<=5")
    assert caught.value.hint == "write '>=5'."
    with pytest.raises(OptionError, match="reads as a range"):
        BottomCode(column="x", at=5, label=">=5")


def test_cells_that_are_no_numbers_are_refused_without_their_values():
    with pytest.raises(InputError, match="1 of its 2 cells") as caught:
        TopCode(column="x", at=5).apply(pl.DataFrame({"x": ["CANARY", "5"]}))
    assert "CANARY" not in str(caught.value)


def test_options_come_back_as_they_stand_in_a_plan():
    for mask in (
        TopCode(column="x", at=90),
        BottomCode(columns=["x", "y"], share=0.05, label="low"),
        TopCode(column="x", at=90, label=">=90"),
    ):
        again = type(mask)(**mask.to_dict())
        assert again == mask
        assert hash(again) == hash(mask)
    assert TopCode(column="x", at=90).to_dict() == {"columns": ["x"], "at": 90}
    assert TopCode(column="x", at=90) != BottomCode(column="x", at=90)


def test_thresholds_beyond_64_bits():
    assert coded(BottomCode(column="x", at=10**30), [1, None, 3]).frame["x"].to_list() == [1e30, None, 1e30]
    assert coded(TopCode(column="x", at=-(10**30)), [1, 3]).frame["x"].to_list() == [-1e30, -1e30]
    assert coded(TopCode(column="x", at=10**30), [1, 3]).frame["x"].to_list() == [1, 3]
