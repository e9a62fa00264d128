"""What an Excel workbook (.xlsx, .xlsm, and by its parts .xlsb) holds beyond the cells of one sheet.

A sheet may have a million rows, so its bytes are scanned for the few tags that matter instead of being parsed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from celosia.data.io.packages import Package, local_name

# Parts that count as such, by how the names begin that spreadsheets give them.
_PARTS = {
    "pivot_caches": ("xl/pivotcache/pivotcachedefinition",),
    "data_models": ("xl/model/",),
    "external_links": ("xl/externallinks/",),
    "custom_parts": ("customxml/item", "xl/customdata/"),
    "embedded_objects": ("xl/embeddings/", "xl/activex/"),
    "images": ("xl/media/",),
    "thumbnails": ("docprops/thumbnail",),
    "printer_settings": ("xl/printersettings/",),
    "macros": ("xl/vbaproject.bin", "xl/macrosheets/"),
    "revisions": ("xl/revisions/revisionlog",),
}
# Elements that count, by how the names of their parts begin.
_ELEMENTS = {
    "comments": ("xl/comments", "comment"),
    "threaded_comments": ("xl/threadedcomments/", "threadedComment"),
    "pivot_records": ("xl/pivotcache/pivotcacherecords", "r"),
    "connections": ("xl/connections.xml", "connection"),
    "custom_properties": ("docprops/custom.xml", "property"),
    "drawing_texts": ("xl/drawings/drawing", "t"),
    "chart_values": ("xl/charts/", "pt"),
}
_PROPERTIES = frozenset(
    {"creator", "lastModifiedBy", "title", "subject", "description", "keywords", "category", "contentStatus"}
    | {"Company", "Manager", "HyperlinkBase"}
)
_STATES = {"hidden": "hidden_sheets", "veryHidden": "very_hidden_sheets"}


def count_excel_parts(package: Package) -> Counter[str]:
    """Return how many parts of each kind a package has, and how many properties are filled in."""
    counts = Counter({kind: len(package.beginning(*starts)) for kind, starts in _PARTS.items()})
    counts["custom_parts"] -= len(package.beginning("customxml/itemprops"))
    for name in ("docProps/core.xml", "docProps/app.xml"):
        tree = package.tree(name)
        for element in tree if tree is not None else ():
            counts["properties"] += local_name(element) in _PROPERTIES and bool((element.text or "").strip())
    return counts


def count_in_excel(package: Package, sheet: str | None) -> Counter[str]:
    """Return what an .xlsx or .xlsm workbook holds beyond the cells of one sheet, as kind -> count."""
    counts = count_excel_parts(package)
    for kind, (start, tag) in _ELEMENTS.items():
        counts[kind] += sum(package.n_tags(name, tag) for name in package.beginning(start))
    # A conversation counts once: it has a comment too, for older programs, by an author called "tc=...".
    counts["comments"] -= sum(package.n_tags(name, "author>tc=", "") for name in package.beginning("xl/comments"))
    main = next((name for kind, name in package.related("").values() if kind == "officeDocument"), "xl/workbook.xml")
    workbook = package.tree(main)
    if workbook is None:
        return counts
    for element in workbook.iter():
        if local_name(element) == "definedName" and not element.get("name", "").startswith("_xlnm."):
            counts["hidden_names" if element.get("hidden") in ("1", "true") else "defined_names"] += 1
    read = _count_sheets(workbook, package.related(main), sheet, counts)
    return counts + count_in_sheet(package, read) if read in package.names else counts


def _count_sheets(
    workbook: Element, related: dict[str, tuple[str, str]], sheet: str | None, counts: Counter[str]
) -> str:
    """Count the sheets that are not read, and return the part of the one that is: the named or first visible one."""
    read = ""
    for element in workbook.iter():
        if local_name(element) != "sheet":
            continue
        state = element.get("state", "visible")
        identifier = next((value for key, value in element.items() if key.endswith("}id")), "")
        kind, part = related.get(identifier, ("", ""))
        is_wanted = element.get("name") == sheet if sheet is not None else state == "visible" and kind == "worksheet"
        if is_wanted and not read:
            read = part
        else:
            counts[_STATES.get(state, "further_sheets")] += 1
    return read


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
