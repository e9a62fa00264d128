"""The checks that constructors of hierarchies share: each says what was got and what is allowed."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import Any, Literal

from celosia.base.errors import OptionError, nearest

OnMissing = Literal["error", "suppress"]
"""What happens to values that a hierarchy does not know: refuse the column, or leave the rows out of the release."""


def check_choice(option: str, got: object, allowed: Collection[str]) -> None:
    """Raise ``OptionError`` unless ``got`` is one of ``allowed``.

    Examples
    --------
    >>> check_choice("number: publish", "range", ["range", "pair"])
    """
    if got not in allowed:
        raise OptionError(f"{option} is {got!r}; allowed: {', '.join(allowed)}.", hint=nearest(str(got), allowed))


def check_number(option: str, got: object, *, positive: bool = False) -> None:
    """Raise ``OptionError`` unless ``got`` is a finite number (above 0 if ``positive``).

    Examples
    --------
    >>> check_number("intervals: width", 2.5, positive=True)
    """
    is_number = isinstance(got, int | float) and not isinstance(got, bool) and abs(got) <= sys.float_info.max
    if not is_number or (positive and not got > 0):  # type: ignore[operator]
        raise OptionError(f"{option} is {got!r}; it must be a number{' above 0' if positive else ''}.")


def check_count(option: str, got: object, *, least: int) -> None:
    """Raise ``OptionError`` unless ``got`` is a whole number of at least ``least``.

    Examples
    --------
    >>> check_count("intervals: levels", 4, least=1)
    """
    if not isinstance(got, int) or isinstance(got, bool) or got < least:
        raise OptionError(f"{option} is {got!r}; it must be a whole number from {least} on.")


def check_list(option: str, got: object) -> Sequence[Any]:
    """Return ``got`` if it is a list or tuple with at least one entry; raise ``OptionError`` otherwise.

    Examples
    --------
    >>> check_list("prefix: keep", [5, 3, 1])
    [5, 3, 1]
    """
    if not isinstance(got, list | tuple) or not got:
        size = "an empty list" if isinstance(got, list | tuple) else f"of type {type(got).__name__}"
        raise OptionError(f"{option} is {size}; it must be a list with at least one entry.")
    return got


def given(options: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Return the options that differ from their defaults, tuples as lists, as they stand in a plan file.

    Examples
    --------
    >>> given({"keep": (5, 3), "symbol": "*"}, {"symbol": "*"})
    {'keep': [5, 3]}
    """
    return {name: _plain(value) for name, value in options.items() if name not in defaults or value != defaults[name]}


def _plain(value: Any) -> Any:
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value
