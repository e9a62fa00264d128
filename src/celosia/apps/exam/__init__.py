"""Exam feedback: a k-anonymous table of marks for the group, and a private card for each student."""

from __future__ import annotations

from celosia.apps.exam.cards import Card
from celosia.apps.exam.making import exam
from celosia.apps.exam.result import Exam
from celosia.apps.exam.scales import Scale

__all__ = ["Card", "Exam", "Scale", "exam"]
