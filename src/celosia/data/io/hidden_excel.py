"""What an Excel workbook (.xlsx, .xlsm, and by its parts .xlsb) holds beyond the cells of one sheet."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from celosia.data.io.hidden_sheet import count_in_sheet
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
