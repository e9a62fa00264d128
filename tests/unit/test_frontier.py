"""Frontier: points equal runs, answers equal brute force, the picture says what it must."""

from __future__ import annotations

import json
import math
import re
import threading
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.frontiers import Frontier, Point, frontier
from celosia.frontiers.axes import Scale, apart, k_ticks, loss_ticks, wrapped
from celosia.frontiers.defaults import FEW_KS, default_algorithms, default_ks, spread
from celosia.frontiers.labels import Box, Labels
from celosia.frontiers.page import shown_ks


def make_table(n_rows: int = 120, seed: int = 3, **roles) -> cl.Table:
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 80, n_rows),
            "zip": [f"{code:05d}" for code in draw.integers(37000, 37040, n_rows)],
            "ill": draw.choice(["flu", "cold", "hiv"], n_rows),
        }
    )
    schema = cl.Schema(
        quasi_identifiers={"age": cl.Intervals(width=5, levels=4), "zip": cl.Prefix(keep=[5, 4, 3])},
        sensitive=["ill"],
        **roles,
    )
    return cl.Table(frame, schema, name="patients")


def figures_of(release: cl.Release) -> dict:
    summary = release.summary
    return {
        "reached_k": summary["k"],
        "gcp": summary["gcp"],
        "gcp_published": summary["gcp_published"],
        "suppressed": summary["n_suppressed"] / summary["n_rows"],
        "n_classes": summary["n_classes"],
        "risk": summary["risk"]["prosecutor"],
    }


ALGORITHMS = [cl.Weave(passes=3), cl.Mondrian(), cl.HilbertOrder(), cl.KMembers()]


def test_each_point_is_what_a_run_of_the_same_options_and_seed_gives():
    table = make_table()
    demanded = [cl.LDiversity(2, on="ill")]
    found = frontier(table, k=[2, 5, 11], algorithms=ALGORITHMS, max_suppression=[0.0, 0.05], models=demanded, seed=7)
    assert len(found.points) == 3 * 4 * 2
    assert found.n_missing == 0
    by_description = {repr({one.name: one.to_dict()}): one for one in ALGORITHMS}
    for point in found.points:
        plan = cl.Plan(
            models=[cl.KAnonymity(point.k), *demanded],
            algorithm=by_description[repr(point.algorithm)],
            max_suppression=point.max_suppression,
            seed=7,
        )
        wanted = figures_of(plan.run(table))
        assert {key: getattr(point, key) for key in wanted} == wanted


def test_points_come_by_suppression_then_algorithm_then_k():
    found = frontier(make_table(), k=[9, 2, 5, 2], algorithms=ALGORITHMS[:2], max_suppression=[0.1, 0.0], seed=1)
    order = [(point.max_suppression, point.name, point.k) for point in found.points]
    assert order == [(share, name, k) for share in (0.0, 0.1) for name in ("weave", "mondrian") for k in (2, 5, 9)]
    assert found.ks == [2, 5, 9]
    assert found.shares == [0.0, 0.1]
    assert found.algorithms == [{"weave": {"passes": 3}}, {"mondrian": {}}]


def test_a_plan_gives_masks_models_and_its_own_point():
    table = make_table()
    plan = cl.Plan(
        models=[cl.KAnonymity(4), cl.LDiversity(2, on="ill")],
        masks=[cl.Drop(columns=["zip"])],
        algorithm=cl.Mondrian(),
        max_suppression=0.1,
        seed=5,
    )
    found = frontier(table, plan=plan, k=[3, 4], algorithms=[cl.HilbertOrder()])
    assert [list(model) for model in found.models] == [["l_diversity"]]
    release = plan.run(table)
    assert found.own is not None
    assert (found.own.k, found.own.gcp, found.own.max_suppression) == (4, release.loss.gcp, 0.1)
    masked = cl.Plan(models=plan.models, masks=plan.masks, algorithm=cl.HilbertOrder(), seed=5).run(table)
    assert found.points[1].gcp == masked.loss.gcp


def test_a_plan_without_k_has_an_own_point_that_asks_for_none():
    plan = cl.Plan(models=[cl.AverageRisk(0.25)], algorithm=cl.Mondrian(), seed=1)
    found = frontier(make_table(), plan=plan, k=[3], algorithms=[cl.Mondrian()])
    assert found.own is not None
    assert found.own.k == 1
    assert found.own.reached_k is not None
    ET.fromstring(found.picture())


def test_what_is_out_of_reach_is_a_point_with_a_reason():
    found = frontier(make_table(20), k=[2, 20, 21, 500], algorithms=[cl.Mondrian()], seed=1)
    assert [point.is_reached for point in found.points] == [True, True, False, False]
    beyond = found.points[-1]
    assert beyond.reason == "500-anonymity needs at least 500 rows; patients has 20."
    assert (beyond.gcp, beyond.reached_k, beyond.risk, beyond.seconds) == (None, None, None, None)
    assert len(found.reached) == 2
    assert "out of reach" in found.picture()


def test_k_counts_people_where_rows_are_not_people():
    frame = pl.DataFrame({"who": [str(row // 2) for row in range(20)], "age": range(20)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = frontier(table, k=[5, 10, 11], algorithms=[cl.Mondrian()], seed=1)
    assert [point.is_reached for point in found.points] == [True, True, False]
    assert default_ks(table) == list(range(2, 11))


def test_a_wrong_table_is_refused_as_a_whole():
    frame = pl.DataFrame({"age": [1, 2, 3], "loose": [1, 2, 3]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}))
    with pytest.raises(cl.InputError, match="no role"):
        frontier(table, k=[2], algorithms=[cl.Mondrian()])


@pytest.mark.parametrize(
    "options",
    [
        {"k": []},
        {"k": [1]},
        {"k": [2, True]},
        {"k": [2.5]},
        {"k": 5},
        {"k": "2-5"},
        {"algorithms": []},
        {"algorithms": ["weave"]},
        {"algorithms": [cl.Mondrian]},
        {"max_suppression": []},
        {"max_suppression": [1.5]},
        {"max_suppression": [-0.1]},
        {"max_suppression": [True]},
        {"max_suppression": 0.1},
        {"models": [cl.KAnonymity(3)]},
        {"models": ["l_diversity"]},
        {"models": cl.LDiversity(2, on="ill")},
        {"plan": "plan.yaml"},
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": math.inf},
        {"time_limit": True},
        {"time_limit": "5"},
        {"seed": -1},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(cl.OptionError):
        frontier(make_table(30), **({"k": [2], "algorithms": [cl.Mondrian()]} | options))


def test_a_frame_is_no_table():
    with pytest.raises(cl.InputError, match="Table"):
        frontier(pl.DataFrame({"age": [1]}))


def test_a_time_limit_begins_no_new_points_and_says_how_many_are_missing(monkeypatch):
    table = make_table(40)
    clock = [0.0]
    monkeypatch.setattr("celosia.progress.time.monotonic", lambda: clock[0])
    measure = cl.Plan.measure

    def slow(self, table, progress=None):
        clock[0] += 1.0
        return measure(self, table, progress)

    monkeypatch.setattr(cl.Plan, "measure", slow)
    monkeypatch.setattr("celosia.frontiers.searching.os.cpu_count", lambda: 1)
    found = frontier(table, k=range(2, 12), algorithms=[cl.Mondrian()], time_limit=4, seed=1)
    assert len(found.points) == 4
    assert found.n_missing == 6
    assert found.ks == sorted(spread(range(2, 12))[:4])
    assert {2, 11} <= set(found.ks)
    assert "6 points are missing: the time was up." in re.sub(r"<[^>]*>", " ", found.picture())


class Remembering:
    def __init__(self):
        self.stages, self.shares = [], []

    def stage(self, name):
        self.stages.append(name)

    def advance(self, share):
        self.shares.append(share)

    def found(self, loss):
        raise AssertionError("a loss of one point says nothing about the whole")


def test_progress_goes_from_nothing_to_all():
    shown = Remembering()
    frontier(make_table(40), k=[2, 3, 4], algorithms=[cl.Mondrian()], progress=shown)
    assert shown.stages == ["frontier"]
    assert shown.shares == sorted(shown.shares)
    assert shown.shares[-1] == 1.0


def test_an_interruption_ends_all_searches_and_leaves_no_thread():
    class Impatient(Remembering):
        def advance(self, share):
            raise KeyboardInterrupt

    generator = np.random.default_rng(5)
    frame = pl.DataFrame({f"x{column}": generator.integers(0, 10_000, 20_000) for column in range(8)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))
    with pytest.raises(KeyboardInterrupt):
        frontier(table, k=range(2, 50), algorithms=[cl.Weave(effort="best")], progress=Impatient())
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("frontier")]


points = st.builds(
    lambda k, name, share, gcp: Point(
        k, {name: {}}, share, reached_k=k, gcp=gcp, reason="out of reach" if gcp is None else None
    ),
    st.integers(2, 9),
    st.sampled_from(["weave", "mondrian"]),
    st.sampled_from([0.0, 0.1]),
    st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0])),
)


@given(st.lists(points, max_size=12))
def test_best_are_those_that_no_other_beats(some):
    found = Frontier(points=tuple(some))

    def beats(other, one):
        return other.k >= one.k and other.gcp <= one.gcp and (other.k, other.gcp) != (one.k, one.gcp)

    reached = [one for one in some if one.gcp is not None]
    wanted = [one for one in reached if not any(beats(other, one) for other in reached)]
    assert sorted(found.best, key=repr) == sorted(wanted, key=repr)
    assert [one.k for one in found.best] == sorted(one.k for one in wanted)


@given(st.lists(points, max_size=12), st.sampled_from([0.0, 0.05, 0.1, 0.25, 1.0]), st.booleans())
def test_the_largest_k_is_that_of_brute_force(some, loss, by_name):
    found = Frontier(points=tuple(some))
    name = some[0].name if by_name and some else None
    fitting = [one for one in some if one.gcp is not None and one.gcp <= loss and name in (None, one.name)]
    answer = found.largest_k(loss, name)
    if not fitting:
        assert answer is None
    else:
        assert answer is not None
        assert answer in fitting
        assert answer.k == max(one.k for one in fitting)
        assert answer.gcp == min(one.gcp for one in fitting if one.k == answer.k)


@pytest.mark.parametrize("loss", [-0.1, 1.1, True, "0.1", math.nan])
def test_a_bearable_loss_is_a_share(loss):
    found = Frontier(points=(Point(2, {"mondrian": {}}, 0.0, gcp=0.1),))
    with pytest.raises(cl.OptionError, match="bearable loss"):
        found.largest_k(loss)
    with pytest.raises(cl.OptionError, match="bearable loss"):
        found.picture(bearable_loss=loss)


def test_a_search_that_no_point_is_of_is_refused():
    found = Frontier(points=(Point(2, {"mondrian": {}}, 0.0, gcp=0.1),))
    with pytest.raises(cl.OptionError, match="did you mean 'mondrian'"):
        found.largest_k(0.5, "mondrain")


def test_to_dict_is_json_and_names_the_best_by_place():
    found = frontier(make_table(40), k=[2, 3, 41], algorithms=ALGORITHMS[1:3], seed=1)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["audited"] is False
    assert told["n_rows"] == 40
    assert [told["points"][place]["k"] for place in told["best"]] == [point.k for point in found.best]
    assert len(told["points"]) == 6
    assert set(told["points"][0]) == {
        *("k", "algorithm", "max_suppression", "reached_k", "gcp", "gcp_published", "suppressed", "n_classes", "risk"),
        *("seconds", "reason"),
    }


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


def test_a_frontier_of_nothing_reached_is_drawn():
    found = Frontier(points=(Point(5, {"weave": {}}, 0.0, reason="too few rows."),))
    assert any("1 point is out of reach" in line for line in texts(found.picture("en", bearable_loss=0.5)))


def test_hostile_names_stay_text():
    point = Point(5, {"<script>&": {}}, 0.0, reached_k=5, gcp=0.1, reason=None)
    found = Frontier(points=(point,), table="<b>x</b>", models=({"<i>": {"on": "<u>"}},))
    assert "<script" not in found.picture()


def test_two_searches_of_one_name_are_told_apart():
    table = make_table(40)
    found = frontier(table, k=[2, 3], algorithms=[cl.Weave(passes=1), cl.Weave(effort="fast")], seed=1)
    words = " ".join(texts(found.picture()))
    assert "(passes 1)" in words
    assert "(effort fast)" in words


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


def test_defaults():
    table = make_table(300)
    assert default_ks(table) == list(range(2, 101))
    names = [one.name for one in default_algorithms(table, 99)]
    assert names == ["weave", "mondrian", "hilbert_order", "lattice"]
    plain = cl.Table(table.frame.select("age"), cl.Schema(quasi_identifiers={"age": "number"}))
    assert [one.name for one in default_algorithms(plain, 99)] == names
    assert default_algorithms(plain, 99)[0] == cl.Weave(passes=33)
    assert default_algorithms(plain, 10_000)[0] == cl.Weave(effort="fast")
    large = cl.Table(pl.DataFrame({"age": np.zeros(60_000)}), cl.Schema(quasi_identifiers={"age": "number"}))
    assert len(default_ks(large)) == 13
    assert {2, 100} <= set(default_ks(large))
    assert default_ks(cl.Table(table.frame.head(1), table.schema)) == [2]


def test_few_k_are_shown_all_and_many_by_round_ones():
    assert shown_ks(example()) == [2, 3, 5, 10, 20, 50, 100]
    many = example(ks=tuple(range(2, 101)))
    shown = shown_ks(Frontier(points=many.points, own=Point(17, {"weave": {}}, 0.0, gcp=0.1)))
    assert {2, 17, 100} <= set(shown)
    assert len(shown) < 20


@given(st.lists(st.integers(2, 500), min_size=1, max_size=40))
def test_spread_takes_the_ends_then_usual_values_then_the_others_each_time_the_farthest(ks):
    order = spread(ks)
    assert sorted(order) == sorted(set(ks))
    assert order[:2] == sorted({min(ks), max(ks)})
    n_usual = len({*order[:2], *(k for k in ks if k in FEW_KS)})
    for place in range(2, len(order)):
        allowed = order[place:n_usual] if place < n_usual else order[place:]
        gaps = {k: min(abs(math.log(k / other)) for other in order[:place]) for k in allowed}
        assert gaps[order[place]] == pytest.approx(max(gaps.values()))


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
