"""Published experiments, repeated: what was printed beside what comes out."""

from __future__ import annotations

from celosia.reproducing.bound import lower_bounds
from celosia.reproducing.experiment import Reproduction, Run, reproduce_exam_paper
from celosia.reproducing.page import write_results
from celosia.reproducing.verdicts import Verdict, verdicts
from celosia.reproducing.words import Language

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
