"""Step 6, whether the risk is below the threshold: measured by the loop, and people answer for each warning."""

from __future__ import annotations

from dataclasses import dataclass

from celosia.apps.project.steps.base import Lack, Seen
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section


@dataclass(frozen=True)
class Risk:
    """Nothing but acceptances: the rest is measured.

    Examples
    --------
    >>> [lack.sentence for lack in Risk().lacking(Seen())]
    ['The loop has not been run to its end.']
    """

    @classmethod
    def read(cls, section: Section) -> Risk:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key is not allowed.
        """
        section.allow(("accepted",))
        return cls()

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be done: to run the loop, on what the file says now."""
        if seen.outcome is None:
            return [Lack(Said("The loop has not been run to its end."))]
        if not seen.is_measured:
            return [Lack(Said("The loop was run on other answers or on another input: run it again."))]
        return []

    def findings(self, seen: Seen) -> list[Finding]:
        """Return what was found on the release."""
        return [finding_of(one) for one in seen.evidence.get("risk", {}).get("findings", [])]


def told_finding(finding: Finding) -> dict[str, object]:
    """Return a finding as it stands in the record, so that documents can say it in another language.

    Examples
    --------
    >>> found = Finding("CHILD_DATA", "note", "Rows about children: {count}.", values={"count": 2})
    >>> finding_of(told_finding(found)) == found
    True
    """
    return {
        "code": finding.code,
        "severity": finding.severity,
        "template": finding.template,
        **({} if finding.column is None else {"column": finding.column}),
        **({} if not finding.values else {"values": dict(finding.values)}),
        **({} if finding.n_rows is None else {"n_rows": finding.n_rows}),
    }


def finding_of(told: dict[str, object]) -> Finding:
    """Return the finding that stands in the record.

    Examples
    --------
    >>> finding_of({"code": "SEED_FIXED", "severity": "warning", "template": "The seed is fixed."}).code
    'SEED_FIXED'
    """
    return Finding(**told)  # type: ignore[arg-type]
