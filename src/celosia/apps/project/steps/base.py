"""What all steps share: what lacks, what they are judged by, and how their answers are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from celosia.apps.dossier.case import Acceptance, StepName
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.yaml import Section
from celosia.jobs.suggest.suggestion import shown_name

_MOST_NAMED = 8
_FINDINGS = "a list of findings"
_AN_ACCEPTED = "write - {finding: CODE, column: NAME, by: NAME, reason: TEXT}, or call celosia project accept."


@dataclass(frozen=True)
class Lack:
    """Something to do before a step can be signed.

    Attributes
    ----------
    sentence
        What, in English for the catalogue.
    names
        Which columns or keys it is about.

    Examples
    --------
    >>> Lack("Each kept column needs a purpose.", ("age", "zip")).message
    "Each kept column needs a purpose: 'age', 'zip'."
    """

    sentence: str
    names: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The sentence, and what it is about."""
        if not self.names:
            return self.sentence
        shown = ", ".join(shown_name(name) for name in self.names[:_MOST_NAMED])
        more = f" and {len(self.names) - _MOST_NAMED} more" if len(self.names) > _MOST_NAMED else ""
        return f"{self.sentence.removesuffix('.')}: {shown}{more}."


def lacks(*told: tuple[str, bool | tuple[str, ...]]) -> list[Lack]:
    """Return what lacks: each sentence beside which names stand, or the truth value true.

    Examples
    --------
    >>> lacks(("Set a date.", False), ("Say who.", True), ("Describe them.", ("technical",)))
    [Lack(sentence='Say who.', names=()), Lack(sentence='Describe them.', names=('technical',))]
    """
    return [Lack(sentence, about if isinstance(about, tuple) else ()) for sentence, about in told if about]


class Answered:
    """A step, as far as all are alike: unless it says otherwise, nothing is found in it that people must judge."""

    def findings(self, seen: Seen) -> list[Finding]:
        """Return what was found."""
        return []


@dataclass(frozen=True)
class Seen:
    """What answers are judged by, besides themselves.

    Attributes
    ----------
    evidence
        What Celosía has seen, by step.
    outcome
        How the loop ended.
    is_other_input
        Whether the input is another one than was looked at; ``None`` where it is not there.
    is_measured
        Whether the loop has measured these very answers.
    n_moves
        How often the targets were changed after the loop had been run with others.
    today
        The day of the judgement.

    Examples
    --------
    >>> Seen(evidence={"attributes": {"columns": {"age": {}}}}).columns
    ('age',)
    """

    evidence: Mapping[StepName, Mapping[str, Any]] = field(default_factory=dict)
    outcome: str | None = None
    is_other_input: bool | None = False
    is_measured: bool = False
    n_moves: int = 0
    today: date = field(default_factory=date.today)

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns of the input as they are named there; ``None`` before it was looked at."""
        known = self.evidence.get("attributes", {}).get("columns")
        return None if known is None else tuple(known)


def text_of(section: Section, key: str) -> str:
    """Return a text, or nothing where none is written yet.

    Examples
    --------
    >>> text_of(Section({"why": " agreed "}, "p.yaml"), "why"), text_of(Section({}, "p.yaml"), "why")
    ('agreed', '')
    """
    given: str = section.typed(key, str, "a text", "put it between quotes.") or ""
    return "" if given.strip() == "..." else str(given).strip()


def texts_of(section: Section, key: str) -> tuple[str, ...]:
    """Return a list of texts.

    Examples
    --------
    >>> texts_of(Section({"triggers": ["new release", " "]}, "p.yaml"), "triggers")
    ('new release',)
    """
    given = section.get(key)
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise PlanError(f"'{key}' must be a list of texts.", hint=f"write {key}: [...].", where=section.place(key))
    return tuple(str(one).strip() for one in given if one.strip())


def texts_by_column(section: Section, key: str) -> dict[str, str]:
    """Return the text that stands beside each column, empty where it is still to be written.

    Examples
    --------
    >>> texts_by_column(Section({"keep": {"age": "trends", 2020: None}}, "p.yaml"), "keep")
    {'age': 'trends', '2020': ''}
    """
    own = mapping_of(section, key)
    found: dict[str, str] = {}
    for column in own:
        name = str(column)
        if not isinstance(column, str | int) or isinstance(column, bool) or name in found:
            raise PlanError(
                f"'{key}' must map each column, once, to a text.",
                hint="put names that look like something else between quotes.",
                where=own.place(column),
            )
        found[name] = text_of(own, column)
    return found


def mapping_of(section: Section, key: str) -> Section:
    """Return the mapping behind a key; an empty one where nothing is written yet.

    Examples
    --------
    >>> list(mapping_of(Section({"steps": None}, "p.yaml"), "steps"))
    []
    """
    if section.get(key) is None:
        return Section({}, section.name, f"'{key}'")
    return section.section(key)


def share_of(section: Section, key: str) -> float | None:
    """Return a share in [0, 1], or ``None`` where none is written yet.

    Examples
    --------
    >>> share_of(Section({"max_loss": 0.5}, "p.yaml"), "max_loss")
    0.5
    """
    given = section.get(key)
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise PlanError(f"'{key}' must be a share in [0, 1].", hint="0.02 is 2 %.", where=section.place(key))
    return float(given)


def flag_of(section: Section, key: str) -> bool | None:
    """Return true or false, or ``None`` where neither is written yet.

    Examples
    --------
    >>> flag_of(Section({"fixed_number": True}, "p.yaml"), "fixed_number")
    True
    """
    given: bool | None = section.typed(key, bool, "true or false")
    return given


def accepted_in(section: Section) -> tuple[Acceptance, ...]:
    """Return the findings that named people accept in a step.

    Examples
    --------
    >>> entry = {"finding": "CHILD_DATA", "by": "Ana", "reason": "agreed"}
    >>> accepted_in(Section({"accepted": [entry]}, "p.yaml"))[0].by
    'Ana'
    """
    given = section.typed("accepted", list, _FINDINGS, _AN_ACCEPTED) or []
    return tuple(_acceptance(one, section) for one in given)


def _acceptance(given: object, section: Section) -> Acceptance:
    if not isinstance(given, Mapping):
        raise PlanError(f"'accepted' must be {_FINDINGS}.", hint=_AN_ACCEPTED, where=section.place("accepted"))
    own = Section(given, section.name, "an accepted finding", section.place("accepted"))
    own.allow(("finding", "column", "by", "reason"))
    texts = {key: text_of(own, key) for key in ("finding", "by", "reason")}
    empty = [key for key, text in texts.items() if not text]
    if empty:
        raise PlanError(
            f"an accepted finding lacks '{empty[0]}'.",
            hint="whoever accepts one gives their name and a reason.",
            where=own.place(empty[0]),
        )
    return Acceptance(texts["finding"], texts["by"], texts["reason"], text_of(own, "column") or None)
