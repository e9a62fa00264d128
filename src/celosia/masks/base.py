"""The protocol of a mask: a technique on columns or rows, applied before the search."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

import polars as pl

from celosia.randomness import Randomness

__all__ = ["Mask"]


@runtime_checkable
class Mask(Protocol):
    """A technique. Constructors check and store options."""

    name: ClassVar[str]

    def apply(self, frame: pl.DataFrame, randomness: Randomness) -> pl.DataFrame:
        """Return the masked frame; rows keep their order."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file; never a key."""
        ...
