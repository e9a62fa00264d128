"""Schema: which column plays which role, and how each quasi-identifier may become coarser."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, nearest, nearest_column
from celosia.base.fields import plain
from celosia.data.hierarchies import Order, Tree, from_short
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.schema.roles import Role

_GREATEST_WEIGHT = 1_000_000


@dataclass(frozen=True)
class Schema:
    """The roles of a table's columns.

    Parameters
    ----------
    identifiers
        Columns that name a person. They are removed unless a mask keeps them.
    quasi_identifiers
        Column -> ``"number"``, ``"category"``, ``"dates"`` or a hierarchy.
    sensitive
        Columns that hold the secret. A column may be quasi-identifier and sensitive at once.
    insensitive
        Columns that are published as they are.
    subject
        The column that tells which person a row is about; k then counts persons. It is an identifier.
    weights
        How much each quasi-identifier matters for the loss (positive; 1 where not given).
    missing
        Texts that mean "no value", such as ``"n/a"``; an empty cell always does.
    aliases
        Column -> other names under which tables have it (``{"grade": ["course"]}``); it is renamed when a table comes
        in.

    Raises
    ------
    OptionError
        A column has two roles (other than quasi-identifier and sensitive), a weight is not positive, a hierarchy is
        unknown.

    Examples
    --------
    >>> schema = Schema(identifiers=["dni"], quasi_identifiers={"exam": "number"}, sensitive=["exam"])
    >>> schema.roles("exam") == {Role.QUASI_IDENTIFIER, Role.SENSITIVE}
    True
    """

    identifiers: Sequence[str] = ()
    quasi_identifiers: Mapping[str, Hierarchy] = field(default_factory=dict)
    sensitive: Sequence[str] = ()
    insensitive: Sequence[str] = ()
    subject: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    missing: Sequence[str] = ()
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __init__(
        self,
        identifiers: Sequence[str] = (),
        quasi_identifiers: Mapping[str, str | Hierarchy] | None = None,
        sensitive: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        subject: str | None = None,
        weights: Mapping[str, float] | None = None,
        missing: Sequence[str] = (),
        aliases: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        store = object.__setattr__
        store(self, "identifiers", _names("identifiers", identifiers))
        store(self, "quasi_identifiers", _hierarchies({} if quasi_identifiers is None else quasi_identifiers))
        store(self, "sensitive", _names("sensitive", sensitive))
        store(self, "insensitive", _names("insensitive", insensitive))
        store(self, "subject", _subject(subject))
        store(self, "weights", _weights({} if weights is None else weights))
        store(self, "missing", _names("missing", missing))
        store(self, "aliases", _aliases({} if aliases is None else aliases))
        self._check_roles()
        self._check_weights()

    def _check_roles(self) -> None:
        for column in self.columns:
            roles = self.roles(column)
            if len(roles) > 1 and roles != {Role.QUASI_IDENTIFIER, Role.SENSITIVE}:
                raise OptionError(
                    f"column '{column}' is declared {' and '.join(sorted(roles))}.",
                    hint="one role per column; only quasi_identifier and sensitive go together.",
                    about=column,
                )

    def _check_weights(self) -> None:
        for column, weight in self.weights.items():
            if column not in self.quasi_identifiers:
                raise OptionError(
                    f"weights names '{column}', which is not a quasi-identifier.",
                    hint=nearest(column, self.quasi_identifiers),
                    about="weights",
                )
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= _GREATEST_WEIGHT:
                raise OptionError(
                    f"the weight of '{column}' must be a positive number up to {_GREATEST_WEIGHT:,}.", about="weights"
                )

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column the schema names, once each."""
        named = [*self.identifiers, *self.quasi_identifiers, *self.sensitive, *self.insensitive]
        if self.subject is not None:
            named.append(self.subject)
        return tuple(dict.fromkeys(named))

    def roles(self, column: str) -> frozenset[Role]:
        """Return the roles of a column: none if it is not classified, two if it is quasi-identifier and secret."""
        found = {
            Role.IDENTIFIER: column in self.identifiers or column == self.subject,
            Role.QUASI_IDENTIFIER: column in self.quasi_identifiers,
            Role.SENSITIVE: column in self.sensitive,
            Role.INSENSITIVE: column in self.insensitive,
        }
        return frozenset(role for role, holds in found.items() if holds)

    def check_columns(self, available: Iterable[str], source: str) -> None:
        """Raise ``ColumnNotFoundError`` for the first column that ``source`` does not have."""
        columns = list(available)
        for column in self.columns:
            if column not in columns:
                role = " and ".join(sorted(self.roles(column))).replace("_", "-")
                raise ColumnNotFoundError(
                    f"{role} '{column}' is not a column of {source} ({len(columns)} columns).",
                    hint=nearest_column(column, columns),
                    about=column,
                )

    def check_all_classified(self, available: Iterable[str], source: str) -> None:
        """Raise ``InputError`` if a column has no role: nothing passes into a release by silence."""
        loose = [column for column in available if not self.roles(column)]
        if loose:
            raise InputError(
                f"{len(loose)} columns of {source} have no role: {', '.join(loose[:8])}{' ...' if loose[8:] else ''}.",
                hint="give each a role, or list it under identifiers (removed) or insensitive (published as it is).",
            )

    def without(self, columns: Collection[str]) -> Schema:
        """Return the schema without columns that a mask removed.

        Raises
        ------
        OptionError
            The subject is among them: people could no longer be counted.
        """
        if self.subject in columns:
            raise OptionError(
                f"a mask removes the subject column '{self.subject}', by which people are counted.",
                hint="leave it: the subject never gets into a release.",
            )
        return Schema(
            identifiers=[column for column in self.identifiers if column not in columns],
            quasi_identifiers={name: kind for name, kind in self.quasi_identifiers.items() if name not in columns},
            sensitive=[column for column in self.sensitive if column not in columns],
            insensitive=[column for column in self.insensitive if column not in columns],
            subject=self.subject,
            weights={column: weight for column, weight in self.weights.items() if column not in columns},
            missing=self.missing,
            aliases=self.aliases,
        )

    def named(self, columns: Sequence[str], source: str) -> list[str]:
        """Return columns by the names that the schema gives them: aliases are replaced.

        Raises
        ------
        InputError
            Two columns would have one name.

        Examples
        --------
        >>> Schema(aliases={"grade": ["course"]}).named(["name", "course"], "marks.csv")
        ['name', 'grade']
        """
        own = {alias: column for column, others in self.aliases.items() for alias in others}
        names = [own.get(column, column) for column in columns]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(
                f"{source} has '{twice}' under two names.", hint="take one of them off the aliases.", about="aliases"
            )
        return names

    def to_dict(self, *, values: bool = True) -> dict[str, Any]:
        """Return the schema as it stands in a plan file; without ``values`` the leaves of trees are only counted."""
        kinds = {column: _described(hierarchy, values) for column, hierarchy in self.quasi_identifiers.items()}
        given = {own.name: getattr(self, own.name) for own in fields(self)} | {"quasi_identifiers": kinds}
        return {name: plain(value) for name, value in given.items() if value}


def _described(hierarchy: Hierarchy, values: bool) -> str | dict[str, Any]:
    options = hierarchy.to_dict()
    if not values and isinstance(hierarchy, Tree | Order):
        spelt = "rows" if isinstance(hierarchy, Tree) else "values"
        options = {**options, spelt: len(options[spelt])}
    return {hierarchy.name: options} if options else hierarchy.name


def _names(option: str, names: Any) -> tuple[str, ...]:
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"{option} must be a list of texts.", hint=f"write {option}: [...].", about=option)
    if len(set(names)) != len(names):
        raise OptionError(f"{option} names a column twice.", about=option)
    return tuple(names)


def _subject(given: Any) -> str | None:
    if given is None or isinstance(given, str):
        return given
    raise OptionError("subject must be the name of one column.", about="subject")


def _weights(given: Any) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise OptionError("weights must map columns to numbers.", hint="write {exam: 2}.", about="weights")
    return dict(given)


def _aliases(given: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, Mapping) or not all(isinstance(column, str) for column in given):
        raise OptionError(
            "aliases must map a column to its other names.", hint="write {grade: [course]}.", about="aliases"
        )
    aliases = {
        column: _names("aliases", [others] if isinstance(others, str) else others) for column, others in given.items()
    }
    listed = [name for column, others in aliases.items() for name in (column, *others)]
    if len(set(listed)) < len(listed):
        raise OptionError("aliases names a column twice.", hint="each name stands for one column.", about="aliases")
    return aliases


def _hierarchies(given: Mapping[str, str | Hierarchy]) -> dict[str, Hierarchy]:
    if not isinstance(given, Mapping):
        raise OptionError(
            "quasi_identifiers must map each column to its kind.",
            hint="write {age: number, job: category}.",
            about="quasi_identifiers",
        )
    fitted: dict[str, Hierarchy] = {}
    for column, kind in given.items():
        if not isinstance(column, str):
            raise OptionError("the names of quasi-identifiers must be texts.", about="quasi_identifiers")
        if isinstance(kind, str):
            fitted[column] = from_short(kind)
        elif isinstance(kind, Hierarchy) and not isinstance(kind, type):
            fitted[column] = kind
        else:
            raise OptionError(
                f"quasi-identifier '{column}' must be a kind ('number', 'category') or a hierarchy.", about=column
            )
    return fitted
