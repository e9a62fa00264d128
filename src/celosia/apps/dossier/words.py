"""What documents call the steps, their states, rounds and events."""

from __future__ import annotations

from datetime import UTC, datetime
from unicodedata import bidirectional

from celosia.apps.dossier.case import Case, State, StepName, Verdict
from celosia.apps.dossier.spelling import UNWRITTEN
from celosia.report.language import Language

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that set the direction of writing for all that follows."""


def head_words(case: Case, language: Language) -> list[str]:
    """Say who answers for the data, and how to reach them; what is not written yet is said to be lacking.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> case = Case("marks", "Uni", "...", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, ())
    >>> head_words(case, Language("en"))
    ['Controller: Uni.']
    """
    _ = language.text
    unwritten = ("", UNWRITTEN)
    said = [
        _("Controller: not named.")
        if case.controller.strip() in unwritten
        else _("Controller: {controller}.", controller=_set_apart(case.controller))
    ]
    if case.contact.strip() not in unwritten:
        said.append(_("Contact: {contact}.", contact=_set_apart(case.contact)))
    return said


def _set_apart(typed: str) -> str:
    """Return a typed text so that signs for the direction of writing in it turn nothing behind it around."""
    kept = "".join(sign for sign in typed if sign not in _TURNING)
    is_turned = any(bidirectional(sign) in ("R", "AL") for sign in kept)
    return f"\N{FIRST STRONG ISOLATE}{kept}\N{POP DIRECTIONAL ISOLATE}" if is_turned else kept


def step_title(name: StepName, language: Language) -> str:
    """Return what a step is called.

    Examples
    --------
    >>> step_title("release_model", Language("en"))
    'Release model'
    """
    _ = language.text
    return {
        "release_model": _("Release model"),
        "targets": _("Targets"),
        "attributes": _("Attributes"),
        "purposes": _("Purposes"),
        "anonymisation": _("Anonymisation"),
        "risk": _("Measured risk"),
        "evaluation": _("Evaluation"),
        "documentation": _("Documentation"),
    }[name]


def step_question(name: StepName, language: Language) -> str:
    """Return what a step asks.

    Examples
    --------
    >>> step_question("release_model", Language("en"))
    'Who gets the data?'
    """
    _ = language.text
    return {
        "release_model": _("Who gets the data?"),
        "targets": _("Which risk is accepted, and which utility is wanted? Fixed before any result is seen."),
        "attributes": _("What does each column tell about a person?"),
        "purposes": _("What is each column kept for, and which are not needed?"),
        "anonymisation": _("By which techniques are people hidden?"),
        "risk": _("Is the risk within the threshold? Measured, and repeated until it is."),
        "evaluation": _("Is what is left of use, and does the benefit outweigh the risk to people?"),
        "documentation": _("Which controls hold, and when is all this looked at again?"),
    }[name]


def state_word(state: State, language: Language) -> str:
    """Return how far a step is.

    Examples
    --------
    >>> state_word("ready", Language("en"))
    'ready to be signed'
    """
    _ = language.text
    return {
        "waiting": _("waits for an earlier step"),
        "open": _("open: something is lacking"),
        "ready": _("ready to be signed"),
        "signed": _("signed"),
        "changed": _("changed since it was signed"),
    }[state]


def verdict_word(verdict: Verdict, language: Language) -> str:
    """Return what became of a round.

    Examples
    --------
    >>> verdict_word("too lossy", Language("en"))
    'too lossy'
    """
    _ = language.text
    return {
        "accepted": _("accepted"),
        "too risky": _("too risky"),
        "too lossy": _("too lossy"),
        "out of reach": _("out of reach"),
    }[verdict]


def event_word(what: str, language: Language) -> str:
    """Return what happened, in the reader's language where it is one of the usual events.

    Examples
    --------
    >>> event_word("unsigned", Language("en"))
    'signature withdrawn'
    """
    _ = language.text
    known = {
        "made": _("project made"),
        "run": _("loop run"),
        "signed": _("signed"),
        "unsigned": _("signature withdrawn"),
        "accepted": _("finding accepted"),
        "released": _("release written"),
        "refused": _("found not feasible"),
    }
    return known.get(what, what)


def moment(iso: str, language: Language) -> str:
    """Spell a moment of ISO 8601 as day and time in UTC.

    Examples
    --------
    >>> moment("2026-03-01T09:30:00+01:00", Language("en"))
    '1 March 2026, 08:30 UTC'
    """
    at = instant(iso)
    return f"{language.date(at)}, {at:%H:%M} UTC"


def instant(iso: str) -> datetime:
    """Return a moment of ISO 8601 in UTC; one without a zone is taken for UTC.

    Examples
    --------
    >>> instant("2026-03-01T09:30:00+01:00").hour
    8
    """
    parsed = datetime.fromisoformat(iso)
    return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
