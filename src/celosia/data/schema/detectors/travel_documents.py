"""Numbers and machine-readable lines of passports and identity cards."""

from __future__ import annotations

import re

# Two lines of a passport (44 signs) or an older card (36), three of an identity card (30): ICAO Doc 9303. Digits of one
# place over the fields that they check.
_NUMBER_LINE = re.compile(
    r"(?P<number>[A-Z0-9<]{9})(?P<check1>[0-9])[A-Z<]{3}(?P<birth>[0-9<]{6})(?P<check2>[0-9])[MFX<]"
    r"(?P<expiry>[0-9]{6})(?P<check3>[0-9])([A-Z0-9<]{8}|[A-Z0-9<]{16})"
)
_CARD_LINE = re.compile(
    r"(?P<birth>[0-9<]{6})(?P<check2>[0-9])[MFX<](?P<expiry>[0-9]{6})(?P<check3>[0-9])[A-Z<]{3}[A-Z0-9<]{11}[0-9]"
)
_NAME_LINE = re.compile(r"P[A-Z<][A-Z<]{3}[A-Z<]{39}|[IAC][A-Z<][A-Z<]{3}[A-Z<]{31}|[A-Z<]{30}")
_WEIGHTS = (7, 3, 1)
_SERIES = re.compile(r"([A-Z]{2,3})[0-9]{6,7}[A-Z]?|[0-9]{2}([A-Z]{2})[0-9]{5}")


def has_machine_readable_line(text: str) -> bool:
    """Tell whether a text holds a line that passports and identity cards show to machines.

    A line of names has ``<<`` between surname and given names. A line of numbers has right check digits for the number,
    the birth and the expiry: the signs (0 .. 9, A .. Z = 10 .. 35, < = 0) times 7, 3, 1, 7, ... modulo 10.

    Examples
    --------
    >>> has_machine_readable_line("L898902C36UTO7408122F1204159ZE184226B<<<<<10")
    True
    >>> has_machine_readable_line("L898902C37UTO7408122F1204159ZE184226B<<<<<10")
    False
    >>> has_machine_readable_line("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<")
    True
    """
    return any(_is_line(line) for line in text.split())


def _is_line(line: str) -> bool:
    if _NAME_LINE.fullmatch(line):
        return bool(re.search(r"[A-Z]<<[A-Z]", line))
    found = _NUMBER_LINE.fullmatch(line) or _CARD_LINE.fullmatch(line)
    if not found:
        return False
    parts = found.groupdict()
    checks = (("number", "check1"), ("birth", "check2"), ("expiry", "check3"))
    return all(_check_digit(parts[field]) == int(parts[digit]) for field, digit in checks if field in parts)


def _check_digit(field: str) -> int:
    values = (0 if sign == "<" else int(sign, 36) for sign in field)
    return sum(value * _WEIGHTS[place % 3] for place, value in enumerate(values)) % 10


def passport_series(text: str) -> str | None:
    """Return the letters of a text of the form of a passport number, such as AAA000000, or ``None``.

    Spain and others number passports by letters and six or seven digits, France by two digits, two letters and five
    digits. The letters differ from one passport to the next, while codes of other things share them.

    Examples
    --------
    >>> passport_series("PAB123456"), passport_series("12AB34567"), passport_series("A-12")
    ('PAB', 'AB', None)
    """
    found = _SERIES.fullmatch(text)
    return (found[1] or found[2]) if found else None
