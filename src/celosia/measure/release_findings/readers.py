"""A release as its readers have it, for the traps that any published table is searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from celosia.base.findings import Finding
from celosia.measure.traps import trapped
from celosia.measure.traps.base import Published

if TYPE_CHECKING:
    from celosia.jobs.release import Release


def about_readers(release: Release) -> list[Finding]:
    """Return what the traps find in the published rows."""
    return trapped(published_of(release))


def published_of(release: Release) -> Published:
    """Return the published rows with the roles of their columns; people are counted by the subject, who is not shown.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> schema = cl.Schema(quasi_identifiers={"age": "number"}, subject="who")
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 44], "who": ["a", "b", "b"]}), schema)
    >>> published_of(cl.Plan(models=[cl.KAnonymity(2)]).run(table)).people.tolist()
    [2]
    """
    rows, table = release.rows, release.table
    identifiers: list[str] = []
    subject = table.schema.subject
    if table.subjects is None:
        subject = None
    elif subject is not None and subject not in rows.columns:
        rows = rows.with_columns(pl.Series(subject, table.subjects[release._order]))
        identifiers = [subject]
    return Published(
        rows,
        quasi_identifiers=[name for cells in release.recoding.cells for name in cells.names],
        sensitive=[column for column in table.schema.sensitive if column in rows.columns],
        identifiers=identifiers,
        subject=subject,
        k=max(2, *(model.smallest_class for model in release.plan.models)),
        untrue=[column for column in rows.columns if column in _untrue(release)],
    )


def _untrue(release: Release) -> frozenset[str]:
    """Return the columns whose cells are not true of their row on purpose."""
    changes = release.masked.changes
    return release.masked.pseudonyms.union(change.column for change in changes if change.verb in ("perturbed", "moved"))
