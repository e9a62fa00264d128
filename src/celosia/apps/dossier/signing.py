"""Who signed what, and what happened since."""

from __future__ import annotations

import re
from typing import Any

from celosia.apps.dossier.case import Case, Signature, Step
from celosia.apps.dossier.words import event_word, instant, moment, state_word, step_title
from celosia.report.language import Language

_SHOWN_DIGITS = 12
"""Of a digest; enough to compare by eye. The whole stands in the project file."""


def signing_rows(case: Case, language: Language) -> list[dict[str, Any]]:
    """Return a row per step: signed by whom, or a line to sign on.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> step = Step("targets", "ready")
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (step,))
    >>> signing_rows(case, Language("en"))[0]["state"]
    'ready to be signed'
    """
    return [
        {
            "number": step.number,
            "title": step_title(step.name, language),
            "state": state_word(step.state, language),
            "is_changed": step.state == "changed",
            "signature": None if step.signature is None else _signature(step.signature, language),
        }
        for step in case.steps
    ]


def _signature(signature: Signature, language: Language) -> dict[str, str]:
    return {
        "by": signature.by,
        "role": signature.role,
        "at": _short(signature.at),
        "note": signature.note,
        "digest": signature.digest[:_SHOWN_DIGITS],
    }


def signature_words(step: Step, language: Language) -> str:
    """Say who signed a step, or how far it is.

    Examples
    --------
    >>> signature_words(Step("targets", "ready"), Language("en"))
    'Ready to be signed.'
    """
    signature = step.signature
    if signature is None:
        word = state_word(step.state, language)
        return f"{word[:1].upper()}{word[1:]}."
    said = language.text(
        "Signed by {name}, {role}, on {date}.",
        name=signature.by,
        role=signature.role,
        date=moment(signature.at, language),
    )
    if step.state == "changed":
        changed = language.text("The step was changed since.")
        said = f"{said} {changed}"
    elif step.state != "signed":
        word = state_word(step.state, language)
        said = f"{said} {word[:1].upper()}{word[1:]}."
    return f"{said} {signature.note}" if signature.note else said


def signers(case: Case, language: Language) -> list[str]:
    """Return everybody who signed, each with the numbers of their steps.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> step = Step("targets", "signed", signature=Signature("targets", "Ana Ruiz", "DPO", "2026-03-01T09:30:00Z", ""))
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (step,))
    >>> signers(case, Language("en"))
    ['Ana Ruiz, DPO: step 2']
    """
    numbers: dict[tuple[str, str], list[str]] = {}
    for step in case.steps:
        if step.signature is not None and step.state == "signed":
            numbers.setdefault((step.signature.by, step.signature.role), []).append(str(step.number))
    return [
        language.plural(
            "{name}, {role}: step {numbers}",
            "{name}, {role}: steps {numbers}",
            len(own),
            name=name,
            role=role,
            numbers=language.listed(own),
        )
        for (name, role), own in numbers.items()
    ]


def history_rows(case: Case, language: Language) -> list[dict[str, str]]:
    """Return what happened, oldest first.

    Examples
    --------
    >>> from celosia.apps.dossier.case import Event
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> events = (Event("made", "2026-03-01T09:30:00Z"),)
    >>> case = Case(
    ...     "x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (), history=events
    ... )
    >>> history_rows(case, Language("en"))[0]["at"]
    '2026-03-01 09:30'
    """
    return [
        {
            "at": _short(event.at),
            "what": event_word(event.what, language),
            "step": "" if event.step is None else step_title(event.step, language),
            "by": event.by,
            "why": _why(event.why, language),
        }
        for event in case.history
    ]


def _short(iso: str) -> str:
    """Spell a moment as tables have it, whose headings say that it is in UTC."""
    return f"{instant(iso):%Y-%m-%d %H:%M}"


def _why(why: str, language: Language) -> str:
    """Return a reason; the one that Celosía writes itself in the reader's language."""
    stood = re.fullmatch(r"it stood on step (\d) \(\w+\)", why)
    return language.text("it stood on step {number}", number=stood[1]) if stood else why
