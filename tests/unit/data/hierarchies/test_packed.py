"""Numbers in an array read like a list, and lie on a line as a list would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.packed import PackedNumbers

whole = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20, unique=True).map(sorted)
small = st.lists(st.integers(-1000, 1000), min_size=1, max_size=20, unique=True).map(sorted)
doubles = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20, unique=True).map(sorted)


@given(st.one_of(whole, small, doubles))
def test_packed_numbers_are_the_list(values):
    packed = PackedNumbers(np.array(values))
    assert [len(packed), list(packed), packed[0], packed[-1]] == [len(values), values, values[0], values[-1]]
    assert {type(value) for value in packed} == {type(value) for value in values}
    assert list(packed[1:]) == values[1:]


@given(st.one_of(whole, small, doubles))
def test_packed_numbers_lie_where_the_list_lies(values):
    """Correctly rounded, also for whole numbers that no double holds."""
    dtype = np.int64 if isinstance(values[0], int) else np.float64
    packed = Number().fit(PackedNumbers(np.array(values, dtype=dtype)), "x")
    assert packed.positions.tolist() == Number().fit(values, "x").positions.tolist()


def test_packed_numbers_that_are_too_large_are_refused():
    with pytest.raises(HierarchyError, match="2 distinct values"):
        Number().fit(PackedNumbers(np.array([-np.inf, 1.0, 1e301])), "x")


def test_long_packed_numbers_are_read_to_the_end():
    assert sum(PackedNumbers(np.arange(200_000))) == 200_000 * 199_999 // 2
