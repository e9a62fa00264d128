"""Kept identifiers: a published column whose cells name people by their form (R-A3)."""

from __future__ import annotations

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.data.schema.detectors import Look, find_identifier
from celosia.measure.traps.base import Published
from celosia.measure.traps.masked_values import masked_columns

_LOOK = 20_000
"""In so many distinct values forms are sought."""


def kept_identifiers(published: Published) -> list[Finding]:
    """Find columns of identity numbers, e-mail addresses, telephones, accounts and the like.

    Masked and pseudonymised columns are left aside: other findings tell what those give away.

    Examples
    --------
    >>> table = pl.DataFrame({"contact": ["ana@example.org", None, "luis@example.org"], "mark": ["5", "6", "7"]})
    >>> [(one.code, one.column, one.n_rows) for one in kept_identifiers(Published(table))]
    [('IDENTIFIER_KEPT', 'contact', 2)]
    """
    masked = {*masked_columns(published), *published.untrue}
    return [
        Finding(
            "IDENTIFIER_KEPT",
            "warning",
            "About {n_rows} cells of '{column}' have the form of what names a person: an identity number, an "
            "e-mail address, a telephone, an account or the like. Drop the column, or mask or pseudonymise it.",
            column,
            {"n_rows": n_rows},
            n_rows=n_rows,
        )
        for column in published.kept
        if column not in masked and (n_rows := _n_named(published, column))
    ]


def _n_named(published: Published, column: str) -> int:
    """Return about how many rows have such a cell; 0 where the form of the column is another."""
    dtype = published.frame.schema[column]
    if not (dtype == pl.String or dtype.is_integer() or isinstance(dtype, pl.Categorical | pl.Enum)):
        return 0
    values = published.values(column)
    places = np.arange(0, len(values.texts), max(1, -(-len(values.texts) // _LOOK)))
    texts, counts = values.texts.gather(places), values.counts[places]
    look = Look(column, published.n_rows, 0, texts, int(np.count_nonzero(counts == 1)), texts, pl.Series(counts))
    clue = find_identifier(look)
    return 0 if clue is None else max(1, round(clue.share * int(values.counts.sum())))
