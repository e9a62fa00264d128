#!/usr/bin/env python3
"""The independent verifier: judges a published table and its claim, and trusts nobody.

    python audit.py DATA [CLAIM] [--claim-sha256 HEX] [--original FILE] [--record FILE] [--population FILE]
                    [--hierarchy COLUMN=FILE] [--json]

DATA is a file, or the folder of a release; CLAIM is ``claim.json`` beside the data unless another is named.
Exit code 0: the claim holds. 1: it does not, or a part of it could not be confirmed. 2: wrong input.

This one file imports nothing of Celosía and needs nothing but Python 3.9 or newer. Copy it, read it from top to bottom,
run it. Where Polars and NumPy are installed, large tables are counted through them; the answers are the same.

What is checked
---------------
claim         it has version 1, known models (at least one), known roles, kinds and policies, and says nothing else
claim hash    it is the claim that was published, if its SHA-256 is given or stands in the record
hash, rows    the file is the claimed one; a table without rows proves nothing and fails
columns       the file has exactly the claimed columns, the claim names each once
values        every cell of a quasi-identifier is a well-formed published value of the claimed style
sheets, parts a workbook has one sheet, and nothing besides
models        each claimed model, on the published rows as text: cells that differ in spelling differ. Shares are
              compared as fractions, logarithms by as many digits as it takes; what is not in the table (the hierarchy
              of a secret, the population of k-map) must be handed over
with the original:                every published value contains the original one (truthfulness)
with the original and the record: row by row, and k counted in distinct subjects
with the original alone:          rows can be matched, each published row to an original of its own

Published values
----------------
missing          an empty cell (null in Parquet): contains only missing
``*``            contains everything, missing too (for prefixes: any text of only ``*``)
number,          ``5``, ``[5, 10]``, ``[5, 10)``, ``5-10``, ``-5--2``, ``40 - 49``, ``<6``, ``<=5``, ``>11``, ``>=12``;
intervals        with a decimal comma ``[5,5; 10]``; the lower end first, or the value is malformed;
                 style ``pair``: two columns, lowest and highest;
                 style ``centroid``: a value in place of the class, exempt from truthfulness
category, order  values joined by the column's separator: ``physics / law``; ``order`` may also use labels
prefix           ``370**``: each ``*`` hides one character, or none where the original is shorter
dates            ``2020-03-14``, ``2020-03``, ``2020-Q1``, ``2020``, ``2020s``
tree             a label; which values lie under it must be told (``hierarchies``), the file alone cannot say

Columns of other roles are published as they are. One that a mask has changed is declared ``masked`` in the claim: it is
then not compared with the original file, and only so may an identifier be published at all.

No message of this file holds a cell value: columns are named as the claim names them, rows are counted from 1.
"""
# ruff: noqa: B905, RUF007, UP045 - what they ask for is newer than Python 3.9

from __future__ import annotations

import argparse
import base64
import binascii
import calendar
import csv
import datetime
import functools
import hashlib
import heapq
import importlib
import io
import json
import math
import os
import re
import struct
import sys
import unicodedata
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate, islice
from operator import and_, or_
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, Optional
from xml.etree import ElementTree

__all__ = [
    "AuditInputError",
    "Check",
    "Figures",
    "Matching",
    "Verdict",
    "class_sizes",
    "classes",
    "contains",
    "examine",
    "judge",
    "main",
    "measure",
    "read_columns",
    "read_hierarchies",
    "truthful_without_order",
    "verify",
    "verify_columns",
]

Cell = Optional[str]
Columns = Mapping[str, Sequence[Cell]]
Hierarchies = Mapping[str, Mapping[str, Collection[str]]]
Status = Literal["passed", "failed", "not applicable", "could not run"]


# ---------------------------------------------------------------------------------------------------------------------
# Results
# ---------------------------------------------------------------------------------------------------------------------


class AuditInputError(ValueError):
    """The input cannot be judged at all: a file that is absent or broken, a column that is not there.

    Examples
    --------
    >>> measure({"age": ["40"]}, ["zip"])
    Traceback (most recent call last):
    celosia.audit.AuditInputError: the table has no column 'zip'.
    """


class _ClaimError(Exception):
    """The claim breaks its own form; becomes a failed check."""


class _TooLargeError(AuditInputError):
    """Matching two files without the record would need too much memory."""


class Check(NamedTuple):
    """One thing that was checked: ``name``, ``status`` and a ``detail`` without cell values.

    Examples
    --------
    >>> Check("rows", "passed", "9 rows").status
    'passed'
    """

    name: str
    status: Status
    detail: str


@dataclass(frozen=True)
class Verdict:
    """All checks of one claim.

    ``holds`` is true only if no check failed and every check that the claim rests on, or that was asked for by handing
    over an original, did run.

    Examples
    --------
    >>> Verdict([Check("rows", "passed", "9 rows"), Check("hash", "could not run", "no file")]).holds
    False
    """

    checks: list[Check]

    @property
    def holds(self) -> bool:
        """Whether the claim is confirmed."""
        return bool(self.checks) and all(check.status in ("passed", "not applicable") for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"holds": self.holds, "checks": [check._asdict() for check in self.checks]}


# ---------------------------------------------------------------------------------------------------------------------
# Text, numbers, days
# ---------------------------------------------------------------------------------------------------------------------


def _normal(cell: Cell) -> Cell:
    """Trim and bring to Unicode NFC; a text without characters is missing."""
    if cell is None:
        return None
    text = cell.strip()
    return (text if text.isascii() else unicodedata.normalize("NFC", text)) or None


def _number_pattern(mark: str) -> str:
    return rf"[+-]?(?:[0-9]+(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]{{1,3}})?"


_NUMBER = {".": re.compile(_number_pattern("[.]")), ",": re.compile(_number_pattern("[.,]"))}


def _number(text: str, decimal: str = ",") -> int | float | None:
    """Read a number: whole ones exactly, others as doubles, as every program that wrote them did.

    With ``decimal=","`` both marks are understood; nobody groups thousands in data.
    """
    if not _NUMBER[decimal].fullmatch(text):
        return None
    plain = text.replace(",", ".")
    if len(plain) < 1000 and plain.lstrip("+-").isdigit():
        return int(plain)
    value = float(plain)
    return value if math.isfinite(value) else None


def _exact_number(text: str, decimal: str) -> Fraction | None:
    """Read a number exactly; texts beyond 1,000 characters are no numbers."""
    if len(text) > 1000 or not _NUMBER[decimal].fullmatch(text):
        return None
    return Fraction(text.replace(",", "."))


def _neighbours(values: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Return each value with the next one."""
    return zip(values, values[1:])


_n_ones: Callable[[int], int] = getattr(int, "bit_count", lambda bits: bin(bits).count("1"))
"""How many bits of a number are 1; the method is newer than Python 3.9, and many times as fast."""

_DAY = re.compile(r"([0-9]{4})([-/]?)([0-9]{2})\2([0-9]{2})(?:[T ].*)?")
_DAY_LAST_YEAR = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})(?:[T ].*)?")


def _ordinal(year: int, month: int, day: int) -> int | None:
    try:
        return datetime.date(year, month, day).toordinal()
    except ValueError:
        return None


def _day(text: str, month_first: bool = False) -> int | None:
    """Read the day of an original date or time; ``14/03/2020`` has the day first unless the column says otherwise."""
    if match := _DAY.fullmatch(text):
        return _ordinal(int(match[1]), int(match[3]), int(match[4]))
    if match := _DAY_LAST_YEAR.fullmatch(text):
        day, month = (match[3], match[1]) if month_first else (match[1], match[3])
        return _ordinal(int(match[4]), int(month), int(day))
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Published values: the grammar, and what each value contains
# ---------------------------------------------------------------------------------------------------------------------

_KINDS = ("number", "intervals", "category", "order", "prefix", "dates", "tree")
_STYLES = ("bracket", "dash", "pair", "centroid", "set", "label")
_AS_IS = "as is"
"""The kind of columns that are published unchanged: sensitive and insensitive ones."""

Predicate = Callable[[Cell], bool]


class _Interval(NamedTuple):
    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def holds(self, value: float) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        return above and (value < self.high if self.high_open else value <= self.high)


class _RangeGrammar:
    """The spellings of a range of numbers under one decimal mark."""

    def __init__(self, decimal: str) -> None:
        number = f"({_NUMBER[decimal].pattern})"
        separator = "[,;]" if decimal == "." else r"(?:;|,\s)"
        self.decimal = decimal
        self.single = re.compile(number)
        self.bracket = re.compile(rf"([\[(])\s*{number}\s*{separator}\s*{number}\s*([\])])")
        self.dash = re.compile(rf"{number}\s*[-–]\s*{number}")
        self.one_ended = re.compile(rf"(<=|>=|<|>)\s*{number}")

    def read(self, text: str, style: str) -> _Interval | None:
        """Return the range that ``text`` spells; ``None`` if it is malformed, reversed, empty or of another style.

        The style ``label`` takes every spelling; a half-open range has brackets in the style ``dash`` too.
        """
        if match := self.single.fullmatch(text):
            return self._between(match[1], match[1])
        if style == "pair":
            return None
        if match := self.bracket.fullmatch(text):
            low_open, high_open = match[1] == "(", match[4] == ")"
            is_foreign = style == "dash" and not low_open and not high_open
            return None if is_foreign else self._between(match[2], match[3], low_open, high_open)
        if style != "bracket" and (match := self.dash.fullmatch(text)):
            return self._between(match[1], match[2])
        if match := self.one_ended.fullmatch(text):
            end = _number(match[2], self.decimal)
            if end is None:
                return None
            is_open = len(match[1]) == 1
            if match[1][0] == "<":
                return _Interval(-math.inf, end, high_open=is_open)
            return _Interval(end, math.inf, low_open=is_open)
        return None

    def _between(self, low: str, high: str, low_open: bool = False, high_open: bool = False) -> _Interval | None:
        least, most = _number(low, self.decimal), _number(high, self.decimal)
        if least is None or most is None or least > most or (least == most and (low_open or high_open)):
            return None
        return _Interval(least, most, low_open, high_open)


@functools.cache
def _ranges(decimal: str) -> _RangeGrammar:
    return _RangeGrammar(decimal)  # made when asked for: its patterns take longer to compile than all others


_DATE_LABEL = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?|-Q([1-4])|(s))?")


def _days(text: str) -> _Interval | None:
    """Return the days of a day, month, quarter, year or decade; ``None`` if there is no such date."""
    match = _DATE_LABEL.fullmatch(text)
    if not match:
        return None
    year, month, day, quarter, decade = match.groups()
    first_month, last_month, last_year = 1, 12, int(year)
    if decade:
        if int(year) % 10:
            return None
        last_year += 9
    if quarter:
        first_month, last_month = 3 * int(quarter) - 2, 3 * int(quarter)
    if month:
        first_month = last_month = int(month)
    first = _ordinal(int(year), first_month, int(day or 1))
    if first is None or day:
        return None if first is None else _Interval(first, first)
    last_day = calendar.monthrange(last_year, last_month)[1]
    return _Interval(first, datetime.date(last_year, last_month, last_day).toordinal())


@dataclass(frozen=True)
class _Column:
    """A column as the claim describes it; ``cells`` are its columns in the file (two for pairs)."""

    name: str
    role: str
    kind: str = _AS_IS
    style: str = "label"
    cells: tuple[str, ...] = ()
    separator: str = " / "
    decimal: str = "."
    masked: bool = False
    ancestors: Mapping[str, Collection[str]] | None = None
    month_first: bool = False
    is_secret: bool = False
    """Of a quasi-identifier: whether models may judge it as a secret over the others."""

    @property
    def has_ranges(self) -> bool:
        """Whether its cells are ranges of numbers."""
        return self.kind in ("number", "intervals") and self.style != "centroid"

    def meaning(self, cells: tuple[Cell, ...]) -> Predicate | None:
        """Return the test "does this published value contain that original?", or ``None`` for a malformed value."""
        if self.style == "pair":
            return self._pair_meaning(cells)
        (cell,) = cells
        if cell is None:
            return _is_missing
        text = _normal(cell)
        if text is None:
            return _is_missing if self.kind == _AS_IS else None
        if text == "*" or (self.kind == "prefix" and not text.strip("*")):
            return _anything
        if self.style == "centroid":
            is_wrong = self.kind in ("number", "intervals") and _number(text, self.decimal) is None
            return None if is_wrong else _anything
        return self._text_meaning(text)

    def interval(self, cells: tuple[Cell, ...]) -> _Interval | None:
        """Return the range of numbers that cells spell, if they spell one."""
        texts = [_normal(cell) for cell in cells]
        grammar = _ranges(self.decimal)
        if len(texts) == 1:
            return grammar.read(texts[0], self.style) if texts[0] else None
        low, high = (grammar.read(text, self.style) if text else None for text in texts)
        if low is None or high is None or low.low > high.low:
            return None
        return _Interval(low.low, high.low)

    def _pair_meaning(self, cells: tuple[Cell, ...]) -> Predicate | None:
        if cells == (None, None):
            return _is_missing
        if [_normal(cell) for cell in cells] == ["*", "*"]:
            return _anything
        interval = self.interval(cells)
        return None if interval is None else _holds_number(interval)

    def _text_meaning(self, text: str) -> Predicate | None:
        if self.kind in ("number", "intervals"):
            interval = self.interval((text,))
            return None if interval is None else _holds_number(interval)
        if self.kind == "dates":
            days = _days(text)
            return None if days is None else _holds_day(days, self.month_first)
        if self.kind in ("category", "order"):
            values = [_normal(value) for value in text.split(self.separator)]
            is_label = self.kind == "order" and self.style == "label"
            if not is_label and (None in values or len(set(values)) < len(values)):
                return None
            members = frozenset(values)
            return lambda original: _normal(original) in members or self._lies_under(original, text)
        if self.kind == "prefix":
            return lambda original: _matches(text, _normal(original))
        if self.kind == "tree":
            return lambda original: _normal(original) == text or self._lies_under(original, text)
        return lambda original: _same(text, _normal(original))

    def _lies_under(self, original: Cell, label: str) -> bool:
        leaf = _normal(original)
        return self.ancestors is not None and leaf is not None and label in self.ancestors.get(leaf, ())


def _anything(original: Cell) -> bool:
    return True


def _is_missing(original: Cell) -> bool:
    return _normal(original) is None


def _holds_number(interval: _Interval) -> Predicate:
    def predicate(original: Cell) -> bool:
        text = _normal(original)
        value = None if text is None else _number(text)
        return value is not None and interval.holds(value)

    return predicate


def _holds_day(days: _Interval, month_first: bool) -> Predicate:
    def predicate(original: Cell) -> bool:
        text = _normal(original)
        if text is None:
            return False
        day = _day(text, month_first)
        span = _days(text) if day is None else _Interval(day, day)
        return span is not None and days.low <= span.low and span.high <= days.high

    return predicate


def _matches(pattern: str, original: Cell) -> bool:
    """Return whether a prefix fits; an original that is shorter counts as filled up, so that only ``*`` may follow."""
    if original is None or len(original) > len(pattern):
        return False
    return all(shown in ("*", true) for shown, true in zip(pattern, original.ljust(len(pattern), "*")))


def _same(published: str, original: Cell) -> bool:
    """Return whether a column that is published as it is holds the same text, number, truth value or moment."""
    if original is None or published == original:
        return original is not None
    readers: tuple[Callable[[str], object], ...] = (_number, _truth, _moment)
    return any(read(published) is not None and read(published) == read(original) for read in readers)


def _truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


_MOMENT = re.compile(
    r"([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})"
    r"(?:[T ]([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]+))?)?)?(?:(Z)|([+-])([0-9]{2}):?([0-9]{2}))?)?"
)


def _moment(text: str) -> tuple[int, str, bool] | None:
    """Read an ISO date or time: seconds, their decimals to the microsecond, whether it tells its offset from UTC.

    What ``datetime`` reads has grown with the versions of Python; this has not.
    """
    match = _MOMENT.fullmatch(text)
    day = _ordinal(int(match[1]), int(match[3]), int(match[4])) if match else None
    if match is None or day is None:
        return None
    hour, minute, second = (int(part or 0) for part in match.group(5, 6, 7))
    if hour > 23 or minute > 59 or second > 59:
        return None
    offset = (int(match[11]) * 60 + int(match[12])) * (-60 if match[10] == "-" else 60) if match[10] else 0
    seconds = ((day * 24 + hour) * 60 + minute) * 60 + second - offset
    return seconds, (match[8] or "")[:6].rstrip("0"), bool(match[9] or match[10])


def contains(
    published: Cell | tuple[Cell, Cell],
    original: Cell,
    kind: str | None = None,
    *,
    style: str = "label",
    separator: str = " / ",
    decimal: str = ".",
    ancestors: Mapping[str, Collection[str]] | None = None,
    month_first: bool = False,
) -> bool:
    """Return whether a published value is true of an original one: the definition of truthfulness for one cell.

    Parameters
    ----------
    published
        The published cell, ``None`` = missing; for ``style="pair"`` the two cells (lowest, highest).
    original
        The original cell. Its numbers may have either decimal mark.
    kind
        number, intervals, category, order, prefix, dates or tree; ``None`` for a column published as it is.
    style
        ``centroid`` is exempt: always true.
    ancestors
        For trees and orders: leaf -> the labels over it.
    month_first
        How to read ``03/04/2020`` in an original.

    Examples
    --------
    >>> contains("[5, 10)", "10", "intervals"), contains("5-10", "10", "number"), contains("10-5", "7", "number")
    (False, True, False)
    >>> contains("370**", "37003", "prefix"), contains("2020-Q1", "2020-03-14", "dates"), contains(None, "1", "number")
    (True, True, False)
    """
    if style == "centroid":
        return True
    cells = published if isinstance(published, tuple) else (published,)
    if len(cells) != (2 if style == "pair" else 1):
        raise AuditInputError("a pair style has two cells, every other style has one.")
    column = _Column("", "", kind or _AS_IS, style, (), separator, decimal, False, ancestors, month_first)
    predicate = column.meaning(cells)
    return predicate is not None and predicate(original)


# ---------------------------------------------------------------------------------------------------------------------
# Counting rows: plainly, and through Polars
# ---------------------------------------------------------------------------------------------------------------------

_FAST_FROM = 2000
"""From how many rows on Polars is worth its import."""

_EXACT_DOUBLE = 2.0**53
"""Below it every whole number is a double of its own."""

_CLASS, _COUNT, _ROW, _PLACE, _LOW, _HIGH, _OPEN, _VALUE = (f"\0{place}" for place in range(8))
"""Columns that only tables in memory have; no file can name them."""


def _polars() -> Any:
    """Return Polars, or ``None`` where it is not installed."""
    try:
        return importlib.import_module("polars")
    except ImportError:
        return None


class _Table:
    """Columns of text, counted with nothing but Python. Every judgement rests on ``count`` and ``sizes``."""

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self.columns = columns
        self.names = list(columns)
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise AuditInputError("the columns are not equally long.")
        self.n_rows = lengths.pop() if lengths else 0

    def having(self, names: Iterable[str]) -> _Table:
        """Return the table if it has these columns."""
        for name in names:
            if name not in self.names:
                raise AuditInputError(f"the table has no column {name!r}.")
        return self

    def rows(self, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        """Return the tuples of these columns, row by row."""
        return zip(*(self.columns[name] for name in names)) if names else [()] * self.n_rows

    def count(self, names: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        """Return each distinct tuple of these columns and in how many rows it stands."""
        return Counter(self.rows(names))

    def sizes(self, names: Sequence[str]) -> list[int]:
        """Return in how many rows each distinct tuple stands."""
        return list(self.count(names).values())

    def numbered(self, names: Sequence[str]) -> _Table:
        """Return the table with a column ``_CLASS``: the first row (from 0) that is equal in these columns."""
        found: dict[tuple[Any, ...], int] = {}
        labels = [found.setdefault(row, number) for number, row in enumerate(self.rows(names))]
        return _Table({**self.columns, _CLASS: labels})

    def at(self, rows: Sequence[int]) -> _Table:
        """Return these rows as a table of their own."""
        return _Table({name: [column[row] for row in rows] for name, column in self.columns.items()})

    def values(self, name: str) -> list[Cell]:
        """Return the distinct cells of a column."""
        return list(dict.fromkeys(self.columns[name]))

    def respelt(self, spell: Callable[[str, Cell], Cell], names: Iterable[str]) -> _Table:
        """Return the table with each distinct cell of these columns spelt anew; a missing one stays missing."""
        result = dict(self.columns)
        for name in names:
            known = {cell: spell(name, cell) for cell in set(self.columns[name])}
            result[name] = [known[cell] for cell in self.columns[name]]
        return _Table(result)

    def beside(self, originals: _Table, order: Sequence[int], name: str) -> _Table:
        """Return these published columns with one of the originals at their side, row by row."""
        column = originals.columns[name]
        return _Table({**self.columns, _original(name): [column[row] for row in order]})

    def order(self, order: Iterable[int]) -> Sequence[int]:
        """Return an order of rows in the form that ``is_order`` and ``beside`` take."""
        return list(order)

    def is_order(self, order: Sequence[int], n_originals: int) -> bool:
        """Return whether an order sends every row to an original row of its own."""
        return min(order) >= 0 and max(order) < n_originals and len(set(order)) == len(order)

    def likeness(self, order: Sequence[int]) -> tuple[int, int, float]:
        """Return three signs of an order: steps to the very next row (or back to it), steps up, squared distances.

        The distances are those of ranks from places.
        """
        place = {row: rank for rank, row in enumerate(sorted(order))}
        ranks = [place[row] for row in order]
        steps = [ranks[place + 1] - ranks[place] for place in range(len(ranks) - 1)]
        squares = sum((rank - place) ** 2 for place, rank in enumerate(ranks))
        return max(steps.count(1), steps.count(-1)), sum(step > 0 for step in steps), squares

    def malformed(self, column: _Column) -> tuple[int, int | None]:
        """Return how many published values of a column are malformed, and the first row."""
        wrong = {cells: n for cells, n in self.count(column.cells).items() if column.meaning(cells) is None}
        return sum(wrong.values()), self.first_row(column.cells, wrong)

    def untrue(self, column: _Column) -> tuple[int, int | None]:
        """Return how many published values of a column do not contain the original beside them, and the first row."""
        names = (*column.cells, _original(column.name))
        meanings: dict[tuple[Cell, ...], Predicate | None] = {}
        wrong: dict[tuple[Cell, ...], int] = {}
        for row, n_rows in self.count(names).items():
            cells = row[:-1]
            if cells not in meanings:
                meanings[cells] = column.meaning(cells)
            predicate = meanings[cells]
            if predicate is None or not predicate(row[-1]):
                wrong[row] = n_rows
        return sum(wrong.values()), self.first_row(names, wrong)

    def first_row(self, names: Sequence[str], wanted: Collection[tuple[Cell, ...]]) -> int | None:
        """Return the number (from 1) of the first row whose tuple is among ``wanted``."""
        if not wanted:
            return None
        return next((number for number, row in enumerate(self.rows(names), 1) if row in wanted), None)


class _FastTable(_Table):
    """The same through Polars, by the places of distinct texts; what is not plain goes the plain way.

    Numbers of a frame are spelt only where their texts are asked for.
    """

    def __init__(self, frame: Any, known: Mapping[str, tuple[Any, Any]] | None = None) -> None:
        self.frame = frame
        self.names = frame.columns
        self.n_rows = frame.height
        self.known = {} if known is None else dict(known)

    def text(self, name: str) -> Any:
        """Return a column as text."""
        column = self.frame[name]
        return column if name == _CLASS else _text(column)

    def distinct(self, name: str) -> tuple[Any, Any]:
        """Return the distinct texts of a column, and the place of each row's text among them (null if missing)."""
        if name not in self.known:
            pl, cells = _polars(), self.text(name).to_frame(_VALUE).with_row_index(_ROW)
            groups = cells.group_by(_VALUE).agg(_ROW).filter(pl.col(_VALUE).is_not_null()).with_row_index(_PLACE)
            flat = groups.select(_PLACE, _ROW).explode(_ROW)
            places = pl.Series([None], dtype=pl.UInt32).new_from_index(0, self.n_rows)
            self.known[name] = groups[_VALUE], places.scatter(flat[_ROW], flat[_PLACE])
        return self.known[name]

    def places(self, names: Sequence[str]) -> Any:
        """Return a frame of columns "0", "1" ... with numbers that are equal just where these columns are."""
        columns = [self.frame[name] if name == _CLASS else self.distinct(name)[1] for name in names]
        return _polars().DataFrame([column.alias(str(i)) for i, column in enumerate(columns)])

    def rows(self, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        if not names:
            return [()] * self.n_rows
        rows: Iterable[tuple[Any, ...]] = _polars().DataFrame([self.text(name) for name in names]).iter_rows()
        return rows

    def count(self, names: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        if not names:
            return super().count(names)
        groups = self._groups(names)
        found = [groups[str(i)] for i in range(len(names))]
        columns = [
            own.to_list() if name == _CLASS else self.distinct(name)[0].gather(own).to_list()
            for name, own in zip(names, found)
        ]
        return dict(zip(zip(*columns), groups[_COUNT].to_list()))

    def sizes(self, names: Sequence[str]) -> list[int]:
        if not names:
            return super().sizes(names)
        sizes: list[int] = self._groups(names)[_COUNT].to_list()
        return sizes

    def _groups(self, names: Sequence[str]) -> Any:
        places = self.places(names)
        return places.group_by(places.columns).len(_COUNT)

    def numbered(self, names: Sequence[str]) -> _Table:
        first = _polars().col(_CLASS).first()
        if not names:
            return _FastTable(self.frame.with_row_index(_CLASS).with_columns(first), self.known)
        widths = [self.n_rows if name == _CLASS else len(self.distinct(name)[0]) for name in names]
        keys = _mixed(self.places(names), widths)
        labels = keys.with_row_index(_CLASS).select(first.over(keys.columns))
        return _FastTable(self.frame.with_columns(labels[_CLASS]), self.known)

    def at(self, rows: Sequence[int]) -> _Table:
        chosen = _polars().Series(rows, dtype=_polars().Int64)
        known = {name: (texts, places.gather(chosen)) for name, (texts, places) in self.known.items()}
        return _FastTable(self.frame[chosen], known)

    def values(self, name: str) -> list[Cell]:
        texts, places = self.distinct(name)
        found: list[Cell] = [*texts.gather(places.drop_nulls().unique()).to_list()]
        return [*found, None] if places.null_count() else found

    def respelt(self, spell: Callable[[str, Cell], Cell], names: Iterable[str]) -> _Table:
        frame, known = self.frame, dict(self.known)
        for name in names:
            texts, places = known[name] = self.distinct(name)
            old: list[Cell] = texts.to_list()
            new = [spell(name, cell) for cell in old]
            if new != old:
                spelt = _polars().Series(name, new, dtype=_polars().String).gather(places)
                frame = frame.with_columns(spelt)
                del known[name]
        return _FastTable(frame, known)

    def beside(self, originals: _Table, order: Any, name: str) -> _Table:
        assert isinstance(originals, _FastTable)
        taken = originals.frame[name].rechunk().gather(order).alias(_original(name))
        return _FastTable(self.frame.with_columns(taken), self.known)

    def order(self, order: Iterable[int]) -> Any:
        return _polars().Series(order if hasattr(order, "tolist") else list(order), dtype=_polars().Int64)

    def is_order(self, order: Any, n_originals: int) -> bool:
        is_within: bool = order.min() >= 0 and order.max() < n_originals
        return is_within and order.n_unique() == len(order)

    def likeness(self, order: Any) -> tuple[int, int, float]:
        pl = _polars()
        ranks = order.rank("ordinal").cast(pl.Int64)
        steps = ranks.diff()
        squares = (ranks - pl.int_range(1, len(ranks) + 1, eager=True)).cast(pl.Float64).pow(2).sum()
        return max((steps == 1).sum(), (steps == -1).sum()), (steps > 0).sum(), squares

    def malformed(self, column: _Column) -> tuple[int, int | None]:
        if not column.has_ranges:
            return super().malformed(column)
        return _plainly(_Table.malformed, self, self._ends(column)[_LOW].is_null(), column)

    def untrue(self, column: _Column) -> tuple[int, int | None]:
        if column.kind == _AS_IS:
            published, original = self.text(column.name), self.text(_original(column.name))
            return _plainly(_Table.untrue, self, published.ne_missing(original), column)
        if not column.has_ranges:
            return super().untrue(column)
        pl = _polars()
        value, low, high = pl.col(_VALUE), pl.col(_LOW), pl.col(_HIGH)
        is_plain = low.is_not_null() & (value.abs() < _EXACT_DOUBLE).fill_null(False)
        is_inside = (value >= low) & ((value < high) | ((value == high) & ~pl.col(_OPEN)))
        ends = self._ends(column).with_columns(_numbers(self.frame[_original(column.name)]).alias(_VALUE))
        judged = ends.select((is_plain & ~is_inside).alias(_LOW), (~is_plain).alias(_VALUE))
        wrong = judged[_LOW].arg_true()
        n_others, first_other = _plainly(_Table.untrue, self, judged[_VALUE], column)
        firsts = [first_other, wrong[0] + 1 if len(wrong) else None]
        return n_others + len(wrong), min((row for row in firsts if row is not None), default=None)

    def _ends(self, column: _Column) -> Any:
        """Return the ends of each row's range; no low end where its cells are no plain range of moderate numbers."""
        pl = _polars()
        frame = self._range(column, column.cells[0])
        if column.style == "pair":
            frame = frame.with_columns(self._range(column, column.cells[1])[_HIGH])
        low, high = pl.col(_LOW), pl.col(_HIGH)
        is_moderate = (low.abs() < _EXACT_DOUBLE) & (high.abs() < _EXACT_DOUBLE)
        is_plain = is_moderate & ((low < high) | ((low == high) & ~pl.col(_OPEN)))
        return frame.with_columns(pl.when(is_plain).then(low).alias(_LOW))

    def _range(self, column: _Column, cell: str) -> Any:
        """Read one column of cells: the two ends of each row and whether the upper one is open."""
        pl, grammar = _polars(), _ranges(column.decimal)
        texts, places = self.distinct(cell)
        is_dash = column.style == "dash"
        pattern = f"^(?:{(grammar.dash if is_dash else grammar.bracket).pattern}|{grammar.single.pattern})$"
        groups = texts.str.extract_groups(pattern).struct

        def end(first: int, second: int) -> Any:
            text = groups.field(str(first))
            text = text.zip_with(text.is_not_null(), groups.field(str(second)))
            return text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)

        is_open = texts.is_null()  # nowhere
        if column.style == "pair":
            low = high = end(5, 5)
        elif is_dash:
            low, high = end(1, 3), end(2, 3)
        else:
            low, high = end(2, 5), end(3, 5)
            low = low.set((groups.field("1") == "(").fill_null(False), None)
            is_open = (groups.field("4") == ")").fill_null(False)
        ends = pl.DataFrame([low.alias(_LOW), high.alias(_HIGH), is_open.alias(_OPEN)])
        return pl.DataFrame([one.gather(places) for one in ends.get_columns()])


def _mixed(places: Any, widths: Sequence[int]) -> Any:
    """Merge columns of numbers, or null, below the widths into one, if it can hold them: one is grouped sooner."""
    if math.prod(width + 1 for width in widths) >= 2**62:
        return places
    pl = _polars()
    key = pl.lit(0, dtype=pl.Int64)
    for name, width in zip(places.columns, widths):
        key = key * (width + 1) + pl.col(name).cast(pl.Int64).fill_null(width)
    return places.select(key.alias("0"))


def _plainly(
    judge: Callable[[_Table, _Column], tuple[int, int | None]], table: _FastTable, is_meant: Any, column: _Column
) -> tuple[int, int | None]:
    """Judge some rows of a table by the plain definition and give the first row its number in the whole table."""
    rows = is_meant.arg_true()
    if not len(rows):
        return 0, None
    names = [name for name in (*column.cells, _original(column.name)) if name in table.names]
    n_wrong, place = judge(_FastTable(_polars().DataFrame([table.frame[name].gather(rows) for name in names])), column)
    return n_wrong, None if place is None else rows[place - 1] + 1


def _numbers(column: Any) -> Any:
    """Return the numbers that original cells hold as doubles; null where a cell holds none."""
    pl = _polars()
    if column.dtype.is_integer() or column.dtype == pl.Float64:
        return column.cast(pl.Float64)
    text = pl.col(_VALUE).str.strip_chars()
    is_number = text.str.contains(f"^(?:{_NUMBER[','].pattern})$")
    number = pl.when(is_number).then(text.str.replace(",", ".", literal=True)).cast(pl.Float64, strict=False)
    return _text(column).to_frame(_VALUE).select(number.alias(_VALUE))[_VALUE]


def _original(name: str) -> str:
    return f"\0original {name}"


def _is_frame(columns: object) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(columns, polars.DataFrame)


def _table(columns: Any, *, like: _Table | None = None) -> _Table:
    """Make a table of a mapping or a Polars frame; ``like`` asks for the same way of counting."""
    if _is_frame(columns):
        if like is None or isinstance(like, _FastTable):
            for column in columns.get_columns():
                _refuse_nested(column)
            return _FastTable(columns)
        return _Table(_texts(columns).to_dict(as_series=False))
    columns = dict(columns)
    for name, column in columns.items():
        if any(not issubclass(kind, (str, type(None))) for kind in {type(cell) for cell in column}):
            raise AuditInputError(f"column {name!r} holds something else than text and None.")
    table = _Table(columns)
    polars = _polars() if (isinstance(like, _FastTable) if like else table.n_rows >= _FAST_FROM) else None
    if polars is None:
        return table
    return _FastTable(polars.DataFrame(columns, schema=dict.fromkeys(columns, polars.String)))


def _texts(frame: Any, decimal: str = ".") -> Any:
    """Turn every column of a Polars frame into text; whole numbers lose their ``.0``."""
    return _polars().DataFrame([_text(column, decimal) for column in frame.get_columns()])


def _text(column: Any, decimal: str = ".") -> Any:
    polars = _polars()
    _refuse_nested(column)
    if column.dtype.is_float():
        spelt = column.fill_nan(None).cast(polars.String).str.strip_suffix(".0")
        return spelt.str.replace(".", decimal, literal=True) if decimal != "." else spelt
    if column.dtype in (polars.Duration, polars.Time):
        return column.dt.to_string("iso" if column.dtype == polars.Duration else "%H:%M:%S%.f")
    return column.cast(polars.String)


def _refuse_nested(column: Any) -> None:
    polars = _polars()
    if column.dtype.is_nested() or column.dtype in (polars.Binary, polars.Object):
        raise AuditInputError(f"column {column.name!r} does not hold single values.")


def _spell(value: float, decimal: str) -> str:
    text = str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
    return text.replace(".", decimal)


# ---------------------------------------------------------------------------------------------------------------------
# Measures: classes, k, and what the classes tell about the secrets
# ---------------------------------------------------------------------------------------------------------------------


def _canonical(columns: Any, names: Sequence[str], kinds: Mapping[str, str] | None, decimal: str) -> _Table:
    """Return the table with one spelling per value: trimmed, NFC and, in columns of numbers, the number itself."""
    table = _table(columns).having(names)
    return _respelt(table, names, kinds, decimal)


def _respelt(table: _Table, names: Sequence[str], kinds: Mapping[str, str] | None, decimal: str) -> _Table:
    def spell(name: str, cell: Cell) -> Cell:
        text = _normal(cell)
        is_number = kinds is not None and kinds.get(name) == "number"
        number = _exact_number(text, decimal) if is_number and text is not None else None
        return text if number is None else str(number)

    return table.respelt(spell, dict.fromkeys(names))


def classes(
    columns: Any, quasi_identifiers: Sequence[str], *, kinds: Mapping[str, str] | None = None, decimal: str = "."
) -> list[int]:
    """Return the class of every row: rows equal on all quasi-identifiers, numbered as they first appear.

    Missing is a value of its own. Values are compared after trimming and Unicode NFC; ``kinds={"age": "number"}`` makes
    40 and 40.0 equal.

    Examples
    --------
    >>> classes({"age": ["40", "44 ", "40", "44"]}, ["age"])
    [0, 1, 0, 1]
    """
    found: dict[tuple[Cell, ...], int] = {}
    rows = _canonical(columns, quasi_identifiers, kinds, decimal).rows(quasi_identifiers)
    return [found.setdefault(row, len(found)) for row in rows]


def class_sizes(
    columns: Any, quasi_identifiers: Sequence[str], *, kinds: Mapping[str, str] | None = None, decimal: str = "."
) -> list[int]:
    """Return how many rows each class has, in ascending order.

    Examples
    --------
    >>> class_sizes({"age": ["40", "44", "40", "40"]}, ["age"])
    [1, 3]
    """
    return sorted(_canonical(columns, quasi_identifiers, kinds, decimal).sizes(quasi_identifiers))


def measure(
    columns: Any,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    subject: str | None = None,
    *,
    threshold: str | Fraction = "0.2",
    kinds: Mapping[str, str] | None = None,
    decimal: str = ".",
    hierarchies: Hierarchies | None = None,
    population: Any = None,
    models: Sequence[Mapping[str, Mapping[str, Any]]] = (),
) -> Figures:
    """Measure a table: k, what its classes tell about each secret, the risk of being found, and demanded models.

    Classes are the sets of rows equal on the quasi-identifiers, ``f`` rows each. A value has the share ``q`` in a class
    and ``p`` in the table; missing is a value of its own. A secret that is also a quasi-identifier is judged over the
    others. All arithmetic is exact; floats appear only in the result. Infinity is ``"inf"``, undefined is ``None``.

    k                the smallest f; with ``subject`` the fewest distinct subjects of a class, and ``k_rows`` the former
    alpha            the largest share of one secret value in a class
    l_distinct       the fewest distinct secrets of a class, missing ones not counted; p-sensitivity is the same
    l_entropy        exp of the least entropy of a class
    l_recursive      for each l the c* above which recursive (c, l) holds: max of r1 / (r_l + r_l+1 + ...)
    t_equal, t_ordered, t_numeric
                     the largest distance of a class from the whole table: half the sum of differences; by rank (missing
                     first, then numbers or text in order; equal numbers are one rank); by value (``None`` if a secret
                     is missing or no number)
    delta_strict, delta_present
                     the largest abs(ln(q / p)); strictly infinite if a class lacks a value
    beta_basic, beta_enhanced
                     the largest (q - p) / p over q > p; enhanced: infinite once one exceeds -ln p
    homogeneous      the classes whose rows all have one and the same known secret: how many, their rows, and up to 20
                     of them by first row (from 1); a class whose secrets are all missing is none of them
    t_hierarchical, p_levels
                     only for a secret with a hierarchy: the distance over its tree, and the fewest distinct labels of a
                     class on each level (0 = the values); ``None`` if the hierarchy lacks a value
    risk.prosecutor  max 1/f, mean over rows, share of rows with 1/f above ``threshold``; f in subjects if there are
    risk.sample_uniqueness
                     the share of rows whose class holds one person
    models           for each demanded model: whether it holds (``None`` if it could not be judged), why, how many
                     classes break it with how many rows, and up to 20 of them by first row. Where a demand is on the
                     whole table, the classes above its limit are to blame.

    Parameters
    ----------
    columns
        Mapping of name to cells (text or ``None``), or a Polars frame.
    threshold
        In (0, 1], as text so that it is exact.
    kinds
        ``{"age": "number"}`` makes 40 and 40.0 equal.
    hierarchies
        Secret -> leaf -> labels over it, from the lowest to the root; the order of the leaves is their rank.
    population
        For k-map: the table of all people, original values, in the same form as ``columns``.
    models
        Demands such as ``{"k_anonymity": {"k": 3}}``, as a claim spells them.

    Raises
    ------
    AuditInputError
        A column is not there, the threshold is out of range, or a model is not known here.

    Examples
    --------
    >>> table = {"age": ["40-49", "40-49", "30-39", "30-39"], "ill": ["S", "N", "N", "N"]}
    >>> demand = {"t_closeness": {"t": 0.25, "on": "ill", "distance": "equal"}}
    >>> result = measure(table, ["age"], ["ill"], models=[demand])
    >>> result["k"], result["sensitive"]["ill"]["t_equal"], result["sensitive"]["ill"]["delta_strict"]
    (2, 0.25, 'inf')
    >>> result["sensitive"]["ill"]["homogeneous"]
    {'n_classes': 1, 'n_rows': 2, 'classes': [{'first_row': 3, 'n_rows': 2}]}
    >>> result["models"][0]["holds"]
    True
    """
    quasi_identifiers = list(dict.fromkeys(quasi_identifiers))
    named = [*quasi_identifiers, *sensitive, *([subject] if subject is not None else [])]
    published = _table(columns).having(named)
    table = _respelt(published, named, kinds, decimal)
    specs = [_Column(name, "quasi_identifier", (kinds or {}).get(name, _UNKNOWN)) for name in quasi_identifiers]
    specs = [replace(spec, cells=(spec.name,), decimal=decimal) for spec in specs]
    ground = _Ground(table, published, specs, sensitive, subject, decimal, subject)
    rows, people = ground.sizes(in_people=False), ground.sizes(in_people=True)
    result = Figures({"n_rows": table.n_rows, "n_classes": rows.n_classes, "k": people.smallest})
    if subject is not None:
        result["k_rows"] = rows.smallest
    trees = hierarchies or {}
    result["sensitive"] = {name: _secret_measures(ground.spread(name), trees.get(name)) for name in sensitive}
    result["risk"] = {
        "prosecutor": _prosecutor(people, _threshold(threshold)),
        "sample_uniqueness": float(_share(people, lambda n: n == 1)) if table.n_rows else None,
    }
    result.ground = ground
    result["models"] = [examine(model, result, hierarchies=hierarchies, population=population) for model in models]
    return result


class Figures(dict[str, Any]):
    """The figures of ``measure``, with the exact counts behind them for ``judge``.

    Examples
    --------
    >>> measure({"age": ["40", "40"]}, ["age"])["k"]
    2
    """

    ground: _Ground | None = None


def _threshold(threshold: str | Fraction) -> Fraction:
    try:
        value = Fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value <= 1:
        raise AuditInputError("threshold must be a number above 0 and at most 1.")
    return value


_MOST_LISTED = 20
"""So many classes are pointed at by their first row."""


class _Broken(NamedTuple):
    """Classes that break a demand: how many, their rows, and the first of them as (first row from 1, rows)."""

    n_classes: int = 0
    n_rows: int = 0
    classes: Sequence[tuple[int, int]] = ()

    def to_dict(self) -> dict[str, Any]:
        listed = [{"first_row": first, "n_rows": n_rows} for first, n_rows in self.classes]
        return {"n_classes": self.n_classes, "n_rows": self.n_rows, "classes": listed}


def _broken(classes: Collection[tuple[int, int]]) -> _Broken:
    """Sum up classes given as (first row from 0, rows)."""
    listed = [(first + 1, n_rows) for first, n_rows in heapq.nsmallest(_MOST_LISTED, classes)]
    return _Broken(len(classes), sum(n_rows for _, n_rows in classes), listed)


@dataclass(frozen=True)
class _Known:
    """What is known beside the published table."""

    hierarchies: Hierarchies = field(default_factory=dict)
    population: Any = None

    def tree(self, secret: str) -> Mapping[str, Collection[str]] | None:
        """Return the hierarchy of a secret."""
        return self.hierarchies.get(secret)


@dataclass
class _Ground:
    """A published table with its classes, on which models are judged; what is counted once is kept."""

    table: _Table
    """With one spelling per value."""
    published: _Table
    """The same rows as they are spelt."""
    columns: Sequence[_Column]
    """The quasi-identifiers."""
    secrets: Collection[str] = ()
    subject: str | None = None
    """The column of the table that says whom a row is about."""
    decimal: str = "."
    person: str | None = None
    """The name of that column in the population."""
    kept: dict[Any, Any] = field(default_factory=dict)

    def classed(self, besides: str | None = None) -> _Table:
        """Return the table numbered by its quasi-identifiers, without one of them if that is the secret."""
        names = tuple(cell for column in self.columns for cell in column.cells if cell != besides)
        if names not in self.kept:
            self.kept[names] = self.table.numbered(names)
        numbered: _Table = self.kept[names]
        return numbered

    def sizes(self, *, in_people: bool) -> _Sizes:
        """Return how many rows the classes have and how many people, which are rows where no subject is known."""
        subject = self.subject if in_people else None
        key = ("sizes", subject)
        if key not in self.kept:
            classed, numpy = self.classed(), _numpy()
            if isinstance(classed, _FastTable) and numpy is not None:
                self.kept[key] = _FastSizes(classed, subject, numpy)
            else:
                self.kept[key] = _Sizes(classed, subject)
        sizes: _Sizes = self.kept[key]
        return sizes

    @property
    def n_people(self) -> int:
        """How many people the table is about; rows where no subject is known."""
        return self.table.n_rows if self.subject is None else len(self.table.values(self.subject))

    def spread(self, secret: str) -> _Spread:
        """Return how a secret is spread over the classes."""
        key = ("spread", secret)
        if key not in self.kept:
            classed, numpy = self.classed(secret), _numpy()
            if isinstance(classed, _FastTable) and numpy is not None:
                self.kept[key] = _FastSpread(classed, secret, self.decimal, numpy)
            else:
                self.kept[key] = _Spread(classed, secret, self.decimal)
        spread: _Spread = self.kept[key]
        return spread


class _Sizes:
    """The rows and the people of each class, counted with nothing but Python."""

    def __init__(self, classed: _Table, subject: str | None) -> None:
        rows = {label: n_rows for (label,), n_rows in classed.count([_CLASS]).items()}
        people = rows if subject is None else Counter(row[0] for row in classed.count([_CLASS, subject]))
        self.classes = [(first, n_rows, people[first]) for first, n_rows in rows.items()]
        self.kinds = Counter((n_rows, n_people) for _, n_rows, n_people in self.classes)
        self.set_totals()

    def set_totals(self) -> None:
        """Sum up ``kinds``: how many classes have so many (rows, people)."""
        self.n_classes = sum(self.kinds.values())
        self.n_rows = sum(n_rows * n_classes for (n_rows, _), n_classes in self.kinds.items())
        self.smallest = min((n_people for _, n_people in self.kinds), default=None)

    def broken(self, breaks: Callable[[int], bool]) -> _Broken:
        """Return the classes that break a demand on their number of people."""
        return _broken([(first, n_rows) for first, n_rows, n_people in self.classes if breaks(n_people)])

    def firsts(self) -> Sequence[int]:
        """Return the first row of each class."""
        return [first for first, _, _ in self.classes]

    def below(self, counts: Sequence[int]) -> _Broken:
        """Return the classes with more people than ``counts``, given in the order of ``firsts``."""
        pairs = zip(self.classes, counts)
        return _broken([(first, n_rows) for (first, n_rows, n_people), count in pairs if count < n_people])

    def under(self, counts: Sequence[int], least: int) -> _Broken:
        """Return the classes whose ``counts``, given in the order of ``firsts``, are less than ``least``."""
        pairs = zip(self.classes, counts)
        return _broken([(first, n_rows) for (first, n_rows, _), count in pairs if count < least])


def _share(sizes: _Sizes, is_meant: Callable[[int], bool]) -> Fraction:
    """Return the share of the rows whose class has a number of people that is meant."""
    n_meant = sum(rows * n for (rows, people), n in sizes.kinds.items() if is_meant(people))
    return Fraction(n_meant, sizes.n_rows)


def _mean_risk(sizes: _Sizes) -> Fraction:
    """Return the mean over rows of 1 / people of the class."""
    by_people: Counter[int] = Counter()
    for (rows, people), n in sizes.kinds.items():
        by_people[people] += rows * n
    return sum((Fraction(rows, people) for people, rows in by_people.items()), Fraction(0)) / sizes.n_rows


def _prosecutor(sizes: _Sizes, threshold: Fraction) -> dict[str, float | None]:
    """Return the risk of rows whose class holds so many people."""
    if not sizes.n_rows or sizes.smallest is None:
        return {"max": None, "mean": None, "share_at_risk": None}
    at_risk = _share(sizes, lambda people: Fraction(1, people) > threshold)
    return {"max": 1 / sizes.smallest, "mean": float(_mean_risk(sizes)), "share_at_risk": float(at_risk)}


# ---------------------------------------------------------------------------------------------------------------------
# How a secret is spread over the classes
# ---------------------------------------------------------------------------------------------------------------------

_Histogram = Sequence[tuple[int, int]]
"""How often each value stands in one class: (code, rows), in ascending order of the codes."""


class _Score(NamedTuple):
    """How bad a class is, the larger the worse.

    ``exact`` judges one histogram. ``rough`` judges all classes at once in doubles; it only says where to look, and may
    differ from ``exact`` by rounding and by any growing function.
    """

    name: object
    exact: Callable[[_Histogram], Any]
    rough: Callable[[_FastSpread], Any]
    rests_on: Literal["codes", "totals", "counts"] = "codes"
    """What of each value it takes besides its rows in the class: which it is, its rows in the table, or nothing."""
    is_whole: bool = False
    """Whether ``rough`` is a whole number and therefore exact."""


class _Spread:
    """The histograms of a secret, counted with nothing but Python.

    The values have codes by rank: missing first, then numbers by value, or texts in order unless all are numbers.
    """

    def __init__(self, classed: _Table, secret: str, decimal: str) -> None:
        counts = classed.count([_CLASS, secret])
        totals: Counter[Cell] = Counter()
        for (_, value), n_rows in counts.items():
            totals[value] += n_rows
        codes = self.rank(totals, decimal)
        histograms: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (first, value), n_rows in counts.items():
            histograms[first].append((codes[value], n_rows))
        self.groups: dict[tuple[tuple[int, int], ...], list[int]] = defaultdict(list)
        for first, histogram in histograms.items():
            self.groups[tuple(sorted(histogram))].append(first)
        self.is_empty = not histograms

    def rank(self, totals: Mapping[Cell, int], decimal: str) -> dict[Cell, int]:
        """Rank the values, keep them with their totals, and return their codes."""
        texts = [value for value in totals if value is not None]
        numbers = {text: _exact_number(text, decimal) for text in texts}
        known = {text: number for text, number in numbers.items() if number is not None}
        is_numeric = bool(known) and len(known) == len(numbers)
        ranked = sorted(texts, key=lambda one: (known[one], one)) if is_numeric else sorted(texts)
        self.n_missing = len(totals) - len(texts)
        self.values: list[Cell] = [*([None] * self.n_missing), *ranked]
        self.totals = [totals[value] for value in self.values]
        self.n = sum(self.totals)
        self.numbers = [known[text] for text in ranked] if is_numeric else None
        self.kept: dict[object, Any] = {}
        return {value: code for code, value in enumerate(self.values)}

    def worst(self, score: _Score) -> Any:
        """Return the largest exact score of a class."""
        if score.name not in self.kept:
            self.kept[score.name] = self.find_worst(score)
        return self.kept[score.name]

    def find_worst(self, score: _Score) -> Any:
        """Look for the largest exact score."""
        return max(map(score.exact, self.groups))

    def broken(self, score: _Score, limit: float, breaks: Callable[[_Histogram], bool]) -> _Broken:
        """Return the classes that ``breaks`` condemns: those whose score is above ``limit``, which is not exact."""
        found = []
        for histogram, firsts in self.groups.items():
            if breaks(histogram):
                n_rows = _size(histogram)
                found += [(first, n_rows) for first in firsts]
        return _broken(found)

    def homogeneous(self) -> _Broken:
        """Return the classes whose rows all have one and the same known value."""

        def breaks(histogram: _Histogram) -> bool:
            return len(histogram) == 1 and histogram[0][0] >= self.n_missing

        score = _Score("homogeneous", breaks, lambda spread: spread.are_homogeneous(), is_whole=True)
        return self.broken(score, 0.5, breaks)


def _size(histogram: _Histogram) -> int:
    return sum(count for _, count in histogram)


def _alpha_score(declared: Collection[int] | None = None) -> _Score:
    """Score the largest share of one value, or of one of the declared values, in a class."""
    if declared is None:
        return _Score(
            "alpha",
            lambda one: Fraction(max(count for _, count in one), _size(one)),
            lambda fast: fast.most(fast.counts) / fast.sizes,
            rests_on="counts",
        )

    def exact(one: _Histogram) -> Fraction:
        return Fraction(max((count for code, count in one if code in declared), default=0), _size(one))

    def rough(fast: _FastSpread) -> Any:
        return fast.most(fast.counts * fast.numpy.isin(fast.codes, sorted(declared))) / fast.sizes

    return _Score(("alpha", frozenset(declared)), exact, rough)


def _distinct_score(spread: _Spread, labels: Sequence[int] | None = None) -> _Score:
    """Score minus the number of distinct known values of a class, or of their labels (by code)."""
    name = "distinct" if labels is None else ("distinct", tuple(labels))
    own = range(len(spread.values)) if labels is None else labels

    def exact(one: _Histogram) -> int:
        return -len({own[code] for code, _ in one if code >= spread.n_missing})

    return _Score(name, exact, lambda fast: -fast.n_distinct(own), is_whole=True)


def _entropy_score() -> _Score:
    """Score minus the entropy of a class, with its counts: equal doubles must not hide which class it is."""

    def exact(one: _Histogram) -> tuple[float, tuple[int, ...]]:
        counts = sorted(count for _, count in one)
        f = sum(counts)
        return math.fsum(n * math.log(n) for n in counts) / f - math.log(f), tuple(counts)

    def rough(fast: _FastSpread) -> Any:
        return fast.total(fast.counts * fast.numpy.log(fast.counts)) / fast.sizes - fast.numpy.log(fast.sizes)

    return _Score("entropy", exact, rough, rests_on="counts")


def _entropy_sign(counts: Iterable[int], l: Fraction) -> int:  # noqa: E741 - the name of the model's parameter
    """Return the sign of H - ln(l): that of f^f - l^f * product of n_i^n_i."""
    counts = list(counts)
    f = sum(counts)
    powers = [(n, Fraction(-n * times)) for n, times in Counter(counts).items()]
    return _sign([(f, Fraction(f)), *powers, (l.numerator, Fraction(-f)), (l.denominator, Fraction(f))])


def _recursive_score(length: int) -> _Score:
    """Score r1 / (r_l + ... + r_m), infinite where a class has fewer than l values."""

    def exact(one: _Histogram) -> Fraction | float:
        counts = sorted((count for _, count in one), reverse=True)
        tail = sum(counts[length - 1 :])
        return Fraction(counts[0], tail) if tail else math.inf

    return _Score(("recursive", length), exact, lambda fast: fast.recursive(length), rests_on="counts")


class _Cut(NamedTuple):
    """One level of a tree over the values: the node of each code, and how many rows lie under each node."""

    nodes: Sequence[int]
    totals: Sequence[int]


def _tree_score(spread: _Spread, cuts: Sequence[_Cut], name: object) -> _Score:
    """Score the earth mover's distance of a class from the whole table over a tree of equally deep leaves.

    With H levels of nodes below the root it is the mean over these levels of the plain distance, sum of q - p over
    q > p: in the sum over nodes N of height(N) / H * min(pos, neg), pos - neg is the surplus of N itself, so that
    min(pos, neg) is the sum of the children's positive surpluses less that of N, and the sum telescopes.
    """

    def exact(one: _Histogram) -> Fraction:
        f, n, total = _size(one), spread.n, 0
        for nodes, totals in cuts:
            here: Counter[int] = Counter()
            for code, count in one:
                here[nodes[code]] += count
            total += sum(max(count * n - totals[node] * f, 0) for node, count in here.items())
        return Fraction(total, f * n * len(cuts))

    return _Score(name, exact, lambda fast: sum(fast.surplus(*cut) for cut in cuts) / len(cuts))


def _equal_score(spread: _Spread) -> _Score:
    """Score half the sum of abs(q - p), which is the distance over a tree without inner nodes."""
    score = _tree_score(spread, [_Cut(range(len(spread.values)), spread.totals)], "equal")
    return score._replace(rests_on="totals")


class _Line:
    """Values on a line: ``ranks`` by code, ``steps`` from each to the next; what earth must be moved over.

    The distance of a class is sum_i step_i * abs(F_class(i) - F_all(i)) / sum_i step_i. F_class is constant between the
    values of the class, and F_all only grows: so each stretch is cut where the two cross, and its sum is read off
    running totals. Long lists of secrets thus cost no more than their rows.
    """

    def __init__(self, spread: _Spread, ranks: Sequence[int], steps: Sequence[int]) -> None:
        totals = [0] * len(ranks)
        for code, rank in enumerate(ranks):
            totals[rank] = spread.totals[code]
        self.n = spread.n
        self.ranks = ranks
        self.last = len(steps)
        self.below = list(accumulate(totals))[:-1]
        self.ways = [0, *accumulate(steps)]
        self.areas = [0, *accumulate(step * count for step, count in zip(steps, self.below))]

    def distance(self, histogram: _Histogram) -> Fraction:
        """Return the distance of one class from the whole table; zero where all values lie in one place."""
        if not self.ways[-1]:
            return Fraction(0)
        f, n, ways, areas = _size(histogram), self.n, self.ways, self.areas
        stops = sorted((self.ranks[code], count) for code, count in histogram)
        total = seen = start = 0
        for end, count in [*stops, (self.last, 0)]:
            cross = min(max(bisect_left(self.below, -(-seen * n // f)), start), end)
            before, after = ways[cross] - ways[start], ways[end] - ways[cross]
            total += seen * n * (before - after)
            total += f * ((areas[end] - areas[cross]) - (areas[cross] - areas[start]))
            start, seen = end, seen + count
        return Fraction(total, n * f * ways[-1])


def _ordered_score(spread: _Spread, ranks: Sequence[int] | None = None) -> _Score:
    """Score the distance by rank."""
    name = "ordered" if ranks is None else ("ordered", tuple(ranks))
    steps = [1] * (len(spread.values) - 1)
    if ranks is None and spread.numbers is not None:
        # 1 and 1.0 are one rank.
        steps[spread.n_missing :] = [int(low != high) for low, high in _neighbours(spread.numbers)]
    line = _Line(spread, range(len(spread.values)) if ranks is None else ranks, steps)
    return _Score(name, line.distance, lambda fast: fast.line(line))


def _numeric_score(spread: _Spread) -> _Score | None:
    """Score the distance by value; ``None`` if a value is missing or no number."""
    if spread.numbers is None or spread.n_missing:
        return None
    scale = math.lcm(*(number.denominator for number in spread.numbers))
    places = [int(number * scale) for number in spread.numbers]
    line = _Line(spread, range(len(places)), [high - low for low, high in _neighbours(places)])
    return _Score("numeric", line.distance, lambda fast: fast.line(line))


def _ratio_score(spread: _Spread, *, strict: bool) -> _Score:
    """Score the largest of q / p and p / q in a class; strictly infinite where the class lacks a value."""
    totals, n, n_values = spread.totals, spread.n, len(spread.values)

    def exact(one: _Histogram) -> Fraction | float:
        if strict and len(one) < n_values:
            return math.inf
        f = _size(one)
        ratios = _extremes(one, totals)
        return max(Fraction(ratios[1][0] * n, ratios[1][1] * f), Fraction(ratios[0][1] * f, ratios[0][0] * n))

    def rough(fast: _FastSpread) -> Any:
        logs = fast.most(abs(fast.numpy.log(fast.ratios())))
        return fast.numpy.where(fast.n_entries < n_values, math.inf, logs) if strict else logs

    return _Score(("ratio", strict), exact, rough, rests_on="totals")


def _extremes(histogram: _Histogram, totals: Sequence[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (count, total) of the value with the least count / total and of the one with the most."""
    least = most = (histogram[0][1], totals[histogram[0][0]])
    for code, count in histogram:
        total = totals[code]
        if count * least[1] < least[0] * total:
            least = (count, total)
        if count * most[1] > most[0] * total:
            most = (count, total)
    return least, most


def _gain_score(spread: _Spread) -> _Score:
    """Score the largest (q - p) / p of a class; some value always has q >= p."""
    totals, n = spread.totals, spread.n

    def exact(one: _Histogram) -> Fraction:
        count, total = _extremes(one, totals)[1]
        return Fraction(count * n, total * _size(one)) - 1

    return _Score("gain", exact, lambda fast: fast.most(fast.gains()), rests_on="totals")


def _enhanced(spread: _Spread, beta: Fraction | None) -> _Broken:
    """Return the classes where some (q - p) / p > min(beta, -ln p); without beta: > -ln p."""
    totals, n = spread.totals, spread.n

    def breaks(one: _Histogram) -> bool:
        f = _size(one)
        for code, count in one:
            gain = Fraction(count * n - totals[code] * f, totals[code] * f)
            if gain > 0 and ((beta is not None and gain > beta) or _is_above_surprise(gain, totals[code], n)):
                return True
        return False

    def rough(fast: _FastSpread) -> Any:
        bounds = fast.surprises() if beta is None else fast.numpy.minimum(fast.surprises(), float(beta))
        gains = fast.gains()
        return fast.most(fast.numpy.where(gains > 0, gains, 0.0) / fast.numpy.where(gains > 0, bounds, 1.0))

    return spread.broken(_Score(("enhanced", beta), breaks, rough, rests_on="totals"), 1.0, breaks)


def _is_above_surprise(gain: Fraction, total: int, n: int) -> bool:
    """Return whether gain > -ln(total / n)."""
    return _sign([(total, Fraction(1)), (n, Fraction(-1))], gain) > 0


# ---------------------------------------------------------------------------------------------------------------------
# Logarithms, decided exactly
# ---------------------------------------------------------------------------------------------------------------------


def _sign(powers: Sequence[tuple[int, Fraction]], plus: Fraction = Fraction(0)) -> int:
    """Return the sign of sum(exponent * ln(base)) + plus, for whole bases from 1.

    Doubles decide unless the sum is within 1e-9 of zero, taken relative to its parts. Then the bases are split into
    factors without common divisors, of which a product of powers is 1 only if every exponent is 0. Anything else is not
    zero, since the logarithm of a fraction other than 1 is no fraction, and more digits decide.
    """
    parts = [float(exponent) * math.log(base) for base, exponent in powers]
    scale = math.fsum(map(abs, parts)) + abs(float(plus))
    rough = math.fsum(parts) + float(plus)
    if abs(rough) > 1e-9 * max(scale, 1.0):
        return 1 if rough > 0 else -1
    left = _coprime(powers)
    if not left:
        return (plus > 0) - (plus < 0)
    digits = 50
    while True:
        with localcontext() as context:
            context.prec = digits
            terms = [_decimal(exponent) * Decimal(base).ln() for base, exponent in left.items()] + [_decimal(plus)]
            total = sum(terms, Decimal(0))
            if abs(total) > sum(map(abs, terms), Decimal(0)).scaleb(len(str(len(terms))) + 5 - digits):
                return 1 if total > 0 else -1
        digits *= 2


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def _coprime(powers: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Return the same product of powers over bases without common divisors, those with exponent 0 left out."""
    found: dict[int, Fraction] = {}
    left = list(powers)
    while left:
        base, exponent = left.pop()
        if base == 1:
            continue
        shared = next((other for other in found if math.gcd(base, other) > 1), None)
        if shared is None:
            found[base] = exponent
            continue
        other, divisor = found.pop(shared), math.gcd(base, shared)
        left += [(divisor, exponent + other), (base // divisor, exponent), (shared // divisor, other)]
    return {base: exponent for base, exponent in found.items() if exponent}


# ---------------------------------------------------------------------------------------------------------------------
# The same through NumPy: doubles find the classes that matter, and these are judged exactly
# ---------------------------------------------------------------------------------------------------------------------

_FEWEST_MERGED = 64
"""So few classes are sooner judged one by one than merged."""
_LONGEST_MERGED = 64
"""Classes with more distinct values are judged one by one: so many classes cannot be so long."""


def _numpy() -> Any:
    """Return NumPy, or ``None`` where it is not installed."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


def _dense(numpy: Any, keys: Any) -> tuple[Any, Any, Any]:
    """Return the distinct numbers among ``keys``, ascending, and where each starts and ends once they are sorted."""
    ordered = numpy.sort(keys)
    starts = numpy.flatnonzero(numpy.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(keys) else ordered
    return ordered[starts], starts, numpy.append(starts[1:], len(keys))


class _FastSizes(_Sizes):
    """The same through NumPy."""

    def __init__(self, classed: _FastTable, subject: str | None, numpy: Any) -> None:
        self.numpy = numpy
        labels = classed.frame[_CLASS].to_numpy().astype(numpy.int64)
        self.first, starts, ends = _dense(numpy, labels)
        self.rows = self.people = ends - starts
        if subject is not None:
            texts, places = classed.distinct(subject)
            persons = places.fill_null(len(texts)).to_numpy().astype(numpy.int64)
            found = _dense(numpy, labels * (len(texts) + 1) + persons)[0] // (len(texts) + 1)
            _, starts, ends = _dense(numpy, found)
            self.people = ends - starts
        keys = self.rows * (classed.n_rows + 1) + self.people
        found, starts, ends = _dense(numpy, keys)
        counts = (ends - starts).tolist()
        pairs = [divmod(key, classed.n_rows + 1) for key in found.tolist()]
        self.kinds = Counter(dict(zip(pairs, counts)))
        self.set_totals()

    def broken(self, breaks: Callable[[int], bool]) -> _Broken:
        wrong = [people for people in {people for _, people in self.kinds} if breaks(people)]
        return self.chosen(self.numpy.isin(self.people, wrong))

    def chosen(self, is_meant: Any) -> _Broken:
        """Sum up the classes that are meant."""
        return _chosen(self.numpy, is_meant, self.first, self.rows)

    def firsts(self) -> Any:
        return self.first

    def below(self, counts: Any) -> _Broken:
        return self.chosen(self.numpy.asarray(counts) < self.people)

    def under(self, counts: Any, least: int) -> _Broken:
        return self.chosen(self.numpy.asarray(counts) < least)


def _chosen(numpy: Any, is_meant: Any, firsts: Any, rows: Any) -> _Broken:
    """Sum up the classes that are meant; they are in the order of their first rows."""
    places = numpy.flatnonzero(is_meant)
    listed = places[:_MOST_LISTED]
    pairs = list(zip((firsts[listed] + 1).tolist(), rows[listed].tolist()))
    return _Broken(len(places), int(rows[places].sum()), pairs)


class _FastSpread(_Spread):
    """The same through NumPy: entries (class, code, count) in order, classes by first row."""

    def __init__(self, classed: _FastTable, secret: str, decimal: str, numpy: Any) -> None:
        self.numpy = numpy
        texts, places = classed.distinct(secret)
        own = places.fill_null(len(texts)).to_numpy().astype(numpy.int64)
        totals = numpy.bincount(own, minlength=len(texts) + 1).tolist()
        found = dict(zip([*texts.to_list(), None], totals))
        codes = self.rank({value: total for value, total in found.items() if total}, decimal)
        labels = classed.frame[_CLASS].to_numpy().astype(numpy.int64)
        self.firsts = _dense(numpy, labels)[0]
        place = numpy.zeros(classed.n_rows, dtype=numpy.int64)
        place[self.firsts] = numpy.arange(len(self.firsts))
        recoded = numpy.array([codes.get(value, 0) for value in found], dtype=numpy.int64)
        width = max(len(codes), 1)
        keys, starts, ends = _dense(numpy, place[labels] * width + recoded[own])
        self.owners, self.codes = numpy.divmod(keys, width)
        self.counts = ends - starts
        _, self.starts, self.ends = _dense(numpy, self.owners)
        self.n_entries = self.ends - self.starts
        self.total_of = numpy.array(self.totals, dtype=numpy.int64)
        self.is_empty = not len(self.firsts)
        if not self.is_empty:
            self.sizes = self.total(self.counts)

    def total(self, entries: Any) -> Any:
        """Sum entries by class."""
        return self.numpy.add.reduceat(entries, self.starts)

    def most(self, entries: Any) -> Any:
        """Return the largest entry of each class."""
        return self.numpy.maximum.reduceat(entries, self.starts)

    def ratios(self) -> Any:
        """Return q / p of each entry."""
        return self.counts * float(self.n) / (self.sizes[self.owners] * self.total_of[self.codes])

    def gains(self) -> Any:
        """Return (q - p) / p of each entry; the difference is taken in whole numbers, which keeps its digits."""
        expected = self.sizes[self.owners] * self.total_of[self.codes]
        return (self.counts * self.n - expected) / expected

    def surprises(self) -> Any:
        """Return -ln p of each entry, with its digits where p is almost 1."""
        return -self.numpy.log1p(-(self.n - self.total_of) / self.n)[self.codes]

    def are_homogeneous(self) -> Any:
        """Return 1 for each class of one known value, else 0."""
        is_known = self.codes[self.starts] >= self.n_missing
        return ((self.n_entries == 1) & is_known).astype(float)

    def n_distinct(self, labels: Sequence[int]) -> Any:
        """Return how many distinct labels of known values each class has."""
        numpy = self.numpy
        known = self.codes >= self.n_missing
        width = max(labels, default=0) + 1
        own = numpy.asarray(labels, dtype=numpy.int64)[self.codes[known]]
        pairs = _dense(numpy, self.owners[known] * width + own)[0]
        return numpy.bincount(pairs // width, minlength=len(self.firsts)).astype(float)

    def descending(self) -> Any:
        """Return the counts of each class, the largest first."""
        if "descending" not in self.kept:
            width = int(self.counts.max()) + 1
            keys = self.numpy.sort(self.owners * width + (width - 1 - self.counts))
            self.kept["descending"] = width - 1 - keys % width
        return self.kept["descending"]

    def entries(self, resting_on: str) -> Any:
        """Return numbers that are equal where counts are and the codes, or totals, they rest on; in order by class."""
        if resting_on == "counts":
            return self.descending()
        if resting_on not in self.kept:
            numpy = self.numpy
            own = self.codes if resting_on == "codes" else self.total_of[self.codes]
            keys = own * (int(self.counts.max()) + 1) + self.counts
            found = _dense(numpy, keys)[0]
            numbers = numpy.searchsorted(found, keys)
            self.kept[resting_on] = numpy.sort(self.owners * len(found) + numbers) % len(found)
        return self.kept[resting_on]

    def recursive(self, length: int) -> Any:
        """Return r1 / (r_l + ...) of each class."""
        numpy, counts = self.numpy, self.descending()
        if "running" not in self.kept:
            self.kept["running"] = numpy.concatenate([[0], numpy.cumsum(counts)])
        running = self.kept["running"]
        tails = running[self.ends] - running[numpy.minimum(self.starts + min(length - 1, self.n), self.ends)]
        return numpy.where(tails > 0, counts[self.starts] / numpy.maximum(tails, 1), math.inf)

    def surplus(self, nodes: Sequence[int], totals: Sequence[int]) -> Any:
        """Return the sum of q - p over q > p of each class, for values merged into nodes."""
        numpy = self.numpy
        owners, codes, counts, starts = self.owners, self.codes, self.counts, self.starts
        if list(nodes) != list(range(len(self.values))):
            width = len(totals)
            keys = owners * width + numpy.asarray(nodes, dtype=numpy.int64)[codes]
            order = numpy.argsort(keys, kind="stable")
            merged, places, _ = _dense(numpy, keys)
            owners, codes = numpy.divmod(merged, width)
            counts = numpy.add.reduceat(counts[order], places)
            starts = _dense(numpy, owners)[1]
        shares = numpy.asarray(totals, dtype=numpy.int64) / self.n
        return numpy.add.reduceat(numpy.maximum(counts / self.sizes[owners] - shares[codes], 0.0), starts)

    def line(self, line: _Line) -> Any:
        """Return the distance of each class along a line: ``_Line.distance`` for all stretches at once."""
        numpy, n, whole = self.numpy, self.n, line.ways[-1]
        if not whole:
            return numpy.zeros(len(self.firsts))
        ends, counts = numpy.asarray(line.ranks, dtype=numpy.int64)[self.codes], self.counts
        if not isinstance(line.ranks, range):
            order = numpy.argsort(self.owners * len(line.ranks) + ends, kind="stable")
            ends, counts = ends[order], counts[order]
        ways = numpy.array([way / whole for way in line.ways])
        areas = numpy.array([area / (whole * n) for area in line.areas])
        below = numpy.array(line.below, dtype=numpy.int64)

        def stretch(start: Any, end: Any, seen: Any, sizes: Any) -> Any:
            cross = numpy.clip(numpy.searchsorted(below, -(-seen * n // sizes)), start, end)
            share = seen / sizes
            left = share * (ways[cross] - ways[start]) - (areas[cross] - areas[start])
            return left + (areas[end] - areas[cross]) - share * (ways[end] - ways[cross])

        starts = numpy.concatenate([[0], ends[:-1]])
        starts[self.starts] = 0
        before = numpy.cumsum(counts) - counts
        seen = before - before[self.starts][self.owners]
        sums = self.total(stretch(starts, ends, seen, self.sizes[self.owners]))
        return sums + stretch(ends[self.ends - 1], line.last, self.sizes, self.sizes)

    def histogram(self, place: int) -> _Histogram:
        """Return the histogram of one class."""
        own = slice(int(self.starts[place]), int(self.ends[place]))
        return list(zip(self.codes[own].tolist(), self.counts[own].tolist()))

    def alike(self, places: Any, score: _Score) -> tuple[Any, Any]:
        """Merge classes that a score cannot tell apart: the place of one of each kind, the kind of each class.

        Classes of equal length are told apart entry by entry, all at once.
        """
        numpy = self.numpy
        if len(places) <= _FEWEST_MERGED:
            return places, numpy.arange(len(places))
        entries = self.entries(score.rests_on)
        width = int(entries.max()) + 1
        kinds = numpy.zeros(len(places), dtype=numpy.int64)
        firsts: list[Any] = []
        n_kinds = 0
        lengths = self.n_entries[places]
        for length in _dense(numpy, lengths)[0].tolist():
            where = numpy.flatnonzero(lengths == length)
            own = numpy.arange(len(where))
            if length <= _LONGEST_MERGED:
                own[:] = 0
                for step in range(length):
                    _, own = numpy.unique(own * width + entries[self.starts[places[where]] + step], return_inverse=True)
            _, one = numpy.unique(own, return_index=True)
            firsts.append(places[where[one]])
            kinds[where] = own + n_kinds
            n_kinds += len(one)
        return numpy.concatenate(firsts), kinds

    def find_worst(self, score: _Score) -> Any:
        rough = score.rough(self)
        top = rough.max()
        if score.is_whole or top == math.inf:
            return score.exact(self.histogram(int(rough.argmax())))
        near = self.numpy.flatnonzero(rough >= top - self.tolerance(top))
        kinds, _ = self.alike(near, score)
        return max(score.exact(self.histogram(place)) for place in kinds.tolist())

    def broken(self, score: _Score, limit: float, breaks: Callable[[_Histogram], bool]) -> _Broken:
        numpy, rough = self.numpy, score.rough(self)
        tolerance = 0.0 if score.is_whole else self.tolerance(limit)
        is_broken = rough > limit + tolerance
        near = numpy.flatnonzero(~is_broken & (rough >= limit - tolerance))
        if len(near) and not score.is_whole:
            places, kinds = self.alike(near, score)
            verdicts = numpy.array([breaks(self.histogram(place)) for place in places.tolist()])
            is_broken[near] = verdicts[kinds]
        return _chosen(numpy, is_broken, self.firsts, self.sizes)

    def tolerance(self, about: float) -> float:
        """Return how far doubles of this size may be off; sums of as many terms as rows are the longest."""
        return (1e-9 + 1e-15 * self.n) * max(abs(float(about)), 1.0) if math.isfinite(about) else 0.0


# ---------------------------------------------------------------------------------------------------------------------
# The figures of a secret
# ---------------------------------------------------------------------------------------------------------------------

_SECRET_MEASURES = (
    "alpha", "l_distinct", "l_entropy", "l_recursive", "t_equal", "t_ordered", "t_numeric",
    "delta_strict", "delta_present", "beta_basic", "beta_enhanced",
)  # fmt: skip


def _secret_measures(spread: _Spread, tree: Mapping[str, Collection[str]] | None) -> dict[str, Any]:
    """Return every measure of one secret."""
    result: dict[str, Any] = {**dict.fromkeys(_SECRET_MEASURES), "l_recursive": {}}
    if not spread.is_empty:
        numeric = _numeric_score(spread)
        result |= {
            "alpha": float(spread.worst(_alpha_score())),
            "l_distinct": -spread.worst(_distinct_score(spread)),
            "l_entropy": _entropy_l(spread),
            "l_recursive": {
                str(length): _figure(spread.worst(_recursive_score(length)))
                for length in range(2, min(len(spread.values), 10) + 1)
            },
            "t_equal": float(spread.worst(_equal_score(spread))),
            "t_ordered": float(spread.worst(_ordered_score(spread))),
            "t_numeric": None if numeric is None else float(spread.worst(numeric)),
            "delta_strict": _logarithm(spread.worst(_ratio_score(spread, strict=True))),
            "delta_present": _logarithm(spread.worst(_ratio_score(spread, strict=False))),
            "beta_basic": float(spread.worst(_gain_score(spread))),
        }
        result["beta_enhanced"] = "inf" if _enhanced(spread, None).n_classes else result["beta_basic"]
    if tree is not None:
        result |= _tree_measures(spread, tree)
    return result | {"homogeneous": _Broken().to_dict() if spread.is_empty else spread.homogeneous().to_dict()}


def _figure(value: Fraction | float) -> float | str:
    return "inf" if value == math.inf else float(value)


def _logarithm(ratio: Fraction | float) -> float | str:
    return "inf" if ratio == math.inf else math.log(ratio)


def _entropy_l(spread: _Spread) -> float:
    """exp(min H) = min of f / product of n_i^(n_i/f); a whole number is recognised exactly, not to within rounding."""
    least, counts = spread.worst(_entropy_score())
    value = math.exp(-least)
    whole = round(value)
    is_whole = abs(value - whole) <= 1e-9 and not _entropy_sign(counts, Fraction(whole))
    return float(whole) if is_whole else value


def _tree_measures(spread: _Spread, tree: Mapping[str, Collection[str]]) -> dict[str, Any]:
    try:
        levels = _tree_levels(spread, tree)
    except _NoEvidenceError:
        return {"t_hierarchical": None, "p_levels": None}
    if spread.is_empty:
        return {"t_hierarchical": None, "p_levels": dict.fromkeys(map(str, range(len(levels))))}
    return {
        "t_hierarchical": float(spread.worst(_hierarchical_score(spread, levels))),
        "p_levels": {str(level): -spread.worst(_distinct_score(spread, cut)) for level, cut in enumerate(levels)},
    }


def _tree_levels(spread: _Spread, tree: Mapping[str, Collection[str]]) -> list[list[int]]:
    """Return for every level of a hierarchy, values first and root last, the label of each code as a number.

    A missing value is no part of the hierarchy: its number is 0 on every level, and no label has it.
    """
    paths: dict[str, list[str]] = {}
    for leaf, over in tree.items():
        if not isinstance(over, (list, tuple)):
            raise _NoEvidenceError("its hierarchy does not give the labels over a value as a list.")
        paths[_normal(leaf) or ""] = [_normal(leaf) or "", *(_normal(label) or "" for label in over)]
    depths = {len(path) for path in paths.values()}
    if len(depths) > 1:
        raise _NoEvidenceError("its hierarchy does not have equally many levels everywhere.")
    if depths == {1} or len({path[-1] for path in paths.values()}) > 1:
        paths = {leaf: [*path, "*"] for leaf, path in paths.items()}
    known = spread.values[spread.n_missing :]
    n_absent = sum(value not in paths for value in known)
    if n_absent:
        raise _NoEvidenceError(f"its hierarchy lacks {n_absent} values of the column.")
    labels_of = list(zip(*paths.values()))
    for lower, upper in _neighbours(labels_of):
        if len(set(zip(lower, upper))) > len(set(lower)):
            raise _NoEvidenceError("its hierarchy has a label under two others.")
    levels: list[list[int]] = []
    for level, labels in enumerate(labels_of):
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels), 1)}
        levels.append([0] * spread.n_missing + [numbers[paths[value or ""][level]] for value in known])
    return levels or [[0] * spread.n_missing]


def _hierarchical_score(spread: _Spread, levels: Sequence[Sequence[int]]) -> _Score:
    """Score the distance over a hierarchy; missing is a leaf of its own right below the root."""
    cuts = []
    for nodes in levels[:-1]:
        totals = [0] * (max(nodes) + 1)
        for code, node in enumerate(nodes):
            totals[node] += spread.totals[code]
        cuts.append(_Cut(nodes, totals))
    name = ("hierarchical", tuple(map(tuple, levels)))
    if not cuts:  # a root alone: nothing is far from anything
        return _Score(name, lambda one: Fraction(0), lambda fast: fast.numpy.zeros(len(fast.firsts)), is_whole=True)
    return _tree_score(spread, cuts, name)


# ---------------------------------------------------------------------------------------------------------------------
# Truthfulness of two files without the record: a perfect matching
# ---------------------------------------------------------------------------------------------------------------------

_MATCHING_BITS = 8 * 2**30
"""Beyond this many pairs (one bit each, 1 GiB) matching is refused; the record makes it needless."""
_MATCHING_TESTS = 5 * 10**7
"""So many single tests of a published against an original value take about a minute."""
_TOO_LARGE = "the two files are too large to be matched without the record."


class Matching(NamedTuple):
    """How many published rows could be given an original row of their own.

    Examples
    --------
    >>> Matching(n_published=9, n_matched=9, n_fit_nothing=0, first_row=None).perfect
    True
    """

    n_published: int
    n_matched: int
    n_fit_nothing: int
    """Published rows that contain no original row at all; ``first_row`` is the number of the first."""
    first_row: int | None

    @property
    def perfect(self) -> bool:
        """Whether every published row has an original of its own."""
        return self.n_matched == self.n_published


def truthful_without_order(
    published: Any,
    original: Any,
    specs: Sequence[Mapping[str, Any]],
    *,
    hierarchies: Hierarchies | None = None,
    decimal: str = ".",
) -> Matching:
    """Match every published row to an original row of its own that it contains, as far as that is possible.

    Without the record nobody can say which row came from which. That a perfect matching exists is necessary for
    truthfulness, and all that two files can show. Originals left over count as suppressed.

    Parameters
    ----------
    specs
        Columns as the claim describes them; those with style ``centroid`` are left out.
    hierarchies
        For trees: column -> leaf -> labels over it.

    Examples
    --------
    >>> spec = [{"name": "exam", "role": "quasi_identifier", "kind": "number"}]
    >>> truthful_without_order({"exam": ["4-7", "4-7"]}, {"exam": ["4", "7", "9"]}, spec).perfect
    True
    >>> truthful_without_order({"exam": ["4-5", "4-5"]}, {"exam": ["4", "7", "9"]}, spec).n_matched
    1
    """
    try:
        columns = [_read_column(spec, decimal, hierarchies or {}) for spec in specs]
    except _ClaimError as error:
        raise AuditInputError(str(error)) from None
    columns = [column for column in columns if column.style != "centroid"]
    left = _table(published).having([cell for column in columns for cell in column.cells])
    right = _table(original).having([column.name for column in columns])
    return _match(left, right, columns)


def _match(published: _Table, originals: _Table, columns: Sequence[_Column]) -> Matching:
    cells = [cell for column in columns for cell in column.cells]
    rows = published.count(cells)
    sources = originals.count([column.name for column in columns])
    fits = _fitting(list(rows), list(sources), columns)
    hopeless = {row for row, bits in zip(rows, fits) if not bits}
    n_matched = _flow(list(rows.values()), list(sources.values()), fits)
    return Matching(
        n_published=published.n_rows,
        n_matched=n_matched,
        n_fit_nothing=sum(rows[row] for row in hopeless),
        first_row=published.first_row(cells, hopeless),
    )


def _fitting(
    rows: Sequence[tuple[Cell, ...]], sources: Sequence[tuple[Cell, ...]], columns: Sequence[_Column]
) -> list[int]:
    """Return for each published row the originals it contains, as a set of bits: bit i is original i."""
    if max(len(rows), len(sources)) * len(sources) > _MATCHING_BITS:
        raise _TooLargeError(_TOO_LARGE)
    fits = [(1 << len(sources)) - 1] * len(rows)
    start = 0
    for position, column in enumerate(columns):
        stop = start + len(column.cells)
        labels = {row[start:stop] for row in rows}
        column = _dated(column, {source[position] for source in sources})
        holders: dict[Cell, list[int]] = defaultdict(list)
        for i, source in enumerate(sources):
            holders[source[position]].append(i)
        bits_of = {value: _bits(places, len(sources)) for value, places in holders.items()}
        contained = _contained(column, labels, bits_of)
        fits = [bits & contained[row[start:stop]] for bits, row in zip(fits, rows)]
        start = stop
    return fits


def _contained(
    column: _Column, labels: Collection[tuple[Cell, ...]], bits_of: Mapping[Cell, int]
) -> dict[tuple[Cell, ...], int]:
    """Return for each published value the originals it contains; ranges find theirs among the sorted numbers."""
    result: dict[tuple[Cell, ...], int] = {}
    others = list(labels)
    if column.has_ranges:
        numbers = [(_number(_normal(value) or ""), bits) for value, bits in bits_of.items()]
        known = sorted((number, bits) for number, bits in numbers if number is not None)
        keys, up_to = [number for number, _ in known], [0, *accumulate((bits for _, bits in known), or_)]
        intervals = {label: column.interval(label) for label in labels}
        others = [label for label, interval in intervals.items() if interval is None]
        for label, interval in intervals.items():
            if interval is not None:
                start = (bisect_right if interval.low_open else bisect_left)(keys, interval.low)
                stop = (bisect_left if interval.high_open else bisect_right)(keys, interval.high)
                result[label] = up_to[stop] & ~up_to[start]
    if len(others) * len(bits_of) > _MATCHING_TESTS:
        raise _TooLargeError(_TOO_LARGE)
    for label in others:
        predicate = column.meaning(label)
        found = [bits for value, bits in bits_of.items() if predicate is not None and predicate(value)]
        result[label] = reduce(or_, found, 0)
    return result


def _bits(places: Iterable[int], length: int) -> int:
    mask = bytearray(length // 8 + 1)
    for place in places:
        mask[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(mask, "little")


def _each_bit(bits: int) -> Iterator[int]:
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def _flow(supply: list[int], demand: list[int], fits: Sequence[int]) -> int:
    """Return the largest flow from published groups (``supply`` rows each) into original groups (``demand``).

    Greedy first, the choosiest groups before the others; then rounds of shortest augmenting paths until none is left,
    which proves the flow to be the largest (Ford and Fulkerson).
    """
    total = sum(supply)
    left, room = list(supply), list(demand)
    free = _bits((i for i, n in enumerate(room) if n), len(room))
    given: list[dict[int, int]] = [{} for _ in demand]

    def give(group: int, source: int, amount: int) -> None:
        nonlocal free
        given[source][group] = given[source].get(group, 0) + amount
        room[source] -= amount
        if not room[source]:
            free &= ~(1 << source)

    for group in sorted(range(len(supply)), key=lambda one: _n_ones(fits[one])):
        for source in _each_bit(fits[group] & free):
            amount = min(left[group], room[source])
            give(group, source, amount)
            left[group] -= amount
            if not left[group]:
                break
    while any(left):
        ends, came_from, came_by = _layers(left, free, fits, given)
        n_before = sum(left)
        for source in ends:
            path, group = [], came_from[source]
            while group in came_by:
                path.append((came_by[group], group))
                group = came_from[came_by[group]]
            amount = min([left[group], room[source], *(given[via].get(taken, 0) for via, taken in path)])
            if not amount:
                continue
            give(came_from[source], source, amount)
            left[group] -= amount
            for via, taken in path:
                given[via][taken] -= amount
                given[via][came_from[via]] = given[via].get(came_from[via], 0) + amount
        if sum(left) == n_before:
            break
    return total - sum(left)


def _layers(
    left: Sequence[int], free: int, fits: Sequence[int], given: Sequence[Mapping[int, int]]
) -> tuple[list[int], dict[int, int], dict[int, int]]:
    """Search breadth-first from groups with rows left to originals with room: (ends, group of, original of)."""
    came_from: dict[int, int] = {}
    came_by: dict[int, int] = {}
    seen, frontier = 0, [group for group, n in enumerate(left) if n]
    visited = set(frontier)
    while frontier:
        ends: list[int] = []
        reached: list[int] = []
        for group in frontier:
            new = fits[group] & ~seen
            seen |= new
            for source in _each_bit(new):
                came_from[source] = group
                (ends if free >> source & 1 else reached).append(source)
        if ends:
            return ends, came_from, came_by
        frontier = []
        for source in reached:
            for group, amount in given[source].items():
                if amount and group not in visited:
                    visited.add(group)
                    came_by[group] = source
                    frontier.append(group)
    return [], came_from, came_by


def _dated(column: _Column, originals: Iterable[Cell]) -> _Column:
    """Decide once per column whether 03/04/2020 has the month first: only if it cannot have the day first."""
    if column.kind != "dates":
        return column
    texts = [text for text in map(_normal, originals) if text and _DAY_LAST_YEAR.fullmatch(text)]
    month_first = any(_day(text) is None for text in texts) and all(_day(text, True) is not None for text in texts)
    return replace(column, month_first=month_first)


# ---------------------------------------------------------------------------------------------------------------------
# The claim
# ---------------------------------------------------------------------------------------------------------------------

_ROLES = ("quasi_identifier", "sensitive", "insensitive", "identifier")
_FORMATS = ("csv", "xlsx", "parquet", "arrow", "sav", "zsav", "dta", "xpt")
_DELIMITERS = (",", ";", "\t", "|")
_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "iso-8859-1", "iso-8859-15")
"""Encodings in which different bytes are different texts. In others (UTF-7) cells that differ could fall together."""
_PARTS = ("celosia", "version", "models", "columns", "policies", "data")
_DATA_PARTS = ("format", "delimiter", "decimal", "encoding", "neutralised", "n_rows", "sha256")
_COLUMN_PARTS = ("name", "role", "kind", "style", "separator", "columns", "masked", "pseudonyms", "sensitive")
"""All that a claim may say: what is not known here cannot be confirmed."""
_POLICIES: dict[str, tuple[str | None, ...]] = {
    "missing": ("own",),
    "suppressed": ("deleted",),
    "subject": ("counted", None),
    "reference": ("published",),
}
"""The reference distribution of secrets is that of the published rows, also where a claim does not say so."""


@dataclass(frozen=True)
class _Claim:
    models: list[tuple[str, Mapping[str, Any]]]
    columns: list[_Column]
    n_rows: int | None
    counts_subjects: bool
    data: Mapping[str, Any]

    @property
    def quasi_identifiers(self) -> list[_Column]:
        return [column for column in self.columns if column.role == "quasi_identifier"]

    @property
    def cells(self) -> list[str]:
        return [cell for column in self.columns for cell in column.cells]

    @property
    def quasi_identifier_cells(self) -> list[str]:
        return [cell for column in self.quasi_identifiers for cell in column.cells]


def _demand(condition: bool, message: str) -> None:
    if not condition:
        raise _ClaimError(message)


def _demand_known(given: Mapping[str, Any], known: Collection[str], what: str) -> None:
    unknown = sorted(repr(name) for name in given if name not in known)
    more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
    _demand(not unknown, f"{what} says something that is not known here: {', '.join(unknown[:3])}{more}.")


def _read_claim(claim: Mapping[str, Any], hierarchies: Hierarchies, *, of_file: bool) -> _Claim:
    _demand(claim.get("celosia") == "claim", 'it does not say "celosia": "claim".')
    version = claim.get("version")
    _demand(type(version) is int and version == 1, "its version is not 1, the only one known here.")
    _demand_known(claim, _PARTS, "it")
    data = _read_data(claim.get("data", {}), of_file=of_file)
    entries = claim.get("columns")
    _demand(isinstance(entries, (list, tuple)) and bool(entries), "it lists no columns.")
    assert isinstance(entries, (list, tuple))
    columns = [_read_column(entry, data["decimal"], hierarchies) for entry in entries]
    for names in ([one.name for one in columns], [cell for one in columns for cell in one.cells]):
        _demand(len(set(names)) == len(names), "it names a column twice.")
        _demand(not any("\0" in name for name in names), "a name of a column holds a NUL character.")
    policies = claim.get("policies")
    _demand(isinstance(policies, Mapping), "it has no policies.")
    assert isinstance(policies, Mapping)
    policies = {"reference": "published", **policies}
    _demand(policies.keys() == _POLICIES.keys(), f"its policies must be {', '.join(_POLICIES)}, no more and no fewer.")
    for name, allowed in _POLICIES.items():
        _demand(policies[name] in allowed, f"policy {name!r} has a value that no guarantee may rest on.")
    return _Claim(
        models=_read_models(claim.get("models")),
        columns=columns,
        n_rows=data.get("n_rows"),
        counts_subjects=policies["subject"] == "counted",
        data=data,
    )


def _read_data(data: Any, *, of_file: bool) -> dict[str, Any]:
    _demand(isinstance(data, Mapping), "its part 'data' is not an object.")
    _demand_known(data, _DATA_PARTS, "its part 'data'")
    result = {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "neutralised": False, **data}
    n_rows, digest = result.get("n_rows"), result.get("sha256")
    if of_file:
        _demand(result.get("format") in _FORMATS, f"data.format must be one of {', '.join(_FORMATS)}.")
        _demand(isinstance(digest, str) and bool(re.fullmatch("[0-9a-fA-F]{64}", digest)), "data.sha256 is no SHA-256.")
    if of_file or n_rows is not None:
        _demand(type(n_rows) is int and n_rows >= 0, "data.n_rows is no count.")
    _demand(result["decimal"] in (".", ","), "data.decimal must be a point or a comma.")
    _demand(result["delimiter"] in _DELIMITERS, "data.delimiter must be a comma, a semicolon, a tab or a bar.")
    _demand(result["encoding"] in _ENCODINGS, f"data.encoding must be one of {', '.join(_ENCODINGS)}.")
    _demand(isinstance(result["neutralised"], bool), "data.neutralised must be true or false.")
    return result


def _read_models(models: Any) -> list[tuple[str, Mapping[str, Any]]]:
    _demand(isinstance(models, (list, tuple)) and bool(models), "it claims no model: there is nothing to hold.")
    result = []
    for model in models:
        _demand(isinstance(model, Mapping) and len(model) == 1, "a model must be an object with one name.")
        ((name, options),) = model.items()
        _demand(name in _MODELS, f"a model is not known here (known: {', '.join(_MODELS)}).")
        _demand(isinstance(options, Mapping), f"the parameters of {name} are no object.")
        result.append((name, options))
    return result


def _read_column(entry: Any, decimal: str, hierarchies: Hierarchies) -> _Column:
    _demand(isinstance(entry, Mapping), "a column is no object.")
    name, role = entry.get("name"), entry.get("role")
    _demand(isinstance(name, str) and bool(name), "a column has no name.")
    _demand_known(entry, _COLUMN_PARTS, f"column {name!r}")
    _demand(role in _ROLES, f"column {name!r} has a role that is not one of {', '.join(_ROLES)}.")
    masked = entry.get("masked", False)
    _demand(isinstance(masked, bool), f"column {name!r}: 'masked' must be true or false.")
    pseudonyms = entry.get("pseudonyms", False)
    _demand(isinstance(pseudonyms, bool), f"column {name!r}: 'pseudonyms' must be true or false.")
    _demand(masked or not pseudonyms, f"column {name!r} holds pseudonyms and is not declared as masked.")
    _demand(role != "identifier" or masked, f"identifier {name!r} is published and not declared as masked.")
    if role != "quasi_identifier":
        return _Column(name, role, cells=(name,), decimal=decimal, masked=masked)
    kind, style, separator = entry.get("kind"), entry.get("style", "label"), entry.get("separator", " / ")
    _demand(kind in _KINDS, f"column {name!r} has a kind that is not one of {', '.join(_KINDS)}.")
    _demand(style in _STYLES, f"column {name!r} has a style that is not one of {', '.join(_STYLES)}.")
    _demand(isinstance(separator, str) and bool(separator), f"the separator of column {name!r} is no text.")
    cells: Any = [name]
    if style == "pair":
        cells = entry.get("columns")
        is_pair = isinstance(cells, (list, tuple)) and len(cells) == 2 and all(isinstance(cell, str) for cell in cells)
        _demand(is_pair, f"column {name!r} is a pair and does not name its two columns.")
        _demand(kind in ("number", "intervals"), f"column {name!r} is a pair, but not of numbers.")
    tree = hierarchies.get(name)
    ancestors = tree and {_normal(leaf) or "": {_normal(one) or "" for one in over} for leaf, over in tree.items()}
    is_secret = entry.get("sensitive", False)
    _demand(isinstance(is_secret, bool), f"column {name!r}: 'sensitive' must be true or false.")
    return _Column(name, role, kind, style, tuple(cells), separator, decimal, masked, ancestors, is_secret=is_secret)


# ---------------------------------------------------------------------------------------------------------------------
# The models: a table of name -> function; a new model is one function and one line
# ---------------------------------------------------------------------------------------------------------------------


class _OptionError(Exception):
    """A model's parameters are not what they must be; the model then does not hold."""


class _NoEvidenceError(Exception):
    """Something that is not in the published table is needed; the model can then not be judged."""


class _Judgement(NamedTuple):
    """Whether a model holds (``None`` if it could not be judged), why, and the classes that break it."""

    holds: bool | None
    reason: str
    broken: _Broken = _Broken()


def _judgement(found: str, broken: _Broken, *, holds: bool | None = None) -> _Judgement:
    """Sum up a model that holds just if no class breaks it, or as ``holds`` says."""
    if not broken.n_classes:
        return _Judgement(True if holds is None else holds, f"{found}.")
    first = broken.classes[0][0]
    where = f"classes that break it: {broken.n_classes} ({broken.n_rows} rows), the first from row {first} on"
    return _Judgement(False, f"{found}; {where}.", broken)


_LARGEST_PARAMETER = 10**300
"""Whatever is larger is no double."""


def _exact(value: object) -> Fraction | None:
    """Read a parameter by its decimal text, so that 0.2 is a fifth."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        return None
    if isinstance(value, float):
        return Fraction(str(value)) if math.isfinite(value) else None
    number = Fraction(value)
    return number if abs(number) <= _LARGEST_PARAMETER else None


def _check_keys(options: Mapping[str, Any], required: Sequence[str], optional: Sequence[str] = ()) -> None:
    if not set(required) <= options.keys() <= {*required, *optional}:
        besides = f", besides perhaps {', '.join(optional)}" if optional else ""
        raise _OptionError(f"its parameters must be {', '.join(required)}{besides}.")


def _whole(options: Mapping[str, Any], name: str, least: int) -> int:
    value = options[name]
    if type(value) is not int or not least <= value <= _LARGEST_PARAMETER:
        raise _OptionError(f"its parameter {name} must be a whole number from {least} to 10^300.")
    return value


def _real(options: Mapping[str, Any], name: str, is_allowed: Callable[[Fraction], bool], allowed: str) -> Fraction:
    value = _exact(options[name])
    if value is None or not is_allowed(value):
        raise _OptionError(f"its parameter {name} must be a number {allowed}.")
    return value


def _choice(options: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str:
    for one in allowed:
        if options[name] == one:
            return one
    raise _OptionError(f"its parameter {name} must be one of {', '.join(allowed)}.")


def _secret(options: Mapping[str, Any], ground: _Ground) -> tuple[str, _Spread]:
    name = options["on"]
    if not isinstance(name, str):
        raise _OptionError("its parameter on must be the name of a column.")
    if name not in ground.secrets:
        raise _OptionError(f"{name!r} is not a sensitive column that could be judged.")
    return name, ground.spread(name)


def _tree_of(name: str, known: _Known) -> Mapping[str, Collection[str]]:
    tree = known.tree(name)
    if tree is None:
        raise _NoEvidenceError(f"needs the hierarchy of {name!r}.")
    return tree


def _check_hierarchy_flag(options: Mapping[str, Any], *, allowed: bool) -> bool:
    """Return whether a claim says that it rests on a hierarchy, which it never holds itself."""
    flag = options.get("hierarchy")
    if flag is None or flag is False:
        return False
    if flag is not True or not allowed:
        raise _OptionError("its parameter hierarchy must be true, and only where a hierarchy is used.")
    return True


def _k_anonymity(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Every class has at least k rows (or people, where they are counted)."""
    _check_keys(options, ["k"])
    k = _whole(options, "k", 2)
    sizes = ground.sizes(in_people=True)
    found = f"the smallest of {sizes.n_classes} classes has {sizes.smallest}; claimed are {k}"
    return _judgement(found, sizes.broken(lambda people: people < k))


def _alpha_k(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """No value, or none of the declared ones, has a share of more than alpha in a class."""
    _check_keys(options, ["alpha", "on"], ["values"])
    alpha = _real(options, "alpha", lambda one: 0 < one < 1, "above 0 and below 1")
    name, spread = _secret(options, ground)
    score = _alpha_score(_declared(options.get("values"), spread, ground.decimal))
    broken = spread.broken(score, float(alpha), lambda one: score.exact(one) > alpha)
    found = f"the largest share of a value of {name!r} in a class is {_spelt(spread.worst(score))}"
    return _judgement(f"{found}; claimed are at most {_spelt(alpha)}", broken)


def _declared(values: Any, spread: _Spread, decimal: str) -> frozenset[int] | None:
    """Return the codes of declared values as the file spells them; those that it lacks have share 0."""
    if values is None:
        return None
    is_list = isinstance(values, (list, tuple)) and bool(values)
    if not is_list or not all(isinstance(one, (str, int, float, type(None))) for one in values):
        raise _OptionError("its parameter values must be a list of values.")
    texts = {None if one is None else _normal(one if isinstance(one, str) else _spell_option(one)) for one in values}
    if decimal != ".":
        texts |= {text.replace(".", decimal) for text in texts if text and _exact_number(text, ".") is not None}
    return frozenset(code for code, value in enumerate(spread.values) if value in texts)


def _spell_option(value: int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else _spell(value, ".") if type(value) is float else str(value)


def _p_sensitive(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Every class has at least p distinct known values of a secret, or labels of them on a level of its hierarchy."""
    _check_keys(options, ["p", "on"], ["level", "hierarchy"])
    p = _whole(options, "p", 2)
    name, spread = _secret(options, ground)
    has_hierarchy = _check_hierarchy_flag(options, allowed=True)
    level = 0 if options.get("level") is None else _whole(options, "level", 0)
    labels, what = None, "values"
    if level or has_hierarchy:
        levels = _tree_levels(spread, _tree_of(name, known))
        if level >= len(levels):
            raise _NoEvidenceError(f"the hierarchy of {name!r} has no level {level}.")
        labels, what = levels[level], f"labels on level {level}"
    return _judge_distinct(spread, name, p, what, labels)


def _judge_distinct(
    spread: _Spread, name: str, least: int, what: str = "values", labels: Sequence[int] | None = None
) -> _Judgement:
    score = _distinct_score(spread, labels)
    broken = spread.broken(score, -least, lambda one: score.exact(one) > -least)
    found = f"the least diverse class has {-spread.worst(score)} distinct {what} of {name!r}"
    return _judgement(f"{found}; claimed are {least}", broken)


def _l_diversity(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Every class has l well-spread values of a secret."""
    is_recursive = options.get("kind") == "recursive"
    _check_keys(options, ["l", "on", "kind", *(["c"] if is_recursive else [])])
    kind = _choice(options, "kind", ["distinct", "entropy", "recursive"])
    if kind == "entropy":
        least = _real(options, "l", lambda one: one > 1, "above 1")
        name, spread = _secret(options, ground)
        broken = spread.broken(
            _entropy_score(),
            -_log(least),
            lambda one: _entropy_sign([count for _, count in one], least) < 0,
        )
        found = f"exp of the least entropy of {name!r} in a class is {_entropy_l(spread):.6g}"
        return _judgement(f"{found}; claimed are {_spelt(least)}", broken)
    length = _whole(options, "l", 2)
    if kind == "distinct":
        name, spread = _secret(options, ground)
        return _judge_distinct(spread, name, length)
    c = _real(options, "c", lambda one: one > 0, "above 0")
    name, spread = _secret(options, ground)
    score = _recursive_score(length)
    broken = spread.broken(score, float(c), lambda one: score.exact(one) >= c)
    found = f"recursive (c, {length}) holds on {name!r} for c above {_spelt(spread.worst(score))}"
    return _judgement(f"{found}; claimed is {_spelt(c)}", broken)


def _t_closeness(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """No class lies further than t from the whole table."""
    _check_keys(options, ["t", "on", "distance"], ["hierarchy"])
    t = _real(options, "t", lambda one: 0 <= one < 1, "from 0 and below 1")
    distance = _choice(options, "distance", ["equal", "ordered", "numeric", "hierarchical"])
    has_hierarchy = _check_hierarchy_flag(options, allowed=distance in ("ordered", "hierarchical"))
    name, spread = _secret(options, ground)
    score: _Score | None
    if distance == "equal":
        score = _equal_score(spread)
    elif distance == "numeric":
        score = _numeric_score(spread)
        if score is None:
            raise _OptionError(f"{name!r} holds missing values or something else than numbers.")
    elif distance == "hierarchical":
        score = _hierarchical_score(spread, _tree_levels(spread, _tree_of(name, known)))
    else:
        ranks = _ranks(spread, _tree_of(name, known)) if has_hierarchy else None
        score = _ordered_score(spread, ranks)
    broken = spread.broken(score, float(t), lambda one: score.exact(one) > t)
    found = f"the farthest class lies {_spelt(spread.worst(score))} ({distance}) from the whole table on {name!r}"
    return _judgement(f"{found}; claimed are at most {_spelt(t)}", broken)


def _ranks(spread: _Spread, tree: Mapping[str, Collection[str]]) -> list[int]:
    """Return the rank of each code by the order of a hierarchy's leaves, missing first."""
    place = {_normal(leaf): number for number, leaf in enumerate(tree)}
    known = spread.values[spread.n_missing :]
    n_absent = sum(value not in place for value in known)
    if n_absent:
        raise _NoEvidenceError(f"its hierarchy lacks {n_absent} values of the column.")
    order = sorted(range(len(known)), key=lambda code: place[known[code]])
    ranks = [0] * len(spread.values)
    for rank, code in enumerate(order):
        ranks[spread.n_missing + code] = spread.n_missing + rank
    return ranks


def _delta_disclosure(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """For every class and value, the logarithm of q / p is less than delta, either way."""
    _check_keys(options, ["delta", "on", "kind"], ["base"])
    delta = _real(options, "delta", lambda one: one > 0, "above 0")
    kind = _choice(options, "kind", ["strict", "present"])
    base = None
    if options.get("base") is not None:
        base = _real(options, "base", lambda one: one > 1, "above 1")
    name, spread = _secret(options, ground)
    score = _ratio_score(spread, strict=kind == "strict")

    def breaks(one: _Histogram) -> bool:
        ratio = score.exact(one)
        if ratio == math.inf:
            return True
        powers = [(ratio.numerator, Fraction(1)), (ratio.denominator, Fraction(-1))]
        if base is None:
            return _sign(powers, -delta) >= 0
        return _sign([*powers, (base.numerator, -delta), (base.denominator, delta)]) >= 0

    unit = 1.0 if base is None else _log(base)
    broken = spread.broken(score, float(delta) * unit, breaks)
    worst = _logarithm(spread.worst(score))
    figure = worst if isinstance(worst, str) else f"{worst / unit:.6g}"
    found = f"delta-disclosure ({kind}) holds on {name!r} for delta above {figure}; claimed is {_spelt(delta)}"
    return _judgement(found, broken)


def _beta_likeness(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """In no class a value gains more than beta over its share of the table, in terms of that share."""
    _check_keys(options, ["beta", "on", "kind"])
    beta = _real(options, "beta", lambda one: one > 0, "above 0")
    kind = _choice(options, "kind", ["basic", "enhanced"])
    name, spread = _secret(options, ground)
    score = _gain_score(spread)
    if kind == "enhanced":
        broken = _enhanced(spread, beta)
    else:
        broken = spread.broken(score, float(beta), lambda one: score.exact(one) > beta)
    found = f"the largest relative gain of a value of {name!r} in a class is {_spelt(spread.worst(score))}"
    limit = f"{_spelt(beta)}, and -ln p of the value" if kind == "enhanced" else _spelt(beta)
    return _judgement(f"{found}; claimed are at most {limit}", broken)


def _k_map(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Every class stands for at least k people of the population."""
    if options.get("population") == "given":
        _check_keys(options, ["k", "population"])
        k = _whole(options, "k", 2)
        counts, sizes = _population_counts(ground, known.population), ground.sizes(in_people=True)
        beyond = sizes.below(counts)
        if beyond.n_classes:
            return _judgement("in some class the population has fewer people than the table: it is no superset", beyond)
        found = f"the class with the fewest people of the population has {min(counts)}; claimed are {k}"
        return _judgement(found, sizes.under(counts, k))
    _check_keys(options, ["k", "population", "significance"])
    k = _whole(options, "k", 2)
    n_all, n_here = _whole(options, "population", 1), ground.n_people
    significance = _real(options, "significance", lambda one: 0 < one < 1, "above 0 and below 1")
    if n_all < n_here:
        raise _OptionError(f"the population has fewer people than the table, which has {n_here}.")
    sizes = ground.sizes(in_people=True)
    largest = max(people for _, people in sizes.kinds)
    # The drawn fraction is taken in rows. They are no fewer than people, so that this never asks for less.
    least = _poisson_least(k, Fraction(sizes.n_rows, n_all), significance, largest + 1)
    found = f"the smallest of {sizes.n_classes} classes has {sizes.smallest}"
    wanted = "more than any class has" if least > largest else str(least)
    return _judgement(f"{found}; {k} in the population ask for {wanted}", sizes.broken(lambda people: people < least))


def _poisson_least(k: int, fraction: Fraction, significance: Fraction, most: int) -> int:
    """Return min(k, k', most), k' the least with P(X >= k') <= significance, X Poisson of mean fraction * k.

    The condition is sum over i < k' of mean^i / i! >= (1 - significance) * exp(mean). No power of e with a fraction
    is a fraction, so that enough digits always decide.
    """
    if fraction >= 1:
        return min(k, most)
    if fraction * k > 10**12:  # then no count that fits in memory is anywhere near k'
        return min(k, most)
    digits = 60
    while True:
        with localcontext() as context:
            context.prec, context.Emax, context.Emin = digits, MAX_EMAX, MIN_EMIN
            mean = _decimal(fraction * k)
            wanted = _decimal(1 - significance) * mean.exp()
            unsure = wanted.scaleb(20 - digits)
            term, total, least = Decimal(1), Decimal(1), 1
            while least < min(k, most) and total < wanted - unsure:
                term = term * mean / least
                total += term
                least += 1
            if least >= min(k, most) or total > wanted + unsure:
                return least
        digits *= 2


def _average_risk(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Rows have a mean of 1 / people of their class of at most the limit."""
    _check_keys(options, ["limit"])
    limit = _real(options, "limit", lambda one: 0 < one < 1, "above 0 and below 1")
    sizes = ground.sizes(in_people=True)
    mean = _mean_risk(sizes)
    found = f"the mean risk of a row is {_spelt(mean)}; claimed are at most {_spelt(limit)}"
    if mean <= limit:
        return _judgement(found, _Broken())
    return _judgement(found, sizes.broken(lambda people: Fraction(1, people) > limit))


def _share_at_risk(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """At most such a share of the rows has a risk above the threshold."""
    _check_keys(options, ["share", "threshold"])
    threshold = _real(options, "threshold", lambda one: 0 < one <= 1, "above 0 and at most 1")
    return _judge_share(options, ground, lambda people: Fraction(1, people) > threshold, "at risk")


def _sample_uniqueness(options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """At most such a share of the rows is alone in its class, or shares it with rows of the same person."""
    _check_keys(options, ["share"])
    return _judge_share(options, ground, lambda people: people == 1, "alone in their class")


def _judge_share(options: Mapping[str, Any], ground: _Ground, is_meant: Callable[[int], bool], what: str) -> _Judgement:
    share = _real(options, "share", lambda one: 0 <= one < 1, "from 0 and below 1")
    sizes = ground.sizes(in_people=True)
    found_share = _share(sizes, is_meant)
    found = f"the share of rows {what} is {_spelt(found_share)}; claimed are at most {_spelt(share)}"
    return _judgement(found, sizes.broken(is_meant) if found_share > share else _Broken())


def _log(number: Fraction) -> float:
    """Return a logarithm that keeps its digits near 1, and that no size of numbers breaks."""
    if Fraction(1, 2) < number < 2:
        return math.log1p(number - 1)
    return math.log(number.numerator) - math.log(number.denominator)


def _spelt(number: Fraction | float) -> str:
    """Spell an exact figure for people; one that six digits would round is marked."""
    if number == math.inf:
        return "infinity"
    text = f"{float(number):.6g}"
    return text if Fraction(text) == number else f"about {text}"


_MODELS: dict[str, Callable[[Mapping[str, Any], _Ground, _Known], _Judgement]] = {
    "k_anonymity": _k_anonymity,
    "alpha_k": _alpha_k,
    "p_sensitive": _p_sensitive,
    "l_diversity": _l_diversity,
    "t_closeness": _t_closeness,
    "delta_disclosure": _delta_disclosure,
    "beta_likeness": _beta_likeness,
    "k_map": _k_map,
    "average_risk": _average_risk,
    "share_at_risk": _share_at_risk,
    "sample_uniqueness": _sample_uniqueness,
}
_COUNTING_PEOPLE = frozenset({"k_anonymity", "k_map", "average_risk", "share_at_risk", "sample_uniqueness"})
"""The models that count people where rows are not people. Values of a secret are the same, whoever's they are."""
_COUNTING_ROWS = frozenset(_MODELS) - {"k_map"}
"""Those that also make sense in rows, which may be more than the people of a population."""


def _judged(name: str, options: Mapping[str, Any], ground: _Ground, known: _Known) -> _Judgement:
    """Judge one model; whatever is wrong with its parameters becomes a reason why it does not hold."""
    if not ground.table.n_rows:
        return _Judgement(False, "the table is empty: nothing is proven.")
    try:
        return _MODELS[name](options, ground, known)
    except _OptionError as error:
        return _Judgement(False, str(error))
    except (_NoEvidenceError, _TooLargeError) as error:
        return _Judgement(None, str(error))


def examine(
    model: Mapping[str, Mapping[str, Any]],
    figures: Mapping[str, Any],
    *,
    hierarchies: Hierarchies | None = None,
    population: Any = None,
) -> dict[str, Any]:
    """Judge a model on figures of ``measure`` and return what stands there under ``models``.

    The verdict rests on the exact counts behind the figures, not on their floats.

    Parameters
    ----------
    model
        ``{name: options}``, as a claim spells it.
    hierarchies, population
        As for ``measure``; without those that a model needs, its ``holds`` is ``None``.

    Raises
    ------
    AuditInputError
        The model is not known here, or the figures are not those of ``measure``.

    Examples
    --------
    >>> found = examine({"k_anonymity": {"k": 2}}, measure({"age": ["40", "40", "50"]}, ["age"]))
    >>> found["holds"], found["n_classes"], found["classes"]
    (False, 1, [{'first_row': 3, 'n_rows': 1}])
    """
    try:
        ((name, options),) = _read_models([model])
    except _ClaimError as error:
        raise AuditInputError(str(error)) from None
    if not isinstance(figures, Figures) or figures.ground is None:
        raise AuditInputError("models are judged on the figures that measure returned, not on a copy.")
    holds, reason, broken = _judged(name, options, figures.ground, _Known(hierarchies or {}, population))
    return {"model": {name: dict(options)}, "holds": holds, "reason": reason, **broken.to_dict()}


def judge(
    model: Mapping[str, Mapping[str, Any]],
    figures: Mapping[str, Any],
    *,
    hierarchies: Hierarchies | None = None,
    population: Any = None,
) -> tuple[str, bool | None, str]:
    """Return the name of a model, whether it holds on figures of ``measure``, and why, as ``examine`` does.

    Examples
    --------
    >>> judge({"k_anonymity": {"k": 3}}, measure({"age": ["40", "40"]}, ["age"]))[:2]
    ('k_anonymity', False)
    """
    found = examine(model, figures, hierarchies=hierarchies, population=population)
    return next(iter(found["model"])), found["holds"], found["reason"]


# ---------------------------------------------------------------------------------------------------------------------
# The population of k-map
# ---------------------------------------------------------------------------------------------------------------------

_UNKNOWN = "unknown"
"""The kind of a quasi-identifier that no claim describes; it is then told from the cells."""
_STARRED = re.compile(r"[^*]+\*+|\*\*+")


class _Held(NamedTuple):
    """Which values of the population each published value of a column holds, by their places in a list."""

    labels: dict[tuple[Cell, ...], int]
    """Each published value and its number."""
    places: dict[Cell, int]
    """Each value of the population and its place."""
    held: list[Sequence[int]]
    """For each published value the places it holds, in ascending order."""

    def numbers(self, rows: Iterable[tuple[Cell, ...]]) -> list[int]:
        """Return the number of the published value of each row."""
        return [self.labels[row] for row in rows]

    def sole(self) -> dict[Cell, int] | None:
        """Return for each value of the population the one published value that holds it; ``None`` if two hold it."""
        owner: dict[int, int] = {}
        for label, places in enumerate(self.held):
            for place in places:
                if owner.setdefault(place, label) != label:
                    return None
        return {value: owner[place] for value, place in self.places.items() if place in owner}


def _population_counts(ground: _Ground, given: Any) -> Sequence[int]:
    """Return for each class, in the order of ``firsts``, how many people of the population its published values hold.

    People are rows, or distinct subjects where both tables tell them. Columns whose published values do not overlap are
    compared as wholes; within equal ones, those that do by sets.
    """
    if given is None:
        raise _NoEvidenceError("needs the table of the population.")
    published = ground.published.at(ground.sizes(in_people=True).firsts())
    population, columns = _table(given, like=published), ground.columns
    person = [ground.person] if ground.person is not None and ground.person in population.names else []
    population = population.respelt(lambda _, cell: _normal(cell), person)
    held = [_held(column, published, population) for column in columns]
    sole = [one.sole() for one in held]
    if isinstance(published, _FastTable) and isinstance(population, _FastTable) and columns and None not in sole:
        return _joined_counts(published, population, columns, held, [one or {} for one in sole], person)
    apart = [i for i, owners in enumerate(sole) if owners is not None]
    mixed = [i for i, owners in enumerate(sole) if owners is None]
    people: dict[tuple[int, ...], Counter[tuple[Any, ...]]] = defaultdict(Counter)
    for row, n_rows in population.count([*(column.name for column in columns), *person]).items():
        owners = tuple((sole[i] or {}).get(row[i], -1) for i in apart)
        if -1 not in owners:
            people[owners][(*(held[i].places[row[i]] for i in mixed), *row[len(columns) :])] += n_rows
    labels = [one.numbers(published.rows(column.cells)) for one, column in zip(held, columns)]
    classes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for place in range(published.n_rows):
        classes[tuple(labels[i][place] for i in apart)].append(place)
    counts = [0] * published.n_rows
    for key, places in classes.items():
        sets = [tuple(labels[i][place] for i in mixed) for place in places]
        own = people[key] if not person else Counter(dict.fromkeys(people[key], 1))
        for place, count in zip(places, _counts_by_sets(sets, own, [held[i] for i in mixed])):
            counts[place] = count
    return counts


def _joined_counts(
    published: _FastTable,
    population: _FastTable,
    columns: Sequence[_Column],
    held: Sequence[_Held],
    sole: Sequence[Mapping[Cell, int]],
    person: Sequence[str],
) -> Sequence[int]:
    """Count the same through Polars, where no two published values of a column hold the same value."""
    pl = _polars()
    own, others = {}, {}
    for i, column in enumerate(columns):
        if len(column.cells) == 1:
            texts, places = published.distinct(column.cells[0])
            numbers = [held[i].labels.get((text,)) for text in [*texts.to_list(), None]]
            own[str(i)] = pl.Series(numbers, dtype=pl.Int64).gather(places.fill_null(len(texts)))
        else:
            own[str(i)] = pl.Series(held[i].numbers(published.rows(column.cells)), dtype=pl.Int64)
        texts, places = population.distinct(column.name)
        owners = [sole[i].get(text) for text in [*texts.to_list(), None]]
        others[str(i)] = pl.Series(owners, dtype=pl.Int64).gather(places.fill_null(len(texts)))
    widths = [len(one.labels) for one in held]
    is_held = pl.DataFrame(others).select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    keys = _mixed(pl.DataFrame(others), widths)
    names = keys.columns
    persons = [population.distinct(name)[1].alias(_VALUE) for name in person]
    people = keys.with_columns(persons).filter(is_held).group_by(names)
    counted = people.agg(pl.col(_VALUE).n_unique().alias(_COUNT)) if persons else people.len(_COUNT)
    joined = _mixed(pl.DataFrame(own), widths).join(counted, on=names, how="left", maintain_order="left")
    counts: Sequence[int] = joined[_COUNT].fill_null(0).cast(pl.Int64).to_list()
    return counts


def _held(column: _Column, published: _Table, population: _Table) -> _Held:
    """Find which values of the population each published value of a column holds."""
    if column.name not in population.names:
        raise _NoEvidenceError(f"the population has no column {column.name!r}.")
    if column.style == "centroid":
        raise _NoEvidenceError(
            f"the values of {column.name!r} stand for their class: which people they mean is unknown."
        )
    found = [(cell,) for cell in published.values(column.cells[0])] if len(column.cells) == 1 else None
    labels = {cells: number for number, cells in enumerate(found or published.count(column.cells))}
    values = population.values(column.name)
    column = _dated(_with_kind(column, labels, values), values)
    numbers = {value: _number(text) if (text := _normal(value)) else None for value in values}
    values.sort(key=lambda value: (numbers[value] is None, numbers[value] or 0))
    keys = [number for value in values if (number := numbers[value]) is not None]
    by_text: dict[Cell, list[int]] = defaultdict(list)
    for place, value in enumerate(values):
        by_text[_normal(value)].append(place)
    held: list[Sequence[int]] = []
    n_tests = 0
    for cells in labels:
        interval = column.interval(cells) if column.has_ranges else None
        if interval is not None:
            start = (bisect_right if interval.low_open else bisect_left)(keys, interval.low)
            stop = (bisect_left if interval.high_open else bisect_right)(keys, interval.high)
            held.append(range(start, stop))
            continue
        meaning, likely = column.meaning(cells), _likely(column, cells, by_text, len(values))
        n_tests += len(likely)
        if n_tests > _MATCHING_TESTS:
            raise _TooLargeError("the population has too many values to be compared with the published ones.")
        held.append([place for place in likely if meaning is not None and meaning(values[place])])
        if not held[-1] and _needs_mapping(column):
            raise _NoEvidenceError(f"needs the hierarchy of {column.name!r}.")
    return _Held(labels, {value: place for place, value in enumerate(values)}, held)


def _likely(
    column: _Column, cells: tuple[Cell, ...], by_text: Mapping[Cell, Sequence[int]], n_values: int
) -> Sequence[int]:
    """Return the places of values that a published value may hold at all; what it does hold, its meaning decides."""
    text = _normal(cells[0])
    if column.kind not in ("category", "order", "tree") or text is None or text == "*":
        return range(n_values)
    leaves = {text, *(_normal(part) for part in text.split(column.separator))}
    leaves |= {leaf for leaf, over in (column.ancestors or {}).items() if text in over}
    return sorted(place for leaf in leaves for place in by_text.get(leaf, ()))


def _with_kind(column: _Column, labels: Iterable[tuple[Cell, ...]], values: Iterable[Cell]) -> _Column:
    """Tell the kind of a column that no claim describes: one by which every cell of both tables can be read."""
    if column.kind != _UNKNOWN:
        return column
    texts = [text for text in map(_normal, values) if text is not None]
    readers: dict[str, Callable[[str], object]] = {"number": _number, "dates": lambda text: _day(text) or _days(text)}
    for kind, read in readers.items():
        told = replace(column, kind=kind)
        if all(read(text) is not None for text in texts) and all(told.meaning(cells) is not None for cells in labels):
            return told
    is_starred = any(_STARRED.fullmatch(cell) for cells in labels for cell in cells if cell)
    return replace(column, kind="prefix" if is_starred else "category")


def _counts_by_sets(
    classes: Sequence[tuple[int, ...]], people: Mapping[tuple[Any, ...], int], held: Sequence[_Held]
) -> list[int]:
    """Return how many people each class holds, given as published values.

    ``people`` are places of their own values, perhaps followed by who it is, and in how many rows. The people that a
    published value holds are the bits of a number; a class holds those in all of its columns.
    """
    rows, n_columns = list(people), len(held)
    n_sets = sum(len({row[i] for row in rows}) + len({one[i] for one in classes}) for i in range(n_columns))
    if n_sets * len(rows) > _MATCHING_BITS or len(classes) * len(rows) > 8 * _MATCHING_BITS:
        raise _TooLargeError("the population is too large to be compared with published values that overlap.")
    sets: list[dict[int, int]] = []
    for i, one in enumerate(held):
        having: dict[int, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            having[row[i]].append(number)
        places = sorted(having)
        up_to = [0, *accumulate((_bits(having[place], len(rows)) for place in places), or_)]
        sets.append({label: _bits_of(one.held[label], places, up_to) for label in {row[i] for row in classes}})
    digits = [
        _bits((number for number, row in enumerate(rows) if people[row] >> power & 1), len(rows))
        for power in range(max(people.values(), default=0).bit_length())
    ]
    persons = [row[n_columns:] for row in rows]
    is_repeated = any(persons) and len(set(persons)) < len(persons)
    everybody = (1 << len(rows)) - 1
    counts: dict[tuple[int, ...], int] = {}
    for labels in set(classes):
        found = reduce(and_, (own[label] for own, label in zip(sets, labels)), everybody)
        if is_repeated:
            counts[labels] = len({persons[number] for number in _each_bit(found)})
        else:
            counts[labels] = sum(_n_ones(found & digit) << power for power, digit in enumerate(digits))
    return [counts[labels] for labels in classes]


def _bits_of(held: Sequence[int], places: Sequence[int], up_to: Sequence[int]) -> int:
    """Return the people at the places that a published value holds; a run of places is read off running unions."""
    if isinstance(held, range):
        return up_to[bisect_left(places, held.stop)] & ~up_to[bisect_left(places, held.start)]
    known = {place: number for number, place in enumerate(places)}
    return reduce(or_, (up_to[known[one] + 1] & ~up_to[known[one]] for one in held if one in known), 0)


# ---------------------------------------------------------------------------------------------------------------------
# The verdict
# ---------------------------------------------------------------------------------------------------------------------


def verify_columns(
    columns: Any,
    claim: Mapping[str, Any],
    *,
    original_columns: Any = None,
    order: Iterable[int] | None = None,
    hierarchies: Hierarchies | None = None,
    subject: str | None = None,
    population: Any = None,
    keeps_order: bool = False,
) -> Verdict:
    """Judge a claim on data in memory; its part ``data`` (hash, format) is left aside.

    Parameters
    ----------
    columns
        The published table: a mapping of name to cells (text or ``None``), or a Polars frame.
    claim
        The claim as an object.
    original_columns
        The original table after declared masks, in the same form.
    order
        ``order[i]`` is the original row (from 0) of published row i.
    hierarchies
        For trees, and for models that rest on the hierarchy of a secret: column -> leaf -> labels over it, from the
        lowest to the root.
    subject
        The column of the original that says whom a row is about.
    population
        For k-map: the table of all people, original values, in the same form.
    keeps_order
        Whether it is declared that rows keep the order of the original; otherwise they must not.

    Examples
    --------
    >>> claim = {"celosia": "claim", "version": 1, "models": [{"k_anonymity": {"k": 2}}],
    ...          "columns": [{"name": "age", "role": "quasi_identifier", "kind": "number", "style": "bracket"}],
    ...          "policies": {"missing": "own", "suppressed": "deleted", "subject": None}}
    >>> verify_columns({"age": ["[40, 44]", "[40, 44]"]}, claim).holds
    True
    >>> verify_columns({"age": ["[40, 44]", "[40, 45]"]}, claim).holds
    False
    """
    try:
        terms = _read_claim(claim, hierarchies or {}, of_file=False)
    except _ClaimError as error:
        return Verdict([Check("claim", "failed", str(error))])
    table = _table(columns)
    originals = None if original_columns is None else _table(original_columns, like=table)
    known = _Known(hierarchies or {}, population)
    placed = None if order is None else table.order(order)
    evidence = _Evidence(originals, placed, subject, known=known, keeps_order=keeps_order)
    return Verdict([_claim_check(terms), *_judge(table, terms, evidence)])


def verify(
    data_path: str | os.PathLike[str],
    claim: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    original: Any = None,
    record: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    hierarchies: Hierarchies | None = None,
    population: Any = None,
    claim_sha256: str | None = None,
) -> Verdict:
    """Judge a published file and its claim.

    Parameters
    ----------
    data_path
        The published file, or the folder of a release with one file ``data.*``.
    claim
        The claim, or the path of its JSON file; ``None`` is ``claim.json`` beside the data.
    original
        The path of the original file (before masks: columns that the claim calls masked are then exempt), or the
        original columns after masks.
    record
        The private record, or its path: ``order`` (base64 of zlib of little-endian int32: the original row of every
        published row), ``n_original``, ``n_suppressed``; where they apply ``subject`` (a column) and ``original`` (how
        the original file is read: format, delimiter, encoding, and ``missing``, the texts that mean no value), ``data``
        (that part of the claim) and ``claim_sha256``, the SHA-256 of the claim's file.
    hierarchies
        For trees, and for models that rest on the hierarchy of a secret: column -> leaf -> labels over it, from the
        lowest to the root.
    population
        For k-map: the path of the file of all people, or its columns.
    claim_sha256
        The SHA-256 that the claim's file must have, as its publisher tells it elsewhere.

    Raises
    ------
    AuditInputError
        A file is absent or cannot be read as what the claim says it is.

    Examples
    --------
    >>> verify("no-such-file.csv", "no-such-claim.json")
    Traceback (most recent call last):
    celosia.audit.AuditInputError: the data file cannot be opened.
    """
    path = _data_file(Path(data_path))
    if claim is None:
        claim = path.parent / "claim.json"
    said = _load_json(claim, "claim")
    notes = None if record is None else _load_json(record, "record")
    checks = _claim_hash_checks(claim, claim_sha256, notes or {})
    try:
        terms = _read_claim(said, hierarchies or {}, of_file=True)
    except _ClaimError as error:
        return Verdict([*checks, Check("claim", "failed", str(error))])
    checks += [_claim_check(terms), _hash_check(path, terms)]
    table = _published(path, terms, checks)
    if table is None:
        return Verdict(checks)
    if isinstance(population, (str, os.PathLike)):
        population = _read_original(Path(population), terms, {})
    evidence = _evidence(table, terms, original, notes or {}, _Known(hierarchies or {}, population))
    checks += _judge(table, terms, evidence)
    if notes is not None:
        checks.append(_record_check(table, evidence, notes, said["data"]))
    return Verdict(checks)


def _data_file(path: Path) -> Path:
    """Return the data file of a release's folder; a link there could lead anywhere, and is none."""
    if not path.exists():
        raise AuditInputError("the data file cannot be opened.")
    if not path.is_dir():
        return path
    found = sorted(one for one in path.glob("data.*") if one.is_file() and not one.is_symlink())
    if len(found) != 1:
        raise AuditInputError(f"the folder holds {len(found)} files data.*; there must be one, or name the file.")
    return found[0]


def _published(path: Path, claim: _Claim, checks: list[Check]) -> _Table | None:
    """Read the published file and add what it shows at once to the checks; ``None`` if it is not worth reading on."""
    is_claimed, form = checks[-1].status == "passed", claim.data["format"]
    if not is_claimed and form not in ("csv", "xlsx"):
        # Such files are read by large programs in which a broken one may do harm.
        checks.append(Check("columns", "could not run", f"only the claimed file is opened as {form}."))
        return None
    options = {name: claim.data[name] for name in ("format", "delimiter", "encoding", "decimal", "neutralised")}
    try:
        table = _table(read_columns(path, **options))
    except AuditInputError as error:
        if is_claimed:
            raise
        checks.append(Check("columns", "failed", f"the file cannot be read: {error}"))
        return None
    if form == "xlsx":
        checks += _workbook_checks(path)
    return table


_MOST_NAMED = 30
"""So many columns of a role are named in one line."""


def _claim_check(claim: _Claim) -> Check:
    """Say what is claimed: whether the right columns are called quasi-identifiers, only people can judge."""
    models = ", ".join(name for name, _ in claim.models)
    roles = {"quasi_identifier": "quasi-identifiers", "sensitive": "sensitive", "insensitive": "insensitive",
             "identifier": "masked identifiers"}  # fmt: skip
    said = [f"version 1; {models}"]
    for role, words in roles.items():
        names = [repr(column.name) for column in claim.columns if column.role == role]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        if names or role == "quasi_identifier":
            said.append(f"{words}: {', '.join(names[:_MOST_NAMED]) or 'none'}{more}")
    return Check("claim", "passed", f"{'; '.join(said)}.")


def _claim_hash_checks(claim: Any, told: str | None, record: Mapping[str, Any]) -> list[Check]:
    """Compare the claim's file with the SHA-256 that its publisher tells elsewhere, and with that of the record."""
    if isinstance(claim, Mapping):
        if told is not None:
            raise AuditInputError("only the file of a claim has a SHA-256: give its path.")
        return []
    found = _sha256(claim, "claim")
    wanted = {"the given one": told, "the record's": record.get("claim_sha256")}
    if all(digest is None for digest in wanted.values()):
        detail = f"SHA-256 of the claim, to be compared with the one that its publisher tells elsewhere: {found}"
        return [Check("claim hash", "not applicable", detail)]
    return [_same_hash(found, digest, whose) for whose, digest in wanted.items() if digest is not None]


def _same_hash(found: str, digest: Any, whose: str) -> Check:
    wanted = re.sub(r"\s", "", digest).lower() if isinstance(digest, str) else ""
    if not re.fullmatch("[0-9a-f]{64}", wanted):
        raise AuditInputError(f"the SHA-256 of a claim has 64 hexadecimal digits; {whose} is none.")
    if found == wanted:
        return Check("claim hash", "passed", f"SHA-256 of the claim is {whose}.")
    return Check("claim hash", "failed", f"SHA-256 of the claim is not {whose}: another claim was published.")


def _sha256(path: str | os.PathLike[str], what: str) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(2**20):
                digest.update(block)
    except OSError:
        raise AuditInputError(f"the {what} cannot be opened.") from None
    return digest.hexdigest()


def _hash_check(path: Path, claim: _Claim) -> Check:
    if not path.is_file():  # a pipe could not be read twice
        raise AuditInputError("the data file cannot be opened.")
    if _sha256(path, "data file") != claim.data["sha256"].lower():
        return Check("hash", "failed", "SHA-256 differs: this is not the file that the claim is about.")
    return Check("hash", "passed", "SHA-256 is the claimed one.")


@dataclass(frozen=True)
class _Evidence:
    """What is at hand besides the claim and the published table."""

    originals: _Table | None = None
    order: Sequence[int] | None = None
    subject: str | None = None
    """The original column that says whom a row is about."""
    before_masks: bool = False
    """Whether the originals are a file as it was, not the values after declared masks."""
    known: _Known = field(default_factory=_Known)
    """Hierarchies of secrets, and the population."""
    keeps_order: bool = False
    """Whether it is declared that rows keep the order of the original."""
    is_placed: bool = False
    """Whether originals and order are known and fit, so that rows can be compared one by one."""

    def beside(self, table: _Table, name: str) -> _Table:
        """Return the published columns with an original one at their side; rows must be placed."""
        assert self.originals is not None
        assert self.order is not None
        return table.beside(self.originals, self.order, name)


def _judge(table: _Table, claim: _Claim, evidence: _Evidence) -> list[Check]:
    """Run every check that needs the rows."""
    checks = [_rows_check(table, claim), _columns_check(table, claim)]
    if not table.n_rows or checks[-1].status == "failed":
        return [*checks, Check("models", "could not run", "there is no table of the claimed columns to judge.")]
    checks += [_values_check(table, column) for column in claim.quasi_identifiers]
    if evidence.originals is not None and evidence.order is not None:
        checks.append(_order_check(table, evidence.originals, evidence.order))
        if checks[-1].status == "passed":
            evidence = replace(evidence, is_placed=True)
            checks.append(_shuffle_check(table, evidence))
    return checks + _model_checks(table, claim, evidence) + _truthfulness(table, claim, evidence)


def _model_checks(table: _Table, claim: _Claim, evidence: _Evidence) -> list[Check]:
    """Judge the models on rows and, where the claim counts subjects, those about people on subjects as well."""
    named = [options.get("on") for _, options in claim.models]
    # A secret that is a quasi-identifier too is judged by its published values over the other quasi-identifiers.
    secrets = [
        column.name
        for column in claim.columns
        if (column.role == "sensitive" or (column.is_secret and column.style != "pair")) and column.name in named
    ]
    normal = table.respelt(lambda _, cell: _normal(cell), secrets) if secrets else table
    ground = _Ground(normal, table, claim.quasi_identifiers, secrets, decimal=claim.data["decimal"])
    grounds = {"": ground}
    checks = []
    if claim.counts_subjects and any(name in _COUNTING_PEOPLE for name, _ in claim.models):
        subject, originals = evidence.subject, evidence.originals
        if evidence.is_placed and subject is not None and originals is not None and subject in originals.names:
            person = _original(subject)
            beside = evidence.beside(table, subject).respelt(lambda _, cell: _normal(cell), [person])
            grounds[" in subjects"] = replace(ground, table=beside, subject=person, person=subject, kept={})
        else:
            detail = "needs the original, its record and the name of the subject column."
            checks.append(Check("models in subjects", "could not run", detail))
    statuses: dict[bool | None, Status] = {True: "passed", False: "failed", None: "could not run"}
    for unit, own in grounds.items():
        for name, options in claim.models:
            if name in (_COUNTING_PEOPLE if unit else _COUNTING_ROWS if claim.counts_subjects else _MODELS):
                holds, reason, _ = _judged(name, options, own, evidence.known)
                checks.append(Check(f"{name}{unit}", statuses[holds], reason))
    return checks


def _rows_check(table: _Table, claim: _Claim) -> Check:
    if not table.n_rows:
        return Check("rows", "failed", "the table is empty: nothing is proven.")
    if claim.n_rows is not None and claim.n_rows != table.n_rows:
        return Check("rows", "failed", f"{table.n_rows} rows; claimed are {claim.n_rows}.")
    return Check("rows", "passed", f"{table.n_rows} rows.")


def _columns_check(table: _Table, claim: _Claim) -> Check:
    absent = [cell for cell in claim.cells if cell not in table.names]
    extra = [place for place, name in enumerate(table.names, 1) if name not in claim.cells]
    # A file without a header line has cell values where names should be: so extra columns are counted, not named.
    faults = [f"claimed but absent: {', '.join(map(repr, absent))}."] if absent else []
    faults += [f"columns that no claim covers: {len(extra)}, the first at position {extra[0]}."] if extra else []
    if faults:
        return Check("columns", "failed", " ".join(faults))
    return Check("columns", "passed", f"{len(table.names)} columns, as claimed.")


def _values_check(table: _Table, column: _Column) -> Check:
    name = f"values of {column.name!r}"
    n_wrong, first = table.malformed(column)
    if not n_wrong:
        return Check(name, "passed", "all cells are well-formed.")
    return Check(name, "failed", f"{n_wrong} cells are malformed or reversed, the first in row {first}.")


def _order_check(table: _Table, originals: _Table, order: Sequence[int]) -> Check:
    if len(order) != table.n_rows:
        return Check("order", "failed", f"the record places {len(order)} rows, {table.n_rows} are published.")
    if not table.is_order(order, originals.n_rows):
        return Check("order", "failed", "the record sends rows to originals that do not exist, or two rows to one.")
    return Check("order", "passed", "every published row has an original row of its own.")


_MOST_NEIGHBOURS = 12
"""A shuffle leaves more neighbours side by side with a chance of less than 2 / 13!: of n rows, s given pairs of them
stay together in (n - s)! of n! orders."""
_GREATEST_Z = 6.5
"""Of a rank correlation, and of the number of places where an order goes up: both are about normal in a shuffle."""


def _shuffle_check(table: _Table, evidence: _Evidence) -> Check:
    """Judge whether the places of published rows tell those of their originals; a shuffle fails once in 1e9 times."""
    assert evidence.order is not None
    n = table.n_rows
    if evidence.keeps_order:
        return Check("shuffle", "not applicable", "declared: rows keep the order of the original.")
    if n <= _MOST_NEIGHBOURS + 1:
        return Check("shuffle", "not applicable", f"{n} rows are too few to tell a shuffle from an order.")
    n_neighbours, n_up, squares = table.likeness(evidence.order)
    correlated = abs(1 - 6 * squares / (n * (n * n - 1))) * math.sqrt(n - 1)
    going_up = abs(n_up - (n - 1) / 2) / math.sqrt((n + 1) / 12)
    if n_neighbours > _MOST_NEIGHBOURS or max(correlated, going_up) > _GREATEST_Z:
        return Check("shuffle", "failed", "rows stand in the order of the original, or near it: it tells who is who.")
    return Check("shuffle", "passed", "the order of the rows tells nothing about that of the original.")


def _truthfulness(table: _Table, claim: _Claim, evidence: _Evidence) -> list[Check]:
    if evidence.originals is None:
        return [Check("truthfulness", "not applicable", "no original was given.")]
    checks: list[Check] = []
    judged: list[_Column] = []
    for column in claim.columns:
        name = f"truthfulness of {column.name!r}"
        if column.style == "centroid":
            checks.append(Check(name, "not applicable", "declared: one value stands for its class."))
        elif column.masked and evidence.before_masks:
            checks.append(Check(name, "not applicable", "declared: changed by a mask."))
        elif column.name not in evidence.originals.names:
            checks.append(Check(name, "could not run", "the original has no such column."))
        else:
            judged.append(column)
    if evidence.order is None:
        return checks + _truthful_by_matching(table, evidence.originals, judged)
    if not evidence.is_placed:
        return [*checks, Check("truthfulness", "could not run", "the order of the rows is wrong.")]
    distinct = evidence.originals.count
    judged = [_dated(one, (row[0] for row in distinct([one.name]))) if one.kind == "dates" else one for one in judged]
    return checks + [_truthful_by_row(evidence.beside(table, column.name), column) for column in judged]


def _truthful_by_row(beside: _Table, column: _Column) -> Check:
    name = f"truthfulness of {column.name!r}"
    n_wrong, first = beside.untrue(column)
    if not n_wrong:
        return Check(name, "passed", f"all {beside.n_rows} published values contain the original ones.")
    detail = f"{n_wrong} published values do not contain the original ones, the first in row {first}."
    if _needs_mapping(column):
        return Check(name, "could not run", f"hierarchy not given: {detail}")
    return Check(name, "failed", detail)


def _needs_mapping(column: _Column) -> bool:
    return column.ancestors is None and (column.kind == "tree" or (column.kind == "order" and column.style == "label"))


def _truthful_by_matching(table: _Table, originals: _Table, columns: Sequence[_Column]) -> list[Check]:
    blind = [column for column in columns if _needs_mapping(column)]
    checks = [Check(f"truthfulness of {one.name!r}", "could not run", "hierarchy not given.") for one in blind]
    try:
        matching = _match(table, originals, [column for column in columns if column not in blind])
    except _TooLargeError as error:
        return [*checks, Check("truthfulness", "could not run", str(error))]
    if matching.perfect:
        detail = f"each of {matching.n_published} rows can have an original row of its own; only the record says which."
        return [*checks, Check("truthfulness", "passed", detail)]
    detail = f"only {matching.n_matched} of {matching.n_published} rows can have an original row of their own."
    if matching.n_fit_nothing:
        detail += f" {matching.n_fit_nothing} contain no original row, the first is row {matching.first_row}."
    return [*checks, Check("truthfulness", "failed", detail)]


# ---------------------------------------------------------------------------------------------------------------------
# The record and the original
# ---------------------------------------------------------------------------------------------------------------------


def _load_json(source: Any, what: str) -> Mapping[str, Any]:
    """Read a JSON object strictly: a key that stands twice would let two readers see two claims."""
    if isinstance(source, Mapping):
        return source

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise AuditInputError(f"the {what} has a key twice.")
        return dict(pairs)

    def refuse(constant: str) -> NoReturn:
        raise AuditInputError(f"the {what} holds a number that is not finite.")

    def finite(text: str) -> float:
        number = float(text)
        return number if math.isfinite(number) else refuse(text)

    try:
        text = Path(source).read_text(encoding="utf-8-sig")
        result = json.loads(text, object_pairs_hook=once, parse_constant=refuse, parse_float=finite)
    except OSError:
        raise AuditInputError(f"the {what} cannot be opened.") from None
    except json.JSONDecodeError as error:
        raise AuditInputError(f"the {what} is not JSON (near line {error.lineno}).") from None
    except AuditInputError:
        raise
    except (ValueError, RecursionError):
        raise AuditInputError(f"the {what} is not JSON.") from None
    if not isinstance(result, dict):
        raise AuditInputError(f"the {what} is not a JSON object.")
    return result


def _evidence(table: _Table, claim: _Claim, original: Any, record: Mapping[str, Any], known: _Known) -> _Evidence:
    if original is None:
        return _Evidence(known=known)
    order = table.order(_decode_order(record["order"], table.n_rows)) if "order" in record else None
    subject = record.get("subject")
    if not isinstance(subject, (str, type(None))):
        raise AuditInputError("the record's 'subject' is not the name of a column.")
    is_path = isinstance(original, (str, os.PathLike))
    columns = _read_original(Path(original), claim, record.get("original", {})) if is_path else original
    plan = record.get("plan")
    keeps_order = isinstance(plan, Mapping) and plan.get("keep_order") is True
    return _Evidence(_table(columns, like=table), order, subject, is_path, known, keeps_order)


def _read_original(path: Path, claim: _Claim, options: Any) -> dict[str, list[Cell]]:
    """Read the original file as the record says; what it does not say is taken from the name and the header."""
    if not isinstance(options, Mapping):
        raise AuditInputError("the record's 'original' is not an object.")
    missing = options.get("missing", [])
    texts = [*(options[name] for name in ("format", "encoding", "delimiter") if name in options)]
    if not isinstance(missing, list) or not all(isinstance(text, str) for text in [*texts, *missing]):
        raise AuditInputError("the record's 'original' holds something else than texts.")
    suffixes = {".parquet": "parquet", ".xlsx": "xlsx", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
    suffixes |= {f".{name}": name for name in _STATS}
    form = options.get("format", suffixes.get(path.suffix.lower(), "csv"))
    encoding = options.get("encoding", "utf-8")
    delimiter = options.get("delimiter")
    if form == "csv" and delimiter is None:
        header = io.StringIO(_decode(path, encoding), newline="").readline()
        names = {column.name for column in claim.columns}

        def n_known(mark: str) -> int:
            try:
                return len(names & {_normal(cell) for cell in next(csv.reader([header], delimiter=mark), [])})
            except csv.Error:
                return 0

        delimiter = max([claim.data["delimiter"], ",", ";", "\t", "|"], key=n_known)
    columns = read_columns(path, format=form, delimiter=delimiter or ",", encoding=encoding, is_original=True)
    absent = {_normal(text) for text in missing}
    return {
        _normal(name) or name: [None if _normal(cell) in absent else cell for cell in column]
        for name, column in columns.items()
    }


def _decode_order(text: Any, n_rows: int) -> list[int]:
    """Unpack the record's order; never more than the published rows need, whatever the record says."""
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), 4 * n_rows + 4)
    except (TypeError, ValueError, binascii.Error, zlib.error):
        raise AuditInputError("the record's order cannot be unpacked.") from None
    if len(unpacked) % 4:
        raise AuditInputError("the record's order is cut off.")
    return list(struct.unpack(f"<{len(unpacked) // 4}i", unpacked))


def _record_check(table: _Table, evidence: _Evidence, record: Mapping[str, Any], data: Mapping[str, Any]) -> Check:
    if record.get("data", data) != data:
        return Check("record", "failed", "it is the record of another file than the claim's.")
    n_original, n_suppressed = record.get("n_original"), record.get("n_suppressed")
    if type(n_original) is not int or type(n_suppressed) is not int or n_suppressed < 0:
        return Check("record", "failed", "n_original or n_suppressed is no count.")
    if evidence.originals is not None and evidence.originals.n_rows != n_original:
        n_found = evidence.originals.n_rows
        return Check("record", "failed", f"the original has {n_found} rows, the record says {n_original}.")
    sum_text = f"{table.n_rows} published + {n_suppressed} suppressed, {n_original} original rows."
    return Check("record", "passed" if table.n_rows + n_suppressed == n_original else "failed", sum_text)


# ---------------------------------------------------------------------------------------------------------------------
# Reading files
# ---------------------------------------------------------------------------------------------------------------------

_NEUTRALISED = re.compile("'['\"\\s]*[=+\\-@\t\r＝＋－＠]")
"""A cell that a spreadsheet would run, with the apostrophe that keeps it from doing so."""
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
"""A character that XML cannot hold, as workbooks spell it; an underscore that would read so is itself spelt so."""
_LARGEST_MEMBER = 2**31
"""A part of a workbook that unpacks to more bytes is refused."""
_LONGEST_FIELD = 2**24
"""Of a CSV file, in characters; the csv module's own limit would refuse sets of many values."""
_MOST_COLUMNS = 2**14
"""Of a sheet."""
_MOST_ROWS = 2**20
"""Of a sheet."""
_NAMESPACES = frozenset(
    {
        "{http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "{http://purl.oclc.org/ooxml/spreadsheetml/main",
        "{http://schemas.openxmlformats.org/package/2006/relationships",
    }
)
"""Those of a workbook; elements of others are none of its rows and cells."""
_PLAIN_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(?:app|core)\.xml|xl/_rels/workbook\.xml\.rels"
    r"|xl/(?:workbook|styles|sharedStrings)\.xml|xl/theme/theme1\.xml"
)
"""The parts of a workbook that holds a table and nothing else, besides the sheet."""
_BROKEN = (LookupError, EOFError, OSError, ValueError, RuntimeError, ElementTree.ParseError, struct.error, zlib.error,
           zipfile.BadZipFile)  # fmt: skip
"""What reading a broken workbook may raise."""


def read_columns(
    path: str | os.PathLike[str],
    *,
    format: str = "csv",
    delimiter: str = ",",
    encoding: str = "utf-8",
    decimal: str = ".",
    neutralised: bool = False,
    is_original: bool = False,
) -> dict[str, list[Cell]]:
    r"""Read a table as text: name -> cells, ``None`` where a cell is empty.

    Parameters
    ----------
    format
        csv, xlsx (the first sheet), parquet or arrow, which need Polars, or sav, zsav, por, dta, xpt or sas7bdat, which
        need pyreadstat.
    decimal
        The mark with which cells that hold numbers rather than text (in all formats but csv) are spelt.
    neutralised
        Undo the writers' rule against formulas in csv and xlsx, headers included: one apostrophe is taken off cells
        that start with it, go on with any apostrophes, quotation marks and white space, and come to one of ``= + - @``
        (also full-width), TAB or CR.
    is_original
        Take what SPSS, Stata and SAS files declare missing (-9, or ``.a``) for missing, and formulas for what they were
        when the workbook was saved. A published file could tell people apart by such codes, by NaN beside null or by 5
        beside the text "5", and its formulas could come to other values: there codes are values, the rest is refused.

    Raises
    ------
    AuditInputError
        The file is absent or broken; the message gives the line and no cell.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "marks.csv"
    >>> _ = path.write_text("exam;year\n'-5--2;2020\n7;\n", encoding="utf-8")
    >>> read_columns(path, delimiter=";", neutralised=True)
    {'exam': ['-5--2', '7'], 'year': ['2020', None]}
    """
    path = Path(path)
    if format in ("parquet", "arrow"):
        return _read_frame(path, format, decimal, is_original)
    if format in _STATS:
        return _read_stats(path, format, decimal, is_original)
    if format == "csv":
        header, columns = _read_csv_text(_decode(path, encoding), delimiter)
    elif format == "xlsx":
        header, columns = _read_xlsx(path, decimal, is_original)
    else:
        raise AuditInputError(f"the format must be one of {', '.join(_FORMATS)}.")
    if neutralised:
        header = [_undo(name) or "" for name in header]
        columns = [_undo_column(column, place) for place, column in enumerate(columns, 1)]
    _check_header(header)
    return dict(zip(header, columns))


def _undo(cell: Cell) -> Cell:
    return cell[1:] if cell and _NEUTRALISED.match(cell) else cell


def _undo_column(column: list[Cell], place: int) -> list[Cell]:
    """Undo the rule; cells that differ in the file must still differ, or classes would seem larger than they are."""
    undone: dict[Cell, Cell] = {cell: _undo(cell) for cell in set(column) if cell and _NEUTRALISED.match(cell)}
    if any(cell in undone.values() for cell in set(column) if cell not in undone):
        raise AuditInputError(f"column {place} holds the same cell with and without the apostrophe against formulas.")
    return [undone.get(cell, cell) for cell in column] if undone else column


def _check_header(header: Sequence[str]) -> None:
    places: dict[str, int] = {}
    for place, name in enumerate(header, 1):
        if not name:  # a name of blanks is what a mask leaves that empties headers
            raise AuditInputError(f"column {place} has no name.")
        if name in places:
            raise AuditInputError(f"columns {places[name]} and {place} have the same name.")
        places[name] = place


def _decode(path: Path, encoding: str) -> str:
    try:
        content = path.read_bytes()
    except OSError:
        raise AuditInputError("the data file cannot be opened.") from None
    if content.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AuditInputError(f"line {line} is not text in the encoding {encoding!r}.") from None
    except (UnicodeError, LookupError):
        raise AuditInputError("the encoding is not known.") from None
    nul = text.find("\0")
    if nul >= 0:
        raise AuditInputError(f"line {text.count(chr(10), 0, nul) + 1} holds a NUL character.")
    return text


def _read_csv_text(text: str, delimiter: str) -> tuple[list[str], list[list[Cell]]]:
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except (TypeError, ValueError):
        raise AuditInputError("the delimiter must be one character.") from None
    try:
        header = next(reader, None)
        if not header:
            raise AuditInputError("the file has no header line.")
        columns: list[list[Cell]] = [[] for _ in header]
        n_read = 0
        # A blank line is a missing cell in a table of one column, and nothing in any other.
        rows = (row or [""] for row in reader) if len(header) == 1 else (row for row in reader if row)
        while block := list(islice(rows, 4096)):
            for number, row in enumerate(block, n_read + 1):
                if len(row) != len(header):
                    raise AuditInputError(f"data row {number} has {len(row)} cells, the header has {len(header)}.")
            n_read += len(block)
            for column, cells in zip(columns, zip(*block)):
                column.extend([cell or None for cell in cells])
    except csv.Error:
        limit = f"a field of more than {_LONGEST_FIELD} characters, or a quote out of place"
        raise AuditInputError(f"line {reader.line_num} cannot be read: {limit}.") from None
    return header, columns


def _read_frame(path: Path, format: str, decimal: str, is_original: bool) -> dict[str, list[Cell]]:
    polars = _polars()
    if polars is None:
        raise AuditInputError(f"reading {format} needs Polars: pip install polars.")
    if not path.is_file():
        raise AuditInputError("the data file cannot be opened.")
    try:
        frame = polars.read_parquet(path) if format == "parquet" else polars.read_ipc(path, memory_map=False)
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError, MemoryError):
        raise AuditInputError(f"the file is not {format}, or it is broken.") from None
    for place, column in enumerate(() if is_original else frame.get_columns(), 1):
        if column.dtype.is_float() and column.null_count() and column.is_nan().any():
            raise AuditInputError(f"column {place} holds both null and NaN, which would seem equal.")
    texts: dict[str, list[Cell]] = _texts(frame, decimal).to_dict(as_series=False)
    return texts


_STATS = {
    "sav": ("read_sav", "spss"),
    "zsav": ("read_sav", "spss"),
    "por": ("read_por", "spss"),
    "dta": ("read_dta", "stata"),
    "xpt": ("read_xport", "sas"),
    "sas7bdat": ("read_sas7bdat", "sas"),
}
"""What reads a format, and whose it is."""
_DAY_LENGTH = 86_400_000_000
_MOMENTS = {
    "spss": (
        (r"(?:[AEJS]?DATE|MOYR|QYR|WKYR|DATETIME|YMDHMS)[0-9.]*", -141_428, 1_000_000),
        (r"[DM]?TIME[0-9.]*", None, 1_000_000),
    ),
    "stata": (
        (r"%-?t?d.*", -3_653, _DAY_LENGTH),
        (r"%-?tc(?=.*[Hh])[HhMmSsaAPp:._ ]+", None, 1_000),
        (r"%-?tc.*", -3_653, 1_000),
    ),
    "sas": (
        (
            r"(?:DATE|WEEKDAT[EX]|WORDDAT[EX]|(?:DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?|MONYY|(?:MMYY|YYMM|YYQ)[CDNPS]?|JULIAN"
            r"|[EB]8601DA|IS8601DA|NLDATE)[0-9.]*",
            -3_653,
            _DAY_LENGTH,
        ),
        (
            r"(?:DATETIME|DATEAMPM|MDYAMPM|DTDATE|DTMONYY|[EB]8601D[TN]|IS8601DT|NLDATM)[0-9.]*",
            -3_653,
            1_000_000,
        ),
        (r"(?:TIME|TIMEAMPM|TOD|HHMM|MMSS|[EB]8601TM|IS8601TM)[0-9.]*", None, 1_000_000),
    ),
}
"""How a program shows numbers as dates and times: formats, the day it counts from (from 1970-01-01; none for times of
day), and its unit in microseconds."""


def _read_stats(path: Path, format: str, decimal: str, is_original: bool) -> dict[str, list[Cell]]:
    reader, program = _STATS[format]
    try:
        pyreadstat = importlib.import_module("pyreadstat")
    except ImportError:
        raise AuditInputError(f"reading {format} needs pyreadstat: pip install pyreadstat.") from None
    if not path.is_file():
        raise AuditInputError("the data file cannot be opened.")
    options = {} if is_original or format in ("xpt", "por") else {"user_missing": True}
    read = getattr(pyreadstat, reader)
    try:
        columns, facts = read(os.fspath(path), output_format="dict", disable_datetime_conversion=True, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, ArithmeticError, IndexError, MemoryError):
        raise AuditInputError(f"the file is not {format}, or it is broken.") from None
    _check_header(list(columns))
    texts: dict[str, list[Cell]] = {}
    for name, column in columns.items():
        clock = _clock(program, facts.original_variable_types[name])
        is_single = facts.readstat_variable_types[name] == "float"
        spelt: dict[Any, Cell] = {
            cell: _stats_text(_shortest(cell) if is_single else cell, clock, decimal, is_original)
            for cell in set(column)
        }
        texts[name] = [spelt[cell] for cell in column]
    return texts


def _clock(program: str, format: str | None) -> tuple[int | None, int] | None:
    for pattern, zero, unit in _MOMENTS[program]:
        if format is not None and re.fullmatch(pattern, format):
            return zero, unit
    return None


def _shortest(cell: Any) -> Any:
    """Return a number of single precision as it is spelt: 0.1, not 0.10000000149."""
    return float(str(importlib.import_module("numpy").float32(cell))) if isinstance(cell, float) else cell


def _stats_text(cell: Any, clock: tuple[int | None, int] | None, decimal: str, is_original: bool) -> Cell:
    if cell is None or isinstance(cell, str):
        return cell or None
    if math.isnan(cell):
        return None
    moment = None if clock is None or math.isinf(cell) else _moment_text(float(cell), *clock, is_exact=not is_original)
    return _spell(cell, decimal) if moment is None else moment


def _moment_text(number: float, zero: int | None, unit: int, *, is_exact: bool) -> str | None:
    """Return the date or time that a number stands for, the roundest one; ``None`` if there is none that is just it."""
    whole = math.floor(number)
    counts = [whole * unit + round((number - whole) * unit / step) * step for step in (1_000, 10, 1)]
    same = [count for count in counts if count // unit + (count % unit) / unit == number]
    if is_exact and not same:
        return None
    count = (same or counts[-1:])[0]
    if zero is None:
        if not 0 <= count < _DAY_LENGTH:
            return None
        fraction = "seconds" if count % 1_000_000 == 0 else "milliseconds" if count % 1_000 == 0 else "microseconds"
        return (datetime.datetime.min + datetime.timedelta(microseconds=count)).time().isoformat(fraction)
    try:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=zero, microseconds=count)
    except OverflowError:
        return None
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat()


def _workbook_checks(path: Path) -> list[Check]:
    """Return what is wrong with a workbook besides its first sheet; nothing if it has nothing else."""
    with _workbook(path) as book:
        sheets = _sheets(book)
        others = [name for name in book.namelist() if name not in sheets and not _PLAIN_PARTS.fullmatch(name)]
        if not others and not _is_sound(book):
            raise AuditInputError("a part of the workbook is absent or broken.")
    checks = []
    if len(sheets) != 1:
        checks.append(Check("sheets", "failed", f"the workbook has {len(sheets)} sheets; a claim covers one."))
    if others:
        detail = f"the workbook has {len(others)} parts besides its table, such as comments; no claim covers them."
        checks.append(Check("parts", "failed", detail))
    return checks


def _is_sound(book: zipfile.ZipFile) -> bool:
    """Return whether every part can be unpacked, also those that hold no cells: others would not open the file."""
    try:
        return all(one.file_size <= _LARGEST_MEMBER for one in book.infolist()) and book.testzip() is None
    except _BROKEN:
        return False


def _workbook(path: Path) -> zipfile.ZipFile:
    try:
        book = zipfile.ZipFile(path)
    except _BROKEN:
        raise AuditInputError("the workbook cannot be opened.") from None
    if len({name.lower() for name in book.namelist()}) < len(book.namelist()):
        raise AuditInputError("the workbook holds a part twice.")
    return book


def _part(book: zipfile.ZipFile, name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of one part as they end; declarations of entities are refused by size and by expat."""
    try:
        if book.getinfo(name).file_size > _LARGEST_MEMBER:
            raise AuditInputError("a part of the workbook is too large.")
        with book.open(name) as stream:
            for _, element in ElementTree.iterparse(stream):
                space, _, tag = element.tag.rpartition("}")
                if space in _NAMESPACES:
                    element.tag = tag
                yield element
    except _BROKEN as error:
        if isinstance(error, AuditInputError):
            raise
        raise AuditInputError("a part of the workbook is absent or broken.") from None


def _children(book: zipfile.ZipFile, part: str, parent: str, tag: str) -> Iterator[ElementTree.Element]:
    """Yield the elements right below the one parent of a part; elsewhere spreadsheets would not look for them."""
    n_found, n_own = 0, []
    for element in _part(book, part):
        if element.tag == tag:
            n_found += 1
            yield element
        elif element.tag == parent:
            n_own.append(sum(child.tag == tag for child in element))
    if [n_found] != (n_own or [0]):
        raise AuditInputError("a part of the workbook has a cell, row or sheet where none belongs.")


def _sheets(book: zipfile.ZipFile) -> list[str]:
    """Return the part of every sheet, in order."""
    targets = {
        element.get("Id"): element.get("Target", "")
        for element in _children(book, "xl/_rels/workbook.xml.rels", "Relationships", "Relationship")
    }
    result = []
    for element in _children(book, "xl/workbook.xml", "sheets", "sheet"):
        link = next((value for key, value in element.attrib.items() if key.endswith("}id")), None)
        target = targets.get(link, "")
        result.append(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    return result


def _read_xlsx(path: Path, decimal: str, is_original: bool) -> tuple[list[str], list[list[Cell]]]:
    with _workbook(path) as book:
        sheets = _sheets(book)
        if not sheets:
            raise AuditInputError("the workbook has no sheet.")
        shared: list[str] = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = [_rich_text(element) for element in _children(book, "xl/sharedStrings.xml", "sst", "si")]
        rows = list(_sheet_rows(book, sheets[0], _Cells(shared, decimal, is_original)))
    if not rows or not rows[0]:
        raise AuditInputError("the sheet has no header line.")
    header = [cell or "" for cell in rows[0]]
    body = [row + [None] * (len(header) - len(row)) for row in rows[1:]]
    return header, [[row[place] for row in body] for place in range(len(header))]


def _rich_text(element: ElementTree.Element) -> str:
    """Join the runs of a text; phonetic guides (rPh) are no part of it."""
    runs = [element, *(child for child in element if child.tag == "r")]
    text = "".join(child.text or "" for run in runs for child in run if child.tag == "t")
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text)


def _sheet_rows(book: zipfile.ZipFile, name: str, cells: _Cells) -> Iterator[list[Cell]]:
    n_rows, width = 0, _MOST_COLUMNS
    for element in _children(book, name, "sheetData", "row"):
        number = element.get("r", str(n_rows + 1))
        if not re.fullmatch("[0-9]{1,7}", number) or not n_rows < int(number) <= _MOST_ROWS:
            raise AuditInputError(f"the rows of the sheet are out of order after row {n_rows}.")
        for _ in range(int(number) - n_rows - 1):
            yield []
        n_rows = int(number)
        try:
            row = cells.of_row(element, width)
        except (ValueError, LookupError):
            faults = "broken or wider than the header, or it holds a formula or the same value as text and number"
            raise AuditInputError(f"row {n_rows} of the sheet is {faults}.") from None
        width = len(row) if n_rows == 1 else width
        element.clear()
        yield row


class _Cells:
    """Reads the cells of a sheet as text; whatever is wrong with one is a ``ValueError`` or a ``LookupError``."""

    def __init__(self, shared: Sequence[str], decimal: str, is_original: bool) -> None:
        self.shared = shared
        self.decimal = decimal
        self.is_original = is_original
        self.kinds: dict[tuple[int, str], str] = {}
        """Of each text in a column whether it is text, a number or a truth value in the file."""

    def of_row(self, element: ElementTree.Element, width: int) -> list[Cell]:
        """Return the cells of a row."""
        row: list[Cell] = []
        for cell in element:
            if cell.tag != "c":
                continue
            reference = cell.get("r")  # without one, cells follow each other
            place = len(row) + 1 if reference is None else _place(reference.rstrip("0123456789"))
            text, kind = self.text(cell)
            if text is None:
                continue
            if not len(row) < place <= width or self.kinds.setdefault((place, text), kind) != kind:
                raise ValueError
            if place > len(row) + 1:
                row += [None] * (place - 1 - len(row))
            row.append(text)
        return row

    def text(self, cell: ElementTree.Element) -> tuple[Cell, str]:
        """Return the text of a cell, and what kind it is in the file."""
        kind, value, own = cell.get("t", "n"), None, None
        for child in cell:
            if child.tag == "v":
                value = child.text
            elif child.tag == "is":
                own = _rich_text(child)
            elif child.tag == "f" and not self.is_original:
                raise ValueError
        if kind == "inlineStr":
            return own, "text"
        if not value:
            return None, kind
        if kind == "s":
            return self.shared[_index(value)], "text"
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}[value], kind
        return (_spell(_finite(value), self.decimal), kind) if kind == "n" else (value, "text")


def _index(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if "_" in text or not math.isfinite(number):
        raise ValueError
    return number


@lru_cache(maxsize=_MOST_COLUMNS)
def _place(letters: str) -> int:
    """Return the number of a column such as ``AB``."""
    number = 0
    for letter in letters:
        number = number * 26 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) + 1
    return number


# ---------------------------------------------------------------------------------------------------------------------
# The command line
# ---------------------------------------------------------------------------------------------------------------------


def read_hierarchies(entries: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    r"""Read the trees of columns, each given as ``COLUMN=FILE``; a file has one line per leaf: ``leaf;level1;...;*``.

    Raises
    ------
    AuditInputError
        An entry has another form or a column comes twice; a file is absent or broken.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "job.csv"
    >>> _ = path.write_text("nurse;care;*\ncook;food;*\n", encoding="utf-8")
    >>> read_hierarchies([f"job={path}"])
    {'job': {'nurse': ['care', '*'], 'cook': ['food', '*']}}
    """
    pairs = [entry.partition("=") for entry in entries]
    if any(not mark for _, mark, _ in pairs) or len({column for column, _, _ in pairs}) < len(pairs):
        raise AuditInputError("a hierarchy must be COLUMN=FILE, once per column.")
    return {column: _read_hierarchy(Path(file)) for column, _, file in pairs}


def _read_hierarchy(path: Path) -> dict[str, list[str]]:
    text = _decode(path, "utf-8")
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return {row[0]: [_normal(label) or "" for label in row[1:]] for row in rows if row}
    except csv.Error:
        raise AuditInputError(f"line {rows.line_num} of a hierarchy cannot be read.") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Examples
    --------
    >>> main(["no-such-file.csv", "no-such-claim.json"])
    2
    """
    parser = argparse.ArgumentParser(description="Judge a published table and its claim.")
    parser.add_argument("data", metavar="DATA", help="the published file, or the folder of a release")
    parser.add_argument("claim", metavar="CLAIM", nargs="?", help="its claim; otherwise claim.json beside the data")
    parser.add_argument("--original", metavar="FILE", help="the original file, to check truthfulness")
    parser.add_argument("--record", metavar="FILE", help="the private record, to check row by row")
    parser.add_argument("--population", metavar="FILE", help="the file of all people, for k-map")
    parser.add_argument("--hierarchy", metavar="COLUMN=FILE", action="append", default=[], help="a tree: leaf;...;*")
    parser.add_argument("--claim-sha256", metavar="HEX", help="the claim's SHA-256, as published elsewhere")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    options = parser.parse_args(arguments)
    try:
        verdict = verify(
            options.data,
            options.claim,
            original=options.original,
            record=options.record,
            hierarchies=read_hierarchies(options.hierarchy),
            population=options.population,
            claim_sha256=options.claim_sha256,
        )
    except AuditInputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(verdict.to_dict(), indent=2))
    else:
        for check in verdict.checks:
            print(f"{check.status:<15} {check.name}: {check.detail}".encode("ascii", "backslashreplace").decode())
        print("The claim holds." if verdict.holds else "The claim does NOT hold, or could not be confirmed.")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    sys.exit(main())
