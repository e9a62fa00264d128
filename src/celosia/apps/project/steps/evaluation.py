"""Step 7, whether it is useful enough and its benefit outweighs the risk to people."""

from __future__ import annotations

from dataclasses import dataclass

from celosia.apps.project.steps.base import Lack, Seen, text_of
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section

_TEXTS = ("benefit", "harm", "balance")


@dataclass(frozen=True)
class Evaluation:
    """What society gains, what a re-identification would do, and why the one outweighs the other.

    Examples
    --------
    >>> Evaluation("care", "shame", "").lacking(Seen(outcome="feasible"))[0].names
    ('balance',)
    """

    benefit: str
    harm: str
    balance: str

    @classmethod
    def read(cls, section: Section) -> Evaluation:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key or value is not allowed.
        """
        section.allow((*_TEXTS, "accepted"))
        return cls(*(text_of(section, key) for key in _TEXTS))

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be answered."""
        empty = tuple(key for key in _TEXTS if not getattr(self, key))
        lacks = []
        if empty:
            lacks.append(Lack(Said("Weigh the benefit of the release against the risk to people, in words."), empty))
        if seen.outcome is None:
            lacks.append(Lack(Said("There is no result to judge: the loop has not been run to its end.")))
        return lacks

    def findings(self, seen: Seen) -> list[Finding]:
        """Tell what a pseudonymised release must not be called."""
        if "pseudonymised" not in seen.evidence.get("evaluation", {}).get("called", []):
            return []
        return [
            Finding(
                "PSEUDONYMISED",
                "note",
                "The release holds pseudonyms: it is pseudonymised, and must not be called anonymous.",
            )
        ]
