"""XML read piece by piece: no document type, no entities, and every fault with its line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol
from xml.parsers import expat

from celosia.base.errors import FormatError
from celosia.data.io.encodings import decode

_PIECE = 1 << 20
_DEEPEST = 200
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_NATIVE = {"utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso8859-1", "ascii"}
"""The encodings that expat knows by itself."""


class Element:
    """An element that was opened.

    Attributes
    ----------
    name, namespace
        Its name, and the address of its namespace.
    attributes
        What stands in its opening tag.
    line
        Where that tag starts.
    has_children
        Whether other elements stand inside.
    text
        The characters inside, once it is closed and if its reader wants them.
    """

    __slots__ = ("attributes", "has_children", "line", "name", "namespace", "pieces")

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.namespace, _, self.name = name.rpartition(" ")
        self.attributes = attributes
        self.line = line
        self.has_children = False
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The characters between the tags."""
        return "".join(self.pieces)


class XmlReader(Protocol):
    """Somebody who wants to hear of elements."""

    with_text: frozenset[str]
    """The names of the elements whose text is of interest."""

    def start(self, element: Element, parents: Sequence[Element]) -> None:
        """Hear of an opening tag; ``parents`` are the open elements around it, the root first."""

    def end(self, element: Element, parents: Sequence[Element]) -> None:
        """Hear of a closing tag, when the text inside is known."""


def read_xml(data: bytes, file: str, reader: XmlReader, encoding: str | None = None) -> None:
    """Tell a reader of every element.

    Document types are refused, and with them all entities: those that grow into gigabytes, and those that fetch other
    files.

    Raises
    ------
    FormatError
        The XML is broken or cut short, declares a document type, or nests more than 200 elements.
    OptionError
        The encoding does not exist.

    Examples
    --------
    >>> class Names:
    ...     with_text = frozenset()
    ...     def start(self, element, parents):
    ...         print(element.name, element.attributes)
    ...     def end(self, element, parents):
    ...         pass
    >>> read_xml(b"<graph id='g'/>", "graph.xml", Names())
    graph {'id': 'g'}
    """
    data, override = _readable(data, file, encoding)
    parser = expat.ParserCreate(override, namespace_separator=" ")
    parser.buffer_text = True
    opened: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, parser.CurrentLineNumber)
        if len(opened) >= _DEEPEST:
            raise FormatError(
                f"line {element.line} of {file} nests more than {_DEEPEST} elements.", hint="no graph file does so."
            )
        if opened:
            opened[-1].has_children = True
        reader.start(element, opened)
        opened.append(element)

    def end(_: str) -> None:
        element = opened.pop()
        reader.end(element, opened)

    def text(characters: str) -> None:
        if opened[-1].name in reader.with_text:
            opened[-1].pieces.append(characters)

    def refuse(*_: Any) -> NoReturn:
        raise FormatError(
            f"line {parser.CurrentLineNumber} of {file} declares a document type or an entity, which can make a reader "
            "fetch other files or fill the memory; such files are refused.",
            hint="delete the declaration <!DOCTYPE ...> if you trust the sender.",
        )

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    _feed(parser, data, file)


def _readable(data: bytes, file: str, encoding: str | None) -> tuple[bytes, str | None]:
    """Return bytes that expat can read, and the encoding it must take them for; ``None``: it finds out."""
    declared = _DECLARED.match(data.lstrip(codecs.BOM_UTF8))
    named = encoding or (declared.group(1).decode("ascii") if declared else None)
    if named is None or (encoding is None and _is_native(named)):
        return data, None
    return decode(data, file, named).data, "utf-8"


def _is_native(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name in _NATIVE
    except LookupError:
        return False


def _feed(parser: Any, data: bytes, file: str) -> None:
    view = memoryview(data)
    try:
        for start in range(0, len(data), _PIECE):
            parser.Parse(bytes(view[start : start + _PIECE]), False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        line, reason = error.lineno, expat.ErrorString(error.code)
    else:
        return
    raise FormatError(
        f"line {line} of {file} is not well-formed XML ({reason}).",
        hint="the file may be cut short or no XML; write it anew.",
    )
