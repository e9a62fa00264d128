"""Classes merged with their nearest, or joined along an order, against slow twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_demands import PlainDemands, random_demands, random_secret_demands
from unit.kernels.kernel_tables import Bag, Line, Table, random_table

from celosia import kernels

RANDOMS = st.randoms(use_true_random=False)


def ints(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def random_labels(random: Random, n_rows: int) -> list[int]:
    """Give labels with gaps; some rows, but not all, are in no class."""
    highest = min(random.choice([0, 1, 4, n_rows - 1]), n_rows - 1)
    labels = [random.randint(-1, highest) for _ in range(n_rows)]
    labels[random.randrange(n_rows)] = highest
    return labels


def check_merging(random: Random, n_rows: int, n_columns: int) -> None:
    table, labels = random_table(random, n_rows, n_columns), random_labels(random, n_rows)
    there = sorted({label for label in labels if label >= 0})
    wanting = random.choices(there, k=random.randint(0, len(there) + 1))
    n_spare = random.choice([0, 1, 3, n_rows])
    found = kernels.merge_nearest(table.for_kernels(), ints(labels), wanting, n_spare).tolist()
    assert found == twins.merge_nearest(table, labels, wanting, n_spare)
    assert found.count(-1) - labels.count(-1) <= n_spare
    sound = set(there) - set(wanting)
    for label in sound:
        assert len({found[row] for row in range(n_rows) if labels[row] == label}) == 1
    for label in set(wanting):
        rows = [row for row in range(n_rows) if labels[row] == label]
        alone = [row for row in range(n_rows) if found[row] == found[rows[0]]]
        n_left = len(set(found) - {-1})
        assert found[rows[0]] == -1 or alone != rows or n_left == 1


@tries(300)
@given(random=RANDOMS, n_rows=st.integers(1, 30), n_columns=st.integers(1, 4))
def test_merging_equals_its_twin(random: Random, n_rows: int, n_columns: int) -> None:
    check_merging(random, n_rows, n_columns)


@pytest.mark.parametrize("seed", range(8))
def test_merging_of_many_rows_equals_its_twin(seed: int) -> None:
    """Several leaves of the tree of rows."""
    check_merging(Random(seed), 400, 1 + seed % 4)


def test_a_class_goes_to_its_nearest_neighbour_and_no_further() -> None:
    table = Table([Line([0, 1, 4, 5, 20, 21], 21)], 6)
    labels = ints([0, 0, 1, 1, 2, 2])
    columns = table.for_kernels()
    assert kernels.merge_nearest(columns, labels, [1], 0).tolist() == [0, 0, 0, 0, 1, 1]
    # The second class has just taken in the first one.
    assert kernels.merge_nearest(columns, labels, [0, 1], 0).tolist() == [0, 0, 0, 0, 1, 1]
    assert kernels.merge_nearest(columns, labels, [2, 0], 0).tolist() == [0, 0, 0, 0, 0, 0]
    assert kernels.merge_nearest(columns, labels, [], 6).tolist() == labels.tolist()


def test_rows_are_suppressed_where_that_costs_less_and_within_the_budget() -> None:
    full = 2**30
    table = Table([Bag([0, 0, 0, 1, 2], full, 3, full // 2)], 5)
    columns, labels = table.for_kernels(), ints([0, 0, 0, 1, 2])
    # To merge costs 4 rows half of all there is, to suppress one row costs one row everything.
    assert kernels.merge_nearest(columns, labels, [1], 1).tolist() == [0, 0, 0, -1, 1]
    assert kernels.merge_nearest(columns, labels, [1, 2], 1).tolist() == [0, 0, 0, -1, 0]
    assert kernels.merge_nearest(columns, labels, [1], 0).tolist() == [0, 0, 0, 0, 1]


def test_the_last_class_stays() -> None:
    columns = Table([Line([0, 2**20], 2**30)], 2).for_kernels()
    assert kernels.merge_nearest(columns, ints([0, 0]), [0], 2).tolist() == [0, 0]
    assert kernels.merge_nearest(columns, ints([-1, 1]), [1], 2).tolist() == [-1, 0]
    assert kernels.merge_nearest(kernels.Columns(0), ints([]), [], 0).tolist() == []


def test_no_row_is_in_any_class() -> None:
    columns = Table([Line([0, 1], 1)], 2).for_kernels()
    assert kernels.merge_nearest(columns, ints([-1, -1]), [], 2).tolist() == [-1, -1]


@tries(300)
@given(random=RANDOMS, n_rows=st.integers(1, 30))
def test_joining_equals_its_twin(random: Random, n_rows: int) -> None:
    demands = random.choice([random_demands, random_secret_demands])(random, n_rows)
    order = random.sample(range(n_rows), n_rows)
    n_borders = random.randint(0, n_rows)
    borders = [random.randint(0, n_rows) for _ in range(n_borders)]
    labels = [0] * n_rows
    for place, row in enumerate(order):
        labels[row] = sum(border <= place for border in borders)
    found = kernels.join_neighbours(demands.for_kernels(), ints(labels), ints(order)).tolist()
    assert found == twins.join_neighbours(demands, labels, order)


def test_joined_classes_end_where_the_demands_are_met() -> None:
    demands = PlainDemands(7, [3]).for_kernels()
    labels, order = ints([0, 0, 1, 1, 2, 3, 4]), ints(range(7))
    assert kernels.join_neighbours(demands, labels, order).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert kernels.join_neighbours(demands, ints([0, 0, 1, 1, 2, 3, 3]), order).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert kernels.join_neighbours(demands, ints([0, 0, 0, 1, 1, 1, 2]), order).tolist() == [0, 0, 0, 1, 1, 1, 1]
    all_rows = PlainDemands(7, [7]).for_kernels()
    assert kernels.join_neighbours(all_rows, ints(range(7)), order).tolist() == [0] * 7
    assert kernels.join_neighbours(kernels.Demands(0), ints([]), ints([])).tolist() == []


def two_rows() -> kernels.Columns:
    return Table([Line([0, 1], 1)], 2).for_kernels()


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "few labels": (lambda: kernels.merge_nearest(two_rows(), ints([0]), [], 0), "labels has 1"),
    "negative spare": (lambda: kernels.merge_nearest(two_rows(), ints([0, 1]), [0], -1), "spare"),
    "class that is not there": (lambda: kernels.merge_nearest(two_rows(), ints([0, 1]), [2], 0), "wanting"),
    "negative class": (lambda: kernels.merge_nearest(two_rows(), ints([0, -1]), [-1], 0), "wanting"),
    "few labels to join": (lambda: kernels.join_neighbours(kernels.Demands(2), ints([0]), ints([0, 1])), "labels has"),
    "short order": (lambda: kernels.join_neighbours(kernels.Demands(2), ints([0, 0]), ints([0])), "order has 1"),
    "no order": (lambda: kernels.join_neighbours(kernels.Demands(2), ints([0, 0]), ints([0, 0])), "permutation"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    attempt, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        attempt()


def test_a_stopped_pulse_lets_nothing_happen() -> None:
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.merge_nearest(two_rows(), ints([0, 1]), [0], 0, pulse)


def test_a_label_above_the_number_of_rows_is_refused() -> None:
    columns = Table([Line([0, 1], 1)], 2).for_kernels()
    with pytest.raises(ValueError, match="above the number of rows"):
        kernels.merge_nearest(columns, ints([0, 2]), [], 0)
