"""What a swap did to a table: whether its rows changed at all, and how many rows kept their value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, InputError, nearest_column
from celosia.base.findings import Finding
from celosia.data.io import to_polars

_AT_ONCE = 1 << 17
_DRAWN_ROWS = 300_000
"""How many rows are drawn at most before a swap is found to have no effect, unless ``_LEAST_DRAWS`` take more."""

_LEAST_DRAWS = 20
"""A single pair that can be exchanged is left as it was in every other draw: in so many with a chance of 10^-6."""


@dataclass(frozen=True)
class SwapEffect:
    """What a swap did.

    Attributes
    ----------
    rows_changed
        Whether the multiset of full rows differs: if not, the swap moved whole rows or nothing, and hides nobody.
    share_fixed
        The share of rows that have, in their place, the same values as before in all swapped columns.
    """

    rows_changed: bool
    share_fixed: float


def swap_effect(before: Any, after: Any, columns: Sequence[str]) -> SwapEffect:
    """Compare a table before and after a swap of ``columns``, all cells of all rows.

    Parameters
    ----------
    before, after
        Two pandas, Polars or Arrow frames with the same columns and as many rows.
    columns
        The columns that were swapped.

    Raises
    ------
    InputError
        The frames differ in columns or in the number of rows.
    ColumnNotFoundError
        One of ``columns`` is not in them.

    Examples
    --------
    >>> before = pl.DataFrame({"student": ["Luis", "Pedro"], "grade": [8, 10]})
    >>> swap_effect(before, before[::-1], ["student"])
    SwapEffect(rows_changed=False, share_fixed=0.0)
    >>> swap_effect(before, before.with_columns(student=before["student"].reverse()), ["student"])
    SwapEffect(rows_changed=True, share_fixed=0.0)
    """
    first, second = to_polars(before)[0], to_polars(after)[0]
    if first.schema != second.schema or first.height != second.height:
        raise InputError(
            f"the frames before ({first.height} rows, {first.width} columns) and after ({second.height} rows, "
            f"{second.width} columns) must have the same columns, of the same types, and as many rows.",
            hint="a swap moves cells, it neither adds nor removes any.",
        )
    for name in columns:
        if name not in first.columns:
            raise ColumnNotFoundError(f"'{name}' is not a column.", hint=nearest_column(name, first.columns))
    is_fixed = np.ones(first.height, dtype=np.bool_)
    for name in columns:
        is_fixed &= first[name].eq_missing(second[name]).to_numpy()
    return SwapEffect(rows_changed(first, second), float(is_fixed.sum()) / max(first.height, 1))


def rows_changed(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Return whether the multisets of full rows differ.

    Equal multisets have equal sums of row hashes, so that different sums are proof; equal ones are looked into.
    """
    if _hash_sum(before) != _hash_sum(after):
        return True
    one = pl.lit(1, dtype=pl.Int64)
    balance = "".join(before.columns) + "_"  # a name that no column has
    both = pl.concat([before.with_columns(one.alias(balance)), after.with_columns((-one).alias(balance))])
    return bool((both.group_by(before.columns).agg(pl.col(balance).sum())[balance] != 0).any())


def _hash_sum(frame: pl.DataFrame) -> int:
    parts = (frame.slice(start, _AT_ONCE).hash_rows() for start in range(0, frame.height, _AT_ONCE))
    return sum(int(part.to_numpy().sum(dtype=np.uint64)) for part in parts) % 2**64


def drawn_with_effect(
    frame: pl.DataFrame, draw: Callable[[], pl.DataFrame], is_possible: Callable[[], bool]
) -> pl.DataFrame | None:
    """Draw a swapped frame until its rows differ from those of ``frame``; ``None`` if they will not.

    Two rows come back as they were every other time: such draws are thrown away, and the others stay equally likely.
    """
    for n_draws in range(max(_LEAST_DRAWS, min(300, _DRAWN_ROWS // max(frame.height, 1)))):
        if n_draws == 1 and not is_possible():
            return None
        drawn = draw()
        if rows_changed(frame, drawn):
            return drawn
    return None


def can_change(frame: pl.DataFrame, columns: Sequence[str], groups: NDArray[np.integer[Any]]) -> bool:
    """Return whether moving ``columns`` within groups can change the rows of the frame.

    It can just if the rows of some group differ in what moves and in what stays: then two of them differ in both.
    """
    marks = pl.DataFrame(
        {
            "group": groups,
            "moves": frame.select(columns).hash_rows(),
            "stays": frame.drop(columns).hash_rows() if len(columns) < frame.width else np.zeros(frame.height),
        }
    )
    is_mixed = (pl.col("moves").n_unique() > 1) & (pl.col("stays").n_unique() > 1)
    return bool(marks.group_by("group").agg(is_mixed.alias("is_mixed"))["is_mixed"].any())


def kept_values(before: pl.Series, after: pl.Series) -> Finding:
    """Return how many of the rows that hold a value hold the same one as before; a warning if more than half do."""
    n_values = len(before) - before.null_count()
    kept = int((before == after).sum()) / max(n_values, 1)
    if kept > 0.5:
        return Finding(
            "SWAP_FIXED_POINTS",
            "warning",
            "{share} of the rows with a value of '{column}' have the same value as before the swap: who takes the "
            "values for true is right more often than not. Swap among more rows, or coarsen the column instead.",
            before.name,
            {"share": f"{kept:.1%}"},
        )
    return Finding(
        "SWAP_FIXED_POINTS",
        "note",
        "{share} of the rows with a value of '{column}' have the same value as before the swap.",
        before.name,
        {"share": f"{kept:.1%}"},
    )
