"""The classes: how many, how large, how small the smallest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.report import charts
from celosia.report.bins import MOST_BARS, round_edges
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


def classes(facts: Facts, language: Language) -> Section:
    """Return number and sizes of the classes, in people, with a picture of the sizes."""
    _ = language.text
    people = facts.people
    figures = [
        (_("classes"), language.whole(len(people))),
        (_("people in the smallest class"), language.whole(int(people.min()))),
        (_("people in the middle class (median)"), language.number(float(np.median(people)))),
        (_("people in the largest class"), language.whole(int(people.max()))),
        (_("rows per class on average"), language.number(round(facts.classes.n_published / len(people), 2))),
    ]
    if facts.table.subjects is not None:
        figures.insert(2, (_("rows in the smallest class"), language.whole(int(facts.classes.sizes.min()))))
    bars = _bars(people, language)
    return Section(
        "classes",
        _("The classes"),
        {
            "figures": figures,
            "chart": charts.columns(bars, _alternative(bars, language)),
        },
    )


def _bars(people: NDArray[np.int64], language: Language) -> list[charts.Column]:
    """Return a bar per size, or per round range of sizes where there are many."""
    sizes, counts = np.unique(people, return_counts=True)
    if len(sizes) <= MOST_BARS:
        return [
            charts.Column(language.whole(int(size)), int(count), language.whole(int(count)))
            for size, count in zip(sizes, counts, strict=True)
        ]
    edges = round_edges(float(sizes[0]), float(sizes[-1]), whole=True).astype(np.int64)
    found = []
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        count = int(counts[(sizes >= low) & (sizes < high)].sum())
        first = max(low, int(sizes[0]))
        label = f"{first}\N{EN DASH}{high - 1}" if high - 1 > first else str(first)
        found.append(charts.Column(label, count, language.whole(count)))
    return found


def _alternative(bars: list[charts.Column], language: Language) -> str:
    shown = "; ".join(f"{bar.label}: {bar.figure}" for bar in bars)
    return language.text("Number of classes by the people in them. {bars}.", bars=shown)
