"""Which columns of a sheet are marks, which name students, and which are neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.data.io.numbers import parse_numbers
from celosia.data.schema import Role
from celosia.data.schema.columns import as_text, cleaned
from celosia.data.schema.detectors import Clue, find_identifier, find_person_names, look_at, read_header
from celosia.data.schema.detectors.base import without_missing
from celosia.data.schema.detectors.headers import header_words, plain_text

_WORDS = frozenset(
    {
        "",  # signs alone, such as a dash
        *("np", "n p", "nsp", "ns", "abs", "absent", "ausente", "ausencia", "falta", "falto"),
        *("no presentado", "no presentada", "no presentat", "no presenta", "no se presenta", "no asiste", "no asistio"),
        *("not presented", "did not sit", "not sat", "no show", "not graded"),
        *("sin nota", "sin calificar", "no evaluado", "no evaluada"),
    }
)
"""As ``plain_text`` spells them."""


_LARGEST_MARK = 100
_MOSTLY = 0.8
_HALF = 0.5
"""The shares of numbers from which on cells are marks: where nothing else says so, and under a header that does."""
_NEVER_MARKS = frozenset(
    {
        *("group", "grupo", "year", "ano", "age", "edad", "attempt", "convocatoria", "credit", "credits", "credito"),
        *("creditos", "turno", "semester", "semestre", "aula", "lecturer", "professor", "profesor", "profesora"),
        *("teacher", "docente", "order", "orden", "row", "fila", "id", "matricula", "repeater", "repetidor"),
        *("absences", "faltas", "phone", "telefono", "attendance", "asistencia", "asistencias", "hours", "horas"),
        *("intento", "intentos", "attempts"),
    }
)
_SELDOM_MARKS = frozenset({"class", "clase", "course", "curso"})
"""Words of headers over numbers that are no marks; the latter unless there is a word for marks beside them."""
_FINAL_PHRASES = (
    ("nota final", "calificacion final", "final mark", "final grade", "final score", "puntuacion final"),
    ("definitiva", "nota definitiva", "overall", "total", "acta", "nota acta"),
    ("final",),
    ("media", "promedio", "average", "mean", "nota media", "average mark"),
)
"""Headers of the final mark, the surest first."""
_SURELY_FINAL = 3
"""So many of them are of no other mark."""
_FIRST_PLACES = 5
_EMAIL = r"^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$"
_SCALE_WORDS = re.compile(r"[\[(].*?[\])]|/.*$|\b(sobre|out of)\b.*$", re.IGNORECASE)


def absence_words(cells: pl.Series) -> tuple[str, ...]:
    """Return those of the texts, as they are spelt, that say that there is no mark.

    Examples
    --------
    >>> absence_words(pl.Series(["7,5", "N.P.", "no presentado", "-", "n/a", "ten"]))
    ('-', 'N.P.', 'n/a', 'no presentado')
    """
    if cells.dtype != pl.String:
        return ()
    texts = cells.drop_nulls().unique()
    general = without_missing(texts)[1]
    own = [text for text in texts if plain_text(text) in _WORDS]
    return tuple(sorted({*general, *own}))


@dataclass(frozen=True)
class Columns:
    """The columns of a sheet by what they are for.

    Attributes
    ----------
    marks
        Marks, in the order of the sheet.
    final
        The one of them that is the final mark.
    identifiers
        Columns that name students; none of them is published.
    names
        Those of them that hold a person's name.
    keys
        Those of them of which each by itself tells students apart.
    kept
        Other columns that the lecturer wants in the table, made coarser.
    left_out
        Other columns, which are not published.
    """

    marks: tuple[str, ...]
    final: str
    identifiers: tuple[str, ...]
    names: tuple[str, ...]
    keys: tuple[str, ...]
    kept: tuple[str, ...]
    left_out: tuple[str, ...]


def find_columns(
    frame: pl.DataFrame,
    *,
    decimal: str = ".",
    marks: Sequence[str] = (),
    student: str | None = None,
    keep: Sequence[str] = (),
) -> Columns:
    """Tell the columns of a sheet apart by their headers and cells.

    What is neither given nor surely a mark is not published, so that a wrong guess costs a column and nobody's secret.

    Parameters
    ----------
    marks
        The columns of marks, where they should not be guessed; the last of them, or one named so, is the final mark.
    student
        The column that tells students apart, where it should not be guessed.
    keep
        Other columns to publish, made coarser.

    Raises
    ------
    ColumnNotFoundError
        A given column does not exist.
    InputError
        No column holds marks, or the final mark is empty.
    OptionError
        A column to publish names students.

    Examples
    --------
    >>> sheet = pl.DataFrame({"alumno": ["Ana Gil", "Eva Ruiz"], "grupo": ["1", "2"], "parcial": ["4,5", "NP"]})
    >>> found = find_columns(sheet, decimal=",")
    >>> found.marks, found.identifiers, found.left_out
    (('parcial',), ('alumno',), ('grupo',))
    """
    given = [*marks, *keep, *([] if student is None else [student])]
    _check_given(frame, given)
    found = [_Column(frame[name], decimal) for name in frame.columns]
    chosen = list(marks) or [one.name for one in found if one.name not in given and one.is_mark]
    if not chosen:
        raise InputError(
            f"none of the {frame.width} columns looks like marks.",
            hint="name them: --marks exam,practicals,final.",
            about="marks",
        )
    if not marks:
        _check_final_is_there([one for one in found if one.name not in given])
    _check_kept([one for one in found if one.name in keep])
    rest = [one for one in found if one.name not in {*chosen, *keep}]
    identifiers = [one for one in rest if one.name == student or one.is_identifier]
    keys = [one.name for one in identifiers if one.is_key] if student is None else [student]
    return Columns(
        marks=tuple(chosen),
        final=_final(chosen),
        identifiers=tuple(one.name for one in identifiers),
        names=tuple(one.name for one in identifiers if one.is_name),
        keys=tuple(keys),
        kept=tuple(keep),
        left_out=tuple(one.name for one in rest if one not in identifiers),
    )


def _check_given(frame: pl.DataFrame, given: Sequence[str]) -> None:
    for name in given:
        if name not in frame.columns:
            raise ColumnNotFoundError(
                f"'{name}' is not a column of the sheet ({frame.width} columns).",
                hint=nearest_column(name, frame.columns),
                about=name,
            )
    if len(set(given)) < len(given):
        raise OptionError(
            "a column is named twice among marks, student and keep.", hint="name each once.", about="marks"
        )


def _check_final_is_there(columns: Sequence[_Column]) -> None:
    """Refuse a sheet whose final mark is empty: another column would be taken for it on every card."""
    for one in columns:
        if not one.n_known and any(_spelt(one.name) in phrases for phrases in _FINAL_PHRASES[:_SURELY_FINAL]):
            raise InputError(
                f"'{one.name}' looks like the final mark, and is empty.",
                hint="if it is computed, open and save the sheet in a spreadsheet program; or leave it out: --marks.",
                about=one.name,
            )


def _check_kept(kept: Sequence[_Column]) -> None:
    """Refuse to publish who the students are: a set of names beside a range tells each of them."""
    for one in kept:
        if one.is_identifier:
            raise OptionError(
                f"'{one.name}' names students, and would be published beside their marks.",
                hint="leave it out of --keep.",
                about=one.name,
            )


def _final(marks: Sequence[str]) -> str:
    spelt = {name: _spelt(name) for name in marks}
    for phrases in _FINAL_PHRASES:
        for name in marks:
            if spelt[name] in phrases:
                return name
    return marks[-1]


def _spelt(header: str) -> str:
    return " ".join(header_words(_SCALE_WORDS.sub("", header)))


class _Column:
    """One column, and what speaks for each use of it."""

    def __init__(self, cells: pl.Series, decimal: str) -> None:
        self.name = cells.name
        clean, _ = cleaned(cells)
        self.look = look_at(clean, decimal)
        self.header = read_header(self.name)
        known = clean if clean.dtype.is_numeric() else as_text(clean)
        known = known.set(known.is_in(words), None) if (words := absence_words(known)) else known
        self.n_known = len(known) - known.null_count()
        self.numbers, n_failed = parse_numbers(known, decimal)
        self.number_share = 1 - n_failed / max(self.n_known, 1)

    def says(self, *concepts: str) -> bool:
        return self.header is not None and self.header.concept.name in concepts

    @property
    def is_mark(self) -> bool:
        """Whether it holds marks: numbers of a likely size whose header speaks of nothing else."""
        words = header_words(self.name)
        if not self.n_known or self.is_sequence or not _NEVER_MARKS.isdisjoint(words):
            return False
        if self.header is not None and self.header.concept.role == Role.IDENTIFIER:
            return False
        if any(_is_about_marks(word) for word in words):
            return self.number_share >= _HALF
        if not _SELDOM_MARKS.isdisjoint(words) or self.is_list_number:
            return False
        if self.header is not None and not self.header.concept.is_weak and not self.says("work"):
            return False  # it speaks of something else; "trabajo" is work of either kind
        likely = (self.numbers >= 0) & (self.numbers <= _LARGEST_MARK)
        return self.number_share >= _MOSTLY and int(likely.sum()) >= _MOSTLY * self.n_known

    @property
    def is_sequence(self) -> bool:
        """Whether its numbers count the rows."""
        known = self.numbers.drop_nulls()
        if len(known) < 2 or len(known) < len(self.numbers) or not known.dtype.is_integer():
            return False
        return known.n_unique() == len(known) and int(known.max()) - int(known.min()) + 1 == len(known)  # type: ignore[arg-type]

    @property
    def is_list_number(self) -> bool:
        """Whether its numbers look like places in a list from which some have left: small at first, then rising."""
        known = self.numbers.drop_nulls()
        if len(known) < 2 or len(known) < len(self.numbers) or not known.dtype.is_integer():
            return False
        first, last = int(known[0]), int(known[-1])
        is_rising = bool((known.diff().drop_nulls() > 0).all())
        return is_rising and 0 < first <= _FIRST_PLACES and last <= 2 * len(known)

    @property
    def is_identifier(self) -> bool:
        """Whether it names students: by its header, by the form of its cells, or by being different in every row."""
        if self.header is not None:
            is_named = self.header.concept.role == Role.IDENTIFIER
        else:
            is_named = self.look.n_known > 1 and self.look.n_distinct == self.look.n_known
        return is_named or self.is_name or self._form is not None

    @property
    def is_name(self) -> bool:
        """Whether it holds names of students; those of lecturers repeat, and their header says whose they are."""
        if self.says("a third person"):
            return False
        if self.says("a person's name", "a name", "a person"):
            return self.number_share < _HALF
        return self.header is None and find_person_names(self.look) is not None

    @property
    def is_key(self) -> bool:
        """Whether it alone tells students apart: identity numbers, numbers of files, addresses of e-mail."""
        if self.is_sequence or self.is_name or not self.look.n_known:
            return False
        is_filed = self.header is not None and self.header.concept.per_person
        clue = self._form
        is_own = clue is not None and clue.per_person
        return is_filed or is_own or self.says("a number or code of its own") or self.look.share_matching(_EMAIL) == 1

    @property
    def _form(self) -> Clue | None:
        """Why its cells name people by their form, or ``None``."""
        return find_identifier(self.look, is_measured=self.says("mark"))


def _is_about_marks(word: str) -> bool:
    header = read_header(word)
    return header is not None and header.concept.name == "mark"
