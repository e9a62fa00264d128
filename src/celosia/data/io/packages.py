"""The parts of a zipped workbook, unpacked within limits and parsed without entities."""

from __future__ import annotations

import codecs
import posixpath
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from celosia.base.errors import FormatError

_PIECE = 1 << 20
_MOST_PARTS = 50_000
_LARGEST_PART = 1 << 26
# A sheet of a million rows and 16 columns takes about 1 GiB.
_LARGEST_SHEET = 1 << 32


class Package:
    """A zip file of XML parts.

    Parameters
    ----------
    archive
        The open zip file.
    file
        Its name, for messages.

    Raises
    ------
    FormatError
        When it has more parts than any workbook has.
    """

    def __init__(self, archive: ZipFile, file: str) -> None:
        self._archive = archive
        self._file = file
        self.names = tuple(name for name in archive.namelist() if not name.endswith("/"))
        if len(self.names) > _MOST_PARTS:
            raise self._too_large()

    def beginning(self, *starts: str) -> tuple[str, ...]:
        """Return the parts whose names, in small letters, begin so; relations left out."""
        return tuple(
            name for name in self.names if name.lower().startswith(starts) and not name.lower().endswith(".rels")
        )

    def tree(self, name: str) -> ElementTree.Element | None:
        """Return a small part as a tree; ``None`` where it is not there.

        Raises
        ------
        FormatError
            When it is larger than 64 MiB, or declares a document type, by which entities could be defined.
        """
        if name not in self.names:
            return None
        parser = ElementTree.XMLParser(target=_PlainTree())
        for piece in self.pieces(name, _LARGEST_PART):
            parser.feed(piece)
        tree: ElementTree.Element = parser.close()
        return tree

    def feed(self, name: str, parser: Any) -> None:
        """Parse a large part, piece by piece, by a parser of ``xml.parsers.expat``."""

        def refuse(*_: object) -> None:
            raise _DocumentTypeError

        parser.StartDoctypeDeclHandler = refuse
        for piece in self.pieces(name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)

    def pieces(self, name: str, largest: int = _LARGEST_SHEET) -> Iterator[bytes]:
        """Give a part in pieces of UTF-8.

        Raises
        ------
        FormatError
            When it unpacks to more bytes than the largest allowed.
        """
        n_bytes = 0
        decoder = None
        with self._archive.open(name) as part:
            while piece := part.read(_PIECE):
                if not n_bytes and piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                    decoder = codecs.getincrementaldecoder("utf-16")()
                n_bytes += len(piece)
                if n_bytes > largest:
                    raise self._too_large()
                yield piece if decoder is None else decoder.decode(piece).encode()

    def n_tags(self, name: str, tag: str, end: str = r"[\s/>]") -> int:
        """Return how many elements of a name a part has, by a scan of its bytes."""
        pattern = re.compile(rf"<(?:[\w.-]+:)?{tag}{end}".encode())
        n_found, rest = 0, b""
        for piece in self.pieces(name):
            text = rest + piece
            cut = max(text.rfind(b"<"), 0)
            n_found += len(pattern.findall(text, 0, cut))
            rest = text[cut:]
        return n_found + len(pattern.findall(rest))

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the parts that a part refers to: identifier -> kind (the last word of its type) and name."""
        folder, base = posixpath.split(name)
        tree = self.tree(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for relation in tree if tree is not None else ():
            kind = relation.get("Type", "").rpartition("/")[2]
            target = relation.get("Target", "")
            place = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            found[relation.get("Id", "")] = kind, place
        return found

    def _too_large(self) -> FormatError:
        return FormatError(
            f"{self._file} unpacks to more than a workbook can hold.", hint="save it anew; do not trust its sender."
        )


class _DocumentTypeError(ValueError):
    """A part declares a document type; no workbook does."""


class _PlainTree(ElementTree.TreeBuilder):
    def doctype(self, *_: object) -> None:
        raise _DocumentTypeError


def local_name(element: ElementTree.Element) -> str:
    """Return the name of an element without its namespace, which strict and loose workbooks spell differently.

    Examples
    --------
    >>> local_name(ElementTree.Element("{urn:x}sheet"))
    'sheet'
    """
    return element.tag.rpartition("}")[2]
