"""Step 4, what each column is needed for; what nobody needs goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from celosia.apps.project.steps.attributes import Attributes
from celosia.apps.project.steps.base import Lack, Seen, empty_of, texts_by_column
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section


@dataclass(frozen=True)
class Purposes:
    """The purpose of each kept column, and the reason for each dropped one.

    Examples
    --------
    >>> Purposes.read(Section({"keep": {"age": "trends"}, "drop": {"fnlwgt": "not needed"}}, "p.yaml")).drop
    {'fnlwgt': 'not needed'}
    """

    keep: Mapping[str, str]
    drop: Mapping[str, str]

    @classmethod
    def read(cls, section: Section) -> Purposes:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key or value is not allowed, or a column is both kept and dropped.
        """
        section.allow(("keep", "drop", "accepted"))
        keep, drop = texts_by_column(section, "keep"), texts_by_column(section, "drop")
        for column in keep:
            if column in drop:
                raise PlanError(
                    f"'{column}' is kept and dropped.",
                    hint="take it off one of the two lists.",
                    where=section.section("drop").place(column),
                )
        return cls(keep, drop)

    def lacking(self, seen: Seen, attributes: Attributes, made: tuple[str, ...]) -> list[Lack]:
        """Return what is still to be answered; ``made`` are columns that masks make.

        Identifiers go by their role, and need no other reason.
        """
        if seen.columns is None:
            return [Lack(Said("The input has not been looked at; signing step 3 looks at it."))]
        known = [attributes.named(column) for column in seen.columns]
        loose = [
            column
            for column in known
            if column not in self.keep and column not in self.drop and not attributes.is_identifier(column)
        ]
        lacks = []
        if loose:
            lacks.append(Lack(Said("Each column is kept for a purpose, or dropped for a reason."), tuple(loose)))
        unknown = tuple(name for name in (*self.keep, *self.drop) if name not in known and name not in made)
        if unknown:
            lacks.append(Lack(Said("Columns are kept or dropped that the input does not have."), unknown))
        if bare := empty_of(list(self.keep), self.keep):
            lacks.append(Lack(Said("Each kept column needs a purpose."), bare))
        if bare := empty_of(list(self.drop), self.drop):
            lacks.append(Lack(Said("Each dropped column needs a reason."), bare))
        return lacks

    def findings(self, seen: Seen) -> list[Finding]:
        """Return nothing: whether a purpose is a good one is for people to judge."""
        return []
