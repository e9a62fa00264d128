"""Rare pairs: values that many share one by one, and few together (A17)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.amounts import known_texts
from celosia.measure.traps.base import Published, held_by_few, is_secret, looked_at

_MOST_COMBINATIONS = 1 << 20
"""Of the values of two columns; columns of more values are rare by themselves."""
_MOST_PAIRS = 200
_MOST_CELLS = 50_000_000
_COST_OF_PEOPLE = 5
"""Each pair of columns costs a pass over the rows, and five where people are counted; the pairs with the fewest
combinations come first."""


def rare_pairs(published: Published) -> list[Finding]:
    """Find pairs of columns whose values are common apart and held by fewer than ``k`` people together.

    Secrets, which others do not know, are left out; so are pairs of quasi-identifiers, whose classes say more. It is a
    note: a column that is no quasi-identifier is published because nobody is thought to look for people by it.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"sex": [*"MMMFFFF"], "shift": [*"dddnnnd"]})
    >>> [(one.code, one.n_rows) for one in rare_pairs(Published(table, k=2))]
    [('RARE_PAIRS', 1)]
    """
    usual = {column: _usual(published, column) for column in looked_at(published) if not is_secret(published, column)}
    sizes = {column: int(codes.max(initial=0)) + 1 for column, codes in usual.items()}
    public = set(published.quasi_identifiers)
    pairs = [pair for pair in combinations(usual, 2) if not public.issuperset(pair)]
    pairs = [pair for pair in pairs if sizes[pair[0]] * sizes[pair[1]] <= _MOST_COMBINATIONS]
    pairs.sort(key=lambda pair: sizes[pair[0]] * sizes[pair[1]])
    found: list[tuple[str, str]] = []
    concerned = np.zeros(published.n_rows, dtype=np.bool_)
    for one, other in pairs[: _n_pairs(published)]:
        together = usual[one] * np.int64(sizes[other]) + usual[other]
        rare = _rare(published, together, sizes[one], sizes[other])
        if rare.any():
            found.append((one, other))
            concerned |= rare[together]
    if not found:
        return []
    n_rows = int(np.count_nonzero(concerned))
    columns = ", ".join(dict.fromkeys(column for pair in found for column in pair))
    return [
        Finding(
            "RARE_PAIRS",
            "note",
            "In {n_pairs} pairs of columns ({columns}) values that are common apart are held together by fewer than "
            "{k} people: {n_rows} rows. Declare as quasi-identifiers those that others may know.",
            None,
            {"n_pairs": len(found), "columns": columns, "k": published.k, "n_rows": n_rows},
            n_rows=n_rows,
        )
    ]


def _n_pairs(published: Published) -> int:
    """Return how many pairs of columns are looked at: fewer in long tables."""
    cost = published.n_rows * (1 if published.subject is None else _COST_OF_PEOPLE)
    return min(_MOST_PAIRS, _MOST_CELLS // max(cost, 1))


def _usual(published: Published, column: str) -> NDArray[np.int64]:
    """Return a number from 1 for each row whose value is common, 0 for all others."""
    values = published.values(column)
    common = known_texts(values.texts) & ~held_by_few(published, values.codes, values.counts)
    numbers = np.zeros(len(common) + 1, dtype=np.int64)  # the last place is for missing cells, whose code is -1
    numbers[:-1][common] = np.arange(1, np.count_nonzero(common) + 1)
    return numbers[values.codes]


def _rare(published: Published, together: NDArray[np.int64], n_one: int, n_other: int) -> NDArray[np.bool_]:
    """Return which combinations are held by few, those with an uncommon value left out."""
    counts = np.bincount(together, minlength=n_one * n_other).reshape(n_one, n_other)
    counts[0, :] = counts[:, 0] = 0
    return held_by_few(published, together, counts.reshape(-1))
