"""Whether generalising did too little, too much, or left values that stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding, Severity
from celosia.base.wording import Said
from celosia.masks.base import Sheet

_FINE = Said(
    "Generalising '{column}' changed hardly anything: {values} distinct values became {labels}, and of {before} rows "
    "whose value fewer than {k} rows held {after} still have such a value. Use a coarser rule."
)
_COARSE = Said(
    "Generalising '{column}' left hardly anything: {count} of {rows} rows now hold the same value. Use a finer rule, "
    "or drop the column."
)
_STANDS_OUT = Said(
    "After generalising '{column}' {count} values still stand out: fewer than {k} rows hold each, {rows} rows in all. "
    "Consider suppressing them, or wider ranges at the ends."
)


@dataclass(frozen=True)
class Spread:
    """How the rows of a column are spread over its distinct values or labels.

    Attributes
    ----------
    n_rows
        Rows with a value.
    n_distinct
        Distinct values.
    n_largest
        Rows of the most frequent value.
    n_alone, n_alone_distinct
        Rows whose value is held by fewer than k rows, and how many values those are.

    Examples
    --------
    >>> Spread.of(np.array([3, 1, 1]), k=2)
    Spread(n_rows=5, n_distinct=3, n_largest=3, n_alone=2, n_alone_distinct=2)
    """

    n_rows: int
    n_distinct: int
    n_largest: int
    n_alone: int
    n_alone_distinct: int

    @classmethod
    def of(cls, counts: NDArray[np.integer[Any]], k: int) -> Spread:
        """Return the spread of these counts, one per distinct value."""
        counts = counts[counts > 0]
        alone = counts[counts < k]
        return cls(int(counts.sum()), len(counts), int(counts.max(initial=0)), int(alone.sum()), len(alone))


def number_counts(values: NDArray[Any]) -> NDArray[np.int32]:
    """Return how often each distinct number occurs, in ascending order of the numbers.

    Examples
    --------
    >>> number_counts(np.array([2.5, 1.0, 2.5])).tolist()
    [1, 2]
    """
    if not len(values):
        return np.empty(0, dtype=np.int32)
    ordered = np.sort(values)
    is_last = np.append(ordered[1:] != ordered[:-1], True)
    del ordered
    # Rows are counted in 32 bits: with a million distinct numbers the counts would outweigh the column.
    ends = np.flatnonzero(is_last).astype(np.int32)
    return np.diff(ends, prepend=np.int32(-1))


def coarseness(sheet: Sheet, column: str, before: Spread, after: Spread) -> list[Finding]:
    """Return what should be known of a column whose values became labels.

    - ``GENERALISE_FINE``: of the rows that stood alone more than nine in ten still do (or none did), and either more
      than nine tenths as many labels as values are left, or more than half of the rows stand alone. The column then
      tells about as much of people as before.
    - ``GENERALISE_COARSE``: more than nineteen rows in twenty hold one label, where no value was so frequent before; or
      there is one label only.
    - ``GENERALISE_STANDS_OUT``: labels that fewer than k rows hold; among quasi-identifiers a note, because the search
      of a plan deals with them.

    Columns of fewer than two distinct values can get neither finer nor coarser.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.masks.base import sheet_of
    >>> before, after = (Spread.of(np.array(counts), k=2) for counts in ([1, 2, 1, 1], [3, 1, 1]))
    >>> [finding.code for finding in coarseness(sheet_of(pl.DataFrame()), "grade", before, after)]
    ['GENERALISE_STANDS_OUT']
    """
    found = []
    if _is_fine(before, after):
        changed = {"values": before.n_distinct, "labels": after.n_distinct}
        alone = {"before": before.n_alone, "after": after.n_alone, "k": sheet.k}
        found.append(Finding("GENERALISE_FINE", "warning", _FINE, column, changed | alone))
    if _is_coarse(before, after):
        left = {"count": after.n_largest, "rows": after.n_rows}
        found.append(Finding("GENERALISE_COARSE", "warning", _COARSE, column, left))
    if after.n_alone:
        rare = {"count": after.n_alone_distinct, "rows": after.n_alone, "k": sheet.k}
        severity: Severity = "note" if column in sheet.quasi_identifiers else "warning"
        found.append(Finding("GENERALISE_STANDS_OUT", severity, _STANDS_OUT, column, rare))
    return found


def _is_fine(before: Spread, after: Spread) -> bool:
    still_alone = 10 * after.n_alone > 9 * before.n_alone or not before.n_alone
    still_distinct = 10 * after.n_distinct > 9 * before.n_distinct or 2 * after.n_alone > after.n_rows
    return before.n_distinct > 1 and still_alone and still_distinct


def _is_coarse(before: Spread, after: Spread) -> bool:
    is_large = 20 * after.n_largest > 19 * after.n_rows and 20 * before.n_largest <= 19 * before.n_rows
    return before.n_distinct > 1 and (after.n_distinct == 1 or is_large)
