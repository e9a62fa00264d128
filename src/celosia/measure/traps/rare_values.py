"""Rare values: what fewer people share than would hide any of them (A17), column by column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from celosia.base.findings import Finding
from celosia.measure.traps.amounts import known_texts
from celosia.measure.traps.base import Published, held_by_few, is_secret, looked_at


def rare_values(published: Published) -> list[Finding]:
    """Find columns with values that fewer than ``k`` people hold.

    Of a column that others may know it is a warning, of a secret a note: the secret is published on purpose. Of a
    secret amount (a number, a day) most values are rare by nature; it is passed over, and ``extremes`` sees to its
    ends.

    Examples
    --------
    >>> import polars as pl
    >>> table = Published(pl.DataFrame({"job": ["nurse"] * 3 + ["pope"]}), k=3)
    >>> [(one.code, one.severity, one.n_rows) for one in rare_values(table)]
    [('RARE_VALUES', 'warning', 1)]
    """
    return [finding for column in looked_at(published) for finding in _of_column(published, column)]


def _of_column(published: Published, column: str) -> Iterator[Finding]:
    values = published.values(column)
    rare = held_by_few(published, values.codes, values.counts) & known_texts(values.texts)
    n_values, n_rows = int(np.count_nonzero(rare)), values.rows_where(rare)
    if not n_values:
        return
    if not is_secret(published, column):
        yield Finding(
            "RARE_VALUES",
            "warning",
            "Fewer than {k} people hold each of {n_values} values of '{column}' ({n_rows} rows): whoever knows the "
            "value of one of them finds the row. Group or round the values, code the ends (top_code, bottom_code), "
            "or drop the column.",
            column,
            {"n_values": n_values, "n_rows": n_rows, "k": published.k},
            n_rows=n_rows,
        )
    elif 2 * n_rows <= values.counts.sum() or published.amounts(column) is None:
        yield Finding(
            "RARE_VALUES",
            "note",
            "Fewer than {k} people hold each of {n_values} values of the secret '{column}' ({n_rows} rows): whoever "
            "knows that somebody has one of them finds the row. Group them where the difference does not matter.",
            column,
            {"n_values": n_values, "n_rows": n_rows, "k": published.k},
            n_rows=n_rows,
        )
