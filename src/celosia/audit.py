#!/usr/bin/env python3
"""The independent verifier: judges a published table and its claim, and trusts nobody.

    python audit.py DATA CLAIM [--original FILE] [--record FILE] [--hierarchy COLUMN=FILE] [--json]

Exit code 0: the claim holds. 1: it does not, or a part of it could not be confirmed. 2: wrong input.

This one file imports nothing of Celosía and needs nothing but Python 3.11. Copy it, read it from top to bottom, run it.
Where Polars is installed, large tables are counted through it; the answers are the same.

What is checked
---------------
claim         it has version 1, known models (at least one), known roles, kinds and policies
hash, rows    the file is the claimed one; a table without rows proves nothing and fails
columns       the file has exactly the claimed columns, the claim names each once
values        every cell of a quasi-identifier is a well-formed published value
models        each claimed model, on the published rows as text: cells that differ in spelling differ
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

from __future__ import annotations

import argparse
import base64
import binascii
import calendar
import csv
import datetime
import hashlib
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
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import reduce
from itertools import accumulate, islice, pairwise
from operator import or_
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

__all__ = [
    "AuditInputError",
    "Check",
    "Matching",
    "Verdict",
    "class_sizes",
    "classes",
    "contains",
    "judge",
    "main",
    "measure",
    "read_columns",
    "truthful_without_order",
    "verify",
    "verify_columns",
]

Cell = str | None
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

    def read(self, text: str) -> _Interval | None:
        """Return the range that ``text`` spells; ``None`` if it is malformed, reversed or empty."""
        if match := self.single.fullmatch(text):
            return self._between(match[1], match[1])
        if match := self.bracket.fullmatch(text):
            return self._between(match[2], match[3], low_open=match[1] == "(", high_open=match[4] == ")")
        if match := self.dash.fullmatch(text):
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


_RANGES = {".": _RangeGrammar("."), ",": _RangeGrammar(",")}

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
        grammar = _RANGES[self.decimal]
        if len(texts) == 1:
            return grammar.read(texts[0]) if texts[0] else None
        low, high = (grammar.read(text) if text else None for text in texts)
        if low is None or high is None or low.low != low.high or high.low != high.high or low.low > high.low:
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
    return all(shown in ("*", true) for shown, true in zip(pattern, original.ljust(len(pattern), "*"), strict=True))


def _same(published: str, original: Cell) -> bool:
    """Return whether a column that is published as it is holds the same text, number, truth value or moment."""
    if original is None or published == original:
        return original is not None
    readers: tuple[Callable[[str], object], ...] = (_number, _truth, _moment)
    return any(read(published) is not None and read(published) == read(original) for read in readers)


def _truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _moment(text: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


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
        return zip(*(self.columns[name] for name in names), strict=True) if names else [()] * self.n_rows

    def count(self, names: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        """Return each distinct tuple of these columns and in how many rows it stands."""
        return Counter(self.rows(names))

    def sizes(self, names: Sequence[str]) -> list[int]:
        """Return in how many rows each distinct tuple stands."""
        return list(self.count(names).values())

    def numbered(self, names: Sequence[str]) -> _Table:
        """Return the table with a column ``_CLASS`` that is equal where these columns are."""
        found: dict[tuple[Any, ...], int] = {}
        labels = [found.setdefault(row, len(found)) for row in self.rows(names)]
        return _Table({**self.columns, _CLASS: labels})

    def respelt(self, spell: Callable[[str, Cell], Cell], names: Iterable[str]) -> _Table:
        """Return the table with each distinct cell of these columns spelt anew."""
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
            for name, own in zip(names, found, strict=True)
        ]
        return dict(zip(zip(*columns, strict=True), groups[_COUNT].to_list(), strict=True))

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
        places = self.places(names)
        labels = places.with_row_index(_CLASS).select(first.over(places.columns))
        return _FastTable(self.frame.with_columns(labels[_CLASS]), self.known)

    def respelt(self, spell: Callable[[str, Cell], Cell], names: Iterable[str]) -> _Table:
        frame = self.frame
        for name in names:
            text = self.text(name)
            new = {cell: spell(name, cell) for cell in text.unique().to_list()}
            changed = {cell: other for cell, other in new.items() if cell != other}
            frame = frame.with_columns(text.replace(list(changed), list(changed.values())) if changed else text)
        return _FastTable(frame)

    def beside(self, originals: _Table, order: Any, name: str) -> _Table:
        assert isinstance(originals, _FastTable)
        taken = originals.frame[name].rechunk().gather(order).alias(_original(name))
        return _FastTable(self.frame.with_columns(taken), self.known)

    def order(self, order: Iterable[int]) -> Any:
        return _polars().Series(order if hasattr(order, "tolist") else list(order), dtype=_polars().Int64)

    def is_order(self, order: Any, n_originals: int) -> bool:
        is_within: bool = order.min() >= 0 and order.max() < n_originals
        return is_within and order.n_unique() == len(order)

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
        pl, grammar = _polars(), _RANGES[column.decimal]
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
        if any(not issubclass(kind, str | NoneType) for kind in {type(cell) for cell in column}):
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
) -> dict[str, Any]:
    """Measure a table: k, what its classes tell about each secret, and the risk of being found.

    Classes are the sets of rows equal on the quasi-identifiers, ``f`` rows each. A value has the share ``q`` in a class
    and ``p`` in the table; missing is a value of its own. A secret that is also a quasi-identifier is judged over the
    others. All arithmetic is exact; floats appear only in the result. Infinity is ``"inf"``, undefined is ``None``.

    k                the smallest f; with ``subject`` the fewest distinct subjects of a class, and ``k_rows`` the former
    alpha            the largest share of one secret value in a class
    l_distinct       the fewest distinct secrets of a class, missing ones not counted
    l_entropy        exp of the least entropy of a class
    l_recursive      for each l the c* above which recursive (c, l) holds: max of r1 / (r_l + r_l+1 + ...)
    t_equal, t_ordered, t_numeric
                     the largest distance of a class from the whole table: half the sum of differences; by rank (missing
                     first, then numbers or text in order); by value (``None`` if a secret is missing or no number)
    delta_strict, delta_present
                     the largest abs(ln(q / p)); strictly infinite if a class lacks a value
    beta_basic, beta_enhanced
                     the largest (q - p) / p over q > p; enhanced: infinite once one exceeds -ln p
    risk.prosecutor  max 1/f, mean over rows, share of rows with 1/f above ``threshold``; f in subjects if there are

    Parameters
    ----------
    columns
        Mapping of name to cells (text or ``None``), or a Polars frame.
    threshold
        In (0, 1], as text so that it is exact.
    kinds
        ``{"age": "number"}`` makes 40 and 40.0 equal.

    Raises
    ------
    AuditInputError
        A column is not there, or the threshold is out of range.

    Examples
    --------
    >>> table = {"age": ["40-49", "40-49", "30-39", "30-39"], "ill": ["S", "N", "N", "N"]}
    >>> result = measure(table, ["age"], ["ill"])
    >>> result["k"], result["sensitive"]["ill"]["t_equal"], result["sensitive"]["ill"]["delta_strict"]
    (2, 0.25, 'inf')
    """
    quasi_identifiers = list(dict.fromkeys(quasi_identifiers))
    named = [*quasi_identifiers, *sensitive, *([subject] if subject is not None else [])]
    table = _canonical(columns, named, kinds, decimal)
    classed = table.numbered(quasi_identifiers)
    sizes = classed.count([_CLASS])
    people: Mapping[tuple[Any, ...], int] = sizes
    result: dict[str, Any] = {"n_rows": classed.n_rows, "n_classes": len(sizes)}
    result["k"] = min(sizes.values(), default=None)
    if subject is not None:
        people = Counter(row[:1] for row in classed.count([_CLASS, subject]))
        result |= {"k": min(people.values(), default=None), "k_rows": result["k"]}
    result["sensitive"] = {}
    for name in sensitive:
        others = [column for column in quasi_identifiers if column != name]
        judged = classed if others == quasi_identifiers else table.numbered(others)
        result["sensitive"][name] = _secret_measures(_histograms(judged, name), decimal)
    pairs = [(sizes[key], people[key]) for key in sizes]
    result["risk"] = {"prosecutor": _prosecutor(pairs, _threshold(threshold))}
    return result


def _threshold(threshold: str | Fraction) -> Fraction:
    try:
        value = Fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value <= 1:
        raise AuditInputError("threshold must be a number above 0 and at most 1.")
    return value


def _prosecutor(classes: Sequence[tuple[int, int]], threshold: Fraction) -> dict[str, float | None]:
    """Return the risk of rows whose class holds so many people; ``classes`` are (rows, people)."""
    n = sum(rows for rows, _ in classes)
    if not n:
        return {"max": None, "mean": None, "share_at_risk": None}
    at_risk = sum(rows for rows, people in classes if Fraction(1, people) > threshold)
    by_people: dict[int, int] = Counter()
    for rows, people in classes:
        by_people[people] += rows
    mean = sum((Fraction(rows, people) for people, rows in by_people.items()), Fraction(0)) / n
    return {"max": 1 / min(by_people), "mean": float(mean), "share_at_risk": float(Fraction(at_risk, n))}


def _histograms(classed: _Table, secret: str) -> list[Mapping[Cell, int]]:
    """Return how often each value of a secret stands in each class of a numbered table."""
    histograms: dict[int, dict[Cell, int]] = defaultdict(dict)
    for (label, value), n_rows in classed.count([_CLASS, secret]).items():
        histograms[label][value] = n_rows
    return list(histograms.values())


_SECRET_MEASURES = (
    "alpha", "l_distinct", "l_entropy", "l_recursive", "t_equal", "t_ordered", "t_numeric",
    "delta_strict", "delta_present", "beta_basic", "beta_enhanced",
)  # fmt: skip


def _secret_measures(histograms: Sequence[Mapping[Cell, int]], decimal: str) -> dict[str, Any]:
    """Return every measure of one secret, given how often each value stands in each class."""
    if not histograms:
        return {**dict.fromkeys(_SECRET_MEASURES), "l_recursive": {}}
    reference: Counter[Cell] = Counter()
    for histogram in histograms:
        reference.update(histogram)
    n = reference.total()
    t_ordered, t_numeric = _transport_measures(histograms, reference, decimal)
    values = (
        float(max(Fraction(max(one.values()), sum(one.values())) for one in histograms)),
        _distinct_l(histograms),
        _entropy_l(histograms),
        _recursive(histograms, len(reference)),
        float(max(_equal_distance(one, reference, n) for one in histograms)),
        t_ordered,
        t_numeric,
        *_ratio_measures(histograms, reference, n),
    )
    return dict(zip(_SECRET_MEASURES, values, strict=True))


def _distinct_l(histograms: Sequence[Mapping[Cell, int]]) -> int:
    """Return the fewest distinct values of a class; a missing one is not counted, since it protects nobody."""
    return min(sum(value is not None for value in one) for one in histograms)


def _entropy_l(histograms: Sequence[Mapping[Cell, int]]) -> float:
    """exp(min H) = min of f / product of n_i^(n_i/f); a whole number is recognised exactly, not to within rounding."""
    shapes = {tuple(sorted(one.values())) for one in histograms}

    def log_l(counts: tuple[int, ...]) -> float:
        f = sum(counts)
        return math.log(f) - math.fsum(n * math.log(n) for n in counts) / f

    least = min(shapes, key=log_l)
    value = math.exp(log_l(least))
    whole = round(value)
    if abs(value - whole) > 1e-9:
        return value
    divisor = math.gcd(*least)
    counts = [n // divisor for n in least]
    f = sum(counts)
    return float(whole) if f**f == whole**f * math.prod(n**n for n in counts) else value


def _recursive(histograms: Sequence[Mapping[Cell, int]], n_values: int) -> dict[str, float | str]:
    shapes = {tuple(sorted(one.values(), reverse=True)) for one in histograms}
    result: dict[str, float | str] = {}
    for length in range(2, min(n_values, 10) + 1):
        tails = [(counts[0], sum(counts[length - 1 :])) for counts in shapes]
        is_infinite = any(not tail for _, tail in tails)
        result[str(length)] = "inf" if is_infinite else float(max(Fraction(top, tail) for top, tail in tails))
    return result


def _equal_distance(histogram: Mapping[Cell, int], reference: Mapping[Cell, int], n: int) -> Fraction:
    """Half the sum of abs(q - p) equals the sum of q - p over q > p, and only values of the class have q > p."""
    f = sum(histogram.values())
    return Fraction(sum(max(count * n - reference[value] * f, 0) for value, count in histogram.items()), f * n)


def _transport_measures(
    histograms: Sequence[Mapping[Cell, int]], reference: Mapping[Cell, int], decimal: str
) -> tuple[float, float | None]:
    """Earth mover's distance by rank and by value, each as a share of the longest possible way."""
    numbers = [None if value is None else _exact_number(value, decimal) for value in reference]
    known = [number for number in numbers if number is not None]
    is_numeric = bool(known) and len(known) == len(reference) - (None in reference)
    scale = math.lcm(*(number.denominator for number in known)) if is_numeric else 1
    whole = [int(number * scale) if is_numeric and number is not None else 0 for number in numbers]
    ranked = sorted((value is not None, place, value or "") for value, place in zip(reference, whole, strict=True))
    values = [value if is_known else None for is_known, _, value in ranked]
    by_rank = _farthest(histograms, reference, values, [1] * (len(ranked) - 1))
    if not is_numeric or None in reference:
        return by_rank, None
    steps = [high - low for (_, low, _), (_, high, _) in pairwise(ranked)]
    return by_rank, _farthest(histograms, reference, values, steps)


def _farthest(
    histograms: Sequence[Mapping[Cell, int]], reference: Mapping[Cell, int], ranked: Sequence[Cell], steps: list[int]
) -> float:
    """Return max over classes of sum_i step_i * abs(F_class(i) - F_all(i)) / sum_i step_i.

    F_class is constant between the values of the class, and F_all only grows: so each stretch is cut where the two
    cross, and its sum is read off running totals. Long lists of secrets thus cost no more than their rows.
    """
    if not sum(steps):
        return 0.0
    n = sum(reference.values())
    rank = {value: i for i, value in enumerate(ranked)}
    below = list(accumulate(reference[value] for value in ranked))[:-1]
    ways = [0, *accumulate(steps)]
    areas = [0, *accumulate(step * count for step, count in zip(steps, below, strict=True))]
    farthest = Fraction(0)
    for histogram in histograms:
        f = sum(histogram.values())
        stops = sorted((rank[value], count) for value, count in histogram.items())
        total = seen = start = 0
        for end, count in [*stops, (len(steps), 0)]:
            cross = min(max(bisect_left(below, -(-seen * n // f)), start), end)
            before, after = ways[cross] - ways[start], ways[end] - ways[cross]
            total += seen * n * (before - after)
            total += f * ((areas[end] - areas[cross]) - (areas[cross] - areas[start]))
            start, seen = end, seen + count
        farthest = max(farthest, Fraction(total, n * f))
    return float(farthest / sum(steps))


def _ratio_measures(
    histograms: Sequence[Mapping[Cell, int]], reference: Mapping[Cell, int], n: int
) -> tuple[float | str, float, float, float | str]:
    """Return delta (strict, present) and beta (basic, enhanced); all of them rest on q / p of values in a class."""
    pairs: set[tuple[Fraction, Fraction]] = set()
    for count, f, total in {
        (count, sum(one.values()), reference[value]) for one in histograms for value, count in one.items()
    }:
        pairs.add((Fraction(count * n, f * total), Fraction(total, n)))
    ratios = {ratio for ratio, _ in pairs}
    delta = math.log(max(max(ratios), 1 / min(ratios)))
    beta = float(max(ratios) - 1)
    is_absent = any(len(one) < len(reference) for one in histograms)
    is_exceeded = any(_above_surprise(ratio - 1, share) for ratio, share in pairs if ratio > 1)
    return "inf" if is_absent else delta, delta, beta, "inf" if is_exceeded else beta


def _above_surprise(gain: Fraction, share: Fraction) -> bool:
    """Return whether gain > -ln(share); no fraction equals a logarithm, so that more digits always decide."""
    surprise = -math.log(share)
    if abs(float(gain) - surprise) > 1e-9:
        return float(gain) > surprise
    with localcontext() as context:
        context.prec = 80
        logarithm = Decimal(share.denominator).ln() - Decimal(share.numerator).ln()
        return Decimal(gain.numerator) / Decimal(gain.denominator) > logarithm


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
    hopeless = {row for row, bits in zip(rows, fits, strict=True) if not bits}
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
        fits = [bits & contained[row[start:stop]] for bits, row in zip(fits, rows, strict=True)]
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

    for group in sorted(range(len(supply)), key=lambda one: fits[one].bit_count()):
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
_FORMATS = ("csv", "xlsx", "parquet", "arrow")
_POLICIES: dict[str, tuple[str | None, ...]] = {
    "missing": ("own",),
    "suppressed": ("deleted",),
    "subject": ("counted", None),
}


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


def _read_claim(claim: Mapping[str, Any], hierarchies: Hierarchies, *, of_file: bool) -> _Claim:
    _demand(claim.get("celosia") == "claim", 'it does not say "celosia": "claim".')
    version = claim.get("version")
    _demand(version == 1 and not isinstance(version, bool), "its version is not 1, the only one known here.")
    data = _read_data(claim.get("data", {}), of_file=of_file)
    entries = claim.get("columns")
    _demand(isinstance(entries, list | tuple) and bool(entries), "it lists no columns.")
    assert isinstance(entries, list | tuple)
    columns = [_read_column(entry, data["decimal"], hierarchies) for entry in entries]
    for names in ([one.name for one in columns], [cell for one in columns for cell in one.cells]):
        _demand(len(set(names)) == len(names), "it names a column twice.")
        _demand(not any("\0" in name for name in names), "a name of a column holds a NUL character.")
    policies = claim.get("policies")
    _demand(isinstance(policies, Mapping), "it has no policies.")
    assert isinstance(policies, Mapping)
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
    result = {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "neutralised": False, **data}
    n_rows, digest = result.get("n_rows"), result.get("sha256")
    if of_file:
        _demand(result.get("format") in _FORMATS, f"data.format must be one of {', '.join(_FORMATS)}.")
        _demand(isinstance(digest, str) and bool(re.fullmatch("[0-9a-fA-F]{64}", digest)), "data.sha256 is no SHA-256.")
    if of_file or n_rows is not None:
        _demand(type(n_rows) is int and n_rows >= 0, "data.n_rows is no count.")
    _demand(result["decimal"] in (".", ","), "data.decimal must be a point or a comma.")
    _demand(isinstance(result["delimiter"], str) and len(result["delimiter"]) == 1, "data.delimiter is no character.")
    _demand(isinstance(result["encoding"], str), "data.encoding is no name.")
    _demand(isinstance(result["neutralised"], bool), "data.neutralised must be true or false.")
    return result


def _read_models(models: Any) -> list[tuple[str, Mapping[str, Any]]]:
    _demand(isinstance(models, list | tuple) and bool(models), "it claims no model: there is nothing to hold.")
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
    _demand(role in _ROLES, f"column {name!r} has a role that is not one of {', '.join(_ROLES)}.")
    masked = entry.get("masked", False)
    _demand(isinstance(masked, bool), f"column {name!r}: 'masked' must be true or false.")
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
        is_pair = isinstance(cells, list | tuple) and len(cells) == 2 and all(isinstance(cell, str) for cell in cells)
        _demand(is_pair, f"column {name!r} is a pair and does not name its two columns.")
        _demand(kind in ("number", "intervals"), f"column {name!r} is a pair, but not of numbers.")
    tree = hierarchies.get(name)
    ancestors = tree and {_normal(leaf) or "": {_normal(one) or "" for one in over} for leaf, over in tree.items()}
    return _Column(name, role, kind, style, tuple(cells), separator, decimal, masked, ancestors)


# ---------------------------------------------------------------------------------------------------------------------
# The models: a table of name -> function; a new model is one function and one line
# ---------------------------------------------------------------------------------------------------------------------


def _k_anonymity(options: Mapping[str, Any], figures: Mapping[str, Any]) -> tuple[bool, str]:
    """Every class has at least k rows (or people, where they are counted)."""
    k = options.get("k")
    if type(k) is not int or k < 2 or options.keys() != {"k"}:
        return False, "its only parameter must be a whole number k of at least 2."
    if figures["k"] is None:
        return False, "the table is empty: nothing is proven."
    return figures["k"] >= k, f"the smallest of {figures['n_classes']} classes has {figures['k']}; claimed are {k}."


def _l_diversity(options: Mapping[str, Any], figures: Mapping[str, Any]) -> tuple[bool, str]:
    """Every class has at least l distinct values of a secret, missing ones not counted."""
    least, secret = options.get("l"), options.get("on")
    if options.keys() != {"l", "on", "kind"} or options["kind"] != "distinct" or not isinstance(secret, str):
        return False, "its parameters must be a whole number l, the column on, and the kind 'distinct'."
    if type(least) is not int or least < 2:
        return False, "its parameter l must be a whole number of at least 2."
    measured = figures.get("sensitive", {})
    if secret not in measured:
        return False, f"{secret!r} is not a sensitive column that could be judged."
    found = measured[secret]["l_distinct"]
    if found is None:
        return False, "the table is empty: nothing is proven."
    return found >= least, f"the least diverse class has {found} distinct values of {secret!r}; claimed are {least}."


_MODELS: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], tuple[bool, str]]] = {
    "k_anonymity": _k_anonymity,
    "l_diversity": _l_diversity,
}
_COUNTING_PEOPLE = frozenset({"k_anonymity"})
"""The models that count people where rows are not people. Values of a secret are the same, whoever's they are."""


def judge(model: Mapping[str, Mapping[str, Any]], figures: Mapping[str, Any]) -> tuple[str, bool, str]:
    """Return the name of a model, whether it holds on figures of ``measure``, and why.

    Raises
    ------
    AuditInputError
        The model is not known here.

    Examples
    --------
    >>> judge({"k_anonymity": {"k": 3}}, {"k": 2, "n_classes": 5})
    ('k_anonymity', False, 'the smallest of 5 classes has 2; claimed are 3.')
    """
    try:
        ((name, options),) = _read_models([model])
    except _ClaimError as error:
        raise AuditInputError(str(error)) from None
    return name, *_MODELS[name](options, figures)


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
        For trees: column -> leaf -> labels over it.
    subject
        The column of the original that says whom a row is about.

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
    evidence = _Evidence(originals, None if order is None else table.order(order), subject)
    return Verdict([_claim_check(terms), *_judge(table, terms, evidence)])


def verify(
    data_path: str | os.PathLike[str],
    claim: Mapping[str, Any] | str | os.PathLike[str],
    *,
    original: Any = None,
    record: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    hierarchies: Hierarchies | None = None,
) -> Verdict:
    """Judge a published file and its claim.

    Parameters
    ----------
    data_path
        The published file.
    claim
        The claim, or the path of its JSON file.
    original
        The path of the original file (before masks: columns that the claim calls masked are then exempt), or the
        original columns after masks.
    record
        The private record, or its path: ``order`` (base64 of zlib of little-endian int32: the original row of every
        published row), ``n_original``, ``n_suppressed``; where they apply ``subject`` (a column) and ``original`` (how
        the original file is read: format, delimiter, encoding, and ``missing``, the texts that mean no value).
    hierarchies
        For trees: column -> leaf -> labels over it.

    Raises
    ------
    AuditInputError
        A file is absent or cannot be read as what the claim says it is.

    Examples
    --------
    >>> verify("no-such-file.csv", "no-such-claim.json")
    Traceback (most recent call last):
    celosia.audit.AuditInputError: the claim cannot be opened.
    """
    try:
        terms = _read_claim(_load_json(claim, "claim"), hierarchies or {}, of_file=True)
    except _ClaimError as error:
        return Verdict([Check("claim", "failed", str(error))])
    checks = [_claim_check(terms), _hash_check(data_path, terms)]
    options = {name: terms.data[name] for name in ("format", "delimiter", "encoding", "decimal", "neutralised")}
    try:
        table = _table(read_columns(data_path, **options))
    except AuditInputError as error:
        if checks[-1].status == "passed":
            raise
        return Verdict([*checks, Check("columns", "failed", f"the file cannot be read: {error}")])
    if options["format"] == "xlsx" and (n_sheets := _n_sheets(data_path)) != 1:
        checks.append(Check("sheets", "failed", f"the workbook has {n_sheets} sheets; a claim covers one."))
    notes = None if record is None else _load_json(record, "record")
    evidence = _evidence(table, terms, original, notes or {})
    checks += _judge(table, terms, evidence)
    if notes is not None:
        checks.append(_record_check(table, evidence, notes))
    return Verdict(checks)


def _claim_check(claim: _Claim) -> Check:
    models = ", ".join(name for name, _ in claim.models)
    return Check("claim", "passed", f"version 1; {models} over {len(claim.quasi_identifiers)} quasi-identifiers.")


def _hash_check(path: str | os.PathLike[str], claim: _Claim) -> Check:
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        raise AuditInputError("the data file cannot be opened.") from None
    if digest != claim.data["sha256"].lower():
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
    return checks + _model_checks(table, claim, evidence) + _truthfulness(table, claim, evidence)


def _model_checks(table: _Table, claim: _Claim, evidence: _Evidence) -> list[Check]:
    """Judge the models on rows and, where the claim counts subjects, those about people on subjects as well."""
    names = claim.quasi_identifier_cells
    counts = {"": table.sizes(names)}
    checks = []
    if claim.counts_subjects and any(name in _COUNTING_PEOPLE for name, _ in claim.models):
        subject, originals = evidence.subject, evidence.originals
        if evidence.is_placed and subject is not None and originals is not None and subject in originals.names:
            rows = evidence.beside(table, subject).numbered(names).count([_CLASS, _original(subject)])
            people = {(label, _normal(person)) for label, person in rows}
            counts[" in subjects"] = list(Counter(label for label, _ in people).values())
        else:
            detail = "needs the original, its record and the name of the subject column."
            checks.append(Check("models in subjects", "could not run", detail))
    secrets = _claimed_secrets(table, claim)
    for unit, sizes in counts.items():
        figures = {"k": min(sizes), "n_classes": len(sizes), "sensitive": secrets}
        for name, options in claim.models:
            if unit and name not in _COUNTING_PEOPLE:
                continue
            holds, detail = _MODELS[name](options, figures)
            checks.append(Check(f"{name}{unit}", "passed" if holds else "failed", detail))
    return checks


def _claimed_secrets(table: _Table, claim: _Claim) -> dict[str, dict[str, int]]:
    """Measure the secrets that models name; one that is a quasi-identifier too is published coarse and left out."""
    named = [options.get("on") for _, options in claim.models]
    secrets = [column.name for column in claim.columns if column.role == "sensitive" and column.name in named]
    if not secrets:
        return {}
    classed = table.respelt(lambda _, cell: _normal(cell), secrets).numbered(claim.quasi_identifier_cells)
    return {secret: {"l_distinct": _distinct_l(_histograms(classed, secret))} for secret in secrets}


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

    def refuse(constant: str) -> None:
        raise AuditInputError(f"the {what} holds a number that is not finite.")

    try:
        text = Path(source).read_text(encoding="utf-8-sig")
        result = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except OSError:
        raise AuditInputError(f"the {what} cannot be opened.") from None
    except json.JSONDecodeError as error:
        raise AuditInputError(f"the {what} is not JSON (line {error.lineno}).") from None
    except AuditInputError:
        raise
    except (ValueError, RecursionError):
        raise AuditInputError(f"the {what} is not JSON.") from None
    if not isinstance(result, dict):
        raise AuditInputError(f"the {what} is not a JSON object.")
    return result


def _evidence(table: _Table, claim: _Claim, original: Any, record: Mapping[str, Any]) -> _Evidence:
    if original is None:
        return _Evidence()
    order = table.order(_decode_order(record["order"], table.n_rows)) if "order" in record else None
    subject = record.get("subject")
    if not isinstance(subject, str | None):
        raise AuditInputError("the record's 'subject' is not the name of a column.")
    is_path = isinstance(original, str | os.PathLike)
    columns = _read_original(Path(original), claim, record.get("original", {})) if is_path else original
    return _Evidence(_table(columns, like=table), order, subject, before_masks=is_path)


def _read_original(path: Path, claim: _Claim, options: Any) -> dict[str, list[Cell]]:
    """Read the original file as the record says; what it does not say is taken from the name and the header."""
    if not isinstance(options, Mapping):
        raise AuditInputError("the record's 'original' is not an object.")
    suffixes = {".parquet": "parquet", ".xlsx": "xlsx", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
    form = options.get("format", suffixes.get(path.suffix.lower(), "csv"))
    encoding = options.get("encoding", "utf-8")
    delimiter = options.get("delimiter")
    if form == "csv" and delimiter is None:
        header = io.StringIO(_decode(path, encoding), newline="").readline()
        names = {column.name for column in claim.columns}

        def n_known(mark: str) -> int:
            return len(names & {_normal(cell) for cell in next(csv.reader([header], delimiter=mark), [])})

        delimiter = max([claim.data["delimiter"], ",", ";", "\t", "|"], key=n_known)
    columns = read_columns(path, format=form, delimiter=delimiter or ",", encoding=encoding)
    absent = {_normal(text) for text in options.get("missing", ())}
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


def _record_check(table: _Table, evidence: _Evidence, record: Mapping[str, Any]) -> Check:
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


def read_columns(
    path: str | os.PathLike[str],
    *,
    format: str = "csv",
    delimiter: str = ",",
    encoding: str = "utf-8",
    decimal: str = ".",
    neutralised: bool = False,
) -> dict[str, list[Cell]]:
    r"""Read a table as text: name -> cells, ``None`` where a cell is empty.

    Parameters
    ----------
    format
        csv, xlsx (the first sheet), parquet or arrow; the last two need Polars.
    decimal
        The mark with which cells that hold numbers rather than text (xlsx, parquet, arrow) are spelt.
    neutralised
        Undo the writers' rule against formulas in csv and xlsx, headers included: one apostrophe is taken off cells
        that start with it, go on with any apostrophes, quotation marks and white space, and come to one of ``= + - @``
        (also full-width), TAB or CR.

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
        return _read_frame(path, format, decimal)
    if format == "csv":
        header, columns = _read_csv_text(_decode(path, encoding), delimiter)
    elif format == "xlsx":
        header, columns = _read_xlsx(path, decimal)
    else:
        raise AuditInputError(f"the format must be one of {', '.join(_FORMATS)}.")
    if neutralised:
        header = [_undo(name) or "" for name in header]
        columns = [_undo_column(column, place) for place, column in enumerate(columns, 1)]
    _check_header(header)
    return dict(zip(header, columns, strict=True))


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
        if not name.strip():
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
            for column, cells in zip(columns, zip(*block, strict=True), strict=True):
                column.extend([cell or None for cell in cells])
    except csv.Error:
        limit = f"a field of more than {_LONGEST_FIELD} characters, or a quote out of place"
        raise AuditInputError(f"line {reader.line_num} cannot be read: {limit}.") from None
    return header, columns


def _read_frame(path: Path, format: str, decimal: str) -> dict[str, list[Cell]]:
    polars = _polars()
    if polars is None:
        raise AuditInputError(f"reading {format} needs Polars: pip install polars.")
    if not path.is_file():
        raise AuditInputError("the data file cannot be opened.")
    try:
        frame = polars.read_parquet(path) if format == "parquet" else polars.read_ipc(path, memory_map=False)
    except (polars.exceptions.PolarsError, OSError, ValueError):
        raise AuditInputError(f"the file is not {format}, or it is broken.") from None
    texts: dict[str, list[Cell]] = _texts(frame, decimal).to_dict(as_series=False)
    return texts


def _n_sheets(path: str | os.PathLike[str]) -> int:
    with _workbook(Path(path)) as book:
        return len(_sheets(book))


def _workbook(path: Path) -> zipfile.ZipFile:
    try:
        book = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile):
        raise AuditInputError("the workbook cannot be opened.") from None
    if len(set(book.namelist())) < len(book.namelist()):
        raise AuditInputError("the workbook holds a part twice.")
    return book


def _part(book: zipfile.ZipFile, name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of one part as they end; declarations of entities are refused by size and by expat."""
    try:
        if book.getinfo(name).file_size > _LARGEST_MEMBER:
            raise AuditInputError("a part of the workbook is too large.")
        with book.open(name) as stream:
            for _, element in ElementTree.iterparse(stream):
                element.tag = element.tag.rpartition("}")[2]
                yield element
    except (KeyError, zipfile.BadZipFile, ElementTree.ParseError, zlib.error, NotImplementedError, RuntimeError):
        raise AuditInputError("a part of the workbook is absent or broken.") from None


def _sheets(book: zipfile.ZipFile) -> list[str]:
    """Return the part of every sheet, in order."""
    targets = {
        element.get("Id"): element.get("Target", "")
        for element in _part(book, "xl/_rels/workbook.xml.rels")
        if element.tag == "Relationship"
    }
    result = []
    for element in _part(book, "xl/workbook.xml"):
        if element.tag == "sheet":
            link = next((value for key, value in element.attrib.items() if key.endswith("}id")), None)
            target = targets.get(link, "")
            result.append(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    return result


def _read_xlsx(path: Path, decimal: str) -> tuple[list[str], list[list[Cell]]]:
    with _workbook(path) as book:
        sheets = _sheets(book)
        if not sheets:
            raise AuditInputError("the workbook has no sheet.")
        shared: list[str] = []
        if "xl/sharedStrings.xml" in book.namelist():
            for element in _part(book, "xl/sharedStrings.xml"):
                if element.tag == "si":
                    shared.append(_rich_text(element))
        rows = list(_sheet_rows(book, sheets[0], shared, decimal))
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


def _sheet_rows(book: zipfile.ZipFile, name: str, shared: Sequence[str], decimal: str) -> Iterator[list[Cell]]:
    n_rows, width = 0, _MOST_COLUMNS
    for element in _part(book, name):
        if element.tag != "row":
            continue
        number = element.get("r", str(n_rows + 1))
        if not re.fullmatch("[0-9]{1,7}", number) or int(number) <= n_rows:
            raise AuditInputError(f"the rows of the sheet are out of order after row {n_rows}.")
        for _ in range(int(number) - n_rows - 1):
            yield []
        n_rows = int(number)
        try:
            row = _row_cells(element, shared, decimal, width)
        except (ValueError, IndexError):
            raise AuditInputError(f"row {n_rows} of the sheet is broken or wider than the header.") from None
        width = len(row) if n_rows == 1 else width
        element.clear()
        yield row


def _row_cells(element: ElementTree.Element, shared: Sequence[str], decimal: str, width: int) -> list[Cell]:
    row: list[Cell] = []
    for cell in element:
        place = _place(cell.get("r"), len(row) + 1)
        text = _cell_text(cell, shared, decimal)
        if text is None:
            continue
        if not len(row) < place <= width:
            raise ValueError
        row += [None] * (place - 1 - len(row)) + [text]
    return row


def _place(reference: str | None, following: int) -> int:
    """Return the column number of a reference such as ``AB12``; without one, cells follow each other."""
    if reference is None:
        return following
    number = 0
    for letter in reference.rstrip("0123456789"):
        number = number * 26 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) + 1
    return number


def _cell_text(cell: ElementTree.Element, shared: Sequence[str], decimal: str) -> Cell:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return next((_rich_text(child) for child in cell if child.tag == "is"), "") or None
    value = next((child.text for child in cell if child.tag == "v"), None)
    if not value:
        return None
    if kind == "s":
        return shared[int(value)] or None
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    return _spell(float(value), decimal) if kind == "n" else value


# ---------------------------------------------------------------------------------------------------------------------
# The command line
# ---------------------------------------------------------------------------------------------------------------------


def _read_hierarchy(path: str) -> dict[str, list[str]]:
    """Read a tree: one line per leaf, ``leaf;level1;...;*``."""
    text = _decode(Path(path), "utf-8")
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return {row[0]: [_normal(label) or "" for label in row] for row in rows if row}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Examples
    --------
    >>> main(["no-such-file.csv", "no-such-claim.json"])
    2
    """
    parser = argparse.ArgumentParser(description="Judge a published table and its claim.")
    parser.add_argument("data", metavar="DATA", help="the published file")
    parser.add_argument("claim", metavar="CLAIM", help="its claim (JSON)")
    parser.add_argument("--original", metavar="FILE", help="the original file, to check truthfulness")
    parser.add_argument("--record", metavar="FILE", help="the private record, to check row by row")
    parser.add_argument("--hierarchy", metavar="COLUMN=FILE", action="append", default=[], help="a tree: leaf;...;*")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    options = parser.parse_args(arguments)
    try:
        trees = dict(entry.split("=", 1) for entry in options.hierarchy if "=" in entry)
        if len(trees) < len(options.hierarchy):
            raise AuditInputError("--hierarchy must be COLUMN=FILE, once per column.")
        hierarchies = {column: _read_hierarchy(file) for column, file in trees.items()}
        verdict = verify(
            options.data, options.claim, original=options.original, record=options.record, hierarchies=hierarchies
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
