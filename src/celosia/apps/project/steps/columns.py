"""Steps 3 and 4: what each column is and who could know it; what it is needed for, and what nobody needs goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from celosia.apps.project.steps.base import Answered, Lack, Seen, lacks, mapping_of, texts_by_column
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section
from celosia.data.schema import Role

_FURTHER = ("subject", "weights", "missing", "aliases")


@dataclass(frozen=True)
class Attributes(Answered):
    """The role of every column, and names under which the input has it.

    Attributes
    ----------
    roles
        Columns to their roles; the subject is an identifier.
    aliases
        Names in the input to the names that the schema gives.

    Examples
    --------
    >>> found = Attributes.read(Section({"schema": {"identifiers": ["dni"], "subject": "id"}}, "p.yaml"))
    >>> found.is_identifier("dni"), found.is_identifier("id"), found.is_identifier("age")
    (True, True, False)
    """

    roles: Mapping[str, frozenset[Role]]
    aliases: Mapping[str, str]

    @classmethod
    def read(cls, section: Section) -> Attributes:
        """Return what stands in the file; hierarchies are looked at when the step is signed.

        Raises
        ------
        PlanError
            A key or value is not allowed.
        """
        section.allow(("schema", "accepted"))
        schema = mapping_of(section, "schema")
        roles: dict[str, set[Role]] = {}
        for key in schema:
            if key in _FURTHER:
                continue
            role = schema.located(lambda key=key: Role.parse(str(key)), key)  # type: ignore[misc]
            for column in _names(schema, key):
                roles.setdefault(column, set()).add(role)
        subject = schema.get("subject")
        if isinstance(subject, str):
            roles.setdefault(subject, set()).add(Role.IDENTIFIER)
        return cls({column: frozenset(own) for column, own in roles.items()}, _aliases(schema))

    def named(self, column: str) -> str:
        """Return the name that the schema gives to a column of the input."""
        return self.aliases.get(column, column)

    def is_identifier(self, column: str) -> bool:
        """Whether a column is removed by its role."""
        return Role.IDENTIFIER in self.roles.get(column, ())

    def differs(self, seen: Seen) -> dict[str, tuple[str, str]]:
        """Return the columns whose role is another than the suggested one, with both."""
        found = {}
        for column, looked in seen.evidence.get("attributes", {}).get("columns", {}).items():
            own = self.roles.get(self.named(column), frozenset())
            if own and looked["suggested"] not in {str(role) for role in own}:
                found[self.named(column)] = looked["suggested"], " and ".join(sorted(str(role) for role in own))
        return found

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be done: to look at the input, and to classify all of its columns."""
        if seen.columns is None:
            return [Lack(Said("The input has not been looked at; signing this step looks at it."))]
        known = [self.named(column) for column in seen.columns]
        loose = tuple(column for column in known if column not in self.roles)
        unknown = tuple(column for column in self.roles if column not in known)
        return lacks(
            (Said("Each column of the input needs a role."), loose),
            (Said("The schema names columns that the input does not have."), unknown),
        )

    def findings(self, seen: Seen) -> list[Finding]:
        """Tell where roles differ from those that the cells suggest."""
        found = []
        for column, (suggested, role) in self.differs(seen).items():
            if suggested == Role.IDENTIFIER:
                found.append(
                    Finding(
                        "LOOKS_LIKE_IDENTIFIER",
                        "warning",
                        "'{column}' looks like an identifier, and is declared {role}. Declare it as an identifier, "
                        "which is removed, or say why it names nobody.",
                        column,
                        {"role": role},
                    )
                )
            else:
                found.append(
                    Finding(
                        "ROLE_DIFFERS",
                        "note",
                        "'{column}' seems to be {suggested}; it is declared {role}.",
                        column,
                        {"suggested": suggested, "role": role},
                    )
                )
        return found


def _names(schema: Section, key: str) -> list[str]:
    """Return the columns of a role."""
    given = schema.get(key)
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, list | Mapping):
        raise PlanError(f"'{key}' must be a list of columns, or map them to kinds.", where=schema.place(key))
    return [str(column) for column in given]


def _aliases(schema: Section) -> dict[str, str]:
    own = mapping_of(schema, "aliases")
    found: dict[str, str] = {}
    for column in own:
        others = own.get(column)
        found |= {str(alias): str(column) for alias in ([others] if isinstance(others, str) else others or [])}
    return found


@dataclass(frozen=True)
class Purposes(Answered):
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
        named = (*self.keep, *self.drop)
        loose = tuple(column for column in known if column not in named and not attributes.is_identifier(column))
        unknown = tuple(name for name in named if name not in known and name not in made)
        return lacks(
            (Said("Each column is kept for a purpose, or dropped for a reason."), loose),
            (Said("Columns are kept or dropped that the input does not have."), unknown),
            (Said("Each kept column needs a purpose."), tuple(name for name, why in self.keep.items() if not why)),
            (Said("Each dropped column needs a reason."), tuple(name for name, why in self.drop.items() if not why)),
        )
