"""Attribute suppression that keeps the column, and cell suppression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.data.hierarchies import Category
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text
from celosia.masks.base import Leaves, Sheet, spelt_numbers
from celosia.masks.expressions import Expression
from celosia.masks.options import Listed, OnColumns, checked_values, holds


@dataclass(frozen=True)
class Blank(OnColumns):
    """Empty cells of a column and keep the column: all of them, or those that a condition or a list of values chooses.

    A cell x becomes missing, or ``symbol``, if it is chosen. Part of a cell is hidden by ``MaskCharacters``.

    Parameters
    ----------
    column, columns
        The column, or several; one of the two.
    where
        A condition over columns (see ``Expression``): only cells of rows in which it is true are emptied.
    values
        A list: only cells that hold one of these are emptied. A text matches its spelling, a number what
        reads as it.
    header
        Whether the name of the column is emptied too (only where all cells are): it becomes one blank, or as
        many as no other column has, so that names stay different. The column keeps its place.
    symbol
        What stands in an emptied cell, such as ``*``; nothing by default. A symbol makes numbers and dates text.

    Guarantee
    ---------
    No emptied cell is in the output. Against whoever knows the rule that chose them the empty cells still tell that it
    held there: emptied diagnoses of one kind are as good as named. What other columns tell about them stays.

    Raises
    ------
    OptionError
        No column is named, ``where`` and ``values`` are both given, or an option has a wrong value.

    Examples
    --------
    >>> import polars as pl
    >>> marks = pl.DataFrame({"student": ["Luis", "Amparo"], "mark": [4.5, 5.0]})
    >>> Blank(column="student").apply(marks).rows()
    [(None, 4.5), (None, 5.0)]
    >>> Blank(column="student", where="mark == 5", symbol="*").apply(marks)["student"].to_list()
    ['Luis', '*']
    """

    name: ClassVar[str] = "blank"
    leaves: ClassVar[Leaves] = Leaves(
        "reduced",
        "An empty cell tells that the rule which emptied it held there. Other columns may still tell what it held.",
    )

    where: str | None = None
    values: Sequence[Listed] | None = None
    header: bool = False
    symbol: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.where is not None and self.values is not None:
            raise OptionError("blank takes where or values, not both.", hint="write values as a condition.")
        if self.where is not None:
            Expression(self.where, self.name, "where")
        if self.values is not None:
            self._set(values=checked_values(self.name, self.values))
        if not isinstance(self.header, bool):
            raise OptionError("blank: header must be true or false.", about="header")
        if self.header and not self.is_whole:
            raise OptionError(
                "blank: a header is emptied only where all cells are.", hint="leave header out.", about="header"
            )
        if self.symbol is not None and not (isinstance(self.symbol, str) and self.symbol.strip()):
            raise OptionError(
                "blank: symbol must be a sign.", hint="write symbol: '*', or leave it out.", about="symbol"
            )

    @property
    def is_whole(self) -> bool:
        """Whether whole columns are emptied."""
        return self.where is None and self.values is None

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it empties, and those that the condition reads."""
        return tuple(dict.fromkeys([*self.columns, *self._read]))

    @property
    def _read(self) -> tuple[str, ...]:
        return () if self.where is None else Expression(self.where, self.name, "where").columns

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the chosen cells emptied."""
        for column in self.columns:
            sheet.column(column, self.name)
        # All cells are chosen before any is emptied, so that a condition may read the columns it is for.
        chosen = None
        if self.where is not None:
            chosen, findings = Expression(self.where, self.name, "where").holds(sheet)
            sheet = sheet.noting(*findings)
        for column in self.columns:
            if self.values is not None:
                chosen = holds(sheet, column, self.values, self.name)
            sheet = self._emptied(sheet, column, chosen)
            if self.header:
                sheet = _without_header(sheet, column)
        return sheet

    def _emptied(self, sheet: Sheet, column: str, chosen: pl.Series | None) -> Sheet:
        """Empty the chosen cells of a column; all of them if none are chosen by a rule."""
        cells = sheet.frame[column]
        if self.symbol is not None:
            cells = spelt_numbers(cells, sheet.decimal) if cells.dtype.is_float() else as_text(cells)
        is_kept = pl.repeat(False, len(cells), eager=True) if chosen is None else ~chosen
        n_emptied = int((~is_kept & cells.is_not_null()).sum())
        if self.symbol is None:
            instead = cells.clear(len(cells))
        else:
            # A missing cell is no value: it stays missing, where a symbol would claim that something was there.
            instead = pl.repeat(self.symbol, len(cells), eager=True).zip_with(cells.is_not_null(), cells)
        change = Change(
            column,
            "blanked" if self.is_whole else "hidden",  # what some cells still hold is not gone
            None if self.symbol is None else Category(),
            sources=self._read,
        )
        blanked = sheet.with_column(cells.zip_with(is_kept, instead), change)
        if chosen is None:
            return blanked
        return blanked.noting(
            Finding(
                "CELLS_BLANKED",
                "note",
                "{count} of {cells} cells of '{column}' were emptied.",
                column,
                {"count": n_emptied, "cells": len(cells) - cells.null_count()},
            )
        )


def _without_header(sheet: Sheet, column: str) -> Sheet:
    """Give a column the shortest name of blanks that is free."""
    blank = " "  # Polars has no columns without a name
    while blank in sheet.frame.columns:
        blank += " "
    changes = (*sheet.changes[:-1], Change(column, "removed"), Change(blank, "blanked"))
    return replace(sheet, frame=sheet.frame.rename({column: blank}), changes=changes)
