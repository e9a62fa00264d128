"""Suppression as a signal: secrets that decide what is left out (A21)."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.measure.traps.amounts import known_texts
from celosia.measure.traps.base import Published, is_secret, looked_at

_CHANCE = 0.01
"""How often, at most, chance alone would make a table look like this."""
_LIFT = 3
"""How many times as often as others the rows of a value must be left out."""
_MOST_VALUES = 50
_PARTS = 10
"""Secret amounts of more values are looked at in so many parts of equally many rows."""


def suppression_signal(published: Published) -> list[Finding]:
    """Find secrets that decide in which rows a quasi-identifier is missing or ``*``.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"age": ["*"] * 3 + ["30-39"] * 40, "ill": ["HIV"] * 3 + ["flu", "cold"] * 20})
    >>> [(one.code, one.n_rows) for one in suppression_signal(Published(table, ("age",), ("ill",)))]
    [('SUPPRESSION_SIGNAL', 3)]
    """
    hidden = np.zeros(published.n_rows, dtype=np.bool_)
    for column in published.quasi_identifiers:
        values = published.values(column)
        hidden |= ~np.append(known_texts(values.texts), False)[values.codes]
    if not hidden.any() or hidden.all():
        return []
    secrets = [column for column in looked_at(published) if is_secret(published, column)]
    told = {column: told_by_absence(grouped(published, column), hidden) for column in secrets}
    return [
        Finding(
            "SUPPRESSION_SIGNAL",
            "warning",
            "Quasi-identifiers are missing or '*' in rows with {n_values} values or parts of '{column}' at "
            "least three times as often as in all ({n_rows} rows): that they are missing tells the secret. "
            "Blank cells by a rule that does not look at it.",
            column,
            {"n_values": n_values, "n_rows": n_rows},
            n_rows=n_rows,
        )
        for column, (n_values, n_rows) in told.items()
        if n_values
    ]


def grouped(published: Published, column: str) -> NDArray[np.int64]:
    """Return the value of each row, or of an amount with many values the part of the line in which it lies."""
    values = published.values(column)
    amounts = published.amounts(column) if len(values.texts) > _MOST_VALUES else None
    if amounts is None:
        return values.codes
    order = np.argsort(amounts.low)
    upto = np.cumsum(values.counts[order]) - values.counts[order]
    parts = np.empty(len(order) + 1, dtype=np.int64)
    parts[order] = upto * _PARTS // max(int(values.counts.sum()), 1)
    parts[-1] = -1
    return parts[values.codes]


def told_by_absence(codes: NDArray[np.int64], hidden: NDArray[np.bool_]) -> tuple[int, int]:
    """Return how many values are hidden far more often than chance would have it, and how many of their hidden rows.

    A value of n rows, m of them hidden, is told where its share m/n is at least three times the share p of all rows and
    where chance hides so many in at most one table out of a hundred, by Hoeffding's bound for draws without
    replacement: P(m or more) <= exp(-n D(m/n || p)) for each of the values, D being the divergence of Kullback and
    Leibler. The bound needs no large counts.

    Parameters
    ----------
    codes
        The secret of each row; -1 where it is missing, which counts as a value.
    hidden
        Whether each row is left out.

    Examples
    --------
    >>> told_by_absence(np.array([0] * 4 + [1] * 96), np.arange(100) < 4)
    (1, 4)
    >>> told_by_absence(np.array([0] * 4 + [1] * 96), np.arange(100) % 25 == 0)
    (0, 0)
    """
    n_rows = np.bincount(codes + 1)
    n_hidden = np.bincount(codes[hidden] + 1, minlength=len(n_rows))
    present = n_rows > 0
    n_rows, n_hidden = n_rows[present], n_hidden[present]
    share = n_hidden.sum() / max(n_rows.sum(), 1)
    if share in (0, 1):
        return 0, 0
    own = n_hidden / n_rows
    with np.errstate(divide="ignore", invalid="ignore"):
        absent, shown = own * np.log(own / share), (1 - own) * np.log((1 - own) / (1 - share))
    surprise = n_rows * (np.nan_to_num(absent, nan=0.0) + np.nan_to_num(shown, nan=0.0))
    told = (n_hidden > 1) & (own >= min(_LIFT * share, 1)) & (surprise >= log(len(n_rows) / _CHANCE))
    return int(np.count_nonzero(told)), int(n_hidden[told].sum())
