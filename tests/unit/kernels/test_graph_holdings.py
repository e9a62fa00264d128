"""The kernels about attackers who know some items of a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels


@dataclass(frozen=True)
class Table:
    """Per row what it holds in each slot (0: nothing), its group and weight. Item -1 is held, but not usable."""

    rows: list[list[int]]
    groups: list[int]
    weights: list[int]
    absence: bool

    @property
    def slots(self) -> list[tuple[int, int]]:
        """Slots by the group of their holders."""
        n = len(self.rows[0]) if self.rows else 0
        return [(group, place) for group in range(max(self.groups, default=-1) + 1) for place in range(n)]

    def holdings(self, plain: bool, weighted: bool, grouped: bool) -> kernels.Holdings:
        values = [1] if plain else [-1, 1, 2]
        number = {key: i for i, key in enumerate((slot, value) for slot in self.slots for value in values)}
        held = [
            [number[(group, place), value] for place, value in enumerate(row) if value]
            for row, group in zip(self.rows, self.groups, strict=True)
        ]
        n_slots = len(self.slots)
        return kernels.Holdings(
            np.cumsum([0] + [len(own) for own in held]),
            np.array([item for own in held for item in own], dtype=np.int32),
            len(number),
            self.absence,
            None if plain else np.repeat(np.arange(n_slots, dtype=np.int32), len(values)),
            n_slots,
            None if plain else np.array([value > 0 for _, value in number], dtype=np.uint8),
            np.array(self.groups, dtype=np.int32) if grouped else None,
            np.array([group for group, _ in self.slots], dtype=np.int32) if grouped else None,
            max(self.groups, default=0) + 1 if grouped else 1,
            np.array(self.weights, dtype=np.int64) if weighted else None,
        )

    def left(self, row: int, known: tuple[int, ...]) -> int:
        """The weight of the rows of the group that hold in the known slots what the row does."""
        return sum(
            weight
            for other, group, weight in zip(self.rows, self.groups, self.weights, strict=True)
            if group == self.groups[row] and all(other[place] == self.rows[row][place] for place in known)
        )

    def knowable(self, row: int) -> list[int]:
        return [p for p, value in enumerate(self.rows[row]) if value > 0 or (value == 0 and self.absence)]

    def fewest(self, row: int, size: int) -> int:
        places = self.knowable(row)
        return min(self.left(row, known) for n in range(size + 1) for known in combinations(places, n))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, kernels.Holdings]:
    plain, weighted, grouped = (draw(st.booleans()) for _ in range(3))
    n_places = draw(st.integers(1, 5))
    value = st.sampled_from([0, 1] if plain else [0, 0, 1, 1, 2, -1])
    rows = draw(st.lists(st.lists(value, min_size=n_places, max_size=n_places), min_size=1, max_size=9))
    same = {"min_size": len(rows), "max_size": len(rows)}
    groups = draw(st.lists(st.integers(0, 2), **same)) if grouped else [0] * len(rows)
    weights = draw(st.lists(st.integers(1, 4), **same)) if weighted else [1] * len(rows)
    table = Table(rows, groups, weights, draw(st.booleans()))
    return table, table.holdings(plain, weighted, grouped)


def every(table: Table) -> np.ndarray:
    return np.arange(len(table.rows), dtype=np.int32)


def true_floor(table: Table) -> int:
    return min(table.left(row, tuple(table.knowable(row))) for row in range(len(table.rows)))


@tries(400)
@given(case=tables(), k=st.integers(1, 8), threads=st.integers(0, 3), tight=st.booleans())
def test_one_and_two_known(case: tuple[Table, kernels.Holdings], k: int, threads: int, tight: bool) -> None:
    table, holdings = case
    rows = range(len(table.rows))
    for size in (1, 2):
        floor = true_floor(table) if tight else 1
        broken, fewest = holdings.one_known(k) if size == 1 else holdings.two_known(k, floor, None, threads)
        expected = [table.fewest(row, size) for row in rows]
        assert broken.tolist() == [int(n < k) for n in expected]
        assert fewest == min(expected)


@tries(300)
@given(case=tables(), k=st.integers(1, 8), size=st.integers(1, 5), threads=st.integers(0, 3))
def test_larger_sets(case: tuple[Table, kernels.Holdings], k: int, size: int, threads: int) -> None:
    table, holdings = case
    expected = [table.fewest(row, size) for row in range(len(table.rows))]
    found = holdings.search_sets(every(table), k, size, 10**9, None, threads)
    assert found.tolist() == [int(n < k) for n in expected]
    known = max(sum(table.weights), 1)
    assert holdings.fewest_candidates(size, known, 1, 10**9, None, threads) == (min(expected), True)


@tries(200)
@given(case=tables(), k=st.integers(1, 8), size=st.integers(1, 5), n_steps=st.integers(0, 60))
def test_a_search_with_few_steps_is_right_or_cut_off(
    case: tuple[Table, kernels.Holdings], k: int, size: int, n_steps: int
) -> None:
    table, holdings = case
    found = holdings.search_sets(every(table), k, size, n_steps)
    for row, answer in enumerate(found.tolist()):
        assert answer == 2 or answer == int(table.fewest(row, size) < k)
    expected = min(table.fewest(row, size) for row in range(len(table.rows)))
    fewest, is_exact = holdings.fewest_candidates(size, sum(table.weights), 1, n_steps)
    assert fewest == expected if is_exact else fewest >= expected


@tries(200)
@given(case=tables(), k=st.integers(1, 8))
def test_greedy_sets_and_covers(case: tuple[Table, kernels.Holdings], k: int) -> None:
    table, holdings = case
    n_places = len(table.rows[0])
    for row, size in enumerate(holdings.greedy_sets(every(table), k, 10**9).tolist()):
        breaks = table.fewest(row, n_places) < k
        assert (size > 0) == breaks
        if size:
            assert table.fewest(row, size) < k
    for row, size in enumerate(holdings.greedy_sets(every(table), k, 5).tolist()):
        assert size == 0 or table.fewest(row, size) < k
    held = [tuple(p for p, value in enumerate(row) if value > 0) for row in table.rows]
    assert holdings.cover_counts(every(table)).tolist() == [table.left(row, own) for row, own in enumerate(held)]


def wrong_holdings() -> Iterator[tuple[dict[str, Any], str]]:
    yield {"starts": np.array([], dtype=np.int64)}, "starts has 0"
    yield {"starts": np.array([0, 3])}, "starts must"
    yield {"items": np.array([1, 0], dtype=np.int32), "starts": np.array([0, 2])}, "ascend"
    yield {"items": np.array([0, 5], dtype=np.int32)}, "an item is out of range"
    yield {"items": np.array([0, -1], dtype=np.int32)}, "an item is out of range"
    yield {"slots": np.array([0, 5], dtype=np.int32), "n_slots": 2}, "a slot is out of range"
    yield {"slots": np.array([1, 0], dtype=np.int32), "n_slots": 2}, "slots of items must ascend"
    yield {"slots": np.array([0, 0], dtype=np.int32), "n_slots": 1, "starts": np.array([0, 2])}, "one per slot"
    yield {"row_groups": np.array([0, 0], dtype=np.int32)}, "groups are given"
    yield {"n_groups": 2}, "groups are given"
    both = {"row_groups": np.array([0, 1], dtype=np.int32), "n_groups": 2}
    yield both | {"slot_groups": np.array([0, 0], dtype=np.int32)}, "another group"
    yield both | {"slot_groups": np.array([0, 2], dtype=np.int32)}, "group of a slot"
    yield {"weights": np.array([1])}, "weights has 1"
    yield {"weights": np.array([1, 0])}, "weights must be at least 1"
    yield {"weights": np.array([1, 2**31 - 1])}, "all together below"
    yield {"usable": np.array([1], dtype=np.uint8)}, "usable has 1"
    yield {"n_items": -1}, "n_items"


def test_wrong_input() -> None:
    right: dict[str, Any] = {
        "starts": np.array([0, 1, 2]),
        "items": np.array([0, 1], dtype=np.int32),
        "n_items": 2,
        "absence": True,
    }
    holdings = kernels.Holdings(**right)
    for options, message in wrong_holdings():
        with pytest.raises(ValueError, match=message):
            kernels.Holdings(**right | options)
    for rows in ([2], [-1]):
        with pytest.raises(ValueError, match="a row is out of range"):
            holdings.search_sets(np.array(rows, dtype=np.int32), 2, 3, 100)
    with pytest.raises(ValueError, match="size must"):
        holdings.search_sets(np.array([0], dtype=np.int32), 2, 0, 100)
    with pytest.raises(ValueError, match="size must"):
        holdings.fewest_candidates(0, 2, 1, 100)
    with pytest.raises(ValueError, match="threads"):
        holdings.two_known(2, 1, None, -1)


def test_arrays_live_as_long_as_the_holdings() -> None:
    def made() -> kernels.Holdings:
        return kernels.Holdings(np.arange(1001), np.arange(1000, dtype=np.int32), 1000, False)

    all_made = [made() for _ in range(20)]
    assert all(holdings.one_known(2)[1] == 1 for holdings in all_made)


def test_a_stopped_pulse_ends_it() -> None:
    holdings = kernels.Holdings(np.arange(1001), np.arange(1000, dtype=np.int32), 1000, True)
    rows = np.arange(1000, dtype=np.int32)
    pulse = kernels.Pulse()
    pulse.stop()
    for run in (
        lambda: holdings.two_known(2, 1, pulse),
        lambda: holdings.search_sets(rows, 2, 3, 100, pulse),
        lambda: holdings.greedy_sets(rows, 2, 100, pulse),
        lambda: holdings.fewest_candidates(3, 9, 1, 100, pulse),
        lambda: holdings.cover_counts(rows, pulse),
    ):
        with pytest.raises(kernels.Interrupted):
            run()
