"""Genetic: never worse than what it begins with, and what it says it costs is what the release loses."""

from __future__ import annotations

import itertools
import threading
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_forests import MONOTONE, NOT_MONOTONE, small_forest
from tables import Case, cases
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import Datafly, Genetic, Lattice, TopDown
from celosia.search.base import Problem

JOBS = [("nurse", "health", "*"), ("doctor", "health", "*"), ("judge", "law", "*"), ("clerk", "law", "*")]
QUICK = Genetic(population=12, generations=8)


def searched(table: cl.Table, models, search, n_spare: int = 0):
    return search.search(Problem.of(table, models, Randomness(1), Quiet(), n_spare=n_spare))


def mixed(seed: int, n_rows: int, gaps: float) -> pl.DataFrame:
    dice = np.random.default_rng(seed)

    def column(values):
        drawn = dice.choice(np.array(values, dtype=object), n_rows)
        return [None if dice.random() < gaps else value for value in drawn]

    return pl.DataFrame(
        {
            "age": pl.Series(column(list(range(20, 50))), dtype=pl.Int64),
            "city": pl.Series(column(["a", "b", "c"]), dtype=pl.String),
            "job": pl.Series(column([row[0] for row in JOBS]), dtype=pl.String),
        }
    )


SCHEMA = cl.Schema(quasi_identifiers={"age": "number", "city": "category", "job": cl.Tree(JOBS)})


def plain_gcp(frame: pl.DataFrame, published: pl.DataFrame) -> Fraction:
    """From the texts of the release alone; rows that are not there have lost everything."""
    ages = [age for age in frame["age"] if age is not None]
    n_cities = len({city for city in frame["city"] if city is not None})
    n_jobs = {"health": 2, "law": 2}
    lost = Fraction(3 * (len(frame) - len(published)))
    for age, city, job in published.rows():
        if age is not None:
            low, high = (0, 1) if age == "*" else map(int, (age.strip("[]").split(", ") * 2)[:2])
            width = 1 if age == "*" else max(ages) - min(ages)
            lost += Fraction(high - low, width) if width else 0
        if city is not None:
            assert city == "*" or "/" not in city
            lost += 1 if city == "*" and (n_cities > 1 or frame["city"].null_count()) else 0
        if job is not None:
            lost += 1 if job == "*" else Fraction(n_jobs.get(job, 1) - 1, len(JOBS) - 1)
    return lost / (3 * len(frame))


@pytest.mark.parametrize("seed", range(40))
def test_what_it_costs_is_what_the_release_loses(seed):
    frame = mixed(seed, 20 + seed, 0.15 if seed % 3 == 0 else 0.0)
    table = cl.Table(frame, SCHEMA)
    share = [0.0, 0.1][seed % 2]
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=QUICK, max_suppression=share, seed=seed).run(table)
    assert release.proof is not None
    assert release.proof.value == pytest.approx(float(plain_gcp(frame, release.frame)), abs=1e-8)
    assert release.loss.gcp == pytest.approx(release.proof.value, abs=1e-8)
    assert release.scope.table in ("value-global", "full-domain")
    for other in (TopDown(), Datafly()):
        beside = cl.Plan(models=[cl.KAnonymity(3)], algorithm=other, max_suppression=share, seed=seed).run(table)
        assert release.proof.value <= beside.proof.value + 1e-9


@pytest.mark.parametrize("coding", ["cuts", "levels"])
@pytest.mark.parametrize("seed", range(44))
def test_it_is_never_worse_than_its_seeds(seed, coding):
    table = small_forest(seed).table()
    models, n_spare = [*MONOTONE, *NOT_MONOTONE][seed % 11], [0, 3][seed % 2]
    objectives = ["gcp", "loss", "discernibility", "non_uniform_entropy", "average_class_size"]
    objective = objectives[seed % 5]
    search = Genetic(objective=objective, coding=coding, population=8, generations=5)
    try:
        found = searched(table, models, search, n_spare)
    except cl.UnreachableError:
        with pytest.raises(cl.UnreachableError):
            searched(table, models, Datafly(), n_spare)
        return
    assert found.proof.objective == objective
    if objective != "gcp":
        return
    seeds = [Datafly(), TopDown()] if coding == "cuts" else [Datafly()]
    for other in seeds:
        try:
            assert found.proof.value <= searched(table, models, other, n_spare).proof.value + 1e-9
        except cl.UnreachableError:
            continue


@pytest.mark.parametrize("objective", ["gcp", "precision", "discernibility", "average_class_size"])
@pytest.mark.parametrize("seed", range(12))
def test_on_small_lattices_it_finds_the_best_levels(seed, objective):
    table = small_forest(200 + seed).table()
    search = Genetic(objective=objective, coding="levels", population=30, generations=30)
    found = searched(table, [cl.KAnonymity(2)], search, 2)
    best = searched(table, [cl.KAnonymity(2)], Lattice(objective=objective), 2)
    assert found.proof.value == pytest.approx(best.proof.value, abs=1e-9)
    assert list(found.proof.levels) == [column.name for column in table.quasi_identifiers]


@pytest.mark.parametrize("seed", range(10))
def test_ranges_of_one_column_are_the_best_of_all(seed):
    dice = np.random.default_rng(seed)
    ages = sorted(dice.integers(0, 60, 12).tolist())
    table = cl.Table(pl.DataFrame({"age": ages}), cl.Schema(quasi_identifiers={"age": "number"}))
    values = sorted(set(ages))
    best = Fraction(10)
    for cuts in itertools.product([0, 1], repeat=len(values) - 1):
        parts, start = [], 0
        for place in [*(i + 1 for i, cut in enumerate(cuts) if cut), len(values)]:
            parts.append(values[start:place])
            start = place
        sizes = [sum(ages.count(value) for value in part) for part in parts]
        if min(sizes) >= 3:
            lost = sum(size * (part[-1] - part[0]) for size, part in zip(sizes, parts, strict=True))
            best = min(best, Fraction(lost, 12 * (values[-1] - values[0])))
    found = searched(table, [cl.KAnonymity(3)], Genetic(population=40, generations=60))
    assert found.proof.value == pytest.approx(float(best), abs=1e-8)


def test_more_values_than_cut_points():
    dice = np.random.default_rng(3)
    frame = pl.DataFrame({"pay": dice.lognormal(7, 1, 600).round(2), "sex": dice.choice(["f", "m"], 600)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"pay": "number", "sex": "category"}))
    plan = cl.Plan(models=[cl.KAnonymity(5)], algorithm=Genetic(generations=40), seed=1)
    release = plan.run(table)
    top_down = cl.Plan(models=[cl.KAnonymity(5)], algorithm=TopDown(), seed=1).run(table)
    assert release.loss.gcp <= top_down.loss.gcp + 1e-9
    assert release.loss.gcp == pytest.approx(release.proof.value, abs=1e-7)
    assert release.scope.table == "value-global"
    assert plan.run(table).frame.equals(release.frame)


@pytest.mark.parametrize("coding", ["cuts", "levels"])
def test_the_number_of_threads_changes_nothing(coding):
    from celosia.search.genetic import _cut_points, _seeds
    from celosia.search.whole_columns import WholeColumns

    table = cl.Table(mixed(5, 200, 0.1), SCHEMA)
    columns = WholeColumns(Problem.of(table, [cl.KAnonymity(4)], Randomness(1), Quiet(), n_spare=8), "gcp")
    by_levels = coding == "levels"
    points = [None if by_levels or own is None else own.for_kernel for own in _cut_points(columns)]
    seeds = _seeds(columns, by_levels)
    one, three = (columns.recoder.breed(by_levels, points, seeds, 20, 60, False, 0.0, 7, None, None, n) for n in (1, 3))
    assert one[2:4] == three[2:4]
    assert one[5] == three[5] == sorted(one[5], reverse=True)
    assert all(np.array_equal(a, b) for a, b in zip(one[0], three[0], strict=True))


def test_an_interrupted_search_hands_over_its_best(monkeypatch):
    table = cl.Table(mixed(8, 400, 0.0), SCHEMA)
    problem = Problem.of(table, [cl.KAnonymity(4)], Randomness(1), Quiet())
    threading.Timer(0.4, lambda: [pulse.stop() for pulse in problem.pulses]).start()
    found = Genetic(time_limit=60).search(problem)
    assert problem.was_stopped
    assert problem.history
    assert found.proof.value <= searched(table, [cl.KAnonymity(4)], TopDown()).proof.value + 1e-9


def test_a_time_limit_is_kept_and_progress_shown():
    class Shown(Quiet):
        shares: list[float] = []  # noqa: RUF012
        losses: list[float] = []  # noqa: RUF012

        def advance(self, share):
            self.shares.append(share)

        def found(self, loss):
            self.losses.append(loss)

    table = cl.Table(mixed(9, 400, 0.0), SCHEMA)
    plan = cl.Plan(models=[cl.KAnonymity(4)], algorithm=Genetic(time_limit=0.5), seed=1)
    release = plan.run(table, Shown())
    assert release.search_seconds < 2.0
    assert any(0 < share < 1 for share in Shown.shares)
    assert Shown.losses[-1] == pytest.approx(release.loss.gcp, abs=0.2)


@pytest.mark.parametrize(
    ("options", "about"),
    [
        ({"objective": "gpc"}, "objective"),
        ({"objective": "precision"}, "objective"),
        ({"coding": "bits"}, "coding"),
        ({"population": 1}, "population"),
        ({"population": True}, "population"),
        ({"generations": -1}, "generations"),
        ({"generations": 1.5}, "generations"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": float("inf")}, "time_limit"),
    ],
)
def test_options_are_checked(options, about):
    with pytest.raises(cl.OptionError) as error:
        Genetic(**options)
    assert error.value.about == about


def test_defaults_are_left_out():
    assert Genetic().to_dict() == {}
    options = {"objective": "loss", "coding": "levels", "population": 9, "generations": 3, "time_limit": 2}
    assert Genetic(**options).to_dict() == options


SEARCHES = [Datafly(), TopDown(), QUICK, Genetic(coding="levels", population=6, generations=4)]


@tries(60)
@given(
    case=cases(min_rows=6), search=st.sampled_from(SEARCHES), k=st.sampled_from([2, 3]), share=st.sampled_from([0, 0.2])
)
def test_all_kinds_of_columns_are_published_truthfully(case: Case, search, k, share):
    table = case.table()
    plan = cl.Plan(models=[cl.KAnonymity(k)], algorithm=search, max_suppression=share, seed=3, keep_order=True)
    try:
        release = plan.run(table)
    except cl.UnreachableError:
        assert table.subjects is not None or table.n_rows < k or share > 0
        return
    assert release.loss.gcp == pytest.approx(release.proof.value, abs=1e-7)
    kept = np.flatnonzero(~release.classes.suppressed)
    for name, column in case.columns.items():
        for row, cell in zip(kept, release.frame[name], strict=True):
            assert case.contains(name, cell, column[row])
    full = isinstance(search, Datafly) or search == SEARCHES[3]
    assert release.scope.table in (("full-domain",) if full else ("full-domain", "value-global"))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("share", [0.0, 0.2])
def test_models_about_secrets_and_a_secret_that_is_a_quasi_identifier(search, share):
    dice = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "age": dice.integers(20, 60, 150),
            "city": dice.choice(list("abcd"), 150),
            "ill": dice.choice(["flu", "flu", "cold", "hiv"], 150),
            "pay": dice.choice([1, 2, 3], 150),
        }
    )
    roles = {"quasi_identifiers": {"age": "number", "city": "category", "ill": "category"}, "sensitive": ["ill", "pay"]}
    table = cl.Table(frame, cl.Schema(**roles))
    for models in (
        [cl.KAnonymity(2), cl.LDiversity(2, on="ill"), cl.LDiversity(2, on="pay")],
        [cl.KAnonymity(2), cl.TCloseness(0.5, on="ill"), cl.ShareAtRisk(0.5, threshold=0.3)],
    ):
        release = cl.Plan(models=models, algorithm=search, max_suppression=share, seed=1).run(table)
        assert cl.check(release.frame, ["age", "city", "ill"], ["ill", "pay"], models=models).holds
        assert set(release.frame["ill"]) <= {"flu", "cold", "hiv"}


@pytest.mark.parametrize("search", SEARCHES)
def test_columns_of_one_value_and_of_none(search):
    frame = pl.DataFrame(
        {
            "one": ["x"] * 6,
            "none": pl.Series([None] * 6, dtype=pl.String),
            "gap": [5, 5, None, 5, None, 5],
            "age": [1, 1, 1, 9, 9, 9],
        }
    )
    kinds = {"one": "category", "none": "category", "gap": "number", "age": "number"}
    table = cl.Table(frame, cl.Schema(quasi_identifiers=kinds))
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=search, seed=1).run(table)
    assert set(release.frame["one"]) == {"x"}
    assert set(release.frame["none"]) == {None}
    assert release.loss.gcp == pytest.approx(release.proof.value, abs=1e-8)
