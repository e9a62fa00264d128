"""How many rows agree with each row wherever both are known."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_subsets import Columns, code_tables, plain_match_counts

from celosia import kernels


@tries(200)
@given(columns=code_tables(max_rows=25), n_people=st.integers(1, 6), threads=st.integers(0, 3))
def test_against_the_definition(columns: Columns, n_people: int, threads: int) -> None:
    n_rows = len(columns[0])
    people = (np.arange(n_rows) * 7 % n_people - 1).astype(np.int32)
    rows = kernels.match_counts(columns, n_rows, None, threads)
    assert rows.dtype == np.int64
    assert rows.tolist() == plain_match_counts(columns, range(n_rows))
    counted = kernels.match_counts(columns, n_rows, None, threads, people)
    assert counted.tolist() == plain_match_counts(columns, people.tolist())


def table(seed: int, n_rows: int, n_values: list[int], share_missing: float) -> Columns:
    draw = np.random.default_rng(seed)
    columns = []
    for n in n_values:
        codes = draw.integers(0, n, n_rows).astype(np.int32)
        codes[draw.random(n_rows) < share_missing] = -1
        columns.append(codes)
    return columns


def compared_with_all(columns: Columns) -> list[int]:
    rows = np.stack(columns, axis=1)
    return [int(((rows == row) | (rows == -1) | (row == -1)).all(axis=1).sum()) for row in rows]


# Pairs of ranges; patterns of missing cells that are joined, in one word and in several; hardly anything known.
LONGER = {
    "few missing": (6_000, [2, 9, 30, 4, 7], 0.05),
    "two words": (3_000, [2000] * 8, 0.05),
    "joined": (8_000, [1000] * 6, 0.7),
    "joined, two words": (8_000, [1000] * 8, 0.75),
    "nearly nothing known": (5_000, [50] * 6, 0.95),
    "no missing": (3_000, [3, 3, 3], 0.0),
}


@pytest.mark.parametrize("name", LONGER)
def test_longer_tables_on_any_number_of_threads(name: str) -> None:
    n_rows, n_values, share = LONGER[name]
    columns = table(5, n_rows, n_values, share)
    expected = compared_with_all(columns)
    found = [kernels.match_counts(columns, n_rows, threads=threads).tolist() for threads in (1, 3)]
    assert found == [expected, expected]
    people = kernels.match_counts(columns, n_rows, subjects=np.arange(n_rows, dtype=np.int32))
    assert people.tolist() == expected


def test_all_instruction_sets_agree() -> None:
    from celosia.kernels import _kernels

    columns = table(6, 4000, [3, 9, 30, 4], 0.1)
    expected = kernels.match_counts(columns, 4000).tolist()
    available = _kernels.instruction_sets()
    try:
        for one in available:
            _kernels.use_instruction_set(one)
            assert kernels.match_counts(columns, 4000).tolist() == expected
    finally:
        _kernels.use_instruction_set(available[-1])


def test_a_column_that_nobody_knows_changes_nothing_and_takes_no_pairs() -> None:
    known = table(7, 200_000, [50, 60], 0.0)
    unknown = np.full(200_000, -1, dtype=np.int32)
    started = time.perf_counter()
    found = kernels.match_counts([unknown, *known], 200_000)
    assert time.perf_counter() - started < 5  # pairs of rows would take minutes
    _, labels, sizes = np.unique(known[0] * 60 + known[1], return_inverse=True, return_counts=True)
    assert found.tolist() == sizes[labels].tolist()
    assert set(kernels.match_counts([unknown], 200_000).tolist()) == {200_000}


def test_people_are_counted_without_a_walk_through_all_codes_of_a_column() -> None:
    n_rows = 120_000
    columns = [np.random.default_rng(1).permutation(n_rows).astype(np.int32), np.arange(n_rows, dtype=np.int32) % 7]
    people = (np.arange(n_rows) // 2).astype(np.int32)
    started = time.perf_counter()
    assert kernels.match_counts(columns, n_rows, subjects=people).tolist() == [1] * n_rows
    assert time.perf_counter() - started < 5  # a walk for each row would take half a minute


def test_no_columns_match_everything() -> None:
    assert kernels.match_counts([], 3).tolist() == [3, 3, 3]
    assert kernels.match_counts([], 0).tolist() == []


@pytest.mark.parametrize("share_missing", [0.3, 0.6])
def test_stop_ends_a_long_run(share_missing: float) -> None:
    columns = table(8, 300_000, [30] * 14, share_missing)
    pulse, outcome = kernels.Pulse(), []

    def work() -> None:
        try:
            kernels.match_counts(columns, 300_000, pulse)
        except kernels.Interrupted as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while pulse.total == 0 and thread.is_alive():
        time.sleep(0.01)
    asked = time.perf_counter()
    pulse.stop()
    thread.join()
    assert time.perf_counter() - asked < 2
    assert outcome


def test_a_finished_run_has_done_everything() -> None:
    columns, pulse = table(9, 2000, [5, 6, 7], 0.1), kernels.Pulse()
    kernels.match_counts(columns, 2000, pulse)
    assert 0 < pulse.done == pulse.total
    kernels.match_counts(columns, 2000, pulse, subjects=columns[0])
    assert 0 < pulse.done == pulse.total


def test_wrong_input_is_refused() -> None:
    column = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="a column has 3 entries"):
        kernels.match_counts([column], 4)
    with pytest.raises(ValueError, match="subjects has 2 entries"):
        kernels.match_counts([column], 3, subjects=column[:2])
    with pytest.raises(ValueError, match="threads is negative"):
        kernels.match_counts([column], 3, None, -1)
    with pytest.raises(TypeError):
        kernels.match_counts([column.astype(np.float64)], 3)
