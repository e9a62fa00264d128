"""Ambiguity: how many original rows a published row could stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from celosia.data.schema import Table
from celosia.measure.utility.covers import covers_of
from celosia.measure.utility.released import recoding_of

_MOST = 300
"""Beyond this power of ten the sum over the rows might overflow."""


@dataclass(frozen=True)
class Ambiguity:
    """The ambiguity of a release.

    Attributes
    ----------
    mean
        The mean number of possible rows; infinite (``"inf"`` in ``to_dict``) where a row stands for more than 10³⁰⁰.
    log10
        Its decimal logarithm, which never overflows.

    ``None`` for a table without rows or without quasi-identifiers.
    """

    mean: float | None
    log10: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {"mean": "inf" if self.mean == math.inf else self.mean, "log10": self.log10}


def ambiguity(table: Table, released: Any) -> Ambiguity:
    """Return the mean over the original rows of the product over columns of the values under the published cell.

    (1 / n) Σ_i Π_j leaves(cell_ij), 1 for untouched data. Leaves are those of the hierarchy in trees, prefixes and
    grouped orders, whether the data hold them or not, and the distinct values of the data in ranges and sets. A missing
    value published as missing is one value; ``*`` stands for all values and for a missing one where the column has
    any. A suppressed row is ``*`` in every column.

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
    Nergiz, M. E. & Clifton, C. (2007). Thoughts on k-anonymization.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> marks = pl.DataFrame({"exam": [5, 8, 10], "professor": ["Doe", "Roe", "Roe"]})
    >>> table = Table(marks, Schema(quasi_identifiers={"exam": "number", "professor": "category"}))
    >>> ambiguity(table, [0, 0, 1]).mean  # 2 · 2, 2 · 2 and 1
    3.0
    """
    covers = covers_of(recoding_of(table, released))
    if not covers or not table.n_rows:
        return Ambiguity(None, None)
    leaves = np.array([cover.leaves[cover.of_row] for cover in covers], dtype=np.float64)
    logs = np.log(leaves).sum(axis=0)
    most = float(logs.max())
    log10 = (most + math.log(float(np.exp(logs - most).mean()))) / math.log(10)
    mean = float(leaves.prod(axis=0).mean()) if most < _MOST * math.log(10) else math.inf
    return Ambiguity(mean, log10)
