"""The nodes of a page: its tree made ready for the type-setter, who gets it as data and never as code.

A node is a dictionary with a tag, its classes, and what is in it: under ``words`` text and elements within a line,
under ``blocks`` nodes one below the other, never both. White space is gone where a browser would not show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celosia.base.errors import InputError, nearest
from celosia.report.html_tree import Element, tree_of
from celosia.report.pdf_pictures import picture_of
from celosia.report.pdf_words import Words, longest_piece, plain_text, words_of
from celosia.report.print_style import PrintStyle, style_of

SIZES = ("a4", "a5", "a6")
"""The sizes of paper; a page asks for one by ``<meta name="celosia-page" content="a5">``."""

_INLINE = frozenset({"span", "strong", "em", "code", "a", "time", "br", "wbr", "sub", "sup"})
_HEADINGS = ("h1", "h2", "h3")
_BLOCKS = frozenset({
    "header", "main", "footer", "section", "div", "nav", "p", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "caption", "thead", "tbody", "tr", "th", "td", "pre", "figure", "figcaption", "svg", "details", "summary",
    "h1", "h2", "h3", "body",
})  # fmt: skip
TAGS = _INLINE | _BLOCKS | {"html", "head", "meta", "title", "style"}
"""The elements that pages may hold."""
CLASSES = frozenset({
    "bad", "bar", "bars", "before", "beside", "big", "broken", "byline", "chart", "claim", "example", "figure",
    "findings", "gallery", "group", "hash", "key", "kicker", "lattice", "legend", "meaning", "measures",
    "meter", "note", "number", "risks", "scroll", "sheet", "small", "stamp", "steps", "swatch", "warned",
    "warning",
})  # fmt: skip
"""The classes that the type-setter's template minds."""
PLAIN_CLASSES = frozenset({
    "after", "frontier", "hidden", "info", "limits", "narrow", "negotiation", "page", "warnings", "wide",
})  # fmt: skip
"""The classes that need nothing on paper, or whose elements are not shown there."""

_LINE, _LINES_OF_CHART, _LINES_OF_PICTURE = 80, 9, 30
_FRAMES = frozenset({"main", "section", "div", "details"})
_NOT_SHOWN = frozenset({"head", "style", "script"})


def nodes_of(page: str) -> dict[str, Any]:
    """Return a page as the type-setter gets it.

    Raises
    ------
    InputError
        The page is not well-formed, or asks for a size of paper that there is not.

    Examples
    --------
    >>> page = "<html lang='en'><head><title>A</title></head><body><p>b  <em>c</em> </p></body></html>"
    >>> made = nodes_of(page)
    >>> made["title"], made["lang"], made["size"], made["blocks"]
    ('A', 'en', 'a4', [{'tag': 'body', 'blocks': [{'tag': 'p', 'words': ['b ', {'tag': 'em', 'words': ['c']}],
        'height': 1}], 'height': 1}])
    """
    root = tree_of(page)
    elements = list(root.elements())
    style = style_of("\n".join(one.text for one in elements if one.tag == "style"))
    bodies = [one for one in elements if one.tag == "body"]
    blocks = _Builder(elements, style).blocks(bodies or root.children)
    _keep_foot(blocks)
    return {
        "title": next((plain_text(one) for one in elements if one.tag == "title"), ""),
        "lang": next((one.attributes["lang"] for one in elements if "lang" in one.attributes), "en"),
        "size": _size(elements),
        "date": _date(elements),
        "stamp": next((plain_text(one) for one in elements if "stamp" in one.classes), ""),
        "top": _top(elements),
        "colours": style.colours,
        "blocks": blocks,
    }


def unknown_in(page: str) -> list[str]:
    """Return the elements and classes of a page that the type-setter does not know; their text is set all the same.

    Examples
    --------
    >>> unknown_in("<body><p class='small odd'>a</p><marquee>b</marquee></body>")
    ['.odd', 'marquee']
    """
    elements = [one for one in tree_of(page).elements() if one.tag != "document"]
    classes = {name for one in elements for name in one.classes} - CLASSES - PLAIN_CLASSES
    return sorted([*({one.tag for one in elements} - TAGS), *(f".{name}" for name in classes)])


def _size(elements: Sequence[Element]) -> str:
    asked = [one.attributes.get("content", "") for one in elements if one.attributes.get("name") == "celosia-page"]
    if not asked:
        return SIZES[0]
    if asked[0] not in SIZES:
        raise InputError(f"there is no page of size '{asked[0]}'.", hint=nearest(asked[0], SIZES))
    return asked[0]


def _date(elements: Sequence[Element]) -> list[int] | None:
    """Return year, month and day of the page's head: the document's date, so that a page always gives the same file."""
    for head in (one for one in elements if one.tag == "header"):
        for one in head.elements():
            if one.tag == "time" and "datetime" in one.attributes:
                return [int(part) for part in one.attributes["datetime"][:10].split("-")]
    return None


def _top(elements: Sequence[Element]) -> int:
    """Return how many levels of headings a page leaves out above its first one; a document starts with level 1."""
    return min((int(one.tag[1]) for one in elements if one.tag in _HEADINGS), default=1) - 1


def _keep_foot(blocks: Sequence[dict[str, Any]]) -> None:
    """Mark what stands before the foot of a page as staying with it: a foot alone on the last sheet looks lost."""
    for body in blocks:
        parts = body.get("blocks", [])
        if len(parts) > 1 and parts[-1]["tag"] == "footer":
            last = parts[-2]
            while last.get("blocks") and last["tag"] in _FRAMES and CLASSES.isdisjoint(last.get("classes", ())):
                last = last["blocks"][-1]
            last["stays"] = True


class _Builder:
    """Makes nodes of elements.

    A place that links go to is put before the next words, so that it stands on the same sheet as they do.
    """

    def __init__(self, elements: Sequence[Element], style: PrintStyle) -> None:
        self._style = style
        self._hidden = style.hidden | {"hidden"}
        linked = {one.attributes.get("href", "")[1:] for one in elements if one.tag == "a"}
        self._places = {one.attributes["id"] for one in elements if one.attributes.get("id") in linked}
        self._waiting: list[str] = []
        self._top = _top(elements)

    def blocks(self, children: Sequence[Element | str]) -> list[dict[str, Any]]:
        """Return nodes one below the other; text between them becomes a paragraph of its own."""
        made: list[dict[str, Any]] = []
        line: list[Element | str] = []
        for child in children:
            if isinstance(child, str) or not _is_block(child):
                line.append(child)
                continue
            made += self._paragraph(line)
            line = []
            if self._is_shown(child) and not _is_empty(node := self._block(child)):
                made.append(node)
        return made + self._paragraph(line)

    def _paragraph(self, line: Sequence[Element | str]) -> list[dict[str, Any]]:
        words = self._words(line)
        return [{"tag": "p", "words": words, "height": -(-_length(words) // _LINE)}] if words else []

    def _block(self, element: Element) -> dict[str, Any]:
        node = self._begun(element) | self._content(element)
        return node | {"height": _height(node)}

    def _content(self, element: Element) -> dict[str, Any]:
        if element.tag == "svg":
            return picture_of(element, self._style)
        if element.tag == "nav":
            return self._contents(element)
        if element.tag == "table":
            return self._table(element)
        if element.tag == "pre":
            return {"lines": element.text.strip("\n").split("\n")}
        if element.tag in _HEADINGS:
            return {"level": int(element.tag[1]) - self._top, **self._within(element)}
        return self._within(element)

    def _within(self, element: Element) -> dict[str, Any]:
        if any(isinstance(child, Element) and _is_block(child) for child in element.children):
            return {"blocks": self.blocks(element.children)}
        return {"words": self._words(element.children)}

    def _begun(self, element: Element) -> dict[str, Any]:
        place = element.attributes.get("id")
        if place in self._places:
            self._waiting.append(place)
            self._places.discard(place)
        return {"tag": element.tag, **({"classes": element.classes} if element.classes else {})}

    def _words(self, children: Sequence[Element | str]) -> Words:
        words = words_of(children, self._inline)
        if not words:
            return []
        waiting, self._waiting = self._waiting, []
        return [*({"tag": "place", "name": name} for name in waiting), *words]

    def _inline(self, element: Element) -> dict[str, Any] | None:
        if not self._is_shown(element):
            return None
        node = self._begun(element)
        address = element.attributes.get("href", "")
        if address.startswith("#"):
            node["to"] = address[1:]
        elif address.startswith(("https://", "http://", "mailto:")):
            node["address"] = address
        return node

    def _contents(self, nav: Element) -> dict[str, Any]:
        """Return the list of contents: its title, and where each of its links goes."""
        inside = list(nav.elements())
        title = [plain_text(one) for one in inside if one.tag in _HEADINGS]
        entries = [
            {"words": [plain_text(one)], "to": one.attributes.get("href", "")[1:]} for one in inside if one.tag == "a"
        ]
        return {"title": "".join(title), "entries": entries}

    def _table(self, table: Element) -> dict[str, Any]:
        """Return the rows of a table by their parts, and for each column what it cannot be narrower than."""
        node: dict[str, Any] = {"head": [], "bodies": []}
        for part in self._parts(table):
            if part.tag == "caption":
                node["caption"] = self._words(part.children)
                continue
            rows = [self._row(row) for row in ([part] if part.tag == "tr" else self._parts(part))]
            if part.tag == "thead":
                node["head"] += rows
            else:
                node["bodies"].append(rows)
        rows = [*node["head"], *(row for body in node["bodies"] for row in body)]
        node["columns"] = max((sum(cell["span"] for cell in row["cells"]) for row in rows), default=0)
        node["longest"] = _longest(rows, node["columns"])
        return node

    def _row(self, row: Element) -> dict[str, Any]:
        cells = []
        for cell in self._parts(row):
            span = int(cell.attributes.get("colspan", "1"))
            node = {**self._begun(cell), "span": span, **self._within(cell)}
            cells.append(node | {"height": _height(node)})
        return {"classes": row.classes, "cells": cells, "height": max(1, sum(cell["height"] for cell in cells))}

    def _parts(self, element: Element) -> list[Element]:
        """Return the elements of a table, its parts or its rows, which hold no text of their own."""
        if any(isinstance(child, str) and child.strip() for child in element.children):
            raise InputError(f"the page has text in <{element.tag}> outside its cells.", hint="put it into a cell.")
        return [child for child in element.children if isinstance(child, Element) and self._is_shown(child)]

    def _is_shown(self, element: Element) -> bool:
        return (
            element.tag not in _NOT_SHOWN
            and "hidden" not in element.attributes
            and self._hidden.isdisjoint(element.classes)
        )


def _is_empty(node: dict[str, Any]) -> bool:
    return not any(node.get(part) for part in ("words", "blocks", "source", "lines", "entries", "caption", "columns"))


def _is_block(element: Element) -> bool:
    return element.tag in _BLOCKS or any(isinstance(one, Element) and _is_block(one) for one in element.children)


def _height(node: dict[str, Any]) -> int:
    """Return about how many lines a node takes on a large sheet: whether to keep it on one is decided by that."""
    if node["tag"] == "svg":
        return _LINES_OF_CHART if "chart" in node.get("classes", []) else _LINES_OF_PICTURE
    if node["tag"] == "pre":
        return sum(1 + len(line) // _LINE for line in node["lines"])
    if node["tag"] == "table":
        return sum(row["height"] for rows in (node["head"], *node["bodies"]) for row in rows)
    if "blocks" in node:
        return sum(block["height"] for block in node["blocks"])
    return -(-_length(node.get("words", [])) // _LINE)


def _length(words: Words) -> int:
    return sum(len(word) if isinstance(word, str) else _length(word.get("words", [])) for word in words)


def _longest(rows: Sequence[dict[str, Any]], n_columns: int) -> list[str]:
    longest = [""] * n_columns
    for row in rows:
        place = 0
        for cell in row["cells"]:
            if cell["span"] == 1:
                longest[place] = max(longest[place], _longest_in(cell), key=len)
            place += cell["span"]
    return longest


def _longest_in(node: dict[str, Any]) -> str:
    pieces = [longest_piece(node.get("words", [])), *(_longest_in(one) for one in node.get("blocks", []))]
    return max(pieces, key=len)
