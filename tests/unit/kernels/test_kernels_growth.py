"""k-members against its slow twin."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels import kernel_twins as twins
from unit.kernels.kernel_tables import Bag, Line, Table, Tree, random_subjects, random_table

from celosia import kernels
from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)


@pytest.fixture(params=_kernels.instruction_sets(), scope="module")
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


def random_k(random: Random, n_rows: int, subjects: twins.Subjects) -> int:
    return random.randint(1, min(6, twins.people(range(n_rows), subjects)))


@tries(250)
@given(random=RANDOMS, n_rows=st.integers(1, 22), n_columns=st.integers(1, 4))
def test_k_members_equals_its_twin(instruction_set: str, random: Random, n_rows: int, n_columns: int) -> None:
    table, subjects = random_table(random, n_rows, n_columns), random_subjects(random, n_rows)
    k, first = random_k(random, n_rows, subjects), random.randint(0, n_rows - 1)
    weights = [random.choice([0.0, 0.5, 1.0, 3.0]) for _ in range(n_columns)]
    labels = kernels.k_members(table.for_kernels(), k, first, subjects, np.array(weights))
    assert labels.tolist() == twins.k_members(table, k, first, subjects, weights)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("with_subjects", [False, True])
def test_many_blocks_of_rows_equal_the_twin(seed: int, with_subjects: bool) -> None:
    """More rows than two blocks hold, so that rows leave blocks, blocks are filled anew and rows are left over."""
    random = Random(seed)
    n_rows, k = 2500, 40
    table = random_table(random, n_rows, 3)
    subjects = np.array([random.randint(0, 700) for _ in range(n_rows)], dtype=np.int32) if with_subjects else None
    weights = [1.0, 2.0, 0.5]
    expected = twins.k_members(table, k, 17, subjects, weights)
    for name in _kernels.instruction_sets():
        _kernels.use_instruction_set(name)
        assert kernels.k_members(table.for_kernels(), k, 17, subjects, np.array(weights)).tolist() == expected


def wide_table(seed: int, n_rows: int) -> Table:
    random = np.random.default_rng(seed)
    line = random.integers(0, 2**20, n_rows).tolist()
    small = random.integers(0, 7, n_rows).tolist()
    large = random.integers(0, 70_000, n_rows).tolist()
    tree = random.integers(0, 4, n_rows).tolist()
    return Table(
        [
            Line(line, 2**20),
            Bag(small, 2**20, 7, 2**20 // 6),
            Bag(large, 2**20, 70_000, 14),
            Bag([code % 300 for code in large], 2**20, 300, 2**20 // 299),
            Tree(tree, 2**20, [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 6, 6]], [0, 0, 0, 0, 300_000, 300_000, 2**20]),
        ],
        n_rows,
    )


@pytest.mark.parametrize("with_subjects", [False, True])
def test_labels_do_not_depend_on_threads_or_instruction_sets(with_subjects: bool) -> None:
    n_rows, k = 20_000, 900
    columns = wide_table(5, n_rows).for_kernels()
    weights = np.ones(len(columns))
    subjects = np.random.default_rng(6).integers(0, 4_000, n_rows).astype(np.int32) if with_subjects else None
    results = []
    for name in _kernels.instruction_sets():
        _kernels.use_instruction_set(name)
        for threads in (1, 2, 3):
            results.append(kernels.k_members(columns, k, 3, subjects, weights, threads=threads))
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
    assert np.bincount(results[0]).min() >= k
    if subjects is not None:
        pairs = np.unique(np.stack([results[0], subjects]), axis=1)
        assert np.bincount(pairs[0]).min() >= k


@pytest.mark.parametrize("k", [2, 3, 7, 10])
def test_classes_have_k_rows_before_left_overs_are_placed(k: int) -> None:
    n_rows = 103
    columns, demands = wide_table(1, n_rows).for_kernels(), kernels.Demands(n_rows)
    demands.add_rows(k)
    for labels in (
        kernels.k_members(columns, k, 0, None, np.ones(5)),
        kernels.l_greedy(columns, demands, np.arange(n_rows, dtype=np.int32)),
    ):
        sizes = np.bincount(labels)
        assert len(sizes) == n_rows // k
        assert sizes.sum() == n_rows
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1


def test_all_rows_in_one_class_when_k_is_all_rows() -> None:
    labels = kernels.k_members(wide_table(2, 9).for_kernels(), 9, 4, None, np.ones(5))
    assert labels.tolist() == [0] * 9


@pytest.mark.parametrize(
    ("near", "far"),
    [([0.1] * 10, [1.00000001]), ([1e-200, 1.0], [2e-200]), ([3e300], [1e300, 1e300, 1.0000001e300])],
    ids=["rounded up", "underflow", "great"],
)
def test_estimates_in_single_precision_do_not_mislead_the_search_for_the_furthest_row(
    instruction_set: str, near: list[float], far: list[float]
) -> None:
    """Row 5 differs from row 0 in the first columns, row 2100, blocks away, in the others, which weigh more."""
    n_rows = 2200
    columns = kernels.Columns(n_rows)
    for column in range(len(near) + len(far)):
        codes = np.zeros(n_rows, dtype=np.int32)
        # The weight of 1.0 belongs to a column where nobody differs: it only makes the others look like nothing.
        if (near + far)[column] != 1.0:
            codes[5 if column < len(near) else 2100] = 1
        columns.add_bag(codes, 2, 10, 10)
    labels = kernels.k_members(columns, 2, 0, None, np.array(near + far))
    assert labels[2100] == 0
    assert labels[5] != 0
