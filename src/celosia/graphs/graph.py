"""Graph: vertices and edges as arrays, with the names and attributes that came with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from celosia.base.errors import ColumnNotFoundError, InputError, nearest
from celosia.base.findings import Finding


class Adjacency(NamedTuple):
    """The rows of an adjacency matrix: the neighbours of vertex v are ``indices[starts[v]:starts[v + 1]]``, ascending.

    Attributes
    ----------
    starts, indices
        Where each row starts, and the neighbours, row after row.
    entries
        What stands in the matrix: 1 in a simple graph, the number of parallel edges in a multigraph, the rank of the
        weight (parallel edges' weights summed up) where one is named. Rows are equal if neighbours and entries are.
    """

    starts: NDArray[np.int64]
    indices: NDArray[np.int32]
    entries: NDArray[np.int64]

    @property
    def degrees(self) -> NDArray[np.int64]:
        """How many neighbours each vertex has."""
        degrees: NDArray[np.int64] = np.diff(self.starts)
        return degrees


@dataclass(frozen=True, eq=False)
class Graph:
    """Vertices 0 .. n - 1 and edges between them. Made by ``read``, ``from_networkx`` and the like, or ``of_edges``.

    Attributes
    ----------
    n_vertices
        How many vertices, isolated ones included.
    source, target
        The ends of every edge. Without direction ``source <= target``. Edges are sorted by their ends; in a simple
        graph no two have the same.
    directed, multigraph
        Whether edges have a direction; whether parallel edges count.
    names
        What the vertices are called in the input. They are never written out.
    vertices
        The attributes of vertices, a row each.
    edges
        The attributes of edges, a row each, in the order of ``source`` and ``target``.
    weight
        The attribute of edges that counts as their weight; ``None``: weights are left aside.
    sides
        0 or 1 per vertex where the graph is declared bipartite.
    name
        What the graph is called in messages.
    findings
        What was met while reading: duplicate edges, loops.
    origin
        In a graph that ``run`` made: the name that each vertex had in the original, so that the two can be compared.
        It is never written, and it is left behind when the graph is pickled or copied.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> square.n_vertices, square.n_edges, square.out.degrees.tolist()
    (4, 4, [2, 2, 2, 2])
    """

    n_vertices: int
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    directed: bool = False
    multigraph: bool = False
    names: pl.Series = field(default_factory=lambda: pl.Series([], dtype=pl.String), repr=False)
    vertices: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)
    edges: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)
    weight: str | None = None
    sides: NDArray[np.int8] | None = field(default=None, repr=False)
    name: str = "the graph"
    findings: tuple[Finding, ...] = ()
    origin: pl.Series | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "origin": None}

    @classmethod
    def of_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        n_vertices: int | None = None,
        *,
        directed: bool = False,
        multigraph: bool = False,
        names: pl.Series | None = None,
        vertices: pl.DataFrame | None = None,
        edges: pl.DataFrame | None = None,
        weight: str | None = None,
        sides: ArrayLike | None = None,
        name: str = "the graph",
        findings: Sequence[Finding] = (),
    ) -> Graph:
        """Return the graph of these edges, its edges sorted; in a simple graph duplicates are merged and told.

        Of merged edges the first keeps its attributes. Loops stay: a vertex with a loop is its own neighbour.

        Raises
        ------
        InputError
            Ends are no vertices, or lengths disagree.
        """
        ends = [np.asarray(end) for end in (source, target)]
        n_vertices = _n_vertices(ends, n_vertices, names, vertices)
        if edges is not None and edges.width and edges.height != len(ends[0]):
            raise InputError("attributes of edges do not have a row per edge.", hint="give one row for each edge.")
        left, right = (np.ascontiguousarray(end, dtype=np.int32) for end in ends)
        if not directed:
            left, right = np.minimum(left, right), np.maximum(left, right)
        keys, order = _sorted(left.astype(np.int64) * n_vertices + right, edges)
        found = list(findings)
        n_loops = int(np.count_nonzero(left == right))
        if n_loops:
            found.append(_loops(n_loops))
        if not multigraph and len(keys):
            is_first = np.concatenate([[True], keys[1:] != keys[:-1]])
            n_merged = len(keys) - int(is_first.sum())
            keys, order = keys[is_first], None if order is None else order[is_first]
            if n_merged:
                found.append(_duplicates(n_merged))
        first_ends = keys // max(n_vertices, 1)
        return cls(
            n_vertices=n_vertices,
            source=first_ends.astype(np.int32),
            target=(keys - first_ends * n_vertices).astype(np.int32),
            directed=directed,
            multigraph=multigraph,
            names=pl.Series("name", np.arange(n_vertices)) if names is None else names.alias("name"),
            vertices=pl.DataFrame() if vertices is None else vertices,
            edges=pl.DataFrame() if edges is None or order is None else edges[order],
            weight=_checked_weight(weight, edges),
            sides=None if sides is None else _checked_sides(np.asarray(sides), n_vertices),
            name=name,
            findings=tuple(found),
        )

    @property
    def n_edges(self) -> int:
        """How many edges; parallel ones count each in a multigraph."""
        return len(self.source)

    @property
    def kind(self) -> str:
        """The graph in words: ``directed multigraph``, ``graph``."""
        words = [word for word, holds in (("bipartite", self.sides is not None), ("directed", self.directed)) if holds]
        return " ".join([*words, "multigraph" if self.multigraph else "graph"])

    @cached_property
    def out(self) -> Adjacency:
        """The rows of the adjacency matrix: who is reached from each vertex; without direction, its neighbours."""
        if self.directed:
            return self._rows(self.source, self.target, self._amounts)
        there = self.source != self.target  # a loop is one entry, not two
        return self._rows(
            np.concatenate([self.source, self.target[there]]),
            np.concatenate([self.target, self.source[there]]),
            np.concatenate([self._amounts, self._amounts[there]]),
        )

    @cached_property
    def into(self) -> Adjacency:
        """The columns of the adjacency matrix: from whom each vertex is reached; without direction, ``out``."""
        if not self.directed:
            return self.out
        return self._rows(self.target, self.source, self._amounts)

    @cached_property
    def is_linked(self) -> NDArray[np.bool_]:
        """Whether each vertex has an edge, be it to itself."""
        return (self.out.degrees > 0) | (self.into.degrees > 0)

    @cached_property
    def has_loops(self) -> bool:
        """Whether some vertex is its own neighbour."""
        return bool((self.source == self.target).any())

    def with_edges(self, source: ArrayLike, target: ArrayLike, edges: pl.DataFrame | None = None) -> Graph:
        """Return the same vertices with other edges."""
        made = Graph.of_edges(
            source,
            target,
            self.n_vertices,
            directed=self.directed,
            multigraph=self.multigraph,
            names=self.names,
            edges=edges,
            weight=None if edges is None else self.weight,
        )
        return replace(made, vertices=self.vertices, sides=self.sides, name=self.name)

    def to_dict(self) -> dict[str, Any]:
        """Return kind and counts."""
        return {
            "kind": self.kind,
            "n_vertices": self.n_vertices,
            "n_edges": self.n_edges,
            "n_isolated": int(np.count_nonzero(~self.is_linked)),
            "n_loops": int(np.count_nonzero(self.source == self.target)),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @cached_property
    def _amounts(self) -> NDArray[Any]:
        """What an edge adds to the matrix: 1, or its weight."""
        if self.weight is None:
            return np.ones(self.n_edges, dtype=np.int64)
        weights = self.edges[self.weight].to_numpy()
        if weights.dtype.kind == "f":
            return weights.astype(np.float64, copy=False)  # sums of short floats would drop what tells them apart
        greatest = max(abs(int(weights.min())), abs(int(weights.max()))) if len(weights) else 0
        is_within = greatest * len(weights) <= np.iinfo(np.int64).max
        return weights if is_within else weights.astype(object)  # sums beyond 64 bits would come round to others

    def _rows(self, row: NDArray[np.int32], column: NDArray[np.int32], amount: NDArray[Any]) -> Adjacency:
        n = max(self.n_vertices, 1)
        keys, order = _sorted(row.astype(np.int64) * n + column, None if self.weight is None else self.edges)
        firsts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
        entries = np.diff(firsts, append=len(keys))
        keys = keys[firsts]
        if order is not None:
            sums = np.add.reduceat(amount[order], firsts) if len(firsts) else np.zeros(0, dtype=np.int64)
            entries = np.unique(sums, return_inverse=True)[1].astype(np.int64) + 1
        starts = np.searchsorted(keys, np.arange(self.n_vertices + 1, dtype=np.int64) * n)
        return Adjacency(starts.astype(np.int64), (keys % n).astype(np.int32), entries)


def stretches(firsts: NDArray[np.integer], lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return whole numbers in stretches, each so long and from its first on, one stretch after the other.

    Examples
    --------
    >>> stretches(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    found: NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(firsts - (ends - lengths), lengths)
    return found


def pair_keys(source: NDArray[Any], target: NDArray[Any], n_vertices: int, directed: bool) -> NDArray[np.int64]:
    """Return a number per edge by which it is told apart: without direction the same whichever end comes first.

    Examples
    --------
    >>> pair_keys(np.array([0, 2]), np.array([1, 0]), 3, directed=False).tolist()
    [1, 2]
    """
    left, right = source.astype(np.int64), target.astype(np.int64)
    if not directed:
        left, right = np.minimum(left, right), np.maximum(left, right)
    return left * max(n_vertices, 1) + right


def _sorted(
    keys: NDArray[np.int64], attributes: pl.DataFrame | None
) -> tuple[NDArray[np.int64], NDArray[np.intp] | None]:
    """Return keys ascending, and the order that makes them so; without attributes nobody needs it, and it is slow."""
    if attributes is None or not attributes.width:
        return np.sort(keys), None
    order = np.argsort(keys, kind="stable")
    return keys[order], order


def _n_vertices(
    ends: Sequence[NDArray[Any]], n_vertices: int | None, names: pl.Series | None, vertices: pl.DataFrame | None
) -> int:
    """Return how many vertices there are, once all that is given agrees."""
    source, target = ends
    if source.ndim != 1 or source.shape != target.shape:
        raise InputError("edges need a source and a target each.", hint="give two lists of equal length.")
    for end in ends:
        if len(end) and not np.issubdtype(end.dtype, np.integer):
            raise InputError("the ends of edges must be whole numbers from 0: places of vertices.", hint="use read().")
    highest = max((int(end.max()) for end in ends if len(end)), default=-1)
    given = [n for n in (n_vertices, None if names is None else len(names)) if n is not None]
    if vertices is not None and vertices.width:
        given.append(vertices.height)
    n = given[0] if given else highest + 1
    if any(other != n for other in given) or highest >= n or any(len(end) and int(end.min()) < 0 for end in ends):
        raise InputError(
            "edges, names and attributes do not speak of the same vertices.",
            hint="ends are places from 0 to n_vertices - 1; names and attributes have a row per vertex.",
        )
    if n > np.iinfo(np.int32).max:
        raise InputError("the graph has too many vertices: 2,147,483,647 is the most.")
    return n


def _checked_sides(sides: NDArray[Any], n_vertices: int) -> NDArray[np.int8]:
    if sides.shape != (n_vertices,) or not np.isin(sides, (0, 1)).all():
        raise InputError("sides must be 0 or 1 for every vertex.", hint="give one number per vertex.")
    return sides.astype(np.int8)


def _checked_weight(weight: str | None, edges: pl.DataFrame | None) -> str | None:
    columns = [] if edges is None else edges.columns
    if weight is not None and weight not in columns:
        raise ColumnNotFoundError(
            f"edges have no attribute '{weight}' that could be their weight.", hint=nearest(weight, columns)
        )
    if edges is not None and weight is not None:
        amounts = edges[weight]
        if not amounts.dtype.is_numeric() or amounts.null_count() or not amounts.cast(pl.Float64).is_finite().all():
            raise InputError(
                f"the weight '{weight}' is not a number on every edge.", hint="fill it in, or leave the weight out."
            )
    return weight


def _loops(n_loops: int) -> Finding:
    return Finding(
        "SELF_LOOPS",
        "note",
        "{n_loops} edges lead from a vertex to itself; such a vertex counts as its own neighbour.",
        values={"n_loops": n_loops},
    )


def _duplicates(n_merged: int) -> Finding:
    return Finding(
        "DUPLICATE_EDGES",
        "note",
        "{n_merged} edges repeat another one and were merged with it; read it as a multigraph to count them.",
        values={"n_merged": n_merged},
    )
