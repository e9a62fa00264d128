"""What a sheet of an .xlsx workbook hides: rows, columns, and values behind its cells.

A sheet may have a million rows, so its bytes are scanned for the few tags that matter instead of being parsed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from celosia.data.io.packages import Package, local_name

_MARK = rb"<(?:[\w.-]+:)?"
_YES, _ZERO = rb"""["'](?:1|true)["']""", rb"""["']0(?:\.0*)?["']"""
_HIDDEN_ROW = re.compile(_MARK + rb"row\b(?=[^<>]*\s(?:hidden=" + _YES + rb"|ht=" + _ZERO + rb"))([^<>]*)(?<!/)>")
_ROW_END = re.compile(rb"</(?:[\w.-]+:)?row>")
_ROW_NUMBER = re.compile(rb"""\sr=["'](\d+)["']""")
_CONTENT = re.compile(_MARK + rb"(?:v|is|f)[\s>]")
_CELL = re.compile(_MARK + rb"""c\b(?:[^<>]*?\sr=["']([A-Z]{1,3})\d+["'])?[^<>]*(?<!/)>""")
_COLUMNS = re.compile(_MARK + rb"col\s(?=[^<>]*\b(?:hidden=" + _YES + rb"|width=" + _ZERO + rb"))([^<>]*)>")
_LIMITS = re.compile(rb"""\b(min|max)=["'](\d+)["']""")
_FILTER = re.compile(_MARK + rb"autoFilter\b([^<>]*)(?<!/)>\s*" + _MARK + rb"filterColumn\b")
_RANGE = re.compile(r"\$?[A-Z]+\$?(\d+):\$?[A-Z]+\$?(\d+)")
_LITERAL = rb"""(?:""" + _MARK + rb"""(?:formula1|f)>\s*)+(?:"|&quot;)"""
_LIST = re.compile(_MARK + rb"""dataValidation\s(?=[^<>]*\btype=["']list["'])[^<>]*(?<!/)>\s*""" + _LITERAL)
_LONGEST_ROW = 1 << 26
_MOST_COLUMNS = 16_384


@dataclass
class _Scan:
    """What one pass over a sheet finds."""

    head: bytes = b""
    hidden_rows: list[int] = field(default_factory=list)
    tail: bytes = b""


def count_in_sheet(package: Package, name: str) -> Counter[str]:
    """Return what a sheet hides, as kind -> count.

    A row or column counts where it is hidden, or of no height or width, and has a cell with content. A row counts as
    filtered where a filter that is in force spans it.
    """
    scan = _scanned(package, name)
    spans = _filtered_spans(package, name, scan.tail)
    n_filtered = sum(1 for row in scan.hidden_rows if any(first < row <= last for first, last in spans))
    return Counter(
        {
            "filtered_rows": n_filtered,
            "hidden_rows": len(scan.hidden_rows) - n_filtered,
            "hidden_columns": _n_hidden_columns(package, name, scan.head),
            "value_lists": len(_LIST.findall(scan.tail)),
        }
    )


def _scanned(package: Package, name: str) -> _Scan:
    scan = _Scan()
    text = b""
    for piece in package.pieces(name):
        text += piece
        if not scan.head and (place := text.find(b"sheetData")) >= 0:
            scan.head = text[:place]
        ends = max(text.rfind(b"</row>"), text.rfind(b":row>"))
        if ends < 0 and len(text) <= _LONGEST_ROW:
            continue
        for found in _HIDDEN_ROW.finditer(text, 0, max(ends, 0)):
            end = _ROW_END.search(text, found.end())
            if end is not None and _CONTENT.search(text, found.end(), end.start()):
                number = _ROW_NUMBER.search(found[1])
                scan.hidden_rows.append(int(number[1]) if number else 0)
        text = text[text.find(b">", max(ends, 0)) + 1 :]
    scan.tail = text
    return scan


def _filtered_spans(package: Package, name: str, tail: bytes) -> list[tuple[int, int]]:
    """Return the first and last rows of filters that are in force, on the sheet itself or on its tables."""
    ranges = [found[1].decode(errors="replace") for found in _FILTER.finditer(tail)]
    for kind, part in package.related(name).values():
        table = package.tree(part) if kind == "table" else None
        for element in table.iter() if table is not None else ():
            if local_name(element) == "autoFilter" and any(local_name(child) == "filterColumn" for child in element):
                ranges.append(element.get("ref", ""))
    spans = (_RANGE.search(text) for text in ranges)
    return [(int(span[1]), int(span[2])) for span in spans if span is not None]


def _n_hidden_columns(package: Package, name: str, head: bytes) -> int:
    hidden: set[int] = set()
    for found in _COLUMNS.finditer(head):
        limits = {key: int(value) for key, value in _LIMITS.findall(found[1])}
        hidden.update(range(limits.get(b"min", 1), min(limits.get(b"max", 0), _MOST_COLUMNS) + 1))
    used: set[int] = set()
    rest = b""
    for piece in package.pieces(name) if hidden else ():
        text = rest + piece
        cut = max(text.rfind(b"<"), 0)
        for letters in set(_CELL.findall(text, 0, cut)):
            # Cells need not say where they are; then each hidden column may be theirs.
            used |= {_position(letters)} if letters else hidden
        if hidden <= used:
            break
        rest = text[cut:]
    return len(hidden & used)


def _position(letters: bytes) -> int:
    """Return the place of a column, from 1, by its letters."""
    place = 0
    for letter in letters:
        place = place * 26 + letter - ord("A") + 1
    return place
