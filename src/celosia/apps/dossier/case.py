"""The case: a project as its documents read it. Only what may be kept for years: no cell value, no path, no key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, Literal

from celosia.base.findings import Finding
from celosia.measure.risk.situation import Situation

StepName = Literal[
    "release_model", "targets", "attributes", "purposes", "anonymisation", "risk", "evaluation", "documentation"
]
STEPS: tuple[StepName, ...] = (
    "release_model",
    "targets",
    "attributes",
    "purposes",
    "anonymisation",
    "risk",
    "evaluation",
    "documentation",
)
"""The eight steps of the manual (section 10) in their order. Its sixth, "more anonymisation if needed", lacks the
measuring that decides it (T-M9): here it is ``risk``, the loop of anonymising and measuring."""

State = Literal["waiting", "open", "ready", "signed", "changed"]
"""``waiting`` for an earlier step; ``open``: something lacks; ``ready`` to be signed; ``signed``; ``changed`` since."""

Verdict = Literal["accepted", "too risky", "too lossy", "out of reach"]


@dataclass(frozen=True)
class Signature:
    """A named person's word for a step as it stood then.

    Attributes
    ----------
    step, by, role, at, note
        Which step, whose word, in which function, when (ISO 8601, UTC), and what they add.
    digest
        The SHA-256 of the step's content, so that a later change shows.
    """

    step: StepName
    by: str
    role: str
    at: str
    digest: str
    note: str = ""


@dataclass(frozen=True)
class Event:
    """What happened to the project: made, run, signed, un-signed; with who, when and why."""

    what: str
    at: str
    by: str = ""
    step: StepName | None = None
    why: str = ""


@dataclass(frozen=True)
class Acceptance:
    """A finding that a named person has looked at and accepts, with the reason."""

    code: str
    by: str
    reason: str
    column: str | None = None


@dataclass(frozen=True)
class Round:
    """One turn of the loop: what was tried, what was measured, what was decided.

    Attributes
    ----------
    k, algorithm, max_suppression
        What was tried.
    verdict
        ``accepted``; ``too risky`` or ``too lossy``: measured, and above a target; ``out of reach``: no such release.
    risk
        The greatest risk in all scenarios; ``None`` where nothing was measured. The same for the figures below.
    smallest, gcp, share_suppressed, seconds
        People in the smallest class, loss, share of rows left out, time.
    reason
        Why it is not accepted, in English for the catalogue; empty where it is.
    chosen
        Whether the release was made with it.
    """

    k: int
    algorithm: str
    max_suppression: float
    verdict: Verdict
    risk: Fraction | None = None
    smallest: int | None = None
    gcp: float | None = None
    share_suppressed: float | None = None
    seconds: float | None = None
    reason: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Step:
    """A step: what people answered, what was seen, what is open, who signed.

    Attributes
    ----------
    answers
        What the project file says under the step.
    evidence
        What Celosía measured for it: plain figures and texts.
    lacking
        What must be done before it can be signed, in English for the catalogue.
    findings, accepted
        What was found, and which of it a named person accepted.
    """

    name: StepName
    state: State
    answers: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Acceptance, ...] = ()
    signature: Signature | None = None

    @property
    def number(self) -> int:
        """Its place among the eight, from 1."""
        return STEPS.index(self.name) + 1


@dataclass(frozen=True)
class Case:
    """A project as its documents read it.

    Attributes
    ----------
    title, controller, contact
        What the data are called, who answers for them, and how to reach them.
    is_public, recipients
        Who gets the release.
    situation
        The accepted risk, and who might try.
    covers
        Whether the threshold is for the data's risk alone (``data``) or takes controls in (``data and controls``).
    max_loss
        The greatest loss (GCP) with which the release is still of use.
    steps
        All eight, in order.
    rounds
        The turns of the loop, in order.
    outcome
        ``feasible``, ``not feasible``, or ``None`` before the loop has ended.
    review
        When it is to be looked at again.
    history
        What happened, oldest first.
    """

    title: str
    controller: str
    contact: str
    is_public: bool
    recipients: tuple[str, ...]
    situation: Situation
    covers: Literal["data", "data and controls"]
    max_loss: float
    steps: tuple[Step, ...]
    rounds: tuple[Round, ...] = ()
    outcome: Literal["feasible", "not feasible"] | None = None
    review: date | None = None
    history: tuple[Event, ...] = ()

    @property
    def is_signed(self) -> bool:
        """Whether named people have signed all steps as they stand."""
        return bool(self.steps) and all(step.state == "signed" for step in self.steps)

    def step(self, name: StepName) -> Step:
        """Return a step by its name."""
        return self.steps[STEPS.index(name)]
