"""Graphs of networkx, both ways."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import polars as pl

from celosia.base.errors import FormatError, InputError
from celosia.graphs.files.gathering import Cells, series_of
from celosia.graphs.files.matrix import matrix_rows
from celosia.graphs.files.outgoing import SIDE
from celosia.graphs.files.parts import Direction, Parts
from celosia.graphs.graph import Graph


def needed(package: str) -> None:
    """Raise ``InputError`` unless a package of the extra ``graphs`` is installed.

    Examples
    --------
    >>> needed("scipy")
    """
    try:
        __import__(package)
    except ImportError:
        raise InputError(
            f"this needs {package}, which is not installed.", hint='pip install "celosia[graphs]"'
        ) from None


def is_networkx(source: object) -> bool:
    """Say whether an object is a graph of networkx, without importing networkx.

    Examples
    --------
    >>> is_networkx([(1, 2)])
    False
    """
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(source, networkx.Graph)


def edges_of_networkx(source: Any) -> Parts:
    """Return vertices and edges of a graph of networkx; keys of parallel edges and data of the graph are left aside.

    Vertices that are all whole numbers keep their type; else they are named by their text.

    Raises
    ------
    FormatError
        Two vertices have the same text, such as 1 and "1".

    Examples
    --------
    >>> import networkx
    >>> edges_of_networkx(networkx.path_graph(3)).names.to_list()
    [0, 1, 2]
    """
    places = {vertex: place for place, vertex in enumerate(source)}
    vertices, edges = Cells(), Cells()
    for place, data in enumerate(source.nodes[vertex] for vertex in source):
        vertices.put_all(place, data)
    ends = np.empty((source.number_of_edges(), 2), dtype=np.int32)
    for place, (start, end, data) in enumerate(source.edges(data=True)):
        ends[place] = places[start], places[end]
        edges.put_all(place, data)
    attributes = vertices.frame(len(places)), edges.frame(len(ends))
    return Parts(
        names=_names(list(places)),
        source=ends[:, 0],
        target=ends[:, 1],
        vertices=attributes[0],
        edges=attributes[1],
        direction=Direction(source.is_directed()),
        multigraph=source.is_multigraph(),
        findings=(*vertices.findings(), *edges.findings()),
    )


def _names(vertices: list[Any]) -> pl.Series:
    whole = all(isinstance(vertex, int | np.integer) and not isinstance(vertex, bool) for vertex in vertices)
    names = series_of("name", vertices) if whole else None
    if names is None or names.dtype != pl.Int64:
        names = pl.Series("name", [str(vertex) for vertex in vertices], dtype=pl.String)
    n_same = len(names) - names.n_unique()
    if n_same:
        raise FormatError(
            f"{n_same} vertices have the same text as another one, such as 1 and '1'.",
            hint="name vertices by whole numbers alone, or by texts alone.",
        )
    return names


def to_networkx(graph: Graph) -> Any:
    """Return a Graph, DiGraph, MultiGraph or MultiDiGraph of networkx, with names and attributes.

    The names are those of the input: what is published goes through ``write``. The sides of a bipartite graph are the
    attribute ``bipartite``.

    Raises
    ------
    InputError
        networkx is not installed.

    Examples
    --------
    >>> to_networkx(Graph.of_edges([0, 1], [1, 2])).number_of_edges()
    2
    """
    needed("networkx")
    import networkx

    kind = {
        (False, False): networkx.Graph,
        (True, False): networkx.DiGraph,
        (False, True): networkx.MultiGraph,
        (True, True): networkx.MultiDiGraph,
    }[graph.directed, graph.multigraph]
    made = kind()
    names = graph.names.to_list()
    vertices = graph.vertices
    if graph.sides is not None:
        vertices = vertices.with_columns(pl.Series(SIDE, graph.sides.astype(np.int64)))
    made.add_nodes_from(zip(names, _dicts(vertices, len(names)), strict=True))
    made.add_edges_from(
        (names[start], names[end], data)
        for start, end, data in zip(
            graph.source.tolist(), graph.target.tolist(), _dicts(graph.edges, graph.n_edges), strict=True
        )
    )
    return made


def _dicts(frame: pl.DataFrame, n_rows: int) -> Any:
    """Give the attributes of each row; a missing one is not there at all."""
    if not frame.width:
        return ({} for _ in range(n_rows))
    return ({name: cell for name, cell in row.items() if cell is not None} for row in frame.iter_rows(named=True))


def to_matrix(graph: Graph) -> Any:
    """Return the adjacency matrix as a ``csr_array`` of scipy, rows and columns in the graph's order.

    Entries are 1, the number of parallel edges in a multigraph, or the weight where the graph has one; a loop counts
    once.

    Raises
    ------
    InputError
        scipy is not installed.

    Examples
    --------
    >>> to_matrix(Graph.of_edges([0, 1], [1, 2])).toarray().tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    needed("scipy")
    from scipy import sparse

    starts, indices, values = matrix_rows(graph)
    return sparse.csr_array((values, indices, starts), shape=(graph.n_vertices, graph.n_vertices))


def to_frame(graph: Graph) -> pl.DataFrame:
    """Return the edges as a Polars frame: the names of their ends, then their attributes.

    The names are those of the input: what is published goes through ``write``.

    Raises
    ------
    FormatError
        An attribute of edges is called source or target.

    Examples
    --------
    >>> graph = Graph.of_edges([0], [1], names=pl.Series(["ana", "eva"]))
    >>> to_frame(graph).rows()
    [('ana', 'eva')]
    """
    ends = pl.DataFrame({"source": graph.names[graph.source], "target": graph.names[graph.target]})
    for name in ends.columns:
        if name in graph.edges.columns:
            raise FormatError(
                f"an attribute of edges is called '{name}', as the column of their ends.", hint="rename the attribute."
            )
    return pl.concat([ends, graph.edges], how="horizontal") if graph.edges.width else ends
