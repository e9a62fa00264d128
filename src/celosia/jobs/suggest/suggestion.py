"""Suggestion: what a column seems to be, and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from celosia.base.fields import Result
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.schema import Role


@dataclass(frozen=True)
class Suggestion(Result):
    """What a column seems to be.

    Attributes
    ----------
    column
        Its name.
    role
        The suggested role; never ``insensitive``, which no look at the data can show.
    kind
        How it becomes coarser; only for quasi-identifiers.
    reasons
        Why, in words, counts and shares; never with a cell value.
    missing
        Texts of the column that mean "no value".
    is_subject
        Whether it tells which person a row is about, several rows being about one person.
    keys
        The smallest sets of columns, identifiers left out, that tell all different rows apart and need this one.

    Examples
    --------
    >>> Suggestion("dni", Role.IDENTIFIER, None, ("header word 'dni'",)).to_dict()["role"]
    'identifier'
    """

    column: str
    role: Role
    kind: Hierarchy | None
    reasons: tuple[str, ...]
    missing: tuple[str, ...] = ()
    is_subject: bool = False
    keys: tuple[tuple[str, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the suggestion as ``celosia init --json`` prints it."""
        return super().to_dict() | {"role": str(self.role), "kind": spec_of(self.kind)}


def spec_of(kind: Hierarchy | None) -> str | dict[str, Any] | None:
    """Return a kind as it stands in a plan file: its name, or its name with options.

    Examples
    --------
    >>> from celosia.data.hierarchies import Category
    >>> spec_of(Category())
    'category'
    """
    if kind is None:
        return None
    options = kind.to_dict()
    return {kind.name: options} if options else kind.name


def shown_name(column: str) -> str:
    r"""Return a column's name as it stands in a comment: in one line, whatever it holds.

    Examples
    --------
    >>> print(shown_name("zip code"), shown_name("zip\ncode"))
    'zip code' "zip\ncode"
    """
    return f"'{column}'" if column.isprintable() else json.dumps(column)
