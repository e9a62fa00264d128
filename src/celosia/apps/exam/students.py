"""Students: one per row of a sheet, each there once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import polars as pl

from celosia.apps.exam.columns import Columns
from celosia.base.errors import InputError
from celosia.data.schema.columns import as_text
from celosia.data.schema.detectors.headers import plain_text

_SUMMARIES = frozenset(
    {
        *("mean", "sum", "maximo", "maxima", "max", "maximum", "minimo", "minima", "min", "minimum"),
        *("numero alumnos", "numero de alumnos", "no de alumnos", "n de alumnos", "number of students"),
        *("no presentados", "not presented", "passed", "failed", "puntos", "points", "maximum points", "max points"),
        *("peso", "pesos", "weight", "weights"),
    }
)
_BEGINNINGS = frozenset(
    {
        *("media", "nota", "promedio", "average", "mediana", "median", "moda", "total", "totales", "totals", "suma"),
        *("desviacion", "desv", "stdev", "standard", "varianza", "variance", "percentil", "porcentaje", "percentage"),
        *("aprobados", "aprobadas", "suspensos", "suspendidos", "presentados", "puntuacion", "ponderacion"),
    }
)
"""What stands in place of a name above or below a sheet, where programs put averages and weights: whole texts, some of
which are names as well, and first words, none of which is."""

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
        A row names nobody or is named like a summary, or a student is there more than once; by position.

    Examples
    --------
    >>> columns = Columns(("exam",), "exam", ("name",), ("name",), (), (), ())
    >>> students_of(pl.DataFrame({"name": ["Ana"]}), columns, {"exam": [Fraction(7)]}, [1])[0].name
    'Ana'
    """
    texts = {name: as_text(frame[name]).to_list() for name in (*columns.identifiers, *columns.kept)}
    if columns.identifiers:
        _check_named(texts, columns, rows)
        for key in columns.keys:
            _check_once(texts, [key], rows)
        if not columns.keys:
            _check_once(texts, columns.names or columns.identifiers, rows)
        elif columns.names:
            unkeyed = {place for place in range(len(rows)) if not any(texts[key][place] for key in columns.keys)}
            _check_once(texts, columns.names, rows, unkeyed)
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


def _check_named(texts: Texts, columns: Columns, rows: Sequence[int]) -> None:
    nameless = [
        row for place, row in enumerate(rows) if not any(texts[column][place] for column in columns.identifiers)
    ]
    if nameless:
        raise InputError(
            f"{len(nameless)} rows name no student (first in data row {nameless[0]}).",
            hint="name them, or remove rows that are none, such as averages.",
        )
    for place, row in enumerate(rows):
        if _is_summary(texts, columns, place):
            raise InputError(
                f"data row {row} is named like a summary, not like a student.",
                hint="remove rows of averages, totals and weights.",
            )


def _is_summary(texts: Texts, columns: Columns, place: int) -> bool:
    """Tell whether a row is named like a summary and like nothing else: Max Weber and Máximo Gil are students."""
    if any(re.search(r"[\d@]", texts[key][place] or "") for key in columns.keys):
        return False
    named = [text for column in columns.identifiers if (text := texts[column][place])]
    words = [text for text in named if any(sign.isalpha() for sign in text)]
    return bool(words) and all(map(_says_summary, words))


def _says_summary(text: str) -> bool:
    plain = plain_text(text)
    return plain in _SUMMARIES or ("," not in text and plain.split()[0] in _BEGINNINGS)


def _check_once(
    texts: Texts, together: Sequence[str], rows: Sequence[int], among: Collection[int] | None = None
) -> None:
    """Refuse a student who is there twice, told by the texts of some columns together however they are typed.

    Where ``among`` names rows, only a repetition that one of them is part of counts.
    """
    places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(rows)):
        key = tuple(_bare(texts[column][place] or "") for column in together)
        if any(key):
            places[key].append(place)
    repeated = [
        found for found in places.values() if len(found) > 1 and (among is None or not set(found).isdisjoint(among))
    ]
    if repeated:
        listed = " and ".join(f"'{column}'" for column in together)
        raise InputError(
            f"{len(repeated)} students are there more than once, by {listed} "
            f"(first in data rows {rows[repeated[0][0]]} and {rows[repeated[0][1]]}).",
            hint="keep one row per student; or name a column that tells them apart: --student dni.",
        )


def _bare(text: str) -> str:
    """Return a text without accents, capitals, signs and blanks; addresses of e-mail keep their signs."""
    if "@" in text:
        return text.casefold().strip()
    return plain_text(text).replace(" ", "") or text.casefold()
