"""Recoding: all quasi-identifiers of a table published by class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from celosia.classes import Classes
from celosia.errors import InputError
from celosia.hierarchies.domains import Style
from celosia.recode.cells import Cells, cells_of
from celosia.schema import Table

__all__ = ["Recoding", "recode"]


@dataclass(frozen=True, eq=False)
class Recoding:
    """A table's rows as they will be published, still in the original order.

    Attributes
    ----------
    classes
        The classes of equal *published* tuples, which may be fewer than those searched for (two classes with the same
        ranges are one class to anybody outside).
    cells
        The published values of every quasi-identifier, per searched class.
    """

    table: Table
    searched: Classes
    cells: tuple[Cells, ...]

    @cached_property
    def classes(self) -> Classes:
        """The classes of equal published tuples."""
        published = [cells.of_class[self.searched.labels] for cells in self.cells]
        return Classes.of(published, self.searched.suppressed) if published else self.searched

    def published(self, cells: Cells) -> list[pl.Series]:
        """Return the output columns of one quasi-identifier, in the original order; null where a row is suppressed."""
        labels = self.searched.labels
        position = np.append(cells.of_class, -1)[labels]
        return [
            pl.Series(name, texts, dtype=pl.String).gather(np.maximum(position, 0)) if texts else pl.Series(name, [])
            for name, texts in zip(cells.names, cells.texts, strict=True)
        ]

    def frame(self) -> pl.DataFrame:
        """Return the published rows in the original order, columns in the original order, identifiers removed."""
        coarse = {cells.column.name: cells for cells in self.cells}
        schema = self.table.schema
        columns: list[pl.Series] = []
        for column in self.table.frame.get_columns():
            if column.name in coarse:
                columns.extend(self.published(coarse[column.name]))
            elif column.name in (*schema.sensitive, *schema.insensitive):
                columns.append(column)
        _check_names([column.name for column in columns])
        return pl.DataFrame(columns).filter(pl.Series(~self.searched.suppressed))


def recode(table: Table, classes: Classes, style: Style = Style()) -> Recoding:
    """Publish every class by the narrowest values that cover its rows.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [40, 44, 37]}), Schema(quasi_identifiers={"age": "number"}))
    >>> recode(table, Classes([0, 0, 1])).frame()["age"].to_list()
    ['[40, 44]', '[40, 44]', '37']
    """
    if len(classes) != table.n_rows:
        raise InputError(f"{len(classes)} labels do not fit a table of {table.n_rows} rows.")
    return Recoding(table, classes, tuple(cells_of(column, classes, style) for column in table.quasi_identifiers))


def _check_names(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise InputError(
            "a lo / hi pair would have the name of another column.", hint="rename that column, or publish ranges."
        )
