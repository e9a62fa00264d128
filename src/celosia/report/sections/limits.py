"""The honest limits, which stand in every report; their words stand in the template."""

from __future__ import annotations

from celosia.data.hierarchies import Number
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


def limits(facts: Facts, language: Language) -> Section:
    """Return what the release does not promise: which of the limits hold that hang on models and ranges."""
    names = {model.name for model in facts.release.plan.models}
    recoding = facts.release.recoding
    coarsened = [cells.column.hierarchy for cells in recoding.cells if cells.column.name != recoding.kept]
    content = {
        "compares": bool(names & {"t_closeness", "delta_disclosure", "beta_likeness"}),
        "bounds_means": bool(names & {"average_risk", "share_at_risk", "sample_uniqueness"}),
        "counts_population": "k_map" in names,
        "tight": any(map(_is_tight, coarsened)),
    }
    return Section("limits", language.text("Honest limits"), content)


def _is_tight(hierarchy: object) -> bool:
    return isinstance(hierarchy, Number) and hierarchy.grid is None and hierarchy.publish != "centroid"
