"""Language: the message catalogue, and numbers and dates as people write them."""

from __future__ import annotations

import gettext
import re
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from celosia.base.errors import OptionError, nearest

LANGUAGES = ("en", "es")
"""The languages of reports; English is that of the message keys."""

_CATALOGUE = Path(__file__).parent / "locale"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_SIGNIFICANT = 3
_SOUNDS_LIKE_Y = re.compile(r"h?[ií](?!e)", re.IGNORECASE)


def check_language(lang: str) -> str:
    """Return the language of a report, or raise ``OptionError``.

    Examples
    --------
    >>> check_language("es")
    'es'
    """
    if lang not in LANGUAGES:
        raise OptionError(f"there is no report in '{lang}'.", hint=nearest(lang, LANGUAGES))
    return lang


class Language:
    r"""What a report needs to speak one language.

    Parameters
    ----------
    code
        ``en`` or ``es``.
    places
        What fills places of this name in every message.

    Examples
    --------
    >>> spanish = Language("es")
    >>> spanish.text("Contents"), spanish.percent(0.025), spanish.whole(30162)
    ('Contenido', '2,5\xa0%', '30\xa0162')
    """

    def __init__(self, code: str, **places: object) -> None:
        self.code = check_language(code)
        self._places = places
        self._messages = _messages(code)
        self._decimal, self._thousands = (",", _NO_BREAK) if code == "es" else (".", ",")

    def text(self, message: str, **places: object) -> str:
        """Return the message in this language, its places filled."""
        said, filled = self._messages.gettext(message), {**self._places, **places}
        return said.format(**filled) if filled else said

    def plural(self, one: str, many: str, n: int, **places: object) -> str:
        """Return the message for ``n`` things; the place ``{n}`` is filled with the number as it is spelt."""
        return self._messages.ngettext(one, many, n).format(**{**self._places, **places, "n": self.whole(n)})

    def about(self, **places: object) -> Language:
        """Return the same language for several messages about one thing: these places are filled in all of them.

        Examples
        --------
        >>> Language("en").about(k=5).text("{k}-anonymity")
        '5-anonymity'
        """
        return Language(self.code, **{**self._places, **places})

    def whole(self, value: int) -> str:
        """Spell a whole number: 30,162; in Spanish groups are parted by a space from five digits on."""
        if self.code == "es" and abs(value) < 10_000:
            return str(value)
        return f"{value:,}".replace(",", self._thousands)

    def number(self, value: float) -> str:
        """Spell a number of few digits, such as the edge of a bar."""
        if float(value).is_integer() and abs(value) < 1e15:
            return self.whole(int(value)) if abs(value) >= 10_000 else str(int(value))
        return f"{value:.6g}".replace(".", self._decimal)

    def decimal(self, value: float, digits: int = 4) -> str:
        """Spell a fraction: 0.0588."""
        return f"{value:.{digits}f}".replace(".", self._decimal)

    def percent(self, share: float) -> str:
        """Spell a share of one to three digits; what is not nothing never reads as 0, what is not all never as 100."""
        figure = f"{100 * share:.{_SIGNIFICANT}g}"
        if 0 < share < 1e-5:
            figure = "< 0.001"
        elif share < 1 and figure == "100":
            figure = "> 99.9"
        space = _NO_BREAK if self.code == "es" else ""
        return f"{figure}{space}%".replace(".", self._decimal)

    def share(self, value: float | Fraction | None) -> str:
        """Spell a share that may be undefined."""
        return self.text("undefined") if value is None else self.percent(float(value))

    def chance(self, people: int) -> str:
        """Spell 1 / people exactly and as a percentage: 1/40 = 2.5%."""
        sign = "=" if round(100 / people, 6) == float(f"{100 / people:.{_SIGNIFICANT}g}") else "≈"
        return f"1/{people} {sign} {self.percent(1 / people)}".replace(" ", _NO_BREAK)

    def date(self, moment: datetime) -> str:
        """Spell a date in words: 3 August 2024."""
        months = (
            self.text("January"),
            self.text("February"),
            self.text("March"),
            self.text("April"),
            self.text("May"),
            self.text("June"),
            self.text("July"),
            self.text("August"),
            self.text("September"),
            self.text("October"),
            self.text("November"),
            self.text("December"),
        )
        return self.text("{day} {month} {year}", day=moment.day, month=months[moment.month - 1], year=moment.year)

    def listed(self, names: list[str]) -> str:
        """Join names as a sentence does: a, b and c."""
        if len(names) < 2:
            return "".join(names)
        first, last = ", ".join(names[:-1]), names[-1]
        if self.code == "es" and _SOUNDS_LIKE_Y.match(last):
            return f"{first} e {last}"
        return self.text("{first} and {last}", first=first, last=last)


@lru_cache
def _messages(code: str) -> gettext.NullTranslations:
    if code == "en":
        return gettext.NullTranslations()
    return gettext.translation("celosia", _CATALOGUE, [code])
