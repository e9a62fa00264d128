"""Findings of a case and of its release, each with whoever accepted it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from celosia.apps.dossier.case import Acceptance, Case, Step
from celosia.base.findings import Finding
from celosia.report.language import Language
from celosia.report.sections.findings import message_of


@dataclass(frozen=True)
class Judged:
    """A finding in one language, and who accepted it.

    Attributes
    ----------
    code, severity, message, column, examples
        As the report says it.
    step
        The number of the step under which it stands; ``None`` for one that only the release has.
    accepted
        Who accepted it, with their reasons.
    """

    code: str
    severity: str
    message: str
    column: str | None
    step: int | None
    accepted: tuple[Acceptance, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Its place in the page."""
        return "finding-" + "-".join([self.code, *([str(self.step)] if self.step else [])])


def judged_findings(case: Case, released: Sequence[Mapping[str, Any]], language: Language) -> list[Judged]:
    """Return all findings, step by step, then those that only the release has; warnings first in each.

    Parameters
    ----------
    released
        The findings of the release as fragments keep them; empty where there is none.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> found = Finding("HOMOGENEOUS", "warning", "Everybody has the same '{column}'.", "ill")
    >>> accepted = Acceptance("HOMOGENEOUS", "Ana Ruiz", "no secret", "ill")
    >>> step = Step("risk", "ready", findings=(found,), accepted=(accepted,))
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (step,))
    >>> [(one.message, one.accepted[0].by) for one in judged_findings(case, [], Language("en"))]
    [("Everybody has the same 'ill'.", 'Ana Ruiz')]
    """
    examples = {(one["code"], one["column"]): tuple(one["examples"]) for one in released}
    acceptances = _acceptances(case)
    told: set[tuple[str, str | None]] = set()
    found = []
    for step in case.steps:
        for one in sorted(step.findings, key=lambda finding: finding.severity != "warning"):
            told.add((one.code, one.column))
            accepted = _accepted(one.code, one.column, step.accepted)
            shown = examples.get((one.code, one.column), ())
            message = message_of(one, language)
            found.append(Judged(one.code, one.severity, message, one.column, step.number, accepted, shown))
    for rest in released:
        code, column = rest["code"], rest["column"]
        if (code, column) not in told:
            accepted, shown = _accepted(code, column, acceptances), tuple(rest["examples"])
            found.append(Judged(code, rest["severity"], rest["message"], column, None, accepted, shown))
    return found


def open_warnings(step: Step) -> list[Finding]:
    """Return the warnings of a step that nobody has accepted.

    Examples
    --------
    >>> found = Finding("HOMOGENEOUS", "warning", "Everybody has the same '{column}'.", "ill")
    >>> len(open_warnings(Step("risk", "open", findings=(found,))))
    1
    """
    return [
        one for one in step.findings if one.severity == "warning" and not _accepted(one.code, one.column, step.accepted)
    ]


def strays(case: Case, found: Sequence[Judged]) -> list[Acceptance]:
    """Return acceptances of findings that are not there any more.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> step = Step("risk", "ready", accepted=(Acceptance("HOMOGENEOUS", "Ana Ruiz", "no secret"),))
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (step,))
    >>> [one.code for one in strays(case, [])]
    ['HOMOGENEOUS']
    """
    used = {id(one) for finding in found for one in finding.accepted}
    return [one for one in _acceptances(case) if id(one) not in used]


def _acceptances(case: Case) -> tuple[Acceptance, ...]:
    return tuple(one for step in case.steps for one in step.accepted)


def _accepted(code: str, column: str | None, acceptances: Iterable[Acceptance]) -> tuple[Acceptance, ...]:
    return tuple(one for one in acceptances if (one.code, one.column) == (code, column))
