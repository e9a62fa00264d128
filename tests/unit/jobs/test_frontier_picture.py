"""The picture and the page of a frontier say what they must, and nothing stands on anything else."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.jobs.frontier import Frontier, Point
from celosia.jobs.frontier.page import shown_ks
from celosia.jobs.frontier.words import budget
from celosia.report.axes import Scale, apart, k_ticks, loss_ticks, wrapped
from celosia.report.labels import Box, Labels
from celosia.report.language import Language


def example(shares=(0.0,), ks=(2, 3, 5, 10, 20, 50, 100)) -> Frontier:
    made = [
        Point(
            k,
            {name: {}},
            share,
            reached_k=k,
            gcp=round(slope * math.log(k) * (1 - share), 4),
            gcp_published=0.1,
            suppressed=share / 2,
            n_classes=1000 // k,
            risk={"max": 1 / k, "mean": 1 / k, "share_at_risk": 0.0},
            seconds=0.1,
        )
        for share in shares
        for name, slope in (("weave", 0.05), ("mondrian", 0.07), ("hilbert_order", 0.08), ("lattice", 0.15))
        for k in ks
    ]
    return Frontier(points=tuple(made), own=made[2], table="patients.csv", n_rows=1000)


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("shares", [(0.0,), (0.0, 0.02, 0.05)])
def test_the_picture_says_everything_and_runs_nothing(lang, narrow, shares):
    svg = example(shares).picture(lang, bearable_loss=0.2, narrow=narrow)
    said = texts(svg)
    words = " ".join(said)
    for name in ("Weave", "Mondrian", "Hilbert", "Lattice"):
        assert words.count(name) >= len(shares), name
    ticks = ["2", "5", "10", "20", "50", "100"]
    space = "\N{NO-BREAK SPACE}" if lang == "es" else ""
    for k in ticks:
        assert said.count(k) == len(shares), k
        risk = f"{100 / int(k):.3g}{space}%".replace(".", "," if lang == "es" else ".")
        assert said.count(risk) >= len(shares), risk
    assert svg.count('class="own"') == 1
    assert sum(line.endswith(": 50") for line in said) == 1
    for forbidden in ("<script", "javascript:", "http://", "https://", "@import", "url(", "onload"):
        assert forbidden not in svg.replace("http://www.w3.org/2000/svg", ""), forbidden


def test_the_largest_k_of_the_picture_is_that_of_the_figures():
    found = example()
    point = found.largest_k(0.2)
    assert point is not None
    said = texts(found.picture("en", bearable_loss=0.2))
    assert f"largest k: {point.k}" in said
    assert "bearable: 20%" in said
    assert any(f"the largest k is {point.k}, by Weave" in line for line in said)
    nothing = texts(found.picture("en", bearable_loss=0.001))
    assert "No k that was tried loses 0.1% or less." in nothing
    assert not any(line.startswith("largest k") for line in nothing)


def test_lines_stand_where_the_figures_are():
    found = example()
    root = ET.fromstring(found.picture("en"))
    circles = [one for one in root.iter("{http://www.w3.org/2000/svg}circle") if one.get("class") == "f0"]
    places = [(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in circles]
    own = [point for point in found.points if point.name == "weave"]
    assert len(places) == len(own)
    logs, losses = [math.log(point.k) for point in own], [point.loss for point in own]
    for axis, figures in ((0, logs), (1, losses)):
        drawn = np.array([place[axis] for place in places])
        fitted = np.polyval(np.polyfit(figures, drawn, 1), figures)
        assert np.abs(fitted - drawn).max() < 0.1


@pytest.mark.parametrize("ks", [(2,), (7,), (2, 3), (2, 1_000_000)])
def test_odd_ranges_are_drawn(ks):
    found = example(ks=ks)
    for narrow in (False, True):
        ET.fromstring(Frontier(points=found.points).picture("en", bearable_loss=0.1, narrow=narrow))


def test_the_mark_of_a_plan_stands_in_the_nearest_panel_and_says_if_that_is_another():
    points = example((0.0, 0.1)).points

    def marked(share):
        own = Point(5, {"weave": {}}, share, reached_k=5, gcp=0.07)
        root = ET.fromstring(Frontier(points=points, own=own).picture("en"))
        labels = [
            one for one in root.iter("{http://www.w3.org/2000/svg}text") if (one.text or "").startswith("your plan")
        ]
        assert len(labels) == 1
        is_left = float(labels[0].get("x", 0)) < float(root.get("width", 0)) / 2
        return labels[0].text, "left" if is_left else "right"

    assert marked(0.0) == ("your plan", "left")
    assert marked(0.1) == ("your plan", "right")
    assert marked(0.02) == (f"your plan ({budget(0.02, Language('en'))})", "left")
    assert marked(0.07) == (f"your plan ({budget(0.07, Language('en'))})", "right")
    assert "7%" in budget(0.07, Language("en"))


def test_a_frontier_of_nothing_reached_is_drawn():
    found = Frontier(points=(Point(5, {"weave": {}}, 0.0, reason="too few rows."),))
    assert any("1 point is out of reach" in line for line in texts(found.picture("en", bearable_loss=0.5)))


def test_hostile_names_stay_text():
    point = Point(5, {"<script>&": {}}, 0.0, reached_k=5, gcp=0.1, reason=None)
    found = Frontier(points=(point,), table="<b>x</b>", models=({"<i>": {"on": "<u>"}},))
    assert "<script" not in found.picture()


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_page_is_whole_and_runs_nothing(tmp_path, lang):
    found = example((0.0, 0.02))
    path = found.write(tmp_path / "frontier.html", lang, bearable_loss=0.2)
    page = path.read_text(encoding="utf-8")
    assert page.startswith(f'<!DOCTYPE html>\n<html lang="{lang}">')
    assert page.count("<svg") >= 3
    assert "patients.csv" in page
    for forbidden in ("<script", "<link", "<img", "https://", "@import", " src="):
        assert forbidden not in page, forbidden
    assert "prefers-color-scheme: dark" in page
    assert [entry.name for entry in tmp_path.iterdir()] == ["frontier.html"]
    loss = found.points[0].loss
    assert f"{100 * loss:.3g}".replace(".", "," if lang == "es" else ".") in page


def test_the_page_of_an_unreachable_plan_says_so(tmp_path):
    found = Frontier(
        points=(Point(2, {"weave": {}}, 0.0, reached_k=2, gcp=0.1),),
        own=Point(9, {"weave": {}}, 0.0, reason="<too few>"),
    )
    page = found.write(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "&lt;too few&gt;" in page


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(cl.InputError):
        example().write(tmp_path / "nowhere" / "page.html")
    with pytest.raises(cl.OptionError):
        example().write(tmp_path / "page.html", "fr")
    assert not list(tmp_path.iterdir())


def test_few_k_are_shown_all_and_many_by_round_ones():
    assert shown_ks(example()) == [2, 3, 5, 10, 20, 50, 100]
    many = example(ks=tuple(range(2, 101)))
    shown = shown_ks(Frontier(points=many.points, own=Point(17, {"weave": {}}, 0.0, gcp=0.1)))
    assert {2, 17, 100} <= set(shown)
    assert len(shown) < 20


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8))
def test_labels_stand_apart_in_their_order(places):
    moved = apart(places, 10, 0, 100)
    order = sorted(range(len(places)), key=lambda place: places[place])
    ordered = [moved[place] for place in order]
    assert all(later - earlier >= 10 - 1e-6 for earlier, later in pairwise(ordered))
    assert min(moved) >= -1e-6
    assert max(moved) <= 100 + 1e-6


@given(st.integers(2, 50), st.integers(1, 100_000), st.floats(20, 120))
def test_ticks_have_room_and_hold_the_ends(low, span, room):
    scale = Scale(low, low + span, 0, 600, logarithmic=True)
    ticks = k_ticks(scale, room)
    assert {low, low + span} == {ticks[0], ticks[-1]}
    assert all(scale(b) - scale(a) >= room - 1e-9 for a, b in pairwise(ticks))


@given(st.floats(0.0005, 1))
def test_loss_ticks_reach_the_highest(highest):
    ticks = loss_ticks(highest)
    assert ticks[0] == 0
    assert ticks[-1] >= highest - 1e-9
    assert len(ticks) <= 8


@given(st.text(alphabet="ab ", max_size=60), st.integers(5, 20))
def test_wrapping_loses_no_word(text, most):
    lines = wrapped(text, most)
    assert " ".join(lines).split() == text.split()
    assert all(len(line) <= most or " " not in line for line in lines)


def test_a_label_goes_where_it_covers_least():
    labels = Labels(Box(0, 0, 400, 200))
    labels.add_line([(0, 100), (400, 100)])
    assert labels.place("on the line", [(10, 104, "start"), (10, 60, "start")]) == (10, 60, "start")
    assert labels.place("again", [(10, 60, "start"), (10, 150, "start")]) == (10, 150, "start")
    assert labels.place("outside", [(390, 30, "start"), (390, 30, "end")]) == (390, 30, "end")
