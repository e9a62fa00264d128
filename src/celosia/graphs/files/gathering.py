"""Vertices and edges gathered one by one, by the readers of files that name each of them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import FormatError
from celosia.base.findings import Finding
from celosia.data.io.spelling import cell_text
from celosia.graphs.files.parts import Direction, Parts

_PLAIN = (bool, int, float, str, datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
_NESTED = (list, tuple, dict, set, frozenset, bytes, bytearray, np.ndarray)


_LIMIT = 2**63


class Cells:
    """Cells of attributes, collected row by row; a row may lack any of them.

    Examples
    --------
    >>> cells = Cells()
    >>> cells.put(0, "age", 39)
    >>> cells.put(2, "age", 44)
    >>> cells.frame(3)["age"].to_list()
    [39, None, 44]
    """

    def __init__(self) -> None:
        self._columns: dict[str, tuple[list[int], list[Any]]] = {}
        self._types: dict[str, Any] = {}
        self._defaults: dict[str, Any] = {}
        self._nested: set[str] = set()

    def put(self, row: int, name: str, value: Any) -> None:
        """Store one cell."""
        rows, values = self._columns.setdefault(name, ([], []))
        rows.append(row)
        values.append(value)

    def put_all(self, row: int, cells: Mapping[Any, Any]) -> None:
        """Store the cells of one row."""
        for name, value in cells.items():
            self.put(row, str(name), value)

    def declare(self, name: str, dtype: Any) -> None:
        """Have a column of this type, also where no row has a cell of it."""
        self._columns.setdefault(name, ([], []))
        self._types[name] = dtype

    def default(self, name: str, value: Any) -> None:
        """Have rows without a cell of this column take this value."""
        self._defaults[name] = value

    def frame(self, n_rows: int) -> pl.DataFrame:
        """Return the columns in the order in which they came up; nested ones are left aside."""
        columns = []
        for name, (rows, values) in self._columns.items():
            cells: list[Any] = [self._defaults.get(name)] * n_rows
            for row, value in zip(rows, values, strict=True):
                cells[row] = value
            column = pl.Series(name, cells, dtype=self._types[name]) if name in self._types else series_of(name, cells)
            if column is None:
                self._nested.add(name)
            else:
                columns.append(column)
        return pl.DataFrame(columns)

    def findings(self) -> list[Finding]:
        """Return what ``frame`` left aside."""
        return [
            Finding(
                "NESTED_ATTRIBUTE",
                "note",
                "The attribute '{column}' holds lists or structures; it was left aside.",
                name,
            )
            for name in sorted(self._nested)
        ]


def series_of(name: str, cells: list[Any]) -> pl.Series | None:
    """Return cells as a column: typed if all are of one kind, text if of several, ``None`` if one of them is nested.

    Whole numbers beyond 64 bits are text; NaN and ``None`` are missing.

    Raises
    ------
    FormatError
        A text holds half characters.

    Examples
    --------
    >>> series_of("age", [39, None]).dtype, series_of("age", [39, "44"]).to_list(), series_of("age", [[39]])
    (Int64, ['39', '44'], None)
    """
    plain = [_plain(cell) for cell in cells]
    if any(isinstance(cell, _NESTED) for cell in plain):
        return None
    kinds = {_kind(cell) for cell in plain if cell is not None}
    if kinds == {int} and all(-(2**63) <= cell < 2**63 for cell in plain if cell is not None):
        return pl.Series(name, plain, dtype=pl.Int64)
    if float in kinds and kinds <= {int, float}:
        return pl.Series(name, [None if cell is None else float(cell) for cell in plain], dtype=pl.Float64)
    if len(kinds) == 1 and not kinds & {int, str, object}:
        return pl.Series(name, plain)
    try:
        texts = [cell if isinstance(cell, str) else cell_text(cell) for cell in plain]
        return pl.Series(name, texts, dtype=pl.String)
    except UnicodeEncodeError:
        pass
    raise FormatError(f"the attribute '{name}' holds half characters (lone surrogates).", hint="read its source anew.")


def _plain(cell: Any) -> Any:
    if isinstance(cell, np.generic):
        cell = cell.item()
    # NaN, and the missing moment of pandas, are the values that differ from themselves.
    return None if isinstance(cell, float | datetime.datetime) and cell != cell else cell


def _kind(cell: Any) -> type:
    if isinstance(cell, datetime.datetime) and cell.tzinfo is not None:
        return object  # as text: its own date would change with a change of zone
    return next((kind for kind in _PLAIN if isinstance(cell, kind)), object)


def _truth(text: str) -> bool:
    return {"true": True, "1": True, "false": False, "0": False}[text.strip().lower()]


def _whole(text: str) -> int:
    value = int(text)
    if "_" in text or not -_LIMIT <= value < _LIMIT:
        raise ValueError
    return value


def _real(text: str) -> float:
    if "_" in text:
        raise ValueError
    return float(text)


DECODERS: dict[str, tuple[Callable[[str], Any], Any]] = {
    "boolean": (_truth, pl.Boolean),
    "int": (_whole, pl.Int64),
    "integer": (_whole, pl.Int64),
    "long": (_whole, pl.Int64),
    "float": (_real, pl.Float64),
    "double": (_real, pl.Float64),
    "string": (str, pl.String),
}
"""What turns the text of a declared type into a cell, and the type of its column; refusal is a ``ValueError``."""


class Gathering:
    """A graph that is being read.

    Parameters
    ----------
    file
        Its name, for messages.
    declare_hint
        How a file of this format declares a vertex, for messages.

    Examples
    --------
    >>> gathering = Gathering("friends.gml", "write node [ id ... ].")
    >>> _ = gathering.vertex("1", line=2, label="Ana"), gathering.vertex("2", line=3, label="Eva")
    >>> _ = gathering.edge("1", "2", arrow=0, line=4)
    >>> parts = gathering.parts(directed=False)
    >>> parts.names.to_list(), parts.source.tolist(), parts.target.tolist()
    (['Ana', 'Eva'], [0], [1])
    """

    def __init__(self, file: str, declare_hint: str) -> None:
        self.file = file
        self.vertices, self.edges = Cells(), Cells()
        self.has_drawing = self.has_time = self.has_ports = False
        self._declare_hint = declare_hint
        self._places: dict[str, int] = {}
        self._labels: list[str | None] = []
        self._ends: tuple[list[str], list[str]] = ([], [])
        self._arrows: list[int] = []
        self._lines: list[int] = []

    @property
    def n_vertices(self) -> int:
        """How many vertices there are so far."""
        return len(self._labels)

    @property
    def n_edges(self) -> int:
        """How many edges there are so far."""
        return len(self._lines)

    def vertex(self, name: str, line: int, label: str | None = None) -> int:
        """Add a vertex and return its row."""
        if name in self._places:
            raise self.fault(line, "a vertex comes up again: its id is taken", "give every vertex an id of its own.")
        self._places[name] = len(self._labels)
        self._labels.append(label)
        return self._places[name]

    def edge(self, source: str, target: str, arrow: int, line: int) -> int:
        """Add an edge and return its row."""
        self._ends[0].append(source)
        self._ends[1].append(target)
        self._arrows.append(arrow)
        self._lines.append(line)
        return len(self._lines) - 1

    def cells(self, scope: str) -> Cells:
        """Return the attributes of vertices (``node``) or of edges (``edge``)."""
        return self.vertices if scope == "node" else self.edges

    def put(self, scope: str, name: str, value: Any) -> None:
        """Store a cell of the vertex or of the edge that came last."""
        self.cells(scope).put((self.n_vertices if scope == "node" else self.n_edges) - 1, name, value)

    def decoded(self, text: str, kind: str, name: str, line: int) -> Any:
        """Return the cell of a declared type; empty text is missing, and blank text too unless it is to be text."""
        if not text or (not text.strip() and kind != "string"):
            return None
        try:
            return DECODERS[kind][0](text)
        except (ValueError, KeyError):
            pass
        raise self.fault(line, f"data of the attribute '{name}' is not of the type that the file declares ({kind})")

    def fault(self, line: int, what: str, hint: str = "write the file anew.") -> FormatError:
        """Return the error that says what is wrong in a line."""
        return FormatError(f"line {line} of {self.file}: {what}.", hint=hint)

    def parts(self, directed: bool, multigraph: bool | None = None, sides: NDArray[np.int8] | None = None) -> Parts:
        """Return what was gathered; a vertex is named by its label if every vertex has one of its own, else by id."""
        labels = [label for label in self._labels if label is not None and label.strip()]
        has_labels = len(set(labels)) == len(self._labels)
        return Parts(
            names=pl.Series("name", labels if has_labels else list(self._places), dtype=pl.String),
            source=self._found(self._ends[0]),
            target=self._found(self._ends[1]),
            vertices=self.vertices.frame(self.n_vertices),
            edges=self.edges.frame(self.n_edges),
            direction=Direction.of_arrows(self._arrows, directed),
            multigraph=multigraph,
            sides=sides,
            lines=self._lines,
            findings=tuple(self._findings()),
        )

    def _found(self, names: Sequence[str]) -> NDArray[np.int32]:
        places = np.fromiter((self._places.get(name, -1) for name in names), dtype=np.int32, count=len(names))
        unknown = places < 0
        if unknown.any():
            raise FormatError(
                f"{int(unknown.sum())} edges of {self.file} end at a vertex that it does not hold; "
                f"the first is in line {self._lines[int(unknown.argmax())]}.",
                hint=self._declare_hint,
            )
        return places

    def _findings(self) -> Iterator[Finding]:
        yield from self.vertices.findings()
        yield from self.edges.findings()
        if self.has_ports:
            yield Finding("PORTS_LEFT_ASIDE", "note", "The ports of vertices were left aside: edges end at the vertex.")
        if self.has_time:
            yield Finding(
                "TIME_LEFT_ASIDE",
                "warning",
                "The file says when vertices, edges or values hold; the time was left aside, and with it "
                "attributes that change over time.",
            )
        if self.has_drawing:
            yield Finding(
                "DRAWING_LEFT_ASIDE", "note", "Positions, colours and other data of a drawing were left aside."
            )
