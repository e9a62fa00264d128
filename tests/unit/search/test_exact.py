"""Exact against an exhaustive search, written from the specification."""

from __future__ import annotations

import builtins
import math
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from impatient import Impatient
from plain import class_loss, number_loss, set_loss
from tables import JOBS, Case, cases
from trying import tries

import celosia as cl
from celosia.search import partitioning

ANCESTORS = {row[0]: row for row in JOBS}


def tree_loss(values, _column) -> Fraction:
    """Leaves under the lowest common ancestor, minus 1, over all leaves minus 1."""
    level = next(level for level in range(3) if len({ANCESTORS[value][level] for value in values}) == 1)
    node = ANCESTORS[values[0]][level]
    return Fraction(sum(row[level] == node for row in JOBS) - 1, len(JOBS) - 1)


LOSSES = {"number": number_loss, "category": set_loss, "tree": tree_loss}
plain_cases = cases(min_rows=2, max_rows=9, kinds=tuple(LOSSES))


def least_loss(case: Case, accepts, n_spare: int = 0) -> Fraction | None:
    """The least sum of losses of all ways to part the rows, rows counted; ``None`` if no way is accepted."""
    n = case.n_rows
    weights = {name: Fraction(str(case.weights.get(name, 1.0))) for name in case.columns}

    @cache
    def cost(members: tuple[int, ...]) -> Fraction | None:
        if not accepts(members):
            return None
        lost = sum(
            weights[name] * class_loss([column[row] for row in members], column, LOSSES[case.kinds[name]])
            for name, column in case.columns.items()
        )
        return len(members) * lost / sum(weights.values())

    @cache
    def best(left: frozenset[int], spare: int) -> Fraction | None:
        if not left:
            return Fraction(0)
        first, *others = sorted(left)
        found = []
        if spare and (rest := best(left - {first}, spare - 1)) is not None:
            found.append(1 + rest)
        for taken in product((False, True), repeat=len(others)):
            members = (first, *(row for row, is_in in zip(others, taken, strict=True) if is_in))
            own = cost(members)
            if own is not None and (rest := best(left - set(members), spare)) is not None:
                found.append(own + rest)
        return min(found, default=None)

    least = best(frozenset(range(n)), n_spare)
    # One class at least is published: a release without rows is none.
    return None if least is None else least / n


def people(case: Case, members) -> int:
    return len(members) if case.subject is None else len({case.subject[row] for row in members})


def table_of(case: Case, secret=None) -> cl.Table:
    if secret is None:
        return case.table()
    frame = case.frame().with_columns(pl.Series("secret", secret))
    return cl.Table(frame, cl.Schema(quasi_identifiers=case.hierarchies, sensitive=["secret"], weights=case.weights))


@given(case=plain_cases, k=st.integers(2, 4), budget=st.sampled_from([0.0, 0.25, 0.5]))
@tries(120)
def test_no_classes_lose_less(case, k, budget):
    if people(case, range(case.n_rows)) < k:
        return
    n_spare = math.floor(Fraction(str(budget)) * case.n_rows)
    least = least_loss(case, lambda members: people(case, members) >= k, n_spare)
    release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Exact(), max_suppression=budget, seed=1).run(case.table())
    assert release.loss.gcp == pytest.approx(float(least), abs=1e-8)
    assert release.proof.is_optimal
    assert release.proof.value == pytest.approx(float(least), abs=1e-8)
    assert release.proof.lower_bound == release.proof.value


def shares(secret, members):
    return {value: Fraction(n, len(members)) for value, n in Counter(secret[row] for row in members).items()}


def is_diverse(secret, members) -> bool:
    return len({secret[row] for row in members}) >= 2


def is_mixed(secret, members) -> bool:
    return max(shares(secret, members).values()) <= Fraction(1, 2)


def is_close(secret, members) -> bool:
    overall, own = shares(secret, range(len(secret))), shares(secret, members)
    return sum(abs(share - own.get(value, 0)) for value, share in overall.items()) / 2 <= Fraction(3, 10)


@given(
    case=cases(min_rows=4, max_rows=8, kinds=tuple(LOSSES), subjects=False),
    demand=st.sampled_from(
        [
            (cl.LDiversity(2, on="secret"), is_diverse),
            (cl.AlphaK(0.5, on="secret"), is_mixed),
            (cl.TCloseness(0.3, on="secret", distance="equal"), is_close),
        ]
    ),
    data=st.data(),
)
@tries(60)
def test_no_classes_that_satisfy_another_model_lose_less(case, demand, data):
    model, accepts = demand
    secret = data.draw(st.lists(st.sampled_from("xyz"), min_size=case.n_rows, max_size=case.n_rows))
    plan = cl.Plan(models=[cl.KAnonymity(2), model], algorithm=cl.Exact(), seed=1)
    least = least_loss(case, lambda members: len(members) >= 2 and accepts(secret, members))
    if least is None:
        with pytest.raises(cl.UnreachableError):
            plan.run(table_of(case, secret))
        return
    release = plan.run(table_of(case, secret))
    assert release.loss.gcp == pytest.approx(float(least), abs=1e-8)
    assert release.proof.is_optimal


@pytest.mark.parametrize("n_columns", [2, 8])
@pytest.mark.parametrize("kind", ["number", "category", "both"])
def test_24_rows_at_3_are_proved_in_seconds(n_columns, kind):
    table = random_table(24, n_columns, kind, seed=n_columns)
    started = time.process_time()
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Exact(), seed=1).run(table)
    assert release.proof.is_optimal
    assert time.process_time() - started < 30
    weave = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Weave(effort="best"), seed=1).run(table)
    assert release.loss.gcp <= weave.loss.gcp + 1e-9


def test_where_search_alone_misses_the_best_it_is_found():
    """Of many small tables Weave's first classes are not always the best: then the proof finds better ones."""
    for seed in range(40):
        table = random_table(14, 3, "both", seed)
        release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Exact(), seed=1).run(table)
        fast = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Weave(effort="fast"), seed=1).run(table)
        assert release.proof.is_optimal
        if fast.loss.gcp > release.loss.gcp + 1e-6:
            return
    pytest.fail("greedy classes were the best forty times")


def test_a_bad_start_does_not_matter(monkeypatch):
    """The optimum does not hang on the classes that the search starts from."""
    table = random_table(15, 3, "both", 4)
    plan = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Exact(), seed=1)
    best = plan.run(table).loss.gcp
    monkeypatch.setattr(cl.Exact, "_weave", lambda self, problem: _Carelessly())
    release = plan.run(table)
    assert release.proof.is_optimal
    assert release.loss.gcp == pytest.approx(best, abs=1e-9)


class _Carelessly:
    def search(self, problem):
        return (np.arange(problem.n_rows, dtype=np.int32) % (problem.n_rows // problem.smallest_class)).astype(np.int32)


def test_without_time_the_best_so_far_comes_unproved():
    table = random_table(60, 6, "number", 1)
    release = cl.Plan(models=[cl.KAnonymity(6)], algorithm=cl.Exact(time_limit=0.05), seed=1).run(table)
    assert release.k >= 6
    assert not release.proof.is_optimal
    assert [finding.code for finding in release.findings].count("SEARCH_NOT_PROVED") == 1
    assert release.summary["gcp_lower_bound"] is None or release.summary["gcp_lower_bound"] <= release.loss.gcp


def test_a_table_too_large_for_a_proof_is_searched_all_the_same(monkeypatch):
    monkeypatch.setattr("celosia.search.exact._MOST_ROWS", 50)
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Exact(), seed=1).run(random_table(60, 2, "number", 1))
    assert release.k >= 5
    assert not release.proof.is_optimal
    assert release.proof.lower_bound is None
    assert [finding.code for finding in release.findings].count("SEARCH_NOT_PROVED") == 1


@pytest.mark.parametrize(
    ("models", "options"),
    [
        ([cl.AverageRisk(0.3)], {}),
        ([cl.KAnonymity(2), cl.TCloseness(0.4, on="secret", distance="equal")], {"max_suppression": 0.3}),
    ],
)
def test_what_cannot_be_proved_is_not_called_proved(models, options):
    table = random_table(20, 2, "number", 3, secret=True)
    release = cl.Plan(models=models, algorithm=cl.Exact(), seed=1, **options).run(table)
    assert not release.proof.is_optimal
    assert release.proof.lower_bound is None


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, "soon", True])
def test_a_wrong_time_limit(seconds):
    with pytest.raises(cl.OptionError, match="time_limit"):
        cl.Exact(time_limit=seconds)


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def none_of_scipy(name, *args, **kwargs):
        if name.startswith("scipy"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", none_of_scipy)
    with pytest.raises(cl.InputError, match="HiGHS") as caught:
        partitioning.check_solver()
    assert "celosia[exact]" in caught.value.hint


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "k", "stage"),
    [(120, 6, 8, "prove"), (2000, 4, 4, "improve")],
    ids=["while it proves", "in the search that comes first"],
)
def test_ctrl_c_ends_the_search_with_the_best_so_far(n_rows, n_columns, k, stage):
    table = random_table(n_rows, n_columns, "number", 1)
    plan = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Exact(time_limit=300), seed=1)
    started = time.perf_counter()
    release = plan.run(table, Impatient(stage, 0.1))
    assert release.was_stopped
    assert release.k >= k
    assert not release.proof.is_optimal
    assert time.perf_counter() - started < 60


def test_only_options_that_are_not_the_usual_are_told():
    assert cl.Exact().to_dict() == {}
    assert cl.Exact(time_limit=5).to_dict() == {"time_limit": 5}


def random_table(n_rows, n_columns, kind, seed, secret=False) -> cl.Table:
    generator = np.random.default_rng(seed)
    data, kinds = {}, {}
    for position in range(n_columns):
        is_number = kind == "number" or (kind == "both" and position % 2 == 0)
        kinds[f"c{position}"] = "number" if is_number else "category"
        data[f"c{position}"] = generator.random(n_rows) if is_number else generator.choice(list("abcde"), n_rows)
    if secret:
        data["secret"] = generator.choice(list("xyz"), n_rows)
    schema = cl.Schema(quasi_identifiers=kinds, sensitive=["secret"] if secret else [])
    return cl.Table(pl.DataFrame(data), schema)
