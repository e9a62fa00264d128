"""Telephone numbers, told from other numbers of as many digits."""

from __future__ import annotations

import re

from celosia.data.schema.detectors.base import Clue, Look, percent

_WITH_COUNTRY = r"^\(?\+[1-9][0-9\s().\-]{6,18}[0-9]$"
_WITH_ZEROS = r"^00[\s.\-]?[1-9]([\s().\-]?[0-9]){8,13}$"
# A last group of three after a blank is rather the end of an amount: 12 345 678.
_GROUPED = r"^\(?[0-9]{2,4}[)\s\-]{1,2}[0-9]{3}([\s\-]([0-9]{4}|[0-9]{2}([\s\-][0-9]{2})?)|-[0-9]{3})$"
# Spain: 6 and 7 are mobiles, 81 to 88 and 91 to 98 are provinces. Colombia: the operators' mobiles, 60 and the region.
_NATIONAL = (
    r"^((6[0-9]|7[0-9]|8[1-8]|9[1-8])([\s.\-]?[0-9]){7}"
    r"|(30[0-5]|31[0-9]|32[0-4]|333|35[0-3])([\s.\-]?[0-9]){7}"
    r"|60[1-8]([\s.\-]?[0-9]){7})$"
)
_LEAST_WITH_COUNTRY = 0.1
_LEAST_NATIONAL = 0.5
_DENSEST = 0.1
_LEAST_JUDGED = 20


def find_telephones(look: Look, *, is_measured: bool = False) -> Clue | None:
    """Return why cells are telephone numbers, or ``None``.

    A tenth of cells with a plus and a country decides. Without it half of the cells must have the form of numbers of
    Spain or Colombia, and may not be the amounts that the header says, nor run so close to one another as numbers do
    that are given out in turn.

    Parameters
    ----------
    look
        The column.
    is_measured
        Whether the header says that the numbers are an amount.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_telephones(look_at(pl.Series("x", ["612 345 678", "310 555 0123"]))).reason
    '100 % of cells are a telephone number'
    >>> find_telephones(look_at(pl.Series("x", ["512 345 678", "2023"]))) is None
    True
    """
    share = look.share_matching(_WITH_COUNTRY)
    if share < _LEAST_WITH_COUNTRY:
        share = look.share_matching(f"{_WITH_ZEROS}|{_GROUPED}|{_NATIONAL}")
        if share < _LEAST_NATIONAL or is_measured or (look.numbers is not None and _run_close(look)):
            return None
    return Clue(f"{percent(share)} of cells are a telephone number")


def _run_close(look: Look) -> bool:
    """Tell whether numbers follow one another so closely that they were given out in turn."""
    digits = [int(re.sub(r"\D", "", text)) for text in look.texts if re.search(_NATIONAL, text)]
    return len(digits) >= _LEAST_JUDGED and look.n_distinct >= _DENSEST * (max(digits) - min(digits) + 1)
