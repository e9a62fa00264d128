"""The kernels of an exact search against all sets and all choices, one by one."""

from __future__ import annotations

from itertools import chain, combinations, pairwise
from random import Random

import numpy as np
import pytest
from unit.kernels.kernel_tables import random_table

from celosia import kernels

FOREVER = (10**9, 10**12, float("inf"))


def least(n_rows, k):
    demands = kernels.Demands(n_rows)
    demands.add_rows(k)
    return demands


def listed(found):
    rows, starts, losses, is_complete, _ = found
    sets = [tuple(rows[start:end].tolist()) for start, end in pairwise(starts)]
    return dict(zip(sets, losses.tolist(), strict=True)), is_complete


@pytest.mark.parametrize("seed", range(30))
def test_all_sets_up_to_a_bar_are_listed(seed):
    dice = Random(seed)
    n, k = dice.randint(3, 10), dice.randint(2, 3)
    table = random_table(dice, n, dice.randint(1, 3))
    most = dice.choice([2 * k - 1, n])
    prices = [dice.randint(0, 2 * table.loss(list(range(n))) // n + 1) for _ in range(n)]
    reduced = {
        rows: size * table.loss(rows) - sum(prices[row] for row in rows)
        for size in range(k, min(most, n) + 1)
        for rows in combinations(range(n), size)
    }
    bar = dice.choice([0, *sorted(reduced.values())]) if reduced else 0
    given = (table.for_kernels(), least(n, k), most, np.arange(n, dtype=np.int32), np.array(prices, dtype=np.int64))
    found, is_complete = listed(kernels.class_sets(*given, bar, 0, *FOREVER))
    assert is_complete
    assert set(found) == {rows for rows, cost in reduced.items() if cost <= bar}
    assert all(loss == table.loss(rows) for rows, loss in found.items())
    best, _ = listed(kernels.class_sets(*given, bar, 2, *FOREVER))
    for first in range(n):
        wanted = sorted(cost for rows, cost in reduced.items() if rows[0] == first and cost <= bar)[:2]
        got = sorted(reduced[rows] for rows in best if rows[0] == first)
        assert len(got) <= 2
        assert got[:1] == wanted[:1]


def test_of_interchangeable_rows_the_first_are_taken():
    columns = kernels.Columns(5)
    columns.add_line(np.array([0, 0, 0, 7, 7], dtype=np.int32), 7)
    kinds, prices = np.array([0, 0, 0, 1, 1], dtype=np.int32), np.zeros(5, dtype=np.int64)
    found, _ = listed(kernels.class_sets(columns, least(5, 2), 3, kinds, prices, 100, 0, *FOREVER))
    assert set(found) == {(0, 1), (0, 1, 2), (0, 3), (0, 1, 3), (0, 3, 4), (3, 4)}


def test_a_listing_that_is_too_long_says_so():
    columns = kernels.Columns(12)
    columns.add_line(np.arange(12, dtype=np.int32), 20)
    given = (columns, least(12, 2), 3, np.arange(12, dtype=np.int32), np.zeros(12, dtype=np.int64), 10**6, 0)
    for limits in ((5, 10**9, float("inf")), (10**6, 20, float("inf"))):
        assert not kernels.class_sets(*given, *limits)[3]


def test_a_listing_can_be_stopped():
    columns = kernels.Columns(60)
    columns.add_line(np.arange(60, dtype=np.int32), 60)
    pulse = kernels.Pulse()
    pulse.stop()
    given = (columns, least(60, 5), 9, np.arange(60, dtype=np.int32), np.zeros(60, dtype=np.int64), 10**9, 1)
    with pytest.raises(kernels.Interrupted):
        kernels.class_sets(*given, *FOREVER, pulse)


@pytest.mark.parametrize("seed", range(20))
def test_losses_of_classes(seed):
    dice = Random(seed)
    n = dice.randint(4, 12)
    table = random_table(dice, n, dice.randint(1, 3))
    labels = np.array([dice.randint(-1, 3) for _ in range(n)], dtype=np.int32)
    found = kernels.class_losses(table.for_kernels(), labels, 4)
    assert found.tolist() == [table.loss(np.flatnonzero(labels == label).tolist()) for label in range(4)]


def cheapest(sets, costs, n_of_kind, first_spare, n_spare, unused):
    """The least cost of all choices, by going through them."""

    def best(left, lost):
        first = next((kind for kind, n in enumerate(left) if n), None)
        if first is None:
            return unused * (n_spare - lost)
        found = []
        for place, kinds in enumerate(sets):
            if first not in kinds or (place >= first_spare and lost == n_spare):
                continue
            rest = [n - kinds.count(kind) for kind, n in enumerate(left)]
            if min(rest) >= 0 and (more := best(rest, lost + (place >= first_spare))) is not None:
                found.append(costs[place] + more)
        return min(found, default=None)

    return best(list(n_of_kind), 0)


@pytest.mark.parametrize("seed", range(150))
def test_the_cheapest_choice(seed):
    dice = Random(seed)
    n_kinds = dice.randint(1, 4)
    n_of_kind = [dice.randint(1, 3) for _ in range(n_kinds)]
    sets = [sorted(dice.choices(range(n_kinds), k=dice.randint(2, 3))) for _ in range(dice.randint(1, 8))]
    first_spare = len(sets)
    n_spare, unused = dice.choice([(0, 0), (2, 3)])
    if n_spare:
        sets += [[kind] for kind in range(n_kinds)]
    costs = [dice.randint(0, 20) for _ in sets]
    wanted = cheapest(sets, costs, n_of_kind, first_spare, n_spare, unused)
    chosen, is_complete, _ = kernels.exact_cover(
        np.array(list(chain(*sets)), dtype=np.int32),
        np.cumsum([0, *map(len, sets)]),
        np.array(costs),
        first_spare,
        n_spare,
        unused,
        np.array(n_of_kind, dtype=np.int32),
        10**6,
        10**9,
        float("inf"),
    )
    assert is_complete
    if wanted is None:
        assert not len(chosen)
        return
    taken = np.bincount(list(chain(*(sets[place] for place in chosen))), minlength=n_kinds)
    assert taken.tolist() == n_of_kind
    n_lost = int((chosen >= first_spare).sum())
    assert n_lost <= n_spare
    assert sum(costs[place] for place in chosen) + unused * (n_spare - n_lost) == wanted


def test_nothing_is_chosen_at_or_above_the_bar():
    one = (np.array([0, 0], dtype=np.int32), np.array([0, 2]), np.array([5]), 1, 0, 0, np.array([2], dtype=np.int32))
    assert kernels.exact_cover(*one, 6, 99, float("inf"))[0].tolist() == [0]
    assert kernels.exact_cover(*one, 5, 99, float("inf"))[0].tolist() == []


def test_wrong_arrays_are_refused():
    kinds, starts, costs = np.array([0], dtype=np.int32), np.array([0, 1]), np.array([5])
    n_of_kind = np.array([1], dtype=np.int32)
    with pytest.raises(ValueError, match="outside"):
        kernels.exact_cover(kinds + 1, starts, costs, 1, 0, 0, n_of_kind, 9, 9, 1.0)
    with pytest.raises(ValueError, match="below 0"):
        kernels.exact_cover(kinds, starts, -costs, 1, 0, 0, n_of_kind, 9, 9, 1.0)
    with pytest.raises(ValueError, match="must have"):
        kernels.exact_cover(kinds, starts, np.array([5, 5]), 1, 0, 0, n_of_kind, 9, 9, 1.0)
    columns = kernels.Columns(2)
    columns.add_line(np.array([0, 1], dtype=np.int32), 1)
    with pytest.raises(ValueError, match="label"):
        kernels.class_losses(columns, np.array([0, 1], dtype=np.int32), 1)
