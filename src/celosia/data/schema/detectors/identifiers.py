"""Cells that name a person by their form: identity numbers, e-mails, telephones, accounts, cards, addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from celosia.data.schema.detectors.base import Clue, Look, percent
from celosia.data.schema.detectors.check_digits import is_cedula, is_dni_or_nie, is_iban, is_nit, passes_luhn
from celosia.data.schema.detectors.telephones import find_telephones
from celosia.data.schema.detectors.travel_documents import has_machine_readable_line, passport_series


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
