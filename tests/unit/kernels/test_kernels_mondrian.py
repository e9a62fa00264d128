"""Mondrian against its slow twin."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_demands import k_rows, people_demands
from unit.kernels.kernel_tables import Line, Table, random_subjects, random_table

from celosia import kernels
from celosia.kernels import _kernels


@tries(400)
@given(
    random=st.randoms(use_true_random=False),
    n_rows=st.integers(1, 40),
    n_columns=st.integers(1, 4),
    strict=st.booleans(),
)
def test_mondrian_equals_its_twin(random: Random, n_rows: int, n_columns: int, strict: bool) -> None:
    table, subjects = random_table(random, n_rows, n_columns), random_subjects(random, n_rows)
    k = random.randint(1, min(6, twins.people(range(n_rows), subjects)))
    demands = people_demands(n_rows, k, subjects)
    labels = kernels.mondrian(table.for_kernels(), demands.for_kernels(), strict)
    assert labels.tolist() == twins.mondrian(table, demands.met_by, strict)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("strict", [True, False])
def test_many_rows_equal_the_twin(seed: int, strict: bool) -> None:
    random = Random(seed)
    table, subjects = random_table(random, 3000, 4), random_subjects(random, 3000)
    demands = people_demands(3000, 3, subjects)
    labels = kernels.mondrian(table.for_kernels(), demands.for_kernels(), strict)
    assert labels.tolist() == twins.mondrian(table, demands.met_by, strict)


@pytest.mark.parametrize("strict", [True, False])
def test_labels_do_not_depend_on_threads_or_instruction_sets(strict: bool) -> None:
    table = random_table(Random(3), 60_000, 4)
    table.columns.append(Line([(row * 7919) % 60_000 for row in range(60_000)], 60_000))
    columns, demands = table.for_kernels(), k_rows(60_000, 5)
    results = []
    for name in _kernels.instruction_sets():
        _kernels.use_instruction_set(name)
        results += [kernels.mondrian(columns, demands, strict, threads=threads) for threads in (1, 2, 5)]
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
    sizes = np.bincount(results[0])
    assert sizes.min() >= 5
    assert len(sizes) > 1000


def test_labels_are_numbered_from_the_lowest_values_on() -> None:
    table = Table([Line([30, 10, 0, 20, 31, 11, 1, 21], 31)], 8)
    assert kernels.mondrian(table.for_kernels(), k_rows(8, 2), True).tolist() == [3, 1, 0, 2, 3, 1, 0, 2]


def test_strict_keeps_equal_values_together_and_relaxed_halves_them() -> None:
    table = Table([Line([0, 5, 5, 5, 5, 9], 9)], 6)
    assert kernels.mondrian(table.for_kernels(), k_rows(6, 2), True).tolist() == [0] * 6
    assert kernels.mondrian(table.for_kernels(), k_rows(6, 2), False).tolist() == [0, 0, 0, 1, 1, 1]


def test_skewed_values_make_a_deep_tree_without_overflow() -> None:
    """Each cut takes off two rows only: the recursion is as deep as there are classes."""
    values: list[int | None] = [min(row // 2, 30) for row in range(4000)]
    labels = kernels.mondrian(Table([Line(values, 30)], 4000).for_kernels(), k_rows(4000, 2), True)
    sizes = np.bincount(labels)
    assert sizes.min() >= 2
    assert sizes.max() == 4000 - 60
