"""Scenarios: who might try to re-identify somebody, and how probable that is."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol, runtime_checkable

from celosia.base.errors import OptionError
from celosia.base.wording import Said
from celosia.measure.risk.acquaintance import DUNBAR, acquaintance, exact_share, known_people
from celosia.measure.risk.base import exact_probability
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.reading import choice, options_in, spelt, within

QUESTIONS: Mapping[str, str] = {
    "contract": Said("How willing might a recipient be to break the contract that forbids re-identification?"),
    "money_and_time": Said("What limits of money and time would an attacker have?"),
    "high_profile": Said("Are there people of high profile in the data?"),
    "organisation": Said("What does the structure of the organisation do against it?"),
    "administration": Said("What administrative controls are there, such as contracts?"),
    "technology": Said("What technical and physical measures are there?"),
}
"""What to ask before choosing from the grid: three questions about motivation and resources, three about controls."""

_MOST_BITS = 2**20
"""The longest whole number with which a probability is worth its exactness."""
_NEGLIGIBLE = Fraction(1, 2**64)
"""A probability below which floating point is not asked."""
_ROUNDED_UP = 1 + Fraction(1, 2**48)
"""What a floating-point figure is multiplied with, to lie above the exact one for certain."""


@runtime_checkable
class Scenario(Protocol):
    """Who might try, and how probable it is that they do.

    ``kind`` is the scenario's name in plan files, ``label`` its name for people (in English; the catalogue of
    ``celosia.report`` translates it), ``attempt`` the exact probability.
    """

    kind: ClassVar[str]
    label: ClassVar[str]

    @property
    def attempt(self) -> Fraction:
        """How probable an attempt is."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        ...


@dataclass(frozen=True)
class Insider:
    """A recipient of the data who deliberately tries to re-identify somebody.

    Parameters
    ----------
    controls
        The extent of mitigating controls: high, medium, low or none.
    motivation
        The motivation and resources of the recipient: low, medium or high.
    grid
        How probable an attempt is for each combination.
    answers
        Answers to any of ``QUESTIONS``, for the record.

    Raises
    ------
    OptionError
        An option is not one of these.

    Examples
    --------
    >>> Insider("medium", "high").attempt
    Fraction(3, 10)
    """

    controls: str
    motivation: str
    grid: Grid = field(default_factory=Grid)
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)

    kind: ClassVar[str] = "insider"
    label: ClassVar[str] = Said("deliberate attack by an insider")

    def __post_init__(self) -> None:
        choice(self.controls, "controls", CONTROLS)
        choice(self.motivation, "motivation", MOTIVATIONS)
        if not isinstance(self.grid, Grid):
            raise OptionError("grid must be a Grid.", hint="write Grid({'high': {'low': 0.01}}).", about="grid")
        with within("answers"):
            answers = dict(options_in(self.answers, "answers", tuple(QUESTIONS)))
            for question, answer in answers.items():
                if not isinstance(answer, str) or not answer.strip():
                    raise OptionError(f"the answer about '{question}' must be a text.", about=question)
        object.__setattr__(self, "answers", answers)

    @property
    def attempt(self) -> Fraction:
        """How probable an attempt is, by the grid."""
        return self.grid.attempt(self.controls, self.motivation)

    def to_dict(self) -> dict[str, Any]:
        """Return the options; the grid stands beside the scenario in a plan file."""
        options: dict[str, Any] = {"controls": self.controls, "motivation": self.motivation}
        return options | ({"answers": dict(self.answers)} if self.answers else {})


@dataclass(frozen=True)
class Acquaintance:
    """A recipient who happens to know somebody in the data: ``1 - (1 - q)^m``.

    Parameters
    ----------
    q
        The share of the reference population that is in the data, in [0, 1].
    m
        How many people the recipient knows, from 0 to 10**10.

    Raises
    ------
    OptionError
        ``q`` is no share, or ``m`` no whole number from 0 to 10**10.

    Examples
    --------
    >>> round(float(Acquaintance(q=0.001).attempt), 4)
    0.1394
    """

    q: float | str | Fraction
    m: int = DUNBAR

    kind: ClassVar[str] = "acquaintance"
    label: ClassVar[str] = Said("inadvertent recognition by an acquaintance")

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", exact_share(self.q))
        object.__setattr__(self, "m", known_people(self.m))

    @property
    def attempt(self) -> Fraction:
        """How probable it is that the recipient knows somebody in the data.

        Exact, unless the number would fill pages (thousands of acquaintances): then a little more, and never less.
        """
        share = exact_share(self.q)
        if self.m * share.denominator.bit_length() <= _MOST_BITS:
            return 1 - (1 - share) ** self.m
        expected = share * self.m  # acquaintances in the data: never below the chance that there is any
        if expected < _NEGLIGIBLE:
            return expected
        return min(_ROUNDED_UP * Fraction(acquaintance(share, self.m)), expected, Fraction(1))

    def to_dict(self) -> dict[str, Any]:
        """Return the options by their names in plan files."""
        return {"share": spelt(exact_share(self.q)), "known": self.m}


@dataclass(frozen=True)
class Breach:
    """The data are stolen or leak from the recipient's systems, and whoever gets them tries.

    There is no default: how often that happens depends on the recipient's sector, and whoever answers for the release
    must say where the figure comes from.

    Parameters
    ----------
    rate
        How often recipients of this kind suffer a breach, in (0, 1].
    source
        Where the figure comes from.
    date
        The day of the figure: a date, or a text such as 2026-01-31.

    Raises
    ------
    OptionError
        The rate is no probability, the source is empty, or the date is none.

    Examples
    --------
    >>> Breach(rate=0.27, source="survey of hospitals", date="2026-01-31").attempt
    Fraction(27, 100)
    """

    rate: float | str | Fraction
    source: str
    date: str | datetime.date

    kind: ClassVar[str] = "breach"
    label: ClassVar[str] = Said("data breach at the recipient")

    def __post_init__(self) -> None:
        hint = "take it from statistics about the recipient's sector; there is no default."
        object.__setattr__(self, "rate", exact_probability(self.rate, "rate", hint=hint))
        if not isinstance(self.source, str) or not self.source.strip():
            raise OptionError("source must say where the rate comes from.", hint=hint, about="source")
        object.__setattr__(self, "date", _day(self.date))

    @property
    def attempt(self) -> Fraction:
        """How often there is a breach, each taken as an attempt."""
        return Fraction(self.rate)

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        return {"rate": spelt(self.attempt), "source": self.source, "date": str(self.date)}


@dataclass(frozen=True)
class PublicRelease:
    """Anybody can have the data, so that somebody tries: an attempt is certain.

    Examples
    --------
    >>> PublicRelease().attempt
    Fraction(1, 1)
    """

    kind: ClassVar[str] = "public"
    label: ClassVar[str] = Said("public release")

    @property
    def attempt(self) -> Fraction:
        """Certain."""
        return Fraction(1)

    def to_dict(self) -> dict[str, Any]:
        """Return the options: none."""
        return {}


def _day(given: object) -> datetime.date:
    """Return a day given as a date or in ISO's form."""
    if isinstance(given, datetime.datetime):
        return given.date()
    if isinstance(given, datetime.date):
        return given
    try:
        return datetime.date.fromisoformat(given if isinstance(given, str) else "")
    except ValueError:
        raise OptionError(
            "date must be the day of the figure, year first.", hint="write 2026-01-31.", about="date"
        ) from None
