"""What the user should know about a release: its plan, its table, its classes, its search and what readers see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celosia.base.findings import Finding, unrepeated
from celosia.measure.release_findings.class_contents import about_secrets, about_singles
from celosia.measure.release_findings.plan_and_table import about_plan, about_search, about_table
from celosia.measure.release_findings.pseudonyms import about_links, about_persistence, about_repeats, linked_groups
from celosia.measure.release_findings.readers import about_readers
from celosia.measure.release_findings.recodings import about_levels, about_tight_levels, about_tight_ranges
from celosia.measure.release_findings.suppression import about_suppression
from celosia.measure.risk.assessment import risk_findings
from celosia.measure.table_findings import about_reading

if TYPE_CHECKING:
    from celosia.measure.overall import Measures
    from celosia.measure.run import Run

__all__ = ["about_persistence", "findings_of", "linked_groups"]


def findings_of(run: Run, measures: Measures) -> list[Finding]:
    """Return what the user should know about a release, given what is measured of it.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    >>> [finding.code for finding in findings_of(release, release.utility)]
    ['SEED_FIXED', 'TIGHT_RANGES']
    """
    plan, table, recoding, scope = run.plan, run.table, run.recoding, measures.scope
    found = [*about_plan(plan), *about_reading(run.given), *about_table(table)]
    found += run.masked.findings
    found += about_secrets(table, recoding.classes)
    found += about_levels(table, scope)
    found += about_tight_levels(recoding, scope, plan.demanded)
    found += about_tight_ranges(recoding)
    found += about_suppression(run)
    found += about_repeats(run)
    found += about_links(run)
    found += about_persistence(plan.masks, run.masked)
    found += about_singles(table, recoding.classes)
    found += about_readers(run)
    found += _about_risk(run)
    found += about_search(run, measures)
    return unrepeated(found)


def _about_risk(run: Run) -> list[Finding]:
    """Say where the situation that the plan describes is not met."""
    situation = run.plan.risk
    return [] if situation is None else risk_findings(situation.assess(run))
