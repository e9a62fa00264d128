"""Rows without a subject count as one person, in searches as in models."""

from __future__ import annotations

from itertools import product
from random import Random

import polars as pl
import pytest

import celosia as cl

ALGORITHMS = [
    cl.Weave(passes=5),
    cl.Exact(),
    cl.KMembers(),
    cl.LGreedy(),
    cl.Mondrian(),
    cl.HilbertOrder(),
    cl.ReferenceOrder(),
    cl.Lattice(),
    cl.Lattice(local=True),
    cl.Datafly(),
    cl.TopDown(),
]


def table_of(marks, people):
    frame = pl.DataFrame({"mark": marks, "who": people}, schema={"mark": pl.Int64, "who": pl.String})
    return cl.Table(frame, cl.Schema(quasi_identifiers={"mark": "number"}, subject="who"))


def least_gcp(marks, people, k):
    """Over all groupings; people of a class are its distinct subjects, one of them nobody."""
    best, span = float("inf"), max(marks) - min(marks)
    for labels in product(range(len(marks) // k), repeat=len(marks)):
        groups = [[i for i, label in enumerate(labels) if label == own] for own in set(labels)]
        if all(len({people[i] for i in group}) >= k for group in groups):
            loss = sum(len(group) * (max(marks[i] for i in group) - min(marks[i] for i in group)) for group in groups)
            best = min(best, loss / span / len(marks) if span else 0.0)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_is_that_of_all_groupings(seed):
    random = Random(seed)
    n_rows = random.randint(4, 7)
    marks = [random.randint(0, 9) for _ in range(n_rows)]
    people = [random.choice(["a", "b", "c", "d", None, None]) for _ in range(n_rows)]
    if len(set(people)) < 2:
        people[:2] = ["a", None]
    table, best = table_of(marks, people), least_gcp(marks, people, 2)
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Exact(), seed=seed).run(table)
    assert release.loss.gcp == pytest.approx(best, abs=1e-8)
    assert release.proof.is_optimal
    assert cl.utility.gcp_lower_bound(table, 2, time_limit=2) <= best


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_every_search_takes_nobody_for_one_person(algorithm):
    table = table_of([0, 0, 10, 10], ["a", None, "b", "c"])
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=algorithm, seed=1).run(table)
    assert release.loss.gcp == 0
    with pytest.raises(cl.UnreachableError):  # three rows of nobody are one person
        cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm).run(table_of([1, 2, 3, 4], ["a", None, None, None]))


@pytest.mark.parametrize("seed", range(8))
def test_rows_of_people_who_have_others_go_first(seed):
    frame = pl.DataFrame({"x": [1, 2, 3, 4], "ill": list("uuuw"), "who": list("GBEE")})
    schema = cl.Schema(quasi_identifiers={"x": "number"}, sensitive=["ill"], subject="who")
    models = [cl.KAnonymity(3), cl.AlphaK(0.67, on="ill")]
    release = cl.Plan(models=models, max_suppression=0.5, seed=seed).run(cl.Table(frame, schema))
    assert release.summary["n_suppressed"] == 1
    assert release.classes.labels.tolist() == [0, 0, -1, 0]
