"""The risk of re-identification, before and after."""

from __future__ import annotations

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section
from celosia.risk import prosecutor

__all__ = ["risk"]


def risk(facts: Facts, language: Language) -> Section:
    """Return the prosecutor's risk of the original rows and of the release, and the bound 1 / k."""
    _ = language.text
    after = prosecutor(facts.release)
    before = prosecutor(facts.table)
    threshold = language.percent(after.threshold)
    rows = [
        (_("greatest, of any row"), before.max, after.max),
        (_("mean over the rows"), before.mean, after.mean),
        (
            _("share of rows above {threshold}", threshold=threshold),
            before.share_at_risk,
            after.share_at_risk,
        ),
    ]
    return Section(
        "risk",
        _("The risk of re-identification"),
        {
            "rows": [(name, _share(first, language), _share(second, language)) for name, first, second in rows],
            "bound": _bound(facts, language),
        },
    )


def _bound(facts: Facts, language: Language) -> str:
    if facts.demanded < 2:
        return language.text(
            "The claim does not bound the greatest risk: no model of the plan demands a number of people of every "
            "class."
        )
    return language.text("The claim bounds the greatest risk by 1/k: {chance}.", chance=language.chance(facts.demanded))


def _share(value: float | None, language: Language) -> str:
    return language.text("undefined") if value is None else language.percent(value)
