"""Published experiments, repeated: what was printed beside what comes out."""

from __future__ import annotations

from celosia.apps.exam_paper.bound import lower_bounds
from celosia.apps.exam_paper.experiment import Reproduction, Run, reproduce_exam_paper
from celosia.apps.exam_paper.page import write_results
from celosia.apps.exam_paper.verdicts import Verdict, verdicts
from celosia.apps.exam_paper.words import Language

__all__ = [
    "Language",
    "Reproduction",
    "Run",
    "Verdict",
    "lower_bounds",
    "reproduce_exam_paper",
    "verdicts",
    "write_results",
]
