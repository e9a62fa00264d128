"""Answers: everything that people wrote into a project file, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celosia.apps.dossier.case import STEPS, Acceptance, StepName
from celosia.apps.project.looking import files_in
from celosia.apps.project.record import plain
from celosia.apps.project.steps import (
    Anonymisation,
    Attributes,
    Documentation,
    Evaluation,
    Lack,
    Purposes,
    ReleaseModel,
    Risk,
    Seen,
    TargetAnswers,
)
from celosia.apps.project.steps.base import accepted_in, mapping_of, text_of
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section

_HEAD = ("title", "controller", "contact")
_TOP = ("celosia", "version", *_HEAD, "input", "output", "steps")
_BESIDE: Mapping[StepName, tuple[str, ...]] = {
    "release_model": _HEAD,
    "attributes": ("input",),
    "anonymisation": ("output",),
}
"""What is signed with a step, though it stands above all steps."""


@dataclass(frozen=True)
class Answers:
    """What people wrote, step by step.

    Attributes
    ----------
    title, controller, contact
        What the data are called, who answers for them, and how to reach them.
    sections
        Each step as plain values.
    beside
        What is signed with each step, though it stands above all.
    files
        The files that each step refers to, with their hashes: they are signed with it, too.
    accepted
        Findings that named people accept, by step.
    """

    title: str
    controller: str
    contact: str
    release_model: ReleaseModel
    targets: TargetAnswers
    attributes: Attributes
    purposes: Purposes
    anonymisation: Anonymisation
    risk: Risk
    evaluation: Evaluation
    documentation: Documentation
    sections: Mapping[StepName, Mapping[str, Any]]
    beside: Mapping[StepName, Mapping[str, Any]]
    files: Mapping[StepName, Mapping[str, str | None]]
    accepted: Mapping[StepName, tuple[Acceptance, ...]]

    @classmethod
    def of(cls, top: Section, folder: Path) -> Answers:
        """Return what the people's part of a project file says; ``folder`` is where its paths are taken from.

        Raises
        ------
        PlanError, OptionError
            A key is unknown, or a value is not allowed; with the line.
        """
        if top.get("celosia") != "project":
            raise PlanError(
                f"{top.name} is no project file: it does not begin with 'celosia: project'.",
                hint="make one with celosia project new; a plan is run with celosia run.",
                where=top.place("celosia"),
            )
        top.allow(_TOP)
        if top.get("version", 1) != 1:
            raise PlanError("this Celosía reads projects of version 1.", where=top.place("version"))
        steps = mapping_of(top, "steps")
        steps.allow(STEPS)
        own = {name: mapping_of(steps, name) for name in STEPS}
        release_model = ReleaseModel.read(own["release_model"])
        targets = TargetAnswers.read(own["targets"], is_public=release_model.is_public)
        return cls(
            title=text_of(top, "title"),
            controller=text_of(top, "controller"),
            contact=text_of(top, "contact"),
            release_model=release_model,
            targets=targets,
            attributes=Attributes.read(own["attributes"]),
            purposes=Purposes.read(own["purposes"]),
            anonymisation=Anonymisation.read(own["anonymisation"], top, targets.max_suppression),
            risk=Risk.read(own["risk"]),
            evaluation=Evaluation.read(own["evaluation"]),
            documentation=Documentation.read(own["documentation"]),
            sections={name: plain(section.content) for name, section in own.items()},
            beside={name: plain({key: top.get(key) for key in _BESIDE.get(name, ())}) for name in STEPS},
            files={name: files_in(plain(section.content), folder) for name, section in own.items()},
            accepted={name: accepted_in(section) for name, section in own.items()},
        )

    def lacking(self, step: StepName, seen: Seen) -> list[Lack]:
        """Return what is still to be done in a step."""
        if step == "purposes":
            return self.purposes.lacking(seen, self.attributes, self.anonymisation.made)
        if step == "documentation":
            return self.documentation.lacking(seen, is_public=self.release_model.is_public)
        found: list[Lack] = getattr(self, step).lacking(seen)
        if step == "release_model" and (empty := tuple(key for key in _HEAD if not getattr(self, key))):
            found = [
                Lack(Said("Say what the data are called, who answers for them, and how to reach them."), empty),
                *found,
            ]
        return found

    def findings(self, step: StepName, seen: Seen) -> list[Finding]:
        """Return what was found in a step."""
        found: list[Finding] = getattr(self, step).findings(seen)
        return found
