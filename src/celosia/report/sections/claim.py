"""The claim, what it means in a sentence, and under which rules it was counted."""

from __future__ import annotations

from collections import Counter

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises import promise_of
from celosia.report.sections.base import Section

_COMPARED = frozenset({"t_closeness", "delta_disclosure", "beta_likeness"})
"""Models that compare every class with all published rows."""


def claim(facts: Facts, language: Language) -> Section:
    """Return every model of the plan with its meaning, the policies and the verifier's verdict."""
    _ = language.text
    promises = [promise_of(model, facts, language) for model in facts.release.plan.models]
    choices = [promise.choice for promise in promises if promise.choice]
    if len(choices) < len(promises):
        choices.append(_("The parameters of the models were set in the plan: Celosía never chooses them."))
    return Section(
        "claim",
        _("The claim"),
        {
            "models": promises,
            "choices": choices,
            "policies": _policies(facts, language),
            "verdict": _verdict(facts, language),
        },
    )


def _policies(facts: Facts, language: Language) -> list[tuple[str, str]]:
    _ = language.text
    counted = (
        _("Rows are people: each row counts as one person.")
        if facts.table.subjects is None
        else _(
            "k counts distinct people, told apart by the subject column '{column}'.", column=facts.table.schema.subject
        )
    )
    missing = _("A missing value is a value of its own: it is equal to other missing values only.")
    models = facts.release.plan.models
    if any(model.name == "p_sensitive" or model.to_dict().get("kind") == "distinct" for model in models):
        uncounted = _("Where different secrets are counted a missing one does not count: it protects nobody.")
        missing = f"{missing} {uncounted}"
    compared = (
        _("Classes are compared with all published rows, which are what a reader sees; suppressed rows do not count.")
        if any(model.name in _COMPARED for model in models)
        else ""
    )
    return [
        (_("People"), counted),
        *_pseudonyms(facts, language),
        (_("Missing values"), missing),
        *([(_("Whole release"), compared)] if compared else []),
        (
            _("Suppressed rows"),
            _("They are deleted, belong to no class, and count as lost whole in the information lost."),
        ),
    ]


def _pseudonyms(facts: Facts, language: Language) -> list[tuple[str, str]]:
    """Say that the claim is about rows, where pseudonyms join them."""
    _ = language.text
    if not facts.release.masked.pseudonyms:
        return []
    said = _("The claim is about what each row tells by its quasi-identifiers; pseudonyms are no part of it.")
    if any(finding.code == "PSEUDONYMS_LINK_ROWS" for finding in facts.findings):
        joined = _("Rows of one pseudonym tell more together: the chances above hold for each row alone.")
        said = f"{said} {joined}"
    return [(_("Pseudonyms"), said)]


def _verdict(facts: Facts, language: Language) -> str:
    _ = language.text
    if not facts.checks:
        return _(
            "An independent verifier, which shares no code with the search, recomputed the claim from the published "
            "rows and accepted it."
        )
    statuses = Counter(status for _name, status in facts.checks)
    return language.plural(
        "An independent verifier, which shares no code with the search, read the written file back and recomputed the "
        "claim from it alone: {n} check passed, none failed.",
        "An independent verifier, which shares no code with the search, read the written file back and recomputed the "
        "claim from it alone: {n} checks passed, none failed.",
        statuses["passed"],
    )
