"""What the user should know about the plan, its search, and the table that it was run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celosia.base.findings import Finding
from celosia.data.outcome import Proof
from celosia.data.schema import Table
from celosia.data.schema.detectors import count_children

if TYPE_CHECKING:
    from celosia.measure.overall import Measures, Nearness
    from celosia.measure.run import Run
    from celosia.measure.terms import Terms


def about_plan(plan: Terms) -> list[Finding]:
    """Say which options of the plan help to undo the shuffle."""
    found = []
    if plan.seed is not None:
        found.append(
            Finding("SEED_FIXED", "warning", "The seed is fixed: whoever learns it can undo the shuffle of the rows.")
        )
    if plan.keep_order:
        found.append(
            Finding("ROW_ORDER_KEPT", "warning", "Rows keep the order of the input, which may tell who is who.")
        )
    return found


def about_table(table: Table) -> list[Finding]:
    """Say what the table is about: people rather than rows, children, nothing that anybody knows."""
    found = []
    if not table.quasi_identifiers:
        found.append(
            Finding("NO_QUASI_IDENTIFIERS", "warning", "No quasi-identifier is declared: all rows are one class.")
        )
    if table.subjects is not None and table.n_units < table.n_rows:
        found.append(
            Finding(
                "SUBJECT_REPEATED",
                "note",
                "{n_rows} rows are about {n_people} people; k counts people.",
                table.schema.subject,
                {"n_rows": table.n_rows, "n_people": table.n_units},
                n_rows=table.n_rows,
            )
        )
    for own in table.quasi_identifiers:
        n_children = count_children(own.values, table.decimal)
        if n_children:
            found.append(
                Finding(
                    "CHILD_DATA",
                    "note",
                    "Rows about people under 18 by '{column}': {count}. Data about children deserve particular care.",
                    own.name,
                    {"count": n_children},
                    n_rows=n_children,
                )
            )
    return found


def about_search(run: Run, measures: Measures) -> list[Finding]:
    """Say how far the search came."""
    found = _about_proof(run, measures)
    if run.was_stopped:
        found.append(
            Finding(
                "SEARCH_STOPPED",
                "note",
                "The search was stopped before its end: these are the best classes that it had found. They satisfy "
                "every model; a longer search may lose less.",
            )
        )
    return found


def _about_proof(run: Run, measures: Measures) -> list[Finding]:
    """Say how far classes may be from the best of their kind, if they are not known to be the best."""
    proof = run.proof
    if proof is None or proof.is_optimal:
        return []
    if run.recoding.extents is None:
        return _classes_not_proved(proof, measures.nearness)
    if proof.gap is None:
        return []
    return [
        Finding(
            "SEARCH_NOT_PROVED",
            "note",
            "The search ended before it could prove that there is no better recoding of whole columns: this one is at "
            "most {gap} above the best.",
            None,
            {"gap": _above(proof.gap)},
        )
    ]


def _classes_not_proved(proof: Proof, near: Nearness | None) -> list[Finding]:
    """Say how far classes may be from the best by the search's own bound, or by a better one where that is known."""
    if near is not None and near.is_best:
        return []
    gaps = [gap for gap in (proof.gap,) if gap is not None and gap < 1]
    if near is not None and near.bound.kind != "estimate" and near.above is not None:
        gaps.append(near.gap)
    if not gaps:
        return [
            Finding(
                "SEARCH_NOT_PROVED",
                "note",
                "The search could not prove that there are no better classes: these are the best that it found.",
            )
        ]
    return [
        Finding(
            "SEARCH_NOT_PROVED",
            "note",
            "The search ended before it could prove that there are no better classes: these are at most {gap} above "
            "the best.",
            None,
            {"gap": _above(min(gaps))},
        )
    ]


def _above(gap: float) -> str:
    """Spell a gap, a share of the value, as a share of the bound."""
    return f"{gap / max(1 - gap, 1e-12):.1%}"
