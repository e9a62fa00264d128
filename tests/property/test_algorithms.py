"""What must hold for every search on every table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import Case, cases
from trying import tries

import celosia as cl
from celosia.jobs import registry

ALGORITHMS = [
    *(kind() for kind in registry.classes_in("algorithms").values()),
    cl.Mondrian(strict=False),
    cl.Weave(effort="fast"),
    cl.Weave(effort="best", passes=5),
    cl.Lattice(local=True),
    cl.Genetic(coding="levels"),
]
every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)


def all_but(*kinds: type):
    return pytest.mark.parametrize(
        "algorithm", [algorithm for algorithm in ALGORITHMS if not isinstance(algorithm, kinds)], ids=repr
    )


# What they find depends on the machine, what they promise does not.
timed_too = pytest.mark.parametrize("algorithm", [*ALGORITHMS, cl.Weave(effort="best", time_limit=0.02)], ids=repr)
ks = st.integers(2, 6)


def people(case: Case, rows) -> int:
    return len(rows) if case.subject is None else len({case.subject[row] for row in rows})


def run(case: Case, algorithm, k, **options):
    return cl.Plan(models=[cl.KAnonymity(k)], algorithm=algorithm, seed=3, **options).run(case.table())


@timed_too
@given(case=cases(), k=ks, budget=st.sampled_from([0.0, 0.2]))
@tries(120)
def test_a_release_keeps_every_promise_or_is_refused(algorithm, case, k, budget):
    if people(case, range(case.n_rows)) < k:
        with pytest.raises(cl.UnreachableError):
            run(case, algorithm, k, max_suppression=budget)
        return
    release = run(case, algorithm, k, max_suppression=budget, keep_order=True)
    labels = release.classes.labels
    assert len(labels) == case.n_rows
    assert release.classes.n_suppressed <= budget * case.n_rows
    for label in range(release.classes.n_classes):
        assert people(case, np.flatnonzero(labels == label)) >= k
    published = release.rows
    kept = np.flatnonzero(labels >= 0)
    for name, column in case.columns.items():
        for cell, row in zip(published[name], kept, strict=True):
            assert case.contains(name, cell, column[row]), (name, cell)
    tuples = published.rows()
    for one, first in zip(tuples, kept, strict=True):
        for other, second in zip(tuples, kept, strict=True):
            assert (one == other) == (labels[first] == labels[second])
    assert 0 <= release.loss.gcp <= 1


@every_algorithm
@given(case=cases(min_rows=6), k=st.integers(2, 3), seed=st.integers(0, 3))
@tries(40)
def test_same_seed_same_result(algorithm, case, k, seed):
    if people(case, range(case.n_rows)) < k:
        return
    plan = cl.Plan(models=[cl.KAnonymity(k)], algorithm=algorithm, seed=seed)
    one, other = plan.run(case.table()), plan.run(case.table())
    assert one.classes.labels.tolist() == other.classes.labels.tolist()
    assert one.rows.equals(other.rows)


@every_algorithm
@given(case=cases(min_rows=8, subjects=False), k=st.integers(2, 3), shuffle=st.randoms(use_true_random=False))
@tries(40)
def test_the_order_of_the_input_does_not_matter(algorithm, case, k, shuffle):
    """Rows are searched in canonical order, so that shuffled input gives exactly the same loss."""
    order = list(range(case.n_rows))
    shuffle.shuffle(order)
    columns = {name: [column[row] for row in order] for name, column in case.columns.items()}
    shuffled = Case(columns, case.kinds, case.hierarchies, None, case.weights)
    assert run(case, algorithm, k).loss.gcp == pytest.approx(run(shuffled, algorithm, k).loss.gcp, abs=1e-12)


@all_but(cl.Datafly, cl.TopDown, cl.Genetic)  # whose way may lead elsewhere once rows may go, as their papers have it
@given(case=cases(min_rows=6, subjects=False), k=st.integers(2, 3))
@tries(40)
def test_suppression_never_raises_the_loss(algorithm, case, k):
    assert run(case, algorithm, k, max_suppression=0.3).loss.gcp <= run(case, algorithm, k).loss.gcp + 1e-9


@every_algorithm
@pytest.mark.parametrize("frame_kind", ["pandas", "polars", "arrow"])
def test_the_same_kind_of_frame_comes_back(algorithm, frame_kind):
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": ["a", "b", "a", "b"]})
    native = {"pandas": frame.to_pandas, "polars": lambda: frame, "arrow": frame.to_arrow}[frame_kind]()
    table = cl.Table(native, cl.Schema(quasi_identifiers={"age": "number", "job": "category"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=algorithm).run(table)
    assert type(release.frame) is type(native)
    assert release.frame.shape == (4, 2)


@every_algorithm
@pytest.mark.parametrize("n_rows", [0, 1, 2])
def test_fewer_rows_than_k(algorithm, n_rows):
    table = cl.Table(pl.DataFrame({"age": list(range(n_rows))}, schema={"age": pl.Int64}), _ages())
    with pytest.raises(cl.UnreachableError):
        cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm, max_suppression=1.0).run(table)


@every_algorithm
def test_exactly_k_rows_are_one_class(algorithm):
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm).run(
        cl.Table(pl.DataFrame({"age": [1, 5, 9]}), _ages())
    )
    assert release.classes.n_classes == 1
    assert release.rows["age"].to_list() == ["[1, 9]"] * 3
    assert release.loss.gcp == 1.0


@every_algorithm
def test_equal_rows_lose_nothing(algorithm):
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm).run(
        cl.Table(pl.DataFrame({"age": [7] * 10}), _ages())
    )
    assert release.loss.gcp == 0.0
    assert release.k == 10


@every_algorithm
def test_thirty_columns_and_a_category_of_200_values(algorithm):
    generator = np.random.default_rng(5)
    data = {f"n{position}": generator.integers(0, 50, 300) for position in range(29)}
    data["city"] = [f"city{code}" for code in np.r_[np.arange(200), generator.integers(0, 200, 100)]]
    kinds = {name: "category" if name == "city" else "number" for name in data}
    table = cl.Table(pl.DataFrame(data), cl.Schema(quasi_identifiers=kinds))
    release = cl.Plan(models=[cl.KAnonymity(4)], algorithm=algorithm).run(table)
    assert release.k >= 4
    assert 0 < release.loss.gcp < 1


@every_algorithm
def test_only_missing_values_stay_missing(algorithm):
    schema = cl.Schema(quasi_identifiers={"age": "number", "mark": "number"})
    table = cl.Table(pl.DataFrame({"age": [None] * 4, "mark": [1, 1, 2, 2]}), schema)
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=algorithm).run(table)
    assert release.rows["age"].to_list() == [None] * 4
    assert release.loss.gcp == 0.0


@all_but(cl.Datafly)  # which counts values alone
def test_a_weight_draws_the_search_to_its_column(algorithm):
    generator = np.random.default_rng(2)
    frame = pl.DataFrame({"a": generator.random(200), "b": generator.random(200)})
    losses = []
    for weight in (0.01, 100.0):
        schema = cl.Schema(quasi_identifiers={"a": "number", "b": "number"}, weights={"a": weight})
        losses.append(cl.Plan(models=[cl.KAnonymity(5)], algorithm=algorithm, seed=1).run(cl.Table(frame, schema)).loss)
    assert losses[1].columns["a"] < losses[0].columns["a"]
    assert losses[1].columns["b"] > losses[0].columns["b"]


def test_gcp_is_the_weighted_mean():
    frame = pl.DataFrame({"a": [0, 1, 2], "b": [0, 5, 10]})
    schema = cl.Schema(quasi_identifiers={"a": "number", "b": "number"}, weights={"b": 3})
    table = cl.Table(frame, schema)
    assert cl.utility.gcp(table, [0, 0, 1]) == pytest.approx(
        float(Fraction(2, 3) * (Fraction(1, 2) + 3 * Fraction(1, 2)) / 4)
    )


def _ages():
    return cl.Schema(quasi_identifiers={"age": "number"})
