"""The Hilbert curve against its geometry, and the best cuts of an order against their definition."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_tables import Bag, Line, Table, Tree, random_subjects, random_table

from celosia import kernels
from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)
SMALL_GRIDS = [(1, 1), (1, 6), (2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (3, 4), (4, 2), (4, 3), (5, 2), (12, 1)]
Cells = NDArray[np.int64]


@pytest.fixture(params=_kernels.instruction_sets(), scope="module")
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


# The Hilbert curve


def curve(n_axes: int, bits: int) -> Cells:
    """All cells of a grid along the curve, given to the kernel in another order."""
    cells = np.array(list(product(range(2**bits), repeat=n_axes)), dtype=np.uint32)
    return cells[kernels.hilbert_order(cells, bits)].astype(np.int64)


def rank(cell: Sequence[int], bits: int, flip: bool = False) -> int:
    """The place of a cell, by recursion: which part of the cube, then where in the turned part.

    The parts follow a Gray code. Inside a part each axis in turn is swapped with the first one, or mirrors the first
    one where the part lies in the upper half of that axis.
    """
    if bits == 0:
        return 0
    half = 1 << (bits - 1)
    upper = [coordinate >= half for coordinate in cell]
    inside = [coordinate % half for coordinate in cell]
    part, digit = 0, flip
    for is_upper in upper:
        digit ^= is_upper
        part = 2 * part + digit
    for axis, is_upper in enumerate(upper):
        if is_upper:
            inside[0] = half - 1 - inside[0]
        else:
            inside[0], inside[axis] = inside[axis], inside[0]
    n_inside: int = half ** len(cell)
    return part * n_inside + rank(inside, bits - 1, digit)


@pytest.mark.parametrize(("n_axes", "bits"), SMALL_GRIDS)
def test_the_curve_goes_from_neighbour_to_neighbour_through_all_cells(n_axes: int, bits: int) -> None:
    cells = curve(n_axes, bits)
    assert len(np.unique(cells, axis=0)) == 2 ** (n_axes * bits)
    np.testing.assert_array_equal(np.abs(np.diff(cells, axis=0)).sum(axis=1), 1)
    assert cells[0].tolist() == [0] * n_axes
    assert cells[-1].tolist() == [2**bits - 1] + [0] * (n_axes - 1)


@pytest.mark.parametrize(("n_axes", "bits"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)])
def test_the_curve_is_made_of_turned_and_mirrored_copies_of_itself(n_axes: int, bits: int) -> None:
    coarser = curve(n_axes, bits - 1)
    half = 2 ** (bits - 1)
    for part in curve(n_axes, bits).reshape(2**n_axes, -1, n_axes):
        corners = part // half
        assert (corners == corners[0]).all()
        inside = part % half
        from_origin = np.where(inside[0] > 0, half - 1 - inside, inside)
        assert any((from_origin[:, axes] == coarser).all() for axes in permutations(range(n_axes)))


def test_the_curve_in_the_plane_is_hilberts() -> None:
    """Four copies: the first mirrored at the diagonal, two as they are, the last mirrored at the other diagonal."""

    def drawn(bits: int) -> list[tuple[int, int]]:
        if bits == 0:
            return [(0, 0)]
        below, half = drawn(bits - 1), 2 ** (bits - 1)
        return [
            *((y, x) for x, y in below),
            *((x, y + half) for x, y in below),
            *((x + half, y + half) for x, y in below),
            *((2 * half - 1 - y, half - 1 - x) for x, y in below),
        ]

    # Each order of the curve ends on the same side, so that all of them are drawn the same way round.
    for bits in (1, 2, 3, 4, 5):
        assert [tuple(cell) for cell in curve(2, bits).tolist()] == drawn(bits)


@tries(120)
@given(random=RANDOMS, n_rows=st.integers(0, 80), n_axes=st.one_of(st.integers(1, 9), st.sampled_from([64, 127, 128])))
def test_hilbert_order_equals_its_twin(instruction_set: str, random: Random, n_rows: int, n_axes: int) -> None:
    bits = random.randint(1, min(32, 128 // n_axes))
    highest = random.choice([2**bits - 1, min(2**bits - 1, 2)])
    cells = [[random.randint(0, highest) for _ in range(n_axes)] for _ in range(n_rows)]
    order = kernels.hilbert_order(np.array(cells, dtype=np.uint32).reshape(n_rows, n_axes), bits)
    assert order.tolist() == sorted(range(n_rows), key=lambda row: rank(cells[row], bits))


def test_many_rows_are_merged_in_order_on_any_number_of_threads() -> None:
    ranks = np.array([rank(cell, 8) for cell in product(range(256), repeat=2)])
    cells = np.random.default_rng(1).integers(0, 256, (150_000, 2)).astype(np.uint32)
    expected = np.argsort(ranks[cells[:, 0].astype(np.int64) * 256 + cells[:, 1]], kind="stable")
    for threads in (1, 2, 5):
        np.testing.assert_array_equal(kernels.hilbert_order(cells, 8, threads=threads), expected)


@pytest.mark.parametrize(
    ("n_axes", "bits", "message"),
    [(1, 0, "bits"), (1, 33, "bits"), (1, -(2**40), "bits"), (5, 26, "128"), (129, 1, "128"), (0, 1, "128")],
)
def test_curves_that_no_key_can_hold_are_refused(n_axes: int, bits: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernels.hilbert_order(np.zeros((3, n_axes), dtype=np.uint32), bits)


def test_coordinates_outside_the_grid_are_refused_without_their_value() -> None:
    with pytest.raises(ValueError, match=r"row 1 is outside 0\.\.2\^bits-1") as caught:
        kernels.hilbert_order(np.array([[0, 7], [3, 8]], dtype=np.uint32), 3)
    assert "8" not in str(caught.value)
    with pytest.raises(TypeError):
        kernels.hilbert_order(np.zeros((3, 2), dtype=np.int64), 3)


def test_a_stopped_pulse_stops_the_order() -> None:
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.hilbert_order(np.zeros((3, 2), dtype=np.uint32), 3, pulse)


# The best cuts of an order


def cost(table: Table, stretch: Sequence[int]) -> int:
    return len(stretch) * table.loss(stretch)


def all_cuts(order: Sequence[int]) -> Iterator[list[list[int]]]:
    """Every way to cut an order into stretches."""
    if not order:
        yield []
    for size in range(1, len(order) + 1):
        for rest in all_cuts(order[size:]):
            yield [list(order[:size]), *rest]


def best_cuts(table: Table, k: int, order: Sequence[int], subjects: twins.Subjects) -> list[int]:
    """The definition itself: of all allowed ways the cheapest; of these the one whose last stretches are shortest."""
    allowed = (cuts for cuts in all_cuts(order) if all(twins.people(stretch, subjects) >= k for stretch in cuts))

    def price(cuts: Sequence[Sequence[int]]) -> tuple[int, list[int]]:
        return sum(cost(table, stretch) for stretch in cuts), [len(stretch) for stretch in reversed(cuts)]

    return twins.labels_of(min(allowed, key=price), table.n_rows)


def program(table: Table, k: int, order: Sequence[int], subjects: twins.Subjects) -> list[int]:
    """The dynamic program over all starts, however long the class."""
    best: list[tuple[int, list[list[int]]] | None] = [(0, [])]
    for end in range(1, len(order) + 1):
        found: tuple[int, list[list[int]]] | None = None
        for start in reversed(range(end)):
            before, stretch = best[start], list(order[start:end])
            if before is None or twins.people(stretch, subjects) < k:
                continue
            total = before[0] + cost(table, stretch)
            if found is None or total < found[0]:
                found = (total, [*before[1], stretch])
        best.append(found)
    last = best[-1]
    assert last is not None
    return twins.labels_of(last[1], table.n_rows)


def shuffled(random: Random, n_rows: int) -> NDArray[np.int32]:
    order = list(range(n_rows))
    random.shuffle(order)
    return np.array(order, dtype=np.int32)


def random_k(random: Random, n_rows: int, subjects: twins.Subjects, highest: int = 6) -> int:
    return random.randint(1, min(highest, twins.people(range(n_rows), subjects)))


@tries(120)
@given(random=RANDOMS, n_rows=st.integers(1, 9), n_columns=st.integers(1, 3))
def test_no_other_cuts_of_the_order_cost_less(
    instruction_set: str, random: Random, n_rows: int, n_columns: int
) -> None:
    table, subjects = random_table(random, n_rows, n_columns), random_subjects(random, n_rows)
    k, order = random_k(random, n_rows, subjects), shuffled(random, n_rows)
    labels = kernels.split_order(table.for_kernels(), k, order, subjects)
    assert labels.tolist() == best_cuts(table, k, order.tolist(), subjects)


@tries(200)
@given(random=RANDOMS, n_rows=st.integers(1, 40), n_columns=st.integers(1, 4))
def test_split_order_equals_its_twin(instruction_set: str, random: Random, n_rows: int, n_columns: int) -> None:
    table, subjects = random_table(random, n_rows, n_columns), random_subjects(random, n_rows)
    k, order = random_k(random, n_rows, subjects, highest=12), shuffled(random, n_rows)
    labels = kernels.split_order(table.for_kernels(), k, order, subjects)
    assert labels.tolist() == program(table, k, order.tolist(), subjects)


@tries(200)
@given(random=RANDOMS, n_runs=st.integers(2, 9), n_columns=st.integers(1, 3))
def test_equal_rows_of_one_person_on_end_are_cut_as_well_as_any(random: Random, n_runs: int, n_columns: int) -> None:
    """Runs of equal rows are looked at as a whole, which must not cost a single best cut, nor decide a tie."""
    runs = [run for run in range(n_runs) for _ in range(random.choice([1, 2, 3, 4, 5, 9]))]
    small = random_table(random, n_runs, n_columns)
    columns = [replace(column, values=[column.values[run] for run in runs]) for column in small.columns]
    table = Table(columns, len(runs))
    people = [random.randint(0, 4) for _ in range(n_runs)]
    subjects = np.array([people[run] for run in runs], dtype=np.int32)
    k, order = random_k(random, len(runs), subjects), list(range(len(runs)))
    labels = kernels.split_order(table.for_kernels(), k, np.array(order, dtype=np.int32), subjects)
    assert labels.tolist() == program(table, k, order, subjects)


def window_losses(table: Table, order: NDArray[np.int32], end: int) -> NDArray[np.int64]:
    """Losses of the classes of 1, 2, ... rows before a place of the order; lines and bags without missing values."""
    total = np.zeros(end, dtype=np.int64)
    for column in table.columns:
        values = column.codes()[order[:end][::-1]].astype(np.int64)
        if isinstance(column, Bag):
            is_new = np.zeros(end, dtype=np.int64)
            is_new[np.unique(values, return_index=True)[1]] = 1
            total += (np.cumsum(is_new) - 1) * column.unit
        else:
            total += np.maximum.accumulate(values) - np.minimum.accumulate(values)
    return total


def fast_program(table: Table, k: int, order: NDArray[np.int32], subjects: twins.Subjects) -> list[int]:
    """The same program as above, a row of windows at a time."""
    n_rows = table.n_rows
    people = np.arange(n_rows) if subjects is None else subjects
    best, size_of = np.full(n_rows + 1, np.iinfo(np.int64).max), np.zeros(n_rows + 1, dtype=np.int64)
    best[0] = 0
    for end in range(1, n_rows + 1):
        is_new = np.zeros(end, dtype=np.int64)
        is_new[np.unique(people[order[:end][::-1]], return_index=True)[1]] = 1
        sizes = np.arange(1, end + 1)
        possible = (np.cumsum(is_new) >= k) & (best[end - sizes] < np.iinfo(np.int64).max)
        if possible.any():
            sizes = sizes[possible]
            totals = best[end - sizes] + sizes * window_losses(table, order, end)[possible]
            best[end], size_of[end] = totals.min(), sizes[totals.argmin()]
    classes, end = [], n_rows
    while end > 0:
        classes.append(order[end - size_of[end] : end].tolist())
        end -= int(size_of[end])
    return twins.labels_of(classes[::-1], n_rows)


def plain_table(seed: int, n_rows: int) -> Table:
    random = np.random.default_rng(seed)
    line = np.sort(random.integers(0, 2**20, n_rows)).tolist()
    return Table(
        [
            Line(line, 2**20),
            Line(random.integers(0, 9, n_rows).tolist(), 2**20),
            Bag((random.integers(0, 40, n_rows) // 3).tolist(), 2**20, 14, 2**20 // 13),
        ],
        n_rows,
    )


@pytest.mark.parametrize("k", [2, 11, 300, 700])
def test_many_rows_equal_the_twin(instruction_set: str, k: int) -> None:
    table, order = plain_table(k, 2500), np.arange(2500, dtype=np.int32)
    labels = kernels.split_order(table.for_kernels(), k, order, None)
    assert labels.tolist() == fast_program(table, k, order, None)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_people_with_long_stretches_of_rows_make_long_classes(k: int) -> None:
    """Some people have hundreds of rows on end, so that windows are long, and of very unlike lengths side by side."""
    random = np.random.default_rng(k)
    table, order = plain_table(k, 2500), np.arange(2500, dtype=np.int32)
    who = random.integers(0, 400, 2500).astype(np.int32)
    subjects = np.repeat(who, random.choice([1] * 40 + [2, 700], 2500))[:2500]
    labels = kernels.split_order(table.for_kernels(), k, order, subjects)
    assert labels.tolist() == fast_program(table, k, order, subjects)
    sizes = np.bincount(labels)
    assert sizes.min() < 2 * k
    assert sizes.max() > 300


def wide_table(n_rows: int) -> Table:
    random = np.random.default_rng(5)
    tree = Tree(
        random.integers(0, 4, n_rows).tolist(),
        2**20,
        [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 6, 6]],
        [0, 0, 0, 0, 300_000, 300_000, 2**20],
    )
    with_gaps = [None if code == 3 else int(code) for code in random.integers(0, 9, n_rows)]
    table = plain_table(3, n_rows)
    table.columns.extend([tree, Line(with_gaps, 2**20), Bag(with_gaps, 2**20, 9, 2**20 // 8)])
    return table


@pytest.mark.parametrize("with_subjects", [False, True])
def test_labels_do_not_depend_on_threads_or_instruction_sets(with_subjects: bool) -> None:
    n_rows, k = 60_000, 20
    columns, order = wide_table(n_rows).for_kernels(), shuffled(Random(1), n_rows)
    subjects = np.random.default_rng(6).integers(0, 4_000, n_rows).astype(np.int32) if with_subjects else None
    results = []
    for name in _kernels.instruction_sets():
        _kernels.use_instruction_set(name)
        results += [kernels.split_order(columns, k, order, subjects, threads=threads) for threads in (1, 2, 5)]
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
    assert (np.diff(results[0][order]) >= 0).all()
    people = np.arange(n_rows) if subjects is None else subjects
    pairs = np.unique(np.stack([results[0], people]), axis=1)
    assert np.bincount(pairs[0]).min() >= k
    assert np.bincount(pairs[0]).max() < 2 * k


def test_classes_are_cut_where_the_gaps_are() -> None:
    table = Table([Line([50, 1, 0, 52, 51, 90, 91], 91)], 7)
    order = np.array([2, 1, 0, 4, 3, 5, 6], dtype=np.int32)
    assert kernels.split_order(table.for_kernels(), 2, order, None).tolist() == [1, 0, 0, 1, 1, 2, 2]


def test_equal_rows_are_cut_into_the_shortest_classes_from_the_end_on() -> None:
    table, order = Table([Line([4] * 8, 9)], 8), np.arange(8, dtype=np.int32)
    assert kernels.split_order(table.for_kernels(), 3, order, None).tolist() == [0] * 5 + [1] * 3


def test_rows_that_lose_nothing_alone_stay_alone() -> None:
    order = np.array([2, 0, 1], dtype=np.int32)
    assert kernels.split_order(Table([Line([4, 7, 1], 9)], 3).for_kernels(), 1, order, None).tolist() == [1, 2, 0]


@pytest.mark.parametrize("order", [[0, 1, 1, 3], [0, 1, 2, 4], [-1, 0, 1, 2]])
def test_an_order_that_is_no_permutation_is_refused(order: list[int]) -> None:
    columns = Table([Line([4, 7, 1, 2], 9)], 4).for_kernels()
    with pytest.raises(ValueError, match="permutation"):
        kernels.split_order(columns, 2, np.array(order, dtype=np.int32), None)


def test_wrong_lengths_and_unreachable_k_are_refused() -> None:
    columns, order = Table([Line([4, 7, 1, 2], 9)], 4).for_kernels(), np.arange(4, dtype=np.int32)
    with pytest.raises(ValueError, match="order has 3 entries"):
        kernels.split_order(columns, 2, order[:3], None)
    with pytest.raises(ValueError, match="subjects has 3 entries"):
        kernels.split_order(columns, 2, order, order[:3])
    for k in (0, 5, 2**40):
        with pytest.raises(ValueError, match="k is"):
            kernels.split_order(columns, k, order, None)
    with pytest.raises(ValueError, match="only 2 subjects"):
        kernels.split_order(columns, 3, order, np.array([5, 5, 9, 9], dtype=np.int32))


def test_a_finished_split_has_done_everything() -> None:
    pulse = kernels.Pulse()
    kernels.split_order(wide_table(3000).for_kernels(), 7, np.arange(3000, dtype=np.int32), None, pulse)
    assert (pulse.done, pulse.total) == (3000, 3000)


def test_stop_ends_a_long_split_and_progress_never_falls() -> None:
    n_rows = 300_000
    columns, pulse = plain_table(1, n_rows).for_kernels(), kernels.Pulse()
    outcome: list[BaseException | None] = []

    def work() -> None:
        try:
            kernels.split_order(columns, 9_000, np.arange(n_rows, dtype=np.int32), None, pulse)
            outcome.append(None)
        except kernels.Interrupted as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    seen: list[int] = []
    while len(seen) < 30 and thread.is_alive():
        seen.append(pulse.done)
        time.sleep(0.02)
    asked = time.perf_counter()
    pulse.stop()
    thread.join()
    assert time.perf_counter() - asked < 0.5
    assert isinstance(outcome[0], kernels.Interrupted)
    assert seen == sorted(seen)
    assert 0 < pulse.done < pulse.total == n_rows
