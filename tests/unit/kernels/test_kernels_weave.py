"""Weave's search by pieces: classes stay classes, losses are what it says, and nothing but the seed decides."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels.kernel_demands import Distinct, PlainDemands, random_demands, rows_of_classes
from unit.kernels.kernel_tables import Bag, Column, Line, Table, Tree, blank, random_table

from celosia import kernels
from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)
FOREVER = float("inf")
Labels = NDArray[np.int32]


def total_loss(table: Table, labels: Labels) -> int:
    return sum(len(rows) * table.loss(rows) for rows in rows_of_classes(labels))


def mean_loss(table: Table, labels: Labels) -> float:
    return total_loss(table, labels) / table.n_rows / 2**30


def greedy_start(table: Table, demands: PlainDemands) -> Labels:
    order = np.arange(table.n_rows, dtype=np.int32)
    columns, told = table.for_kernels(), demands.for_kernels()
    return kernels.mend(columns, told, kernels.l_greedy(columns, told, order), 0)


def random_start(random: Random, demands: PlainDemands) -> Labels:
    """Cut the rows in a random order wherever all demands are met, now and then only; the last class takes the rest."""
    labels = np.zeros(demands.n_rows, dtype=np.int32)
    members: list[int] = []
    label = 0
    for row in random.sample(range(demands.n_rows), demands.n_rows):
        members.append(row)
        labels[row] = label
        if demands.met_by(members) and random.random() < 0.7:
            label, members = label + 1, []
    if members and label > 0 and not demands.met_by(members):
        labels[members] = label - 1
    return labels


def check(table: Table, demands: PlainDemands, start: Labels, found: tuple[Labels, list[float], list[float]]) -> None:
    labels, seconds, loss = found
    classes = rows_of_classes(labels)
    assert labels.shape == (table.n_rows,)
    assert sorted(set(labels.tolist())) == list(range(len(classes)))
    assert all(demands.met_by(rows) for rows in classes)
    assert len(seconds) == len(loss) >= 1
    assert seconds == sorted(seconds)
    assert loss == sorted(loss, reverse=True)
    assert loss[0] == mean_loss(table, start)
    assert loss[-1] == mean_loss(table, labels)


def run(
    table: Table, demands: PlainDemands, start: Labels, passes: int, seed: int = 1, threads: int = 0
) -> tuple[Labels, list[float], list[float]]:
    columns = table.for_kernels()
    found = kernels.weave(columns, demands.for_kernels(), start, passes, FOREVER, seed, threads=threads)
    check(table, demands, start, found)
    assert len(found[2]) <= passes + 1
    return found


@tries(150)
@given(random=RANDOMS, n_rows=st.integers(1, 60), n_columns=st.integers(1, 4), passes=st.integers(0, 6))
def test_any_table_any_demands(random: Random, n_rows: int, n_columns: int, passes: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_demands(random, n_rows)
    start = random.choice([greedy_start(table, demands), random_start(random, demands)])
    labels, _, loss = run(table, demands, start, passes, random.getrandbits(64), random.choice([1, 2]))
    if passes == 0:
        np.testing.assert_array_equal(labels, start)
        assert len(loss) == 1


def numbers(random: Random, n_rows: int, highest: int) -> list[int]:
    return [random.randint(0, highest) for _ in range(n_rows)]


NODES = [list(range(9)), [9] * 3 + [10] * 3 + [11] * 3, [12] * 9]
NODE_LOSS = [5] * 9 + [1000, 900, 5] + [1 << 20]
FULL = 1 << 20
ONE_COLUMN: dict[str, Callable[[Random, int], Column]] = {
    "line": lambda random, n: Line(numbers(random, n, FULL), FULL),
    "line with missing values": lambda random, n: Line(blank(random, numbers(random, n, FULL), 5), FULL),
    "bag": lambda random, n: Bag(numbers(random, n, 9), FULL, 10, FULL // 9),
    "bag with missing values": lambda random, n: Bag(blank(random, numbers(random, n, 9), 5), FULL, 10, FULL // 9),
    "wide bag": lambda random, n: Bag(numbers(random, n, 499), FULL, 500, FULL // 499),
    "wide bag with missing values": lambda random, n: Bag(
        blank(random, numbers(random, n, 499), 3), FULL, 500, FULL // 499
    ),
    "tree": lambda random, n: Tree(numbers(random, n, 8), FULL, NODES, NODE_LOSS),
    "tree with missing values": lambda random, n: Tree(blank(random, numbers(random, n, 8), 5), FULL, NODES, NODE_LOSS),
    "no weight": lambda random, n: Line([0] * n, 0),
    "bag without weight": lambda random, n: Bag(blank(random, numbers(random, n, 9), 5), 0, 10, 0),
    "bag that only missing values cost": lambda random, n: Bag(blank(random, numbers(random, n, 9), 5), FULL, 10, 0),
    "only missing values": lambda random, n: Bag([None] * n, FULL, 10, 1),
}


def demands_of_all_kinds(random: Random, n_rows: int) -> dict[str, PlainDemands]:
    people = Distinct([random.randrange(n_rows) // 3 for _ in range(n_rows)], 4)
    secrets = Distinct([random.choice([-1, 0, 0, 0, 2, 5]) for _ in range(n_rows)], 2)
    return {
        "rows": PlainDemands(n_rows, [5]),
        "people": PlainDemands(n_rows, [], [people]),
        "rows and secrets": PlainDemands(n_rows, [5], [secrets]),
        "people and secrets": PlainDemands(n_rows, [3], [people, secrets]),
    }


@pytest.mark.parametrize("kind", ONE_COLUMN)
def test_one_column_of_each_kind(kind: str) -> None:
    random = Random(kind)
    n_rows = 200
    table = Table([ONE_COLUMN[kind](random, n_rows)], n_rows)
    for demands in demands_of_all_kinds(random, n_rows).values():
        for start in (greedy_start(table, demands), random_start(random, demands)):
            run(table, demands, start, 3)


def mixed_table(random: Random, n_rows: int) -> Table:
    kinds = ["line", "line with missing values", "bag", "wide bag", "bag with missing values", "tree", "no weight"]
    return Table([ONE_COLUMN[kind](random, n_rows) for kind in kinds], n_rows)


@pytest.mark.parametrize("name", ["rows", "people", "rows and secrets", "people and secrets"])
def test_threads_and_instruction_sets_change_nothing(name: str) -> None:
    """More than 200 classes, hence several pieces, and rows enough that three threads share them."""
    random = Random(7)
    n_rows = 4100
    table = mixed_table(random, n_rows)
    demands = demands_of_all_kinds(random, n_rows)[name]
    start = random_start(random, demands)
    assert start.max() >= 200
    columns, told = table.for_kernels(), demands.for_kernels()
    results = []
    for instruction_set in _kernels.instruction_sets():
        _kernels.use_instruction_set(instruction_set)
        for threads in (1, 2, 3):
            found = kernels.weave(columns, told, start, 2, FOREVER, 5, threads=threads)
            results.append((found[0].tolist(), found[2]))
    assert all(result == results[0] for result in results[1:])
    check(table, demands, start, found)
    assert found[2][-1] < 0.9 * found[2][0]
    other = kernels.weave(columns, told, start, 2, FOREVER, 6)
    assert other[0].tolist() != results[0][0]


def test_more_rows_than_are_needed_make_more_classes() -> None:
    """Classes that start with twice the rows they need can be cut."""
    random = Random(2)
    table = Table([Line(numbers(random, 400, FULL), FULL), Line(numbers(random, 400, FULL), FULL)], 400)
    start = np.arange(400, dtype=np.int32) % 40
    labels, _, loss = run(table, PlainDemands(400, [5]), start, 20)
    assert labels.max() + 1 > 60
    assert loss[-1] < loss[0] / 3


def least_total_loss(table: Table, k: int) -> int:
    """The optimum, by the best class for the lowest row of every set of rows."""
    n_sets = 1 << table.n_rows
    rows_of = [[row for row in range(table.n_rows) if rows >> row & 1] for rows in range(n_sets)]
    cost = [len(rows) * table.loss(rows) if len(rows) >= k else -1 for rows in rows_of]
    best: list[float] = [0.0] + [FOREVER] * (n_sets - 1)
    for rows in range(1, n_sets):
        lowest = rows & -rows
        part = rows
        while part:
            if part & lowest and cost[part] >= 0:
                best[rows] = min(best[rows], cost[part] + best[rows ^ part])
            part = (part - 1) & rows
    return int(best[-1])


def ratio_to_optimum(seed: int, k: int) -> float:
    random = Random(seed)
    table = Table([ONE_COLUMN[kind](random, 10) for kind in ("line", "bag", "tree")], 10)
    demands = PlainDemands(10, [k])
    labels, _, _ = run(table, demands, greedy_start(table, demands), 30)
    return total_loss(table, labels) / least_total_loss(table, k)


@pytest.mark.parametrize("k", [2, 3])
def test_small_tables_come_near_the_optimum_and_never_below(k: int) -> None:
    ratios = [ratio_to_optimum(seed, k) for seed in range(12)]
    assert min(ratios) >= 1.0
    assert np.mean(ratios) <= 1.005


@pytest.mark.parametrize("missing_one_in", [0, 3])
def test_the_greatest_loss_allowed(missing_one_in: int) -> None:
    """One more value costs 2^30, so that twice that would not fit."""
    random = Random(5)
    codes = blank(random, numbers(random, 300, 1), missing_one_in)
    table, demands = Table([Bag(codes, 2**30, 2, 2**30)], 300), PlainDemands(300, [4])
    for start in (greedy_start(table, demands), random_start(random, demands)):
        _, _, loss = run(table, demands, start, 40)
    # A class or two must be mixed where a kind of row is no multiple of four, and no more.
    assert loss[-1] < 0.1 < loss[0]


def test_equal_rows_cost_nothing_and_end_the_search() -> None:
    table = Table([Line([3] * 300, 9), Bag([0] * 300, 9, 4, 3)], 300)
    start = np.arange(300, dtype=np.int32) // 3
    labels, _, loss = run(table, PlainDemands(300, [3]), start, 10**9)
    assert loss == [0.0]
    np.testing.assert_array_equal(labels, start)


def test_few_kinds_of_rows_are_sorted_out() -> None:
    """Forty rows of each of five kinds, mixed at first: without any loss in the end."""
    kinds = np.arange(200) % 5
    table = Table([Line((kinds * 10).tolist(), 40), Bag(kinds.tolist(), 40, 5, 10)], 200)
    labels, _, loss = run(table, PlainDemands(200, [4]), (np.arange(200) // 5).astype(np.int32), 200)
    assert loss[-1] == 0.0
    assert all(len({row % 5 for row in rows}) == 1 for rows in rows_of_classes(labels))


@pytest.mark.parametrize("n_rows", [1, 2, 9])
def test_one_class_that_cannot_be_cut(n_rows: int) -> None:
    table = mixed_table(Random(4), n_rows)
    labels, _, _ = run(table, PlainDemands(n_rows, [n_rows]), np.zeros(n_rows, dtype=np.int32), 4)
    assert labels.tolist() == [0] * n_rows


def test_no_columns_and_no_rows() -> None:
    start = np.arange(100, dtype=np.int32) // 2
    labels, seconds, loss = kernels.weave(kernels.Columns(100), kernels.Demands(100), start, 5, FOREVER, 0)
    np.testing.assert_array_equal(labels, start)
    assert (len(seconds), loss) == (1, [0.0])
    labels, seconds, loss = kernels.weave(kernels.Columns(0), kernels.Demands(0), start[:0].copy(), 5, FOREVER, 0)
    assert (labels.tolist(), seconds, loss) == ([], [], [])


def large_case() -> tuple[Table, PlainDemands, Labels]:
    random = Random(9)
    table = mixed_table(random, 6000)
    demands = PlainDemands(6000, [5], [Distinct([random.randrange(4) for _ in range(6000)], 2)])
    return table, demands, greedy_start(table, demands)


def test_a_stopped_pulse_gives_the_start() -> None:
    table, demands, start = large_case()
    pulse = kernels.Pulse()
    pulse.stop()
    found = kernels.weave(table.for_kernels(), demands.for_kernels(), start, 10**9, FOREVER, 1, pulse)
    check(table, demands, start, found)
    np.testing.assert_array_equal(found[0], start)


def test_a_stop_from_another_thread_gives_valid_classes_at_once() -> None:
    table, demands, start = large_case()
    columns, told, pulse = table.for_kernels(), demands.for_kernels(), kernels.Pulse()
    assert pulse.loss < 0
    found: list[tuple[Labels, list[float], list[float]]] = []
    thread = threading.Thread(
        target=lambda: found.append(kernels.weave(columns, told, start, 10**9, FOREVER, 1, pulse, 2))
    )
    thread.start()
    seen: list[float] = []
    while len(set(seen)) < 4 and thread.is_alive():
        time.sleep(0.01)
        seen.append(pulse.loss)
    asked = time.perf_counter()
    pulse.stop()
    thread.join()
    assert time.perf_counter() - asked < 0.5
    check(table, demands, start, found[0])
    losses = [loss for loss in seen if loss >= 0]
    assert losses == sorted(losses, reverse=True)
    assert found[0][2][-1] == pulse.loss < found[0][2][0]


@pytest.mark.parametrize("limit", [0.0, 0.3])
def test_a_limit_of_time_is_kept(limit: float) -> None:
    table, demands, start = large_case()
    columns, told, pulse = table.for_kernels(), demands.for_kernels(), kernels.Pulse()
    begun = time.perf_counter()
    found = kernels.weave(columns, told, start, 10**9, limit, 1, pulse)
    assert limit <= time.perf_counter() - begun < limit + 0.7
    check(table, demands, start, found)
    assert found[1][-1] >= limit
    if limit > 0:
        assert found[2][-1] < found[2][0]
        assert (pulse.done, pulse.total) == (1000, 1000)


def test_a_finished_search_has_done_everything_and_shows_its_loss() -> None:
    random = Random(1)
    table, pulse = mixed_table(random, 300), kernels.Pulse()
    start = random_start(random, PlainDemands(300, [4]))
    demands = PlainDemands(300, [4]).for_kernels()
    for passes in (0, 7):
        _, seconds, loss = kernels.weave(table.for_kernels(), demands, start, passes, FOREVER, 1, pulse)
        assert len(seconds) == len(loss) == passes + 1
        assert (pulse.done, pulse.total, pulse.loss) == (1000, 1000, loss[-1])


def two_classes() -> kernels.Columns:
    columns = kernels.Columns(4)
    columns.add_line(np.array([0, 1, 2, 3], dtype=np.int32), 3)
    return columns


def attempt(
    labels: Sequence[int] = (0, 0, 1, 1),
    n_demanded: int = 4,
    passes: int = 1,
    seconds: float = 1.0,
    threads: int = 0,
) -> object:
    start = np.array(labels, dtype=np.int32)
    return kernels.weave(two_classes(), kernels.Demands(n_demanded), start, passes, seconds, 0, threads=threads)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "negative label": (lambda: attempt(labels=(0, -77, 1, 1)), "negative"),
    "gap in the labels": (lambda: attempt(labels=(0, 0, 2, 2)), "no rows"),
    "label above the rows": (lambda: attempt(labels=(0, 0, 77, 1)), "above the number of rows"),
    "greatest label": (lambda: attempt(labels=(0, 0, 2**31 - 1, 1)), "above the number of rows"),
    "few labels": (lambda: attempt(labels=(0, 0, 1)), "labels has 3"),
    "many labels": (lambda: attempt(labels=(0, 0, 1, 1, 1)), "labels has 5"),
    "demands on other rows": (lambda: attempt(n_demanded=3), "about 3 rows; the table has 4"),
    "negative passes": (lambda: attempt(passes=-1), "passes"),
    "negative seconds": (lambda: attempt(seconds=-1.0), "seconds"),
    "no seconds": (lambda: attempt(seconds=float("nan")), "seconds"),
    "negative threads": (lambda: attempt(threads=-1), "threads"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_weave_refuses(case: str) -> None:
    wrong, message = REFUSED[case]
    with pytest.raises(ValueError, match=message) as refusal:
        wrong()
    assert "77" not in str(refusal.value)


@pytest.mark.parametrize(
    "labels", [np.zeros(4), np.zeros(4, dtype=np.int64), np.zeros((2, 2), dtype=np.int32), np.zeros(8, np.int32)[::2]]
)
def test_other_types_are_not_converted(labels: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    with pytest.raises(TypeError):
        kernels.weave(two_classes(), kernels.Demands(4), labels, 1, 1.0, 0)  # type: ignore[arg-type]


def test_the_start_is_not_written_to() -> None:
    random = Random(3)
    demands = PlainDemands(200, [4])
    start = random_start(random, demands)
    kept = start.copy()
    run(mixed_table(random, 200), demands, start, 5)
    np.testing.assert_array_equal(start, kept)
