"""Minimal sample uniques of every row."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_subsets import Columns, code_tables, plain_minimal_uniques

from celosia import kernels


def counted(
    sets: list[list[tuple[int, ...]]], n_columns: int, max_size: int
) -> tuple[list[list[int]], list[list[int]]]:
    sizes = range(1, max_size + 1)
    per_row = [[sum(len(one) == size for one in own) for size in sizes] for own in sets]
    in_column = [
        [sum(len(one) == size and column in one for own in sets for one in own) for size in sizes]
        for column in range(n_columns)
    ]
    return per_row, in_column


def as_lists(found: tuple[np.ndarray, np.ndarray]) -> tuple[list[list[int]], list[list[int]]]:
    return found[0].tolist(), found[1].tolist()


@tries(200)
@given(columns=code_tables(), data=st.data(), threads=st.integers(0, 3))
def test_against_the_definition(columns: Columns, data: st.DataObject, threads: int) -> None:
    n_rows, n_columns = len(columns[0]), len(columns)
    max_size = data.draw(st.integers(1, n_columns))
    counts, in_column = kernels.minimal_uniques(columns, n_rows, max_size, None, threads)
    assert (counts.dtype, counts.shape) == (np.int32, (n_rows, max_size))
    assert (in_column.dtype, in_column.shape) == (np.int64, (n_columns, max_size))
    expected = counted(plain_minimal_uniques(columns, max_size, range(n_rows)), n_columns, max_size)
    assert (counts.tolist(), in_column.tolist()) == expected


@tries(200)
@given(columns=code_tables(), data=st.data(), threads=st.integers(0, 3))
def test_rows_of_one_person_do_not_count_against_each_other(
    columns: Columns, data: st.DataObject, threads: int
) -> None:
    n_rows, n_columns = len(columns[0]), len(columns)
    people = data.draw(st.lists(st.integers(-1, 4), min_size=n_rows, max_size=n_rows))
    found = kernels.minimal_uniques(
        columns, n_rows, n_columns, None, threads, subjects=np.array(people, dtype=np.int32)
    )
    assert as_lists(found) == counted(plain_minimal_uniques(columns, n_columns, people), n_columns, n_columns)


def table(seed: int, n_rows: int, n_values: list[int]) -> Columns:
    draw = np.random.default_rng(seed)
    return [draw.integers(-1, n, n_rows).astype(np.int32) for n in n_values]


def test_a_longer_table_in_several_shares_on_any_number_of_threads() -> None:
    columns = table(1, 12_000, [2, 3, 40, 5, 9, 4])
    one, four = (as_lists(kernels.minimal_uniques(columns, 12_000, 6, None, threads)) for threads in (1, 4))
    assert one == four
    rows = np.stack(columns, axis=1)
    for row in range(0, 12_000, 400):
        unique = []
        for chosen in range(1, 2**6):
            kept = [c for c in range(6) if chosen >> c & 1]
            if (rows[row, kept] >= 0).all() and (rows[:, kept] == rows[row, kept]).all(axis=1).sum() == 1:
                unique.append(chosen)
        minimal = [x for x in unique if not any(y != x and y & x == y for y in unique)]
        assert one[0][row] == [sum(x.bit_count() == size for x in minimal) for size in range(1, 7)]


def test_equal_rows_are_never_unique() -> None:
    columns = [np.array([0, 0, 1], dtype=np.int32), np.array([5, 5, 6], dtype=np.int32)]
    assert as_lists(kernels.minimal_uniques(columns, 3, 2)) == ([[0, 0], [0, 0], [2, 0]], [[1, 0], [1, 0]])


def test_smaller_sets_do_not_depend_on_how_far_one_looks() -> None:
    columns = table(2, 800, [2, 3, 20, 5, 9])
    whole = kernels.minimal_uniques(columns, 800, 5)
    for size in range(1, 5):
        part = kernels.minimal_uniques(columns, 800, size)
        assert (part[0] == whole[0][:, :size]).all()
        assert (part[1] == whole[1][:, :size]).all()


def test_progress_and_a_stop() -> None:
    columns, pulse = table(3, 1000, [2, 3, 20, 5, 9]), kernels.Pulse()
    kernels.minimal_uniques(columns, 1000, 3, pulse)
    assert 0 < pulse.done == pulse.total
    columns, pulse, outcome = table(4, 300_000, [4] * 16), kernels.Pulse(), []

    def work() -> None:
        try:
            kernels.minimal_uniques(columns, 300_000, 16, pulse)
        except kernels.Interrupted as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while pulse.done == 0 and thread.is_alive():
        time.sleep(0.01)
    asked = time.perf_counter()
    pulse.stop()
    thread.join()
    assert time.perf_counter() - asked < 2
    assert outcome
    assert pulse.done < pulse.total


def test_wrong_input_is_refused() -> None:
    column = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="a column has 3 entries"):
        kernels.minimal_uniques([column], 4, 1)
    for max_size in (0, 2):
        with pytest.raises(ValueError, match="max_size must lie"):
            kernels.minimal_uniques([column], 3, max_size)
    with pytest.raises(ValueError, match="more than 64 columns"):
        kernels.minimal_uniques([column] * 65, 3, 2)
    with pytest.raises(ValueError, match="subjects has 2 entries"):
        kernels.minimal_uniques([column], 3, 1, subjects=column[:2])
    with pytest.raises(ValueError, match="threads is negative"):
        kernels.minimal_uniques([column], 3, 1, None, -1)
    with pytest.raises(TypeError):
        kernels.minimal_uniques([column.astype(np.int64)], 3, 1)
