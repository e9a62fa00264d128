"""MDAV against its definition, row by row."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels


def distances(cells, weights, rows, point):
    """Squared distances of rows from a point: numbers column by column, then codes."""
    total = np.zeros(len(rows))
    for column, weight in enumerate(weights):
        difference = cells[rows, column] - point[column]
        total += difference * difference * weight
    for column in range(len(weights), cells.shape[1]):
        total += np.where(cells[rows, column] == point[column], 0.0, 1.0)
    return total


def centre(cells, n_numbers, rows):
    """The mean of each number (its sum rounded once), the most frequent of codes, of several the lowest."""
    means = [math.fsum(cells[rows, column]) / len(rows) for column in range(n_numbers)]
    modes = []
    for column in range(n_numbers, cells.shape[1]):
        held = cells[rows, column].tolist()
        modes.append(min(set(held), key=lambda code: (-held.count(code), code)))
    return [*means, *modes]


def furthest(cells, weights, rows, point):
    far = distances(cells, weights, rows, point)
    return rows[int(np.flatnonzero(far == far.max())[0])]


def plain_mdav(cells, weights, ends, k):
    """The generic form of Domingo-Ferrer and Mateo-Sanz; rows stay in ascending order, so that ties go to the first."""
    groups = []
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        left = np.arange(begin, end)

        def take(row):
            nonlocal left
            others = left[left != row]
            near = distances(cells, weights, others, cells[row])
            groups.append([*others[np.argsort(near, kind="stable")[: k - 1]], row])
            left = np.setdiff1d(left, groups[-1])

        while len(left) >= 3 * k:
            r = furthest(cells, weights, left, centre(cells, len(weights), left))
            take(r)
            take(furthest(cells, weights, left, cells[r]))
        if len(left) >= 2 * k:
            take(furthest(cells, weights, left, centre(cells, len(weights), left)))
        groups.append(left)
    labels = np.full(len(cells), -1)
    for label, rows in enumerate(groups):
        labels[rows] = label
    return labels


def mdav(cells, weights, ends, k):
    """The kernel on a copy, since it leaves cells in disorder."""
    return kernels.mdav(cells.copy(), weights, ends, k).tolist()


def random_task(draws, n_rows, n_numbers, n_codes, spread, is_sorted):
    numbers = draws.integers(-spread, spread + 1, (n_rows, n_numbers)) * 2.0 ** int(draws.integers(-20, 20))
    if n_numbers and draws.random() < 0.2:
        numbers[:, 0] = 7.0
    codes = draws.integers(0, 4, (n_rows, n_codes))
    cells = np.concatenate([numbers, codes.astype(np.float64)], axis=1)
    if is_sorted:
        cells = cells[np.lexsort(cells.T[::-1])]
    variance = cells[:, :n_numbers].var(axis=0)
    weights = np.divide(1.0, variance, out=np.zeros(n_numbers), where=variance > 0)
    return np.ascontiguousarray(cells), weights


tasks = {
    "n_numbers": st.integers(0, 4),
    "n_codes": st.integers(0, 2),
    "k": st.integers(2, 7),
    "spread": st.sampled_from([0, 1, 3, 40, 2**30]),
    "is_sorted": st.booleans(),
    "seed": st.integers(0, 2**32),
}


@tries(300)
@given(n_rows=st.integers(2, 90), n_blocks=st.integers(1, 3), **tasks)
def test_groups_are_those_of_the_definition(n_rows, n_blocks, n_numbers, n_codes, k, spread, is_sorted, seed):
    draws = np.random.default_rng(seed)
    n_codes = max(n_codes, 1 - n_numbers)
    n_rows = max(n_rows, n_blocks * k)
    cells, weights = random_task(draws, n_rows, n_numbers, n_codes, spread, is_sorted)
    spare = np.sort(draws.integers(0, n_rows - n_blocks * k + 1, n_blocks - 1))
    ends = np.append(spare + k * np.arange(1, n_blocks), n_rows).astype(np.int32)
    labels = mdav(cells, weights, ends, k)
    assert labels == plain_mdav(cells, weights, ends.tolist(), k).tolist()
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k


@tries(10)
@given(seed=st.integers(0, 2**32), k=st.integers(2, 7), n_codes=st.integers(0, 2))
def test_larger_tables_with_deeper_trees_too(seed, k, n_codes):
    draws = np.random.default_rng(seed)
    # Rounded to a grid, since fsum has no limit of digits and the kernel has.
    numbers = np.round(draws.standard_normal((700, 3)) * 2**30) / 2**30
    cells = np.concatenate([numbers, draws.integers(0, 9, (700, n_codes)).astype(np.float64)], axis=1)
    weights = 1 / numbers.var(axis=0)
    ends = np.array([700], dtype=np.int32)
    assert mdav(cells, weights, ends, k) == plain_mdav(cells, weights, [700], k).tolist()


def test_no_drift_over_many_groups():
    """The mean of what is left is exact after all removals, where sums kept as doubles would have lost digits."""
    draws = np.random.default_rng(1)
    cells = np.round(np.minimum(draws.lognormal(0, 7, (3000, 1)), 2.0**30) * 2**22) / 2**22
    ends = np.array([3000], dtype=np.int32)
    weights = np.array([1 / cells.var()])
    assert mdav(cells, weights, ends, 2) == plain_mdav(cells, weights, [3000], 2).tolist()


def test_all_rows_equal():
    cells, ends = np.full((17, 2), 3.0), np.array([17], dtype=np.int32)
    assert mdav(cells, np.zeros(1), ends, 3) == [i // 3 for i in range(15)] + [4, 4]


def test_no_rows_are_no_groups():
    assert kernels.mdav(np.empty((0, 1)), np.ones(1), np.empty(0, dtype=np.int32), 2).tolist() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 1}, "k is below 2"),
        ({"k": 7}, "fewer than k rows"),
        ({"k": 2**40}, "fewer than k rows"),
        ({"ends": np.array([2, 3, 6], dtype=np.int32)}, "fewer than k rows"),
        ({"ends": np.array([4, 2], dtype=np.int32)}, "fewer than k rows"),
        ({"ends": np.array([4], dtype=np.int32)}, "must end the rows"),
        ({"ends": np.array([8], dtype=np.int32)}, "must end the rows"),
        ({"weights": np.ones(3)}, "no more weights than columns"),
        ({"weights": np.array([-1.0])}, "negative"),
        ({"weights": np.array([math.nan])}, "negative"),
        ({"cells": np.full((6, 2), math.nan)}, "no number"),
        ({"cells": np.full((6, 2), math.inf)}, "no number"),
        ({"cells": np.empty((6, 0)), "weights": np.empty(0)}, "must be a column"),
    ],
)
def test_wrong_input_is_refused(change, message):
    task = {"cells": np.ones((6, 2)), "weights": np.ones(1), "ends": np.array([6], dtype=np.int32), "k": 2, **change}
    with pytest.raises(ValueError, match=message):
        kernels.mdav(**task)


def test_wrong_types_are_refused():
    ends = np.array([6], dtype=np.int32)
    read_only = np.ones((6, 2))
    read_only.flags.writeable = False
    for cells in (np.ones((6, 2), dtype=np.float32), np.ones((6, 4))[:, ::2], np.ones(6), read_only):
        with pytest.raises(TypeError):
            kernels.mdav(cells, np.ones(1), ends, 2)


def test_the_pulse_counts_rows_and_stops():
    cells, ends = np.random.default_rng(1).random((2000, 2)), np.array([1000, 2000], dtype=np.int32)
    pulse = kernels.Pulse()
    kernels.mdav(cells, np.ones(2), ends, 3, pulse)
    assert (pulse.done, pulse.total) == (2000, 2000)
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.mdav(cells, np.ones(2), ends, 3, pulse)


def test_a_running_search_is_stopped_from_another_thread():
    cells, pulse = np.random.default_rng(1).random((300_000, 8)), kernels.Pulse()
    timer = threading.Timer(0.3, pulse.stop)
    timer.start()
    with pytest.raises(kernels.Interrupted):
        kernels.mdav(cells, np.ones(8), np.array([300_000], dtype=np.int32), 2, pulse)
    timer.join()
    assert pulse.done < pulse.total
