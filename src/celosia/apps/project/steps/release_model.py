"""Step 1, who gets the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from celosia.apps.project.steps.base import Lack, Seen, flag_of, text_of, texts_of
from celosia.base.errors import PlanError, nearest
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section

Kind = Literal["public", "non_public"]
_KINDS: tuple[Kind, ...] = ("public", "non_public")


@dataclass(frozen=True)
class ReleaseModel:
    """Everybody, or named recipients.

    Examples
    --------
    >>> ReleaseModel.read(Section({"kind": "public"}, "p.yaml")).is_public
    True
    """

    kind: Kind | None
    recipients: tuple[str, ...]
    fixed_number: bool | None

    @classmethod
    def read(cls, section: Section) -> ReleaseModel:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key or value is not allowed, or speaks of recipients of a public release.
        """
        section.allow(("kind", "recipients", "fixed_number", "accepted"))
        kind = text_of(section, "kind")
        if kind and kind not in _KINDS:
            raise PlanError(
                "'kind' must be public or non_public.", hint=nearest(kind, _KINDS), where=section.place("kind")
            )
        recipients, fixed = texts_of(section, "recipients"), flag_of(section, "fixed_number")
        if kind == "public" and (recipients or fixed is not None):
            key = "recipients" if recipients else "fixed_number"
            raise PlanError(
                f"a public release has no list of recipients, but '{key}' is given.",
                hint="leave it out, or write kind: non_public.",
                where=section.place(key),
            )
        return cls(next((one for one in _KINDS if one == kind), None), recipients, fixed)

    @property
    def is_public(self) -> bool:
        """Whether anybody may have the release."""
        return self.kind == "public"

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be answered."""
        if self.kind is None:
            return [Lack(Said("Say who gets the release: kind is public or non_public."))]
        lacks = []
        if not self.is_public and not self.recipients:
            lacks.append(Lack(Said("Name the recipients of a release that is not public.")))
        if not self.is_public and self.fixed_number is None:
            lacks.append(Lack(Said("Say whether the list of recipients is fixed (fixed_number).")))
        return lacks

    def findings(self, seen: Seen) -> list[Finding]:
        """Return nothing: this step is about people alone."""
        return []
