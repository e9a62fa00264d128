"""The lower bound that a run tells: when it is there, what it is over, and that no release undercuts it."""

from __future__ import annotations

import html
import json
import math
from fractions import Fraction
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from impatient import Impatient
from tables import cases
from trying import tries

import celosia as cl
from celosia.data.outcome import Proof
from celosia.measure import overall as measuring
from celosia.measure.overall import Nearness
from celosia.measure.release_findings.plan_and_table import _classes_not_proved
from celosia.measure.utility import LowerBound, gcp_lower_bound
from celosia.report import render
from celosia.report.language import Language
from celosia.report.sections.loss import nearness_words


def bound(value, kind="bound", interval=None):
    return LowerBound(value, kind=kind, interval=interval, n_sampled=50, n_rows=400, seconds=0.5)


def marks(n_rows, seed=1, **roles) -> cl.Table:
    generator = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "exam": generator.integers(0, 100, n_rows),
            "group": generator.choice(list("abc"), n_rows),
            "who": [f"p{row // 2}" for row in range(n_rows)],
        }
    )
    schema = {"quasi_identifiers": {"exam": "number", "group": "category"}, "identifiers": ["who"]} | roles
    return cl.Table(frame, cl.Schema(**schema))


def test_how_near_a_loss_is():
    near = Nearness(0.3, bound(0.25))
    assert near.above == pytest.approx(0.2)
    assert near.gap == pytest.approx(1 / 6)
    assert not near.is_best
    assert near.above_interval is None
    assert near.to_dict()["kind"] == "bound"
    assert Nearness(0.25, bound(0.25 - 1e-10, "exact")).is_best
    assert Nearness(0.0, bound(0.0)).above == 0
    assert Nearness(0.1, bound(0.0)).above is None
    estimate = Nearness(0.3, bound(0.25, "estimate", (0.2, 0.3)))
    assert not Nearness(0.3, bound(0.3, "estimate", (0.2, 0.3))).is_best
    assert estimate.above_interval == (pytest.approx(0.0), pytest.approx(0.5))


@given(
    case=cases(min_rows=2, max_rows=12, kinds=("number", "category", "tree")),
    k=st.integers(2, 3),
    budget=st.sampled_from([0.0, 0.3]),
)
@tries(40)
def test_no_optimum_is_below_the_bound(case, k, budget):
    """Whatever is suppressed and whoever is counted: the proved optimum lies at or above the bound by rows alone."""
    if (case.n_rows if case.subject is None else len(set(case.subject))) < k:
        return
    table = case.table()
    best = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Exact(), max_suppression=budget, seed=1).run(table)
    found = cl.utility.gcp_lower_bound(table, k, time_limit=0.05)
    assert found <= best.loss.gcp + 1e-9
    assert best.summary["gcp_lower_bound"] <= best.summary["gcp"]
    assert best.summary["gcp_lower_bound"] == pytest.approx(best.summary["gcp"], abs=1e-7)
    assert best.summary["bound"]["kind"] == "exact"
    assert best.summary["bound"]["is_best"]


def test_a_proof_within_the_plan_says_so():
    """More suppression than the plan allows may lose less: the proof is about the plan, and so is what is said."""
    frame = pl.DataFrame({"a": [1] * 8 + [1000], "b": ["x"] * 8 + ["y"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "number", "b": "category"}))
    none = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Exact(), seed=1).run(table)
    some = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Exact(), max_suppression=0.2, seed=1).run(table)
    assert none.summary["gcp_lower_bound"] == pytest.approx(2 / 9)
    assert some.summary["gcp_lower_bound"] == pytest.approx(1 / 9)
    assert cl.utility.gcp_lower_bound(table, 2) == pytest.approx(1 / 9)
    for release in (none, some):
        assert release.summary["bound"]["kind"] == "exact"
        assert "that suppresses no more rows than the plan allows" in sentences(release, "en")[0]
        assert "que no suprima más filas de las que permite el plan" in sentences(release, "es")[0]
        assert "with no more rows suppressed than the plan allows" in html.unescape(render(release, "en"))


@pytest.mark.parametrize("seconds", [None, 2])
def test_that_nothing_need_be_lost_is_told(seconds, monkeypatch):
    monkeypatch.setattr(measuring.bounding, "_QUICK_SECONDS", 5)
    table = cl.Table(pl.DataFrame({"a": ["a"] * 9 + ["b"] * 9}), cl.Schema(quasi_identifiers={"a": "category"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.KMembers(), seed=1, bound=seconds).run(table)
    found = release.summary["bound"]
    assert release.loss.gcp > 0
    assert (found["value"], found["kind"]) == (0.0, "exact")
    assert (found["above"], found["gap"], found["is_best"]) == (None, 1.0, False)
    assert sentences(release, "en") == [
        "The best possible loses nothing: these rows can be released by these models with a GCP of 0."
    ]
    assert sentences(release, "es")[0] in html.unescape(render(release, "es"))
    best = cl.Plan(models=[cl.KAnonymity(2)], seed=1, bound=seconds).run(table)
    assert best.summary["bound"]["is_best"]


def test_that_nothing_is_known_is_not_told():
    assert nearness_words(Nearness(0.1, bound(0.0)), Language("en")) == []
    assert nearness_words(Nearness(0.1, bound(0.0, "estimate", (0.0, 0.1))), Language("en")) == []


def test_a_proof_of_whole_columns_is_no_bound_of_all_releases():
    table = marks(300)
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Lattice(), seed=1).run(table)
    assert release.proof.is_optimal
    assert release.summary["gcp_lower_bound"] is None


def test_few_rows_have_a_bound_unasked_and_many_do_not(monkeypatch):
    assert measuring.bounding._QUICK_SECONDS <= 0.1  # nobody notices; the machine may stand still for longer
    monkeypatch.setattr(measuring.bounding, "_QUICK_SECONDS", 5)
    plan = cl.Plan(models=[cl.KAnonymity(3)], seed=1)
    asked = []
    real = measuring.bounding.gcp_lower_bound
    monkeypatch.setattr(
        measuring.bounding,
        "gcp_lower_bound",
        lambda *given, **options: asked.append(given[2]) or real(*given, **options),
    )
    few = plan.run(marks(40))
    assert not asked  # not before somebody wants to know
    assert 0 < few.summary["gcp_lower_bound"] <= few.loss.gcp
    assert asked == [5]
    many = plan.run(marks(400))
    assert many.summary["gcp_lower_bound"] is None
    assert many.summary["bound"] is None
    assert plan.measure(marks(40))["gcp_lower_bound"] is None
    assert len(asked) == 1


def test_never_means_never():
    release = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=False).run(marks(40))
    assert release.summary["gcp_lower_bound"] is None


def test_a_bound_that_the_plan_asks_for():
    release = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=1).run(marks(300))
    found = release.summary["bound"]
    assert found["kind"] in ("bound", "exact")
    assert 0 < release.summary["gcp_lower_bound"] == found["value"] <= release.loss.gcp
    assert found["above"] == pytest.approx(release.loss.gcp / found["value"] - 1)
    assert found["gap"] == pytest.approx(1 - found["value"] / release.loss.gcp)
    assert found["n_rows"] == 300


def test_rows_that_masks_remove_are_lost_whole():
    table = marks(60)
    sampled = cl.Plan(models=[cl.KAnonymity(3)], masks=[cl.Sample(fraction=0.5)], seed=1, bound=1).run(table)
    assert sampled.masked.n_dropped == 30
    assert 0.5 < sampled.summary["gcp_lower_bound"] <= sampled.loss.gcp
    exact = cl.Plan(models=[cl.KAnonymity(3)], masks=[cl.Sample(fraction=0.5)], algorithm=cl.Exact(), seed=1).run(table)
    assert exact.summary["bound"]["is_best"]
    assert exact.summary["gcp_lower_bound"] == pytest.approx(exact.loss.gcp, abs=1e-7)


def test_rows_removed_after_the_search_undo_its_proof():
    plan = cl.Plan(
        models=[cl.KAnonymity(3)],
        algorithm=cl.Exact(),
        masks_after=[cl.DropRows(class_below=4)],
        seed=1,
        bound=False,
    )
    release = plan.run(marks(20))
    assert release.classes.n_suppressed > 0
    assert release.summary["gcp_lower_bound"] is None


def test_a_secret_that_models_judge_leaves_only_a_bound():
    table = marks(30, sensitive=["group"], quasi_identifiers={"exam": "number"})
    plan = cl.Plan(models=[cl.KAnonymity(2), cl.LDiversity(2, on="group")], seed=1, bound=1)
    found = plan.run(table).summary["bound"]
    assert found["kind"] == "bound"
    assert found["value"] <= plan.run(table).loss.gcp


def test_models_that_name_no_class_have_no_bound():
    release = cl.Plan(models=[cl.AverageRisk(0.4)], seed=1, bound=0.2).run(marks(40))
    assert release.summary["gcp_lower_bound"] is None


def test_a_sample_is_named_one(monkeypatch):
    sampled = partial(gcp_lower_bound, sample=100)  # of large tables: as many as there is time for
    monkeypatch.setattr("celosia.measure.overall.bounding.gcp_lower_bound", sampled)
    release = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=2).run(marks(400))
    found = release.summary["bound"]
    assert found["kind"] == "estimate"
    assert found["confidence"] == 0.95
    assert found["interval"][0] <= found["value"] <= found["interval"][1] <= release.loss.gcp
    assert found["n_sampled"] == 100


@pytest.mark.parametrize("seconds", [np.int64(1), np.float64(0.5), Fraction(1, 10)])
def test_a_time_may_be_any_number(seconds, tmp_path):
    release = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=seconds).run(marks(40))
    assert release.summary["gcp_lower_bound"] > 0
    release.write(tmp_path / "out")
    record = json.loads((tmp_path / "out" / "internal" / "record.json").read_text())
    assert record["plan"]["bound"] == float(seconds)


@pytest.mark.parametrize("search", [cl.Weave, cl.Exact, cl.Genetic, cl.Lattice])
def test_a_time_limit_that_is_any_number_can_be_written(search):
    assert json.dumps(search(time_limit=np.int64(2)).to_dict()) == '{"time_limit": 2}'
    assert json.dumps(search(time_limit=Fraction(1, 2)).to_dict()) == '{"time_limit": 0.5}'


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, "long", True, 10**400])
def test_a_wrong_time(seconds):
    with pytest.raises(cl.OptionError, match="bound"):
        cl.Plan(models=[cl.KAnonymity(2)], bound=seconds)


def test_the_plan_tells_it_and_the_claim_does_not(tmp_path):
    plan = cl.Plan(models=[cl.KAnonymity(3)], bound=0.5, seed=1)
    assert plan.to_dict()["bound"] == 0.5
    assert "bound" not in cl.Plan(models=[cl.KAnonymity(3)]).to_dict()
    plan.run(marks(50)).write(tmp_path / "out")
    assert "bound" not in (tmp_path / "out" / "claim.json").read_text()
    record = json.loads((tmp_path / "out" / "internal" / "record.json").read_text())
    assert record["summary"]["bound"]["value"] == record["summary"]["gcp_lower_bound"]


def sentences(release, lang):
    return nearness_words(release.nearness, Language(lang))


def test_the_report_says_how_near_in_both_languages():
    some = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=1).run(marks(300))
    above = Language("es").percent(some.nearness.above)
    assert f"Como mucho un {above} por encima del mejor posible" in sentences(some, "es")[0]
    assert f"At most {Language('en').percent(some.nearness.above)} above the best possible" in sentences(some, "en")[0]
    assert "cota inferior" in sentences(some, "es")[1]
    assert sentences(some, "es")[0] in html.unescape(render(some, "es"))
    best = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Exact(), seed=1).run(marks(20))
    assert sentences(best, "en") == [
        "It is the best possible: no release of these rows by these models and hierarchies that suppresses no more "
        "rows than the plan allows loses less."
    ]
    page = html.unescape(render(best, "es"))
    assert sentences(best, "es")[0] in page
    assert "Está demostrado que ninguna otra división en clases" in page
    never = cl.Plan(models=[cl.KAnonymity(3)], seed=1, bound=False).run(marks(20))
    assert sentences(never, "en") == []


def test_a_report_has_one_bound_the_better_one():
    proof = Proof("gcp", 0.3, 0.2, is_optimal=False, n_recodings=None, n_judged=9, levels={})

    def told(bound, kind="bound"):
        near = Nearness(0.3, LowerBound(bound, kind=kind, n_sampled=9, n_rows=9, seconds=1))
        return [one.values.get("gap") for one in _classes_not_proved(proof, near)]

    assert told(0.25) == ["20.0%"]
    assert told(0.15) == told(0.25, "estimate") == ["50.0%"]
    assert told(0.3) == []
    assert [one.values["gap"] for one in _classes_not_proved(proof, None)] == ["50.0%"]


def test_the_report_calls_an_estimate_one():
    near = Nearness(0.3, bound(0.25, "estimate", (0.2, 0.28)))
    first, second = nearness_words(near, Language("es"))
    assert "estimación" in first
    assert "muestra aleatoria de 50 de 400 filas" in second
    assert "intervalo del 95" in second
    assert "No es una demostración" in second
    first, second = nearness_words(near, Language("en"))
    assert "By an estimate at most 20% above" in first
    assert "It is no proof" in second


def test_ctrl_c_while_looking_keeps_the_release():
    release = cl.Plan(models=[cl.KAnonymity(7)], seed=1, bound=30).run(marks(2000), Impatient("bound", 0.3))
    assert release.k >= 7
    known = release.summary["gcp_lower_bound"]
    assert known is None or known <= release.loss.gcp
    assert release.seconds < 25
