"""Text as XML wants it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn
from xml.parsers import expat

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.encodings import decode
from celosia.graphs.files.gathering import Gathering
from celosia.graphs.files.outgoing import Outgoing

_PIECE = 1 << 20
_DEEPEST = 200
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_NATIVE = {"utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso8859-1", "ascii"}
"""The encodings that expat knows by itself."""


_ELEMENT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {**{chr(code): text for code, text in _ELEMENT.items()}, '"': "&quot;"} | {"\n": "&#10;", "\t": "&#9;"}
)
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"


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


class XmlReader:
    """A reader of one format, which hears of elements and gathers vertices and edges.

    Parameters
    ----------
    file
        The name of the file, for messages.
    """

    with_text: ClassVar[frozenset[str]]
    """The names of the elements whose text is of interest."""

    def __init__(self, file: str) -> None:
        self.gathering = Gathering(file, "declare every vertex by a <node>.")

    def start(self, element: Element, parents: Sequence[Element]) -> None:
        """Hear of an opening tag; ``parents`` are the open elements around it, the root first."""

    def end(self, element: Element, parents: Sequence[Element]) -> None:
        """Hear of a closing tag, when the text inside is known."""

    def _said(self, element: Element, name: str) -> str:
        if name not in element.attributes:
            raise self._fault(element, f"the element <{element.name}> lacks '{name}'")
        return element.attributes[name]

    def _fault(self, element: Element, what: str, hint: str = "write the file anew.") -> FormatError:
        return self.gathering.fault(element.line, what, hint)


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


def in_element(text: str) -> str:
    """Return a text as it stands between two tags.

    Examples
    --------
    >>> in_element("R&D < 3")
    'R&amp;D &lt; 3'
    """
    return text.translate(_ELEMENT)


def in_attribute(text: str) -> str:
    r"""Return a text as it stands between double quotes in a tag.

    Examples
    --------
    >>> in_attribute('5" pipe\n')
    '5&quot; pipe&#10;'
    """
    return text.translate(_ATTRIBUTE)


def xml_type(dtype: pl.DataType) -> str:
    """Return what GraphML and GEXF call the type of a column: dates and times are texts.

    Examples
    --------
    >>> xml_type(pl.Int32()), xml_type(pl.Date())
    ('long', 'string')
    """
    if dtype.is_integer():
        return "long"
    if dtype.is_float() or dtype.is_decimal():
        return "double"
    return "boolean" if dtype == pl.Boolean else "string"


def refuse_control_characters(graph: Outgoing) -> None:
    """Refuse texts that XML has no way to write.

    Raises
    ------
    FormatError
        With the attribute and the number of its cells.

    Examples
    --------
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> refuse_control_characters(outgoing(Graph.of_edges([0], [1]), Randomness())[0])
    """
    columns = [graph.names.alias("name"), *graph.vertices.get_columns(), *graph.edges.get_columns()]
    for column in columns:
        cells = pl.Series([column.name]) if column.dtype != pl.String else pl.concat([pl.Series([column.name]), column])
        n_bad = int(cells.str.contains(_FORBIDDEN).sum())
        if n_bad:
            raise FormatError(
                f"{n_bad} texts of '{column.name}' hold control characters, which XML cannot hold.",
                hint="take them out, or write csv or parquet.",
            )
