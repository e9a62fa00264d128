"""The tree of a page: our own HTML, read strictly, so that it can be set in another way than by a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from celosia.base.errors import InputError

_VOID = frozenset({"meta", "br", "hr", "img", "link", "input", "wbr"})
_PICTURE = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_HINT = "close every element in the template that the page was made with."


@dataclass(frozen=True)
class Element:
    """An element of a page: its name, its attributes, and what is in it.

    A picture (``svg``) has no children but its ``source``, as it was written: the names in it keep their capitals.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)
    source: str = ""

    @property
    def classes(self) -> list[str]:
        """The classes of the element, as they were written."""
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """All text in the element, as it was written."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def elements(self) -> Iterator[Element]:
        """Give this element and all elements in it, in the order of the page."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.elements()


def tree_of(page: str) -> Element:
    """Return the root of a page, whose children are those of the document.

    Raises
    ------
    InputError
        An element is not closed, or closed where another one is open.

    Examples
    --------
    >>> root = tree_of("<p class='small'>a &lt; <em>b</em></p>")
    >>> [(one.tag, one.classes, one.text) for one in root.elements()][1:]
    [('p', ['small'], 'a < b'), ('em', [], 'b')]
    """
    reader = _Reader(_PICTURE.findall(page))
    reader.feed(_PICTURE.sub(_emptied, page))
    reader.close()
    if len(reader.open) > 1:
        raise InputError(f"the page is not well-formed: <{reader.open[-1].tag}> is never closed.", hint=_HINT)
    return reader.root


def _emptied(picture: re.Match[str]) -> str:
    """Return a picture without what is in it, on as many lines."""
    start = picture[0][: picture[0].index(">") + 1]
    return start + "\n" * picture[0].count("\n", len(start)) + "</svg>"


class _Reader(HTMLParser):
    def __init__(self, pictures: list[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("document")
        self.open = [self.root]
        self._pictures = iter(pictures)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        source = next(self._pictures, "") if tag == "svg" else ""
        element = Element(tag, {name: value or "" for name, value in attrs}, source=source)
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1].tag != tag:
            line = self.getpos()[0]
            raise InputError(
                f"the page is not well-formed: line {line} closes {tag}, open is {self.open[-1].tag}.", hint=_HINT
            )
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag != "svg":
            self.open[-1].children.append(data)
