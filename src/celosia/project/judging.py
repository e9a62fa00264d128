"""The state machine: which step stands where, and what keeps it from being signed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from celosia.dossier.case import STEPS, Acceptance, State, Step, StepName
from celosia.findings import Finding
from celosia.project.answers import Answers
from celosia.project.canonical import digest
from celosia.project.record import Record
from celosia.project.steps import Lack, Seen
from celosia.wording import Said

__all__ = ["BLOCKING", "Standing", "content_digest", "fingerprint", "judged", "open_findings"]

BLOCKING = frozenset({"RISK_ABOVE_THRESHOLD", "K_BELOW_FLOOR"})
"""Warnings that nobody can accept away."""
_OTHER_INPUT = Said("The input is another one than the one that was signed.")
_NEW_INPUT = Said("The input is another one than was looked at; signing this step looks at it again.")


@dataclass(frozen=True)
class Standing:
    """Where a project stands.

    Attributes
    ----------
    steps
        All eight, as documents read them.
    lacks
        What lacks in each, with the columns and keys it is about.
    seen
        What they were judged by.
    """

    steps: tuple[Step, ...]
    lacks: dict[StepName, list[Lack]]
    seen: Seen

    def step(self, name: StepName) -> Step:
        """Return a step by its name."""
        return self.steps[STEPS.index(name)]

    @property
    def changed(self) -> list[Step]:
        """The signed steps that are not what was signed any more."""
        return [step for step in self.steps if step.state == "changed"]


def judged(answers: Answers, record: Record, *, is_other_input: bool | None, input_hash: str | None) -> Standing:
    """Judge all steps.

    Parameters
    ----------
    is_other_input
        Whether the input is another one than was looked at; ``None`` where it is not there.
    input_hash
        The input as it is now; ``None`` where it is not there.
    """
    seen = Seen(
        evidence=record.evidence,
        outcome=record.outcome,
        is_other_input=is_other_input,
        is_measured=record.rounds_of in _fingerprints(answers, record, input_hash),
        targets_before=record.vouched("targets"),
        targets_now=targets_digest(answers),
        today=_today(),
    )
    steps: list[Step] = []
    lacks: dict[StepName, list[Lack]] = {}
    for name in STEPS:
        lacks[name] = [*answers.lacking(name, seen), *_about_input(name, record, seen)]
        steps.append(
            _step(name, answers, record, seen, lacks[name], is_waiting=any(one.state != "signed" for one in steps))
        )
    return Standing(tuple(steps), lacks, seen)


def open_findings(step: Step) -> list[Finding]:
    """Return the warnings of a step that nobody has accepted, or that nobody can accept."""
    known = {(one.code, one.column) for one in step.accepted}
    return [
        finding
        for finding in step.findings
        if finding.severity == "warning" and (finding.code in BLOCKING or (finding.code, finding.column) not in known)
    ]


def content_digest(name: StepName, answers: Answers, record: Record) -> str:
    """Return the digest of what a signature stands for: answers, evidence, and the rounds of step 6."""
    content: dict[str, Any] = {
        "step": name,
        "answers": answers.sections[name],
        "beside": answers.beside[name],
        "evidence": record.evidence.get(name, {}),
    }
    if name == "risk":
        told = record.to_dict()
        content |= {key: told[key] for key in ("rounds", "rounds_of", "outcome")}
    return digest(content)


def fingerprint(answers: Answers, input_hash: str) -> str:
    """Return the digest of all that the loop's figures depend on: the input, the targets, roles, drops, techniques.

    What the loop may try is left out: a round that was measured stays measured when more may be tried.
    """
    techniques = {key: own for key, own in answers.sections["anonymisation"].items() if key not in ("try", "accepted")}
    return digest(
        {
            "input": input_hash,
            "how": answers.beside["attributes"],
            "kind": answers.release_model.kind,
            "targets": _without_words(answers.sections["targets"]),
            "schema": answers.sections["attributes"].get("schema"),
            "drop": sorted(answers.purposes.drop),
            "techniques": techniques,
        }
    )


def targets_digest(answers: Answers) -> str:
    """Return the digest of the targets, without the words about them."""
    return digest(_without_words(answers.sections["targets"]))


def _without_words(section: Any) -> dict[str, Any]:
    return {key: own for key, own in section.items() if key not in ("why", "accepted")}


def _fingerprints(answers: Answers, record: Record, input_hash: str | None) -> set[str]:
    """Return the fingerprints of what the file says now; an input that is gone counts as the one that was seen."""
    known = record.evidence.get("attributes", {}).get("input", {}).get("sha256")
    hashed = input_hash or known
    return set() if hashed is None else {fingerprint(answers, hashed)}


def _about_input(name: StepName, record: Record, seen: Seen) -> list[Lack]:
    if name != "attributes" or not seen.is_other_input:
        return []
    return [Lack(_NEW_INPUT if record.signature(name) is None else _OTHER_INPUT)]


def _step(name: StepName, answers: Answers, record: Record, seen: Seen, lacks: list[Lack], *, is_waiting: bool) -> Step:
    findings = tuple(answers.findings(name, seen))
    codes = {(one.code, one.column) for one in findings}
    accepted: tuple[Acceptance, ...] = tuple(
        one for one in answers.accepted[name] if (one.code, one.column) in codes and one.code not in BLOCKING
    )
    signature = record.signature(name)
    shown = Step(
        name,
        "open",
        {key: own for key, own in answers.sections[name].items() if key != "accepted"},
        {key: own for key, own in record.evidence.get(name, {}).items() if key != "findings"},
        tuple(one.sentence for one in lacks),
        findings,
        accepted,
        signature,
    )
    state: State
    if signature is not None:
        is_same = signature.digest == content_digest(name, answers, record)
        state = "changed" if not is_same or (name == "attributes" and seen.is_other_input) else "signed"
    elif is_waiting:
        state = "waiting"
    else:
        state = "open" if lacks or open_findings(shown) else "ready"
    return Step(**{**vars(shown), "state": state})


def _today() -> date:
    return date.today()
