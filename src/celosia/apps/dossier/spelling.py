"""Plain values of a project as rows of a table: names for people, numbers and dates as the language has them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction

from celosia.report.language import Language

Row = tuple[str, list[str]]
"""A name, and the lines that stand beside it."""

UNWRITTEN = "..."
"""What a project file has where a text is still to be written."""

_SHARES = frozenset(
    {
        *("threshold", "attempt", "risk", "risk_before", "risk_after"),
        *("gcp", "max_loss", "share_suppressed", "max_suppression"),
    }
)


def label_of(key: str, language: Language) -> str:
    """Return what a key of the project file or of its evidence is called.

    Examples
    --------
    >>> label_of("n_rows", Language("en")), label_of("own_key", Language("en"))
    ('rows', 'own key')
    """
    _ = language.text
    known = {
        "input": _("input"),
        "output": _("data file"),
        "columns": _("columns"),
        "masks": _("masks"),
        "published": _("columns published"),
        "called": _("what the result is called"),
        "risk": _("greatest risk"),
        "risk_before": _("greatest risk before"),
        "risk_after": _("greatest risk after"),
        "k": "k",
        "smallest": _("people in the smallest class"),
        "n_rows": _("rows"),
        "n_columns": _("columns"),
        "n_published": _("rows published"),
        "n_classes": _("classes"),
        "scenarios": _("scenarios"),
        "audit": _("verifier"),
        "versions": _("versions"),
        "sha256": "SHA-256",
        "gcp": _("information lost (GCP)"),
    }
    return known.get(key, key.replace("_", " "))


def lines_of(value: object, language: Language, key: str = "") -> list[str]:
    """Return a value as lines of text; ``key`` tells whether a number is a share.

    Examples
    --------
    >>> lines_of({"gcp": 0.25, "n_rows": 1200}, Language("en"))
    ['information lost (GCP): 25%', 'rows: 1,200']
    """
    if isinstance(value, Mapping):
        return [
            f"{label_of(str(name), language)}: {'; '.join(lines_of(one, language, str(name)))}"
            for name, one in value.items()
        ]
    if isinstance(value, list | tuple):
        return [", ".join(line for one in value for line in lines_of(one, language, key))]
    return [_spelt(value, language, key)]


def day(moment: date, language: Language) -> str:
    """Spell a day in words.

    Examples
    --------
    >>> day(date(2027, 11, 15), Language("en"))
    '15 November 2027'
    """
    return language.date(datetime(moment.year, moment.month, moment.day))


def _spelt(value: object, language: Language, key: str) -> str:
    _ = language.text
    if value is None or value in ("", UNWRITTEN):
        return "\N{EM DASH}"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Fraction) or (key in _SHARES and isinstance(value, int | float)):
        return language.percent(float(value))
    if isinstance(value, int):
        return language.whole(value)
    if isinstance(value, float):
        return language.number(value)
    if isinstance(value, date):
        return day(value, language)
    return str(value)
