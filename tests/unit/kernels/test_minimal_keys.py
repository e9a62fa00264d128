"""All minimal sets of columns that tell enough rows apart."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_subsets import Columns, code_tables, plain_minimal_keys, rows_of

from celosia import kernels


@tries(200)
@given(columns=code_tables(), n_fewer=st.integers(-1, 5), max_size=st.integers(1, 7), threads=st.integers(0, 3))
def test_against_the_definition(columns: Columns, n_fewer: int, max_size: int, threads: int) -> None:
    n_needed = max(0, len(set(rows_of(columns))) - n_fewer)
    found = kernels.minimal_keys(columns, len(columns[0]), n_needed, max_size, threads=threads)
    assert found == plain_minimal_keys(columns, n_needed, max_size)


def table(seed: int, n_rows: int, n_values: list[int]) -> Columns:
    draw = np.random.default_rng(seed)
    return [draw.integers(-1, n, n_rows).astype(np.int32) for n in n_values]


@pytest.mark.parametrize("n_missing", [0, 30, 200])
def test_a_longer_table_on_any_number_of_threads(n_missing: int) -> None:
    columns = table(1, 600, [2, 3, 5, 9, 30, 4, 7, 2])
    n_needed = len(set(rows_of(columns))) - n_missing
    one, four = (kernels.minimal_keys(columns, 600, n_needed, 8, threads=threads) for threads in (1, 4))
    assert one == four == plain_minimal_keys(columns, n_needed, 8)
    assert one


def test_columns_that_are_copies_stand_for_each_other() -> None:
    first, second = table(2, 300, [40, 9])
    found = kernels.minimal_keys([first, second, first], 300, len(set(zip(first, second, strict=True))), 3)
    assert found == [[0, 1], [1, 2]]


def test_many_columns_and_small_sets() -> None:
    columns = table(3, 200, [3] * 30)
    distinct = [len(set(rows_of(columns, one))) for one in [(0, 1), (5, 29)]]
    found = kernels.minimal_keys(columns, 200, min(distinct), 2)
    assert found == plain_minimal_keys(columns, min(distinct), 2)


def test_no_columns_have_no_key() -> None:
    assert kernels.minimal_keys([], 5, 1, 3) == []


def test_progress_and_a_stop() -> None:
    columns, pulse = table(4, 500, [5, 6, 7, 8]), kernels.Pulse()
    kernels.minimal_keys(columns, 500, 400, 4, pulse)
    assert 0 < pulse.done == pulse.total
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.minimal_keys(columns, 500, 400, 4, pulse)


def test_wrong_input_is_refused() -> None:
    column = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="a column has 3 entries"):
        kernels.minimal_keys([column], 4, 1, 1)
    with pytest.raises(ValueError, match="n_needed is negative"):
        kernels.minimal_keys([column], 3, -1, 1)
    with pytest.raises(ValueError, match="max_size is below 1"):
        kernels.minimal_keys([column], 3, 1, 0)
    with pytest.raises(ValueError, match="more than 512 columns"):
        kernels.minimal_keys([column] * 513, 3, 1, 1)
    with pytest.raises(ValueError, match="threads is negative"):
        kernels.minimal_keys([column], 3, 1, 1, None, -1)
    with pytest.raises(ValueError, match="n_rows must lie"):
        kernels.minimal_keys([column], -1, 1, 1)
    with pytest.raises(TypeError):
        kernels.minimal_keys([column.astype(np.int64)], 3, 1, 1)


def test_many_keys_are_not_compared_with_each_other() -> None:
    columns = [np.random.default_rng(place).permutation(200).astype(np.int32) // 10 for place in range(80)]
    started = time.perf_counter()
    found = kernels.minimal_keys(columns, 200, 170, 3)
    assert time.perf_counter() - started < 10  # pairs of keys would take a minute
    assert len(found) > 50_000
    kept = set(map(tuple, found))
    assert not any(pair in kept for key in kept for pair in combinations(key, 2) if len(key) == 3)
    for key in list(combinations(range(80), 3))[::800]:
        n_distinct = len(set(rows_of(columns, key)))
        assert (key in kept or any(pair in kept for pair in combinations(key, 2))) == (n_distinct >= 170)
