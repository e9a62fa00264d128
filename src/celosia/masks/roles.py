"""The roles of columns after masks: what was an identifier does not pass into a release by being masked a little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from celosia.errors import HierarchyError
from celosia.findings import Finding
from celosia.hierarchies import Category, Order, Tree
from celosia.hierarchies.base import Hierarchy
from celosia.masks.base import Change
from celosia.schema import Role, Schema
from celosia.schema.columns import as_text

__all__ = ["after_changes"]


def after_changes(schema: Schema, changes: Iterable[Change], frame: pl.DataFrame) -> tuple[Schema, list[Finding]]:
    """Return the schema of a table after masks (whose cells are in ``frame``), and what the user should know about it.

    - An identifier whose characters are hidden, or that is made coarser or perturbed, is a quasi-identifier from then
      on: it counts in every class.
    - An identifier whose values were given to other rows is published as it is, with a warning; an emptied one too.
    - A quasi-identifier takes the kind that the mask names where its values are of another type now; but it keeps a
      tree, an order or a category that knows the new values.
    - A new column has the role that its mask names.

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
        elif column in self.identifiers:
            self._keep_identifier(change)
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
        for names in (self.identifiers, self.sensitive, self.insensitive):
            if column in names:
                names.remove(column)
        self.quasi_identifiers.pop(column, None)

    def _make(self, change: Change) -> None:
        if change.role is Role.QUASI_IDENTIFIER:
            self.quasi_identifiers[change.column] = change.kind or Category()
        elif change.role is Role.SENSITIVE:
            self.sensitive.append(change.column)
        elif change.role is Role.IDENTIFIER:
            self.identifiers.append(change.column)
        else:
            self.insensitive.append(change.column)

    def _keep_identifier(self, change: Change) -> None:
        self.identifiers.remove(change.column)
        if change.verb == "blanked":
            self.insensitive.append(change.column)
        elif change.verb == "moved":
            self.insensitive.append(change.column)
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
