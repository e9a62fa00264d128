"""The information lost: per column, and GCP in both readings with its definition."""

from __future__ import annotations

from celosia.report import charts
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

__all__ = ["loss"]


def loss(facts: Facts, language: Language) -> Section:
    """Return the mean loss per column as bars, and the global certainty penalty."""
    _ = language.text
    found = facts.release.loss
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
    return Section("loss", _("The information lost"), {"rows": rows, "weighted": bool(weights), "readings": readings})


def _both(value: float, language: Language) -> str:
    return f"{language.decimal(value, 5)} ({language.percent(value)})"
