"""The sieve of Weave against its plain twin: the same classes, row by row."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_demands import Distinct, PlainDemands, random_demands
from unit.kernels.kernel_sieve import sift
from unit.kernels.kernel_tables import Bag, Line, Table, Tree, random_table

from celosia.kernels import _kernels

RANDOMS = st.randoms(use_true_random=False)
NODES = [list(range(9)), [9] * 3 + [10] * 3 + [11] * 3, [12] * 9]
NODE_LOSS = [0] * 9 + [1000, 900, 500] + [1 << 20]
FULL = 1 << 20


def kernel_sift(table: Table, demands: PlainDemands, losses: list[int], limit: int, seed: int) -> list[int]:
    before = np.array(losses, dtype=np.int32)
    return _kernels.sift(table.for_kernels(), demands.for_kernels(), before, limit, seed).tolist()


@tries(200)
@given(random=RANDOMS, n_rows=st.integers(1, 40), n_columns=st.integers(1, 4))
def test_any_table_any_demands(random: Random, n_rows: int, n_columns: int) -> None:
    table, demands = random_table(random, n_rows, n_columns), random_demands(random, n_rows)
    losses = [random.randrange(2**30 // 4) for _ in range(n_rows)]
    limit = random.choice([2**62, n_rows * table.loss(range(n_rows)) // 2 + 1])
    seed = random.getrandbits(64)
    assert kernel_sift(table, demands, losses, limit, seed) == sift(table, demands, losses, limit, seed)


def three_trees(random: Random, n_rows: int) -> Table:
    codes = [[min(int(random.expovariate(0.6)), 8) for _ in range(n_rows)] for _ in range(3)]
    return Table([Tree(own, FULL, NODES, NODE_LOSS) for own in codes], n_rows)


@pytest.mark.parametrize("k", [2, 5, 20])
def test_many_rows_and_words(k: int) -> None:
    """More rows than a word has bits, and surplus rows that help other patterns."""
    random = Random(k)
    table, demands = three_trees(random, 200), PlainDemands(200, [k])
    whole = table.loss(range(200))
    n_unlike = set()
    for seed in range(4):
        labels = kernel_sift(table, demands, [whole] * 200, 2**62, seed)
        assert labels == sift(table, demands, [whole] * 200, 2**62, seed)
        assert min(np.bincount(labels)) >= k
        n_unlike.add(tuple(labels))
    assert len(n_unlike) > 1


def test_surplus_rows_help_where_that_saves_more() -> None:
    """Nine rows of one leaf and one of its sibling: k = 5 takes four of the nine to the parent, not all of them."""
    values = [0] * 9 + [1]
    table = Table([Tree(values, FULL, NODES, NODE_LOSS)], 10)
    labels = kernel_sift(table, PlainDemands(10, [5]), [FULL] * 10, 2**62, 1)
    # The rest must be a class too, or nothing: one row alone cannot be left over.
    assert len(set(labels)) == 1
    values = [0] * 9 + [1] + [8] * 5
    table = Table([Tree(values, FULL, NODES, NODE_LOSS)], 15)
    labels = kernel_sift(table, PlainDemands(15, [5]), [FULL] * 15, 2**62, 1)
    assert sorted(np.bincount(labels)) == [5, 5, 5]
    assert labels[9] in labels[:9]


def test_mixed_kinds_with_other_demands() -> None:
    random = Random(3)
    n_rows = 90
    table = Table(
        [
            Line([random.randrange(50) for _ in range(n_rows)], 49),
            Bag([random.randrange(6) for _ in range(n_rows)], 49, 6, 8),
            Tree([random.randrange(9) for _ in range(n_rows)], FULL, NODES, NODE_LOSS),
        ],
        n_rows,
    )
    demands = PlainDemands(n_rows, [4], [Distinct([random.randrange(4) for _ in range(n_rows)], 2)])
    for seed in range(5):
        labels = kernel_sift(table, demands, [FULL] * n_rows, 2**62, seed)
        assert labels == sift(table, demands, [FULL] * n_rows, 2**62, seed)
        assert all(demands.met_by([row for row in range(n_rows) if labels[row] == x]) for x in set(labels))
