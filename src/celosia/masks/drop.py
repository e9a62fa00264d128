"""Attribute suppression: whole columns removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from celosia.errors import ColumnNotFoundError, OptionError, nearest
from celosia.randomness import Randomness

__all__ = ["Drop"]


@dataclass(frozen=True)
class Drop:
    """Remove columns before anything else looks at them.

    Parameters
    ----------
    columns
        The names of the columns to remove.

    Guarantee
    ---------
    No value of the columns is in the output. What other columns tell about them stays.

    Examples
    --------
    >>> Drop(columns=["name"]).apply(pl.DataFrame({"name": ["x"], "age": [1]}), Randomness()).columns
    ['age']
    """

    columns: Sequence[str]
    name: ClassVar[str] = "drop"

    def __post_init__(self) -> None:
        if isinstance(self.columns, str) or not self.columns or not all(isinstance(one, str) for one in self.columns):
            raise OptionError("drop needs a list of columns.", hint="write {drop: {columns: [name]}}.")
        object.__setattr__(self, "columns", tuple(self.columns))

    def apply(self, frame: pl.DataFrame, randomness: Randomness) -> pl.DataFrame:
        """Return the frame without the columns."""
        for column in self.columns:
            if column not in frame.columns:
                raise ColumnNotFoundError(f"drop: '{column}' is not a column.", hint=nearest(column, frame.columns))
        return frame.drop(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns."""
        return {"columns": list(self.columns)}
