"""What the kernels refuse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unit.kernels.kernel_demands import k_rows

from celosia import kernels


def ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, dtype=np.int32)


def tree(nodes: list[list[int]], loss: list[int], full: int = 10) -> None:
    kernels.Columns(1).add_tree(ints(0), np.array(nodes, dtype=np.int32), ints(*loss), full)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "negative rows": (lambda: kernels.Columns(-1), "n_rows"),
    "line too short": (lambda: kernels.Columns(2).add_line(ints(1), 5), "1 rows; the table has 2"),
    "line wider than full": (lambda: kernels.Columns(2).add_line(ints(1, 9), 7), "above full"),
    "line wider than int32": (lambda: kernels.Columns(2).add_line(ints(-(2**31) + 1, 2**31 - 1), 2**30), "above full"),
    "negative full": (lambda: kernels.Columns(1).add_line(ints(1), -1), "negative"),
    "full above 2^30": (lambda: kernels.Columns(1).add_line(ints(1), 2**30 + 1), "2\\^30"),
    "code too high": (lambda: kernels.Columns(2).add_bag(ints(0, 3), 3, 1, 2), "row 1 .* -1\\.\\.2"),
    "code too low": (lambda: kernels.Columns(2).add_bag(ints(-2, 0), 3, 1, 2), "row 0 .* -1\\.\\.2"),
    "bag above full": (lambda: kernels.Columns(1).add_bag(ints(0), 4, 5, 14), "above full"),
    "negative unit": (lambda: kernels.Columns(1).add_bag(ints(0), 4, -1, 14), "unit"),
    "negative n_values": (lambda: kernels.Columns(1).add_bag(ints(-1), -1, 1, 14), "n_values"),
    "tree without level": (
        lambda: kernels.Columns(1).add_tree(ints(-1), np.zeros((0, 2), dtype=np.int32), ints(0), 1),
        "no level",
    ),
    "tree with unknown node": (lambda: tree([[0, 1], [2, 3]], [0, 0, 5]), "level 1 .* outside"),
    "tree with two roots": (lambda: tree([[0, 1]], [0, 0]), "more than one node"),
    "tree with a split node": (lambda: tree([[0, 0], [1, 2], [3, 3]], [0, 0, 0, 5]), "splits"),
    "tree out of leaf order": (lambda: tree([[0, 1, 0], [2, 2, 2]], [0, 0, 5]), "leaf order"),
    "tree losing less above": (lambda: tree([[0, 1], [2, 2]], [3, 3, 2]), "loses less"),
    "tree losing more than full": (lambda: tree([[0, 1], [2, 2]], [0, 0, 11]), "outside 0..full"),
    "tree code too high": (
        lambda: kernels.Columns(1).add_tree(ints(2), np.array([[0, 1], [2, 2]], dtype=np.int32), ints(0, 0, 5), 5),
        "row 0 .* -1\\.\\.1",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_columns_refuse(case: str) -> None:
    attempt, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        attempt()


def test_the_sum_of_full_is_limited_over_all_columns() -> None:
    columns = kernels.Columns(1)
    columns.add_line(ints(0), 2**29)
    columns.add_line(ints(0), 2**29)
    with pytest.raises(ValueError, match="column 2"):
        columns.add_line(ints(0), 1)
    assert len(columns) == 2


@pytest.mark.parametrize("wrong", [np.zeros(2), np.zeros(2, dtype=np.int64), np.zeros((2, 2), dtype=np.int32)])
def test_other_types_are_not_converted(wrong: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    with pytest.raises(TypeError):
        kernels.Columns(2).add_line(wrong, 5)  # type: ignore[arg-type]


def two_rows() -> kernels.Columns:
    columns = kernels.Columns(2)
    columns.add_line(ints(0, 1), 1)
    return columns


WRONG_CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "k of zero": (lambda: kernels.split_order(two_rows(), 0, ints(0, 1), None), "at least 1"),
    "k of zero in growth": (lambda: kernels.k_members(two_rows(), 0, 0, None, np.ones(1)), "at least 1"),
    "k above n": (lambda: kernels.split_order(two_rows(), 3, ints(0, 1), None), "only 2 rows"),
    "k above n in growth": (lambda: kernels.k_members(two_rows(), 3, 0, None, np.ones(1)), "only 2 rows"),
    "k far above n": (lambda: kernels.k_members(two_rows(), 2**40, 0, None, np.ones(1)), "only 2 rows"),
    "demands on other rows in cuts": (
        lambda: kernels.mondrian(two_rows(), kernels.Demands(3), True),
        "about 3 rows; the table has 2",
    ),
    "demands on other rows": (
        lambda: kernels.l_greedy(two_rows(), kernels.Demands(3), ints(0, 1)),
        "about 3 rows; the table has 2",
    ),
    "k above subjects": (lambda: kernels.k_members(two_rows(), 2, 0, ints(4, 4), np.ones(1)), "only 1 subjects"),
    "negative subject": (lambda: kernels.k_members(two_rows(), 2, 0, ints(0, -1), np.ones(1)), "row 1 is negative"),
    "few subjects": (lambda: kernels.k_members(two_rows(), 2, 0, ints(0), np.ones(1)), "subjects has 1"),
    "few people in an order": (lambda: kernels.split_order(two_rows(), 2, ints(0, 1), ints(4, 4)), "only 1 subjects"),
    "negative person": (lambda: kernels.split_order(two_rows(), 2, ints(0, 1), ints(0, -1)), "row 1 is negative"),
    "few rows of people": (lambda: kernels.split_order(two_rows(), 2, ints(0, 1), ints(0)), "subjects has 1"),
    "few weights": (lambda: kernels.k_members(two_rows(), 2, 0, None, np.ones(2)), "weights has 2"),
    "negative weight": (lambda: kernels.k_members(two_rows(), 2, 0, None, np.array([-1.0])), "weight of column 0"),
    "no weight": (lambda: kernels.k_members(two_rows(), 2, 0, None, np.array([np.nan])), "weight of column 0"),
    "first not a row": (lambda: kernels.k_members(two_rows(), 2, 2, None, np.ones(1)), "first is 2"),
    "negative threads": (lambda: kernels.mondrian(two_rows(), k_rows(2, 2), True, threads=-1), "threads"),
    "order too short": (lambda: kernels.l_greedy(two_rows(), kernels.Demands(2), ints(0)), "order has 1"),
    "order twice the same": (
        lambda: kernels.l_greedy(two_rows(), kernels.Demands(2), ints(1, 1)),
        "permutation .*place 1",
    ),
    "order beyond the rows": (
        lambda: kernels.l_greedy(two_rows(), kernels.Demands(2), ints(0, 2)),
        "permutation .*place 1",
    ),
}


@pytest.mark.parametrize("case", WRONG_CALLS)
def test_kernels_refuse(case: str) -> None:
    attempt, message = WRONG_CALLS[case]
    with pytest.raises(ValueError, match=message):
        attempt()


def test_columns_added_later_do_not_disturb() -> None:
    """A kernel sees the columns as they were; the builder copies what it is given."""
    positions = ints(0, 9, 1, 8)
    columns = kernels.Columns(4)
    columns.add_line(positions, 9)
    positions[:] = 0
    assert kernels.mondrian(columns, k_rows(4, 2), True).tolist() == [0, 1, 0, 1]
    assert columns.n_rows == 4
