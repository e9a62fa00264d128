from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from string import Formatter

import numpy as np
import plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl
from celosia.apps.exam_paper import lower_bounds, reproduce_exam_paper, verdicts, write_results
from celosia.apps.exam_paper.charts import Curve, Panel, line_chart
from celosia.apps.exam_paper.experiment import Bound, Reproduction, Run, Shares, Spread
from celosia.apps.exam_paper.page import results, table_rows
from celosia.apps.exam_paper.verdicts import Verdict
from celosia.apps.exam_paper.words import MESSAGES, sentence
from celosia.apps.exam_paper.yardstick import Yardstick, plain_l_greedy
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.data.students import make_students
from celosia.measure.utility import gcp
from celosia.report.language import Language
from celosia.search.base import Problem

SCHEMA = cl.Schema(
    identifiers=["dni"],
    quasi_identifiers=dict.fromkeys(("participation", "exam", "practicals", "year"), "number")
    | {"professor": "category"},
)
PROGRESS = Quiet()


@pytest.fixture(scope="module")
def found():
    return reproduce_exam_paper([2, 10, 40], n_seeds=2)


def made_up(loss, *, bound=0.001, seconds=0.01, within_one=0.38, ks=(2, 40), smallest=None):
    """Measurements as they might have come out: ``loss(algorithm, seed, k)``."""
    runs = tuple(
        Run("real", seed, name, k, loss(name, seed, k), seconds, (smallest or {}).get(k, k))
        for seed in range(2)
        for k in ks
        for name in ("k_members", "l_greedy")
    )
    return Reproduction(
        ks=tuple(ks),
        marks=("real",),
        n_seeds=2,
        runs=runs,
        bounds=tuple(Bound("real", seed, k, bound) for seed in range(2) for k in ks),
        shares=Shares(3000, within_one, 0.68),
        yardstick=Yardstick(10, 0.4, 0.002),
    )


def status(found, statement, k=None):
    return next(
        one.status for one in verdicts(found) if one.statement == statement and k in (None, one.figures.get("k"))
    )


# ---------------------------------------------------------------- the lower bound


@st.composite
def marks_and_groups(draw):
    n_rows = draw(st.integers(2, 9))
    numbers = draw(st.lists(st.integers(0, 20), min_size=n_rows, max_size=n_rows))
    names = draw(st.lists(st.sampled_from("abcd"), min_size=n_rows, max_size=n_rows))
    return numbers, names, draw(st.integers(1, n_rows))


def plain_bound(columns, losses, k):
    """Over the definition: the loss of each pair of rows, and for each row its (k - 1)-th nearest other row."""
    n_rows = len(next(iter(columns.values())))
    total = Fraction(0)
    for row in range(n_rows):
        pairs = sorted(
            sum(
                plain.class_loss([column[row], column[other]], column, losses[name]) for name, column in columns.items()
            )
            for other in range(n_rows)
            if other != row
        )
        total += pairs[k - 2] if k > 1 else 0
    return total / (n_rows * len(columns))


@given(marks_and_groups())
def test_the_lower_bound_is_its_definition(drawn):
    numbers, names, k = drawn
    table = cl.Table(
        pl.DataFrame({"mark": numbers, "name": names}),
        cl.Schema(quasi_identifiers={"mark": "number", "name": "category"}),
    )
    losses = {"mark": plain.number_loss, "name": plain.set_loss}
    expected = plain_bound({"mark": numbers, "name": names}, losses, k)
    assert lower_bounds(table, [k])[0] == pytest.approx(float(expected), abs=1e-12)


@tries(60)
@given(cases(), st.data())
def test_no_grouping_of_any_kind_of_column_undercuts_it(case, data):
    table = case.table()
    k = data.draw(st.integers(1, table.n_rows))
    n_classes = table.n_rows // k
    order = data.draw(st.permutations(range(table.n_rows)))
    labels = np.empty(table.n_rows, dtype=np.int64)
    labels[order] = [min(place // k, n_classes - 1) for place in range(table.n_rows)]
    labels = np.where(labels == data.draw(st.integers(-1, n_classes - 1)), -1, labels)
    assert gcp(table, labels) >= lower_bounds(table, [k])[0] - 1e-9


def test_the_bound_of_a_k_beyond_the_rows_is_refused():
    table = cl.Table(pl.DataFrame({"mark": [1, 2]}), cl.Schema(quasi_identifiers={"mark": "number"}))
    assert lower_bounds(table, [1, 2]) == [0.0, 1.0]
    for k in (0, 3):
        with pytest.raises(cl.OptionError, match="number of rows, 2"):
            lower_bounds(table, [k])


# ---------------------------------------------------------------- the experiment


def test_losses_are_those_of_a_whole_audited_run(found):
    table = cl.Table(make_students(marks="real", seed=1), SCHEMA)
    for name, algorithm in (("k_members", cl.KMembers()), ("l_greedy", cl.LGreedy())):
        release = cl.Plan(models=[cl.KAnonymity(10)], algorithm=algorithm, seed=1).run(table)
        run = next(one for one in found.runs if (one.marks, one.seed, one.algorithm, one.k) == ("real", 1, name, 10))
        assert run.gcp == pytest.approx(release.loss.gcp, abs=1e-12)
        assert run.smallest_class == release.k


def test_everything_was_run_and_lies_above_its_bound(found):
    assert len(found.runs) == 2 * 2 * 3 * 2
    bounds = {(one.marks, one.seed, one.k): one.gcp for one in found.bounds}
    for run in found.runs:
        assert run.smallest_class >= run.k
        assert bounds[run.marks, run.seed, run.k] <= run.gcp <= 1
    assert len({run.gcp for run in found.runs}) == len(found.runs)


def test_the_corrected_figures(found):
    """The specification's five-table means, with room for two tables."""
    for name in ("k_members", "l_greedy"):
        assert found.loss("real", name, 2).mean == pytest.approx(0.052, abs=0.004)
        assert found.loss("real", name, 40).mean == pytest.approx(0.51, abs=0.04)
        assert found.loss("integer", name, 40).mean == pytest.approx(0.58, abs=0.04)
    assert found.bound("real", 2).mean == pytest.approx(0.041, abs=0.002)
    assert found.bound("real", 40).mean == pytest.approx(0.108, abs=0.004)
    assert found.bound("integer", 40).mean == pytest.approx(0.125, abs=0.004)
    assert found.shares.within_one == pytest.approx(0.383, abs=0.03)


def test_it_repeats_but_for_the_time(found):
    again = reproduce_exam_paper([40, 2, 10, 2], n_seeds=2, marks=["real", "integer", "real"])
    assert [replace(run, seconds=0) for run in again.runs] == [replace(run, seconds=0) for run in found.runs]
    assert again.bounds == found.bounds


def test_progress_runs_from_start_to_end():
    heard = []

    class Listener(Quiet):
        def advance(self, share):
            heard.append(share)

    reproduce_exam_paper([20], n_seeds=1, marks=["real"], progress=Listener())
    assert heard == [0.5, 1.0]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"ks": []}, cl.OptionError),
        ({"ks": [1, 2]}, cl.OptionError),
        ({"n_seeds": 0}, cl.OptionError),
        ({"marks": []}, cl.OptionError),
        ({"marks": ["rounded"]}, cl.OptionError),
        ({"ks": [501]}, cl.UnreachableError),
    ],
)
def test_wrong_options_are_refused_before_any_search(options, error):
    with pytest.raises(error):
        reproduce_exam_paper(**{"ks": [2], "n_seeds": 1, **options})


def test_the_yardstick_groups_as_the_compiled_search_does():
    table = cl.Table(make_students(120, marks="real", seed=3), SCHEMA)
    problem = Problem.of(table, [cl.KAnonymity(6)], Randomness(0), PROGRESS)
    compiled = cl.LGreedy().search(problem).tolist()
    groups = [
        {frozenset(row for row in range(120) if labels[row] == label) for label in set(labels)}
        for labels in (compiled, plain_l_greedy(problem))
    ]
    assert groups[0] == groups[1]
    assert len(groups[0]) == 20


# ---------------------------------------------------------------- the verdicts


def test_the_verdicts_on_what_is_measured(found):
    assert status(found, "loss_at", 2) == status(found, "loss_at", 40) == "out_of_reach"
    assert status(found, "mean_loss") == "out_of_reach"
    assert status(found, "growth") == "holds"
    assert status(found, "risk") == "holds"
    assert status(found, "seconds") == "holds"
    assert status(found, "over_python") == "not_checked"
    assert status(found, "share_of_marks") == "fails"


def printed_loss(name, seed, k):
    return {2: 0.0052, 40: 0.0509}[k]


def test_a_world_in_which_the_paper_is_right():
    right = made_up(lambda name, seed, k: printed_loss(name, seed, k) - (name == "l_greedy") * 1e-9 + seed * 1e-6)
    assert status(made_up(printed_loss), "loss_at", 2) == "holds"
    assert status(right, "ahead") == "holds"
    assert status(right, "growth") == "holds"
    assert status(made_up(printed_loss, within_one=0.675), "share_of_marks") == "holds"
    means = {"k_members": 0.0271, "l_greedy": 0.0270}
    assert status(made_up(lambda name, seed, k: means[name]), "mean_loss") == "holds"


def test_worlds_in_which_it_is_wrong():
    assert status(made_up(lambda name, seed, k: 0.1), "loss_at", 2) == "fails"
    assert status(made_up(lambda name, seed, k: 0.1, bound=0.02), "loss_at", 2) == "out_of_reach"
    assert status(made_up(lambda name, seed, k: 0.1, bound=0.02), "loss_at", 40) == "fails"
    assert status(made_up(lambda name, seed, k: 0.1), "mean_loss") == "fails"
    assert status(made_up(lambda name, seed, k: 1 / k), "growth") == "fails"
    zigzag = {2: 0.1, 3: 0.3, 4: 0.2}
    assert status(made_up(lambda name, seed, k: zigzag[k], ks=(2, 3, 4)), "growth") == "partly"
    assert status(made_up(printed_loss, smallest={40: 39}), "risk") == "fails"
    assert status(made_up(printed_loss, seconds=1.0), "seconds") == "fails"


def test_which_search_is_ahead_is_decided_table_by_table():
    gaps = {"undecided": (-1, 1), "holds": (-1, -1), "fails": (1, 0)}
    for expected, gap in gaps.items():
        world = made_up(lambda name, seed, k, gap=gap: 0.5 + 0.01 * gap[seed] * (name == "l_greedy"))
        assert status(world, "ahead") == expected


def test_what_was_not_measured_is_not_judged():
    world = made_up(lambda name, seed, k: 0.2, ks=(7,))
    for statement in ("loss_at", "mean_loss", "growth", "risk"):
        assert status(world, statement) == "not_checked"


def test_factors_and_figures_come_from_the_runs():
    world = made_up(lambda name, seed, k: (0.06 if name == "l_greedy" else 0.5) + 0.01 * seed, bound=0.03)
    figures = verdicts(world)[0].figures
    assert figures["measured"]["real"] == pytest.approx(0.065)
    assert figures["factor"]["real"] == pytest.approx(0.065 / 0.0052)
    text = sentence(verdicts(world)[0], "en")
    assert "6.50 % (real marks)" in text
    assert "12.5 (real marks) times too small" in text
    assert "less than 3.00 %" in text


def test_every_verdict_is_said_in_both_languages(found):
    worlds = [
        found,
        made_up(printed_loss),
        made_up(lambda name, seed, k: 0.1),
        made_up(lambda name, seed, k: 1 / k, smallest={2: 1}),
    ]
    for verdict in (one for world in worlds for one in verdicts(world)):
        english, spanish = sentence(verdict, "en"), sentence(verdict, "es")
        assert english != spanish
        assert not re.search(r"\d\.\d", spanish)
        assert re.findall(r"\d+", english) == re.findall(r"\d+", spanish)


def test_the_two_catalogues_have_the_same_messages_and_figures():
    def fields(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for key, text in MESSAGES.items():
        assert fields(text) == fields(Language("es").text(text)), key


def test_a_share_of_marks_is_judged_within_its_error():
    assert status(made_up(printed_loss, within_one=0.70), "share_of_marks") == "holds"
    assert status(made_up(printed_loss, within_one=0.72), "share_of_marks") == "fails"


def test_a_verdict_as_json():
    assert Verdict("seconds", "holds", {"slowest": 0.1}).to_dict()["status"] == "holds"


# ---------------------------------------------------------------- page and pictures


def test_the_table_gives_risk_loss_bound_and_printed_figure(found):
    rows = table_rows(found, "real", (2, 40), "es")
    assert [row[0] for row in rows] == ["2 (50 %)", "40 (2,5 %)"]
    loss = found.loss("real", "k_members", 40)
    assert rows[1][1] == f"{loss.mean:.4f} {loss.min:.4f}..{loss.max:.4f}".replace(".", ",").replace(",,", "..")
    assert [row[4] for row in rows] == ["0,0052", "0,0509"]


def test_the_folder_holds_page_pictures_and_figures(found, tmp_path):
    folder = write_results(found, tmp_path / "results", "es")
    assert sorted(path.name for path in folder.iterdir()) == ["gcp.svg", "results.json", "results.md", "time.svg"]
    written = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(results(found, "es")))
    assert len(written["runs"]) == 24
    page = (folder / "results.md").read_text(encoding="utf-8")
    for verdict in verdicts(found):
        assert sentence(verdict, "es") in page
    assert "--k 2,10,40 --seeds 2 --marks both --lang es" in page
    with pytest.raises(cl.OptionError, match="exists"):
        write_results(found, folder)


def polylines(svg, colour):
    return [
        [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for line in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}polyline")
        if line.get("stroke") == colour
    ]


@given(st.lists(st.floats(0.001, 1e4), min_size=2, max_size=20, unique=True), st.booleans())
def test_a_chart_keeps_the_order_of_figures_and_stays_inside(values, logarithmic):
    points = [(2.0 + place, value) for place, value in enumerate(values)]
    svg = line_chart(
        [Panel("a < b", [Curve("c", "#123456", points)])], title="t", x_label="k", y_label="y", logarithmic=logarithmic
    )
    (drawn,) = polylines(svg, "#123456")
    height = float(ET.fromstring(svg).get("height"))
    assert len(drawn) == len(points)
    assert all(0 < y < height for _, y in drawn)
    assert all(x < later for (x, _), (later, _) in pairwise(drawn))
    for (value, next_value), ((_, y), (_, next_y)) in zip(pairwise(values), pairwise(drawn), strict=True):
        assert (next_value - value) * (y - next_y) >= 0


def test_the_pictures_show_what_was_measured(found, tmp_path):
    folder = write_results(found, tmp_path / "results")
    for name in ("gcp.svg", "time.svg"):
        svg = (folder / name).read_text(encoding="utf-8")
        assert not re.search(r"href|@import|url\(|<script|<style", svg)
        assert "k-members" in svg
        assert "l-greedy" in svg
        assert svg.count("printed in the paper") == 1
        assert len(polylines(svg, "#0072b2")) == 2
    curve = polylines((folder / "gcp.svg").read_text(encoding="utf-8"), "#0072b2")[0]
    losses = [found.loss("real", "k_members", k).mean for k in found.ks]
    heights = [y for _, y in curve]
    assert (heights[0] - heights[1]) / (heights[0] - heights[2]) == pytest.approx(
        (losses[1] - losses[0]) / (losses[2] - losses[0]), abs=0.01
    )
    assert "lower bound" in (folder / "gcp.svg").read_text(encoding="utf-8")


def test_a_spread_is_mean_least_and_greatest():
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0)
