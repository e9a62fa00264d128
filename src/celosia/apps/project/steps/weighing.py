"""Steps 7 and 8: whether the benefit outweighs the risk; which controls there are, and when to look again."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from celosia.apps.project.steps.base import Answered, Lack, Seen, lacks, mapping_of, text_of, texts_of
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section

_TEXTS = ("benefit", "harm", "balance")


@dataclass(frozen=True)
class Evaluation(Answered):
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
        return lacks(
            (Said("Weigh the benefit of the release against the risk to people, in words."), empty),
            (Said("There is no result to judge: the loop has not been run to its end."), seen.outcome is None),
        )

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


_CONTROLS = ("organisational", "contractual", "technical")
_FAR_YEARS = 3


@dataclass(frozen=True)
class Documentation(Answered):
    """Controls by kind, the next review, and what calls for one sooner.

    Examples
    --------
    >>> Documentation.read(Section({"review": "2027-11-15"}, "p.yaml")).review
    datetime.date(2027, 11, 15)
    """

    controls: dict[str, str]
    review: datetime.date | None
    triggers: tuple[str, ...]

    @classmethod
    def read(cls, section: Section) -> Documentation:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key or value is not allowed.
        """
        section.allow(("controls", "review", "triggers", "accepted"))
        controls = mapping_of(section, "controls")
        controls.allow(_CONTROLS)
        return cls(
            {key: text_of(controls, key) for key in _CONTROLS},
            _day(section.get("review"), section),
            texts_of(section, "triggers"),
        )

    def lacking(self, seen: Seen, *, is_public: bool) -> list[Lack]:
        """Return what is still to be answered."""
        empty = () if is_public else tuple(key for key in _CONTROLS if not self.controls[key])
        is_past = self.review is not None and self.review <= seen.today
        return lacks(
            (Said("Describe the controls; write 'none' where there are none."), empty),
            (Said("Set the date of the next review."), self.review is None),
            (Said("The date of the next review must lie in the future."), is_past),
            (Said("Name what calls for a review sooner: a new recipient, source or release."), not self.triggers),
        )

    def findings(self, seen: Seen) -> list[Finding]:
        """Tell where the next review is far away."""
        if self.review is None or self.review <= _years_after(seen.today, _FAR_YEARS):
            return []
        return [
            Finding(
                "REVIEW_FAR_AHEAD",
                "warning",
                "The next review is more than {years} years ahead; what others can know about people grows with time.",
                values={"years": _FAR_YEARS},
            )
        ]


def _day(given: Any, section: Section) -> datetime.date | None:
    if given is None:
        return None
    if isinstance(given, datetime.date) and not isinstance(given, datetime.datetime):
        return datetime.date(given.year, given.month, given.day)
    try:
        return datetime.date.fromisoformat(given if isinstance(given, str) else "")
    except ValueError:
        raise PlanError(
            "'review' must be a day, year first.", hint="write review: 2027-11-15.", where=section.place("review")
        ) from None


def _years_after(day: datetime.date, years: int) -> datetime.date:
    """Return the same day some years on; of a 29 February, the next day where there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return datetime.date(day.year + years, 3, 1)
