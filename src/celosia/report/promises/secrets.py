"""The models about secrets, in words."""

from __future__ import annotations

import math
from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises.base import MakePromise, Promise

_LONGEST_FACTOR = 6
"""Powers of ten: a larger factor is spelt as a power of e."""


def _alpha_k(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    share = language.percent(model.alpha)
    if model.values is None:
        meaning = _(
            "Whoever finds a person's class can name that person's '{secret}' with a chance of at most {share}.",
            secret=model.on,
            share=share,
        )
        promise = _(
            "{classes} no value of '{secret}' stands in more than {share} of the rows; missing counts as a value.",
            classes=_classes(model, facts, language),
            secret=model.on,
            share=share,
        )
        caveat = _(
            "It bounds each value by itself: several may mean much the same, and a value that is rare in the whole "
            "release may be as frequent as that in a class. Whoever knows that some do not apply to the person is left "
            "with fewer."
        )
    else:
        meaning = language.plural(
            "Whoever finds a person's class can say that the declared value of '{secret}' applies with a chance of at "
            "most {share} ({n} value is declared).",
            "Whoever finds a person's class can say that a certain one of the {n} declared values of '{secret}' "
            "applies with a chance of at most {share}.",
            len(model.values),
            secret=model.on,
            share=share,
        )
        promise = _(
            "{classes} no declared value of '{secret}' stands in more than {share} of the rows.",
            classes=_classes(model, facts, language),
            secret=model.on,
            share=share,
        )
        caveat = _(
            "Values that were not declared are not guarded: a whole class may share one. A declared value that is rare "
            "in the whole release may be as frequent as that in a class."
        )
    return Promise(
        title=_("(α, k)-anonymity of '{secret}', α = {alpha}", secret=model.on, alpha=language.number(model.alpha)),
        meaning=meaning,
        promise=promise,
        caveat=_with_shares_of_rows(caveat, facts, language),
    )


def _p_sensitive(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    p = language.whole(model.p)
    if not model.level:
        return Promise(
            title=_("{p}-sensitivity of '{secret}'", p=p, secret=model.on),
            meaning=_left_with(model.p, model.on, language),
            promise=_holds_values(model.p, model, facts, language),
            caveat=_counted(facts, language),
        )
    caveat = _(
        "This counts groups and does not weigh them: one may be far likelier than the others, and whoever knows that "
        "some do not apply to the person is left with fewer. It is as good as the tree: it does not see that values of "
        "different groups mean much the same."
    )
    return Promise(
        title=_("{p}-sensitivity of '{secret}' at level {level} of its tree", p=p, secret=model.on, level=model.level),
        meaning=_(
            "Whoever finds a person's class is left with values of '{secret}' from at least {p} different groups.",
            p=p,
            secret=model.on,
        ),
        promise=_(
            "{classes} the known values of '{secret}' have at least {p} different labels at level {level} of its tree.",
            classes=_classes(model, facts, language),
            p=p,
            secret=model.on,
            level=model.level,
        ),
        caveat=_with_several_rows(caveat, facts, language),
    )


def _l_diversity(model: Any, facts: Facts, language: Language) -> Promise:
    kinds = {"entropy": _entropy, "recursive": _recursive}
    if model.kind in kinds:
        return kinds[model.kind](model, facts, language)
    _ = language.text
    return Promise(
        title=_("Distinct {l}-diversity of '{secret}'", l=model.l, secret=model.on),
        meaning=_left_with(model.l, model.on, language),
        promise=_holds_values(model.l, model, facts, language),
        caveat=_counted(facts, language),
    )


def _entropy(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    number = language.number(model.l)
    return Promise(
        title=_("Entropy {l}-diversity of '{secret}'", l=number, secret=model.on),
        meaning=_(
            "Whoever finds a person's class is left with at least as much doubt about '{secret}' as among {l} equally "
            "likely values.",
            l=number,
            secret=model.on,
        ),
        promise=_(
            "{classes} the entropy of '{secret}' is at least ln {l}; missing counts as a value.",
            classes=_classes(model, facts, language),
            l=number,
            secret=model.on,
        ),
        caveat=_with_shares_of_rows(
            _(
                "It weighs all values together: one may still be far likelier than the others, several may mean much "
                "the same, and whoever knows that some do not apply to the person is left with less doubt."
            ),
            facts,
            language,
        ),
    )


def _recursive(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    c = language.number(model.c)
    share = language.percent(model.c / (1 + model.c))
    meaning = _(
        "Whoever finds a person's class can name that person's '{secret}' with a chance below {share}.",
        secret=model.on,
        share=share,
    )
    if model.l > 2:
        still = language.plural(
            "So it stays when they know of {n} other value that it does not apply.",
            "So it stays when they know of {n} other values that they do not apply.",
            model.l - 2,
        )
        meaning = f"{meaning} {still}"
    return Promise(
        title=_("Recursive ({c}, {l})-diversity of '{secret}'", c=c, l=model.l, secret=model.on),
        meaning=meaning,
        promise=language.plural(
            "{classes} the most frequent value of '{secret}' has fewer than {c} times the rows of all values together "
            "but the {n} most frequent; missing counts as a value.",
            "{classes} the most frequent value of '{secret}' has fewer than {c} times the rows of all values together "
            "but the {n} most frequent ones; missing counts as a value.",
            model.l - 1,
            classes=_classes(model, facts, language),
            c=c,
            secret=model.on,
        ),
        caveat=_with_shares_of_rows(
            _("Values are told apart by their spelling: several may mean much the same."), facts, language
        ),
    )


def _t_closeness(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    t = language.number(model.t)
    places = {"classes": _classes(model, facts, language), "secret": model.on, "t": t}
    promises = {
        "equal": _(
            "{classes} '{secret}' is distributed as in all published rows, but for a share of at most {t} of the rows, "
            "whose values would have to change.",
            **places,
        ),
        "ordered": _(
            "{classes} the values of '{secret}', as ranks, would have to move on average by at most {t} of the whole "
            "order to be distributed as in all published rows.",
            **places,
        ),
        "numeric": _(
            "{classes} the values of '{secret}' would have to move on average by at most {t} of their whole range to "
            "be distributed as in all published rows.",
            **places,
        ),
        "hierarchical": _(
            "{classes} the values of '{secret}' would have to move on average by at most {t} of the height of their "
            "tree to be distributed as in all published rows.",
            **places,
        ),
    }
    caveat = (
        _(
            "It bounds the sum of all changes and not that of one value: a rare value may become likelier by up to "
            "{t}.",
            t=t,
        )
        if model.distance == "equal"
        else _("Values that are near each other may change places freely: one of them may become far likelier.")
    )
    return Promise(
        title=_("{t}-closeness of '{secret}' ({distance})", t=t, secret=model.on, distance=_distance(model, language)),
        meaning=_(
            "What a class tells about '{secret}' is at most {t} away, on a scale from 0 to 1, from what the whole "
            "release tells.",
            secret=model.on,
            t=t,
        ),
        promise=promises[model.distance],
        caveat=_with_shares_of_rows(caveat, facts, language),
    )


def _distance(model: Any, language: Language) -> str:
    _ = language.text
    return {
        "equal": _("equal distances"),
        "ordered": _("distances by rank"),
        "numeric": _("distances of numbers"),
        "hierarchical": _("distances in a tree"),
    }[model.distance]


def _delta_disclosure(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    delta = language.number(model.delta)
    factor = _factor(model.delta * (1.0 if model.base is None else math.log(model.base)), language)
    places = {"classes": _classes(model, facts, language), "secret": model.on, "factor": factor}
    if model.kind == "strict":
        promise = _(
            "{classes} every value of '{secret}' has less than {factor} times the share that it has in all published "
            "rows, and more than this share divided by {factor}; no value is absent.",
            **places,
        )
        caveat = _("It does not see that values mean much the same.")
    else:
        promise = _(
            "{classes} every value of '{secret}' that the class holds has less than {factor} times the share that "
            "it has in all published rows, and more than this share divided by {factor}.",
            **places,
        )
        caveat = _(
            "Values that are absent from a class are passed over: that nobody in it has them is given away. It does "
            "not see that values mean much the same."
        )
    return Promise(
        title=_("δ-disclosure privacy of '{secret}', δ = {delta}", secret=model.on, delta=delta),
        meaning=_(
            "Whoever finds a person's class finds no value of '{secret}' {factor} times as likely, or as unlikely, as "
            "before.",
            secret=model.on,
            factor=factor,
        )
        if model.kind == "strict"
        else _(
            "Whoever finds a person's class finds no value of '{secret}' that the class holds {factor} times as "
            "likely, or as unlikely, as before.",
            secret=model.on,
            factor=factor,
        ),
        promise=promise,
        caveat=_with_shares_of_rows(caveat, facts, language),
    )


def _beta_likeness(model: Any, facts: Facts, language: Language) -> Promise:
    _ = language.text
    beta, factor = language.number(model.beta), language.number(1 + model.beta)
    promise = _(
        "{classes} no value of '{secret}' has more than {factor} times the share that it has in all published rows.",
        classes=_classes(model, facts, language),
        secret=model.on,
        factor=factor,
    )
    if model.kind == "enhanced":
        enhanced = _("The relative gain of a value of share p is at most −ln p as well, which bounds frequent values.")
        promise = f"{promise} {enhanced}"
    return Promise(
        title=_("Enhanced β-likeness of '{secret}', β = {beta}", secret=model.on, beta=beta)
        if model.kind == "enhanced"
        else _("β-likeness of '{secret}', β = {beta}", secret=model.on, beta=beta),
        meaning=_(
            "Whoever finds a person's class finds no value of '{secret}' more than {factor} times as likely as before.",
            secret=model.on,
            factor=factor,
        ),
        promise=promise,
        caveat=_with_shares_of_rows(
            _(
                "It does not bound what is learnt from values that become less likely or are absent from a class, and "
                "does not see that values mean much the same."
            ),
            facts,
            language,
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


def _holds_values(least: int, model: Any, facts: Facts, language: Language) -> str:
    return language.text(
        "{classes} there are at least {l} different values of '{secret}'; missing ones do not count.",
        classes=_classes(model, facts, language),
        l=language.whole(least),
        secret=model.on,
    )


def _left_with(least: int, secret: str, language: Language) -> str:
    return language.text(
        "Whoever finds a person's class is left with at least {l} different values of '{secret}'.",
        l=language.whole(least),
        secret=secret,
    )


def _counted(facts: Facts, language: Language) -> str:
    """Say what models that count values leave open."""
    caveat = language.text(
        "This counts values and does not weigh them: one of them may be far likelier than the others, all of them may "
        "mean much the same, and whoever knows that some do not apply to the person is left with fewer. It says "
        "nothing about other releases of the same people."
    )
    return _with_several_rows(caveat, facts, language)


def _with_several_rows(caveat: str, facts: Facts, language: Language) -> str:
    if facts.table.subjects is None:
        return caveat
    several = language.text("Where a person has several rows, several of the values may be that person's.")
    return f"{caveat} {several}"


def _with_shares_of_rows(caveat: str, facts: Facts, language: Language) -> str:
    if facts.table.subjects is None:
        return caveat
    rows = language.text("Where a person has several rows, shares are of rows, not of people.")
    return f"{caveat} {rows}"


def _factor(exponent: float, language: Language) -> str:
    """Spell e to a power by four digits, rounded up so that what stays below it is truly below; a huge one as such."""
    if exponent > _LONGEST_FACTOR * math.log(10):
        return f"e^{language.number(exponent)}"
    factor = math.exp(exponent)
    unit = 10.0 ** (3 - math.floor(math.log10(factor)))
    return language.number(math.ceil(factor * unit) / unit)


ABOUT_SECRETS: dict[str, MakePromise] = {
    "alpha_k": _alpha_k,
    "p_sensitive": _p_sensitive,
    "l_diversity": _l_diversity,
    "t_closeness": _t_closeness,
    "delta_disclosure": _delta_disclosure,
    "beta_likeness": _beta_likeness,
}
"""The words of each model, by its name."""
