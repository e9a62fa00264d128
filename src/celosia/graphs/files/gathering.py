"""Vertices and edges gathered one by one, by the readers of files that name each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import FormatError
from celosia.base.findings import Finding
from celosia.graphs.files.columns import Cells
from celosia.graphs.files.parts import Direction, Parts

_LIMIT = 2**63


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

    def _findings(self) -> list[Finding]:
        found = [*self.vertices.findings(), *self.edges.findings()]
        if self.has_ports:
            found.append(
                Finding("PORTS_LEFT_ASIDE", "note", "The ports of vertices were left aside: edges end at the vertex.")
            )
        if self.has_time:
            found.append(
                Finding(
                    "TIME_LEFT_ASIDE",
                    "warning",
                    "The file says when vertices, edges or values hold; the time was left aside, and with it "
                    "attributes that change over time.",
                )
            )
        if self.has_drawing:
            found.append(
                Finding("DRAWING_LEFT_ASIDE", "note", "Positions, colours and other data of a drawing were left aside.")
            )
        return found
