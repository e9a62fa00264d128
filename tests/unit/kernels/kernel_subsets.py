"""Small tables of codes for the kernels that look at sets of columns, and what they must find, written out plainly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Columns = list[NDArray[np.int32]]

# -1 is missing; other negative codes are values like any other, and codes need not lie close together.
CODES = st.sampled_from([-1, -1, 0, 0, 0, 1, 1, 2, 3, -2, 2**31 - 1, -(2**31)])
FEW_CODES = st.sampled_from([-1, 0, 1])


@st.composite
def code_tables(draw: st.DrawFn, min_columns: int = 1, max_rows: int = 14) -> Columns:
    n_rows = draw(st.integers(0, max_rows))
    n_columns = draw(st.integers(min_columns, 6))
    codes = draw(st.sampled_from([CODES, FEW_CODES, st.integers(0, 2)]))
    rows = draw(st.lists(st.tuples(*[codes] * n_columns), min_size=n_rows, max_size=n_rows))
    return [np.array([row[c] for row in rows], dtype=np.int32) for c in range(n_columns)]


def rows_of(columns: Columns, chosen: Sequence[int] | None = None) -> list[tuple[int, ...]]:
    kept = range(len(columns)) if chosen is None else chosen
    return [tuple(int(columns[c][row]) for c in kept) for row in range(len(columns[0]))]


def sets_of(n_columns: int, max_size: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(1, max_size + 1) for chosen in combinations(range(n_columns), size)]


def plain_minimal_keys(columns: Columns, n_needed: int, max_size: int) -> list[list[int]]:
    enough = [one for one in sets_of(len(columns), max_size) if len(set(rows_of(columns, one))) >= n_needed]
    return [list(one) for one in enough if not any(set(other) < set(one) for other in enough)]


def plain_match_counts(columns: Columns, subjects: Sequence[int]) -> list[int]:
    rows = rows_of(columns)

    def match(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return all(x == y or x == -1 or y == -1 for x, y in zip(one, other, strict=True))

    return [len({who for other, who in zip(rows, subjects, strict=True) if match(one, other)}) for one in rows]


def plain_minimal_uniques(columns: Columns, max_size: int, subjects: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Of each row its minimal sample uniques, by the definition."""
    found = []
    for row, who in enumerate(subjects):
        unique = []
        for one in sets_of(len(columns), max_size):
            own = tuple(int(columns[c][row]) for c in one)
            others = [values for values, other in zip(rows_of(columns, one), subjects, strict=True) if other != who]
            if -1 not in own and own not in others:
                unique.append(one)
        found.append([one for one in unique if not any(set(other) < set(one) for other in unique)])
    return found
