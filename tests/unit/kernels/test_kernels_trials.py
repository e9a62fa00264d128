"""What the search by pieces computes on its way, against plain definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_demands import PlainDemands, random_demands
from unit.kernels.kernel_tables import Bag, Line, Table, Tree, random_table

from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)
WAYS = range(4)


@pytest.fixture(params=_kernels.instruction_sets(), scope="module")
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


def random_classes(random: Random, n_rows: int, least: int) -> list[list[int]]:
    """Put some of the rows, at random, into classes of at least so many rows each."""
    rows = random.sample(range(n_rows), random.randint(least, n_rows))
    classes: list[list[int]] = []
    while len(rows) >= least:
        size = random.choice([least, least, random.randint(least, len(rows))])
        classes.append(rows[:size])
        rows = rows[size:]
    classes[-1] += rows
    return classes


def in_line(classes: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    return [row for rows in classes for row in rows], list(accumulate(len(rows) for rows in classes))


def without(rows: Sequence[int], i: int) -> list[int]:
    return [row for j, row in enumerate(rows) if j != i]


def check_exchange(table: Table, classes: Sequence[Sequence[int]], x: int, i: int, y: int) -> None:
    found = _kernels.exchange_losses(table.for_kernels(), *in_line(classes), x, i, y)
    loss, growth, loss_without, swapped_x, swapped_y = found
    of_x, of_y, row = classes[x], classes[y], classes[x][i]
    assert loss == [table.loss(rows) for rows in classes]
    expected = [table.loss([*rows, row]) - table.loss(rows) for rows in classes]
    assert growth == expected
    if len(of_x) < 2 or len(of_y) < 2:
        return
    assert loss_without == [table.loss(without(of_x, j)) for j in range(len(of_x))]
    assert swapped_x == [table.loss([*without(of_x, i), other]) for other in of_y]
    assert swapped_y == [table.loss([*without(of_y, j), row]) for j in range(len(of_y))]


@tries(200)
@given(random=RANDOMS, n_rows=st.integers(2, 40), n_columns=st.integers(1, 4))
def test_losses_after_an_exchange(instruction_set: str, random: Random, n_rows: int, n_columns: int) -> None:
    table = random_table(random, n_rows, n_columns)
    classes = random_classes(random, n_rows, random.randint(1, 2))
    x, y = random.randrange(len(classes)), random.randrange(len(classes))
    if x == y and len(classes) > 1:
        y = (x + 1) % len(classes)
    if x != y:
        check_exchange(table, classes, x, random.randrange(len(classes[x])), y)


def rows_of_all_kinds(n_rows: int, n_codes: int) -> Table:
    random = Random(n_codes)
    nodes = [list(range(9)), [9] * 3 + [10] * 3 + [11] * 3, [12] * 9]
    loss = [5] * 9 + [1000, 900, 5] + [2**20]
    return Table(
        [
            Line([random.randrange(100) for _ in range(n_rows)], 2**20),
            Bag([random.randrange(n_codes) for _ in range(n_rows)], 2**20, n_codes, 2**20 // (n_codes - 1)),
            Bag([random.choice([None, 0, 1]) for _ in range(n_rows)], 2**20, 2, 2**20),
            Tree([random.randrange(9) for _ in range(n_rows)], 2**20, nodes, loss),
            Line([random.choice([None, 3, 8]) for _ in range(n_rows)], 2**20),
            Line([0] * n_rows, 0),
        ],
        n_rows,
    )


@pytest.mark.parametrize("n_codes", [31, 32, 33, 63, 64, 65, 300])
def test_losses_after_an_exchange_in_large_classes(instruction_set: str, n_codes: int) -> None:
    """Bags of more values than a word has bits go another way; loops over many rows have a vector part and a rest."""
    n_rows = 1400
    table = rows_of_all_kinds(n_rows, n_codes)
    classes = [list(range(start, n_rows, 20)) for start in range(20)]
    random = Random(3)
    for _ in range(2):
        x, y = random.sample(range(20), 2)
        check_exchange(table, classes, x, random.randrange(70), y)


def check_regrouping(table: Table, demands: PlainDemands, classes: list[list[int]], way: int, seed: int) -> bool:
    trial = _kernels.regroup_trial(table.for_kernels(), demands.for_kernels(), *in_line(classes), way, seed)
    is_found, cost, found, loss = trial
    if not is_found:
        return False
    assert len(found) == len(classes)
    assert sorted(row for rows in found for row in rows) == sorted(row for rows in classes for row in rows)
    assert loss == [table.loss(rows) for rows in found]
    assert cost == sum(len(rows) * table.loss(rows) for rows in found)
    assert all(demands.met_by(rows) for rows in found)
    return True


@tries(200)
@given(random=RANDOMS, n_rows=st.integers(2, 40), n_columns=st.integers(1, 4), way=st.sampled_from(WAYS))
def test_regrouping(instruction_set: str, random: Random, n_rows: int, n_columns: int, way: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_demands(random, n_rows)
    classes = random_classes(random, n_rows, demands.n_least_rows)
    is_found = check_regrouping(table, demands, classes, way, random.getrandbits(64))
    # Only codes can be too few: there were enough rows for so many classes before.
    assert is_found or demands.distinct


@pytest.mark.parametrize("n_codes", [64, 65, 300])
@pytest.mark.parametrize("k", [10, 13])
def test_regrouping_of_large_classes(instruction_set: str, n_codes: int, k: int) -> None:
    """With rows to spare and without: the last class is measured in another way if it needs all that is left."""
    n_rows = 130
    table, demands = rows_of_all_kinds(n_rows, n_codes), PlainDemands(n_rows, [k])
    classes = [list(range(start, n_rows, 10)) for start in range(10)]
    for way in WAYS:
        assert check_regrouping(table, demands, classes, way, way)


def test_regrouping_meets_demands_for_codes() -> None:
    """Every class begins with all that is asked, so that most trials can find classes too."""
    n_rows, random, n_found = 60, Random(1), 0
    for seed in range(60):
        table, demands = random_table(random, n_rows, 3), random_demands(random, n_rows)
        n_classes = max(1, n_rows // demands.n_least_rows // 3)
        classes = [list(range(start, n_rows, n_classes)) for start in range(n_classes)]
        n_found += check_regrouping(table, demands, classes, seed % 4, seed)
    assert n_found > 30


def test_another_seed_finds_other_classes() -> None:
    n_rows = 40
    table, demands = rows_of_all_kinds(n_rows, 31), PlainDemands(n_rows, [5]).for_kernels()
    columns = table.for_kernels()
    rows, ends = list(range(n_rows)), list(range(5, n_rows + 1, 5))
    for way in WAYS:
        trials = [_kernels.regroup_trial(columns, demands, rows, ends, way, seed) for seed in (1, 1, 2, 3)]
        assert trials[0] == trials[1]
        assert trials[2] != trials[0] or trials[3] != trials[0]
