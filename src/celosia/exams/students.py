"""Students: one per row of a sheet, each there once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import polars as pl

from celosia.errors import InputError
from celosia.exams.columns import Columns
from celosia.schema.columns import as_text
from celosia.schema.detectors.headers import plain_text

__all__ = ["Student", "students_of"]

_SUMMARIES = frozenset(
    {
        *("media", "nota media", "promedio", "average", "mean", "mediana", "median", "total", "totales", "totals"),
        *("suma", "sum", "maximo", "maxima", "max", "maximum", "minimo", "minima", "min", "minimum"),
        *("desviacion", "desviacion tipica", "stdev", "standard deviation"),
    }
)
"""What stands in place of a name below a sheet, where programs put averages."""

Texts = Mapping[str, Sequence[str | None]]


@dataclass(frozen=True)
class Student:
    """One student: all that a private card may know of the sheet.

    Attributes
    ----------
    row
        The row of the data, from 1.
    name
        What the card calls the student; empty where the sheet names nobody.
    marks
        By column; ``None`` where the student has none.
    kept
        The texts of further columns that are published.
    """

    row: int
    name: str
    marks: Mapping[str, Fraction | None]
    kept: Mapping[str, str | None] = field(default_factory=dict)


def students_of(
    frame: pl.DataFrame, columns: Columns, marks: Mapping[str, Sequence[Fraction | None]], rows: Sequence[int]
) -> tuple[Student, ...]:
    """Return the students of a sheet.

    Parameters
    ----------
    rows
        The number of each row, for messages.

    Raises
    ------
    InputError
        A row names nobody or is named like a sum, or a student is there more than once; by position.

    Examples
    --------
    >>> columns = Columns(("exam",), "exam", ("name",), ("name",), (), (), ())
    >>> students_of(pl.DataFrame({"name": ["Ana"]}), columns, {"exam": [Fraction(7)]}, [1])[0].name
    'Ana'
    """
    texts = {name: as_text(frame[name]).to_list() for name in (*columns.identifiers, *columns.kept)}
    if columns.identifiers:
        _check_named(texts, columns.identifiers, rows)
        for key in columns.keys:
            _check_once(texts, [key], rows)
        if not columns.keys:
            _check_once(texts, columns.names or columns.identifiers, rows)
    shown = columns.names or columns.keys[:1] or columns.identifiers[:1]
    return tuple(
        Student(
            row=row,
            name=" ".join(text for column in shown if (text := texts[column][place]) is not None),
            marks={column: cells[place] for column, cells in marks.items()},
            kept={column: texts[column][place] for column in columns.kept},
        )
        for place, row in enumerate(rows)
    )


def _check_named(texts: Texts, identifiers: Sequence[str], rows: Sequence[int]) -> None:
    named = [[text for column in identifiers if (text := texts[column][place])] for place in range(len(rows))]
    nameless = [row for row, cells in zip(rows, named, strict=True) if not cells]
    if nameless:
        raise InputError(
            f"{len(nameless)} rows name no student (first in data row {nameless[0]}).",
            hint="name them, or remove rows that are none, such as averages.",
        )
    for row, cells in zip(rows, named, strict=True):
        if any(plain_text(text) in _SUMMARIES for text in cells):
            raise InputError(
                f"data row {row} is named like a summary, not like a student.",
                hint="remove rows of averages and totals.",
            )


def _check_once(texts: Texts, together: Sequence[str], rows: Sequence[int]) -> None:
    """Refuse a student who is there twice, told by the texts of some columns together."""
    places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        key = tuple((texts[column][place] or "").casefold() for column in together)
        if any(key):
            places[key].append(row)
    repeated = [found for found in places.values() if len(found) > 1]
    if repeated:
        listed = " and ".join(f"'{column}'" for column in together)
        raise InputError(
            f"{len(repeated)} students are there more than once, by {listed} "
            f"(first in data rows {repeated[0][0]} and {repeated[0][1]}).",
            hint="keep one row per student; or name a column that tells them apart: --student dni.",
        )
