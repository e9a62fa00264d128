"""Measures gathered: each equal to its function, rounded so that nobody is pointed at, and by groups."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.data.classes import Classes
from celosia.data.recode import recode
from celosia.jobs.learn import check_target, learnt
from celosia.measure import utility
from celosia.measure.overall import check_group_column, losses_by, measures, rounded_statistics

QUARTILES = ("lower_quartile", "median", "upper_quartile")


def patients(n_rows=240, **changes):
    generator = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "dni": [str(row) for row in range(n_rows)],
            "age": generator.integers(18, 90, n_rows),
            "zip": [f"{code:05d}" for code in generator.integers(28001, 28040, n_rows)],
            "sex": generator.choice(["f", "m"], n_rows, p=[0.25, 0.75]),
            "ill": generator.choice(["flu", "cold", "gout"], n_rows),
            "pay": generator.normal(30_000, 4_000, n_rows).round(2),
        }
    ).with_columns(**changes)
    schema = cl.Schema(
        identifiers=["dni"],
        quasi_identifiers={"age": "number", "zip": cl.Prefix(keep=[5, 3]), "sex": "category"},
        sensitive=["ill", "pay"],
    )
    return cl.Table(frame, schema)


def release_of(table, k=5, **options):
    return cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Mondrian(), **options).run(table)


def test_every_measure_is_that_of_its_function():
    release = release_of(patients(), seed=4)
    found, table = release.utility, release.table
    for name in (
        *("discernibility", "average_class_size", "precision", "non_uniform_entropy", "ambiguity", "kl_divergence"),
        *("statistics", "correlations", "shares"),
    ):
        assert getattr(found, name) == getattr(utility, name)(table, release), name
    assert found.query_error == utility.query_error(table, release, seed=4)


def test_the_summary_has_the_quick_ones_and_the_plan_s_k():
    release = release_of(patients(), k=6)
    found = release.summary["utility"]
    sizes = release.rows.group_by("age", "zip", "sex").len()["len"]
    assert found["discernibility"] == int((sizes**2).sum())
    assert found["average_class_size"] == {"mean": sizes.mean(), "c_avg": sizes.mean() / 6, "k": 6}
    assert found["precision"] == utility.precision(release.table, release).to_dict()
    assert set(found) == {"discernibility", "average_class_size", "precision"}


def test_a_measure_is_taken_once_and_only_if_somebody_asks(monkeypatch):
    calls = []
    monkeypatch.setattr(measures, "ambiguity", lambda *_: calls.append("ambiguity"))
    monkeypatch.setattr(measures, "discernibility", lambda *_: calls.append("discernibility") or 1)
    release = release_of(patients())
    assert release.summary["utility"] == release.summary["utility"]
    assert calls == ["discernibility"]


def test_without_levels_precision_is_undefined_and_nothing_fails():
    table = cl.Table(pl.DataFrame({"x": [1, 2, 3, 4]}), cl.Schema(quasi_identifiers={"x": "number"}))
    found = release_of(table, k=2).utility.to_dict()
    assert found["precision"] == {"precision": None, "columns": {}, "skipped": ["x"]}
    assert found["correlations"] == {"pairs": []}
    assert found["shares"] == {}


def test_what_is_told_holds_neither_values_nor_the_seed():
    release = release_of(patients(ill=pl.lit("CANARY")), seed=987654321)
    told = release.utility.to_dict()
    assert "CANARY" not in json.dumps(told)
    assert "987654321" not in json.dumps(told)
    assert told["shares"]["ill"] == {"total_variation": 0.0}
    shown = release.utility.to_dict(show_values=True)
    assert shown["shares"]["ill"]["values"] == [{"value": "CANARY", "before": 1.0, "after": 1.0, "change": 0.0}]
    assert shown["statistics"] == release.utility.statistics.to_dict()


def test_a_drawn_seed_is_told_so_that_the_queries_can_come_again():
    release = release_of(patients())
    told = release.utility.to_dict()["query_error"]
    assert told == utility.query_error(release.table, release, seed=told["seed"]).to_dict()


def test_kl_is_left_out_with_a_reason_where_it_takes_too_long(monkeypatch):
    release = release_of(patients())
    assert release.utility.to_dict()["left_out"] == {}
    again = release_of(patients())
    monkeypatch.setattr(measures, "_MOST_PAIRS", 240 * again.classes.n_classes - 1)
    told = again.utility.to_dict()
    assert told["kl_divergence"] is None
    assert "240 rows" in told["left_out"]["kl_divergence"]


def test_overflow_is_undefined_in_json():
    """Squares of such numbers are beyond floating point: their standard deviation is infinite."""
    table = patients(pay=pl.Series([1e200, -1e200] * 120))
    release = release_of(table)
    shown, told = (release.utility.to_dict(show_values=show) for show in (True, False))
    assert shown["statistics"]["pay"]["before"]["sd"] is None
    assert told["statistics"]["pay"] is None
    json.dumps([shown, told], allow_nan=False)


numbers = st.one_of(st.integers(-50, 50), st.floats(-1e6, 1e6).map(lambda one: round(one, 2)))


def _hidden_within_the_spread(known, summary, least):
    """Whether some step from a hundredth of the spread up to it leaves enough people around every quartile."""
    spread = summary.upper_quartile - summary.lower_quartile or summary.sd
    for power in range(-6, 9):
        for step in (float(f"{first}e{power}") for first in (1, 2, 5)):
            if not spread or not spread / 100 <= step <= spread:
                continue
            told = [round(getattr(summary, name) / step) * step for name in QUARTILES]
            if all(len({who for x, who in known if abs(x - one) <= step * 0.5 - 1e-9}) >= least for one in told):
                return True
    return False


@given(
    values=st.lists(st.one_of(st.none(), numbers), min_size=1, max_size=40),
    least=st.integers(2, 6),
    n_subjects=st.one_of(st.none(), st.integers(1, 20)),
)
@tries(150)
def test_no_told_quartile_points_at_fewer_people_than_allowed(values, least, n_subjects):
    frame = pl.DataFrame(
        {
            "x": pl.Series(values, dtype=pl.Float64, strict=False),
            "who": [str(row % (n_subjects or len(values))) for row in range(len(values))],
        }
    )
    subject = None if n_subjects is None else "who"
    roles = {"insensitive": ["who"]} if subject is None else {"subject": "who"}
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}, **roles))
    recoding = recode(table, Classes([0] * len(values)))
    exact = utility.statistics(table, recoding)
    told = rounded_statistics(table, recoding, exact, least)["x"]
    known = [(float(x), who if subject else row) for row, (x, who) in enumerate(frame.iter_rows()) if x is not None]
    if len({person for _, person in known}) < least:
        assert told is None
        return
    if told is None:
        # Only where a step that hides people is wider than the spread: coarser ones tell nothing.
        assert not _hidden_within_the_spread(known, exact.columns["x"].before, least)
        return
    for name in QUARTILES:
        figure = told.before[name]
        near = {person for x, person in known if abs(x - figure) <= told.step / 2}
        assert len(near) >= least
    for name, figure in told.before.items():
        true = getattr(exact.columns["x"].before, name)
        assert name not in QUARTILES or figure is not None
        if figure is not None:
            assert abs(figure - true) <= told.step / 2 * (1 + 1e-9)
            assert math.isclose(figure / told.step, round(figure / told.step), abs_tol=1e-6)


def test_many_people_get_figures_as_fine_as_a_hundredth_of_the_spread():
    release = release_of(patients(n_rows=4000))
    told, true = release.utility.rounded_statistics["pay"], release.utility.statistics.columns["pay"].before
    assert told.step <= 200  # the standard deviation is about 4000
    assert abs(told.before["mean"] - true.mean) <= told.step / 2


def test_one_person_far_from_all_others_cannot_be_read_off_the_figures():
    pays = [1000 + 5 * (row % 20) for row in range(39)]
    table = cl.Table(pl.DataFrame({"x": [*pays, 777_777]}), cl.Schema(quasi_identifiers={"x": "number"}))
    told = release_of(table, k=3).utility.rounded_statistics["x"]
    assert (told.before["mean"], told.before["sd"]) == (None, None)
    assert 1000 <= told.before["median"] <= 1100  # and the others are told as finely as they spread


def test_two_people_do_not_get_their_very_values_told():
    table = cl.Table(pl.DataFrame({"x": [20, 31]}), cl.Schema(quasi_identifiers={"x": "number"}))
    told = release_of(table, k=2).utility.rounded_statistics["x"]
    assert told is None  # mean and deviation, 25.5 and 7.78, would give both numbers away


def test_a_value_that_all_have_is_told():
    table = cl.Table(pl.DataFrame({"x": [37, 37, 37]}), cl.Schema(quasi_identifiers={"x": "number"}))
    assert release_of(table, k=2).utility.rounded_statistics["x"].before["median"] == 37


def test_correlations_of_too_few_people_are_not_told():
    pay = pl.Series([1.5, 2.5, 3.5, 4.7, *[None] * 236])
    release = release_of(patients(pay=pay))
    assert release.utility.correlations.pairs[0].before is not None
    assert release.utility.to_dict()["correlations"]["pairs"] == [
        {"first": "age", "second": "pay", "before": None, "after": None, "change": None}
    ]


def test_groups_that_lost_most_come_first_and_add_up():
    release = release_of(patients(), k=5)
    found = losses_by(release, "sex")
    losses = [group.figures["gcp"] for group in found.groups]
    assert losses == sorted(losses, reverse=True)
    shares = [group.figures["share_of_rows"] for group in found.groups]
    assert sum(shares) == pytest.approx(1)
    assert sum(np.multiply(shares, losses)) == pytest.approx(release.loss.gcp)
    alike = [group.figures["alike"] for group in found.groups]
    assert sum(np.multiply(shares, alike)) * 240 == pytest.approx(release.utility.discernibility)
    rare = utility.by_group(utility.non_uniform_entropy, release.table, release, "sex")
    for group in found.groups:
        assert group.figures["entropy"] == rare[group.value].result.loss


def test_a_group_of_few_people_is_counted_and_not_shown():
    sex = pl.Series(["f"] * 118 + ["m"] * 118 + ["CANARY"] * 4)
    found = losses_by(release_of(patients(sex=sex)), "sex")
    told = found.to_dict()
    assert [group["group"] for group in told["groups"]] == [1, 2]
    assert (told["n_groups_of_few"], told["fewer_than"]) == (1, 5)
    assert "value" not in told["groups"][0]
    assert "CANARY" not in json.dumps(told)
    assert [group["value"] for group in found.to_dict(show_values=True)["groups"]][-1] == "CANARY"


def test_groups_are_counted_in_people():
    frame = pl.DataFrame(
        {
            "who": [f"p{row}" for row in range(20)] + ["p20"] * 10,
            "x": list(range(20)) + [5] * 10,
            "town": ["big"] * 20 + ["small"] * 10,
        }
    )
    schema = cl.Schema(quasi_identifiers={"x": "number"}, insensitive=["town"], subject="who")
    found = losses_by(release_of(cl.Table(frame, schema), k=3), "town")
    assert [(group.value, group.n_people) for group in (*found.groups, *found.few)] == [("big", 20), ("small", 1)]
    assert len(found.few) == 1


@pytest.mark.parametrize(
    ("check", "column", "kind", "words"),
    [
        (check_group_column, "sexo", cl.ColumnNotFoundError, "did you mean 'sex'"),
        (check_group_column, "dni", cl.OptionError, "name a column of few values"),
        (check_group_column, "pay", cl.InputError, "240 different values; 100"),
        (check_target, "il", cl.ColumnNotFoundError, "did you mean 'ill'"),
        (check_target, "dni", cl.OptionError, "sensitive or insensitive"),
        (check_target, "age", cl.OptionError, "sensitive or insensitive"),
    ],
)
def test_a_column_that_cannot_be_asked_for_is_refused_with_the_next_step(check, column, kind, words):
    with pytest.raises(kind) as caught:
        check(patients(), column)
    assert words in str(caught.value)
    assert isinstance(caught.value, cl.InputError)


def test_learning_tells_its_time_and_progress_and_not_the_plan_s_seed():
    class Heard:
        shares: list[float] = []  # noqa: RUF012

        def stage(self, name): ...
        def advance(self, share):
            self.shares.append(share)

        def found(self, loss): ...

    plan = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Mondrian(), seed=5)
    found = learnt(patients(), plan, "ill", Heard())
    assert Heard.shares == [pytest.approx(run / 10) for run in range(1, 11)]
    expected = utility.classification(patients(), plan, "ill", seed=5).to_dict()
    assert {**found, "seeds": expected["seeds"], "seconds": 0} == {**expected, "seconds": 0}
    assert found["seeds"] is None
    assert found["seconds"] > 0


def test_a_plan_out_of_reach_on_fewer_rows_has_no_figures_but_a_reason():
    found = learnt(patients(), cl.Plan(models=[cl.KAnonymity(220)], algorithm=cl.Mondrian()), "ill")
    assert found["accuracy"] is None
    assert (found["n_rows"], found["n_classes"]) == (240, 3)
    assert "cannot be met on the training rows" in found["reason"]
