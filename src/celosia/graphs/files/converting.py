"""A graph as a sparse matrix or as a frame of edges."""

from __future__ import annotations

from typing import Any

import polars as pl

from celosia.base.errors import FormatError
from celosia.graphs.files.matrix_writing import matrix_rows
from celosia.graphs.files.networkx_graphs import missing_extra
from celosia.graphs.graph import Graph


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
    try:
        from scipy import sparse
    except ImportError:
        sparse = None
    if sparse is None:
        raise missing_extra("scipy")
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
