"""Findings: what a user should know about a table or release, with stable codes.

A finding never carries a cell value. Under ``--strict`` any finding of severity ``warning`` ends the run with code 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Finding", "Severity"]

Severity = Literal["note", "warning"]


@dataclass(frozen=True)
class Finding:
    """One thing to know.

    Attributes
    ----------
    code
        Stable, for programs: ``TRIMMED_BLANKS``.
    severity
        ``note`` or ``warning``.
    message
        A sentence for people.
    column
        The column it is about, if one.

    Examples
    --------
    >>> Finding("SEED_FIXED", "warning", "The seed is fixed.").to_dict()["code"]
    'SEED_FIXED'
    """

    code: str
    severity: Severity
    message: str
    column: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {"code": self.code, "severity": self.severity, "message": self.message, "column": self.column}
