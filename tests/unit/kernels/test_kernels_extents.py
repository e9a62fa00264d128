"""Lowest and highest code of each class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia import kernels


@given(rows=st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 9)), max_size=40))
def test_extents_equal_the_definition(rows: list[tuple[int, int]]) -> None:
    labels = np.array([label for label, _ in rows], dtype=np.int32)
    codes = np.array([code for _, code in rows], dtype=np.int32)
    lowest, highest, n_missing = kernels.class_extents(labels, codes, 5)
    for label in range(5):
        own = [code for other, code in rows if other == label]
        known = [code for code in own if code >= 0]
        assert lowest[label] == min(known, default=-1)
        assert highest[label] == max(known, default=-1)
        assert n_missing[label] == len(own) - len(known)


@pytest.mark.parametrize("label", [-2, 3])
def test_labels_outside_are_refused(label: int) -> None:
    with pytest.raises(ValueError, match="row 1"):
        kernels.class_extents(np.array([0, label], dtype=np.int32), np.zeros(2, dtype=np.int32), 3)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="codes has 1"):
        kernels.class_extents(np.zeros(2, dtype=np.int32), np.zeros(1, dtype=np.int32), 3)
