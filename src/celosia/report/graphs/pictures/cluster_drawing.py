"""Clusters as circles that grow with their size, and lines that grow with the number of edges between them."""

from __future__ import annotations

import math

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.report.drawing import circle, framed, text
from celosia.report.graphs.pictures.layout import Layout

_ROOM, _MARGIN = 430.0, 24.0
_LEAST, _GREATEST = 4.0, 18.0
_READABLE = 9.0
"""In a circle of this radius its size can be read."""
_LINE = '<line class="between" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke-width="{:.1f}"/>'


def draw_clusters(
    graph: Graph, layout: Layout, sizes: NDArray[np.int64], counts: NDArray[np.int64], alternative: str
) -> Markup:
    """Draw clusters and what links them.

    Parameters
    ----------
    graph
        Clusters as vertices.
    sizes, counts
        How many vertices each cluster has, and how many edges each edge of the graph stands for.
    alternative
        The picture in words.

    Examples
    --------
    >>> from celosia.report.graphs.pictures.layout import layout_of
    >>> pair = Graph.of_edges([0], [1])
    >>> drawn = draw_clusters(pair, layout_of(pair), np.array([3, 12]), np.array([5]), "two clusters")
    >>> drawn.count("<circle"), drawn.count("<line"), ">12</text>" in drawn
    (2, 1, True)
    """
    room = _ROOM - 2 * _MARGIN
    scale = min(room / max(layout.width, 1.0), room / max(layout.height, 1.0), 90.0)
    at = layout.places * scale + _MARGIN
    width, height = layout.width * scale + 2 * _MARGIN, layout.height * scale + 2 * _MARGIN
    crowd = min(1.0, 2.2 / math.sqrt(max(graph.n_vertices, 1) / 10.0))
    radii = crowd * np.clip(_GREATEST * np.sqrt(sizes / sizes.max()), _LEAST, _GREATEST)
    widths = 0.6 + 3.4 * np.sqrt(counts / counts.max()) if len(counts) else np.zeros(0)
    parts = [
        Markup(_LINE).format(*at[start], *at[end], stroke)
        for start, end, stroke in zip(graph.source.tolist(), graph.target.tolist(), widths.tolist(), strict=True)
    ]
    for (x, y), radius, size in zip(at.tolist(), radii.tolist(), sizes.tolist(), strict=True):
        parts.append(circle("hides", x, y, f"{radius:.1f}"))
        if radius >= _READABLE:
            parts.append(text(x, y + 4, size, "inside", "middle", ".1f"))
    return framed("wide", f"{-(_ROOM - width) / 2:.1f} 0 {_ROOM:.0f} {height:.1f}", alternative, parts)
