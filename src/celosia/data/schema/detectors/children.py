"""Rows about children, by a column of ages."""

from __future__ import annotations

from fractions import Fraction

import polars as pl

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.io.numbers import parse_numbers
from celosia.data.schema.columns import as_text
from celosia.data.schema.detectors.headers import read_header

ADULT = 18
"""From this age on a person is no child."""


def count_children(column: pl.Series, decimal: str = ".") -> int:
    """Return how many rows are about people under 18 for certain; 0 where the column's name does not say age.

    Numbers from 0 on count, and ranges that end below 18: ``13``, ``10-14``, ``[10, 18)``, ``<18``, not ``10-19``.

    Parameters
    ----------
    column
        A column of numbers, or of texts without blanks around them.
    decimal
        The decimal mark of texts.

    Examples
    --------
    >>> count_children(pl.Series("edad", [13, 40])), count_children(pl.Series("age", ["10-14", "10-19", None]))
    (1, 1)
    >>> count_children(pl.Series("visits", [13, 40]))
    0
    """
    header = read_header(column.name)
    if header is None or header.concept.name != "age" or not (column.dtype.is_numeric() or column.dtype == pl.String):
        return 0
    numbers, n_failed = parse_numbers(column, decimal)
    n_numbers = int(((numbers >= 0) & (numbers < ADULT)).sum())
    if not n_failed:
        return n_numbers
    counts = as_text(column).filter(numbers.is_null()).drop_nulls().alias("text").value_counts(name="n")
    return n_numbers + int(counts.filter([_is_below(text) for text in counts["text"]])["n"].sum())


def _is_below(text: str) -> bool:
    """Tell whether a text is a range of ages that all lie below 18."""
    try:
        found = parse_range(text)
    except HierarchyError:
        return False
    if found.high is None or (found.low is not None and found.low < 0):
        return False
    return found.high < ADULT or (found.high == Fraction(ADULT) and found.high_open)
