"""The models that count people, in words."""

from __future__ import annotations

from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises.base import MakePromise, Promise


def _k_anonymity(model: Any, facts: Facts, language: Language) -> Promise:
    columns = [column.name for column in facts.table.quasi_identifiers]
    language = language.about(k=model.k, columns=language.listed(columns), chance=language.chance(model.k))
    _ = language.text
    promise = _("No quasi-identifier is declared: all rows are one class.")
    if columns and facts.table.subjects is None:
        promise = language.plural(
            "Every published row is equal to at least {n} other on all quasi-identifiers ({columns}).",
            "Every published row is equal to at least {n} others on all quasi-identifiers ({columns}).",
            model.k - 1,
        )
    elif columns:
        promise = _("Rows that are equal on all quasi-identifiers ({columns}) are about at least {k} different people.")
    return Promise(
        title=_("{k}-anonymity"),
        promise=promise,
        meaning=_("Nobody can be linked to a row with a chance above {chance}."),
        caveat=_(
            "This holds for linking on the declared quasi-identifiers alone, by somebody who knows nothing else about "
            "the person. It does not hide a secret that everybody in a class shares, and it says nothing about other "
            "releases of the same people."
        ),
        choice=_(
            "k = {k} was set in the plan: Celosía never chooses it. Before changing it, run the plan with other values "
            "of k and weigh what each costs against what the data are for."
        ),
    )


def _k_map(model: Any, facts: Facts, language: Language) -> Promise:
    language = language.about(k=model.k, chance=language.chance(model.k))
    _ = language.text
    caveat = _(
        "It does not hold against anybody who knows that a person is in these data: k-anonymity is the model against "
        "them. It does not hide a secret that everybody in a class shares."
    )
    if isinstance(model.population, int):
        sampled = _("It is an estimate, and says nothing where the rows were not drawn at random.")
        return Promise(
            title=_(
                "{k}-map in a population of {n_people} people, estimated", n_people=language.whole(model.population)
            ),
            meaning=_(
                "Somebody who does not know who is in these data can link nobody to a row with a chance above "
                "{chance}, as far as the rows are a random sample."
            ),
            promise=_(
                "Every class holds so many people that a group of fewer than {k} people of the population would send "
                "as many into these data with a chance of at most {significance} (Poisson).",
                significance=language.percent(model.significance),
            ),
            caveat=f"{sampled} {caveat}",
        )
    return Promise(
        title=_("{k}-map against a population table"),
        meaning=_(
            "Somebody who does not know who is in these data can link nobody to a row with a chance above {chance}."
        ),
        promise=_(
            "What every row publishes fits at least {k} people of a population table of {n_rows} rows, which holds "
            "everybody in these data.",
            n_rows=language.whole(model.population.n_rows),
        ),
        caveat=caveat,
    )


def _average_risk(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.about(limit=language.percent(model.limit)).text
    return Promise(
        title=_("Average risk of at most {limit}"),
        meaning=_(
            "Whoever links every row to one of the people of its class by chance is right, on average, for at most "
            "{limit} of the rows."
        ),
        promise=_(
            "The mean over the published rows of 1 / people in the row's class is at most {limit}.",
            limit=language.number(model.limit),
        ),
        caveat=_(
            "It bounds no single row: a person may stand alone in a class as long as larger classes make up for it. It "
            "does not hide a secret that everybody in a class shares."
        ),
    )


def _share_at_risk(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.about(share=language.percent(model.share), threshold=language.percent(model.threshold)).text
    threshold = language.number(model.threshold)
    if not model.share:
        return Promise(
            title=_("No row above a risk of {threshold}"),
            meaning=_("Nobody can be linked to a row with a chance above {threshold}."),
            promise=_(
                "No published row is in a class with so few people that 1 / people is above {threshold}.",
                threshold=threshold,
            ),
            caveat=_("It does not hide a secret that everybody in a class shares."),
        )
    return Promise(
        title=_("At most {share} of the rows above a risk of {threshold}"),
        meaning=_(
            "Nobody can be linked to a row with a chance above {threshold}, but for the people of at most {share} of "
            "the rows."
        ),
        promise=_(
            "At most {share} of the published rows are in classes with so few people that 1 / people is above "
            "{threshold}.",
            threshold=threshold,
        ),
        caveat=_(
            "The few rows above the threshold have no protection: their people may stand alone in their classes. It "
            "does not hide a secret that everybody in a class shares."
        ),
    )


def _sample_uniqueness(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.about(share=language.percent(model.share)).text
    title, meaning, promise = (
        (
            _("At most {share} of the rows alone in their class"),
            _("The quasi-identifiers single out the people of at most {share} of the rows."),
            _("At most {share} of the published rows are in a class of one person."),
        )
        if model.share
        else (
            _("No row alone in its class"),
            _("The quasi-identifiers single out nobody within the release."),
            _("No published row is in a class of one person."),
        )
    )
    caveat = _(
        "Everybody else may share a class with a single person, which leaves a chance of 1/2. It says nothing of "
        "who is unique in the population, and does not hide a secret that everybody in a class shares."
    )
    return Promise(title, meaning, promise, caveat)


ABOUT_PEOPLE: dict[str, MakePromise] = {
    "k_anonymity": _k_anonymity,
    "k_map": _k_map,
    "average_risk": _average_risk,
    "share_at_risk": _share_at_risk,
    "sample_uniqueness": _sample_uniqueness,
}
"""The words of each model, by its name."""
