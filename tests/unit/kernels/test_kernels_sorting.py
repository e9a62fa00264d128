"""The order of rows by their codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels


@tries(200)
@given(n_rows=st.integers(0, 60), n_columns=st.integers(1, 9), few=st.booleans(), seed=st.integers(0, 2**32))
def test_sorted_rows_sorts_tuples_and_breaks_ties_by_the_keys(n_rows, n_columns, few, seed):
    draws = np.random.default_rng(seed)
    highest = 3 if few else 10 ** int(draws.integers(1, 10))
    columns = [draws.integers(-3, min(highest, 2**31 - 1), n_rows).astype(np.int32) for _ in range(n_columns)]
    columns.append(np.zeros(n_rows, dtype=np.int32))
    ties = draws.permutation(n_rows).astype(np.uint64) << np.uint64(50)
    rows = [tuple(int(column[row]) for column in columns) for row in range(n_rows)]
    by_ties = sorted(range(n_rows), key=lambda row: (rows[row], int(ties[row])))
    assert kernels.sorted_rows(columns, n_rows, ties).tolist() == by_ties
    assert kernels.sorted_rows(columns, n_rows, None).tolist() == sorted(range(n_rows), key=rows.__getitem__)


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="a column has 2 entries"):
        kernels.sorted_rows([np.zeros(2, dtype=np.int32)], 3, None)
    with pytest.raises(ValueError, match="ties has 2 entries"):
        kernels.sorted_rows([np.zeros(3, dtype=np.int32)], 3, np.zeros(2, dtype=np.uint64))
    with pytest.raises(TypeError):
        kernels.sorted_rows([np.zeros(3, dtype=np.int64)], 3, None)
