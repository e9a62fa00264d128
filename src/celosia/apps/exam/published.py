"""PublishedTable: a published table of marks as its readers have it, read from the published texts alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

import polars as pl

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.hierarchies.ranges import Range, parse_range
from celosia.data.schema.columns import as_text


class Untold(Enum):
    """What a cell is that tells no range."""

    HIDDEN = "hidden"
    ABSENT = "absent"


Cell = Range | Untold
"""What a table tells of somebody's mark."""

_LAST_RANGE = re.compile(r"[\[(][^\[(]*[\])]$")


def read_cell(text: str | None, decimal: str = ".") -> Cell:
    """Read what a published cell tells: a range, perhaps after a word; that there is no mark; or nothing.

    Examples
    --------
    >>> read_cell("notable [7, 9)").text, read_cell("*").name, read_cell(None).name, read_cell("[3,5; 4]", ",").text
    ('[7, 9)', 'HIDDEN', 'ABSENT', '[3.5; 4]')
    """
    if text is None:
        return Untold.ABSENT
    if text == ANYTHING:
        return Untold.HIDDEN
    spelt = text.replace(",", ".") if decimal == "," else text
    found = _LAST_RANGE.search(spelt)
    try:
        return parse_range(found[0] if found else spelt)
    except HierarchyError:
        return Untold.HIDDEN  # a word that this house does not know tells nothing for sure


def fits(cell: Cell, mark: Fraction | None) -> bool:
    """Tell whether a published cell may be that of somebody with this mark.

    Examples
    --------
    >>> fits(read_cell("[7, 9)"), Fraction(7)), fits(read_cell("[7, 9)"), Fraction(9)), fits(Untold.ABSENT, None)
    (True, False, True)
    """
    if isinstance(cell, Range):
        return mark is not None and cell.start <= (mark, 0) < cell.stop
    return cell is Untold.HIDDEN or mark is None


@dataclass(frozen=True)
class Group:
    """All published rows that are equal.

    Attributes
    ----------
    number
        Its number in the canonical order of the groups, from 1.
    texts
        The published cells, by column.
    n_students
        How many rows there are.
    """

    number: int
    texts: Mapping[str, str | None]
    n_students: int


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A published table of marks.

    It is read from the published texts, so that whatever is worked out from it tells no more than they do. The order
    of the rows has no part in it.

    Attributes
    ----------
    name
        What to call it.
    rows
        The published texts of the columns, in canonical order.
    marks
        The columns of marks.
    separators
        What stands between two values of a set, for columns that publish sets.
    decimal
        The decimal mark of the texts.
    """

    name: str
    rows: pl.DataFrame
    marks: tuple[str, ...]
    separators: Mapping[str, str]
    decimal: str = "."

    @property
    def n_students(self) -> int:
        """How many students it is about."""
        return self.rows.height

    @cached_property
    def cells(self) -> Mapping[str, tuple[Cell, ...]]:
        """What the table tells of each student's mark, by column."""
        known: dict[str | None, Cell] = {}

        def read(text: str | None) -> Cell:
            if text not in known:
                known[text] = read_cell(text, self.decimal)
            return known[text]

        return {column: tuple(map(read, self.rows[column])) for column in self.marks}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of equal rows, in canonical order."""
        counted = Counter(self.rows.iter_rows())
        return tuple(
            Group(number, dict(zip(self.rows.columns, texts, strict=True)), n_students)
            for number, (texts, n_students) in enumerate(counted.items(), start=1)
        )

    def may_be(self, group: Group, marks: Mapping[str, Fraction | None], kept: Mapping[str, str | None]) -> bool:
        """Tell whether somebody with these marks may be one of a group."""
        return all(fits(read_cell(group.texts[name], self.decimal), marks[name]) for name in self.marks) and all(
            _holds(group.texts[name], own, self.separators.get(name, " / ")) for name, own in kept.items()
        )


def _holds(text: str | None, own: str | None, separator: str) -> bool:
    if text is None or own is None:
        return text in (own, ANYTHING)
    return text == ANYTHING or own in text.split(separator)


def read_table(
    rows: pl.DataFrame, claim: Mapping[str, Any], marks: Sequence[str], name: str, decimal: str = "."
) -> PublishedTable:
    """Return published rows as their readers have them.

    Parameters
    ----------
    claim
        What the table promises: how its columns are spelt.
    marks
        Its columns of marks, each published under its own name.

    Examples
    --------
    >>> rows = pl.DataFrame({"exam": ["[7, 9)", "[7, 9)", "*"]})
    >>> table = read_table(rows, {"columns": [{"name": "exam"}]}, ["exam"], "2023")
    >>> [(group.number, group.n_students) for group in table.groups]
    [(1, 2), (2, 1)]
    """
    texts = pl.DataFrame([as_text(column) for column in rows.get_columns()])
    order = sorted(range(texts.height), key=lambda row: _canonical(texts.row(row), decimal))
    return PublishedTable(
        name=name,
        rows=texts[order],
        marks=tuple(marks),
        separators={entry["name"]: entry["separator"] for entry in claim["columns"] if "separator" in entry},
        decimal=decimal,
    )


def _canonical(texts: Sequence[str | None], decimal: str) -> list[tuple[int, Any, Any, str]]:
    """Return the key by which rows are put in order: best marks first, what is not told last; equal texts together."""
    keys: list[tuple[int, Any, Any, str]] = []
    for text in reversed(texts):
        cell = read_cell(text, decimal)
        if isinstance(cell, Range):
            start, stop = cell.start, cell.stop
            keys.append((0, (-start[0], -start[1]), (-stop[0], -stop[1]), text or ""))
        else:
            keys.append((1 if cell is Untold.HIDDEN else 2, (0, 0), (0, 0), text or ""))
    return keys
