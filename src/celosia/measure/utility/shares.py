"""Category shares before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.fields import Result
from celosia.data.recode import Cells, Recoding
from celosia.data.recode.spread import spread_of
from celosia.data.schema import Table
from celosia.data.schema.columns import as_text
from celosia.measure.utility.numbers import numbers_of
from celosia.measure.utility.released import recoding_of

_Counts = dict[str | None, float]


@dataclass(frozen=True)
class Share(Result):
    """One value's share of the rows; ``value`` is ``None`` for missing, ``after`` where nothing is published."""

    value: str | None
    before: float
    after: float | None

    shown = ("value", "before", "after", "change")

    @property
    def change(self) -> float | None:
        """``|after - before|``."""
        return None if self.after is None else abs(self.after - self.before)


@dataclass(frozen=True)
class ShareChange(Result):
    """The shares of one column's values, in the order of their text, missing last."""

    values: tuple[Share, ...]

    shown = ("total_variation", "values")

    @property
    def total_variation(self) -> float | None:
        """Half the sum of all changes, in [0, 1]: the share of rows that would have to move to get back."""
        changes = [share.change for share in self.values]
        known = [change for change in changes if change is not None]
        return sum(known) / 2 if known and len(known) == len(changes) else None


@dataclass(frozen=True)
class Shares:
    """The shares of all columns of categories, by column. They show values: for the owner of the data alone."""

    columns: dict[str, ShareChange]

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as dicts."""
        return {name: column.to_dict() for name, column in self.columns.items()}


def shares(table: Table, released: Any) -> Shares:
    """Return which share of the rows has each value, before and after, in every column that is not one of numbers.

    Columns are quasi-identifiers and sensitive columns. A published set, run of values or node is spread evenly over
    the values that the data hold under it, ``*`` over all values that are not missing; a published mode counts as
    itself. After are the published rows alone: what suppression did shows as change.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"job": ["a", "b", "b", "c"]}), Schema(quasi_identifiers={"job": "category"}))
    >>> found = shares(table, [0, 0, 0, -1]).columns["job"]
    >>> [(share.value, share.before, share.after) for share in found.values], found.total_variation
    ([('a', 0.25, 0.5), ('b', 0.5, 0.5), ('c', 0.25, 0.0)], 0.25)
    """
    recoding = recoding_of(table, released)
    before = {column.name: column for column in table.quasi_identifiers}
    found: dict[str, ShareChange] = {}
    for cells in recoding.cells:
        name = cells.column.name
        if cells.column.hierarchy.value_type != "number" and name in before:
            found[name] = _changes(_counted(before[name].values), _spread(cells, recoding))
    numbers = {own.column for own in numbers_of(table, recoding)}
    for name in recoding.table.schema.sensitive:
        if name not in before and name not in numbers and name in table.frame.columns:
            kept = recoding.table.frame[name].filter(pl.Series(~recoding.searched.suppressed))
            found[name] = _changes(_counted(table.frame[name]), _counted(kept))
    return Shares(found)


def _spread(cells: Cells, recoding: Recoding) -> _Counts:
    spread = spread_of(cells, recoding.searched)
    texts: list[str | None] = as_text(pl.Series(list(cells.column.domain.values))).to_list()
    return _held([*texts, None], np.append(spread.values, spread.missing))


def _counted(column: pl.Series) -> _Counts:
    counts = as_text(column).value_counts()
    return _held(counts.to_series(0).to_list(), counts.to_series(1).to_numpy())


def _held(values: list[str | None], counts: NDArray[Any]) -> _Counts:
    return {value: float(count) for value, count in zip(values, counts.tolist(), strict=True) if count}


def _changes(before: _Counts, after: _Counts) -> ShareChange:
    values = sorted(before.keys() | after.keys(), key=lambda value: (value is None, value or ""))
    n_before, n_after = sum(before.values()), sum(after.values())
    return ShareChange(
        tuple(
            Share(
                value,
                before.get(value, 0.0) / n_before if n_before else 0.0,
                after.get(value, 0.0) / n_after if n_after else None,
            )
            for value in values
        )
    )
