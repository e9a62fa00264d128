"""How options of scenarios are read, and spelt back as a plan file has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from celosia.base.errors import OptionError, nearest
from celosia.base.numbers import whole_number

_MOST_DIGITS = 15


@contextmanager
def within(option: str) -> Iterator[None]:
    """Let an error about an option say in which other one it stands, such as ``insider.controls``.

    Examples
    --------
    >>> try:
    ...     with within("insider"):
    ...         choice("hgh", "controls", ["low", "high"])
    ... except OptionError as error:
    ...     error.about
    'insider.controls'
    """
    try:
        yield
    except OptionError as error:
        error.about = option if error.about is None else f"{option}.{error.about}"
        raise


def options_in(given: object, name: str, allowed: Sequence[str], needed: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return a mapping that has no other keys than the allowed ones, and all that are needed.

    Examples
    --------
    >>> options_in({"rate": 0.1}, "breach", ["rate", "source"])
    {'rate': 0.1}
    """
    if not isinstance(given, Mapping):
        raise OptionError(f"{name} must be a mapping of names to values.", hint=f"names: {', '.join(allowed)}.")
    for key in given:
        if key not in allowed:
            raise OptionError(f"{name} has no key '{key}'.", hint=nearest(str(key), allowed), about=str(key))
    for key in needed:
        if given.get(key) is None:
            raise OptionError(f"{name} needs '{key}'.", hint=f"it needs {', '.join(needed)}.")
    return given


def choice(got: object, name: str, allowed: Sequence[str]) -> str:
    """Return one of some words.

    Examples
    --------
    >>> choice("low", "harm", ["low", "high"])
    'low'
    """
    if not isinstance(got, str) or got not in allowed:
        raise OptionError(
            f"{name} must be one of {', '.join(allowed)}.",
            hint=nearest(got, allowed) if isinstance(got, str) else None,
            about=name,
        )
    return got


def whole(got: object, name: str, *, least: int, most: int | None = None, hint: str | None = None) -> int:
    """Return a whole number that is not too small, nor too great.

    Examples
    --------
    >>> whole(3, "floor", least=2)
    3
    """
    number = whole_number(got)
    if number is None or number < least or (most is not None and number > most):
        end = "on" if most is None else f"to {most}"
        raise OptionError(f"{name} must be a whole number from {least} {end}.", hint=hint, about=name)
    return number


def flag(got: object, name: str) -> bool:
    """Return true or false.

    Examples
    --------
    >>> flag(True, "strict")
    True
    """
    if not isinstance(got, bool):
        raise OptionError(f"{name} must be true or false.", about=name)
    return got


def spelt(exact: Fraction) -> float | str:
    """Return the decimal number that says just this, or ``1/3`` where none does.

    Examples
    --------
    >>> spelt(Fraction(1, 5)), spelt(Fraction(1, 3))
    (0.2, '1/3')
    """
    number = float(exact)
    return number if Fraction(str(number)) == exact else str(exact)


def fraction_text(exact: Fraction | None) -> str | None:
    """Return ``1/12``; nothing for what is undefined or would fill lines.

    Examples
    --------
    >>> fraction_text(Fraction(1, 12)), fraction_text(None), fraction_text(Fraction(1, 10**20))
    ('1/12', None, None)
    """
    if exact is None or exact.denominator >= 10**_MOST_DIGITS:
        return None
    return str(exact)
