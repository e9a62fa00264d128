"""What the user should know about a table as it came in, whatever is done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import Lock
from weakref import WeakKeyDictionary

import polars as pl

from celosia.base.findings import Finding
from celosia.data.io import Labels, Source
from celosia.data.io.formulas import n_formulas
from celosia.data.io.hidden import HIDDEN_WORDS, Hidden
from celosia.data.io.numbers import n_other_marks
from celosia.data.schema import Table
from celosia.measure.traps import Published
from celosia.measure.unhashing import unkeyed_hashes

_USUAL = frozenset(
    {
        "defined_names",
        "further_sheets",
        "printer_settings",
        "program_metadata",
        "properties",
        "thumbnails",
        "unused_labels",
    }
)
"""What nearly every file of its kind holds: worth knowing, no reason to stop."""
_HASHED: WeakKeyDictionary[Table, list[Finding]] = WeakKeyDictionary()
_HASHED_LOCK = Lock()
"""What attacks on digests have shown: they take seconds, and several releases of one table ask for it."""


def about_reading(table: Table) -> list[Finding]:
    """Return what was put right when a table came in, and what its file holds beyond the cells that were read.

    Examples
    --------
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"name": ["Amparo ", "Luis"], "mark": ["0,03", "1.0"]}), Schema())
    >>> [finding.code for finding in about_reading(table)]
    ['TRIMMED_BLANKS', 'MIXED_DECIMAL_MARKS']
    """
    return [
        *_trimmed(table.n_trimmed),
        *_mixed_marks({column.name: n_other_marks(column, table.decimal) for column in table.frame.get_columns()}),
        *_declared_missing(table.labels),
        *_hidden(table.hidden),
        *_hashed(table),
    ]


def about_spelling(published: Published) -> list[Finding]:
    """Return what has to be put right to read the cells of a table: blanks around them, two decimal marks.

    Examples
    --------
    >>> [(one.code, one.n_rows) for one in about_spelling(Published(pl.DataFrame({"mark": ["0,03", "1.0 ", "1.0"]})))]
    [('TRIMMED_BLANKS', 1), ('MIXED_DECIMAL_MARKS', 1)]
    """
    texts = [column for column in published.frame.get_columns() if column.dtype == pl.String]
    n_trimmed = {column.name: int((column.str.strip_chars() != column).sum()) for column in texts}
    return [
        *_trimmed({column: count for column, count in n_trimmed.items() if count}),
        *_mixed_marks({column.name: _n_other_marks(published, column.name) for column in texts}),
    ]


def _n_other_marks(published: Published, column: str) -> int:
    """Do as ``n_other_marks`` does, on each value once."""
    values, other = published.values(column), "," if published.decimal == "." else "."
    if not n_other_marks(values.texts, published.decimal):
        return 0
    return values.rows_where(values.texts.str.contains(other, literal=True).to_numpy())


def about_file(source: Source) -> list[Finding]:
    """Return what a file holds beyond the cells that were read, and cells that a spreadsheet would run.

    Only CSV files hold formulas as text: what is text in a workbook stays text, and others are no spreadsheets.

    Examples
    --------
    >>> [one.code for one in about_file(Source(pl.DataFrame({"note": ["=1+1"]}), None, "notes.csv", "csv"))]
    ['FORMULA_CELLS']
    """
    formulas = _formulas(source.frame) if source.format == "csv" else []
    return [*_declared_missing(source.labels), *_hidden(source.hidden), *formulas]


def _trimmed(n_trimmed: Mapping[str, int]) -> list[Finding]:
    return [
        Finding(
            "TRIMMED_BLANKS",
            "note",
            "Blanks around {count} cells of '{column}' were trimmed.",
            column,
            {"count": count},
            count,
        )
        for column, count in n_trimmed.items()
    ]


def _mixed_marks(counts: Mapping[str, int]) -> list[Finding]:
    """Find columns of numbers with two decimal marks; the numbers are read as if they had one."""
    return [
        Finding(
            "MIXED_DECIMAL_MARKS",
            "note",
            "{count} numbers of '{column}' have another decimal mark than the rest; they were read as numbers all the "
            "same.",
            column,
            {"count": count},
            count,
        )
        for column, count in counts.items()
        if count
    ]


def _declared_missing(labels: Labels | None) -> list[Finding]:
    """Count cells that a file of SPSS, Stata or SAS declares missing by a code."""
    codes = {} if labels is None else labels.missing
    return [
        Finding(
            "DECLARED_MISSING",
            "note",
            "{count} cells of '{column}' hold codes that the file declares as missing; they were read as missing.",
            column,
            {"count": sum(counts.values())},
            sum(counts.values()),
        )
        for column, counts in codes.items()
    ]


def _hidden(parts: Iterable[Hidden]) -> list[Finding]:
    """Say what a file holds that does not show: it would leak if the file itself were handed on."""
    return [
        Finding(
            "HIDDEN_CONTENT",
            "note" if part.kind in _USUAL else "warning",
            HIDDEN_WORDS[part.kind],
            None,
            {"count": part.count},
        )
        for part in parts
    ]


def _formulas(frame: pl.DataFrame) -> list[Finding]:
    """Find cells that a spreadsheet runs when it opens the file."""
    return [
        Finding(
            "FORMULA_CELLS",
            "warning",
            "A spreadsheet that opens the file would run {count} cells of '{column}' as formulas. Put an apostrophe in "
            "front of each, as every file that celosia writes has it.",
            column.name,
            {"count": count},
            count,
        )
        for column in frame.get_columns()
        if (count := n_formulas(column))
    ]


def _hashed(table: Table) -> list[Finding]:
    """Say which columns hold unkeyed digests; of identifiers, which are removed, it is worth knowing and no more."""
    with _HASHED_LOCK:
        if table not in _HASHED:
            _HASHED[table] = unkeyed_hashes(table.frame)
        found = _HASHED[table]
    removed = set(table.schema.identifiers)
    return [replace(one, severity="note") if one.column in removed else one for one in found]
