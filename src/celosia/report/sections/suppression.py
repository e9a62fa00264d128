"""What was suppressed, and how that bends the distributions."""

from __future__ import annotations

import numpy as np
import polars as pl

from celosia.data.io import parse_numbers
from celosia.data.schema.columns import as_text, codes_of
from celosia.report.distributions import Distribution, number_distribution, value_distribution
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section
from celosia.report.sections.pictures import label

_MOST_VALUES = 10_000
"""A column of texts with more different values has no distribution worth measuring."""


def suppression(facts: Facts, language: Language) -> Section:
    """Return the rows lost, and per column the change of its distribution and the group that lost most."""
    _ = language.text
    n_suppressed = facts.classes.n_suppressed
    content: dict[str, object] = {
        "n_suppressed": n_suppressed,
        "dropped": _dropped(facts, language),
        "reasons": _reasons(facts, language),
    }
    if n_suppressed:
        content |= {
            "lost": language.plural(
                "{n} of {n_rows} rows was deleted: {share}.",
                "{n} of {n_rows} rows were deleted: {share}.",
                n_suppressed,
                n_rows=language.whole(facts.table.n_rows),
                share=language.percent(n_suppressed / facts.table.n_rows),
            ),
            "rows": [_row(found, language) for found in (*facts.distributions, *_others(facts))],
            "rule": _(
                "A group is named only where at least {k} suppressed people were in it.", k=language.whole(facts.k)
            ),
        }
    return Section("suppression", _("What was suppressed"), content)


def _reasons(facts: Facts, language: Language) -> list[tuple[str, str]]:
    """Return why rows of the original are not published, and how many for each reason."""
    _ = language.text
    words = {
        "unknown_value": _("A value that its hierarchy does not know"),
        "too_rare": _("A secret that too many rows share, or a value that too few have"),
        "search": _("Left out by the search"),
        "repair": _("In a class that broke a model and was given up"),
        "trimming": _("It cost its class more than itself"),
        "mask": _("Removed by a mask before the search"),
        "masks_after": _("Removed by a mask after the search"),
    }
    return [(words[reason], language.whole(count)) for reason, count in facts.release.suppressed.items() if count]


def _dropped(facts: Facts, language: Language) -> str:
    """Say how many rows masks removed before the search; what follows is about the rest."""
    masked = facts.release.masked
    if not masked.n_dropped:
        return ""
    return language.text(
        "Masks left {count} of {n_rows} rows out before the search ({share}): how that bends distributions is not "
        "shown here.",
        count=language.whole(masked.n_dropped),
        n_rows=language.whole(masked.given.n_rows),
        share=language.percent(masked.n_dropped / masked.given.n_rows),
    )


def _row(found: Distribution, language: Language) -> dict[str, str]:
    hit = [bar for bar in found.bars if bar.lost is not None and bar.kind != "other"]
    worst = max(hit, key=lambda bar: bar.lost or 0.0, default=None)
    most = "\N{EM DASH}"
    if worst is not None and worst.lost is not None:
        most = language.text(
            "{label}: {share} of its rows", label=label(worst, language), share=language.percent(worst.lost)
        )
    measured = len(found.bars) > 1
    return {
        "column": found.column,
        "change": language.percent(round(found.change, 3)) if measured else language.text("not measured"),
        "most": most if measured else "\N{EM DASH}",
    }


def _others(facts: Facts) -> list[Distribution]:
    """Return the distributions of the columns that are published as they are."""
    schema = facts.table.schema
    names = [one for one in facts.table.frame.columns if one in (*schema.sensitive, *schema.insensitive)]
    return [_other(facts, facts.table.frame[one]) for one in names if one not in schema.quasi_identifiers]


def _other(facts: Facts, column: pl.Series) -> Distribution:
    suppressed, subjects = facts.classes.suppressed, facts.table.subjects
    numbers = column if column.dtype.is_numeric() else None
    if column.dtype == pl.String and column.null_count() < len(column):
        parsed, n_failed = parse_numbers(column, facts.table.decimal)
        numbers = parsed if not n_failed else None
    if numbers is not None:
        codes, values = codes_of(numbers.cast(pl.Float64))
        finite = np.nan_to_num(np.array(values, dtype=np.float64))
        return number_distribution(column.name, finite, codes, suppressed, subjects, facts.k)
    texts = as_text(column)
    if texts.n_unique() > _MOST_VALUES:
        return Distribution(column.name, ())
    codes, values = codes_of(texts)
    return value_distribution(column.name, values, codes, suppressed, subjects, facts.k)
