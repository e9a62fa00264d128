"""What a file or an object says of a graph, before the reader's options decide what kind of graph it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding

NO_ARROW, ONE_WAY, TWO_WAYS = 0, 1, 2
"""How an edge is drawn: a line, an arrow, an arrow at both ends."""


class Direction(NamedTuple):
    """What a source says of the direction of its edges.

    Attributes
    ----------
    directed
        ``None`` where it says nothing.
    two_ways
        The edges that lead both ways where others do not; ``None`` for none.
    is_mixed
        Whether lines stand among arrows, so that somebody must decide.
    """

    directed: bool | None = None
    two_ways: NDArray[np.bool_] | None = None
    is_mixed: bool = False

    @classmethod
    def of_arrows(cls, arrows: Sequence[int], directed: bool) -> Direction:
        """Return the direction of edges that say theirs each; ``directed`` decides where there is no edge.

        Examples
        --------
        >>> Direction.of_arrows([ONE_WAY, NO_ARROW], directed=True).is_mixed
        True
        """
        drawn = np.asarray(arrows, dtype=np.int8)
        has_lines, has_arrows = bool((drawn == NO_ARROW).any()), bool((drawn == ONE_WAY).any())
        if not has_arrows and (has_lines or not directed):
            return cls(directed=False)
        two_ways = drawn != ONE_WAY
        return cls(True, two_ways if two_ways.any() else None, has_lines)


@dataclass(frozen=True, eq=False)
class Parts:
    """Vertices and edges as they were found.

    Attributes
    ----------
    names
        The vertices, each once.
    source, target
        The ends of every edge: places in ``names``.
    vertices, edges
        Attributes, a row per vertex or edge; without columns where there are none.
    direction
        What the source says of it.
    multigraph
        ``None``: a multigraph if there are parallel edges.
    sides
        0 or 1 per vertex, where the source says it apart from attributes.
    are_columns_sides
        Whether the two ends stand in columns that may be the two sides of a bipartite graph.
    lines
        The line of each edge in its file; ``None`` where it has none.
    findings
        What was met and left aside.
    """

    names: pl.Series
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    vertices: pl.DataFrame = field(default_factory=pl.DataFrame)
    edges: pl.DataFrame = field(default_factory=pl.DataFrame)
    direction: Direction = field(default_factory=Direction)
    multigraph: bool | None = None
    sides: NDArray[np.int8] | None = None
    are_columns_sides: bool = False
    lines: Sequence[int] | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def n_vertices(self) -> int:
        """How many vertices there are."""
        return len(self.names)

    def place(self, edge: int) -> str:
        """Say where an edge stands, for messages."""
        return f"edge {edge + 1}" if self.lines is None else f"line {self.lines[edge]}"
