"""Traps: what a table that seems safe still gives away. One file per trap; none prints a cell value."""

from __future__ import annotations

from celosia.findings import Finding
from celosia.traps.almost_homogeneous import almost_homogeneous
from celosia.traps.base import Published, Trap, Values
from celosia.traps.check_digits import check_digits
from celosia.traps.extremes import extremes
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

__all__ = ["TRAPS", "Published", "Trap", "Values", "trapped"]

TRAPS: tuple[Trap, ...] = (
    third_persons,
    masked_values,
    check_digits,
    rare_values,
    rare_pairs,
    extremes,
    participants,
    almost_homogeneous,
    suppression_signal,
    tight_ranges,
    ranges,
    mixed_levels,
    variants,
    row_numbers,
    row_order,
)
"""Every trap, in the order in which findings are shown."""


def trapped(published: Published) -> list[Finding]:
    """Return what every trap finds in a published table.

    Examples
    --------
    >>> import polars as pl
    >>> trapped(Published(pl.DataFrame({"age": ["30-39"] * 3}), ["age"]))
    []
    """
    return [finding for trap in TRAPS for finding in trap(published)]
