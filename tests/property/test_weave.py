"""What must hold for Weave alone: near the optimum, all models kept, the loss over time."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl

QUICK = cl.Weave(passes=5)


def random_table(generator: np.random.Generator) -> dict[str, list]:
    n_rows = int(generator.integers(8, 12))
    numbers = {f"n{i}": generator.integers(0, 40, n_rows).tolist() for i in range(generator.integers(1, 3))}
    names = {f"c{i}": generator.choice(list("abcd"), n_rows).tolist() for i in range(generator.integers(0, 3))}
    return numbers | names


def as_table(columns: dict[str, list]) -> cl.Table:
    kinds = {name: "number" if name.startswith("n") else "category" for name in columns}
    return cl.Table(pl.DataFrame(columns), cl.Schema(quasi_identifiers=kinds))


def loss(columns: dict[str, list], rows: tuple[int, ...]) -> float:
    total = 0.0
    for name, column in columns.items():
        own = [column[row] for row in rows]
        if name.startswith("n"):
            span = max(column) - min(column)
            total += (max(own) - min(own)) / span if span else 0.0
        else:
            total += (len(set(own)) - 1) / max(len(set(column)) - 1, 1)
    return total / len(columns)


def optimum(columns: dict[str, list], k: int) -> float:
    """The least GCP of any partition into classes of k rows or more, by trying all of them (2k rows can be split)."""
    n_rows = len(next(iter(columns.values())))

    @cache
    def best(free: tuple[int, ...]) -> float:
        if not free:
            return 0.0
        first, others = free[0], free[1:]
        costs = [float("inf")]
        for size in range(k, 2 * k):
            for more in combinations(others, size - 1):
                rest = best(tuple(row for row in others if row not in more))
                costs.append(rest + size * loss(columns, (first, *more)))
        return min(costs)

    return best(tuple(range(n_rows))) / n_rows


def test_small_tables_are_solved_to_the_optimum():
    generator = np.random.default_rng(4)
    ratios = []
    for _ in range(25):
        columns, k = random_table(generator), int(generator.integers(2, 4))
        found = cl.Plan(models=[cl.KAnonymity(k)]).run(as_table(columns)).loss.gcp
        least = optimum(columns, k)
        assert found >= least - 1e-9
        ratios.append(found / least if least > 0 else 1.0 + found)
    assert np.mean(ratios) <= 1.005


@given(case=cases(min_rows=6), k=st.integers(1, 4), l=st.integers(2, 3), data=st.data())
@tries(150)
def test_l_diversity_rides_on_it(case, k, l, data):  # noqa: E741
    """Classes with too few different secrets never come out, and what can be reached is reached."""
    secrets = data.draw(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=case.n_rows, max_size=case.n_rows))
    schema = case.schema()
    frame = case.frame().with_columns(pl.Series("secret", secrets, dtype=pl.String))
    table = cl.Table(
        frame,
        cl.Schema(
            quasi_identifiers=schema.quasi_identifiers,
            sensitive=["secret"],
            subject=schema.subject,
            weights=schema.weights,
        ),
    )
    models = [cl.LDiversity(l, on="secret"), *([cl.KAnonymity(k)] if k > 1 else [])]
    plan = cl.Plan(models=models, algorithm=data.draw(st.sampled_from([QUICK, cl.Weave(effort="fast"), cl.LGreedy()])))
    people = case.n_rows if case.subject is None else len(set(case.subject))
    if len({secret for secret in secrets if secret is not None}) < l or people < k:
        with pytest.raises(cl.UnreachableError):
            plan.run(table)
        return
    labels = plan.run(table).classes.labels
    for label in range(labels.max() + 1):
        rows = np.flatnonzero(labels == label)
        assert len({secrets[row] for row in rows} - {None}) >= l
        assert len({case.subject[row] for row in rows} if case.subject else rows) >= k


@given(case=cases(min_rows=12, subjects=False), k=st.integers(2, 3))
@tries(60)
def test_more_passes_never_lose_more_than_the_start(case, k):
    start = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Weave(effort="fast"), seed=1).run(case.table())
    release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=QUICK, seed=1).run(case.table())
    assert release.loss.gcp <= start.loss.gcp + 1e-6
    seconds, losses = zip(*release.history, strict=True)
    assert list(seconds) == sorted(seconds)
    assert list(losses) == sorted(losses, reverse=True)
    assert losses[-1] == pytest.approx(release.loss.gcp, abs=1e-6)
    assert start.history == ()


@pytest.mark.parametrize(
    "options",
    [
        {"effort": "quick"},
        {"effort": 3},
        {"passes": -1},
        {"passes": 1.5},
        {"passes": True},
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"time_limit": float("inf")},
        {"time_limit": "1"},
        {"effort": "fast", "passes": 3},
        {"effort": "fast", "time_limit": 3},
    ],
)
def test_options_that_mean_nothing(options):
    with pytest.raises(cl.OptionError):
        cl.Weave(**options)


def test_a_time_limit_is_kept():
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({f"n{i}": generator.random(3000) for i in range(5)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(time_limit=0.5)).run(table)
    assert release.search_seconds < 2.0  # the machine may be busy
    assert len(release.history) > 2


def test_suppression_keeps_the_diversity_of_a_class():
    frame = pl.DataFrame({"age": [1, 1, 90, 50, 50, 51], "secret": ["a", "a", "b", "a", "b", "c"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["secret"]))
    release = cl.Plan(
        models=[cl.KAnonymity(2), cl.LDiversity(2, on="secret")], algorithm=QUICK, max_suppression=0.5, seed=1
    ).run(table)
    labels = release.classes.labels
    for label in range(labels.max() + 1):
        assert len(set(frame["secret"].filter(pl.Series(labels == label)))) >= 2


@pytest.mark.parametrize(("n_each", "k"), [(15, 2), (11, 2), (17, 3), (31, 5)])
def test_cells_with_rows_enough_lose_nothing(n_each, k):
    """Pairs of odd rows that greedy growth leaves over are given back to their cells."""
    table = as_table({"c": ["a"] * n_each + ["b"] * n_each, "n": [1] * n_each + [5] * n_each})
    release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=QUICK, seed=1).run(table)
    assert release.loss.gcp == 0


@pytest.mark.parametrize("sizes", [(131, 169), (190, 207, 203), (61, 33, 47, 90)])
@pytest.mark.parametrize("seed", range(3))
def test_a_class_of_odd_rows_goes_back_to_few_large_cells(sizes, seed):
    """Each of its rows finds a class of its own value: several rows the same one."""
    rows = [value for value, n in zip("abcd", sizes, strict=False) for _ in range(n)]
    table = cl.Table(pl.DataFrame({"x": rows}), cl.Schema(quasi_identifiers={"x": "category"}))
    assert cl.Plan(models=[cl.KAnonymity(30)], seed=seed).run(table).loss.gcp == 0
