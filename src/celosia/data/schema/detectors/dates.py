"""Columns that read as dates."""

from __future__ import annotations

import datetime

import polars as pl

from celosia.base.errors import InputError
from celosia.data.hierarchies import Dates
from celosia.data.schema.columns import encoded
from celosia.data.schema.detectors.base import KindClue, Look, without_missing

_FIRST_YEAR, _LAST_YEAR = 1800, 2250
_FORM = (
    r"^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}( [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?$"
    r"|^(1[89]|20|21)[0-9]{2}[01][0-9][0-3][0-9]$"
)
_STAMP_FORM = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"
_DAY_LENGTH = 10
_OLDEST = 115
_LEAST_SPAN = 20
"""Dates of birth of people of all ages lie decades apart; those of visits, orders and exams lie closer."""
_UNREAD_FORM = (
    r"(?i)^[0-9]{1,4}[-/. ]([0-9]{1,2}|(de )?[[:alpha:]]{3,10}\.?( de)?)[-/., ]+[0-9]{2,4}([ T].*)?$"
    r"|^[[:alpha:]]{3,10}\.? [0-9]{1,2},? [0-9]{4}$"
)


def find_dates(look: Look) -> KindClue | None:
    """Return the kind of a column of dates, or ``None``.

    Every value must read in one spelling that ``dates`` knows, with years from 1800 to 2250, so that neither two-digit
    years nor eight-digit numbers pass for dates.

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_dates(look_at(pl.Series("x", ["31/12/1999", "01/02/2003"]))).reason
    'dates'
    >>> find_dates(look_at(pl.Series("x", ["01/02/85"]))) is None
    True
    """
    if look.distinct.dtype in (pl.Date, pl.Datetime):
        return KindClue(Dates(), "dates")
    if look.distinct.dtype.is_temporal() or look.distinct.dtype.is_float():
        return None
    days = _days(look)
    plausible = days is not None and days.dt.year().is_between(_FIRST_YEAR, _LAST_YEAR).all()
    return KindClue(Dates(), "dates", without_missing(look.distinct)[1]) if plausible else None


def _days(look: Look) -> pl.Series | None:
    """Return the distinct values as dates, or ``None`` where they are none."""
    if look.distinct.dtype in (pl.Date, pl.Datetime):
        return look.distinct.cast(pl.Date)
    values, _ = without_missing(look.distinct)
    if values.is_empty() or not values.cast(pl.String).str.contains(_FORM).all():
        return None
    if values.dtype == pl.String and values.str.contains(_STAMP_FORM).all():
        values = values.str.head(_DAY_LENGTH).unique()
    try:
        return encoded(values, Dates(), 1.0).values
    except InputError:
        return None


def find_births(look: Look, today: datetime.date | None = None) -> str | None:
    """Return a note for dates that may be dates of birth, or ``None``.

    None lies ahead, none more than 115 years back, and from the 5th to the 95th in a hundred they span 20 years.

    Parameters
    ----------
    look
        A column of dates.
    today
        The day by which ages count; today by default.

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> people = look_at(pl.Series("x", [datetime.date(1940 + year, 5, 7) for year in range(60)]))
    >>> find_births(people)
    'they lie decades apart and back, as dates of birth do, which others may well know'
    """
    days = _days(look)
    if days is None or len(days) < 2:
        return None
    now = today or datetime.date.today()
    years = days.dt.year()
    first, last = years.quantile(0.05), years.quantile(0.95)
    if (days > now).any() or (years < now.year - _OLDEST).any() or first is None or last is None:
        return None
    if last - first < _LEAST_SPAN:
        return None
    return "they lie decades apart and back, as dates of birth do, which others may well know"


def find_unread_dates(look: Look) -> str | None:
    """Return a note for texts that people read as dates and Celosía does not, or ``None``.

    Examples
    --------
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_unread_dates(look_at(pl.Series("x", ["3 de marzo de 2020", "01/02/85"])))
    'look like dates in a spelling that is not read: write them as year-month-day'
    """
    if look.is_text and look.share_matching(_UNREAD_FORM) >= 0.9:
        return "look like dates in a spelling that is not read: write them as year-month-day"
    return None
