"""The honest limits, which stand in every report."""

from __future__ import annotations

from celosia.hierarchies import Number
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

__all__ = ["limits"]


def limits(facts: Facts, language: Language) -> Section:
    """Return what the release does not promise."""
    _ = language.text
    said = [
        (
            _("Only the declared quasi-identifiers"),
            _(
                "Every guarantee is relative to the columns declared as quasi-identifiers. Whoever knows something "
                "that another published column tells can link on that."
            ),
        ),
        (
            _("One release at a time"),
            _(
                "Models of this kind do not add up: two releases about the same people can together reveal what "
                "neither reveals alone."
            ),
        ),
        (
            _("Participants know their own row"),
            _(
                "Where c people of a class pool what they know about themselves, the others in it hide among k − c "
                "instead of k."
            ),
        ),
        (
            _("The method is information too"),
            _(
                "A search that looks for the least loss leaves traces: whoever knows the algorithm can sometimes "
                "narrow published values down. Do not publish this report."
            ),
        ),
    ]
    if any(_is_tight(cells.column.hierarchy) for cells in facts.release.recoding.cells):
        said.append(
            (
                _("The ends of ranges are true values"),
                _(
                    "Ranges run from the lowest to the highest value of a class: somebody in it really has each. A "
                    "grid (grid: in the plan) hides that."
                ),
            )
        )
    said += [
        (
            _("It has happened"),
            _(
                "Learner records of edX that were k-anonymous by the numbers have been re-identified (Cohen, 2022), "
                "and locally recoded tables can be refined without outside data (work on combinatorial refinement, "
                "2025)."
            ),
        ),
        (
            _("No legal conclusion"),
            _(
                "No output of a tool is a legal conclusion. This report is evidence for the controller's assessment, "
                "not that assessment."
            ),
        ),
    ]
    return Section("limits", _("Honest limits"), {"limits": said})


def _is_tight(hierarchy: object) -> bool:
    return isinstance(hierarchy, Number) and hierarchy.grid is None and hierarchy.publish != "centroid"
