"""Before and after: every quasi-identifier as a small picture."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from celosia.report import charts
from celosia.report.bins import ticks
from celosia.report.distributions import Bar, Distribution
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

_MOST_TICKS = 9


def pictures(facts: Facts, language: Language) -> Section:
    """Return a picture per quasi-identifier."""
    figures = [
        {
            "column": found.column,
            "chart": _chart(found, language),
        }
        for found in facts.distributions
    ]
    return Section(
        "pictures",
        language.text("Before and after"),
        {
            "figures": figures,
            "rule": language.text(
                "No bar stands for fewer than {k} people: edges are round, the outermost ranges are open, and values "
                "that are rare or not published are drawn together as 'other'.",
                k=facts.k,
            ),
        },
    )


def label(bar: Bar, language: Language) -> str:
    """Return what a bar stands for, in words."""
    _ = language.text
    if bar.kind == "value":
        return bar.text
    if bar.kind == "missing":
        return _("missing")
    if bar.kind == "other":
        return language.plural("other ({n} value)", "other ({n} values)", bar.n_values)
    if bar.low is None or bar.high is None:
        return _open_range(bar, language)
    low = language.number(bar.low)
    if not bar.whole:
        return _("{low} to below {high}", low=low, high=language.number(bar.high))
    last = language.number(bar.high - 1)
    return low if low == last else f"{low}\N{EN DASH}{last}"


def _open_range(bar: Bar, language: Language) -> str:
    if bar.low is not None:
        return f"≥\N{NO-BREAK SPACE}{language.number(bar.low)}"
    if bar.high is None:
        return language.text("all values")
    sign, end = ("≤", bar.high - 1) if bar.whole else ("<", bar.high)
    return f"{sign}\N{NO-BREAK SPACE}{language.number(end)}"


def _chart(found: Distribution, language: Language) -> Markup | str:
    if len(found.bars) < 2:
        return ""
    alternative = "; ".join(
        language.text(
            "{label}: before {before}, after {after}",
            label=label(bar, language),
            before=language.percent(bar.before),
            after=language.percent(bar.after),
        )
        for bar in found.bars
    )
    said = language.text("Shares of '{column}'. {bars}.", column=found.column, bars=alternative)
    if found.edges:
        return _histogram(found, said, language)
    return charts.pairs([_pair(bar, language) for bar in found.bars], said)


def _pair(bar: Bar, language: Language) -> charts.Pair:
    figures = f"{_figure(bar.before, language)} → {_figure(bar.after, language)}"
    return charts.Pair(label(bar, language), bar.before, bar.after, figures)


def _figure(share: float, language: Language) -> str:
    """Spell percentages of one decimal without their sign, which the legend gives."""
    return f"<{language.decimal(0.1, 1)}" if 0 < share < 0.0005 else language.decimal(100 * share, 1)


def _histogram(found: Distribution, alternative: str, language: Language) -> Markup:
    ranges = [bar for bar in found.bars if bar.kind == "range"]
    missing = next((bar for bar in found.bars if bar.kind == "missing"), None)
    widths = np.diff(found.edges)
    even = bool(np.allclose(widths, widths[0]))
    tallest = max(max(bar.before, bar.after) for bar in found.bars)
    return charts.histogram(
        found.edges,
        [bar.before for bar in ranges],
        [bar.after for bar in ranges],
        _ticks(found, ranges, language),
        language.percent(round(tallest, 3)) if even else "",
        alternative,
        None if missing is None else charts.Pair(language.text("missing"), missing.before, missing.after, ""),
    )


def _ticks(found: Distribution, ranges: list[Bar], language: Language) -> list[tuple[float, str]]:
    """Label whole numbers below their bars, ranges at their inner edges: the outermost are open."""
    edges = np.array(found.edges)
    if ranges[0].whole and np.diff(edges).min() == 1:
        middles = (edges[:-1] + edges[1:]) / 2
        return [(float(middle), label(bar, language)) for middle, bar in zip(middles, ranges, strict=True)]
    return [(found.edges[place], language.number(found.edges[place])) for place in ticks(edges, _MOST_TICKS)]
