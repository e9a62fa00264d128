"""The information lost: per column, and GCP in both readings with its definition."""

from __future__ import annotations

from celosia.measure.overall import Nearness
from celosia.report import charts
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


def loss(facts: Facts, language: Language) -> Section:
    """Return the mean loss per column as bars, and the global certainty penalty."""
    _ = language.text
    found = facts.measures.loss
    weights = facts.table.schema.weights
    readings = [
        (_("over all original rows; a suppressed row counts as lost whole"), _both(found.gcp, language)),
        (
            _("over the published rows alone"),
            _("undefined") if found.gcp_published is None else _both(found.gcp_published, language),
        ),
    ]
    rows = [
        {
            "column": column,
            "share": language.percent(value),
            "bar": charts.meter(min(value, 1.0)),
            "weight": language.number(weights.get(column, 1)),
        }
        for column, value in found.columns.items()
    ]
    return Section(
        "loss",
        _("The information lost"),
        {
            "rows": rows,
            "weighted": bool(weights),
            "readings": readings,
            "nearness": nearness_words(facts.measures.nearness, language),
            "search": _search(facts, language),
        },
    )


def nearness_words(nearness: Nearness | None, language: Language) -> list[str]:
    """Say how near the loss is to the best possible, and how that is known; nothing where it is not."""
    if nearness is None:
        return []
    _ = language.text
    if nearness.is_best:
        return [
            _(
                "It is the best possible: no release of these rows by these models and hierarchies that suppresses no "
                "more rows than the plan allows loses less."
            )
        ]
    bound = nearness.bound
    if nearness.above is None and bound.kind == "exact":
        return [_("The best possible loses nothing: these rows can be released by these models with a GCP of 0.")]
    if nearness.above is None and bound.kind == "bound":
        return []
    if bound.kind == "estimate":
        return _estimate_words(nearness, language)
    return [
        _(
            "At most {above} above the best possible: no release of these rows by these models and hierarchies that "
            "suppresses no more rows than the plan allows has a GCP below {bound}. As a share of this loss "
            "that is {gap}.",
            above=language.percent(nearness.above or 0.0),
            bound=language.decimal(bound.value, 5),
            gap=language.percent(nearness.gap),
        ),
        _("It is a lower bound, so that the release may be nearer to the best, and be it."),
    ]


def _estimate_words(nearness: Nearness, language: Language) -> list[str]:
    _ = language.text
    bound, interval = nearness.bound, nearness.above_interval
    assert bound.interval is not None
    assert interval is not None
    if nearness.above is None or interval[0] is None or interval[1] is None:
        return []
    return [
        _(
            "By an estimate at most {above} above the best possible (95 % interval: {low} to {high}).",
            above=language.percent(nearness.above),
            low=language.percent(interval[0]),
            high=language.percent(interval[1]),
        ),
        _(
            "Estimated from a random sample of {n_sampled} of {n_rows} rows: a lower bound of GCP of about {bound}, "
            "95 % interval {low} to {high}. It is no proof.",
            n_sampled=language.whole(bound.n_sampled),
            n_rows=language.whole(bound.n_rows),
            bound=language.decimal(bound.value, 5),
            low=language.decimal(bound.interval[0], 5),
            high=language.decimal(bound.interval[1], 5),
        ),
    ]


def _search(facts: Facts, language: Language) -> dict[str, object] | None:
    """Return a picture of the least loss over time, where the search went on and found something better."""
    history = facts.release.history
    if not history or history[-1][1] >= history[0][1]:
        return None
    _ = language.text
    (_begun, first), (seconds, last) = history[0], history[-1]
    said = _(
        "The search began at a loss of {first} and ended after {seconds} s at {last}: {share} less.",
        first=language.percent(first),
        last=language.percent(last),
        seconds=_spelt(seconds, language),
        share=language.percent(1 - last / first),
    )
    ticks = [(share * seconds, f"{_spelt(share * seconds, language)} s") for share in (0, 0.5, 1)]
    chart = charts.descent(history, language.percent(first), language.percent(last), ticks, said)
    return {"chart": chart, "said": said, "trimmed": facts.classes.n_suppressed > 0}


def _spelt(seconds: float, language: Language) -> str:
    return language.number(round(seconds) if seconds >= 10 else float(f"{seconds:.2g}"))


def _both(value: float, language: Language) -> str:
    return f"{language.decimal(value, 5)} ({language.percent(value)})"
