"""Traps: what a table that seems safe still gives away. One file per trap; none prints a cell value."""

from __future__ import annotations

from celosia.base.findings import Finding
from celosia.measure.traps.almost_homogeneous import almost_homogeneous
from celosia.measure.traps.base import Published, Trap, Values
from celosia.measure.traps.check_digits import check_digits
from celosia.measure.traps.extremes import extremes
from celosia.measure.traps.kept_identifiers import kept_identifiers
from celosia.measure.traps.levels import mixed_levels
from celosia.measure.traps.masked_values import masked_values
from celosia.measure.traps.participants import participants
from celosia.measure.traps.ranges import ranges
from celosia.measure.traps.rare_pairs import rare_pairs
from celosia.measure.traps.rare_values import rare_values
from celosia.measure.traps.row_numbers import row_numbers
from celosia.measure.traps.row_order import row_order
from celosia.measure.traps.suppression_signal import suppression_signal
from celosia.measure.traps.third_persons import third_persons
from celosia.measure.traps.tight_ranges import tight_ranges
from celosia.measure.traps.variants import variants

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
