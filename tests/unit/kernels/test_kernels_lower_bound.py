"""The kernels behind the lower bound against their definitions, written out plainly."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from unit.kernels.kernel_tables import random_table

from celosia import kernels
from celosia.kernels import _kernels

MANY = 10**6


def all_classes(n_rows, k):
    return [rows for size in range(k, min(2 * k, n_rows + 1)) for rows in combinations(range(n_rows), size)]


def random_case(seed, most_rows=9):
    random = Random(seed)
    n_rows = random.randint(3, most_rows)
    table = random_table(random, n_rows, random.randint(1, 4))
    k = random.randint(2, min(5, n_rows))
    top = max(table.loss(range(n_rows)), 1)
    potentials = np.array([float(random.randint(-top // 4, top)) for _ in range(n_rows)])
    return random, table, k, potentials


@pytest.mark.parametrize("seed", range(250))
def test_the_cheapest_class_of_each_row(seed):
    random, table, k, potentials = random_case(seed)
    if seed % 5 == 0:
        potentials[:] = 0.0
    expected = np.full(table.n_rows, np.inf)
    for rows in all_classes(table.n_rows, k):
        cost = table.loss(rows) - potentials[list(rows)].mean()
        expected[list(rows)] = np.minimum(expected[list(rows)], cost)
    columns, everyone = table.for_kernels(), np.arange(table.n_rows, dtype=np.int32)
    found = kernels.cheapest_classes(columns, k, potentials, everyone, 0.0, MANY, 60.0)
    assert found[0] == pytest.approx(expected, rel=1e-12, abs=1e-6)
    assert found[1] == pytest.approx(expected, rel=1e-12, abs=1e-6)
    # Cut off anywhere it stays a bound, and what was seen is a class.
    tolerance = random.choice([0.0, 0.1 * float(np.abs(expected).max())])
    bound, cost, members, ends = kernels.cheapest_classes(
        columns, k, potentials, everyone, tolerance, random.choice([1, 3, 10]), 60.0
    )
    assert (bound <= expected + 1e-6).all()
    assert (cost >= expected - 1e-6).all()
    for rows in np.split(members, ends[:-1]):
        assert k <= len(rows) == len(set(rows.tolist())) < 2 * k
        assert expected[rows[0]] <= table.loss(rows.tolist()) - potentials[rows].mean() + 1e-6


@pytest.mark.parametrize("instructions", _kernels.instruction_sets())
def test_more_rows_than_are_looked_at_closely(instructions):
    random = np.random.default_rng(5)
    n_rows, k = 6000, 4
    columns = kernels.Columns(n_rows)
    places = random.integers(0, 50, n_rows).astype(np.int32)
    codes = random.integers(0, 3, n_rows).astype(np.int32)
    columns.add_line(places, 1000)
    columns.add_bag(codes, 3, 500, 1000)
    potentials = random.integers(0, 400, n_rows).astype(np.float64)
    rows = np.array([0, 17, 4711], dtype=np.int32)
    _kernels.use_instruction_set(instructions)
    try:
        bound, cost, _, _ = kernels.cheapest_classes(columns, k, potentials, rows, 0.0, 2000, 60.0)
    finally:
        _kernels.use_instruction_set(_kernels.instruction_sets()[-1])
    assert (bound <= cost).all()
    for row, one, found in zip(rows.tolist(), bound.tolist(), cost.tolist(), strict=True):
        # Classes of rows with its code alone, a range of places each: some of those that there are.
        least = np.inf
        for low in range(places[row] + 1):
            for high in range(places[row], 50):
                inside = (places >= low) & (places <= high) & (codes == codes[row])
                inside[row] = False
                best = np.sort(potentials[inside])[::-1]
                for size in range(k, 2 * k):
                    if len(best) >= size - 1:
                        mean = (potentials[row] + best[: size - 1].sum()) / size
                        least = min(least, high - low - mean)
        assert one <= least + 1e-6
        assert found <= least + 1e-6


def test_time_that_is_up_leaves_rows_without_a_bound():
    _, table, k, potentials = random_case(1)
    rows = np.arange(table.n_rows, dtype=np.int32)
    bound, _, members, ends = kernels.cheapest_classes(table.for_kernels(), k, potentials, rows, 0.0, 9, 0.0)
    assert (bound == -np.inf).all()
    assert len(members) == len(ends) == 0


@pytest.mark.parametrize("seed", range(40))
def test_costs_of_classes_and_columns_of_some_rows(seed):
    random, table, _, _ = random_case(seed)
    classes = [random.sample(range(table.n_rows), random.randint(1, table.n_rows)) for _ in range(5)]
    members = np.concatenate(classes).astype(np.int32)
    ends = np.cumsum([len(rows) for rows in classes])
    expected = [len(rows) * table.loss(rows) for rows in classes]
    assert kernels.class_costs(table.for_kernels(), members, ends).tolist() == expected
    taken = table.for_kernels().take(np.array(classes[0], dtype=np.int32))
    everyone = np.arange(len(classes[0]), dtype=np.int32)
    assert kernels.class_costs(taken, everyone, np.array([len(everyone)])).tolist() == expected[:1]


def test_fitted_potentials_reach_the_dual_of_a_matching():
    """Four rows on a line, classes of two: the pairs next to each other bind, and their potentials add up to them."""
    classes, costs = [[0, 1], [1, 2], [2, 3], [0, 3]], np.array([2.0, 6.0, 4.0, 12.0])
    members = np.concatenate(classes).astype(np.int32)
    ends = np.arange(2, 9, 2)
    caps, begun = np.full(4, 100.0), np.zeros(4)
    fitted = kernels.fit_potentials(members, ends, costs, caps, begun, 1.0, 1e-3, 3000)
    assert fitted.sum() == pytest.approx(6.0, abs=0.05)
    for rows, cost in zip(classes, costs, strict=True):
        assert fitted[rows].sum() <= cost + 0.05
    assert (fitted >= 0).all()
    assert kernels.fit_potentials(members, ends, costs, caps / 100, begun, 1.0, 1e-3, 300).max() <= 1.0


def test_a_row_in_no_class_keeps_its_potential():
    fitted = kernels.fit_potentials(
        np.array([0, 1], dtype=np.int32), np.array([2]), np.array([4.0]), np.full(3, 9.0), np.full(3, 1.0), 1.0, 0.1, 9
    )
    assert fitted[2] == 1.0


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("may_suppress", [False, True])
def test_the_least_partition(seed, may_suppress):
    _, table, k, _ = random_case(seed, most_rows=8)
    n_rows, alone = table.n_rows, 2.0**30
    least = {(): 0.0}
    for rows in sorted((rows for size in range(1, n_rows + 1) for rows in combinations(range(n_rows), size)), key=len):
        found = [alone + least[rows[1:]]] if may_suppress else [np.inf]
        for size in range(k, len(rows) + 1):
            for others in combinations(rows[1:], size - 1):
                left = tuple(row for row in rows[1:] if row not in others)
                found.append(size * table.loss((rows[0], *others)) + least[left])
        least[rows] = min(found)
    expected = least[tuple(range(n_rows))]
    whole = float(n_rows * table.loss(range(n_rows)))
    columns, prices = table.for_kernels(), np.zeros(n_rows)
    assert kernels.least_partition(columns, k, prices, whole, may_suppress, MANY) == min(expected, whole)
    assert kernels.least_partition(columns, k, prices, whole, may_suppress, 0) in (None, whole)


def test_wrong_arguments_are_refused():
    _, table, k, potentials = random_case(2)
    columns, rows = table.for_kernels(), np.arange(table.n_rows, dtype=np.int32)
    with pytest.raises(ValueError, match="k must lie"):
        kernels.cheapest_classes(columns, 1, potentials, rows, 0.0, 9, 1.0)
    with pytest.raises(ValueError, match="potentials has"):
        kernels.cheapest_classes(columns, k, potentials[1:], rows, 0.0, 9, 1.0)
    with pytest.raises(ValueError, match="rows must lie"):
        kernels.cheapest_classes(columns, k, potentials, rows + 1, 0.0, 9, 1.0)
    with pytest.raises(ValueError, match="rows must lie"):
        columns.take(rows + 1)
    with pytest.raises(ValueError, match="members must lie"):
        kernels.class_costs(columns, rows + 1, np.array([len(rows)]))
    with pytest.raises(ValueError, match="ends must ascend"):
        kernels.class_costs(columns, rows, np.array([0]))
    with pytest.raises(ValueError, match="heat"):
        kernels.fit_potentials(rows, np.array([len(rows)]), np.ones(1), potentials, potentials, 0.0, 0.0, 1)
    with pytest.raises(ValueError, match="1 to 20"):
        kernels.least_partition(kernels.Columns(21), 2, np.zeros(21), 1.0, False, 1)


def test_a_stopped_kernel_says_so():
    _, table, k, potentials = random_case(3)
    pulse = kernels.Pulse()
    pulse.stop()
    rows = np.arange(table.n_rows, dtype=np.int32)
    with pytest.raises(kernels.Interrupted):
        kernels.cheapest_classes(table.for_kernels(), k, potentials, rows, 0.0, 9, 9.0, pulse)
