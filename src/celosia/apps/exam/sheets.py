"""MarkSheet: a sheet of marks, read, typed and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from celosia.apps.exam.columns import Columns, absence_words, find_columns
from celosia.apps.exam.scales import STANDARD, Scale, parse_scale
from celosia.apps.exam.students import Student, students_of
from celosia.base.errors import InputError
from celosia.data.hierarchies.exact import exact
from celosia.data.io import Source, read, to_polars
from celosia.data.io.numbers import parse_numbers
from celosia.data.schema.columns import as_text, cleaned

_MOST = Fraction(9, 10)
_NEAR_THE_TOP = Fraction(4, 5)
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_ENDS = re.compile(rf"[\[(]\s*{_NUMBER}\s*[-–]\s*{_NUMBER}\s*[\])]")
_TOP = re.compile(rf"(?:[\[(/]|\bsobre\b|\bout of\b)\s*(?:de\s+|of\s+)?{_NUMBER}\s*(?!\s*%)(?:[\])]|$)", re.IGNORECASE)

_BARE = re.compile(rf"[\[(]\s*{_NUMBER}\s*[\])]")
"""A lone number in brackets: perhaps the top of the scale, perhaps the fifth topic."""


_DECIMALS = 9
"""Spreadsheets store sums such as 4.999999999999999 where they show 5."""


def hinted_ends(header: str, marks: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the ends of the scale that a header names, or ``None``.

    ``exam (0-20)`` is taken as it is; of ``exam (20)``, ``exam /20`` and ``nota sobre 20`` the number is taken if it is
    the top of a usual scale and no mark lies above it: it may be something else, such as the second exam.

    Examples
    --------
    >>> hinted_ends("quiz (0-5)", []), hinted_ends("examen sobre 20", [Fraction(12)]), hinted_ends("parcial (40%)", [])
    ((Fraction(0, 1), Fraction(5, 1)), (Fraction(0, 1), Fraction(20, 1)), None)
    """
    if match := _ENDS.search(header):
        low, high = (Fraction(number.replace(",", ".")) for number in match.groups())
        return (low, high) if low < high else None
    if match := _TOP.search(header):
        top = Fraction(match[1].replace(",", "."))
        if top in STANDARD and all(0 <= mark <= top for mark in marks):
            return Fraction(0), top
    return None


def stated_ends(header: str, marks: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the ends that a header states outright and that hold its marks, or ``None``.

    They stand above the scale that is given for the whole sheet: ``quiz (0-5)`` in a sheet of 0-10 is of 5.

    Examples
    --------
    >>> stated_ends("quiz (0-5)", [Fraction(4)]), stated_ends("topics (1-3)", [Fraction(4)])
    ((Fraction(0, 1), Fraction(5, 1)), None)
    """
    if _BARE.search(header):
        return None
    ends = hinted_ends(header, marks)
    return ends if ends is not None and all(ends[0] <= mark <= ends[1] for mark in marks) else None


def guessed_top(marks: Mapping[str, Sequence[Fraction]]) -> int:
    """Return the top of the scale that the marks of some columns share: the lowest usual one that holds nine of ten.

    Marks above it are then mistakes, which is for others to say.

    Raises
    ------
    InputError
        There is no mark, one of ten lies above every usual scale, or all are so low that they might be of any.

    Examples
    --------
    >>> guessed_top({"exam": [Fraction(4), Fraction(9)]}), guessed_top({"exam": [Fraction(12), Fraction(18)]})
    (10, 20)
    """
    every = [mark for column in marks.values() for mark in column]
    if not every:
        raise InputError("the columns of marks hold no mark.", hint="check the sheet, or name others with --marks.")
    for top in STANDARD:
        if sum(mark <= top for mark in every) >= _MOST * len(every):
            break
    else:
        raise InputError(
            f"the scale of the marks cannot be guessed: many lie above {STANDARD[-1]}.",
            hint="say it: --scale 0-250.",
            about="scale",
        )
    if top == STANDARD[0] and max(every) < _NEAR_THE_TOP * top:
        raise InputError(
            "the scale of the marks cannot be guessed: all are low, be it of 5 or of 10.",
            hint="say it: --scale 0-5 or --scale 0-10.",
            about="scale",
        )
    return top


def is_doubtful(scale: Scale, marks: Sequence[Fraction]) -> bool:
    """Tell whether no mark lies in the upper half of its guessed scale: it may be of another one.

    Examples
    --------
    >>> is_doubtful(Scale.of(0, 10), [Fraction(4), Fraction(5)])
    True
    """
    return bool(marks) and max(marks) <= (scale.low + scale.high) / 2


@dataclass(frozen=True, eq=False)
class MarkSheet:
    """A sheet of marks.

    Attributes
    ----------
    name
        What to call it in messages.
    frame
        Its rows: marks as numbers, all other columns as they came.
    columns
        What its columns are for.
    scales
        The scale of each column of marks.
    guessed
        The columns whose scale was guessed from the marks.
    is_pass_mark_given
        Whether somebody said where the pass mark is.
    students
        One per row.
    absences
        The texts that stand where a student has no mark.
    source
        What was read; ``None`` where a frame was given.
    """

    name: str
    frame: pl.DataFrame
    columns: Columns
    scales: dict[str, Scale]
    guessed: tuple[str, ...]
    is_pass_mark_given: bool
    students: tuple[Student, ...]
    absences: tuple[str, ...]
    source: Source | None = None

    @property
    def scale(self) -> Scale:
        """The scale of the final mark, in which a pass mark is given."""
        return self.scales[self.columns.final]

    def marks_of(self, column: str) -> list[Fraction]:
        """Return the marks of a column, without those who have none."""
        return [mark for student in self.students if (mark := student.marks[column]) is not None]


def read_sheet(
    given: Any,
    *,
    scale: str | tuple[float, float] | None = None,
    pass_mark: float | None = None,
    marks: Sequence[str] = (),
    student: str | None = None,
    keep: Sequence[str] = (),
    sheet: str | None = None,
) -> MarkSheet:
    """Read a sheet of marks from a file or a frame.

    Parameters
    ----------
    given
        The path of a file, or a pandas, Polars or Arrow table.
    scale
        ``0-10``, or the two ends, for all columns but those whose header states another, such as ``quiz (0-5)``.
        Guessed for each column by its header, then from all marks, where not given.
    pass_mark
        On the scale of the final mark; other scales have theirs at the same share. The middle where not given.
    marks, student, keep
        As for ``find_columns``.
    sheet
        The sheet of a workbook.

    Raises
    ------
    InputError
        Cells are no marks or lie outside their scale, a guessed scale is doubtful, students are there twice or have no
        name; by position.

    Examples
    --------
    >>> sheet = read_sheet(pl.DataFrame({"student": ["Ana", "Eva"], "exam": ["6,5", "NP"], "final": ["7", "9.5"]}))
    >>> sheet.students[0].marks["exam"], sheet.students[1].marks["exam"], sheet.scale.text
    (Fraction(13, 2), None, '0-10')
    """
    source = read(given, **({} if sheet is None else {"sheet": sheet})) if isinstance(given, str | Path) else None
    native = source.frame if source is not None else to_polars(given)[0]
    name = "the sheet" if source is None else source.name
    decimal = source.dialect.decimal if source is not None and source.dialect else "."
    rows, frame = _without_blank_rows(native, name)
    columns = find_columns(frame, decimal=decimal, marks=marks, student=student, keep=keep)
    numbers, absences = _numbers(frame, columns.marks, rows, decimal)
    typed = frame.with_columns(numbers.values())
    values = {column: [None if one is None else exact(one) for one in cells] for column, cells in numbers.items()}
    scales, guessed = _scales(values, columns.final, scale, pass_mark)
    _check_scales(values, scales, rows)
    _check_guesses(values, scales, guessed)
    return MarkSheet(
        name=name,
        frame=typed,
        columns=columns,
        scales=scales,
        guessed=guessed,
        is_pass_mark_given=pass_mark is not None,
        students=students_of(_without_words(frame, columns.kept, absences), columns, values, rows),
        absences=absences,
        source=source,
    )


def _without_blank_rows(frame: pl.DataFrame, name: str) -> tuple[list[int], pl.DataFrame]:
    """Return the numbers of the rows that hold anything, and a frame of them."""
    if not frame.width:
        raise InputError(f"{name} has no columns.", hint="check the file.")
    clean = pl.DataFrame([cleaned(column)[0] for column in frame.get_columns()])
    held = clean.select(~pl.all_horizontal(pl.all().is_null())).to_series()
    if not held.any():
        raise InputError(f"{name} has no rows.", hint="the first line holds the names, the next ones the students.")
    return [place for place, is_held in enumerate(held, start=1) if is_held], clean.filter(held)


def _numbers(
    frame: pl.DataFrame, marks: Sequence[str], rows: Sequence[int], decimal: str
) -> tuple[dict[str, pl.Series], tuple[str, ...]]:
    """Return the marks as numbers, and the texts that stand for none."""
    found: dict[str, pl.Series] = {}
    absences: set[str] = set()
    for column in marks:
        cells = frame[column] if frame[column].dtype.is_numeric() else as_text(frame[column])
        words = absence_words(cells)
        absences.update(words)
        known = cells.set(cells.is_in(words), None) if words else cells
        numbers, n_failed = parse_numbers(known, decimal)
        if n_failed:
            wrong = (known.is_not_null() & numbers.is_null()).arg_true()
            raise InputError(
                f"'{column}' holds {n_failed} cells that are no marks (first in data row {rows[wrong[0]]}).",
                hint="write NP where a student has no mark; or name the columns of marks: --marks exam,final.",
                about=column,
            )
        found[column] = numbers.round(_DECIMALS) if numbers.dtype.is_float() else numbers
    return found, tuple(sorted(absences))


def _scales(
    values: dict[str, list[Fraction | None]],
    final: str,
    given: str | tuple[float, float] | None,
    pass_mark: float | None,
) -> tuple[dict[str, Scale], tuple[str, ...]]:
    """Return the scale of each column, and the columns for which it was guessed from the marks."""
    guessed: tuple[str, ...] = ()
    known = {column: [mark for mark in marks if mark is not None] for column, marks in values.items()}
    if given is not None:
        common = parse_scale(given) if isinstance(given, str) else (exact(given[0]), exact(given[1]))
        ends = {column: stated_ends(column, marks) or common for column, marks in known.items()}
    else:
        hinted = {column: hinted_ends(column, marks) for column, marks in known.items()}
        guessed = tuple(column for column, hint in hinted.items() if hint is None)
        top = Fraction(guessed_top({column: known[column] for column in guessed})) if guessed else Fraction(0)
        ends = {column: hint or (Fraction(0), top) for column, hint in hinted.items()}
    main = Scale.of(*ends[final], pass_mark)
    share = main.pass_share
    return {column: Scale.of(*pair).with_pass_share(share) for column, pair in ends.items()}, guessed


def _without_words(frame: pl.DataFrame, columns: Sequence[str], words: Sequence[str]) -> pl.DataFrame:
    """Return the frame without the words for no mark in columns of texts, where they are no values either."""
    texts = [name for name in columns if frame[name].dtype == pl.String]
    return frame.with_columns(pl.when(~pl.col(name).is_in(words)).then(pl.col(name)).alias(name) for name in texts)


def _check_guesses(values: dict[str, list[Fraction | None]], scales: dict[str, Scale], guessed: Sequence[str]) -> None:
    """Refuse a guessed scale of which no mark lies in the upper half: on a wrong one all would be told they failed."""
    for column in guessed:
        if is_doubtful(scales[column], [mark for mark in values[column] if mark is not None]):
            raise InputError(
                f"the scale of '{column}' cannot be guessed: no mark lies in the upper half of {scales[column].text}, "
                f"as the marks of all columns together would have it.",
                hint="name it in the header, such as 'quiz (0-5)'; or say --scale 0-10 for all columns.",
                about="scale",
            )


def _check_scales(values: dict[str, list[Fraction | None]], scales: dict[str, Scale], rows: Sequence[int]) -> None:
    for column, marks in values.items():
        scale = scales[column]
        outside = [place for place, mark in enumerate(marks) if mark is not None and not scale.holds(mark)]
        if outside:
            raise InputError(
                f"{len(outside)} marks of '{column}' lie outside the scale {scale.text} "
                f"(first in data row {rows[outside[0]]}).",
                hint="correct them, or say the scale: --scale 0-20.",
                about=column,
            )
