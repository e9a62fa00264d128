"""Any measure by subgroup, to see whose data lost most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, OptionError, nearest_column
from celosia.base.fields import Result
from celosia.data.schema import Role, Table
from celosia.data.schema.columns import as_text
from celosia.measure.utility.released import part_of, part_of_table, recoding_of


@dataclass(frozen=True)
class Group(Result):
    """One group and what a measure says of it.

    Attributes
    ----------
    value
        The value that its rows have in common; ``None`` = missing.
    n_rows, n_suppressed
        Its original rows, and how many of them were suppressed.
    result
        What the measure returned.
    """

    value: str | None
    n_rows: int
    n_suppressed: int
    result: Any


@dataclass(frozen=True)
class Groups(Result):
    """All groups of a column, in the order of their values' text, missing last."""

    by: str
    groups: tuple[Group, ...]

    def __getitem__(self, value: str | None) -> Group:
        return {group.value: group for group in self.groups}[value]


def by_group(measure: Callable[..., Any], table: Table, released: Any, by: str, **options: Any) -> Groups:
    """Return a measure for each group of rows that have the same value in a column.

    Each group is measured on its own rows; classes, published cells and the domains of columns stay those of the whole
    table. Where a measure is a sum or a mean over rows (``gcp``, ``ncp``, ``discernibility``, ``precision``,
    ``non_uniform_entropy``, ``ambiguity``) the groups add up to the whole.

    The result names the column's values: it is for the owner of the data. A group of fewer than 5 people may tell of
    each of them, and its figures are mostly chance; do not show it to others.

    Parameters
    ----------
    measure
        A measure of this room, or any function of a table and what was released.
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).
    by
        A column of the table with any role but identifier.
    options
        Passed on to the measure.

    Raises
    ------
    ColumnNotFoundError
        The table has no such column.
    OptionError
        The column is an identifier.
    InputError
        The release does not have as many rows as the table.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> from celosia.measure.utility import gcp
    >>> people = pl.DataFrame({"age": [20, 30, 40, 60], "sex": ["f", "f", "m", "m"]})
    >>> table = Table(people, Schema(quasi_identifiers={"age": "number"}, insensitive=["sex"]))
    >>> found = by_group(gcp, table, [0, 0, 1, 1], by="sex")
    >>> [(group.value, group.n_rows, group.result) for group in found.groups]
    [('f', 2, 0.25), ('m', 2, 0.5)]
    """
    if by not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{by}' is not a column of {table.name}.", hint=nearest_column(by, table.frame.columns), about=by
        )
    if Role.IDENTIFIER in table.schema.roles(by):
        raise OptionError(
            f"'{by}' is an identifier: every person would be a group.", hint="name another column.", about=by
        )
    recoding = recoding_of(table, released)
    texts = as_text(table.frame[by])
    values: list[str | None] = [*texts.drop_nulls().unique().sort().to_list()]
    if texts.null_count():
        values.append(None)
    found = []
    for value in values:
        rows = _rows(texts, value)
        part = part_of(recoding, rows, released)
        own = part.table if table is recoding.table else part_of_table(table, rows)
        found.append(Group(value, len(rows), part.searched.n_suppressed, measure(own, part, **options)))
    return Groups(by, tuple(found))


def _rows(texts: pl.Series, value: str | None) -> NDArray[np.intp]:
    same = texts.is_null() if value is None else (texts == value).fill_null(False)
    return np.flatnonzero(same.to_numpy())
