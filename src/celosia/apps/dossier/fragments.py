"""Fragments: all that documents say of a release, ready in both languages, so that they can be made anew without it.

They hold what the report of the release holds, and are kept with it under ``internal/``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from celosia.apps.dossier.case import Case
from celosia.apps.dossier.questions import questions
from celosia.apps.dossier.recomputing import commands
from celosia.apps.dossier.statement import statement_content
from celosia.base.errors import FormatError
from celosia.base.version import __version__
from celosia.jobs.release import Release
from celosia.report.facts import Facts
from celosia.report.house import poured
from celosia.report.language import LANGUAGES, Language
from celosia.report.promises import promise_of
from celosia.report.sections import SECTIONS, Section
from celosia.report.sections.heading import heading

_VERSION = 1


@dataclass(frozen=True)
class Figures:
    """The figures of a release that the verdict stands on.

    Attributes
    ----------
    k, demanded
        People in the smallest class, and how many the models demand.
    n_rows, n_published, n_columns
        Rows of the input, rows and columns of the release.
    gcp
        The information lost.
    risk_before, risk_after, holds
        The greatest risk over all scenarios with the original quasi-identifiers and as published, and whether it is
        accepted.
    n_checks
        How many checks of the verifier passed; none failed.
    """

    k: int
    demanded: int
    n_rows: int
    n_published: int
    n_columns: int
    gcp: float
    risk_before: Fraction
    risk_after: Fraction
    holds: bool
    n_checks: int

    @property
    def share_left_out(self) -> float:
        """The share of the rows that were left out, by masks or by the search."""
        return (self.n_rows - self.n_published) / self.n_rows


@dataclass(frozen=True)
class Fragments:
    """What documents say of a release.

    Attributes
    ----------
    made
        When the release was made.
    version
        The version of Celosía that made it.
    claim
        The claim as it was published.
    figures
        The figures of the verdict.
    languages
        By language: ``label``, ``promises``, ``sections``, ``findings``, ``questions``, ``commands``, ``statement``.
    """

    made: datetime
    version: str
    claim: Mapping[str, Any]
    figures: Figures
    languages: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(
        cls,
        case: Case,
        release: Release,
        claim: Mapping[str, Any],
        checks: Sequence[tuple[str, str]],
        *,
        claim_sha256: str | None,
    ) -> Fragments:
        """Take from a release what documents say of it."""
        facts = Facts(release, release.utility, release.findings, claim["data"], checks)
        return cls(
            made=facts.made.replace(microsecond=0),
            version=__version__,
            claim=claim,
            figures=_figures(case, facts, claim),
            languages={
                lang: _in_language(case, facts, claim, Language(lang), claim_sha256=claim_sha256) for lang in LANGUAGES
            },
        )

    @classmethod
    def read(cls, path: Path) -> Fragments:
        """Read fragments from a file.

        Raises
        ------
        FormatError
            It is no such file, or one of another version.
        """
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["celosia"] != "fragments" or found["version"] != _VERSION:
                raise ValueError
            figures = found["figures"]
            return cls(
                made=datetime.fromisoformat(found["made"]),
                version=found["celosia_version"],
                claim=found["claim"],
                figures=Figures(**figures | {key: Fraction(figures[key]) for key in ("risk_before", "risk_after")}),
                languages={lang: found["languages"][lang] for lang in LANGUAGES},
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not as this version writes it"
        raise FormatError(
            f"cannot read {path.name}: {reason}.", hint="run the project again to make the documents anew."
        )

    def to_json(self) -> str:
        """Return the text of the file."""
        figures = vars(self.figures) | {
            "risk_before": str(self.figures.risk_before),
            "risk_after": str(self.figures.risk_after),
        }
        content = {
            "celosia": "fragments",
            "version": _VERSION,
            "celosia_version": self.version,
            "made": self.made.isoformat(),
            "claim": self.claim,
            "figures": figures,
            "languages": self.languages,
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _figures(case: Case, facts: Facts, claim: Mapping[str, Any]) -> Figures:
    before, after = case.situation.assess(facts.table), case.situation.assess(facts.release)
    assert before.overall is not None
    assert after.overall is not None  # a release has rows
    return Figures(
        k=facts.smallest,
        demanded=facts.demanded,
        n_rows=facts.release.masked.given.n_rows,
        n_published=facts.classes.n_published,
        n_columns=sum(len(entry.get("columns", [entry["name"]])) for entry in claim["columns"]),
        gcp=facts.measures.loss.gcp,
        risk_before=before.overall,
        risk_after=after.overall,
        holds=bool(after.holds),
        n_checks=sum(status == "passed" for _, status in facts.checks),
    )


def _in_language(
    case: Case, facts: Facts, claim: Mapping[str, Any], language: Language, *, claim_sha256: str | None
) -> dict[str, Any]:
    sections = {section.name: section for make in SECTIONS for section in [make(facts, language)]}
    sections["claim"] = _with_choice(sections["claim"], case, facts, language)
    bodies = {
        name: {"title": section.title, "body": poured(f"{name}.html", language, **section.content)}
        for name, section in sections.items()
        if name != "findings"
    }
    promises = [promise_of(model, facts, language) for model in facts.release.plan.models]
    return {
        "label": heading(facts, language)["label"],
        "promises": [{"title": one.title, "meaning": one.meaning} for one in promises],
        "sections": bodies,
        "findings": _findings(facts, sections["findings"]),
        "questions": [question.to_dict() for question in questions(facts, language)],
        "commands": commands(facts, claim),
        "statement": statement_content(facts, claim, language, claim_sha256=claim_sha256),
    }


def _with_choice(section: Section, case: Case, facts: Facts, language: Language) -> Section:
    """Say where k comes from: in a project it is not set by hand, as the report of a plan has it."""
    said = language.text(
        "k = {k} follows from the targets: the accepted risk needs at least {needed} people in every class, and the "
        "loop looked for the release of least loss that keeps to it.",
        k=language.whole(facts.demanded),
        needed=language.whole(case.situation.minimal_k),
    )
    return replace(section, content={**section.content, "choices": [said]})


def _findings(facts: Facts, section: Section) -> list[dict[str, Any]]:
    """Return the findings as the report says them, each with its column; the report sorts warnings first."""
    ordered = sorted(facts.findings, key=lambda one: one.severity != "warning")
    return [
        {"column": finding.column, **said} for finding, said in zip(ordered, section.content["findings"], strict=True)
    ]
