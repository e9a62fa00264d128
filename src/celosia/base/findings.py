"""Findings: what a user should know about a table or release, with stable codes.

A finding never carries a cell value. Under ``--strict`` any finding of severity ``warning`` ends the run with code 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["note", "warning"]


@dataclass(frozen=True)
class Finding:
    """One thing to know.

    The sentence is kept as a template and its values, so that a report can say it in another language: the template is
    the message's key in the catalogue of ``celosia.report``.

    Attributes
    ----------
    code
        Stable, for programs: ``TRIMMED_BLANKS``.
    severity
        ``note`` or ``warning``.
    template
        A sentence for people in English, with places such as ``{count}``.
    column
        The column it is about, if one; it fills the place ``{column}``.
    values
        What fills the other places: counts and names of columns, never a cell value.
    n_rows
        How many rows it concerns; ``None`` where it is not about rows.

    Examples
    --------
    >>> found = Finding("TRIMMED_BLANKS", "note", "Blanks around {count} cells of '{column}'.", "age", {"count": 2})
    >>> found.message
    "Blanks around 2 cells of 'age'."
    """

    code: str
    severity: Severity
    template: str
    column: str | None = None
    values: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    n_rows: int | None = None

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template.format(**self.places)

    @property
    def places(self) -> dict[str, int | str | None]:
        """What fills every place of the template, the column included."""
        return {**self.values, "column": self.column}

    def to_dict(self) -> dict[str, Any]:
        """Return code, severity, message, column and number of rows as a dict."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "column": self.column,
            "n_rows": self.n_rows,
        }


def unrepeated(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without those whose code was said of the same column before.

    Examples
    --------
    >>> masked = Finding("MASK_LENGTH", "warning", "The length of '{column}' gives rows away.", "name")
    >>> len(unrepeated([masked, masked]))
    1
    """
    kept: dict[object, Finding] = {}
    for place, finding in enumerate(findings):
        kept.setdefault(place if finding.column is None else (finding.code, finding.column), finding)
    return list(kept.values())
