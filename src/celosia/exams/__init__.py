"""Exam feedback: a k-anonymous table of marks for the group, and a private card for each student."""

from __future__ import annotations

from celosia.exams.cards import Card
from celosia.exams.making import exam
from celosia.exams.result import Exam
from celosia.exams.scales import Scale

__all__ = ["Card", "Exam", "Scale", "exam"]
