"""What the user should know about a table as it came in, whatever is done with it."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from weakref import WeakKeyDictionary

from celosia.findings import Finding
from celosia.io.hidden import HIDDEN_WORDS
from celosia.io.numbers import n_other_marks
from celosia.schema import Table
from celosia.unhashing import unkeyed_hashes

__all__ = ["about_reading"]

_USUAL = frozenset({"defined_names", "further_sheets", "printer_settings", "properties", "thumbnails"})
"""What nearly every workbook holds: worth knowing, no reason to stop."""
_HASHED: WeakKeyDictionary[Table, list[Finding]] = WeakKeyDictionary()
_HASHED_LOCK = Lock()
"""What attacks on digests have shown: they take seconds, and several releases of one table ask for it."""


def about_reading(table: Table) -> list[Finding]:
    """Return what was put right when a table came in, and what its file holds beyond the cells that were read.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.schema import Schema
    >>> table = Table(pl.DataFrame({"name": ["Amparo ", "Luis"], "mark": ["0,03", "1.0"]}), Schema())
    >>> [finding.code for finding in about_reading(table)]
    ['TRIMMED_BLANKS', 'MIXED_DECIMAL_MARKS']
    """
    return [*_trimmed(table), *_mixed_marks(table), *_declared_missing(table), *_hidden(table), *_hashed(table)]


def _trimmed(table: Table) -> list[Finding]:
    return [
        Finding(
            "TRIMMED_BLANKS",
            "note",
            "Blanks around {count} cells of '{column}' were trimmed.",
            column,
            {"count": count},
        )
        for column, count in table.n_trimmed.items()
    ]


def _mixed_marks(table: Table) -> list[Finding]:
    """Find columns of numbers with two decimal marks; the numbers are read as if they had one."""
    return [
        Finding(
            "MIXED_DECIMAL_MARKS",
            "note",
            "{count} numbers of '{column}' have another decimal mark than the rest; they were read as numbers all the "
            "same.",
            column.name,
            {"count": count},
        )
        for column in table.frame.get_columns()
        if (count := n_other_marks(column, table.decimal))
    ]


def _declared_missing(table: Table) -> list[Finding]:
    """Count cells that a file of SPSS, Stata or SAS declares missing by a code."""
    codes = {} if table.labels is None else table.labels.missing
    return [
        Finding(
            "DECLARED_MISSING",
            "note",
            "{count} cells of '{column}' hold codes that the file declares as missing; they were read as missing.",
            column,
            {"count": sum(counts.values())},
        )
        for column, counts in codes.items()
    ]


def _hidden(table: Table) -> list[Finding]:
    """Say what a workbook holds that does not show: it would leak if the file itself were handed on."""
    return [
        Finding(
            "HIDDEN_CONTENT",
            "note" if part.kind in _USUAL else "warning",
            HIDDEN_WORDS[part.kind],
            None,
            {"count": part.count},
        )
        for part in table.hidden
    ]


def _hashed(table: Table) -> list[Finding]:
    """Say which columns hold unkeyed digests; of identifiers, which are removed, it is worth knowing and no more."""
    with _HASHED_LOCK:
        if table not in _HASHED:
            _HASHED[table] = unkeyed_hashes(table.frame)
        found = _HASHED[table]
    removed = set(table.schema.identifiers)
    return [replace(one, severity="note") if one.column in removed else one for one in found]
