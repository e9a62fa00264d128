"""What goes out of a graph: fresh names, and vertices and edges in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError, nearest
from celosia.data.io.spelling import spell
from celosia.graphs.graph import Graph

SIDE = "bipartite"
"""The attribute of vertices that says their side, as networkx calls it."""
_KEEPING = ", or keep all names (keep_names=True)"


@dataclass(frozen=True, eq=False)
class Outgoing:
    """A graph as it will stand in a file.

    Attributes
    ----------
    names
        What vertices are called in the file, in the order in which they stand there.
    source, target
        The ends of edges, as places in ``names``, in the order and direction in which they stand in the file.
    vertices, edges
        Their attributes, in the same orders; the sides of a bipartite graph are the attribute ``bipartite``.
    directed, multigraph, bipartite
        The kind of graph.
    weight
        The attribute of edges that is their weight.
    """

    names: pl.Series
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    vertices: pl.DataFrame
    edges: pl.DataFrame
    directed: bool
    multigraph: bool
    bipartite: bool
    weight: str | None

    @property
    def n_vertices(self) -> int:
        """How many vertices there are."""
        return len(self.names)

    def vertex_texts(self) -> Iterator[tuple[str | None, ...]]:
        """Give the attributes of each vertex as texts; ``None`` where one is missing."""
        return rows_of(spell(self.vertices, decimal="."), self.n_vertices)

    def edge_texts(self) -> Iterator[tuple[int, int, tuple[str | None, ...]]]:
        """Give the ends and the attributes of each edge."""
        texts = rows_of(spell(self.edges, decimal="."), len(self.source))
        return zip(self.source.tolist(), self.target.tolist(), texts, strict=True)


def rows_of(frame: pl.DataFrame, n_rows: int) -> Iterator[tuple[Any, ...]]:
    """Give the cells of each row; a frame without columns does not know how many there are."""
    return frame.iter_rows() if frame.width else iter([()] * n_rows)


def outgoing(
    graph: Graph,
    randomness: Randomness,
    *,
    keep_names: bool = False,
    keep_order: bool = False,
    drop: Collection[str] = (),
) -> tuple[Outgoing, pl.Series]:
    """Return the graph as it may go out, and the name that each vertex has there, in the graph's order.

    Fresh names are the numbers from 0 on, dealt out by a random permutation. Vertices and edges are shuffled, and each
    edge without direction is written one way or the other by the toss of a coin; in a bipartite one the first side
    comes first.

    Parameters
    ----------
    graph
        Any graph.
    randomness
        Where permutations come from.
    keep_names, keep_order
        Keep what would tell vertices: on request only.
    drop
        Attributes of vertices or edges that stay behind.

    Raises
    ------
    OptionError
        ``drop`` names no attribute.
    InputError
        An attribute repeats the names of vertices, and names are not kept.

    Examples
    --------
    >>> graph = Graph.of_edges([0], [1], names=pl.Series(["ana", "eva"]))
    >>> out, names = outgoing(graph, Randomness(seed=1))
    >>> out.names.to_list(), sorted(names)
    ([0, 1], [0, 1])
    """
    graph = without(graph, drop)
    vertices, edges = graph.vertices, graph.edges
    if not keep_names:
        refuse_names(graph)
    n, m = graph.n_vertices, graph.n_edges
    place = np.arange(n) if keep_order else randomness.permutation(n)
    fresh = randomness.permutation(n) if keep_order else place
    names = graph.names if keep_names else pl.Series("name", fresh.astype(np.int64))
    vertex_order = np.argsort(place)
    edge_order = np.arange(m) if keep_order else randomness.permutation(m)
    if graph.sides is not None:
        vertices = vertices.with_columns(pl.Series(SIDE, graph.sides.astype(np.int64)))
    out = Outgoing(
        names=names[vertex_order],
        source=place.astype(np.int32)[graph.source[edge_order]],
        target=place.astype(np.int32)[graph.target[edge_order]],
        vertices=vertices[vertex_order] if vertices.width else vertices,
        edges=edges[edge_order] if edges.width else edges,
        directed=graph.directed,
        multigraph=graph.multigraph,
        bipartite=graph.sides is not None,
        weight=graph.weight,
    )
    return (out if graph.directed else _turned(out, randomness, keep_order)), names


def _turned(out: Outgoing, randomness: Randomness, keep_order: bool) -> Outgoing:
    """Return edges without direction written either way; from the first side to the second where there are sides."""
    if out.bipartite:
        turn = out.vertices[SIDE].to_numpy()[out.source] == 1
    elif keep_order:
        return out
    else:
        turn = (randomness.keys(len(out.source)) & np.uint64(1)).astype(bool)
    return replace(out, source=np.where(turn, out.target, out.source), target=np.where(turn, out.source, out.target))


def without(graph: Graph, drop: Collection[str]) -> Graph:
    """Return the graph without some attributes of vertices or edges; a weight that is dropped no longer counts.

    Raises
    ------
    OptionError
        ``drop`` names no attribute, or is no list.

    Examples
    --------
    >>> graph = Graph.of_edges([0], [1], edges=pl.DataFrame({"km": [3], "note": ["x"]}))
    >>> without(graph, ["note"]).edges.columns
    ['km']
    """
    if isinstance(drop, str) or not isinstance(drop, Collection) or not all(isinstance(name, str) for name in drop):
        raise OptionError("drop must be a list of attributes.", hint="drop=['label'].", about="drop")
    known = {*graph.vertices.columns, *graph.edges.columns}
    for name in drop:
        if name not in known:
            raise OptionError(
                f"'{name}' is no attribute of vertices or edges.", hint=nearest(name, known), about="drop"
            )
    vertices, edges = (
        frame.select(column for column in frame.get_columns() if column.name not in drop)
        for frame in (graph.vertices, graph.edges)
    )
    weight = graph.weight if graph.weight in edges.columns else None
    findings = tuple(found for found in graph.findings if found.column is None or found.column not in drop)
    return replace(graph, vertices=vertices, edges=edges, weight=weight, findings=findings)


def refuse_names(graph: Graph, way_out: str = _KEEPING) -> None:
    """Refuse an attribute that repeats what vertices, or the ends of edges, are called.

    Numbers agree by chance: they count only where every vertex has its own, and there are five or more.

    Parameters
    ----------
    graph
        The graph as it is to go out.
    way_out
        What the hint says beside dropping the attribute.

    Raises
    ------
    InputError
        There is such an attribute.

    Examples
    --------
    >>> people = pl.DataFrame({"label": ["ana", "eva"]})
    >>> refuse_names(Graph.of_edges([0], [1], names=pl.Series(["ana", "eva"]), vertices=people))
    Traceback (most recent call last):
    celosia.base.errors.InputError: the attribute 'label' repeats the names of vertices, which are not to go out.
      Hint: leave it behind (drop=['label']), or keep all names (keep_names=True).
    """
    names = graph.names.cast(pl.String)
    words = names.set(names.str.contains(r"^[+-]?[0-9.,]*$"), None)
    for column in graph.vertices.get_columns():
        cells = column.cast(pl.String, strict=False)
        is_same = graph.n_vertices >= 5 and bool((cells == names).fill_null(False).all())
        if is_same or _repeats(cells, words):
            raise _repeated(column.name, way_out)
    for column in graph.edges.get_columns():
        if column.dtype == pl.String and any(_repeats(column, words[end]) for end in (graph.source, graph.target)):
            raise _repeated(column.name, way_out)


def _repeats(cells: pl.Series, words: pl.Series) -> bool:
    """Say whether half of the cells that are there, or more, are the word beside them."""
    n_same = int((cells == words).sum())
    return n_same > 0 and 2 * n_same >= len(cells) - cells.null_count()


def _repeated(attribute: str, way_out: str) -> InputError:
    return InputError(
        f"the attribute '{attribute}' repeats the names of vertices, which are not to go out.",
        hint=f"leave it behind (drop=['{attribute}']){way_out}.",
    )
