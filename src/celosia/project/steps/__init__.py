"""The eight steps: what people answer in each, one file per step."""

from __future__ import annotations

from celosia.project.steps.anonymisation import Anonymisation
from celosia.project.steps.attributes import Attributes
from celosia.project.steps.base import Lack, Seen
from celosia.project.steps.documentation import Documentation
from celosia.project.steps.evaluation import Evaluation
from celosia.project.steps.purposes import Purposes
from celosia.project.steps.release_model import ReleaseModel
from celosia.project.steps.risk import Risk
from celosia.project.steps.targets import TargetAnswers

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
