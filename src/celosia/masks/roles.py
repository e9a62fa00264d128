"""The roles of columns after masks: what was an identifier does not pass into a release by being masked a little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from celosia.base.errors import HierarchyError
from celosia.base.findings import Finding
from celosia.data.hierarchies import Category, Order, Tree
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.masked import Change
from celosia.data.schema import Role, Schema
from celosia.data.schema.columns import as_text


def after_changes(schema: Schema, changes: Iterable[Change], frame: pl.DataFrame) -> tuple[Schema, list[Finding]]:
    """Return the schema of a table after masks (whose cells are in ``frame``), and what the user should know about it.

    - An identifier whose characters are hidden, or that is made coarser or perturbed, is a quasi-identifier from then
      on: it counts in every class.
    - An identifier whose values were given to other rows, and nothing else, is published as it is, with a warning; one
      that was emptied whole is published too.
    - An identifier in place of which pseudonyms stand is published as it is, with a note: a code tells nothing by
      itself, so that it counts in no class. What a later mask leaves of the codes counts as what it leaves of any
      identifier does; codes that are given to other rows stay codes.
    - A quasi-identifier takes the kind that the mask names where its values are of another type now; but it keeps a
      tree, an order or a category that knows the new values. In place of pseudonyms it is a category.
    - A new column has the role that its mask names; one that is worked out from identifiers or quasi-identifiers, and
      is not counted in classes as they are, comes with a warning.

    Examples
    --------
    >>> masked = pl.DataFrame({"dni": ["12***"]})
    >>> changed, found = after_changes(Schema(identifiers=["dni"]), [Change("dni", "hidden", Category())], masked)
    >>> list(changed.quasi_identifiers), [finding.code for finding in found]
    (['dni'], ['IDENTIFIER_MASKED'])
    """
    roles = _Roles.of(schema, frame)
    for change in changes:
        roles.change(change)
    return roles.schema(), roles.found


@dataclass
class _Roles:
    given: Schema
    frame: pl.DataFrame
    identifiers: list[str]
    quasi_identifiers: dict[str, Hierarchy]
    sensitive: list[str]
    insensitive: list[str]
    moved: set[str] = field(default_factory=set)
    pseudonymised: set[str] = field(default_factory=set)
    found: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, schema: Schema, frame: pl.DataFrame) -> _Roles:
        return cls(
            schema,
            frame,
            list(schema.identifiers),
            dict(schema.quasi_identifiers),
            list(schema.sensitive),
            list(schema.insensitive),
        )

    def schema(self) -> Schema:
        return Schema(
            identifiers=self.identifiers,
            quasi_identifiers=self.quasi_identifiers,
            sensitive=self.sensitive,
            insensitive=self.insensitive,
            subject=self.given.subject,
            weights={name: weight for name, weight in self.given.weights.items() if name in self.quasi_identifiers},
            missing=self.given.missing,
            aliases=self.given.aliases,
        )

    def change(self, change: Change) -> None:
        column = change.column
        if change.verb == "removed":
            self._forget(column)
        elif change.verb == "made":
            self._make(change)
        elif column in self.identifiers or (column in self.moved | self.pseudonymised and change.verb != "moved"):
            self._keep_identifier(change)
        elif column in self.quasi_identifiers and change.verb == "pseudonymised":
            if not isinstance(self.quasi_identifiers[column], Category):  # no tree or order speaks of codes
                self.quasi_identifiers[column] = Category()
        elif column in self.quasi_identifiers and change.kind is not None:
            if not self._knows(self.quasi_identifiers[column], column):
                self.quasi_identifiers[column] = change.kind
        elif change.verb == "blanked" and not column.strip():
            self.insensitive.append(column)  # a header that was blanked too: an empty column without a name

    def _knows(self, kind: Hierarchy, column: str) -> bool:
        """Whether a kind that speaks of labels knows all the values that a column holds after all masks."""
        if not isinstance(kind, Order | Tree) or column not in self.frame.columns:
            return isinstance(kind, Category)
        try:
            kind.fit(as_text(self.frame[column]).drop_nulls().unique().sort().to_list(), column)
        except HierarchyError:
            return False
        return True

    def _forget(self, column: str) -> None:
        """Take the column out of all roles, and back what was said about the one it had by a mask."""
        for names in (self.identifiers, self.sensitive, self.insensitive):
            if column in names:
                names.remove(column)
        self.quasi_identifiers.pop(column, None)
        self.moved.discard(column)
        self.pseudonymised.discard(column)
        self.found = [finding for finding in self.found if finding.column != column]

    def _make(self, change: Change) -> None:
        if change.role is Role.QUASI_IDENTIFIER:
            self.quasi_identifiers[change.column] = change.kind or Category()
        elif change.role is Role.IDENTIFIER:
            self.identifiers.append(change.column)
        else:
            (self.sensitive if change.role is Role.SENSITIVE else self.insensitive).append(change.column)
            self._warn_of_sources(change)
            if change.role is not Role.SENSITIVE and not self.pseudonymised.isdisjoint(change.sources):
                self._tell_pseudonyms(change.column)

    def _warn_of_sources(self, change: Change) -> None:
        """Warn of a published column outside the classes that is worked out from what people are known by."""
        known = {*self.identifiers, *self.quasi_identifiers, self.given.subject}
        sources = [column for column in change.sources if column in known]
        if sources:
            self.found.append(
                Finding(
                    "DERIVED_OUTSIDE_CLASSES",
                    "warning",
                    "'{column}' is worked out from what people are known by ({sources}) and counts in no class: who "
                    "can undo it, or knows the sources, may find people by it. Give it the role quasi_identifier.",
                    change.column,
                    {"sources": ", ".join(sources)},
                )
            )

    def _keep_identifier(self, change: Change) -> None:
        self._forget(change.column)
        if change.verb == "blanked":
            self.insensitive.append(change.column)
        elif change.verb == "pseudonymised":
            self.insensitive.append(change.column)
            self._tell_pseudonyms(change.column)
        elif change.verb == "moved":
            self.insensitive.append(change.column)
            self.moved.add(change.column)
            self.found.append(
                Finding(
                    "IDENTIFIER_MOVED",
                    "warning",
                    "'{column}' names people and was only given to other rows: the release still tells who is in it.",
                    change.column,
                )
            )
        else:
            self.quasi_identifiers[change.column] = change.kind or Category()
            self.found.append(
                Finding(
                    "IDENTIFIER_MASKED",
                    "note",
                    "'{column}' was an identifier; what is left of it counts as a quasi-identifier.",
                    change.column,
                )
            )

    def _tell_pseudonyms(self, column: str) -> None:
        self.pseudonymised.add(column)
        self.found.append(
            Finding(
                "IDENTIFIER_PSEUDONYMISED",
                "note",
                "'{column}' holds pseudonyms: the result is pseudonymised data, not anonymous. Whoever holds the key, "
                "the vault or the original data can tell who is who, and equal codes tell which rows belong together.",
                column,
            )
        )
