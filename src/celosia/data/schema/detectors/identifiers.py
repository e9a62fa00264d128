"""Cells that name a person by their form: identity numbers, e-mails, telephones, accounts, cards, addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from celosia.data.schema.detectors.base import Clue, Look, percent
from celosia.data.schema.detectors.check_digits import is_cedula, is_dni_or_nie, is_iban, is_nit, passes_luhn

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


@dataclass(frozen=True)
class _Form:
    """A form of cells.

    Attributes
    ----------
    least, least_values
        From which share of cells and how many distinct ones on it decides; 0: a single cell is enough.
    """

    what: str
    pattern: str
    least: float = 0.0
    least_values: int = 1
    check: Callable[[str], bool] | None = None
    per_person: bool = False


_FORMS = (
    _Form("hold an e-mail address", r"[^\s@]@[^\s@]+\.[A-Za-z]{2,}"),
    _Form(
        "are a DNI or NIE with the right check letter",
        r"^([0-9]{1,2}[.\s]?[0-9]{3}[.\s]?[0-9]{3}|[XYZxyz][.\s-]?[0-9]{7})[\s-]?[A-Za-z]$",
        check=is_dni_or_nie,
        per_person=True,
    ),
    _Form(
        "hold digits and a letter like a DNI or NIE", r"(?i)\b([0-9]{8}|[XYZ]-?[0-9]{7})-?[TRWAGMYFPDXBNJZSQVHLCKE]\b"
    ),
    _Form("are an IBAN with the right check digits", r"^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9\s-]{11,40}$", check=is_iban),
    _Form("are a card number or IMEI by Luhn's check", r"^[0-9][0-9\s-]{11,22}[0-9]$", 0.5, check=passes_luhn),
    _Form("hold the machine-readable line of a passport", r"[A-Z0-9<]{30}", check=has_machine_readable_line),
    _Form(
        "are a NIT with the right check digit",
        r"^([0-9]{8,10}|[0-9]{1,3}(\.[0-9]{3}){2,3})\s?-\s?[0-9]$",
        0.5,
        3,
        is_nit,
    ),
    _Form("are a NIT with the right check digit", r"^[0-9]{9,11}$", 0.8, 5, is_nit),
    _Form("are a cédula with the right check digit", r"^[0-9]{9}-?[0-9]$", 0.5, 3, is_cedula, per_person=True),
    _Form("are a social security number", r"^[0-9]{3}-[0-9]{2}-[0-9]{4}$", 0.1, per_person=True),
    _Form("are a network address", r"^([0-9]{1,3}\.){3}[0-9]{1,3}$|^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$", 0.1),
    _Form("are a web address or account name", r"(?i)^(https?://|www\.)\S+$|^@\w{2,}$", 0.1),
    _Form("are a number plate", r"^[0-9]{4}[\s-]?[BCDFGHJKLMNPRSTVWXYZ]{3}$", 0.5),
    _Form("are a street address", r"(?i)^(c/|calle|avda?\.?|avenida|plaza|pza\.?|paseo|camino|ronda)\s+\S", 0.3),
    _Form("are a street address", r"(?i)^[0-9]+\s+\S.*\b(street|st|road|rd|avenue|ave|lane|ln|drive|dr)\b", 0.3),
    _Form("are a long random code", r"(?i)^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$|^[0-9a-f]{24,}$", 0.1),
    _Form("are an identifier with hidden characters", r"^[*#•]{2,}[\w-]+$|^[\w-]+[*#•]{2,}\w*$|^X{3,}\d+\w?$", 0.5),
)


_LEAST_PASSPORTS = 0.5
_LEAST_SERIES = 0.25
_ENOUGH_SERIES = 20


def find_identifier(look: Look, *, is_measured: bool = False) -> Clue | None:
    """Return why the cells of a column name people by their form, or ``None``.

    Forms that are right by a check letter or by two check digits, and e-mail addresses, decide from a single cell on,
    since one published cell is one person too many; forms that other data can have by chance decide from a share of the
    cells on.

    Parameters
    ----------
    look
        The column.
    is_measured
        Whether the header says that its numbers are an amount: then bare digits without a check are no telephones.

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_identifier(look_at(pl.Series("x", ["12345678Z", "00000000T"]))).reason
    '100 % of cells are a DNI or NIE with the right check letter'
    >>> find_identifier(look_at(pl.Series("x", ["red", "blue"]))) is None
    True
    """
    if look.is_fractional or look.distinct.dtype.is_temporal():
        return None
    for form in _FORMS:
        fitting = _fitting(look, form)
        share = look.share(fitting)
        if share > 0 and share >= form.least and int(fitting.sum()) >= form.least_values:
            return Clue(f"{percent(share)} of cells {form.what}", form.per_person and share == 1, share)
    return find_telephones(look, is_measured=is_measured) or _passports(look)


def _fitting(look: Look, form: _Form) -> pl.Series:
    fitting = look.texts.str.contains(form.pattern)
    if form.check is None or not fitting.any():
        return fitting
    checked = [fits and form.check(text) for fits, text in zip(fitting, look.texts, strict=True)]
    return pl.Series(checked, dtype=pl.Boolean)


def _passports(look: Look) -> Clue | None:
    """Return why cells are passport numbers: half of them have the form, with many different letters."""
    if look.numbers is not None:
        return None
    series = [passport_series(text) for text in look.texts]
    fitting = [one is not None for one in series]
    share = look.share(pl.Series(fitting, dtype=pl.Boolean))
    n_series = len({one for one in series if one is not None})
    if share < _LEAST_PASSPORTS or n_series < min(_LEAST_SERIES * sum(fitting), _ENOUGH_SERIES) or n_series < 2:
        return None
    return Clue(f"{percent(share)} of cells are a passport number", share == 1, share)
