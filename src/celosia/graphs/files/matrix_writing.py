"""Adjacency matrices of graphs: their rows, and a text file of them."""

from __future__ import annotations

import re
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.data.io.formulas import neutralise
from celosia.graphs.files.outgoing import Outgoing
from celosia.graphs.graph import Graph

_MOST_WRITTEN = 20_000


def matrix_rows(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Return where each row of the matrix starts, its columns and its entries: 1, numbers of edges, or weights.

    A Graph's own rows hold the rank of a weight, by which rows can be compared exactly; here stands the weight itself,
    those of parallel edges added up.

    Examples
    --------
    >>> import polars as pl
    >>> graph = Graph.of_edges([0], [1], edges=pl.DataFrame({"km": [2.5]}), weight="km")
    >>> matrix_rows(graph)[2].tolist()
    [2.5, 2.5]
    """
    starts, indices, entries = graph.out
    if graph.weight is None:
        return starts, indices, entries
    amounts = graph.edges[graph.weight].to_numpy()
    row, column, n = graph.source.astype(np.int64), graph.target.astype(np.int64), graph.n_vertices
    keys = np.repeat(np.arange(n), graph.out.degrees) * n + indices
    edges, weights = row * n + column, amounts
    if not graph.directed:
        there = row != column
        edges, weights = np.concatenate([edges, (column * n + row)[there]]), np.concatenate([amounts, amounts[there]])
    values = np.zeros(len(keys), dtype=np.float64 if amounts.dtype.kind == "f" else np.int64)
    np.add.at(values, np.searchsorted(keys, edges), weights)
    return starts, indices, values


def write_matrix(graph: Outgoing, file: IO[bytes]) -> None:
    r"""Write an adjacency matrix as CSV, with the names of vertices along both edges.

    Entries are 0 and 1, numbers of parallel edges in a multigraph, or weights where the graph has one.

    Raises
    ------
    InputError
        The graph has more than 20,000 vertices, attributes of edges beside the weight, weights on parallel edges, or a
        weight of 0, which would read as no edge.

    Examples
    --------
    >>> import io
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.base.chance import Randomness
    >>> file = io.BytesIO()
    >>> write_matrix(outgoing(Graph.of_edges([0], [1]), Randomness())[0], file)
    >>> file.getvalue().decode()
    ',0,1\n0,0,1\n1,1,0\n'
    """
    _refuse_unfit(graph)
    starts, indices, values = matrix_rows(
        Graph.of_edges(
            graph.source,
            graph.target,
            graph.n_vertices,
            directed=graph.directed,
            multigraph=graph.multigraph,
            edges=graph.edges,
            weight=graph.weight,
        )
    )
    names = [_quoted(str(name)) for name in graph.names]
    file.write(("," + ",".join(names) + "\n").encode())
    texts = [_number_text(value) for value in values.tolist()]
    for place, name in enumerate(names):
        cells = ["0"] * len(names)
        for entry in range(starts[place], starts[place + 1]):
            cells[indices[entry]] = texts[entry]
        file.write((name + "," + ",".join(cells) + "\n").encode())


def _refuse_unfit(graph: Outgoing) -> None:
    if not 0 < graph.n_vertices <= _MOST_WRITTEN:
        raise InputError(
            f"the graph has {graph.n_vertices} vertices; a matrix is written for 1 to {_MOST_WRITTEN}.",
            hint="write csv, parquet or graphml.",
        )
    others = [name for name in graph.edges.columns if name != graph.weight]
    if others:
        raise InputError(
            f"a matrix cannot hold the attribute '{others[0]}' of edges.",
            hint=f"name it as the weight when you read, drop it (drop=['{others[0]}']), or write graphml.",
        )
    if graph.weight is None:
        return
    if graph.multigraph:
        raise InputError("a matrix cannot hold weights of parallel edges.", hint="write csv or graphml.")
    n_zero = int((graph.edges[graph.weight] == 0).sum())
    if n_zero:
        raise InputError(
            f"{n_zero} edges have a weight of 0, which reads as no edge in a matrix.", hint="write csv or graphml."
        )


def _quoted(text: str) -> str:
    safe = neutralise(text)
    return '"' + safe.replace('"', '""') + '"' if re.search(r'[,"\r\n]', safe) else safe


def _number_text(value: float) -> str:
    is_whole = isinstance(value, int) or (value.is_integer() and abs(value) < 2**53)
    return str(int(value)) if is_whole else repr(value)
