"""Two pictures of risk, before and after: rows by their risk, and classes by the people in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from celosia.measure.risk.base import ClassCounts, class_counts
from celosia.models.people import fewest_people
from celosia.report import charts
from celosia.report.charts import Pair
from celosia.report.facts import Facts
from celosia.report.language import Language

_STARTS = (1, 2, 3, 5, 10, 20, 100)
"""The people with whom a rung begins: the manual's thresholds 0.2, 0.1 and 0.01 each lie between two rungs."""
_MOST_PEOPLE = 2**62
"""More than any class has."""


@dataclass(frozen=True)
class _Rung:
    """Classes of ``first`` to ``last`` people (``None``: and more): their share of the rows and how many they are."""

    first: int
    last: int | None
    shares: tuple[float, float]
    n_classes: tuple[int, int]


def risk_pictures(facts: Facts, language: Language, threshold: Fraction) -> list[dict[str, Any]]:
    """Return both pictures with their titles and captions; what lies above the threshold stands above a line."""
    _ = language.text
    least = min(fewest_people(threshold), _MOST_PEOPLE)
    rungs = _rungs(class_counts(facts.table), class_counts(facts.release), _starts(least))
    n_above = sum(rung.first < least for rung in rungs)
    rows = [_pair(_risks(rung, language), rung.shares, language.percent) for rung in rungs]
    classes = [_pair(_people(rung, language), rung.n_classes, language.whole) for rung in rungs]
    above = _("↑ above {threshold}", threshold=language.percent(float(threshold)))
    return [
        {
            "title": _("Rows by their risk"),
            "chart": charts.ladder(
                rows, n_above, above, _("Share of the rows by their risk. {bars}.", bars=_words(rows, language))
            ),
            "caption": _(
                "Share of the rows, before → after, by their risk: 1 is that of somebody who is alone in a class."
            ),
        },
        {
            "title": _("Classes by their size"),
            "chart": charts.ladder(
                classes,
                n_above,
                _("↑ fewer than {n} people", n=language.whole(least)),
                _("Classes by the people in them. {bars}.", bars=_words(classes, language)),
            ),
            "caption": _("Number of classes, before → after, by the people in them."),
        },
    ]


def _starts(least: int) -> list[int]:
    """Return where rungs begin: at the usual numbers and at the least that the threshold allows, but not just below."""
    if least in _STARTS:
        return list(_STARTS)
    return sorted({*(start for start in _STARTS if start < 3 or start != least - 1), least})


def _rungs(before: ClassCounts, after: ClassCounts, starts: Sequence[int]) -> list[_Rung]:
    rows, classes = [], []
    for counts in (before, after):
        place = np.searchsorted(starts, counts.people, side="right") - 1
        rows.append(np.bincount(place, weights=counts.rows, minlength=len(starts)) / max(counts.n_rows, 1))
        classes.append(np.bincount(place, minlength=len(starts)))
    ends = [*(start - 1 for start in starts[1:]), None]
    return [
        _Rung(
            first,
            last,
            (float(rows[0][place]), float(rows[1][place])),
            (int(classes[0][place]), int(classes[1][place])),
        )
        for place, (first, last) in enumerate(zip(starts, ends, strict=True))
    ]


def _risks(rung: _Rung, language: Language) -> str:
    first = "1" if rung.first == 1 else f"1/{language.whole(rung.first)}"
    if rung.last is None:
        return f"≤\N{NO-BREAK SPACE}{first}"
    return first if rung.last == rung.first else f"{first}\N{EN DASH}1/{language.whole(rung.last)}"


def _people(rung: _Rung, language: Language) -> str:
    first = language.whole(rung.first)
    if rung.last is None:
        return f"≥\N{NO-BREAK SPACE}{first}"
    return first if rung.last == rung.first else f"{first}\N{EN DASH}{language.whole(rung.last)}"


def _pair(label: str, sizes: tuple[float, float], spell: Callable[[Any], str]) -> Pair:
    return Pair(label, *sizes, f"{spell(sizes[0])} → {spell(sizes[1])}")


def _words(pairs: Sequence[Pair], language: Language) -> str:
    return "; ".join(
        language.text("{label}: before {before}, after {after}", label=pair.label, before=before, after=after)
        for pair in pairs
        for before, after in [pair.figures.split(" → ")]
    )
