"""Section 11 of the institution's manual: thresholds, the grid, the smallest k, and what its text gets wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

import celosia as cl
from celosia.jobs.negotiate import negotiate
from celosia.measure.risk.acquaintance import acquaintance
from celosia.measure.risk.assessment import risk_findings
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.minimal_k import minimal_k
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import Thresholds

ATTEMPTS = ["0.03", "0.05", "0.1", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "1"]
SMALLEST = {
    "0.2": [1, 1, 1, 1, 2, 2, 2, 3, 3, 5],
    "0.1": [1, 1, 1, 2, 3, 3, 4, 5, 6, 10],
    "0.01": [3, 5, 10, 20, 25, 30, 40, 50, 60, 100],
}
"""The smallest k with P(attempt) / k <= threshold, over ATTEMPTS."""
STRICTLY = {
    "0.2": [1, 1, 1, 2, 2, 2, 3, 3, 4, 6],
    "0.1": [1, 1, 2, 3, 3, 4, 5, 6, 7, 11],
    "0.01": [4, 6, 11, 21, 26, 31, 41, 51, 61, 101],
}
"""The same with <, as the manual's step 6 says: one more wherever the quotient is whole."""
GRID = {
    "high": [0.03, 0.05, 0.1],
    "medium": [0.2, 0.25, 0.3],
    "low": [0.4, 0.5, 0.6],
    "none": [1.0, 1.0, 1.0],
}


@pytest.mark.parametrize("read", [str, float, Fraction], ids=["text", "number", "fraction"])
@pytest.mark.parametrize(("strict", "table"), [(False, SMALLEST), (True, STRICTLY)], ids=["at most", "below"])
def test_the_smallest_k_of_every_cell(read, strict, table):
    for threshold, row in table.items():
        found = [
            minimal_k(threshold=read(threshold), attempt=read(attempt), strict=strict, floor=1) for attempt in ATTEMPTS
        ]
        assert found == row, threshold


def test_floating_point_gets_three_strict_cells_wrong():
    """The reason for exact numbers: the loop that anybody would write, in floating point."""
    wrong = []
    for threshold, row in STRICTLY.items():
        for attempt, right in zip(ATTEMPTS, row, strict=True):
            k = 1
            while not float(attempt) / k < float(threshold):
                k += 1
            if k != right:
                wrong.append((threshold, attempt))
    assert wrong == [("0.2", "0.6"), ("0.1", "0.3"), ("0.1", "0.6")]
    for threshold, attempt in wrong:
        assert minimal_k(threshold, attempt, strict=True, floor=1) == STRICTLY[threshold][ATTEMPTS.index(attempt)]


def test_the_formula_gives_one_in_seven_cells_and_the_floor_does_not():
    ones = [
        (threshold, attempt)
        for threshold, row in SMALLEST.items()
        for attempt, k in zip(ATTEMPTS, row, strict=True)
        if k == 1
    ]
    assert len(ones) == 7
    assert {minimal_k(threshold, attempt) for threshold, attempt in ones} == {3}
    assert {minimal_k(threshold, attempt, floor=2) for threshold, attempt in ones} == {2}


def test_the_grid_and_the_thresholds_are_the_manual_s():
    assert Grid().to_dict() == {controls: dict(zip(MOTIVATIONS, row, strict=True)) for controls, row in GRID.items()}
    assert Thresholds().to_dict() == {"low": 0.2, "medium": 0.1, "high": 0.01}


@pytest.mark.parametrize("threshold", ["2", 2, 1.01, 0, "-0.1", "between 0 and 2", True, None])
def test_a_threshold_lies_between_0_and_1_not_2(threshold):
    with pytest.raises(cl.OptionError, match=r"threshold must lie in \(0, 1\]"):
        minimal_k(threshold=threshold, attempt=1)
    assert minimal_k(threshold=1, attempt=1, floor=1) == 1


@pytest.mark.parametrize(
    ("wrong", "about"), [({"low": 0.01, "medium": 0.1, "high": 0.2}, "medium"), ({"high": 0.5}, "high")]
)
def test_greater_harm_never_accepts_a_greater_risk(wrong, about):
    with pytest.raises(cl.OptionError, match="is greater than the one for") as caught:
        Thresholds(**wrong)
    assert caught.value.about == about
    assert Thresholds(low=0.1, high=0.1).of_harm("high") == Fraction(1, 10)


@pytest.mark.parametrize(
    ("wrong", "direction"),
    [
        ({"high": {"medium": 0.02}}, "right"),
        ({"medium": {"low": 0.02}}, "downwards"),
        ({"none": {"high": 0.9}}, "right"),
    ],
)
def test_the_grid_falls_neither_to_the_right_nor_downwards(wrong, direction):
    with pytest.raises(cl.OptionError, match=f"falls (to the )?{direction}"):
        Grid(wrong)


def test_recognition_by_an_acquaintance():
    assert [round(acquaintance(q), 4) for q in (0.01, 0.001, 0.0001)] == [0.7785, 0.1394, 0.0149]
    assert acquaintance(1) == 1.0
    assert acquaintance(1e-12) == pytest.approx(150e-12, rel=1e-9)
    assert [round(float(Acquaintance(q=q).attempt), 4) for q in (0.01, 0.001, 0.0001)] == [0.7785, 0.1394, 0.0149]


def test_the_worst_record_decides_in_every_scenario():
    """A class of 4 among large ones: the mean is tiny, the risk is 1/4 times P(attempt)."""
    rows = cl.Classes([0] * 4 + [1] * 100 + [2] * 100)
    situation = Situation(
        [Insider("medium", "low"), Acquaintance(q="0.001"), Breach(rate="0.27", source="a survey", date="2026-01-31")],
        harm="medium",
    )
    found = situation.assess(rows)
    assert found.data_risk == Fraction(1, 4)
    assert found.mean == Fraction(3, 204)
    risks = {result.name: result.risk for result in found.results}
    assert risks["insider"] == Fraction(1, 20)
    assert risks["breach"] == Fraction(27, 400)
    assert float(risks["acquaintance"]) == pytest.approx(0.1394 / 4, abs=1.3e-5)
    assert found.overall == Fraction(27, 400)
    assert found.holds
    assert risk_findings(found) == []


def test_a_public_release_is_certain_to_be_tried():
    found = Situation([PublicRelease()], harm="medium").assess(cl.Classes([0] * 9))
    assert (found.overall, found.holds, found.minimal_k) == (Fraction(1, 9), False, 10)
    assert "not public" not in found.assumptions[0]


def test_three_assumptions_are_shown_beside_every_result():
    found = Situation([Insider("high", "low")], harm="low").assess(cl.Classes([0] * 5))
    assert [any(word in said for said in found.assumptions) for word in ("not public", "link a person", "content")] == [
        True,
        True,
        True,
    ]
    assert any("not the chance that at least one of many attempts" in said for said in found.assumptions)
    assert set(found.assumptions) <= set(found.to_dict()["assumptions"])


def test_a_lecturer_with_two_students():
    """Each of two students who knows their own mark learns the other's: f - 1 = 1."""
    situation = Situation([Insider("medium", "low")], harm="medium", floor=2)
    alone = Situation([Insider("medium", "low")], harm="medium", floor=2, insiders=1)
    two = cl.Classes([0, 0, 1, 1, 1])
    assert (situation.assess(two).data_risk, alone.assess(two).data_risk) == (Fraction(1, 2), 1)
    assert (situation.minimal_k, alone.minimal_k) == (2, 3)


@pytest.mark.parametrize(("harm", "threshold"), [("low", "0.2"), ("medium", "0.1"), ("high", "0.01")])
@pytest.mark.parametrize(("strict", "table"), [(False, SMALLEST), (True, STRICTLY)], ids=["at most", "below"])
def test_the_negotiator_s_cells_are_those_of_the_table(harm, threshold, strict, table):
    found = negotiate(harm=harm, strict=strict, floor=2)
    right = dict(zip(ATTEMPTS, table[threshold], strict=True))
    for controls in CONTROLS:
        for motivation, attempt in zip(MOTIVATIONS, GRID[controls], strict=True):
            k = right[f"{attempt:g}"]
            assert found.ks[controls][motivation] == max(2, k)
            assert ((controls, motivation) in found.floored) == (k < 2)
