"""What the reproduction says, in English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from celosia.apps.exam_paper import english, spanish
from celosia.apps.exam_paper.verdicts import Status, Verdict

Language = Literal["en", "es"]

_MESSAGES: dict[Language, dict[str, str]] = {"en": english.MESSAGES, "es": spanish.MESSAGES}


def word(key: str, language: Language, **values: Any) -> str:
    """Return a text of the catalogue with its figures filled in.

    Examples
    --------
    >>> word("real", "es")
    'notas reales'
    """
    return localised(_MESSAGES[language][key].format(**values), language)


def status_word(status: Status, language: Language) -> str:
    """Return how a statement fares, in words.

    Examples
    --------
    >>> status_word("out_of_reach", "en")
    'out of reach'
    """
    return word(f"status.{status}", language)


def sentence(verdict: Verdict, language: Language) -> str:
    """Return a verdict in plain words.

    Examples
    --------
    >>> sentence(Verdict("seconds", "holds", {"n_runs": 4, "slowest": 0.0125}), "es")
    'Impreso: ambos tardan menos de un segundo. La más lenta de 4 búsquedas ha tardado 0,013 s aquí.'
    """
    figures = {
        name: _by_marks(value, language, ".1f" if name == "factor" else ".2%") if isinstance(value, dict) else value
        for name, value in verdict.figures.items()
    }
    return word(f"{verdict.statement}.{verdict.status}", language, **figures)


def localised(text: str, language: Language) -> str:
    """Put a blank before each percent sign and, in Spanish, a comma for the decimal point.

    Examples
    --------
    >>> localised("0.52% of 2..40", "es")
    '0,52 % of 2..40'
    """
    spaced = re.sub(r"(?<=\d)%", " %", text)
    return re.sub(r"(?<=\d)\.(?=\d)", ",", spaced) if language == "es" else spaced


def _by_marks(values: Mapping[str, float], language: Language, form: str) -> str:
    """Return ``5.26 % (real marks) and 5.41 % (integer marks)``."""
    return word("and", language).join(f"{value:{form}} ({word(marks, language)})" for marks, value in values.items())
