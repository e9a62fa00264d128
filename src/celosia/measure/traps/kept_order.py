"""Kept order: beside its original a published table shows whether its rows still stand as they did (A8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published, Values
from celosia.measure.traps.row_order import is_sorted_by_what_shows, spearman

_LEAST_MATCHED = 8
"""So many rows come in their old order by chance once in 40,320 times."""
_LEAST_TREND = 4.0
"""Standard deviations; a shuffle exceeds them with a probability of 6e-5."""
_MOST_KEYS = 1_000


def kept_order(published: Published, original: pl.DataFrame) -> list[Finding]:
    """Find rows that stand in the order of the table that they were made from, or in the reverse of it.

    Rows are told by the columns that both tables have and that are no quasi-identifiers, or by all that both have:
    those whose cells no other row has in either table are matched, and Spearman's correlation rho of their places is
    significant where abs(rho) sqrt(n - 1) > 4, or where up to 17 of them are all in order. Where too few can be
    matched and no row is gone, it is counted how often the same cells stand in the same place. A table that is sorted
    by what it publishes says nothing of the original's order.

    Parameters
    ----------
    published
        The table.
    original
        The table before.

    Examples
    --------
    >>> old = pl.DataFrame({"age": range(20, 40), "code": [f"c{(7 * n) % 20}" for n in range(20)]})
    >>> new = Published(old.with_columns(age=pl.lit("20-39")), ("age",))
    >>> [one.code for one in kept_order(new, old)]
    ['ROW_ORDER_KEPT']
    """
    shared = [column for column in published.kept if column in original.columns]
    kept = [column for column in shared if column not in published.quasi_identifiers]
    matched = [_matched(_keys(published, original, columns)) for columns in (kept, shared) if columns]
    places, before = max(matched, key=lambda pair: len(pair[0]), default=(np.zeros(0, dtype=np.int64),) * 2)
    if is_sorted_by_what_shows(published):
        return []
    if len(places) >= _LEAST_MATCHED:
        return [_kept(len(places))] if _is_kept(places, before) else []
    if kept and published.n_rows == original.height >= _LEAST_MATCHED and _agree(_keys(published, original, kept)):
        return [_kept(published.n_rows)]
    return [
        Finding(
            "ROW_ORDER_NOT_JUDGED",
            "note",
            "Only {count} rows can be told in the original by columns that stay as they were: that is too few to judge "
            "whether the rows keep its order.",
            None,
            {"count": len(places)},
            len(places),
        )
    ]


def _kept(n_rows: int) -> Finding:
    return Finding(
        "ROW_ORDER_KEPT",
        "warning",
        "Rows keep the order of the original, as {count} of them show: whoever knows the order of the input finds who "
        "is who. Shuffle the rows, or sort them by all published columns.",
        None,
        {"count": n_rows},
        n_rows,
    )


Keys = tuple[NDArray[np.int64], NDArray[np.int64]]
"""A number for each row of two tables, equal just where the cells are."""


def _keys(published: Published, original: pl.DataFrame, columns: Sequence[str]) -> Keys:
    new = pl.DataFrame([_texts(published.values(column), column) for column in columns])
    old = pl.DataFrame([_texts(Values.of(original[column]), column) for column in columns])
    both = pl.concat([new, old]).select(pl.struct(pl.all()).rank("dense")).to_series().cast(pl.Int64).to_numpy()
    return both[: new.height], both[new.height :]


def _texts(values: Values, column: str) -> pl.Series:
    places = pl.Series(values.codes).set(pl.Series(values.codes < 0), None)
    return values.texts.gather(places).alias(column)


def _matched(keys: Keys) -> Keys:
    """Return the places of rows whose key no other row has, in either table."""
    single = []
    for own in keys:
        found, first, counts = np.unique(own, return_index=True, return_counts=True)
        single.append((found[counts == 1], first[counts == 1]))
    _, new, old = np.intersect1d(single[0][0], single[1][0], assume_unique=True, return_indices=True)
    return single[0][1][new].astype(np.int64), single[1][1][old].astype(np.int64)


def _is_kept(places: NDArray[np.int64], before: NDArray[np.int64]) -> bool:
    rho = abs(spearman(places, before))
    return rho * np.sqrt(len(places) - 1) > _LEAST_TREND or rho > 1 - 1e-12


def _agree(keys: Keys) -> bool:
    """Tell whether equal keys meet in the same place, or in that from the end, more often than after a shuffle.

    Of c rows with a key in one table and d in the other, c d / n meet by chance; the variance over all shuffles is the
    sum of squares of the doubly centred matrix "keys are equal", divided by n - 1.
    """
    new, old = keys
    found, places = np.unique(np.concatenate(keys), return_inverse=True)
    n_rows = len(new)
    if not 1 < len(found) <= _MOST_KEYS:
        return False
    c = np.bincount(places[:n_rows], minlength=len(found)).astype(np.float64)
    d = np.bincount(places[n_rows:], minlength=len(found)).astype(np.float64)
    expected = float(c @ d) / n_rows
    centred = np.eye(len(found)) - d[:, None] / n_rows - c[None, :] / n_rows + expected / n_rows
    deviation = float(np.sqrt((centred**2 * c[:, None] * d[None, :]).sum() / (n_rows - 1)))
    n_met = max(int((new == old).sum()), int((new == old[::-1]).sum()))
    return n_met - expected > (_LEAST_TREND + 1) * deviation
