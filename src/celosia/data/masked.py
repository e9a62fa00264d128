"""A table after masks: what is left of it, and what became of each column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.schema import Role, Table

Verb = Literal["removed", "blanked", "made", "hidden", "coarsened", "perturbed", "moved", "pseudonymised"]
"""What happened to a column: gone; emptied whole; new; characters or some cells hidden; made less precise but true;
made untrue on purpose; its values given to other rows; replaced by pseudonyms."""


@dataclass(frozen=True)
class Change:
    """What a mask did to a column.

    Attributes
    ----------
    column
        Its name, after the mask.
    verb
        What was done.
    kind
        How a search treats its values from now on; ``None`` leaves the kind as it was.
    role
        The role of a column that the mask made; ``None`` leaves roles to the rule of the house.
    sources
        The other columns that its cells now depend on.
    """

    column: str
    verb: Verb
    kind: Hierarchy | None = None
    role: Role | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class MaskedTable:
    """A table after masks.

    Attributes
    ----------
    table
        The table that a search sees.
    given
        The table before masks.
    rows
        The row of ``given`` that each row was.
    findings, changes
        What masks found, and what they did to columns.
    """

    table: Table
    given: Table
    rows: NDArray[np.intp]
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()

    @classmethod
    def unmasked(cls, table: Table) -> MaskedTable:
        """Return a table to which nothing was done."""
        return cls(table, table, np.arange(table.n_rows))

    def noting(self, *findings: Finding) -> MaskedTable:
        """Return the same table with further findings."""
        return replace(self, findings=(*self.findings, *findings))

    @property
    def n_dropped(self) -> int:
        """How many rows masks removed."""
        return self.given.n_rows - len(self.rows)

    @property
    def changed(self) -> frozenset[str]:
        """The columns whose values are not those of the input."""
        return frozenset(change.column for change in self.changes)

    @property
    def pseudonyms(self) -> frozenset[str]:
        """The columns that hold pseudonyms: texts, even where they look like numbers."""
        return frozenset(pseudonym_origins(self.changes))


def pseudonym_origins(changes: Iterable[Change]) -> dict[str, frozenset[str]]:
    """Return the columns that hold pseudonyms after all changes, each with those whose pseudonyms they were made as.

    A column that is worked out from pseudonyms tells them, or which rows share them.

    Examples
    --------
    >>> made = Change("copy", "made", sources=("dni",))
    >>> pseudonym_origins([Change("dni", "pseudonymised"), made, Change("dni", "removed")])
    {'copy': frozenset({'dni'})}
    """
    held: dict[str, frozenset[str]] = {}
    for change in changes:
        origins = frozenset[str]().union(*(held.get(source, ()) for source in change.sources))
        if change.verb == "pseudonymised":
            held[change.column] = frozenset({change.column})
        elif change.verb == "made" and origins:
            held[change.column] = origins
        elif change.verb != "moved":
            held.pop(change.column, None)
    return held
