"""The graph that a caller hands over: a Graph, or what ``read`` takes."""

from __future__ import annotations

from typing import Any

from celosia.graphs.files import read
from celosia.graphs.graph import Graph


def given_graph(source: Any) -> Graph:
    """Return a Graph as it is; read a file or an object of another library.

    Raises
    ------
    InputError
        It is no graph.

    Examples
    --------
    >>> import numpy as np
    >>> given_graph(np.array([[0, 1], [1, 0]])).n_edges
    1
    """
    return source if isinstance(source, Graph) else read(source)
