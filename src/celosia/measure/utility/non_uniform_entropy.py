"""Non-uniform entropy: how many bits the published cells hide, given how frequent values are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from celosia.base.fields import Result
from celosia.data.schema import Table
from celosia.measure.utility.covers import Cover, covers_of
from celosia.measure.utility.released import recoding_of, total_of


@dataclass(frozen=True)
class NonUniformEntropy(Result):
    """The entropy that a release adds.

    Attributes
    ----------
    loss
        ``bits`` as a share of what publishing nothing but ``*`` would hide, in [0, 1].
    bits
        What all cells together hide.
    columns
        The share for each column.

    ``None`` for a table without rows or without quasi-identifiers. A column of one value can hide nothing: 0.
    """

    loss: float | None
    bits: float | None
    columns: dict[str, float | None]


def non_uniform_entropy(table: Table, released: Any) -> NonUniformEntropy:
    """Return the bits that are missing to get from the published cells back to the values.

    Σ over cells of -log₂(count(value) / count(rows whose value lies under the published cell)), counted in the original
    rows, divided by the same for a table of ``*`` only. A suppressed row is published as ``*``. A missing value is a
    value of its own, which only ``missing`` and ``*`` cover. Columns have no weights here.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    References
    ----------
    De Waal, T. & Willenborg, L. (1999). Information loss through global recoding and local suppression; Gionis, A. &
    Tassa, T. (2009). k-anonymization with minimal loss of information.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"job": ["a", "b", "c", "c"]}), Schema(quasi_identifiers={"job": "category"}))
    >>> found = non_uniform_entropy(table, [0, 0, 1, 1])  # two cells hide 1 bit each; all '*' would hide 2 + 2 + 1 + 1
    >>> found.bits, found.loss
    (2.0, 0.3333333333333333)
    """
    recoding = recoding_of(table, released)
    total, rows = total_of(recoding)
    if not len(rows) or not total.cells:
        return NonUniformEntropy(None, None, dict.fromkeys((cells.column.name for cells in total.cells), None))
    covers = covers_of(recoding)
    whole = covers if total is recoding else covers_of(total)
    spent = [_bits(every, cover) for every, cover in zip(whole, covers, strict=True)]
    bits, most = sum(own for own, _ in spent), sum(own for _, own in spent)
    return NonUniformEntropy(
        bits / most if most else 0.0,
        bits,
        {cover.column.name: own / limit if limit else 0.0 for cover, (own, limit) in zip(whole, spent, strict=True)},
    )


def _bits(whole: Cover, cover: Cover) -> tuple[float, float]:
    """Return what a column's cells hide, and what ``*`` in all of them would; counts are those of the whole table."""
    counts = np.bincount(whole.slots, minlength=whole.n_slots).astype(np.float64)
    own = counts[cover.slots]
    under = whole.under(counts)[cover.of_row]
    return float(np.log2(under / own).sum()), float(np.log2(len(whole.slots) / own).sum())
