"""The outward statement: the claim in plain words, and nothing that helps whoever looks for a person.

It holds no algorithm, seed, hierarchy or option of a mask, no count of fewer than k, no extreme of a column, not how
many rows were left out or how often it was tried, and nobody's name but the controller's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from markupsafe import Markup

from celosia.apps.dossier.case import Case
from celosia.apps.dossier.class_sizes import size_picture
from celosia.apps.dossier.published import readings
from celosia.apps.dossier.spelling import day
from celosia.apps.dossier.words import head_words
from celosia.models.base import NeedsEvidence
from celosia.report.facts import Facts
from celosia.report.house import poured
from celosia.report.language import Language
from celosia.report.promises import promise_of


def statement_content(
    facts: Facts, claim: Mapping[str, Any], language: Language, *, claim_sha256: str | None
) -> dict[str, Any]:
    """Return what a statement says of the release, for one language; only texts, numbers and lists of them.

    Parameters
    ----------
    claim
        The claim as it is published.
    claim_sha256
        The hash of the published claim; ``None`` where it is not published.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    >>> claim = release.claim | {"data": {"format": "csv", "n_rows": 4, "sha256": "c0ffee"}}
    >>> statement_content(Facts.of(release), claim, Language("en"), claim_sha256="deca1")["commands"][0]
    'celosia verify data.csv claim.json'
    """
    models = facts.release.plan.models
    k = facts.demanded
    file = f"data.{claim['data']['format']}"
    return {
        "kind": _kind(facts, claim, language),
        "is_pseudonymised": _is_pseudonymised(claim),
        "promises": [_promise(model, facts, language) for model in models],
        "alike": _alike(claim, k, language),
        "chance": language.chance(k) if k > 1 else "",
        "columns": readings(claim, language),
        "rows_said": _rows_said(facts, claim, language),
        "cells_said": _cells_said(claim, language),
        "picture": str(size_picture(facts.classes.sizes, k, language)) if k > 1 else "",
        "limits": _limits(facts, claim, language),
        "hashes": _hashes(file, claim["data"]["sha256"], claim_sha256),
        "commands": [f"celosia verify {file} claim.json", f"python audit.py {file} claim.json"] if claim_sha256 else [],
        "unconfirmed": _unconfirmed(facts, claim, language),
    }


def render_statement(case: Case, content: Mapping[str, Any], made: datetime, lang: str) -> str:
    r"""Return the page of a statement.

    Parameters
    ----------
    content
        What ``statement_content`` gave in this language.
    made
        When the release was made.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    >>> claim = release.claim | {"data": {"format": "csv", "n_rows": 4, "sha256": "c0ffee"}}
    >>> content = statement_content(Facts.of(release), claim, Language("es"), claim_sha256="deca1")
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, ())
    >>> "50 %" in render_statement(case, content, datetime(2026, 11, 16), "es").replace("\N{NO-BREAK SPACE}", " ")
    True
    """
    language = Language(lang)
    return poured(
        "dossier/statement.html",
        language,
        case=case,
        head=head_words(case, language),
        content=content,
        picture=Markup(content["picture"]),
        made=language.date(made),
        day=made.date().isoformat(),
        review=None if case.review is None else day(case.review, language),
    )


def _is_pseudonymised(claim: Mapping[str, Any]) -> bool:
    return any(entry.get("pseudonyms") for entry in claim["columns"])


def _kind(facts: Facts, claim: Mapping[str, Any], language: Language) -> str:
    """Say what the data are called: with pseudonyms they are pseudonymised, never anonymous."""
    _ = language.text
    if _is_pseudonymised(claim):
        return _("Pseudonymised data")
    if facts.demanded < 2:
        return _("Protected data")
    return _("{k}-anonymous data", k=language.whole(facts.demanded))


def _promise(model: Any, facts: Facts, language: Language) -> dict[str, str]:
    """Return what a model promises; its name stands in the claim, with all its parameters."""
    promise = promise_of(model, facts, language)
    caveats = [promise.caveat] if promise.caveat else []
    if facts.release.masked.pseudonyms:
        caveats.insert(0, language.text("It does not hold against whoever can tell whose code a row has."))
    return {"meaning": promise.meaning or promise.title, "caveat": " ".join(caveats)}


def _rows_said(facts: Facts, claim: Mapping[str, Any], language: Language) -> str:
    rows = language.whole(int(claim["data"]["n_rows"]))
    if facts.release.plan.keep_order:
        return language.text("{rows} rows, in the order of the original data.", rows=rows)
    return language.text("{rows} rows; their order means nothing.", rows=rows)


def _cells_said(claim: Mapping[str, Any], language: Language) -> str:
    if any(entry.get("masked") for entry in claim["columns"]):
        return language.text(
            "A lone * says nothing: any value is possible. An empty cell means that no value was recorded or, where "
            "the column was changed on purpose, that it may have been taken out."
        )
    return language.text(
        "A lone * says nothing: any value is possible. An empty cell means that no value was recorded."
    )


def _alike(claim: Mapping[str, Any], k: int, language: Language) -> str:
    """Say what k-anonymity looks like in the table."""
    names = _quasi_identifiers(claim)
    if k < 2 or not names:
        return ""
    _ = language.about(columns=language.listed(names), k=language.whole(k)).text
    called = _("Such a group of rows is called a class here, and these columns are the quasi-identifiers.")
    if claim["policies"]["subject"] is None:
        group = _(
            "Of rows that are alike in {columns} there are always {k} or more. Whoever knows these things about a "
            "person finds all of them, and cannot tell which is meant."
        )
    else:
        group = _(
            "Rows that are alike in {columns} are always about {k} people or more. Whoever knows these things about a "
            "person finds all of them, and cannot tell which is meant."
        )
    return f"{group} {called}"


def _limits(facts: Facts, claim: Mapping[str, Any], language: Language) -> list[tuple[str, str]]:
    """Return what is not promised, without a word on how values were chosen."""
    _ = language.text
    said: dict[str, str] = {}
    if _is_pseudonymised(claim):
        said[_("Pseudonyms")] = _(
            "These data are not anonymous. Codes stand in place of identities: rows with the same code are about "
            "the same person, and whoever holds the key or the table of codes can tell who that is."
        )
    if claim["policies"]["subject"] is not None:
        said[_("People with several rows")] = _(
            "People are counted, not rows. Who has more of the alike rows than others is behind any one of them "
            "with a greater chance."
        )
    names = _quasi_identifiers(claim)
    known = _("Whoever knows what a published column tells about a person can look for that.")
    if names:
        known = _(
            "The promise is about what somebody may know beforehand: {columns}. Whoever knows what another "
            "published column tells about a person can look for that.",
            columns=language.listed(names),
        )
    said |= {
        _("Other knowledge"): known,
        _("Other data"): _(
            "It holds for this file alone. Two files about the same people can together reveal what neither "
            "reveals by itself."
        ),
        _("People in the data"): _("Whoever is in the data knows their own row, and so finds the others among fewer."),
        _("How it was done"): _(
            "This statement does not tell how the published values were found: whoever knows that can sometimes "
            "narrow them down."
        ),
        _("No legal conclusion"): _("This is evidence for the controller's assessment, not that assessment."),
    }
    return list(said.items())


def _quasi_identifiers(claim: Mapping[str, Any]) -> list[str]:
    return [str(entry["name"]) for entry in claim["columns"] if entry["role"] == "quasi_identifier"]


def _unconfirmed(facts: Facts, claim: Mapping[str, Any], language: Language) -> str:
    """Say that a part of the claim needs more than the published files."""
    evidence = [model.evidence() for model in facts.release.plan.models if isinstance(model, NeedsEvidence)]
    needs_more = any(found is not None for one in evidence for found in one.values())
    if not needs_more and claim["policies"]["subject"] is None:
        return ""
    return language.text(
        "A part of the claim rests on what is not published; the check will say that it could not confirm that part. "
        "The controller can."
    )


def _hashes(file: str, data_sha256: str, claim_sha256: str | None) -> list[tuple[str, str]]:
    """Return the files that may be published, each with its hash: who has one from elsewhere notices another file."""
    return [(file, data_sha256), *([] if claim_sha256 is None else [("claim.json", claim_sha256)])]
