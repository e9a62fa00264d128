"""Degrees before and after: bars for the original, a line for the published graph."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.report.charts import histogram

_MOST_BARS = 24
_MOST_TICKS = 9


def degree_histogram(before: Graph, after: Graph, alternative: str) -> Markup:
    """Draw the share of vertices of each degree, before as bars and after as a line.

    Few degrees have a bar each, many stand together in ranges that double. In a directed graph out and in are added.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> "<svg" in degree_histogram(path, path, "degrees of a path")
    True
    """
    degrees = [_degrees(graph) for graph in (before, after)]
    firsts = _firsts(max(int(one.max(initial=0)) for one in degrees))
    shares = [np.histogram(one, [*firsts, np.inf])[0] / max(len(one), 1) for one in degrees]
    n_bars = len(firsts)
    step = -(-n_bars // _MOST_TICKS)
    ticks = [(place + 0.5, str(firsts[place])) for place in range(0, n_bars, step)]
    return histogram(range(n_bars + 1), shares[0].tolist(), shares[1].tolist(), ticks, "", alternative)


def _degrees(graph: Graph) -> NDArray[np.int64]:
    return graph.out.degrees + graph.into.degrees if graph.directed else graph.out.degrees


def _firsts(highest: int) -> list[int]:
    """Return the least degree of every bar: 0, 1, 2, 3 ..., or 0, 1, 2, 4, 8 ... where there are many."""
    if highest < _MOST_BARS:
        return list(range(highest + 1))
    return [0, *(1 << power for power in range(highest.bit_length()))]
