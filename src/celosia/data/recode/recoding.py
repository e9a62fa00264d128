"""Recoding: all quasi-identifiers of a table published by class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.data.classes import Classes, group
from celosia.data.hierarchies.domains import Bag, Style
from celosia.data.recode.cells import Cells, cells_of
from celosia.data.recode.extents import Extents
from celosia.data.schema import Table


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
    extents
        What each searched class publishes, by column, where the search decided that.
    style
        How it is spelt.
    """

    table: Table
    searched: Classes
    cells: tuple[Cells, ...]
    kept: str | None = None
    whole: Classes | None = None
    extents: Mapping[str, Extents] | None = None
    style: Style = Style()  # noqa: RUF009 - it is frozen

    def restyled(self, style: Style) -> Recoding:
        """Return the same classes, what they publish spelt in another way; rows are not looked at again."""
        cells = tuple(
            own if isinstance(own.column.domain, Bag) else cells_of(own.column, self.searched, style, own.extents)
            for own in self.cells
        )
        return replace(self, cells=cells, style=style)

    def __reduce__(self) -> Any:
        """Pickle and copy the decisions: cells follow from them."""
        return recode, (self.table, self.whole or self.searched, self.style, self.kept, self.extents)

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


def recode(
    table: Table,
    classes: Classes,
    style: Style = Style(),
    kept: str | None = None,
    extents: Mapping[str, Extents] | None = None,
) -> Recoding:
    """Publish every class by the narrowest values that cover its rows, or by those that a search decided.

    Parameters
    ----------
    extents
        What each class publishes, by column, of a search that recodes whole columns.
    kept
        A quasi-identifier that is published as it is: classes are parted by its values, and all parts of a class have
        the same values in the other columns.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [40, 44, 37]}), Schema(quasi_identifiers={"age": "number"}))
    >>> recode(table, Classes([0, 0, 1])).frame()["age"].to_list()
    ['[40, 44]', '[40, 44]', '37']
    """
    if len(classes) != table.n_rows:
        raise InputError(f"{len(classes)} labels do not fit a table of {table.n_rows} rows.")
    given = extents or {}
    parts = classes if kept is None else parted(table, classes, kept)
    whole_of = np.zeros(parts.n_classes, dtype=np.int64)
    whole_of[parts.labels[~parts.suppressed]] = classes.labels[~parts.suppressed]
    cells = tuple(
        cells_of(column, parts, style)
        if column.name == kept
        else cells_of(column, classes, style, given.get(column.name)).at(whole_of)
        for column in table.quasi_identifiers
    )
    return Recoding(table, parts, cells, kept, None if kept is None else classes, extents, style)


def parted(table: Table, classes: Classes, kept: str) -> Classes:
    """Return the classes parted by the values of one quasi-identifier."""
    codes = next(column.codes for column in table.quasi_identifiers if column.name == kept)
    return Classes.of([classes.labels, codes], classes.suppressed)


def _check_names(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise InputError(
            "a lo / hi pair would have the name of another column.", hint="rename that column, or publish ranges."
        )
