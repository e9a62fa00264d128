"""Attribute suppression: whole columns removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from celosia.masks.base import Leaves, Sheet
from celosia.masks.options import OnColumns


@dataclass(frozen=True)
class Drop(OnColumns):
    """Remove columns before anything else looks at them.

    In a plan a column goes as soon as no mask needs it any more, wherever ``drop`` stands in the list.

    Parameters
    ----------
    column, columns
        The column to remove, or several; one of the two.

    Guarantee
    ---------
    No value of the columns is in the output. What other columns tell about them stays.

    Raises
    ------
    OptionError
        No column is named, or one is named twice.

    Examples
    --------
    >>> import polars as pl
    >>> Drop(columns=["name"]).apply(pl.DataFrame({"name": ["x"], "age": [1]})).columns
    ['age']
    """

    name: ClassVar[str] = "drop"
    leaves: ClassVar[Leaves] = Leaves(
        "reduced",
        "Other columns may still tell what a removed column held, alone or together; they remain as they are.",
    )

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet without the columns."""
        for column in self.columns:
            sheet.column(column, self.name)
        return sheet.without(list(self.columns))
