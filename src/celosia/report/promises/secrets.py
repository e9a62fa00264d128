"""The models about secrets, in words."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises.base import MakePromise, Promise

_LONGEST_FACTOR = 6
"""Powers of ten: a larger factor is spelt as a power of e."""


def _alpha_k(model: Any, facts: Facts, language: Language) -> Promise:
    language = language.about(share=language.percent(model.alpha), alpha=language.number(model.alpha))
    _ = language.text
    title = _("(α, k)-anonymity of '{secret}', α = {alpha}")
    if model.values is None:
        return Promise(
            title=title,
            meaning=_(
                "Whoever finds a person's class can name that person's '{secret}' with a chance of at most {share}."
            ),
            promise=_(
                "{classes} no value of '{secret}' stands in more than {share} of the rows; missing counts as a value."
            ),
            caveat=_(
                "It bounds each value by itself: several may mean much the same, and a value that is rare in the whole "
                "release may be as frequent as that in a class. Whoever knows that some do not apply to the person is "
                "left with fewer."
            ),
        )
    return Promise(
        title=title,
        meaning=language.plural(
            "Whoever finds a person's class can say that the declared value of '{secret}' applies with a chance of at "
            "most {share} ({n} value is declared).",
            "Whoever finds a person's class can say that a certain one of the {n} declared values of '{secret}' "
            "applies with a chance of at most {share}.",
            len(model.values),
        ),
        promise=_("{classes} no declared value of '{secret}' stands in more than {share} of the rows."),
        caveat=_(
            "Values that were not declared are not guarded: a whole class may share one. A declared value that is rare "
            "in the whole release may be as frequent as that in a class."
        ),
    )


def _p_sensitive(model: Any, facts: Facts, language: Language) -> Promise:
    language = language.about(p=language.whole(model.p), level=model.level)
    _ = language.text
    if not model.level:
        return _counting(_("{p}-sensitivity of '{secret}'"), model.p, language)
    return Promise(
        title=_("{p}-sensitivity of '{secret}' at level {level} of its tree"),
        meaning=_(
            "Whoever finds a person's class is left with values of '{secret}' from at least {p} different groups."
        ),
        promise=_(
            "{classes} the known values of '{secret}' have at least {p} different labels at level {level} of its tree."
        ),
        caveat=_(
            "This counts groups and does not weigh them: one may be far likelier than the others, and whoever knows "
            "that some do not apply to the person is left with fewer. It is as good as the tree: it does not see that "
            "values of different groups mean much the same."
        ),
    )


def _l_diversity(model: Any, facts: Facts, language: Language) -> Promise:
    if model.kind == "entropy":
        return _entropy(language.about(l=language.number(model.l)))
    if model.kind == "recursive":
        return _recursive(model, language)
    return _counting(language.text("Distinct {l}-diversity of '{secret}'", l=model.l), model.l, language)


def _entropy(language: Language) -> Promise:
    _ = language.text
    return Promise(
        title=_("Entropy {l}-diversity of '{secret}'"),
        meaning=_(
            "Whoever finds a person's class is left with at least as much doubt about '{secret}' as among {l} equally "
            "likely values."
        ),
        promise=_("{classes} the entropy of '{secret}' is at least ln {l}; missing counts as a value."),
        caveat=_(
            "It weighs all values together: one may still be far likelier than the others, several may mean much "
            "the same, and whoever knows that some do not apply to the person is left with less doubt."
        ),
    )


def _recursive(model: Any, language: Language) -> Promise:
    share = language.percent(model.c / (1 + model.c))
    language = language.about(c=language.number(model.c), l=model.l, share=share)
    _ = language.text
    meaning = _("Whoever finds a person's class can name that person's '{secret}' with a chance below {share}.")
    if model.l > 2:
        still = language.plural(
            "So it stays when they know of {n} other value that it does not apply.",
            "So it stays when they know of {n} other values that they do not apply.",
            model.l - 2,
        )
        meaning = f"{meaning} {still}"
    return Promise(
        title=_("Recursive ({c}, {l})-diversity of '{secret}'"),
        meaning=meaning,
        promise=language.plural(
            "{classes} the most frequent value of '{secret}' has fewer than {c} times the rows of all values together "
            "but the {n} most frequent; missing counts as a value.",
            "{classes} the most frequent value of '{secret}' has fewer than {c} times the rows of all values together "
            "but the {n} most frequent ones; missing counts as a value.",
            model.l - 1,
        ),
        caveat=_("Values are told apart by their spelling: several may mean much the same."),
    )


def _counting(title: str, least: int, language: Language) -> Promise:
    """Return what is said of models that count the values of a class."""
    language = language.about(l=language.whole(least))
    _ = language.text
    return Promise(
        title=title,
        meaning=_("Whoever finds a person's class is left with at least {l} different values of '{secret}'."),
        promise=_("{classes} there are at least {l} different values of '{secret}'; missing ones do not count."),
        caveat=_(
            "This counts values and does not weigh them: one of them may be far likelier than the others, all of them "
            "may mean much the same, and whoever knows that some do not apply to the person is left with fewer. It "
            "says nothing about other releases of the same people."
        ),
    )


def _t_closeness(model: Any, facts: Facts, language: Language) -> Promise:
    language = language.about(t=language.number(model.t))
    _ = language.text
    near = _("Values that are near each other may change places freely: one of them may become far likelier.")
    distance, promise, caveat = {
        "equal": (
            _("equal distances"),
            _(
                "{classes} '{secret}' is distributed as in all published rows, but for a share of at most {t} of the "
                "rows, whose values would have to change."
            ),
            _(
                "It bounds the sum of all changes and not that of one value: a rare value may become likelier by up "
                "to {t}."
            ),
        ),
        "ordered": (
            _("distances by rank"),
            _(
                "{classes} the values of '{secret}', as ranks, would have to move on average by at most {t} of the "
                "whole order to be distributed as in all published rows."
            ),
            near,
        ),
        "numeric": (
            _("distances of numbers"),
            _(
                "{classes} the values of '{secret}' would have to move on average by at most {t} of their whole range "
                "to be distributed as in all published rows."
            ),
            near,
        ),
        "hierarchical": (
            _("distances in a tree"),
            _(
                "{classes} the values of '{secret}' would have to move on average by at most {t} of the height of "
                "their tree to be distributed as in all published rows."
            ),
            near,
        ),
    }[model.distance]
    return Promise(
        title=_("{t}-closeness of '{secret}' ({distance})", distance=distance),
        meaning=_(
            "What a class tells about '{secret}' is at most {t} away, on a scale from 0 to 1, from what the whole "
            "release tells."
        ),
        promise=promise,
        caveat=caveat,
    )


def _delta_disclosure(model: Any, facts: Facts, language: Language) -> Promise:
    factor = _factor(model.delta * (1.0 if model.base is None else math.log(model.base)), language)
    _ = language.about(factor=factor, delta=language.number(model.delta)).text
    title = _("δ-disclosure privacy of '{secret}', δ = {delta}")
    if model.kind == "strict":
        return Promise(
            title=title,
            meaning=_(
                "Whoever finds a person's class finds no value of '{secret}' {factor} times as likely, or as unlikely, "
                "as before."
            ),
            promise=_(
                "{classes} every value of '{secret}' has less than {factor} times the share that it has in all "
                "published rows, and more than this share divided by {factor}; no value is absent."
            ),
            caveat=_("It does not see that values mean much the same."),
        )
    return Promise(
        title=title,
        meaning=_(
            "Whoever finds a person's class finds no value of '{secret}' that the class holds {factor} times as "
            "likely, or as unlikely, as before."
        ),
        promise=_(
            "{classes} every value of '{secret}' that the class holds has less than {factor} times the share that "
            "it has in all published rows, and more than this share divided by {factor}."
        ),
        caveat=_(
            "Values that are absent from a class are passed over: that nobody in it has them is given away. It does "
            "not see that values mean much the same."
        ),
    )


def _beta_likeness(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.about(beta=language.number(model.beta), factor=language.number(1 + model.beta)).text
    title = _("β-likeness of '{secret}', β = {beta}")
    promise = _(
        "{classes} no value of '{secret}' has more than {factor} times the share that it has in all published rows."
    )
    if model.kind == "enhanced":
        title = _("Enhanced β-likeness of '{secret}', β = {beta}")
        enhanced = _("The relative gain of a value of share p is at most −ln p as well, which bounds frequent values.")
        promise = f"{promise} {enhanced}"
    return Promise(
        title=title,
        meaning=_(
            "Whoever finds a person's class finds no value of '{secret}' more than {factor} times as likely as before."
        ),
        promise=promise,
        caveat=_(
            "It does not bound what is learnt from values that become less likely or are absent from a class, and "
            "does not see that values mean much the same."
        ),
    )


def _classes(model: Any, facts: Facts, language: Language) -> str:
    """Begin a sentence about every class: a secret that is a quasi-identifier too is judged over the others."""
    names = [column.name for column in facts.table.quasi_identifiers]
    if not [name for name in names if name != model.on]:
        return language.text("In all rows, which are one class,")
    if model.on in names:
        return language.text(
            "In every class of rows that are equal on all quasi-identifiers but '{secret}',", secret=model.on
        )
    return language.text("In every class of rows that are equal on all quasi-identifiers,")


def _of_secret(words: MakePromise, model: Any, facts: Facts, language: Language) -> Promise:
    """Return what is said of a model, with its secret and classes, and what changes where rows are not people."""
    own = language.about(classes=_classes(model, facts, language), secret=model.on)
    promise = words(model, facts, own)
    if facts.table.subjects is None:
        return promise
    if model.name == "p_sensitive" or (model.name == "l_diversity" and model.kind == "distinct"):
        rows = language.text("Where a person has several rows, several of the values may be that person's.")
    else:
        rows = language.text("Where a person has several rows, shares are of rows, not of people.")
    return replace(promise, caveat=f"{promise.caveat} {rows}")


def _factor(exponent: float, language: Language) -> str:
    """Spell e to a power by four digits, rounded up so that what stays below it is truly below; a huge one as such."""
    if exponent > _LONGEST_FACTOR * math.log(10):
        return f"e^{language.number(exponent)}"
    factor = math.exp(exponent)
    unit = 10.0 ** (3 - math.floor(math.log10(factor)))
    return language.number(math.ceil(factor * unit) / unit)


ABOUT_SECRETS: dict[str, MakePromise] = {
    name: partial(_of_secret, words)
    for name, words in {
        "alpha_k": _alpha_k,
        "p_sensitive": _p_sensitive,
        "l_diversity": _l_diversity,
        "t_closeness": _t_closeness,
        "delta_disclosure": _delta_disclosure,
        "beta_likeness": _beta_likeness,
    }.items()
}
"""The words of each model, by its name."""
