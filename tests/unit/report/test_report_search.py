"""What the report says of a search that goes on improving: its options, its course over time, its end."""

from __future__ import annotations

import _thread
import json
import re
import threading
from html import unescape

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.base.progress import Quiet
from celosia.report import charts, render


def noise(n_rows: int = 120) -> cl.Table:
    generator = np.random.default_rng(8)
    frame = pl.DataFrame({name: generator.random(n_rows) for name in "abc"})
    return cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys("abc", "number")))


def released(algorithm: cl.Weave, progress: Quiet | None = None, **options: object) -> cl.Release:
    return cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm, **options).run(noise(), progress)


def section(page: str, name: str) -> str:
    inside = page.split(f'<section id="{name}"')[1].split("</section>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", inside)).replace("\xa0", " "))


@pytest.mark.parametrize(
    ("algorithm", "english", "spanish"),
    [
        (cl.Weave(effort="fast"), "Effort: fast, which ends here.", "Esfuerzo: rápido (fast), que acaba aquí."),
        (cl.Weave(), "Effort: balanced.", "Esfuerzo: equilibrado (balanced)."),
        (cl.Weave(passes=1), "Allowed: 1 pass.", "Permitido: 1 pasada."),
        (cl.Weave(effort="best", passes=3), "Allowed: 3 passes.", "Permitido: 3 pasadas."),
        (cl.Weave(time_limit=0.25), "Allowed: 0.25 s for the whole", "Permitido: 0,25 s para toda la búsqueda."),
    ],
)
def test_the_steps_say_what_the_search_was_allowed(algorithm, english, spanish):
    release = released(algorithm)
    for lang, said in (("en", english), ("es", spanish)):
        found = section(render(release, lang), "steps")
        assert "Weave" in found
        assert said in found
        assert ("again and again" in found or "una y otra vez" in found) == (algorithm.effort != "fast")


def test_the_loss_over_time_is_drawn_and_told():
    release = released(cl.Weave(passes=30), seed=1)
    (_, first), (_, last) = release.history[0], release.history[-1]
    assert last < first
    page = render(release, "en")
    found = section(page, "loss")
    assert "The loss over the time of the search" in found
    assert f"began at a loss of {100 * first:.3g}%" in found
    assert f"at {100 * last:.3g}%: {100 * (1 - last / first):.3g}% less." in found
    assert "La pérdida a lo largo de la búsqueda" in section(render(release, "es"), "loss")


@pytest.mark.parametrize("algorithm", [cl.Weave(effort="fast"), cl.Weave(passes=0), cl.Mondrian()])
def test_a_search_that_found_nothing_better_is_not_drawn(algorithm):
    assert "over the time of the search" not in section(render(released(algorithm), "en"), "loss")


def test_figures_before_suppression_are_said_to_be_so():
    tree = cl.Tree([["cook", "*"], ["judge", "*"]], on_missing="suppress")
    frame = noise().frame.with_columns(job=pl.Series(["cook", "judge", "cook", "judge", "nun"] * 24))
    schema = cl.Schema(quasi_identifiers={**dict.fromkeys("abc", "number"), "job": tree})
    plan = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Weave(passes=30), max_suppression=0.2)
    release = plan.run(cl.Table(frame, schema))
    assert release.classes.n_suppressed == 24
    assert "Rows were suppressed after the search" in section(render(release, "en"), "loss")


def test_the_staircase_never_rises_and_stays_in_the_picture():
    points = [(0.1, 0.9), (0.5, 0.6), (2.0, 0.55), (4.0, 0.5), (5.0, 0.5)]
    drawn = charts.descent(points, "90%", "50%", [(0, "0 s"), (5, "5 s")], "falling")
    (path,) = re.findall(r'<path class="outline" d="M([^"]*)"', drawn)
    (x, y), steps = path.split("H")[0].split(), path.split("H")[1:]
    across = [float(x), *(float(step.split("V")[0]) for step in steps)]
    down = [float(y), *(float(step.split("V")[1]) for step in steps)]
    assert across == sorted(across)
    assert down == sorted(down)
    assert len(down) == len(points)
    assert across[0] > 4
    assert across[-1] == 336
    assert down[0] == 14
    assert down[-1] == down[-2] < 116
    fallen = [(down[place] - down[0]) / (down[-1] - down[0]) for place in range(len(points))]
    assert fallen == pytest.approx([(0.9 - height) / 0.4 for _, height in points], abs=1e-3)


class Press(Quiet):
    def stage(self, name: str) -> None:
        if name == "improve":
            threading.Timer(0.3, _thread.interrupt_main).start()


def test_a_search_that_was_stopped_is_told_in_both_languages():
    release = released(cl.Weave(time_limit=60), Press(), seed=3)
    assert release.was_stopped
    english, spanish = render(release, "en"), render(release, "es")
    assert "Stopped by hand before its end" in section(english, "steps")
    assert "Note SEARCH_STOPPED The search was stopped before its end" in section(english, "findings")
    assert "Nota SEARCH_STOPPED La búsqueda se detuvo antes de su fin" in section(spanish, "findings")
    assert "a repeated run may find other classes" in section(english, "repeat")
    assert "to get the same release" not in section(english, "repeat")


@pytest.mark.parametrize(("algorithm", "repeats"), [(cl.Weave(passes=2), True), (cl.Weave(time_limit=0.2), False)])
def test_only_a_search_without_a_clock_repeats(algorithm, repeats):
    found = section(render(released(algorithm, seed=1), "en"), "repeat")
    assert ("to get the same release" in found) == repeats


def test_the_history_is_in_the_record_and_not_in_the_claim(tmp_path):
    release = released(cl.Weave(passes=30), seed=1)
    release.write(tmp_path / "out")
    record = json.loads((tmp_path / "out" / "internal" / "record.json").read_text())
    assert tuple(tuple(point) for point in record["history"]) == release.history
    assert len(release.history) > 1
    claim = (tmp_path / "out" / "claim.json").read_text()
    for word in ("history", "weave", "seconds", "pass"):
        assert word not in claim.lower()
