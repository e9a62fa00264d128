"""l-greedy and its tree of free rows against the slow twin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_demands import (
    Distinct,
    PlainDemands,
    random_demands,
    random_distinct,
    random_secret_demands,
    rows_of_classes,
)
from unit.kernels.kernel_tables import Bag, Column, Line, Table, Tree, blank, random_table, random_tree

from celosia import kernels
from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)


@pytest.fixture(params=_kernels.instruction_sets(), scope="module")
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


def labels_of_kernel(table: Table, demands: PlainDemands, order: Sequence[int], threads: int = 0) -> list[int]:
    in_order = np.array(order, dtype=np.int32)
    return kernels.l_greedy(table.for_kernels(), demands.for_kernels(), in_order, threads=threads).tolist()


def shuffled(random: Random, n_rows: int) -> list[int]:
    return random.sample(range(n_rows), n_rows)


@tries(200)
@given(random=RANDOMS, n_rows=st.integers(1, 22), n_columns=st.integers(1, 4))
def test_few_rows_equal_the_twin(instruction_set: str, random: Random, n_rows: int, n_columns: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_demands(random, n_rows)
    order = shuffled(random, n_rows)
    assert labels_of_kernel(table, demands, order) == twins.l_greedy(table, demands, order)


@tries(10)
@given(random=RANDOMS, n_rows=st.integers(100, 220), n_columns=st.integers(1, 4))
def test_many_leaves_equal_the_twin(instruction_set: str, random: Random, n_rows: int, n_columns: int) -> None:
    """Several leaves of the tree, which lose their rows and are built anew when half of all rows are gone."""
    table, demands = random_table(random, n_rows, n_columns), random_demands(random, n_rows)
    order = shuffled(random, n_rows)
    assert labels_of_kernel(table, demands, order) == twins.l_greedy(table, demands, order)


def table_of(kind: str, random: Random, n_rows: int, missing_one_in: int) -> Table:
    """Make a table of one kind of column only, beside a line that tells the rows apart."""
    full = 2**20

    def codes(n_values: int) -> list[int | None]:
        return blank(random, [random.randrange(n_values) for _ in range(n_rows)], missing_one_in)

    def tree() -> Column:
        nodes, node_loss = random_tree(random, 40, full)
        return Tree(codes(40), full, nodes, node_loss)

    makers = {
        "line": lambda: Line(codes(full), full),
        "bag of 64": lambda: Bag(codes(64), full, 64, full // 63),
        "bag of 65": lambda: Bag(codes(65), full, 65, full // 64),
        "bag of 1000": lambda: Bag(codes(1000), full, 1000, full // 999),
        "tree": tree,
    }
    plain_line = Line([random.randrange(full // 8) for _ in range(n_rows)], full)
    return Table([plain_line, *(makers[kind]() for _ in range(2))], n_rows)


@pytest.mark.parametrize("missing_one_in", [0, 3])
@pytest.mark.parametrize("kind", ["line", "bag of 64", "bag of 65", "bag of 1000", "tree"])
def test_each_kind_of_column_equals_the_twin(instruction_set: str, kind: str, missing_one_in: int) -> None:
    random = Random(f"{kind} {missing_one_in}")
    n_rows = 150
    table = table_of(kind, random, n_rows, missing_one_in)
    order = shuffled(random, n_rows)
    for demands in (
        PlainDemands(n_rows, [5]),
        PlainDemands(n_rows, [4], [random_distinct(random, n_rows), random_distinct(random, n_rows)]),
    ):
        assert labels_of_kernel(table, demands, order) == twins.l_greedy(table, demands, order)


@pytest.mark.parametrize("seed", range(4))
def test_leaves_of_equal_rows_equal_the_twin(seed: int) -> None:
    """Few distinct rows, hence large leaves of equal rows that cannot be cut, and ties everywhere."""
    random = Random(seed)
    n_rows, kinds = 300, [(0, 0, 0), (0, 1, None), (9, 1, 3), (9, None, 3)]
    picked = random.choices(kinds, weights=[5, 2, 2, 1], k=n_rows)
    nodes, node_loss = random_tree(random, 5, 20)
    table = Table(
        [
            Line([line for line, _, _ in picked], 20),
            Bag([bag for _, bag, _ in picked], 10, 2, 10),
            Tree([tree for _, _, tree in picked], 20, nodes, node_loss),
        ],
        n_rows,
    )
    order = shuffled(random, n_rows)
    for demands in (
        PlainDemands(n_rows, [7]),
        PlainDemands(n_rows, [], [random_distinct(random, n_rows)]),
        PlainDemands(n_rows, [6], [Distinct([row % 4 - 1 for row in range(n_rows)], 3)]),
    ):
        assert labels_of_kernel(table, demands, order) == twins.l_greedy(table, demands, order)


def noisy_table(n_rows: int, n_columns: int, seed: int) -> Table:
    random = np.random.default_rng(seed)
    full = 2**26
    return Table(
        [Line(random.integers(0, full, n_rows).tolist(), full) for _ in range(n_columns - 1)]
        + [Bag(random.integers(0, 30, n_rows).tolist(), full, 30, full // 29)],
        n_rows,
    )


@pytest.mark.parametrize("k", [2, 4])
def test_a_scan_takes_over_where_the_tree_does_not_pay(k: int) -> None:
    """In many columns of noise nearly every row is looked at; after 64 classes a scan goes on, with the same labels."""
    n_rows = 80 * k + 1
    table, demands = noisy_table(n_rows, 12, k), PlainDemands(n_rows, [k])
    order = shuffled(Random(k), n_rows)
    expected = twins.l_greedy(table, demands, order)
    for threads in (1, 2):
        assert labels_of_kernel(table, demands, order, threads) == expected


def test_progress_is_complete_after_a_scan_took_over() -> None:
    n_rows, pulse = 400, kernels.Pulse()
    demands = PlainDemands(n_rows, [3]).for_kernels()
    columns = noisy_table(n_rows, 12, 0).for_kernels()
    kernels.l_greedy(columns, demands, np.arange(n_rows, dtype=np.int32), pulse)
    assert (pulse.done, pulse.total) == (n_rows, n_rows)


@pytest.mark.parametrize("seed", range(3))
def test_a_class_per_row_and_one_class_for_all(seed: int) -> None:
    random = Random(seed)
    n_rows = 70
    table, order = random_table(random, n_rows, 3), shuffled(random, n_rows)
    labels = labels_of_kernel(table, PlainDemands(n_rows, [1]), order)
    assert [labels[row] for row in order] == list(range(n_rows))
    assert labels_of_kernel(table, PlainDemands(n_rows), order) == labels
    assert labels_of_kernel(table, PlainDemands(n_rows, [n_rows]), order) == [0] * n_rows


@tries(60)
@given(random=RANDOMS, n_rows=st.integers(1, 60))
def test_demands_are_met_by_every_class_but_rows_left_alone(random: Random, n_rows: int) -> None:
    table, order = random_table(random, n_rows, 2), shuffled(random, n_rows)
    demands = random.choice([random_demands, random_secret_demands])(random, n_rows)
    labels = labels_of_kernel(table, demands, order)
    classes = rows_of_classes(labels)
    assert sorted(set(labels)) == list(range(len(classes)))
    broken = [rows for rows in classes if not demands.met_by(rows)]
    assert not broken or demands.distinct or demands.secrets
    assert all(len(rows) == 1 for rows in broken)
    first_alone = labels[broken[0][0]] if broken else len(classes)
    assert classes[first_alone:] == sorted(classes[first_alone:])
    assert all(len(rows) == 1 for rows in classes[first_alone:])


def test_a_demand_that_nobody_can_meet_leaves_every_row_alone() -> None:
    n_rows = 100
    table = random_table(Random(1), n_rows, 2)
    demands = PlainDemands(n_rows, [2], [Distinct([row % 2 for row in range(n_rows)], 3)])
    assert labels_of_kernel(table, demands, range(n_rows)) == list(range(n_rows))


def test_no_row_is_left_to_look_at_when_a_class_of_equal_rows_has_them_all() -> None:
    """Every row helps the second demand, none the first, so the one leaf is empty when the class still asks."""
    for n_rows in (20, 200):
        table = Table([Bag([0] * n_rows, 10, 2, 10)], n_rows)
        demands = PlainDemands(n_rows, [], [Distinct([0] * n_rows, 2), Distinct(list(range(n_rows)), n_rows)])
        assert labels_of_kernel(table, demands, range(n_rows)) == list(range(n_rows))


def test_unknown_codes_do_not_count_and_do_not_help() -> None:
    table = Table([Line([0, 1, 2, 50, 51, 52], 100)], 6)
    demands = PlainDemands(6, [], [Distinct([4, -1, -2, 7, 4, 7], 2)])
    # Row 0 passes over the nearer rows 1 and 2, whose codes are unknown, and takes row 3. Row 1 needs both 4 and 5.
    # Row 2 is left alone.
    expected = [0, 1, 2, 0, 1, 1]
    assert labels_of_kernel(table, demands, range(6)) == expected
    assert twins.l_greedy(table, demands, range(6)) == expected
    assert labels_of_kernel(table, PlainDemands(6, [2]), range(6)) == [0, 0, 1, 1, 2, 2]


def test_no_columns_and_no_rows() -> None:
    assert labels_of_kernel(Table([], 5), PlainDemands(5, [2]), [4, 0, 1, 2, 3]) == [0, 1, 1, 0, 0]
    assert labels_of_kernel(Table([], 0), PlainDemands(0), []) == []
