"""Traps: what a table that seems safe still gives away. One file per trap; none prints a cell value."""

from __future__ import annotations

from celosia.findings import Finding
from celosia.traps.almost_homogeneous import almost_homogeneous
from celosia.traps.base import Published, Trap, Values
from celosia.traps.check_digits import check_digits
from celosia.traps.extremes import extremes
from celosia.traps.kept_identifiers import kept_identifiers
from celosia.traps.levels import mixed_levels
from celosia.traps.masked_values import masked_values
from celosia.traps.participants import participants
from celosia.traps.ranges import ranges
from celosia.traps.rare_pairs import rare_pairs
from celosia.traps.rare_values import rare_values
from celosia.traps.row_numbers import row_numbers
from celosia.traps.row_order import row_order
from celosia.traps.suppression_signal import suppression_signal
from celosia.traps.third_persons import third_persons
from celosia.traps.tight_ranges import tight_ranges
from celosia.traps.variants import variants

__all__ = ["FILE_TRAPS", "TRAPS", "Published", "Trap", "Values", "trapped"]

TRAPS: tuple[Trap, ...] = (
    kept_identifiers,
    third_persons,
    masked_values,
    check_digits,
    rare_values,
    rare_pairs,
    extremes,
    participants,
    almost_homogeneous,
    suppression_signal,
    variants,
    row_numbers,
    row_order,
)
"""Every trap that any published table is searched for, in the order in which findings are shown."""
FILE_TRAPS: tuple[Trap, ...] = (tight_ranges, ranges, mixed_levels)
"""What a file of any origin is searched for as well: of its own ranges and levels a release knows better."""


def trapped(published: Published, traps: tuple[Trap, ...] = TRAPS) -> list[Finding]:
    """Return what traps find in a published table.

    Examples
    --------
    >>> import polars as pl
    >>> trapped(Published(pl.DataFrame({"age": ["30-39"] * 3}), ["age"]))
    []
    """
    return [finding for trap in traps for finding in trap(published)]
