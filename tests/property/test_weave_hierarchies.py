"""Weave with hierarchies: never above the searches that it starts from or competes with, on tables of every kind."""

from __future__ import annotations

import datetime as dt
import time

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import weave
from celosia.search.base import Problem

PASSES = 10
JOBS = [(f"j{v}", f"a{v // 3}", f"b{v // 12}", "*") for v in range(24)]
KINDS = {
    "age": cl.Intervals(width=5, levels=4),
    "zipcode": cl.Prefix(keep=[5, 3, 2]),
    "job": cl.Tree(JOBS),
    "born": cl.Dates(),
    "pay": "number",
    "city": "category",
}
TABLES = {
    "hierarchies": ["age", "zipcode", "job", "born"],
    "mixed": ["age", "job", "pay", "city"],
    "one tree": ["job", "pay", "city"],
    "periods and prefixes": ["zipcode", "born"],
}


def people(n_rows: int, seed: int) -> pl.DataFrame:
    dice = np.random.default_rng(seed)
    provinces = dice.choice(["08", "28", "37", "41"], n_rows, p=[0.4, 0.3, 0.2, 0.1])
    streets = np.minimum(dice.geometric(0.05, n_rows), 999)
    days = dice.integers(0, 4000, n_rows)
    return pl.DataFrame(
        {
            "age": np.clip(dice.normal(40, 14, n_rows), 17, 90).astype(int),
            "zipcode": [f"{province}{street:03d}" for province, street in zip(provinces, streets, strict=True)],
            "job": [f"j{v}" for v in np.minimum(dice.geometric(0.15, n_rows) - 1, 23)],
            "born": [dt.date(1990, 1, 1) + dt.timedelta(days=int(day)) for day in days],
            "pay": np.round(dice.lognormal(10, 0.5, n_rows)),
            "city": dice.choice(list("abcdefgh"), n_rows, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.03, 0.02]),
            "secret": dice.choice(list("xyz"), n_rows),
        }
    )


def table_of(name: str, n_rows: int, seed: int, blank: float = 0.0, **others: object) -> cl.Table:
    frame = people(n_rows, seed)
    if blank:
        dice = np.random.default_rng(seed + 1)
        frame = frame.with_columns(
            pl.when(pl.Series(dice.random(n_rows) < blank)).then(None).otherwise(pl.col(column)).alias(column)
            for column in TABLES[name]
        )
    roles = {"insensitive": ["secret"]} | others
    schema = cl.Schema(quasi_identifiers={column: KINDS[column] for column in TABLES[name]}, **roles)
    return cl.Table(frame.select([*TABLES[name], "secret"]), schema)


def gcp(table: cl.Table, algorithm: object, *models: object) -> float:
    return cl.Plan(models=list(models), algorithm=algorithm, seed=1).run(table).loss.gcp


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("k", "seed"), [(2, 1), (5, 2), (12, 3), (40, 4)])
def test_never_above_the_other_searches(name, k, seed):
    table = table_of(name, 500, seed)
    others = [cl.Lattice(local=True), cl.TopDown(), cl.LGreedy()]
    least = min(gcp(table, other, cl.KAnonymity(k)) for other in others)
    found = gcp(table, cl.Weave(passes=PASSES), cl.KAnonymity(k))
    assert found <= least + 1e-6
    assert gcp(table, cl.Weave(effort="fast"), cl.KAnonymity(k)) >= found - 1e-6


@pytest.mark.parametrize("name", ["hierarchies", "mixed"])
def test_missing_values_and_weights(name):
    weights = {TABLES[name][0]: 3.0}
    table = table_of(name, 400, 7, blank=0.05, weights=weights)
    others = [cl.Lattice(local=True), cl.TopDown(), cl.LGreedy()]
    least = min(gcp(table, other, cl.KAnonymity(4)) for other in others)
    assert gcp(table, cl.Weave(passes=PASSES), cl.KAnonymity(4)) <= least + 1e-6


@pytest.mark.parametrize("model", [cl.LDiversity(2, on="secret", kind="entropy"), cl.TCloseness(0.3, on="secret")])
def test_other_models_hold_and_lose_no_more(model):
    table = table_of("hierarchies", 400, 5, insensitive=[], sensitive=["secret"])
    models = [cl.KAnonymity(4), model]
    release = cl.Plan(models=models, algorithm=cl.Weave(passes=PASSES), seed=1).run(table)
    assert all(len(own.broken(release.classes, table)) == 0 for own in models)
    assert release.loss.gcp <= gcp(table, cl.Lattice(local=True), *models) + 1e-6


def test_the_same_seed_gives_the_same_classes():
    table = table_of("mixed", 400, 6)
    plan = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(passes=3), seed=9)
    first, second = plan.run(table), plan.run(table)
    np.testing.assert_array_equal(first.classes.labels, second.classes.labels)


def test_a_short_limit_of_time_is_kept():
    table = table_of("hierarchies", 3000, 8)
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(time_limit=0.5)).run(table)
    assert release.k >= 5
    assert release.search_seconds < 10  # the machine may be busy


def stubborn(n_calls):
    """A growth that ends only when it is stopped."""

    def l_greedy(columns, demands, order, pulse):
        n_calls.append(len(order))
        ends = time.monotonic() + 20
        while not pulse.stopped and time.monotonic() < ends:
            time.sleep(0.01)
        raise RuntimeError("the kernel was stopped")

    return l_greedy


def test_growth_that_takes_too_long_is_dropped(monkeypatch):
    n_calls = []
    monkeypatch.setattr(weave.kernels, "l_greedy", stubborn(n_calls))
    table = table_of("hierarchies", 600, 9)
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(time_limit=1)).run(table)
    assert n_calls == [600]
    assert release.k >= 5
    assert release.search_seconds < 10
    assert not release.was_stopped  # neither the search nor the run was: stage 2 has made its passes
    assert release.history
    assert release.loss.gcp <= gcp(table, cl.Lattice(local=True), cl.KAnonymity(5)) + 1e-6


def test_growth_is_finished_where_nothing_else_is_there(monkeypatch):
    real = weave.kernels.l_greedy
    monkeypatch.setattr(weave, "swept", lambda *given: None)
    monkeypatch.setattr(weave.kernels, "l_greedy", lambda *given: time.sleep(0.5) or real(*given))
    plan = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(time_limit=0.1))
    release = plan.run(table_of("hierarchies", 300, 10))
    assert release.k >= 5
    assert not release.was_stopped


def test_whoever_stops_the_recodings_does_not_wait_for_growth(monkeypatch):
    real, n_calls = weave.swept, []

    def stopped(problem, *given):
        found = real(problem, *given)
        problem.pulses[-1].stop()
        return found

    monkeypatch.setattr(weave, "swept", stopped)
    monkeypatch.setattr(weave.kernels, "l_greedy", stubborn(n_calls))
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave()).run(table_of("hierarchies", 300, 11))
    assert release.was_stopped
    assert not n_calls


def test_growth_draws_its_seeds_before_the_recodings_are_drawn(monkeypatch):
    """Although it is done after them: with a seed the classes are those of a growth that comes first."""
    monkeypatch.setattr(weave, "_MOST_RECODINGS", 50)
    monkeypatch.setattr(weave, "_FEWEST_RECODINGS", 1)
    drawn = []

    class Told(Randomness):
        def permutation(self, n):
            drawn.append(n)
            return super().permutation(n)

    problem = Problem.of(table_of("hierarchies", 500, 12), [cl.KAnonymity(25)], Told(1), Quiet())
    cl.Weave(effort="fast").search(problem)
    assert drawn[0] == 500
    assert len(drawn) > 1
    assert 500 not in drawn[1:]
