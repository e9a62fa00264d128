"""The risk of re-identification, before and after: figures, pictures, and the situation that the release goes into."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

from celosia.base.errors import InputError
from celosia.measure.risk.base import class_counts
from celosia.measure.risk.insiders import insiders
from celosia.measure.risk.journalist import journalist
from celosia.measure.risk.matches import matches
from celosia.measure.risk.prosecutor import prosecutor
from celosia.measure.risk.situation import Situation
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section
from celosia.report.sections.risk_pictures import risk_pictures
from celosia.report.sections.scenarios import assessed, undeclared

_USUAL = Fraction(1, 5)
"""The threshold where the plan declares no situation: the manual's for low harm, which ``celosia.risk`` takes too."""

_MOST_CLASSES = 50_000
"""Where more rows differ before, the second reading of missing values is left out: it may compare all with all."""


class _Figures(Protocol):
    """The greatest and mean risk of a row, and the share of rows above the threshold."""

    @property
    def max(self) -> float | None: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def share_at_risk(self) -> float | None: ...


Group = dict[str, Any]


def risk(facts: Facts, language: Language) -> Section:
    """Return every figure of risk before and after, two pictures, and the scenarios against the threshold."""
    _ = language.text
    situation: Situation | None = facts.release.plan.risk
    threshold = _USUAL if situation is None else Fraction(1, situation.minimal_k)
    return Section(
        "risk",
        _("The risk of re-identification"),
        {
            "groups": [
                *_known(facts, language, threshold),
                *_from_population(facts, language, threshold),
                _participant(facts, language),
                *_wildcards(facts, language, threshold),
            ],
            "bound": _bound(facts, language),
            "pictures": risk_pictures(facts, language, threshold),
            "line": _line(language, threshold, situation),
            "situation": None if situation is None else assessed(situation, facts, language),
            "undeclared": undeclared(facts, language) if situation is None else None,
        },
    )


def _line(language: Language, threshold: Fraction, situation: Situation | None) -> str:
    _ = language.text
    if situation is None:
        return _(
            "The line marks a risk of {threshold}, the usual threshold for low harm: the plan declares none.",
            threshold=language.percent(float(threshold)),
        )
    return _(
        "The line marks what the situation below demands of every class: at least {k} people.",
        k=language.whole(situation.minimal_k),
    )


def _known(facts: Facts, language: Language, threshold: Fraction) -> list[Group]:
    """Return the prosecutor's figures, and that the others are equal where no population is known."""
    _ = language.text
    note = ""
    if not _populations(facts):
        note = _(
            "No population table is given. Journalist's and marketer's risk are then equal to these: whoever does not "
            "know who is in the data is taken for somebody who does, and the mean is the share of rows that matching "
            "everybody gets right."
        )
    figures = prosecutor(facts.table, threshold), prosecutor(facts.release, threshold)
    return [
        {
            "name": _("For somebody who knows that the person is in the data (prosecutor)"),
            "rows": _three(*figures, threshold, language),
            "note": note,
        }
    ]


def _from_population(facts: Facts, language: Language, threshold: Fraction) -> list[Group]:
    """Return the journalist's figures for each population table of the plan."""
    _ = language.text
    groups = []
    for population in _populations(facts):
        note = ""
        try:
            before = journalist(facts.table, threshold, population=population)
        except InputError:
            before = None
            note = _("Before is undefined: the population table does not hold all original rows as they are.")
        after = journalist(facts.release, threshold, population=population)
        groups.append(
            {
                "name": _(
                    "For somebody who does not, among the {n} rows of the population table (journalist)",
                    n=language.whole(population.n_rows),
                ),
                "rows": _three(before, after, threshold, language),
                "note": note,
            }
        )
    return groups


def _populations(facts: Facts) -> list[Any]:
    """Return the population tables of the plan."""
    models = [model for model in facts.release.plan.models if model.name == "k_map"]
    return [model.population for model in models if not isinstance(model.population, int)]


def _participant(facts: Facts, language: Language) -> Group:
    """Return what is left of the smallest class for somebody in it, who knows their own row."""
    _ = language.text
    before, after = insiders(facts.table), insiders(facts.release)
    return {
        "name": _("For a participant of the same class, who knows their own row"),
        "rows": [
            (
                _("people among whom a person then hides, at least"),
                _count(before.effective_k, language),
                _count(after.effective_k, language),
            ),
            (_("greatest, of any row"), language.share(before.risk.max), language.share(after.risk.max)),
        ],
        "note": "",
    }


def _wildcards(facts: Facts, language: Language, threshold: Fraction) -> list[Group]:
    """Return the prosecutor's figures where a missing value fits every other, if any is missing."""
    _ = language.text
    if not any((column.codes == -1).any() for column in facts.table.quasi_identifiers):
        return []
    name = _("If a missing value fitted every value (prosecutor)")
    if len(class_counts(facts.table).people) > _MOST_CLASSES:
        note = _("Left out here for the time it takes: there are too many different rows. celosia risk measures it.")
        return [{"name": name, "rows": [], "note": note}]
    before, after = matches(facts.table, threshold).wildcard, matches(facts.release, threshold).wildcard
    assert after is not None  # a release has rows
    note = _(
        "The figures above, and every guarantee, take a missing value for a value of its own. This reading is shown "
        "beside them and never decides."
    )
    return [{"name": name, "rows": _three(before, after, threshold, language), "note": note}]


def _three(
    before: _Figures | None, after: _Figures, threshold: Fraction, language: Language
) -> list[tuple[str, str, str]]:
    _ = language.text
    above = _("share of rows above {threshold}", threshold=language.percent(float(threshold)))
    names = {"max": _("greatest, of any row"), "mean": _("mean over the rows"), "share_at_risk": above}
    return [
        (
            name,
            language.share(None if before is None else getattr(before, figure)),
            language.share(getattr(after, figure)),
        )
        for figure, name in names.items()
    ]


def _bound(facts: Facts, language: Language) -> str:
    if facts.demanded < 2:
        return language.text(
            "The claim does not bound the greatest risk: no model of the plan demands a number of people of every "
            "class."
        )
    return language.text("The claim bounds the greatest risk by 1/k: {chance}.", chance=language.chance(facts.demanded))


def _count(value: int | None, language: Language) -> str:
    return language.text("undefined") if value is None else language.whole(value)
