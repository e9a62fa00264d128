"""Columns that read as numbers."""

from __future__ import annotations

from celosia.data.hierarchies import Number
from celosia.data.schema.detectors.base import KindClue, Look

_DECORATED = (
    r"(?i)^[€$£]?\s?[+-]?[0-9]{1,3}(([.,\s'][0-9]{3})+|[0-9]*)([.,][0-9]+)?\s?"
    r"([€$£%]|eur|euros?|usd|kg|cm|h|años)?$"
)


def find_numbers(look: Look) -> KindClue | None:
    """Return the kind of a column of numbers, or ``None``; two numbers alone are rather the names of two things.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_numbers(look_at(pl.Series("x", ["3", "4", "5"]))).reason
    'whole numbers'
    """
    if look.numbers is None or len(look.numbers) <= 2:
        return None
    return KindClue(Number(), "whole numbers" if look.numbers.dtype.is_integer() else "numbers", look.missing_words)


def find_decorated_numbers(look: Look) -> str | None:
    """Return a note for texts that people read as numbers and Celosía does not: thousands marks, units; or ``None``.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_decorated_numbers(look_at(pl.Series("x", ["1.234,50 €", "980,00 €"])))
    'look like numbers with thousands marks or units: write them plainly to have ranges'
    """
    is_decorated = look.is_text and look.share_matching(_DECORATED) >= 0.95 and look.share_matching(r"[^0-9]") > 0
    if is_decorated and look.numbers is None:
        return "look like numbers with thousands marks or units: write them plainly to have ranges"
    return None
