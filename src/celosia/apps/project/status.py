"""Where a project stands, as a dict, and what to do now, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from celosia.apps.dossier.case import Step, StepName
from celosia.apps.project.desk import Desk
from celosia.apps.project.judging import BLOCKING, open_findings
from celosia.apps.project.placed import release_stands

QUESTIONS: dict[StepName, str] = {
    "release_model": "Who gets it?",
    "targets": "Which risk is accepted, which utility wanted?",
    "attributes": "What is each column, and who could know it?",
    "purposes": "What is each column needed for?",
    "anonymisation": "Which techniques?",
    "risk": "Is the risk below the threshold?",
    "evaluation": "Is it useful, and worth the risk to people?",
    "documentation": "Which controls, and when is it reviewed?",
}
_NOT_AS_MADE = "What the loop made is not in the output folder as it was made."
_AT_LEAST_RUN = "The loop may run: it anonymises and measures until the targets hold, or says that they cannot."


@dataclass(frozen=True)
class Todo:
    """What to do now.

    Attributes
    ----------
    step
        The step it belongs to; ``None`` where all are signed.
    what
        What to do, one sentence each.
    command
        The command that does it or follows it; empty where there is none.

    Examples
    --------
    >>> print(Todo("risk", ("Run the loop.",), "celosia project run"))
    Run the loop.
      celosia project run
    """

    step: StepName | None
    what: tuple[str, ...]
    command: str = ""

    def __str__(self) -> str:
        return "\n".join([*self.what, *([f"  {self.command}"] if self.command else [])])

    def to_dict(self) -> dict[str, Any]:
        """Return it as ``celosia project next --json`` prints it."""
        return {"step": self.step, "what": list(self.what), "command": self.command}


def todo(desk: Desk) -> Todo:
    """Return what to do now."""
    if desk.record.broken is not None:
        return Todo(
            None,
            (
                f"The record was changed by hand: {desk.record.broken}.",
                "Put the file back as it was, from a copy or from version control.",
            ),
        )
    changed = desk.standing.changed
    if changed:
        return _mend(desk, changed[0])
    step = next((one for one in desk.standing.steps if one.state != "signed"), None)
    if desk.record.outcome is not None and desk.standing.seen.is_measured and not release_stands(desk):
        return _lost(desk, step)
    if step is None:
        return _all_signed(desk)
    if step.number >= 5 and desk.record.outcome is None and not desk.standing.lacks["anonymisation"]:
        return Todo("risk", (_AT_LEAST_RUN,), "celosia project run")
    return _step(desk, step)


def _lost(desk: Desk, step: Step | None) -> Todo:
    """Tell what to do where the release was changed or removed, or never came to its place."""
    signed = desk.standing.step("risk").signature
    if signed is not None:
        return Todo(
            "risk",
            (f"{_NOT_AS_MADE} {signed.by} signed it as it was: put it back, or take the signature off.",),
            "celosia project unsign risk --by NAME --reason TEXT",
        )
    if step is not None and step.number < 5:
        return _step(desk, step)
    return Todo("risk", (f"{_NOT_AS_MADE} Put it back; or move away what lies there, and run.",), "celosia project run")


def _mend(desk: Desk, step: Step) -> Todo:
    is_input = bool(desk.standing.seen.is_other_input) and step.name == "attributes"
    what = "The input is another one than was signed" if is_input else f"Step {step.number} is not what was signed"
    by = "" if step.signature is None else f" by {step.signature.by}"
    return Todo(
        step.name,
        (f"{what}{by}. Put it back as it was, or take the signature off, with the reason.",),
        f"celosia project unsign {step.name} --by NAME --reason TEXT",
    )


def _step(desk: Desk, step: Step) -> Todo:
    head = f"Step {step.number}, {step.name}: {QUESTIONS[step.name]}"
    lacks = [one.message for one in desk.standing.lacks[step.name]]
    warnings = open_findings(step)
    stuck = [one.message for one in warnings if one.code in BLOCKING]
    open_ = [f"{one.code}: {one.message}" for one in warnings if one.code not in BLOCKING]
    if step.name == "risk" and lacks:
        return Todo("risk", (head, *lacks), "celosia project run")
    if stuck:
        return Todo(step.name, (head, *lacks, *stuck, "Nobody can accept that: change the steps before."))
    if open_ and not lacks:
        first = next(one for one in warnings if one.code not in BLOCKING)
        column = "" if first.column is None else f" --column {_quoted(first.column)}"
        return Todo(
            step.name,
            (head, "Each warning is mended, or accepted by name:", *open_),
            f"celosia project accept {first.code}{column} --by NAME --reason TEXT",
        )
    then = f"Write that into {desk.path.name}, then sign:"
    hints = [then] if lacks and not _signing_helps(desk, step) else []
    return Todo(step.name, (head, *lacks, *open_, *hints), f"celosia project sign {step.name} --by NAME --role ROLE")


def _signing_helps(desk: Desk, step: Step) -> bool:
    """Whether the only thing that lacks is a look at the input, which signing takes."""
    seen = desk.standing.seen
    return step.name == "attributes" and (seen.columns is None or bool(seen.is_other_input))


def _all_signed(desk: Desk) -> Todo:
    review = desk.answers.documentation.review
    if review is not None and review <= desk.standing.seen.today:
        return Todo(
            "documentation",
            (f"The day of the review ({review.isoformat()}) has come: look at all steps again, and at what is new.",),
            "celosia project unsign documentation --by NAME --reason TEXT",
        )
    when = "" if review is None else f" until {review.isoformat()}"
    return Todo(None, (f"All eight steps are signed: there is nothing to do{when}, unless a trigger comes before.",))


def _quoted(column: str) -> str:
    return column if column.isalnum() else "'" + column.replace("'", "'\\''") + "'"


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
        "steps": [_told(desk, step) for step in steps],
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


def _told(desk: Desk, step: Step) -> dict[str, Any]:
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
