"""Traps: what a table that seems safe still gives away. One file per trap; none prints a cell value."""

from __future__ import annotations

from celosia.findings import Finding
from celosia.traps.base import Published, Trap, Values

__all__ = ["TRAPS", "Published", "Trap", "Values", "trapped"]

TRAPS: tuple[Trap, ...] = ()


def trapped(published: Published) -> list[Finding]:
    """Return what every trap finds in a published table.

    Examples
    --------
    >>> import polars as pl
    >>> trapped(Published(pl.DataFrame({"age": ["30-39"] * 3})))
    []
    """
    return [finding for trap in TRAPS for finding in trap(published)]
