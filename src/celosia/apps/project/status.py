"""Where a project stands, as a dict."""

from __future__ import annotations

from typing import Any

from celosia.apps.dossier.case import Step
from celosia.apps.project.desk import Desk
from celosia.apps.project.judging import BLOCKING, open_findings
from celosia.apps.project.next_step import QUESTIONS, todo
from celosia.apps.project.placed import release_stands


def status_of(desk: Desk) -> dict[str, Any]:
    """Return where all steps stand, as ``celosia project status --json`` prints it."""
    steps, record = desk.standing.steps, desk.record
    return {
        "title": desk.answers.title,
        "file": desk.path.name,
        "intact": record.broken is None,
        "why_not_intact": record.broken,
        "is_signed": all(step.state == "signed" for step in steps),
        "outcome": record.outcome,
        "is_current": record.outcome is not None and desk.standing.seen.is_measured,
        "release": _release(desk),
        "rounds": list(record.to_dict()["rounds"]),
        "input": {None: "not there", True: "another one", False: "the same"}[desk.standing.seen.is_other_input],
        "review": _review(desk),
        "steps": [_step(desk, step) for step in steps],
        "history": [{key: own for key, own in vars(entry.event).items() if own} for entry in record.history],
        "next": todo(desk).to_dict(),
    }


def _release(desk: Desk) -> str | None:
    """Return whether what the loop made lies in its place; ``None`` where it has made nothing of these answers."""
    if desk.record.outcome is None or not desk.standing.seen.is_measured:
        return None
    return "as it was made" if release_stands(desk) else "not as it was made"


def _review(desk: Desk) -> dict[str, Any] | None:
    review = desk.answers.documentation.review
    if review is None:
        return None
    days = (review - desk.standing.seen.today).days
    return {"date": review.isoformat(), "days": days, "has_passed": days <= 0}


def _step(desk: Desk, step: Step) -> dict[str, Any]:
    signed = step.signature
    return {
        "number": step.number,
        "name": step.name,
        "question": QUESTIONS[step.name],
        "state": step.state,
        "signed": None
        if signed is None
        else {"by": signed.by, "role": signed.role, "at": signed.at, "note": signed.note},
        "lacking": [one.message for one in desk.standing.lacks[step.name]],
        "open": [one.to_dict() | {"can_be_accepted": one.code not in BLOCKING} for one in open_findings(step)],
        "accepted": [
            {"code": one.code, "column": one.column, "by": one.by, "reason": one.reason} for one in step.accepted
        ],
        "notes": [one.to_dict() for one in step.findings if one.severity == "note"],
    }
