"""Few: which values fewer people share than would hide any of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.measure.traps.base import Published


def looked_at(published: Published) -> list[str]:
    """Return the columns whose values mean something to a reader: those kept, but not who it is, nor untrue ones.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"who": ["a", "b"], "age": ["40", "40"], "code": ["x7", "k2"]})
    >>> looked_at(Published(table, ("age",), subject="who", untrue=("code",)))
    ['age']
    """
    return [name for name in published.kept if name != published.subject and name not in published.untrue]


def is_secret(published: Published, column: str) -> bool:
    """Tell whether a column is published for its secret alone, so that others are not taken to know its values."""
    return column in published.sensitive and column not in published.quasi_identifiers


def held_by_few(published: Published, codes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which values fewer than ``k`` people hold, though some do.

    Parameters
    ----------
    codes
        The value of each row; -1 where it has none.
    counts
        How many rows hold each value.

    Examples
    --------
    >>> import polars as pl
    >>> table = Published(pl.DataFrame({"who": [1, 1, 1, 2, 3, 4]}), subject="who", k=3)
    >>> held_by_few(table, np.array([0, 0, 0, 1, 1, 1]), np.array([3, 3])).tolist()
    [True, False]
    """
    few: NDArray[np.bool_] = (counts > 0) & (counts < published.k)
    if published.subject is None:
        return few
    subjects = published.values(published.subject)
    n_missing = published.n_rows - int(subjects.counts.sum())  # rows of nobody are taken for one person's
    most = max(int(subjects.counts.max(initial=0)), n_missing)
    doubtful = (counts >= published.k) & (counts <= (published.k - 1) * most)
    if not doubtful.any():
        return few
    rows = np.flatnonzero((codes >= 0) & np.append(doubtful, False)[codes])
    width = len(subjects.texts) + 1
    pairs = np.sort(codes[rows] * width + subjects.codes[rows] + 1)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    people = np.bincount(pairs // width, minlength=len(counts))
    return few | (doubtful & (people < published.k))


def n_people(published: Published, rows: NDArray[np.intp]) -> int:
    """Return how many people some rows, given by their numbers, are about.

    Examples
    --------
    >>> import polars as pl
    >>> n_people(Published(pl.DataFrame({"who": ["a", "a", "b"]}), subject="who"), np.array([0, 1]))
    1
    """
    return len(rows) if published.subject is None else len(np.unique(published.values(published.subject).codes[rows]))
