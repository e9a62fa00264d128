"""Pajek networks: numbered vertices with labels, lines and arrows between them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import FormatError
from celosia.data.io.encodings import decode
from celosia.data.io.spelling import spell
from celosia.graphs.files.gathering import Cells, Gathering
from celosia.graphs.files.matrix import edges_of_array
from celosia.graphs.files.outgoing import SIDE, Outgoing, rows_of
from celosia.graphs.files.parts import NO_ARROW, ONE_WAY, Parts

_WORD = re.compile(r'\s*(?:"([^"]*)"|(\S+))')
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LABEL_DRAWN = {"lc", "la", "lr", "lphi", "fos", "font"}
_VERTEX_DRAWN = _LABEL_DRAWN | {"ic", "bc", "bw", "x_fact", "y_fact", "s_size", "phi", "r", "q"}
_LINE_DRAWN = _LABEL_DRAWN | {"c", "w", "p", "s", "a", "ap", "lp", "h1", "h2", "a1", "a2", "k1", "k2"}
"""The parameters of Pajek's drawings: of labels, of vertices and of lines."""

_WEIGHT = "weight"
_MOST_UNLISTED = 10_000_000


def read_pajek(data: bytes, file: str, encoding: str | None = None) -> Parts:
    r"""Return the network of a Pajek file: vertices, arcs and edges, their lists, or a matrix.

    The two numbers of a two-mode network are the sides of a bipartite graph. The value of a line is the attribute
    ``weight``, unless all are 1. A symmetric matrix is a graph without direction. A vertex is named by its label if
    every vertex has one of its own, else by its number. Pairs of words behind a vertex or line are attributes, but for
    the parameters of drawings.

    Raises
    ------
    FormatError
        The file is broken, holds no network or several, or a line ends at a vertex beyond their number. With the line,
        never with a cell.

    Examples
    --------
    >>> parts = read_pajek(b'*Vertices 2\n1 "Ana"\n2 "Eva"\n*Edges\n1 2 3.5\n', "friends.net")
    >>> parts.names.to_list(), parts.edges["weight"].to_list()
    (['Ana', 'Eva'], [3.5])
    """
    reader = _Reader(Gathering(file, "number vertices from 1 to the number behind *Vertices."), len(data))
    text = decode(data, file, encoding).data.decode("utf-8")
    for line, content in enumerate(text.splitlines(), start=1):
        content = content.strip()
        if content and not content.startswith("%"):
            reader.take(content, line)
    return reader.parts()


class _Word(NamedTuple):
    text: str
    is_quoted: bool

    @property
    def is_number(self) -> bool:
        return not self.is_quoted and _NUMBER.fullmatch(self.text) is not None


class _Reader:
    def __init__(self, gathering: Gathering, n_bytes: int) -> None:
        self.gathering = gathering
        # A file that only says its number of vertices may be tiny; a hostile one would fill the memory.
        self.most_vertices = max(_MOST_UNLISTED, n_bytes)
        self.section = ""
        self.relation: str | None = None
        self.n_vertices: int | None = None
        self.n_first_side: int | None = None
        self.given: dict[int, tuple[int, list[_Word]]] = {}
        self.has_arcs = False
        self.values: list[tuple[int, float]] = []
        self.matrix: list[list[float]] = []

    def take(self, content: str, line: int) -> None:
        """Hear of a line."""
        if content.startswith("*"):
            self._start(content, line)
        elif self.section == "vertices":
            self._vertex(self._words(content, line), line)
        elif self.section in ("arcs", "edges"):
            self._tie(self._words(content, line), line)
        elif self.section in ("arcslist", "edgeslist"):
            first, *others = self._words(content, line)
            for other in others:
                self._tie([first, other], line)
        elif self.section == "matrix":
            self._matrix_row(content.split(), line)
        else:
            raise self.gathering.fault(line, "a line before any section", "a Pajek file starts with *Vertices.")

    def parts(self) -> Parts:
        """Return what was read."""
        gathering = self.gathering
        if self.n_vertices is None:
            raise FormatError(f"{gathering.file} holds no network.", hint="a Pajek file needs *Vertices.")
        for number in range(1, self.n_vertices + 1):
            line, words = self.given.get(number, (1, []))
            row = gathering.vertex(str(number), line, words[1].text if len(words) > 1 else None)
            self._vertex_attributes(row, words[2:], line)
        if any(value != 1 for _, value in self.values):
            gathering.edges.default(_WEIGHT, 1.0)
            for row, value in self.values:
                gathering.edges.put(row, _WEIGHT, value)
        sides = None
        if self.n_first_side is not None:
            sides = (np.arange(self.n_vertices) >= self.n_first_side).astype(np.int8)
        parts = gathering.parts(directed=self.has_arcs, sides=sides)
        return parts if self.section != "matrix" else self._with_matrix(parts)

    def _with_matrix(self, parts: Parts) -> Parts:
        first = 0 if self.n_first_side is None else self.n_first_side
        n_rows = parts.n_vertices if self.n_first_side is None else first
        if len(self.matrix) != n_rows or len(parts.source):
            raise FormatError(
                f"the matrix of {self.gathering.file} has {len(self.matrix)} rows, and {len(parts.source)} edges stand "
                f"beside it; {n_rows} rows and nothing else were expected.",
                hint="the file may be cut short.",
            )
        square = np.zeros((parts.n_vertices, parts.n_vertices))
        square[:n_rows, first:] = np.array(self.matrix).reshape(n_rows, parts.n_vertices - first)
        if self.n_first_side is not None:
            square += square.T
        found = edges_of_array(square, self.gathering.file, directed=None, multigraph=None)
        return replace(found, names=parts.names, vertices=parts.vertices, sides=parts.sides)

    def _start(self, content: str, line: int) -> None:
        word, *others = content.split()
        section = word[1:].lower()
        if section == "vertices":
            self._start_vertices(others, line)
        elif section not in ("network", "arcs", "edges", "arcslist", "edgeslist", "matrix"):
            raise self.gathering.fault(
                line, "a section that is no part of a network", "keep *Vertices, *Arcs, *Edges and *Matrix only."
            )
        elif section != "network" and self.n_vertices is None:
            raise self.gathering.fault(line, "lines come before the vertices", "a Pajek file starts with *Vertices.")
        elif section == "network" and self.n_vertices is not None:
            raise self.gathering.fault(line, "a second network starts", "put every network into a file of its own.")
        self.section = section
        self.relation = others[0][1:] if section != "vertices" and others and others[0].startswith(":") else None
        self.has_arcs |= section in ("arcs", "arcslist")

    def _start_vertices(self, numbers: Sequence[str], line: int) -> None:
        if self.n_vertices is not None:
            raise self.gathering.fault(line, "a second network starts", "put every network into a file of its own.")
        if not 1 <= len(numbers) <= 2 or not all(number.isdecimal() and len(number) < 11 for number in numbers):
            raise self.gathering.fault(line, "*Vertices wants the number of vertices, and that of the first side")
        total, *first = (int(number) for number in numbers)
        if total > self.most_vertices or any(side > total for side in first):
            raise self.gathering.fault(
                line,
                "the numbers of vertices are too large, or the first side is larger than all",
                "list the vertices.",
            )
        self.n_vertices, self.n_first_side = total, first[0] if first else None

    def _vertex(self, words: list[_Word], line: int) -> None:
        number = self._number(words[0].text, line)
        if number in self.given:
            raise self.gathering.fault(line, "a vertex comes up again: its number is taken")
        self.given[number] = line, words

    def _vertex_attributes(self, row: int, words: Sequence[_Word], line: int) -> None:
        rest = list(words)
        while rest and rest[0].is_number:
            self.gathering.has_drawing |= float(rest.pop(0).text) != 0
        if rest and len(rest) % 2 == 1 and len(rest) < len(words):
            rest.pop(0)  # the shape stands behind the coordinates
        self._pairs(row, rest, self.gathering.vertices, _VERTEX_DRAWN, line)

    def _tie(self, words: Sequence[_Word], line: int) -> None:
        if len(words) < 2:
            raise self.gathering.fault(line, "an edge has one end", "write both ends.")
        source, target = (str(self._number(word.text, line)) for word in words[:2])
        arrow = ONE_WAY if self.section in ("arcs", "arcslist") else NO_ARROW
        row = self.gathering.edge(source, target, arrow, line)
        rest = list(words[2:])
        self.values.append((row, float(rest.pop(0).text) if rest and rest[0].is_number else 1.0))
        if self.relation is not None:
            self.gathering.edges.put(row, "relation", self.relation)
        self._pairs(row, rest, self.gathering.edges, _LINE_DRAWN, line)

    def _matrix_row(self, entries: Sequence[str], line: int) -> None:
        n_expected = (self.n_vertices or 0) - (self.n_first_side or 0)
        if len(entries) != n_expected:
            raise self.gathering.fault(line, f"a row of the matrix has {len(entries)} entries instead of {n_expected}")
        for place, entry in enumerate(entries, start=1):
            if not _NUMBER.fullmatch(entry):
                raise self.gathering.fault(line, f"entry {place} is not a number", "an entry is 0 without an edge.")
        self.matrix.append([float(entry) for entry in entries])

    def _pairs(self, row: int, words: Sequence[_Word], cells: Cells, drawn: set[str], line: int) -> None:
        pairs = [word for word in words if word.is_quoted or not word.text.startswith("[")]
        self.gathering.has_time |= len(pairs) < len(words)
        if len(pairs) % 2:
            raise self.gathering.fault(line, "a word stands alone: attributes are pairs of a name and a value")
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if name.text.lower() in drawn:
                self.gathering.has_drawing = True
            else:
                cells.put(row, "label" if name.text == "l" else name.text, value.text)

    def _words(self, content: str, line: int) -> list[_Word]:
        found = []
        for match in _WORD.finditer(content):
            quoted, bare = match.groups()
            if bare is not None and bare.startswith('"'):
                raise self.gathering.fault(line, "a quote is never closed")
            found.append(_Word(quoted, True) if bare is None else _Word(bare, False))
        return found

    def _number(self, word: str, line: int) -> int:
        if not word.isdecimal() or len(word) > 10 or not 1 <= int(word) <= (self.n_vertices or 0):
            raise self.gathering.fault(
                line, "the number of a vertex is not one from 1 to the number behind *Vertices", "correct the number."
            )
        return int(word)


def write_pajek(graph: Outgoing, file: IO[bytes]) -> None:
    """Write a graph as a Pajek network: vertices by number and label, a bipartite graph as a two-mode network.

    The attribute ``weight``, if a number on every edge, is the value of the lines. Other attributes follow as pairs of
    name and text, as networkx writes and reads them.

    Raises
    ------
    FormatError
        A text holds a quote or a line end, or an attribute has a name of Pajek's own.

    Examples
    --------
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> file = io.BytesIO()
    >>> write_pajek(outgoing(Graph.of_edges([0], [0]), Randomness())[0], file)
    >>> print(file.getvalue().decode())
    *Vertices 1
    1 "0"
    *Edges
    1 1
    """
    place, first_side = _by_sides(graph)
    order = np.argsort(place)
    vertices = spell(graph.vertices.drop(SIDE) if graph.bipartite else graph.vertices, decimal=".")
    weight = _weight_of(graph.edges)
    edges = spell(graph.edges.drop(_WEIGHT) if weight is not None else graph.edges, decimal=".")
    _refuse_texts([graph.names.cast(pl.String).alias("name"), *vertices.get_columns()], _VERTEX_DRAWN)
    _refuse_texts(edges.get_columns(), _LINE_DRAWN | {"l"})
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
    text.write(f"*Vertices {graph.n_vertices}{first_side}\n")
    rows = rows_of(vertices[order] if vertices.width else vertices, graph.n_vertices)
    for number, (name, cells) in enumerate(zip(graph.names[order], rows, strict=True), start=1):
        pairs = _pairs_text(vertices.columns, cells)
        text.write(f'{number} "{name}"{" 0.0 0.0 ellipse" if pairs else ""}{pairs}\n')
    text.write("*Arcs\n" if graph.directed else "*Edges\n")
    values = [""] * len(graph.source) if weight is None else [f" {value}" for value in weight]
    rows = rows_of(edges, len(graph.source))
    ends = zip((place[graph.source] + 1).tolist(), (place[graph.target] + 1).tolist(), values, rows, strict=True)
    for source, target, value, cells in ends:
        pairs = _pairs_text(edges.columns, cells)
        text.write(f"{source} {target}{value or (' 1' if pairs else '')}{pairs}\n")
    text.detach()


def _by_sides(graph: Outgoing) -> tuple[NDArray[np.int64], str]:
    """Return where each vertex stands, the first side first, and what *Vertices says of it."""
    if not graph.bipartite:
        return np.arange(graph.n_vertices), ""
    sides = graph.vertices[SIDE].to_numpy()
    place = np.empty(graph.n_vertices, dtype=np.int64)
    place[np.argsort(sides, kind="stable")] = np.arange(graph.n_vertices)
    return place, f" {int((sides == 0).sum())}"


def _weight_of(edges: pl.DataFrame) -> list[float] | None:
    if _WEIGHT not in edges.columns:
        return None
    column = edges[_WEIGHT]
    return None if column.null_count() or not column.dtype.is_numeric() else column.to_list()


def _pairs_text(names: Sequence[str], cells: Sequence[str | None]) -> str:
    return "".join(f' {name} "{cell}"' for name, cell in zip(names, cells, strict=True) if cell is not None)


def _refuse_texts(columns: Sequence[pl.Series], drawn: set[str]) -> None:
    for column in columns:
        name = column.name
        if name.lower() in drawn or _NUMBER.fullmatch(name) or not re.fullmatch(r'[^\s"\[*%][^\s"]*', name):
            raise FormatError(
                f"the attribute '{name}' has a name that Pajek cannot hold, or one of its own.",
                hint="rename it, drop it, or write graphml.",
            )
        n_bad = int(column.str.contains('["\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]').sum())
        if n_bad:
            raise FormatError(
                f"{n_bad} texts of '{name}' hold a quote or a line end, which Pajek cannot hold.",
                hint="take them out, drop the attribute, or write graphml.",
            )
