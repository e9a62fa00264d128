"""How useful the release still is: the quick measures with their meaning, and columns of numbers before and after."""

from __future__ import annotations

import math

from celosia.measure.overall import Measures, RoundedStatistics
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPELT_OUT = 6
"""Powers of ten from here on are written as such."""


def utility(facts: Facts, language: Language) -> Section:
    """Return the measures that need no training, and means and medians of numbers; the template says what they mean."""
    own, found = facts.table.schema.quasi_identifiers, facts.measures
    told = {name: figures for name, figures in found.rounded_statistics.items() if name in own}
    assert found.discernibility is not None  # a release has rows
    ambiguity = found.ambiguity.log10
    content = {
        "class_size": _class_size(found, language),
        "discernibility": found.discernibility,
        "mean_discernibility": language.number(round(found.discernibility / facts.table.n_rows, 2)),
        "precision": found.precision,
        "skipped": language.listed(list(found.precision.skipped)),
        "entropy": found.non_uniform_entropy.loss,
        "ambiguity": language.text("undefined") if ambiguity is None else _spelt(ambiguity, language),
        "statistics": [_statistics(name, figures, language) for name, figures in told.items()],
        "k": facts.k,
    }
    return Section("utility", language.text("How useful it still is"), content)


def _class_size(found: Measures, language: Language) -> str:
    if found.average_class_size.mean is None:
        return language.text("undefined")
    mean = language.number(round(found.average_class_size.mean, 2))
    if found.average_class_size.c_avg is None:
        return mean
    return f"{mean} = {language.number(round(found.average_class_size.c_avg, 2))}\N{NO-BREAK SPACE}k"


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
