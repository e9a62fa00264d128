"""Options that are numbers: read as Python's own, and refused in one way where they are none."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from celosia.base.errors import OptionError


def plain_number(got: object) -> int | float | None:
    """Return a finite number as Python's own, so that a claim can spell it; ``None`` for anything else.

    Examples
    --------
    >>> plain_number(np.float64(0.5)), plain_number(True)
    (0.5, None)
    """
    if isinstance(got, bool | np.bool_) or not isinstance(got, int | float | np.integer | np.floating):
        return None
    number = int(got) if isinstance(got, Integral) else float(str(got))
    return number if abs(number) < float("inf") else None


def whole_number(got: object) -> int | None:
    """Return a whole number as Python's own; ``None`` for anything else, 2.0 included.

    Examples
    --------
    >>> whole_number(2), whole_number(2.0)
    (2, None)
    """
    return int(got) if isinstance(got, Integral) and not isinstance(got, bool) else None


def checked_whole(option: str, got: object, least: int, hint: str | None = None) -> int:
    """Return a whole number that is not too small, or raise ``OptionError``.

    Examples
    --------
    >>> checked_whole("k", 3, 2)
    3
    """
    number = whole_number(got)
    if number is None or number < least:
        raise OptionError(f"{option} must be a whole number from {least}.", hint=hint, about=option)
    return number
