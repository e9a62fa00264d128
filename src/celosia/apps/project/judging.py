"""The state machine: which step stands where, and what keeps it from being signed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any

from celosia.apps.dossier.case import STEPS, Acceptance, State, Step, StepName
from celosia.apps.project.answers import Answers
from celosia.apps.project.record import Record, digest
from celosia.apps.project.steps import Lack, Seen
from celosia.apps.project.steps.techniques import told_finding
from celosia.base.findings import Finding
from celosia.base.wording import Said

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
        is_measured=_is_measured(answers, record, input_hash),
        n_moves=_n_moves([*record.told("targets"), targets_digest(answers)]),
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
    known = {(one.code, one.column) for one in step.accepted}  # those that are of the findings as they are now
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
        "files": answers.files[name],
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
            "files": {step: own for step, own in answers.files.items() if own},
            "drop": sorted(answers.purposes.drop),
            "techniques": techniques,
        }
    )


def wanted_digest(answers: Answers) -> str:
    """Return the digest of what an outcome depends on beside the rounds: what may be tried, and what is written where.

    A person who asks for a greater k, or takes a search away, has not got it before the loop has ended anew.
    """
    tried = answers.sections["anonymisation"].get("try")
    return digest({"try": tried, "output": answers.beside["anonymisation"]})


def targets_digest(answers: Answers) -> str:
    """Return the digest of the targets, without the words about them."""
    return digest(_without_words(answers.sections["targets"]))


def _without_words(section: Any) -> dict[str, Any]:
    return {key: own for key, own in section.items() if key not in ("why", "accepted")}


def _is_measured(answers: Answers, record: Record, input_hash: str | None) -> bool:
    """Whether the loop was run on what the file says now; an input that is gone counts as the one that was seen."""
    hashed = input_hash or record.evidence.get("attributes", {}).get("input", {}).get("sha256")
    if hashed is None or record.rounds_of != fingerprint(answers, hashed):
        return False
    return record.outcome is None or record.told("wanted")[-1:] == [wanted_digest(answers)]


def _n_moves(targets: list[str]) -> int:
    """Return how often targets were changed from one run to the next, or since the last."""
    return sum(earlier != later for earlier, later in pairwise(targets))


def _about_input(name: StepName, record: Record, seen: Seen) -> list[Lack]:
    if name != "attributes" or not seen.is_other_input:
        return []
    return [Lack(_NEW_INPUT if record.signature(name) is None else _OTHER_INPUT)]


def _step(name: StepName, answers: Answers, record: Record, seen: Seen, lacks: list[Lack], *, is_waiting: bool) -> Step:
    findings = tuple(answers.findings(name, seen))
    known = dict.fromkeys(answers.accepted[name])  # accepted anew in the same words, it stands there twice
    accepted = tuple(one for one in known if _counts(one, name, findings, record))
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
    return replace(shown, state=state)


def acceptance_digests(step: StepName, acceptance: Acceptance, findings: Sequence[Finding]) -> dict[str, str]:
    """Return what an event vouches for when a finding is accepted: the acceptance, and with what it was accepted."""
    entry = {"step": step, **vars(acceptance)}
    meant = [told_finding(one) for one in findings if (one.code, one.column) == (acceptance.code, acceptance.column)]
    return {"acceptance": digest(entry), "accepted": digest({"entry": entry, "findings": meant})}


def _counts(one: Acceptance, step: StepName, findings: Sequence[Finding], record: Record) -> bool:
    """Whether an acceptance is of a finding that is there, with the figures that were seen when it was accepted."""
    if one.code in BLOCKING or all((one.code, one.column) != (own.code, own.column) for own in findings):
        return False
    own = acceptance_digests(step, one, findings)
    return own["acceptance"] not in record.vouched("acceptance") or own["accepted"] in record.vouched("accepted")


def _today() -> date:
    return date.today()
