"""How useful the release still is: the quick measures with their meaning, and columns of numbers before and after."""

from __future__ import annotations

import math

from celosia.measure.overall import RoundedStatistics
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPELT_OUT = 6
"""Powers of ten from here on are written as such."""


def utility(facts: Facts, language: Language) -> Section:
    """Return the measures that need no training, each with a sentence, and means and medians of numbers."""
    _ = language.text
    own = facts.table.schema.quasi_identifiers
    told = {name: found for name, found in facts.measures.rounded_statistics.items() if name in own}
    return Section(
        "utility",
        _("How useful it still is"),
        {
            "rows": [
                _class_size(facts, language),
                _discernibility(facts, language),
                _precision(facts, language),
                _entropy(facts, language),
                _ambiguity(facts, language),
            ],
            "statistics": [_statistics(name, found, language) for name, found in told.items()],
            "few": _("too few people have a number to tell figures that hide each of them"),
            "rule": _(
                "A published range counts by its middle; deleted rows are left out after. Figures are rounded, to a "
                "step so wide that around the median and each quartile at least {k} people have their values.",
                k=language.whole(facts.k),
            ),
        },
    )


def _class_size(facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    found = facts.measures.average_class_size
    if found.mean is None:
        figure = _("undefined")
    elif found.c_avg is None:
        figure = language.number(round(found.mean, 2))
    else:
        mean, multiple = language.number(round(found.mean, 2)), language.number(round(found.c_avg, 2))
        figure = f"{mean} = {multiple}\N{NO-BREAK SPACE}k"
    return {
        "name": _("Average class size"),
        "figure": figure,
        "meaning": _("How many published rows look alike, in rows and in multiples of k."),
        "better": _("Smaller is better; 1 k is the best there can be."),
    }


def _discernibility(facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    found = facts.measures.discernibility
    assert found is not None  # a release has rows
    return {
        "name": _("Discernibility"),
        "figure": language.whole(found),
        "meaning": _(
            "Every row counts the rows that it looks like, a deleted row counts all rows; this is the sum: {mean} per "
            "row.",
            mean=language.number(round(found / facts.table.n_rows, 2)),
        ),
        "better": _("Smaller is better."),
    }


def _precision(facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    found = facts.measures.precision
    meaning = _("How far down their hierarchies the cells stay; a deleted row is at the top of all of them.")
    if found.skipped:
        names = language.listed(list(found.skipped))
        meaning += " " + _("Without levels, and left out here: {columns}.", columns=names)
    return {
        "name": _("Precision"),
        "figure": _("undefined") if found.precision is None else language.percent(found.precision),
        "meaning": meaning,
        "better": _("Larger is better; {all} means that every cell is as it was.", all=language.percent(1)),
    }


def _entropy(facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    found = facts.measures.non_uniform_entropy.loss
    return {
        "name": _("Information hidden"),
        "figure": _("undefined") if found is None else language.percent(found),
        "meaning": _(
            "What is missing, in bits, to get from the published cells back to the values; joining a rare value with a "
            "frequent one hides less than joining two frequent ones (non-uniform entropy)."
        ),
        "better": _("Smaller is better; {none} means that nothing is hidden.", none=language.percent(0)),
    }


def _ambiguity(facts: Facts, language: Language) -> dict[str, str]:
    _ = language.text
    found = facts.measures.ambiguity.log10
    return {
        "name": _("Ambiguity"),
        "figure": _("undefined") if found is None else _spelt(found, language),
        "meaning": _("How many different rows of values a published row could stand for, on average."),
        "better": _("Smaller is better; 1 means that every row is as it was."),
    }


def _spelt(log10: float, language: Language) -> str:
    """Spell a number of any size by its decimal logarithm."""
    if log10 < _SPELT_OUT:
        return language.number(float(f"{10**log10:.3g}"))
    power = math.floor(log10)
    first = float(f"{10 ** (log10 - power):.2g}")
    if first == 10:
        first, power = 1.0, power + 1
    return f"{language.number(first)}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{str(power).translate(_SUPERSCRIPTS)}"


def _statistics(name: str, found: RoundedStatistics | None, language: Language) -> dict[str, object]:
    figures = () if found is None else ("mean", "sd", "median")
    return {
        "column": name,
        "changes": [
            tuple(_figure(side[figure], language) for side in (found.before, found.after))
            for figure in figures
            if found is not None
        ],
    }


def _figure(value: float | None, language: Language) -> str:
    return "\N{EM DASH}" if value is None else language.number(value)
