"""A release as its readers have it, for the traps that any published table is searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from celosia.base.findings import Finding
from celosia.data import io
from celosia.measure.traps import trapped
from celosia.measure.traps.base import Published

if TYPE_CHECKING:
    from celosia.measure.run import Run


def about_readers(run: Run) -> list[Finding]:
    """Return what the traps find in the published rows."""
    return trapped(published_of(run))


def published_of(run: Run) -> Published:
    """Return the published rows with the roles of their columns; people are counted by the subject, who is not shown.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> schema = cl.Schema(quasi_identifiers={"age": "number"}, subject="who")
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 44], "who": ["a", "b", "b"]}), schema)
    >>> published_of(cl.Plan(models=[cl.KAnonymity(2)]).run(table)).people.tolist()
    [2]
    """
    rows, table = io.scrub(run.publication.cells), run.table
    identifiers: list[str] = []
    subject = table.schema.subject
    if table.subjects is None:
        subject = None
    elif subject is not None and subject not in rows.columns:
        rows = rows.with_columns(pl.Series(subject, table.subjects[run.publication.order]))
        identifiers = [subject]
    return Published(
        rows,
        quasi_identifiers=[name for cells in run.recoding.cells for name in cells.names],
        sensitive=[column for column in table.schema.sensitive if column in rows.columns],
        identifiers=identifiers,
        subject=subject,
        k=run.plan.least,
        untrue=[column for column in rows.columns if column in _untrue(run)],
    )


def _untrue(run: Run) -> frozenset[str]:
    """Return the columns whose cells are not true of their row on purpose."""
    changes = run.masked.changes
    return run.masked.pseudonyms.union(change.column for change in changes if change.verb in ("perturbed", "moved"))
