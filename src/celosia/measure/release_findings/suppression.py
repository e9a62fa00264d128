"""Whether it is the secret that decides which rows are left out of a release (A21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published
from celosia.measure.traps.suppression_signal import grouped, told_by_absence

if TYPE_CHECKING:
    from celosia.measure.run import Run


def about_suppression(run: Run) -> list[Finding]:
    """Find secrets of which some value is deleted far more often than others, by the search or by a mask."""
    hidden = run.classes.suppressed
    given = run.given
    secrets = [column for column in run.table.schema.sensitive if column in given.frame.columns]
    if not hidden.any() or not secrets:
        return []
    original = Published(given.frame.select(secrets), sensitive=secrets, decimal=given.decimal)
    found = []
    for column in secrets:
        n_values, n_rows = told_by_absence(grouped(original, column), hidden)
        if n_values:
            found.append(
                Finding(
                    "SUPPRESSION_SIGNAL",
                    "warning",
                    "Rows with {n_values} values or parts of '{column}' were deleted at least three times as often as "
                    "all rows ({n_rows} rows): whoever misses a person in the release may conclude the secret. Make "
                    "the quasi-identifiers coarser instead.",
                    column,
                    {"n_values": n_values, "n_rows": n_rows},
                    n_rows=n_rows,
                )
            )
    return found
