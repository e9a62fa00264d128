"""The sections of the report, one file each, and their order.

A new section is a new file here with one function, a template of the same name in ``templates/``, its sentences in the
catalogue, and its place in ``SECTIONS``.
"""

from __future__ import annotations

from celosia.report.sections.base import MakeSection, Section
from celosia.report.sections.claim import claim
from celosia.report.sections.classes import classes
from celosia.report.sections.findings import findings
from celosia.report.sections.limits import limits
from celosia.report.sections.loss import loss
from celosia.report.sections.pictures import pictures
from celosia.report.sections.repeat import repeat
from celosia.report.sections.risk import risk
from celosia.report.sections.roles import roles
from celosia.report.sections.steps import steps
from celosia.report.sections.suppression import suppression
from celosia.report.sections.utility import utility

__all__ = ["SECTIONS", "MakeSection", "Section"]

SECTIONS: tuple[MakeSection, ...] = (
    claim,
    roles,
    steps,
    classes,
    loss,
    pictures,
    utility,
    risk,
    suppression,
    findings,
    limits,
    repeat,
)
