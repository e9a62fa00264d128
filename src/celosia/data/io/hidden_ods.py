"""What a workbook in OpenDocument form (.ods) holds beyond the cells of one sheet."""

from __future__ import annotations

from collections import Counter
from xml.parsers.expat import ParserCreate

from celosia.data.io.packages import Package, local_name

_PARTS = {
    "embedded_objects": ("object ", "objectreplacements/"),
    "images": ("pictures/", "media/"),
    "thumbnails": ("thumbnails/",),
    "macros": ("basic/", "scripts/"),
}
_PROPERTIES = frozenset({"creator", "initial-creator", "title", "subject", "description", "keyword", "printed-by"})
_ELEMENTS = {
    "annotation": "comments",
    "named-range": "defined_names",
    "named-expression": "defined_names",
    "data-pilot-table": "pivot_caches",
    "cell-content-change": "revisions",
    "insertion": "revisions",
    "deletion": "revisions",
}
_TAGS = frozenset(
    {"style", "table-properties", "table", "table-column", "table-row", "table-cell", "covered-table-cell"}
)
_MOST_COLUMNS = 16_384


def count_in_ods(package: Package, sheet: str | None) -> Counter[str]:
    """Return what an .ods workbook holds beyond the cells of one sheet, as kind -> count."""
    counts = Counter({kind: len(package.beginning(*starts)) for kind, starts in _PARTS.items()})
    meta = package.tree("meta.xml")
    for element in meta.iter() if meta is not None else ():
        counts["properties"] += local_name(element) in _PROPERTIES and bool((element.text or "").strip())
        counts["custom_properties"] += local_name(element) == "user-defined" and bool((element.text or "").strip())
    reader = _ContentReader(sheet)
    package.feed("content.xml", reader.parser())
    return counts + reader.counts


class _ContentReader:
    """Counts what the sheets hide, one element at a time.

    Sheets refer to styles that stand before them in the same part; a style says whether its sheets are shown.
    """

    def __init__(self, sheet: str | None) -> None:
        self.counts: Counter[str] = Counter()
        self._sheet = sheet
        self._hidden_styles: set[str] = set()
        self._style = ""
        self._depth = 0
        self._is_read = self._was_read = False
        self._n_columns = self._place = self._repeats = 0
        self._row_state = ""
        self._hidden: set[int] = set()
        self._used: set[int] = set()
        self._row_used: set[int] = set()

    def parser(self) -> object:
        """Return a parser that reports to this reader."""
        parser = ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        return parser

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name in _ELEMENTS:
            self.counts[_ELEMENTS[name]] += 1
            return
        if name not in _TAGS:
            return
        given = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if name == "style":
            self._style = given.get("name", "")
        elif name == "table-properties" and given.get("display") == "false":
            self._hidden_styles.add(self._style)
        elif name == "table":
            self._start_sheet(given)
        elif self._is_read and self._depth == 1:
            self._start_in_sheet(name, given)

    def _start_sheet(self, given: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        is_hidden = given.get("style-name") in self._hidden_styles
        is_wanted = given.get("name") == self._sheet if self._sheet is not None else not is_hidden
        self._is_read = is_wanted and not self._was_read
        if self._is_read:
            self._was_read = True
        else:
            self.counts["hidden_sheets" if is_hidden else "further_sheets"] += 1

    def _start_in_sheet(self, name: str, given: dict[str, str]) -> None:
        if name == "table-column":
            n_columns = int(given.get("number-columns-repeated", 1))
            if given.get("visibility", "visible") != "visible":
                last = min(self._n_columns + n_columns, _MOST_COLUMNS)
                self._hidden.update(range(self._n_columns, last))
            self._n_columns += n_columns
        elif name == "table-row":
            self._row_state = given.get("visibility", "visible")
            self._repeats = int(given.get("number-rows-repeated", 1))
            self._place, self._row_used = 0, set()
        elif name in ("table-cell", "covered-table-cell"):
            n_cells = int(given.get("number-columns-repeated", 1))
            if "value-type" in given:
                self._row_used.update(range(self._place, min(self._place + n_cells, _MOST_COLUMNS)))
            self._place += n_cells

    def _end(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if name == "table":
            self._depth -= 1
            if self._is_read and not self._depth:
                self.counts["hidden_columns"] += len(self._hidden & self._used)
                self._is_read = False
        elif name == "table-row" and self._is_read and self._depth == 1 and self._row_used:
            self._used |= self._row_used
            if self._row_state != "visible":
                self.counts["filtered_rows" if self._row_state == "filter" else "hidden_rows"] += self._repeats
