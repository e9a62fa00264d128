"""The internal dossier: sections in their order, poured into one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from celosia.apps.dossier.accepting import Judged, judged_findings, open_warnings, strays
from celosia.apps.dossier.answers import answers_of
from celosia.apps.dossier.case import Case, Step
from celosia.apps.dossier.evidence import evidence_of
from celosia.apps.dossier.fragments import Fragments
from celosia.apps.dossier.glossary import glossary
from celosia.apps.dossier.loop import loop_picture
from celosia.apps.dossier.signing import history_rows, signature_words, signers, signing_rows
from celosia.apps.dossier.verdict import asked, key_figures, verdict
from celosia.apps.dossier.words import head_words, instant, moment, step_question, step_title, verdict_word
from celosia.base.version import __version__
from celosia.report.house import poured
from celosia.report.language import Language

_OF_THE_REPORT = ("claim", "roles", "steps", "classes", "risk", "loss", "pictures", "utility", "suppression", "limits")
"""The sections of the report that the dossier takes over as they are, in its order."""


@dataclass(frozen=True)
class _Part:
    """A section of the page: its anchor, its heading and its body."""

    name: str
    title: str
    body: Markup


def render_dossier(case: Case, fragments: Fragments | None, lang: str) -> str:
    """Return the internal dossier of a case: one HTML page without script, network or outside fonts.

    Parameters
    ----------
    fragments
        What there is to say of the release; ``None`` where none was made.
    lang
        ``en`` or ``es``.

    Raises
    ------
    OptionError
        There is no dossier in this language.

    Examples
    --------
    >>> from celosia.apps.dossier.case import STEPS, Step
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, steps)
    >>> "<h1>marks</h1>" in render_dossier(case, None, "es")
    True
    """
    language = Language(lang)
    parts = _parts(case, fragments, language)
    cover = {
        "figures": key_figures(case, fragments, language),
        "asked": asked(case, language),
        "signers": signers(case, language),
        "is_signed": case.is_signed,
        "head": head_words(case, language),
        **_date(case, fragments, language),
        "label": _label(case, fragments, language),
    }
    terms = glossary("".join(part.body for part in parts), language)
    parts.insert(-2, _part("glossary", language.text("Glossary"), language, terms=terms))
    return poured("dossier/dossier.html", language, case=case, cover=cover, parts=parts)


def _parts(case: Case, fragments: Fragments | None, language: Language) -> list[_Part]:
    _ = language.text
    part = partial(_part, language=language)
    released: Mapping[str, Any] = {} if fragments is None else fragments.languages[language.code]
    sections = released.get("sections", {})
    found = judged_findings(case, released.get("findings", []), language)
    return [
        part("verdict", _("The verdict"), verdict=verdict(case, fragments, language)),
        part("signing", _("Sign-off"), rows=signing_rows(case, language)),
        part("eight_steps", _("The eight steps"), steps=[_step(one, case, found, language) for one in case.steps]),
        part(
            "loop",
            _("Anonymise, measure, repeat"),
            rounds=[(one, verdict_word(one.verdict, language)) for one in case.rounds],
            chart=loop_picture(case, language),
        ),
        part("judged", _("Findings, and who accepted them"), **_findings(case, found, language)),
        *(
            part("questions", _("Singling out, linkability, inference"), questions=asked)
            for asked in [released.get("questions")]
            if asked is not None
        ),
        *(_Part(name, sections[name]["title"], Markup(sections[name]["body"])) for name in _OF_THE_REPORT if sections),
        part("recomputing", _("How each figure is recomputed"), **_recomputing(fragments, released)),
        part("history", _("History"), rows=history_rows(case, language)),
    ]


def _part(name: str, title: str, /, language: Language, **content: Any) -> _Part:
    return _Part(name, title, Markup(poured(f"dossier/part_{name}.html", language, **content)))


def _step(step: Step, case: Case, found: Sequence[Judged], language: Language) -> dict[str, Any]:
    return {
        "name": step.name,
        "number": step.number,
        "title": step_title(step.name, language),
        "question": step_question(step.name, language),
        "is_signed": step.state == "signed",
        "groups": answers_of(step, case, language),
        "evidence": evidence_of(step, language),
        "lacking": [language.text(one) for one in step.lacking],
        "findings": [one for one in found if one.step == step.number],
        "n_open": len(open_warnings(step)),
        "signed": signature_words(step, language),
    }


def _findings(case: Case, found: Sequence[Judged], language: Language) -> dict[str, Any]:
    _ = language.text
    places = [
        (
            _("Of the release itself")
            if number is None
            else _("Step {number}, {title}", number=number, title=step_title(case.steps[number - 1].name, language)),
            [one for one in found if one.step == number],
        )
        for number in [*(step.number for step in case.steps), None]
    ]
    return {
        "places": [(place, own) for place, own in places if own],
        "words": {"warning": _("Warning"), "note": _("Note")},
        "strays": strays(case, found),
    }


def _recomputing(fragments: Fragments | None, released: Mapping[str, Any]) -> dict[str, Any]:
    if fragments is None:
        return {"repeat": None, "version": __version__}
    repeat = Markup(released["sections"]["repeat"]["body"])
    return {"repeat": repeat, "commands": released["commands"], "version": fragments.version}


def _date(case: Case, fragments: Fragments | None, language: Language) -> dict[str, str]:
    """Return when the case last changed: a dossier of the same case is the same on any day."""
    moments = [event.at for event in case.history] + ([] if fragments is None else [fragments.made.isoformat()])
    if not moments:
        return {"date": "", "day": ""}
    last = max(moments, key=instant)
    return {"date": moment(last, language), "day": instant(last).date().isoformat()}


def _label(case: Case, fragments: Fragments | None, language: Language) -> str:
    _ = language.text
    if fragments is not None:
        return str(fragments.languages[language.code]["label"])
    return _("Not feasible") if case.outcome == "not feasible" else _("Not decided yet")
