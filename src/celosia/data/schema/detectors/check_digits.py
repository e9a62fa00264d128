"""Check digits and letters of numbers that name a person, an account, a card, a company or a book.

Every scheme here is of one form: each character of the body adds a residue, and their sum modulo ``m`` decides the
check characters. That is enough to tell right numbers from wrong ones, and to count the numbers that fit what a mask
leaves visible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_DNI_OR_NIE = re.compile(r"([0-9]{1,2}[0-9]{6}|[XYZ][0-9]{7})([A-Z])")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_CEDULA = re.compile(r"(0[1-9]|1[0-9]|2[0-4]|30)[0-5][0-9]{7}")
_NIT_WEIGHTS = (3, 7, 13, 17, 19, 23, 29, 37, 41, 43)
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_MARK = re.compile(r"[\s.\-]")


@dataclass(frozen=True)
class Parts:
    """What a scheme sees in a number without marks.

    Attributes
    ----------
    places, tables
        The places of the body that can differ, and for each the residues of all characters that could stand there.
    own
        The residues of the characters that do stand there.
    check
        The places of the check characters.
    fixed
        What places add that everybody knows, such as the country of an IBAN.
    """

    places: tuple[int, ...]
    tables: tuple[tuple[int, ...], ...]
    own: tuple[int, ...]
    check: tuple[int, ...]
    fixed: int = 0


@dataclass(frozen=True)
class Reading:
    """A text of the form of a scheme; its places count the characters of the text, marks included.

    Attributes
    ----------
    parts
        What the scheme sees.
    check
        The check characters that the text has.
    is_right
        Whether they are those of the body.
    """

    parts: Parts
    check: str
    is_right: bool


@dataclass(frozen=True)
class Scheme:
    """A rule that gives check characters to the residue of a body.

    Attributes
    ----------
    name
        What it is called in any language.
    modulus
        How many residues there are.
    checks
        The check characters of each residue.
    parse
        Takes a number without marks in capitals apart; ``None`` for other texts.
    least_share, least_values
        From which share of right values on a column follows the scheme, and from how many: a number of bare digits
        is right by chance now and then.

    Examples
    --------
    >>> [scheme.name for scheme in SCHEMES]
    ['DNI/NIE', 'IBAN', 'ISBN-13', 'Luhn', 'cédula', 'NIT', 'ISBN-10']
    """

    name: str
    modulus: int
    checks: tuple[str, ...]
    parse: Callable[[str], Parts | None]
    least_share: float = 0.5
    least_values: int = 1

    def read(self, text: str) -> Reading | None:
        """Return how the scheme reads a text; ``None`` where it is of another form.

        Blanks, points and hyphens are no matter, nor is the case.
        """
        if not text.isascii():
            return None
        places = [place for place, sign in enumerate(text) if not _MARK.match(sign)]
        plain = "".join(text[place] for place in places).upper()
        parts = self.parse(plain)
        if parts is None:
            return None
        check = "".join(plain[place] for place in parts.check)
        is_right = self.checks[(parts.fixed + sum(parts.own)) % self.modulus] == check
        if len(places) < len(text):
            parts = Parts(
                _moved(parts.places, places), parts.tables, parts.own, _moved(parts.check, places), parts.fixed
            )
        return Reading(parts, check, is_right)

    def fits(self, text: str) -> bool:
        """Tell whether a text is of the form of the scheme with the right check characters."""
        reading = self.read(text)
        return reading is not None and reading.is_right


def is_dni_or_nie(text: str) -> bool:
    """Tell whether a text is a Spanish DNI or NIE with the right letter: that of the number modulo 23.

    The first letter of a NIE stands for a digit: X, Y, Z = 0, 1, 2. Blanks, points and hyphens are no matter, nor is
    the case.

    Examples
    --------
    >>> is_dni_or_nie("12345678Z"), is_dni_or_nie("X-1234567-L"), is_dni_or_nie("12345678A")
    (True, True, False)
    """
    return _DNI.fits(text)


def is_iban(text: str) -> bool:
    """Tell whether a text is an IBAN: country and 00 moved to the end, letters as 10..35, check = 98 - (it mod 97).

    Examples
    --------
    >>> is_iban("ES91 2100 0418 4502 0005 1332"), is_iban("ES91 2100 0418 4502 0005 1333")
    (True, False)
    """
    return _ACCOUNT.fits(text)


def passes_luhn(text: str) -> bool:
    """Tell whether 13 to 19 digits, as of a payment card or a telephone's IMEI, pass Luhn's check.

    From the right every second digit is doubled (less 9 above 9); the sum of all is a multiple of 10.

    Examples
    --------
    >>> passes_luhn("4111 1111 1111 1111"), passes_luhn("4111 1111 1111 1112"), passes_luhn("18")
    (True, False, False)
    """
    return _LUHN.fits(text)


def is_nit(text: str) -> bool:
    """Tell whether a text is a Colombian NIT of 8 to 10 digits and the right check digit.

    r = the sum of the digits times 3, 7, 13, 17, ... from the right, modulo 11; below 2 it is r, else 11 - r.

    Examples
    --------
    >>> is_nit("800.197.268-4"), is_nit("800197268-5")
    (True, False)
    """
    return _NIT.fits(text)


def is_cedula(text: str) -> bool:
    """Tell whether a text is an Ecuadorian cédula: province 01 to 24 or 30, a third digit below 6, Luhn's check.

    A Colombian cédula has no check digit: only its header tells it from another number.

    Examples
    --------
    >>> is_cedula("171003406-5"), is_cedula("1710034066"), is_cedula("2510034065")
    (True, False, False)
    """
    return _IDENTITY_CARD.fits(text)


def is_isbn(text: str) -> bool:
    """Tell whether a text is an ISBN of 10 characters (weights 10 .. 1, modulo 11) or 13 digits (1 and 3, modulo 10).

    Examples
    --------
    >>> is_isbn("84-376-0494-X"), is_isbn("978-84-376-0494-7"), is_isbn("84-376-0494-1")
    (True, True, False)
    """
    return _ISBN_10.fits(text) or _ISBN_13.fits(text)


def _moved(places: tuple[int, ...], to: list[int]) -> tuple[int, ...]:
    return tuple(to[place] for place in places)


@lru_cache(maxsize=1024)
def _digits(weight: int, modulus: int) -> tuple[int, ...]:
    return tuple(weight * digit % modulus for digit in range(10))


def _of_digits(digits: str, tables: Iterable[tuple[int, ...]], check: int, start: int = 0, fixed: int = 0) -> Parts:
    """Return the parts of a number whose body is digits alone, from the place ``start`` on."""
    known = tuple(tables)
    own = tuple(table[int(digit)] for table, digit in zip(known, digits, strict=True))
    return Parts(tuple(range(start, start + len(digits))), known, own, (check,), fixed)


def _parse_dni(plain: str) -> Parts | None:
    found = _DNI_OR_NIE.fullmatch(plain)
    if not found:
        return None
    body = found[1]
    tables = [_digits(pow(10, power, 23), 23) for power in reversed(range(len(body)))]
    if body[0] in "XYZ":
        tables[0] = tables[0][:3]
        body = str("XYZ".index(body[0])) + body[1:]
    return _of_digits(body, tables, len(body))


@lru_cache(maxsize=1024)
def _letters(weight: int) -> tuple[int, ...]:
    return tuple(weight * letter % 97 for letter in range(10, 36))


def _parse_iban(plain: str) -> Parts | None:
    if not _IBAN.fullmatch(plain):
        return None
    tables, own, power = [], [], 6  # after the account stand the country, of four digits, and 00
    for sign in reversed(plain[4:]):
        weight, number = pow(10, power, 97), int(sign, 36)
        table = _digits(weight, 97) if number < 10 else _letters(weight)
        tables.append(table)
        own.append(table[number if number < 10 else number - 10])
        power += 1 if number < 10 else 2
    country = (int(plain[0], 36) * 100 + int(plain[1], 36)) * 100
    return Parts(tuple(range(4, len(plain))), tuple(reversed(tables)), tuple(reversed(own)), (2, 3), country % 97)


def _parse_luhn(plain: str) -> Parts | None:
    if not (13 <= len(plain) <= 19 and plain.isdigit()):
        return None
    return _of_digits(plain[:-1], _luhn_tables(len(plain) - 1), len(plain) - 1)


def _luhn_tables(length: int) -> list[tuple[int, ...]]:
    return [_DOUBLED if (length - place) % 2 else _digits(1, 10) for place in range(length)]


def _parse_cedula(plain: str) -> Parts | None:
    if not _CEDULA.fullmatch(plain):
        return None
    tables = _luhn_tables(9)
    tables[0], tables[2] = tables[0][:4], tables[2][:6]
    return _of_digits(plain[:9], tables, 9)


def _parse_nit(plain: str) -> Parts | None:
    if not (9 <= len(plain) <= 11 and plain.isdigit()):
        return None
    body = plain[:-1]
    return _of_digits(body, [_digits(weight, 11) for weight in reversed(_NIT_WEIGHTS[: len(body)])], len(body))


def _parse_isbn_10(plain: str) -> Parts | None:
    if len(plain) != 10 or not plain[:9].isdigit() or plain[9] not in "0123456789X":
        return None
    return _of_digits(plain[:9], [_digits(weight, 11) for weight in range(10, 1, -1)], 9)


def _parse_isbn_13(plain: str) -> Parts | None:
    if len(plain) != 13 or not plain.isdigit() or plain[:3] not in ("978", "979"):
        return None
    fixed = int(plain[0]) + 3 * int(plain[1]) + int(plain[2])
    return _of_digits(plain[3:12], [_digits(1 if place % 2 == 0 else 3, 10) for place in range(3, 12)], 12, 3, fixed)


_COMPLEMENTS = tuple(str(-residue % 10) for residue in range(10))
_DNI = Scheme("DNI/NIE", 23, tuple(_LETTERS), _parse_dni)
_ACCOUNT = Scheme("IBAN", 97, tuple(f"{98 - residue:02d}" for residue in range(97)), _parse_iban)
_ISBN_13 = Scheme("ISBN-13", 10, _COMPLEMENTS, _parse_isbn_13)
_LUHN = Scheme("Luhn", 10, _COMPLEMENTS, _parse_luhn, least_share=0.8)
_IDENTITY_CARD = Scheme("cédula", 10, _COMPLEMENTS, _parse_cedula, 0.8, 2)
_NIT = Scheme("NIT", 11, ("0", "1", *map(str, range(9, 0, -1))), _parse_nit, 0.8, 2)
_ISBN_10 = Scheme("ISBN-10", 11, tuple("0X987654321"), _parse_isbn_10, 0.8, 2)

SCHEMES = (_DNI, _ACCOUNT, _ISBN_13, _LUHN, _IDENTITY_CARD, _NIT, _ISBN_10)
"""All schemes; those whose form other data hardly have come first."""
