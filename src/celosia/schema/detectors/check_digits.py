"""Check digits and letters of numbers that name a person, an account or a card."""

from __future__ import annotations

import re

__all__ = ["is_dni_or_nie", "is_iban", "passes_luhn"]

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_DNI_OR_NIE = re.compile(r"([0-9]{1,2}[0-9]{6}|[XYZ][0-9]{7})([A-Z])")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_MARKS = re.compile(r"[\s.\-]")


def is_dni_or_nie(text: str) -> bool:
    """Tell whether a text is a Spanish DNI or NIE with the right letter: that of the number modulo 23.

    The first letter of a NIE stands for a digit: X, Y, Z = 0, 1, 2. Blanks, points and hyphens are no matter, nor is
    the case.

    Examples
    --------
    >>> is_dni_or_nie("12345678Z"), is_dni_or_nie("X-1234567-L"), is_dni_or_nie("12345678A")
    (True, True, False)
    """
    found = _DNI_OR_NIE.fullmatch(_MARKS.sub("", text).upper())
    if not found:
        return False
    number, letter = found.groups()
    digits = str("XYZ".index(number[0])) + number[1:] if number[0] in "XYZ" else number
    return _LETTERS[int(digits) % 23] == letter


def is_iban(text: str) -> bool:
    """Tell whether a text is an IBAN: country and check digits moved to the end, letters as 10..35, mod 97 = 1.

    Examples
    --------
    >>> is_iban("ES91 2100 0418 4502 0005 1332"), is_iban("ES91 2100 0418 4502 0005 1333")
    (True, False)
    """
    plain = _MARKS.sub("", text).upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def passes_luhn(text: str) -> bool:
    """Tell whether 13 to 19 digits, as of a payment card or a telephone's IMEI, pass Luhn's check.

    From the right every second digit is doubled (less 9 above 9); the sum of all is a multiple of 10.

    Examples
    --------
    >>> passes_luhn("4111 1111 1111 1111"), passes_luhn("4111 1111 1111 1112"), passes_luhn("18")
    (True, False, False)
    """
    plain = _MARKS.sub("", text)
    if not (13 <= len(plain) <= 19 and plain.isascii() and plain.isdigit()):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(plain))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0
