"""Attribute suppression: whole columns removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.options import named_columns


@dataclass(frozen=True)
class Drop(Technique):
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

    column: str | None = None
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns(self.name, self.column, self.columns))
        object.__setattr__(self, "column", None)

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it removes."""
        return tuple(self.columns)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet without the columns."""
        for column in self.columns:
            sheet.column(column, self.name)
        return sheet.without(list(self.columns))

    def to_dict(self) -> dict[str, Any]:
        """Return the columns."""
        return {"columns": list(self.columns)}
