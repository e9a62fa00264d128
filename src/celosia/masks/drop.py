"""Attribute suppression: whole columns removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from celosia.errors import ColumnNotFoundError, OptionError, nearest_column
from celosia.randomness import Randomness

__all__ = ["Drop"]


@dataclass(frozen=True)
class Drop:
    """Remove columns before anything else looks at them.

    Parameters
    ----------
    column, columns
        The column to remove, or several; one of the two.

    Guarantee
    ---------
    No value of the columns is in the output. What other columns tell about them stays.

    Examples
    --------
    >>> Drop(columns=["name"]).apply(pl.DataFrame({"name": ["x"], "age": [1]}), Randomness()).columns
    ['age']
    """

    column: str | None = None
    columns: Sequence[str] = ()
    name: ClassVar[str] = "drop"

    def __post_init__(self) -> None:
        named = self.columns if self.column is None else [self.column]
        given_twice = self.column is not None and self.columns
        if given_twice or not named or isinstance(self.columns, str) or not all(isinstance(one, str) for one in named):
            raise OptionError("drop needs a column, or a list of columns.", hint="write {drop: {columns: [name]}}.")
        object.__setattr__(self, "column", None)
        object.__setattr__(self, "columns", tuple(named))

    def apply(self, frame: pl.DataFrame, randomness: Randomness) -> pl.DataFrame:
        """Return the frame without the columns."""
        for column in self.columns:
            if column not in frame.columns:
                raise ColumnNotFoundError(
                    f"drop: '{column}' is not a column.", hint=nearest_column(column, frame.columns), about="masks"
                )
        return frame.drop(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns."""
        return {"columns": list(self.columns)}
