"""The eight steps: what people answer in each, what lacks and what is found; two steps in a file, in their order."""

from __future__ import annotations

from celosia.apps.project.steps.base import Lack, Seen
from celosia.apps.project.steps.columns import Attributes, Purposes
from celosia.apps.project.steps.targets import ReleaseModel, TargetAnswers
from celosia.apps.project.steps.techniques import Anonymisation, Risk
from celosia.apps.project.steps.weighing import Documentation, Evaluation

__all__ = [
    "Anonymisation",
    "Attributes",
    "Documentation",
    "Evaluation",
    "Lack",
    "Purposes",
    "ReleaseModel",
    "Risk",
    "Seen",
    "TargetAnswers",
]
