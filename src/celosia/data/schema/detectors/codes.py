"""Codes that name a row: row numbers, unique whole numbers, long codes that hardly repeat."""

from __future__ import annotations

import polars as pl

from celosia.data.schema.detectors.base import Clue, Look, percent

_LEAST_ROWS = 20
_LEAST_LENGTH = 6
_LEAST_MEASURED_LENGTH = 8
_LEAST_DISTINCT_SHARE = 0.5
_LEAST_SINGLE_SHARE = 0.3


def find_code(look: Look, *, is_measured: bool = False) -> Clue | None:
    """Return why whole numbers or codes in a column name its rows, or ``None``.

    Row numbers (n numbers one after another), whole numbers of which none repeats in at least 20 rows, and codes of one
    length from 6 characters on, with digits, of which at least half are distinct.

    Parameters
    ----------
    look
        The column.
    is_measured
        Whether the header says that it is an amount, which can well be different for everybody: then only codes of one
        length from 8 characters on count.

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_code(look_at(pl.Series("x", ["3", "1", "2", "4"]))).reason
    'the numbers run from row to row without a gap'
    """
    if look.distinct.dtype.is_temporal() or look.n_known <= 2 or look.is_fractional:
        return None
    whole = look.numbers if look.numbers is not None and (look.numbers >= 0).all() else None
    if whole is not None and len(whole) == look.n_known - look.n_words and not is_measured:
        if _is_running(whole):
            return Clue("the numbers run from row to row without a gap")
        if look.n_known >= _LEAST_ROWS:
            return Clue("whole numbers of which none repeats")
    lengths = look.texts.str.len_chars().unique().to_list()
    is_long = len(lengths) == 1 and lengths[0] >= (_LEAST_MEASURED_LENGTH if is_measured else _LEAST_LENGTH)
    with_digits = look.share_matching(r"^[\w./-]*[0-9][\w./-]*$") == 1
    if is_long and with_digits and look.distinct_share >= _LEAST_DISTINCT_SHARE:
        return Clue(f"codes of one length, {percent(look.distinct_share)} of them distinct")
    return None


def find_near_unique(look: Look, limit: float = _LEAST_SINGLE_SHARE) -> Clue | None:
    """Return why texts are too close to one per row to be published, or ``None``.

    Parameters
    ----------
    look
        A column whose values are neither numbers nor dates.
    limit
        The share of rows with a value of their own from which on the column is refused, in (0, 1].

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_near_unique(look_at(pl.Series("x", ["a", "b", "c", "c"]))).reason
    'texts that nearly name the row (50 % of rows have one of their own)'
    """
    if look.n_distinct < 2 or look.single_share < limit:
        return None
    return Clue(f"texts that nearly name the row ({percent(look.single_share)} of rows have one of their own)")


def _is_running(numbers: pl.Series) -> bool:
    return bool((numbers.sort().diff().drop_nulls() == 1).all())
