"""The scenarios of the plan against its threshold; or, where it declares none, what each threshold would demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celosia.measure.risk.assessment import Assessment, ScenarioResult
from celosia.measure.risk.scenarios import PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import HARMS
from celosia.report import charts
from celosia.report.charts import Pair
from celosia.report.facts import Facts
from celosia.report.language import Language

_EXAMPLE = "risk: {harm: medium, insider: {controls: medium, motivation: medium}}"


def undeclared(facts: Facts, language: Language) -> dict[str, Any]:
    """Return what a public release would need, by harm: the plan declares no situation."""
    _ = language.text
    words, k = _harms(language), facts.smallest
    situations = {harm: Situation([PublicRelease()], harm=harm) for harm in HARMS}
    return {
        "example": _EXAMPLE,
        "k": language.whole(k),
        "rows": [
            {
                "harm": words[harm],
                "threshold": language.percent(float(one.accepted)),
                "k": language.whole(one.minimal_k),
                "verdict": _("enough") if k >= one.minimal_k else _("not enough"),
            }
            for harm, one in situations.items()
        ],
        "assumptions": _assumptions(situations["low"], language),
    }


def assessed(situation: Situation, facts: Facts, language: Language) -> dict[str, Any]:
    """Return every scenario before and after, the verdict, and what it takes for granted."""
    _ = language.text
    before, after = situation.assess(facts.table), situation.assess(facts.release)
    return {
        "rows": [_row(*both, language) for both in zip(before.results, after.results, strict=True)],
        **_chart(before, after, language),
        "holds": after.holds,
        "verdict": _verdict(after, language),
        "words": [
            _threshold_words(after, language),
            _(
                "Every class needs at least {needed} people for that; the smallest has {k}. Fewer than {floor} are "
                "never enough, however improbable an attempt is: whoever does try finds somebody alone at once, and "
                "of two people each knows the other.",
                needed=language.whole(after.minimal_k),
                k=language.whole(facts.smallest),
                floor=language.whole(situation.floor),
            ),
        ],
        "assumptions": _assumptions(situation, language),
    }


def _row(before: ScenarioResult, after: ScenarioResult, language: Language) -> dict[str, Any]:
    _ = language.text
    return {
        "scenario": _name(after, language),
        "attempt": language.percent(float(after.attempt)),
        "before": language.share(before.risk),
        "after": language.share(after.risk),
        "holds": after.holds,
        "verdict": _("holds") if after.holds else _("too great"),
    }


def _chart(before: Assessment, after: Assessment, language: Language) -> dict[str, Any]:
    _ = language.text
    bars, words = [], []
    for first, second in zip(before.results, after.results, strict=True):
        label, a, b = _name(second, language), language.share(first.risk), language.share(second.risk)
        bars.append(Pair(label, float(first.risk or 0), float(second.risk or 0), f"{a} → {b}"))
        words.append(_("{label}: before {before}, after {after}", label=label, before=a, after=b))
    said = _(
        "The risk in each scenario against the threshold of {threshold}. {bars}.",
        threshold=language.percent(float(after.threshold)),
        bars="; ".join(words),
    )
    return chart_against(bars, float(after.threshold), said, _("The risk in each scenario, before → after."), language)


def chart_against(bars: Sequence[Pair], limit: float, said: str, caption: str, language: Language) -> dict[str, Any]:
    """Return a picture of risks against a threshold, and its caption, which tells of bars longer than drawn."""
    _ = language.text
    if max(max(bar.before, bar.after) for bar in bars) > charts.reach(bars, limit):
        torn = _("Bars with a torn end are longer than drawn.")
        caption = f"{caption} {torn}"
    mark = _("threshold {threshold}", threshold=language.percent(limit))
    return {"chart": charts.against(bars, limit, mark, said), "caption": caption}


def _verdict(after: Assessment, language: Language) -> str:
    """Say whether the situation is met; the exact numbers decide, not how they are spelt."""
    _ = language.text
    overall, floor = after.overall, after.situation.floor
    assert overall is not None  # a release has rows
    risks = {"risk": language.share(overall), "threshold": language.share(after.threshold)}
    if after.holds:
        said = _("It holds: {risk} < {threshold}.") if after.strict else _("It holds: {risk} ≤ {threshold}.")
    elif not after.situation.accepts(overall):
        said = (
            _("It does not hold: {risk} ≥ {threshold}.")
            if after.strict
            else _("It does not hold: {risk} > {threshold}.")
        )
    else:
        return _(
            "It does not hold: the risk would do, but a class has fewer than {floor} people.",
            floor=language.whole(floor),
        )
    return said.format(**risks)


def _threshold_words(after: Assessment, language: Language) -> str:
    _ = language.text
    situation = after.situation
    threshold = language.share(after.threshold)
    if situation.harm is not None:
        threshold = f"{threshold} ({_harms(language)[situation.harm]})"
    if after.strict:
        return _("The greatest risk of all scenarios must lie below the threshold of {threshold}.", threshold=threshold)
    return _("The greatest risk of all scenarios must be at most the threshold of {threshold}.", threshold=threshold)


def _harms(language: Language) -> dict[str, str]:
    _ = language.text
    return {"low": _("low harm"), "medium": _("medium harm"), "high": _("high harm")}


def _assumptions(situation: Situation, language: Language) -> list[str]:
    return [language.text(said) for said in situation.assumptions]


def _name(result: ScenarioResult, language: Language) -> str:
    label = language.text(result.label)
    return label[:1].upper() + label[1:]
