"""Discernibility: how many rows each row looks like."""

from __future__ import annotations

from typing import Any

import numpy as np

from celosia.data.schema import Table
from celosia.measure.utility.released import recoding_of, total_of


def discernibility(table: Table, released: Any) -> int | None:
    """Return the discernibility metric: the sum of f² over all classes, plus n for every suppressed row.

    DM = Σ f_j² + n_suppressed · n, where f_j are the sizes of the classes of equal published values and n counts the
    original rows: a row costs as many rows as it cannot be told from. Exact. ``None`` for a table without rows.

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
    Bayardo, R. J. & Agrawal, R. (2005). Data privacy through optimal k-anonymization.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 9, 10]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> discernibility(table, [0, 0, 1, -1])  # 2² + 1² + 4
    9
    """
    total, rows = total_of(recoding_of(table, released))
    if not len(rows):
        return None
    alike = np.append(total.classes.sizes, len(total.classes))
    return int(alike[total.classes.labels[rows]].sum())
