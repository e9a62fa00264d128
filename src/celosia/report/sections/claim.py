"""The claim, what it means in a sentence, and under which rules it was counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from celosia.registry import describe
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

__all__ = ["claim"]


def claim(facts: Facts, language: Language) -> Section:
    """Return every model of the plan with its meaning, the policies and the verifier's verdict."""
    _ = language.text
    return Section(
        "claim",
        _("The claim"),
        {
            "models": [_model(model, facts, language) for model in facts.release.plan.models],
            "policies": _policies(facts, language),
            "verdict": _verdict(facts, language),
        },
    )


def _model(model: Any, facts: Facts, language: Language) -> dict[str, str]:
    if model.name in _SPOKEN:
        return _SPOKEN[model.name](model, facts, language)
    ((name, options),) = describe(model).items()
    spelt = ", ".join(f"{option} = {value}" for option, value in options.items())
    return {"title": f"{name} ({spelt})" if spelt else name, "promise": "", "meaning": "", "caveat": "", "choice": ""}


def _k_anonymity(model: Any, facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    columns = [column.name for column in facts.table.quasi_identifiers]
    promise = _("No quasi-identifier is declared: all rows are one class.")
    if columns and facts.table.subjects is None:
        promise = language.plural(
            "Every published row is equal to at least {n} other on all quasi-identifiers ({columns}).",
            "Every published row is equal to at least {n} others on all quasi-identifiers ({columns}).",
            model.k - 1,
            columns=language.listed(columns),
        )
    elif columns:
        promise = _(
            "Rows that are equal on all quasi-identifiers ({columns}) are about at least {k} different people.",
            columns=language.listed(columns),
            k=model.k,
        )
    return {
        "title": _("{k}-anonymity", k=model.k),
        "promise": promise,
        "meaning": _("Nobody can be linked to a row with a chance above {chance}.", chance=language.chance(model.k)),
        "caveat": _(
            "This holds for linking on the declared quasi-identifiers alone, by somebody who knows nothing else about "
            "the person. It does not hide a secret that everybody in a class shares, and it says nothing about other "
            "releases of the same people."
        ),
        "choice": _(
            "k = {k} was set in the plan: Celosía never chooses it. Before changing it, run the plan with other values "
            "of k and weigh what each costs against what the data are for.",
            k=model.k,
        ),
    }


def _l_diversity(model: Any, facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    columns = [column.name for column in facts.table.quasi_identifiers]
    promise = _("No quasi-identifier is declared: all rows are one class.")
    if columns:
        promise = _(
            "Rows that are equal on all quasi-identifiers ({columns}) hold at least {l} different values of "
            "'{secret}'; missing ones do not count.",
            columns=language.listed(columns),
            l=language.whole(model.l),
            secret=model.on,
        )
    caveat = _(
        "This counts values and does not weigh them: one of them may be far likelier than the others, all of them may "
        "mean much the same, and whoever knows that some do not apply to the person is left with fewer. It says "
        "nothing about other releases of the same people."
    )
    if facts.table.subjects is not None:
        several = _("Where a person has several rows, several of the values may be that person's.")
        caveat = f"{caveat} {several}"
    return {
        "title": _("Distinct {l}-diversity of '{secret}'", l=model.l, secret=model.on),
        "promise": promise,
        "meaning": _(
            "Whoever finds a person's class is left with at least {l} different values of '{secret}'.",
            l=language.whole(model.l),
            secret=model.on,
        ),
        "caveat": caveat,
        "choice": _("l = {l} was set in the plan: Celosía never chooses it.", l=model.l),
    }


_SPOKEN: dict[str, Callable[[Any, Facts, Language], dict[str, str]]] = {
    "k_anonymity": _k_anonymity,
    "l_diversity": _l_diversity,
}


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
    if any(model.name == "l_diversity" for model in facts.release.plan.models):
        uncounted = _("Distinct l-diversity does not count a missing secret: it protects nobody.")
        missing = f"{missing} {uncounted}"
    return [
        (_("People"), counted),
        (_("Missing values"), missing),
        (
            _("Suppressed rows"),
            _("They are deleted, belong to no class, and count as lost whole in the information lost."),
        ),
    ]


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
