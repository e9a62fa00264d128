"""The two ordering searches: where they place the rows, and what the cuts then give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from tables import GRADES, JOBS, cases
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import HilbertOrder, LGreedy, ReferenceOrder
from celosia.search.base import Algorithm, Problem
from celosia.search.hilbert_order import curve_coordinates
from celosia.search.orders import by_dispersion, dispersion
from celosia.search.reference_order import distance_order

ORDERS: list[Algorithm] = [HilbertOrder(), ReferenceOrder(), ReferenceOrder(reference="mean")]


def problem_of(table: cl.Table, k: int = 2) -> Problem:
    return Problem.of(table, [cl.KAnonymity(k)], Randomness(1), Quiet())


def table_of(columns: Mapping[str, Any], kinds: Any = "number", weights: dict[str, float] | None = None) -> cl.Table:
    """Make a table of quasi-identifiers of one kind, or of a kind each."""
    frame = pl.DataFrame({name: pl.Series(name, values, strict=False) for name, values in columns.items()})
    own = kinds if isinstance(kinds, dict) else dict.fromkeys(columns, kinds)
    return cl.Table(frame, cl.Schema(quasi_identifiers=own, weights=weights or {}))


def cells_by_value(values: Sequence[Any], kind: Any) -> dict[Any, int]:
    """The coordinate of each value of a table with one column."""
    problem = problem_of(table_of({"x": values}, kind))
    coordinates, bits = curve_coordinates(problem)
    assert bits == 32
    return {values[row]: int(cell) for row, cell in zip(problem.rows, coordinates[:, 0], strict=True)}


# Hilbert order


def test_numbers_lie_where_they_lie_between_the_lowest_and_the_highest() -> None:
    assert cells_by_value([0, 10, 5, 1], "number") == {0: 0, 10: 2**32 - 1, 5: 2**31, 1: 2**32 // 10}


def test_the_first_cell_belongs_to_missing_values_alone() -> None:
    cells = cells_by_value([None, 0, 10, 5], "number")
    assert cells == {None: 0, 0: 1, 10: 2**32 - 1, 5: (2**32 - 1) // 2 + 1}
    assert cells_by_value([None, "b", "a"], "category") == {None: 0, "a": 1, "b": 2**32 - 1}


def test_categories_lie_by_frequency_and_then_by_name() -> None:
    cells = cells_by_value(["a", "b", "c", "c", "d", "d"], "category")
    assert sorted(cells, key=cells.__getitem__) == ["c", "d", "a", "b"]


def test_ordered_values_and_leaves_lie_in_their_order() -> None:
    for kind in (cl.Order(values=GRADES), cl.Order(values=GRADES, groups=[2])):
        cells = cells_by_value(sorted(GRADES) + ["pass"] * 3, kind)
        assert sorted(cells, key=cells.__getitem__) == GRADES
    jobs = [row[0] for row in JOBS]
    cells = cells_by_value([*reversed(jobs), "cook"], cl.Tree(JOBS))
    for branch in ("health", "law", "food"):
        inside = [cells[leaf] for leaf, own, _ in JOBS if own == branch]
        outside = [cells[leaf] for leaf, own, _ in JOBS if own != branch]
        assert not any(min(inside) < cell < max(inside) for cell in outside)


def test_the_least_dispersed_column_is_the_first_axis() -> None:
    table = table_of({"wide": [0, 0, 9, 9], "narrow": [0, 5, 5, 9]})
    problem = problem_of(table)
    assert by_dispersion(problem).tolist() == [1, 0]
    coordinates, _ = curve_coordinates(problem)
    assert coordinates[:, 1].tolist() == [0, 0, 2**32 - 1, 2**32 - 1]


@pytest.mark.parametrize(("n_columns", "bits"), [(1, 32), (4, 32), (5, 25), (8, 16), (9, 14), (65, 1), (128, 1)])
def test_all_columns_share_the_bits_of_a_key(n_columns: int, bits: int) -> None:
    names = [f"c{position}" for position in range(n_columns)]
    table = table_of({name: [0, 1, None] for name in names})
    coordinates, got = curve_coordinates(problem_of(table))
    assert got == bits
    assert coordinates.shape == (3, n_columns)
    assert coordinates.max() == 2**bits - 1


def test_of_more_than_128_columns_the_most_dispersed_make_the_curve() -> None:
    names = [f"c{position:03d}" for position in range(130)]
    columns: dict[str, list[int]] = {name: [0, 0, 1, 1] for name in names}
    columns["c050"], columns["c060"] = [0, 0, 0, 0], [3, 3, 3, 3]
    table = table_of(columns)
    coordinates, bits = curve_coordinates(problem_of(table))
    assert (coordinates.shape, bits) == ((4, 128), 1)
    assert coordinates.any(axis=0).all()
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=HilbertOrder(), seed=1).run(table)
    assert release.loss.gcp == 0.0


def test_neighbours_in_the_plane_share_a_class() -> None:
    """Four clusters in the corners of a square, three rows each."""
    corners = [(x, y) for x in (0, 100) for y in (0, 100) for _ in range(3)]
    columns = {"x": [x + i % 3 for i, (x, _) in enumerate(corners)], "y": [y for _, y in corners]}
    table = table_of(columns)
    labels = cl.Plan(models=[cl.KAnonymity(3)], algorithm=HilbertOrder(), seed=1).run(table).classes.labels
    assert all(len(set(labels[start : start + 3])) == 1 for start in range(0, 12, 3))
    assert len(set(labels)) == 4


# Reference order


def squared_difference(column: Sequence[Any], kind: str, own: Any, reference: str) -> float:
    """How far a value is from the reference point, from the definition."""
    known = [value for value in column if value is not None]
    if own is None:
        return 1.0
    if kind == "category":
        by_name = sorted(set(known))
        point = max(by_name, key=known.count) if reference == "mean" else by_name[0]
        return float(own != point)
    if kind == "number":
        low, width = min(known), (max(known) - min(known)) or 1
        place = {value: (value - low) / width for value in known}
    else:
        leaves = [row[0] for row in sorted(JOBS, key=lambda row: row[::-1]) if row[0] in known]
        ranks = leaves if kind == "tree" else GRADES
        place = {value: ranks.index(value) / max(len(ranks) - 1, 1) for value in set(known)}
    point = sum(place[value] for value in known) / len(known) if reference == "mean" else 0.0
    return float((place[own] - point) ** 2)


@tries(100)
@given(case=cases(kinds=("number", "category", "tree", "order"), subjects=False))
@pytest.mark.parametrize("reference", ["lowest", "mean"])
def test_rows_are_sorted_by_their_distance_to_the_reference(reference: Any, case: Any) -> None:
    case.hierarchies = {name: cl.Order(values=GRADES) if "order" in name else h for name, h in case.hierarchies.items()}
    problem = problem_of(case.table())
    order = distance_order(problem, reference)
    assert sorted(order.tolist()) == list(range(case.n_rows))

    def distance(place: int) -> float:
        row = problem.rows[place]
        total = 0.0
        for name, column in case.columns.items():
            own = squared_difference(column, case.kinds[name], column[row], reference)
            total += case.weights.get(name, 1.0) * own
        return total

    for before, after in pairwise(order.tolist()):
        assert distance(before) <= distance(after) + 1e-9


def test_rows_at_one_distance_keep_the_canonical_order() -> None:
    columns = {"x": [1, 0, 1, 0], "y": [0, 1, 0, 1]}
    assert distance_order(problem_of(table_of(columns)), "lowest").tolist() == [0, 1, 2, 3]


def test_a_weight_moves_the_rows() -> None:
    columns = {"x": [0, 8, 0, 10], "y": [0, 0, 10, 10]}
    plain = problem_of(table_of(columns))
    heavy = problem_of(table_of(columns, weights={"y": 0.1}))
    assert plain.rows[distance_order(plain, "lowest")].tolist() == [0, 1, 2, 3]
    assert heavy.rows[distance_order(heavy, "lowest")].tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("wrong", ["highest", "", None, 0])
def test_another_reference_is_refused(wrong: Any) -> None:
    with pytest.raises(cl.OptionError, match="lowest or mean"):
        ReferenceOrder(reference=wrong)


def test_a_column_without_any_value_is_no_obstacle() -> None:
    table = table_of(
        {"a": [None] * 4, "b": [None] * 4, "c": [1, 1, 9, 9]}, {"a": "category", "b": "number", "c": "number"}
    )
    for algorithm in ORDERS:
        labels = cl.Plan(models=[cl.KAnonymity(2)], algorithm=algorithm, seed=1).run(table).classes.labels
        assert labels[0] == labels[1] != labels[2] == labels[3]


# Both


def least_loss_in_one_dimension(numbers: Sequence[int], k: int) -> float:
    """The least GCP of any classes of sorted numbers: there the best classes are stretches."""
    ordered, best = sorted(numbers), [0.0]
    for end in range(1, len(ordered) + 1):
        ways = [best[s] + (end - s) * (ordered[end - 1] - ordered[s]) for s in range(end - k + 1)]
        best.append(min(ways, default=float("inf")))
    return best[-1] / (len(ordered) * (ordered[-1] - ordered[0]))


@pytest.mark.parametrize("algorithm", [HilbertOrder(), ReferenceOrder()], ids=repr)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_one_column_of_numbers_is_cut_as_well_as_it_can_be(algorithm: Any, k: int) -> None:
    numbers = np.random.default_rng(k).integers(0, 500, 60).tolist()
    release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=algorithm, seed=1).run(table_of({"x": numbers}))
    assert release.loss.gcp == pytest.approx(least_loss_in_one_dimension(numbers, k), abs=1e-6)


@pytest.mark.parametrize("algorithm", ORDERS, ids=repr)
def test_people_and_not_rows_are_counted(algorithm: Any) -> None:
    frame = pl.DataFrame({"who": list("aaaabbbc"), "x": [1, 1, 1, 1, 2, 2, 2, 3]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}, subject="who"))
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm, seed=1).run(table)
    assert release.classes.n_classes == 1


def test_hilbert_order_loses_less_than_reference_order_and_more_than_greedy_growth() -> None:
    """The exam paper's claim on searches by order alone, on its own kind of data."""
    random = np.random.default_rng(4)
    columns = {name: random.normal(6, 2, 300) for name in ("exam", "practicals", "participation")}
    table = table_of(columns)
    searches: list[Algorithm] = [LGreedy(), HilbertOrder(), ReferenceOrder()]
    losses = [
        cl.Plan(models=[cl.KAnonymity(5)], algorithm=algorithm, seed=1).run(table).loss.gcp for algorithm in searches
    ]
    assert losses == sorted(losses)


def test_dispersion_is_variance_or_the_chance_that_two_rows_differ() -> None:
    table = table_of({"n": [0, 10, 5, None], "c": ["a", "a", "b", None]}, {"n": "number", "c": "category"})
    number, category = table.quasi_identifiers
    assert dispersion(number.domain, number.codes) == pytest.approx(1 / 6)
    assert dispersion(category.domain, category.codes) == pytest.approx(1 - 1 / 4 - 1 / 16 - 1 / 16)


def test_options_come_back_from_the_plan_file() -> None:
    assert HilbertOrder().to_dict() == ReferenceOrder().to_dict() == {}
    assert ReferenceOrder(**ReferenceOrder(reference="mean").to_dict()) == ReferenceOrder(reference="mean")
