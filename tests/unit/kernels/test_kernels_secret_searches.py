"""Searches that are told about secrets: every class meets the demands, and nothing but the seed decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_demands import PlainDemands, random_secret_demands, rows_of_classes
from unit.kernels.kernel_secrets import (
    KINDS,
    Entropy,
    EqualDistance,
    LineDistance,
    Recursive,
    Secret,
    Shares,
    TreeDistance,
)
from unit.kernels.kernel_tables import Table, random_table
from unit.kernels.test_kernels_trials import check_regrouping
from unit.kernels.test_kernels_weave import FOREVER, greedy_start, mixed_table, run

from celosia import kernels
from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)
Labels = NDArray[np.int32]


def random_start(random: Random, table: Table, demands: PlainDemands) -> Labels:
    """Mend the classes of a random cut or of l-greedy."""
    if random.random() < 0.5:
        return greedy_start(table, demands)
    n_classes = random.randint(1, demands.n_rows)
    labels = np.array([random.randrange(n_classes) for _ in range(demands.n_rows)], dtype=np.int32)
    return kernels.mend(table.for_kernels(), demands.for_kernels(), labels, 0)


@pytest.mark.parametrize("kind", KINDS)
@tries(60)
@given(random=RANDOMS, n_rows=st.integers(1, 40), n_columns=st.integers(1, 4), strict=st.booleans())
def test_mondrian_equals_its_twin(kind: str, random: Random, n_rows: int, n_columns: int, strict: bool) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_secret_demands(random, n_rows, [kind])
    labels = kernels.mondrian(table.for_kernels(), demands.for_kernels(), strict)
    assert labels.tolist() == twins.mondrian(table, demands.met_by, strict)
    assert all(demands.met_by(rows) for rows in rows_of_classes(labels))


def test_mondrian_does_not_cut_where_a_side_would_break_a_demand() -> None:
    """All rows together break it too: they stay as they are."""
    table = random_table(Random(1), 50, 2)
    demands = PlainDemands(50, secrets=[Entropy([0] * 49 + [1], 2, Fraction(2))])
    assert kernels.mondrian(table.for_kernels(), demands.for_kernels(), True).tolist() == [0] * 50


@pytest.mark.parametrize("kind", KINDS)
@tries(40)
@given(random=RANDOMS, n_rows=st.integers(1, 50), n_columns=st.integers(1, 3), passes=st.integers(0, 6))
def test_weave_keeps_every_class_sound(kind: str, random: Random, n_rows: int, n_columns: int, passes: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_secret_demands(random, n_rows, [kind])
    start = random_start(random, table, demands)
    labels, _, _ = run(table, demands, start, passes, random.getrandbits(64), random.choice([1, 2]))
    if passes == 0:
        np.testing.assert_array_equal(labels, start)


@tries(150)
@given(random=RANDOMS, n_rows=st.integers(2, 40), n_columns=st.integers(1, 4), way=st.sampled_from(range(4)))
def test_regrouped_classes_meet_the_demands(random: Random, n_rows: int, n_columns: int, way: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_secret_demands(random, n_rows)
    classes = rows_of_classes(random_start(random, table, demands))
    check_regrouping(table, demands, classes, way, random.getrandbits(64))


@pytest.mark.parametrize("kind", KINDS)
def test_regrouping_finds_classes_too(kind: str) -> None:
    random, n_rows, n_found = Random(kind), 60, 0
    for seed in range(40):
        table, demands = random_table(random, n_rows, 2), random_secret_demands(random, n_rows, [kind])
        classes = rows_of_classes(random_start(random, table, demands))
        n_found += check_regrouping(table, demands, classes, seed % 4, seed)
    assert n_found > 15


N_ROWS = 2400


def skewed_codes() -> list[int]:
    return Random(8).choices(range(4), weights=[5, 3, 2, 2], k=N_ROWS)


def shares_of_all() -> list[Fraction]:
    return Secret(skewed_codes(), 4).shares(range(N_ROWS))


LARGE: dict[str, Callable[[], Secret]] = {
    "shares": lambda: Shares(skewed_codes(), 4, [Fraction(0)] * 4, [2 * share for share in shares_of_all()], False),
    "present shares": lambda: Shares(
        skewed_codes(), 4, [share / 2 for share in shares_of_all()], [2 * share for share in shares_of_all()], True
    ),
    "entropy": lambda: Entropy(skewed_codes(), 4, Fraction("2.5")),
    "recursive": lambda: Recursive(skewed_codes(), 4, Fraction(3), 3),
    "equal": lambda: EqualDistance(skewed_codes(), 4, shares_of_all(), Fraction("0.25")),
    "line": lambda: LineDistance(skewed_codes(), 4, shares_of_all(), Fraction("0.2"), [Fraction(1, 3)] * 3),
    "tree": lambda: TreeDistance(
        skewed_codes(),
        4,
        shares_of_all(),
        Fraction("0.2"),
        [4, 4, 5, 5, 6, 6, -1],
        [Fraction(0)] * 4 + [Fraction(1, 2)] * 2 + [Fraction(1)],
    ),
}


@pytest.fixture
def best_instruction_set_afterwards() -> Iterator[None]:
    yield
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


@pytest.mark.usefixtures("best_instruction_set_afterwards")
@pytest.mark.parametrize("kind", LARGE)
def test_threads_and_instruction_sets_change_nothing(kind: str) -> None:
    """Classes enough for several pieces, and rows enough for several threads."""
    table = mixed_table(Random(7), N_ROWS)
    demands = PlainDemands(N_ROWS, [4], secrets=[LARGE[kind]()])
    start = greedy_start(table, demands)
    assert start.max() >= 200
    columns, told = table.for_kernels(), demands.for_kernels()
    results = []
    for instruction_set in _kernels.instruction_sets():
        _kernels.use_instruction_set(instruction_set)
        np.testing.assert_array_equal(greedy_start(table, demands), start)
        for threads in (1, 2, 5):
            woven = kernels.weave(columns, told, start, 1, FOREVER, 5, threads=threads)
            cut = kernels.mondrian(columns, told, False, threads=threads)
            results.append((woven[0].tolist(), woven[2], cut.tolist()))
    assert all(result == results[0] for result in results[1:])
    assert all(demands.met_by(rows) for labels in results[0][::2] for rows in rows_of_classes(labels))
    assert results[0][1][-1] < results[0][1][0]
