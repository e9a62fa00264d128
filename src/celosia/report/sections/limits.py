"""The honest limits, which stand in every report."""

from __future__ import annotations

from celosia.data.hierarchies import Number
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


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
    said += _of_models(facts, language)
    recoding = facts.release.recoding
    if any(_is_tight(cells.column.hierarchy) for cells in recoding.cells if cells.column.name != recoding.kept):
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


def _of_models(facts: Facts, language: Language) -> list[tuple[str, str]]:
    """Return the limits that several models of the plan share."""
    _ = language.text
    names = {model.name for model in facts.release.plan.models}
    said = []
    if names & {"t_closeness", "delta_disclosure", "beta_likeness"}:
        said.append(
            (
                _("What the whole release tells is not hidden"),
                _(
                    "Models that compare classes with the whole release take its shares for public: whatever it tells "
                    "about everybody in it, it tells about each."
                ),
            )
        )
    if names & {"average_risk", "share_at_risk", "sample_uniqueness"}:
        said.append(
            (
                _("A mean protects nobody in particular"),
                _(
                    "Limits on a mean or a share hold for the release as a whole. A person who is among the few above "
                    "it is not protected by them."
                ),
            )
        )
    if "k_map" in names:
        said.append(
            (
                _("Who is in the data must stay secret"),
                _(
                    "A k-map counts people who may not be in the data. It is lost as soon as somebody knows that a "
                    "person is, if only because that person said so."
                ),
            )
        )
    return said


def _is_tight(hierarchy: object) -> bool:
    return isinstance(hierarchy, Number) and hierarchy.grid is None and hierarchy.publish != "centroid"
