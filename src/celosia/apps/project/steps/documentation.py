"""Step 8, which controls go with a release and when it is looked at again."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from celosia.apps.project.steps.base import Lack, Seen, mapping_of, text_of, texts_of
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section

_CONTROLS = ("organisational", "contractual", "technical")
_FAR_YEARS = 3


@dataclass(frozen=True)
class Documentation:
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
        lacks = []
        empty = tuple(key for key in _CONTROLS if not self.controls[key])
        if empty and not is_public:
            lacks.append(Lack(Said("Describe the controls; write 'none' where there are none."), empty))
        if self.review is None:
            lacks.append(Lack(Said("Set the date of the next review.")))
        elif self.review <= seen.today:
            lacks.append(Lack(Said("The date of the next review must lie in the future.")))
        if not self.triggers:
            lacks.append(Lack(Said("Name what calls for a review sooner: a new recipient, source or release.")))
        return lacks

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
