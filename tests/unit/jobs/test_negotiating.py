"""The negotiator: the smallest k of every cell, the cheapest controls for a k, and the picture of both."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.jobs.negotiate import negotiate
from celosia.jobs.negotiate.words import answers, demand, notes
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.thresholds import Thresholds
from celosia.report.language import Language

options = st.fixed_dictionaries(
    {
        "threshold": st.integers(1, 100).map(lambda part: Fraction(part, 100)),
        "k": st.integers(2, 60),
        "strict": st.booleans(),
        "floor": st.integers(2, 6),
    }
)


@given(options)
def test_against_the_definition(given_options):
    found = negotiate(**given_options)
    threshold, k, strict, floor = (given_options[name] for name in ("threshold", "k", "strict", "floor"))
    acceptable = []
    for controls in CONTROLS:
        for motivation in MOTIVATIONS:
            attempt = Grid().attempt(controls, motivation)
            formula = next(
                people
                for people in range(1, 103)
                if attempt / people < threshold or (attempt / people == threshold and not strict)
            )
            assert found.ks[controls][motivation] == max(floor, formula)
            assert ((controls, motivation) in found.floored) == (formula < floor)
            if max(floor, formula) <= k:
                acceptable.append((controls, motivation))
    assert found.acceptable == acceptable
    for motivation in MOTIVATIONS:
        fitting = [controls for controls in ("none", "low", "medium", "high") if (controls, motivation) in acceptable]
        assert found.cheapest(motivation) == (fitting[0] if fitting else None)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_manual_s_medium_harm():
    found = negotiate(harm="medium", k=5)
    assert found.ks == {
        "high": {"low": 3, "medium": 3, "high": 3},
        "medium": {"low": 3, "medium": 3, "high": 3},
        "low": {"low": 4, "medium": 5, "high": 6},
        "none": {"low": 10, "medium": 10, "high": 10},
    }
    assert found.floored == [("high", "low"), ("high", "medium"), ("high", "high"), ("medium", "low")]
    assert {one: found.cheapest(one) for one in MOTIVATIONS} == {"low": "low", "medium": "low", "high": "medium"}
    told = found.to_dict()
    assert told["cheapest"] == {"low": "low", "medium": "low", "high": "medium"}
    assert told["exact"] == {"threshold": "1/10"}
    assert (told["harm"], told["threshold"], told["strict"], told["floor"], told["k"]) == ("medium", 0.1, False, 3, 5)


def test_without_a_k_nothing_is_cheapest():
    found = negotiate("0.1")
    assert found.acceptable is None
    assert found.to_dict()["cheapest"] is None
    with pytest.raises(cl.OptionError, match="depend on k"):
        found.cheapest("low")
    with pytest.raises(cl.OptionError, match="motivation must be one of"):
        negotiate("0.1", k=5).cheapest("none")


def test_a_grid_and_thresholds_of_one_s_own():
    found = negotiate(harm="high", thresholds=Thresholds(high="0.005"), grid=Grid({"high": {"low": "0.01"}}))
    assert found.ks["high"]["low"] == 3
    assert found.ks["none"]["low"] == 200
    assert negotiate(harm="high", grid=Grid({"high": {"low": "0.04"}})).ks["high"]["low"] == 4


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "name the accepted risk once"),
        ({"threshold": 0.1, "harm": "low"}, "name the accepted risk once"),
        ({"threshold": 2}, r"threshold must lie in \(0, 1\]"),
        ({"harm": "lo"}, "harm must be one of"),
        ({"harm": "low", "k": 1}, "k must be a whole number from 2 on"),
        ({"harm": "low", "k": 5.5}, "k must be a whole number from 2 on"),
        ({"harm": "low", "floor": 1}, "floor must be a whole number from 2 on"),
        ({"harm": "low", "strict": "x"}, "strict must be true or false"),
        ({"harm": "low", "grid": {}}, "grid must be a Grid"),
        ({"harm": "low", "thresholds": {}}, "thresholds must be Thresholds"),
    ],
)
def test_what_is_refused(wrong, message):
    with pytest.raises(cl.OptionError, match=message):
        negotiate(**wrong)


def test_the_sentences():
    english = Language("en")
    found = negotiate(harm="medium", k=5)
    assert demand(found, english) == (
        "The smallest k for which P(attempt) / k is at most 10% (the threshold for medium harm)."
    )
    assert answers(found, english) == [
        "Against low motivation and resources, k = 5 needs at least low controls.",
        "Against medium motivation and resources, k = 5 needs at least low controls.",
        "Against high motivation and resources, k = 5 needs at least medium controls.",
    ]
    assert "not public" in notes(found, english)[-1]
    assert "the floor of 3 decides" in notes(found, english)[0]
    assert "lies below 1%" in demand(negotiate("0.01", strict=True), english)
    assert "is enough without any controls" in answers(negotiate("0.1", k=10), english)[0]
    assert "is not enough with any controls" in answers(negotiate("0.001", k=10), english)[0]
    assert answers(negotiate("0.1", k=2), english) == ["k = 2 is below the floor of 3: no controls make it acceptable."]
    assert answers(negotiate("0.1"), english) == []
    assert len(notes(negotiate("0.01"), english)) == 1  # no cell at the floor but by the formula


def shapes(svg: str, kind: str) -> int:
    return sum(one.get("class") == kind for one in ET.fromstring(svg).iter())


def texts(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_picture_shows_every_cell_and_runs_nothing(lang):
    found = negotiate(harm="medium", k=5)
    svg = found.picture(lang)
    said = texts(svg)
    for row in found.ks.values():
        for k in row.values():
            assert any(text.rstrip("*") == f"k = {k}" for text in said)
    assert sum(text == "k = 3*" for text in said) == len(found.floored)
    assert shapes(svg, "enough") == shapes(svg, "tick") == len(found.acceptable) == 8
    assert shapes(svg, "short") == 4
    assert shapes(svg, "cheapest") == 3
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert f'lang="{lang}"' in svg
    share = "3\N{NO-BREAK SPACE}%" if lang == "es" else "3%"
    assert any(text.endswith(f" {share}") for text in said)


def test_the_picture_without_a_k_marks_no_cell():
    svg = negotiate(harm="high").picture()
    assert shapes(svg, "cell") == 12
    assert shapes(svg, "enough") == shapes(svg, "short") == shapes(svg, "cheapest") == 0


SIZES = {"title": 22, "k": 27, "k long": 18, "quiet": 13, "cheapest-text": 13}


def reach(one: ET.Element) -> tuple[float, float]:
    """Return from where to where a text goes; wide fonts take 0.53 of their size for a letter, bold ones 0.64."""
    kind = one.get("class")
    length = len("".join(one.itertext())) * SIZES.get(kind, 14) * (0.53 if kind in ("", "quiet") else 0.64)
    start = float(one.get("x")) - (length / 2 if one.get("text-anchor") == "middle" else 0)
    return start, start + length


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize(
    "asked",
    [{"threshold": "0.000001", "k": 5}, {"threshold": "1/3", "k": 3, "strict": True}, {"harm": "medium", "k": 5}],
)
def test_everything_stands_inside_the_picture(asked, lang):
    root = ET.fromstring(negotiate(**asked).picture(lang))
    width, height = float(root.get("width")), float(root.get("height"))
    for one in root.iter("{http://www.w3.org/2000/svg}text"):
        start, end = reach(one)
        assert start >= 0
        assert end <= width
        assert 0 < float(one.get("y")) < height
        if one.get("class") in ("k", "k long", "cheapest-text"):
            assert end - start < 204 - 16 - 36  # a cell without its margin and its tick


def test_an_unknown_language_is_refused():
    with pytest.raises(cl.OptionError, match="no report in 'fr'"):
        negotiate("0.1").picture("fr")


def test_the_picture_is_written_whole(tmp_path):
    target = negotiate("0.1").write(tmp_path / "k.svg", "es")
    assert target.read_text() == negotiate("0.1").picture("es")
    with pytest.raises(cl.InputError, match="folder does not exist"):
        negotiate("0.1").write(tmp_path / "none" / "k.svg")
