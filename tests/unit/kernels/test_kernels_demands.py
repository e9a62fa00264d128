"""What a class must satisfy, as the kernels are told."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_demands import random_demands

from celosia import kernels

CODES = np.array([3, -1, 3], dtype=np.int32)


@tries(50)
@given(random=st.randoms(use_true_random=False), n_rows=st.integers(1, 30))
def test_the_least_number_of_rows_is_the_highest_of_all_demands(random: Random, n_rows: int) -> None:
    plain = random_demands(random, n_rows)
    demands = plain.for_kernels()
    assert demands.n_rows == n_rows
    assert demands.n_least_rows == plain.n_least_rows


def test_the_least_number_of_rows_never_falls() -> None:
    demands = kernels.Demands(9)
    assert demands.n_least_rows == 1
    demands.add_rows(4)
    demands.add_rows(2)
    assert demands.n_least_rows == 4
    demands.add_distinct(np.zeros(9, dtype=np.int32), 6)
    demands.add_distinct(np.zeros(9, dtype=np.int32), 5)
    assert demands.n_least_rows == 6


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "negative rows": (lambda: kernels.Demands(-1), "n_rows"),
    "more rows than int32 holds": (lambda: kernels.Demands(2**31), "n_rows"),
    "no rows": (lambda: kernels.Demands(3).add_rows(0), "1\\.\\.3"),
    "more rows than there are": (lambda: kernels.Demands(3).add_rows(4), "1\\.\\.3"),
    "far more rows than there are": (lambda: kernels.Demands(3).add_rows(2**40), "1\\.\\.3"),
    "no codes": (lambda: kernels.Demands(3).add_distinct(CODES, 0), "1\\.\\.3"),
    "more codes than rows": (lambda: kernels.Demands(3).add_distinct(CODES, 4), "1\\.\\.3"),
    "codes of other rows": (lambda: kernels.Demands(4).add_distinct(CODES, 2), "3 entries; there are 4"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_demands_refuse(case: str) -> None:
    attempt, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        attempt()


def test_a_refused_demand_leaves_no_trace() -> None:
    demands = kernels.Demands(3)
    for attempt in (lambda: demands.add_rows(4), lambda: demands.add_distinct(CODES[:2].copy(), 3)):
        with pytest.raises(ValueError, match=r"rows|entries"):
            attempt()
    assert demands.n_least_rows == 1
    columns = kernels.Columns(3)
    columns.add_line(np.array([0, 1, 2], dtype=np.int32), 2)
    assert kernels.l_greedy(columns, demands, np.arange(3, dtype=np.int32)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("wrong", [CODES.astype(np.int64), CODES.astype(float), CODES[::2], CODES.reshape(1, 3)])
def test_other_types_are_not_converted(wrong: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    with pytest.raises(TypeError):
        kernels.Demands(3).add_distinct(wrong, 2)  # type: ignore[arg-type]


def test_demands_copy_what_they_are_given() -> None:
    columns = kernels.Columns(4)
    columns.add_line(np.array([0, 1, 8, 9], dtype=np.int32), 9)
    codes = np.array([0, 0, 1, 1], dtype=np.int32)
    demands = kernels.Demands(4)
    demands.add_distinct(codes, 2)
    codes[:] = 0
    assert kernels.l_greedy(columns, demands, np.arange(4, dtype=np.int32)).tolist() == [0, 1, 0, 1]
