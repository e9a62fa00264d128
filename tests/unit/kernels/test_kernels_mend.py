"""Broken classes that are mended: what comes back meets the demands, and what was sound and apart stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels.kernel_demands import (
    Distinct,
    PlainDemands,
    k_rows,
    random_demands,
    random_secret_demands,
    rows_of_classes,
)
from unit.kernels.kernel_secrets import KINDS
from unit.kernels.kernel_tables import Bag, Line, Table, random_table

from celosia import kernels

RANDOMS = st.randoms(use_true_random=False)
Demander = Callable[[Random, int], PlainDemands]


def ints(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def random_labels(random: Random, n_rows: int) -> list[int]:
    """One class, a few, many or a class per row, with gaps between the labels."""
    n_classes = random.choice([1, 2, 4, max(n_rows // 3, 1), n_rows])
    there = random.sample(range(n_rows), min(n_classes, n_rows))
    return random.choices(there, k=n_rows)


def check(
    table: Table, demands: PlainDemands, labels: Sequence[int], n_spare: int, *, merges_only: bool = False
) -> list[int]:
    columns, told = table.for_kernels(), demands.for_kernels()
    found: list[int] = kernels.mend(columns, told, ints(labels), n_spare, merges_only).tolist()
    for threads in (1, 3):
        again = kernels.mend(columns, told, ints(labels), n_spare, merges_only, threads=threads)
        assert again.tolist() == found
    placed = [row for row, label in enumerate(found) if label >= 0]
    n_classes = len({found[row] for row in placed})
    assert {found[row] for row in placed} == set(range(n_classes))
    assert min(found) >= -1
    assert found.count(-1) <= n_spare
    assert n_classes >= 1
    if n_classes > 1:
        assert all(demands.met_by([row for row in placed if found[row] == label]) for label in range(n_classes))
    if all(demands.met_by(rows) for rows in rows_of_classes(labels)):
        numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
        assert found == [numbers[label] for label in labels]
    return found


def check_random(demander: Demander, random: Random, n_rows: int, n_columns: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), demander(random, n_rows)
    labels, n_spare = random_labels(random, n_rows), random.choice([0, 0, 1, 4, n_rows])
    found = check(table, demands, labels, n_spare, merges_only=random.random() < 0.3)
    if -1 not in found:
        # All rows together meet the demands, hence one class of all of them does.
        assert all(demands.met_by(rows) for rows in rows_of_classes(found))


@pytest.mark.parametrize("demander", [random_demands, random_secret_demands], ids=["codes", "secrets"])
@tries(150)
@given(random=RANDOMS, n_rows=st.integers(1, 40), n_columns=st.integers(1, 4))
def test_any_table_any_demands(demander: Demander, random: Random, n_rows: int, n_columns: int) -> None:
    check_random(demander, random, n_rows, n_columns)


@pytest.mark.parametrize("kind", KINDS)
@tries(40)
@given(random=RANDOMS, n_rows=st.integers(1, 60))
def test_each_kind_of_demand(kind: str, random: Random, n_rows: int) -> None:
    check_random(lambda random, n_rows: random_secret_demands(random, n_rows, [kind]), random, n_rows, 2)


@pytest.mark.parametrize("seed", range(6))
def test_many_rows(seed: int) -> None:
    """Several leaves of the tree of rows, and more classes than are asked whether they would do."""
    random = Random(seed)
    check_random(random_secret_demands if seed % 2 else random_demands, random, 800, 3)


def test_demands_that_nobody_can_meet_end_in_one_class() -> None:
    random = Random(4)
    n_rows = 60
    table = random_table(random, n_rows, 2)
    demands = PlainDemands(n_rows, [2], [Distinct([row % 2 for row in range(n_rows)], 3)])
    assert check(table, demands, [row // 2 for row in range(n_rows)], 0) == [0] * n_rows
    found = check(table, demands, [row // 2 for row in range(n_rows)], 7)
    assert set(found) <= {-1, 0}


def test_sound_classes_that_nothing_touches_stay() -> None:
    """A broken pair near one sound class; the others are far away."""
    values = [0, 1, 2, 3, 500, 501, 502, 900, 901, 902]
    table, labels = Table([Line(values, 1000)], 10), [4, 4, 7, 7, 1, 1, 1, 2, 2, 2]
    assert check(table, PlainDemands(10, [3]), labels, 0) == [2, 2, 2, 2, 0, 0, 0, 1, 1, 1]


def test_a_row_moves_where_that_costs_least() -> None:
    """The large class spares the row that the small one lacks; to merge them would cost far more."""
    table = Table([Line([0, 1, 2, 900, 901, 902, 903], 1000)], 7)
    assert check(table, PlainDemands(7, [3]), [0, 0, 1, 1, 1, 1, 1], 0) == [0, 0, 0, 1, 1, 1, 1]
    people = PlainDemands(7, [2], [Distinct([5, 5, 6, 5, 6, 5, 6], 2)])
    assert check(table, people, [0, 0, 1, 1, 1, 1, 1], 0) == [0, 0, 0, 1, 1, 1, 1]


def test_a_broken_class_is_suppressed_where_that_costs_least() -> None:
    full = 2**30
    table = Table([Bag([0] * 6 + [1], full, 2, full)], 7)
    labels = [0] * 6 + [1]
    assert check(table, PlainDemands(7, [2]), labels, 1) == [0] * 6 + [-1]
    assert -1 not in check(table, PlainDemands(7, [2]), labels, 0)


def test_equal_rows_and_no_columns() -> None:
    for table in (Table([Line([3] * 12, 9)], 12), Table([], 12)):
        demands = PlainDemands(12, [4])
        assert all(demands.met_by(rows) for rows in rows_of_classes(check(table, demands, list(range(12)), 0)))
    assert kernels.mend(kernels.Columns(0), kernels.Demands(0), ints([]), 0).tolist() == []


def four_rows() -> kernels.Columns:
    return Table([Line([0, 1, 2, 3], 3)], 4).for_kernels()


def attempt(labels: Sequence[int] = (0, 0, 1, 1), n_demanded: int = 4, spare: int = 0) -> object:
    return kernels.mend(four_rows(), k_rows(n_demanded, 2), ints(labels), spare)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "few labels": (lambda: attempt(labels=(0, 0, 1)), "labels has 3"),
    "negative label": (lambda: attempt(labels=(0, 0, -77, 1)), "label"),
    "label above the rows": (lambda: attempt(labels=(0, 0, 77, 1)), "label"),
    "greatest label": (lambda: attempt(labels=(0, 0, 2**31 - 1, 1)), "label"),
    "demands on other rows": (lambda: attempt(n_demanded=3), "about 3 rows; the table has 4"),
    "negative spare": (lambda: attempt(spare=-1), "spare"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    wrong, message = REFUSED[case]
    with pytest.raises(ValueError, match=message) as refusal:
        wrong()
    assert "77" not in str(refusal.value)


def test_a_stopped_pulse_lets_nothing_happen() -> None:
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.mend(four_rows(), k_rows(4, 2), ints([0, 1, 2, 3]), 0, pulse=pulse)


def test_the_start_is_not_written_to() -> None:
    labels = ints([0, 1, 2, 3])
    kernels.mend(four_rows(), k_rows(4, 2), labels, 0)
    assert labels.tolist() == [0, 1, 2, 3]
