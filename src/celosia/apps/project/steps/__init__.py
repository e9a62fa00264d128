"""The eight steps: what people answer in each, one file per step."""

from __future__ import annotations

from celosia.apps.project.steps.anonymisation import Anonymisation
from celosia.apps.project.steps.attributes import Attributes
from celosia.apps.project.steps.base import Lack, Seen
from celosia.apps.project.steps.documentation import Documentation
from celosia.apps.project.steps.evaluation import Evaluation
from celosia.apps.project.steps.purposes import Purposes
from celosia.apps.project.steps.release_model import ReleaseModel
from celosia.apps.project.steps.risk import Risk
from celosia.apps.project.steps.targets import TargetAnswers

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
