"""Recoding: all quasi-identifiers of a table published by class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.classes import Classes, group
from celosia.errors import InputError
from celosia.hierarchies.domains import Style
from celosia.recode.cells import Cells, cells_of
from celosia.schema import Table

__all__ = ["Recoding", "parted", "recode"]


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
    kept
        The quasi-identifier that is published as it is, if one; ``whole`` are then the classes before they were parted
        by its values.
    """

    table: Table
    searched: Classes
    cells: tuple[Cells, ...]
    kept: str | None = None
    whole: Classes | None = None

    def restyled(self, style: Style) -> Recoding:
        """Return the same rows spelt in another way."""
        return recode(self.table, self.whole or self.searched, style, self.kept)

    @cached_property
    def classes(self) -> Classes:
        """The classes of equal published tuples."""
        if not self.cells:
            return self.searched
        merged = group([cells.of_class for cells in self.cells])  # of classes: there are fewer of them than of rows
        return Classes(np.append(merged, -1)[self.searched.labels])

    def frame(self, rows: NDArray[np.intp] | None = None) -> pl.DataFrame:
        """Return published rows, columns in the original order, identifiers removed.

        Parameters
        ----------
        rows
            The numbers of the original rows, none of them suppressed; ``None`` for all that are published, in the
            original order.
        """
        rows = np.flatnonzero(~self.searched.suppressed) if rows is None else rows
        coarse = {cells.column.name: cells for cells in self.cells}
        schema = self.table.schema
        columns: list[pl.Series] = []
        for column in self.table.frame.get_columns():
            if column.name in coarse:
                columns.extend(self._published(coarse[column.name], rows))
            elif column.name in (*schema.sensitive, *schema.insensitive):
                columns.append(column.rechunk().gather(rows))
        _check_names([column.name for column in columns])
        return pl.DataFrame(columns)

    def _published(self, cells: Cells, rows: NDArray[np.intp]) -> list[pl.Series]:
        """Return the output columns of one quasi-identifier."""
        place = cells.of_class[self.searched.labels[rows]]
        return [
            pl.Series(name, texts, dtype=pl.String).gather(place)
            for name, texts in zip(cells.names, cells.texts, strict=True)
        ]


def recode(table: Table, classes: Classes, style: Style = Style(), kept: str | None = None) -> Recoding:
    """Publish every class by the narrowest values that cover its rows.

    Parameters
    ----------
    kept
        A quasi-identifier that is published as it is: classes are parted by its values, and all parts of a class have
        the same values in the other columns.

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
    if kept is None:
        return Recoding(table, classes, tuple(cells_of(column, classes, style) for column in table.quasi_identifiers))
    parts = parted(table, classes, kept)
    whole_of = np.zeros(parts.n_classes, dtype=np.int64)
    whole_of[parts.labels[~parts.suppressed]] = classes.labels[~parts.suppressed]
    cells = []
    for column in table.quasi_identifiers:
        own = cells_of(column, parts if column.name == kept else classes, style)
        cells.append(own if column.name == kept else replace(own, of_class=own.of_class[whole_of]))
    return Recoding(table, parts, tuple(cells), kept, classes)


def parted(table: Table, classes: Classes, kept: str) -> Classes:
    """Return the classes parted by the values of one quasi-identifier."""
    codes = next(column.codes for column in table.quasi_identifiers if column.name == kept)
    return Classes.of([classes.labels, codes], classes.suppressed)


def _check_names(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise InputError(
            "a lo / hi pair would have the name of another column.", hint="rename that column, or publish ranges."
        )
