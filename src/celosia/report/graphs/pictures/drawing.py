"""The graph as points and lines: who hides is a dot, who breaks a model a diamond. No names."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.report.drawing import framed, path
from celosia.report.graphs.pictures.layout import Layout

_MOST_VERTICES = 3_000
_MOST_EDGES = 12_000
_WIDTH, _EDGE = 860.0, 42.0
"""A picture is so wide, and at most as tall; an edge is so long at most."""


def is_drawable(graph: Graph) -> bool:
    """Say whether a graph is small enough for points and lines.

    Examples
    --------
    >>> is_drawable(Graph.of_edges([0], [1])), is_drawable(Graph.of_edges([0], [1], 4_000))
    (True, False)
    """
    return 0 < graph.n_vertices <= _MOST_VERTICES and graph.n_edges <= _MOST_EDGES


def draw_graph(
    graph: Graph,
    layout: Layout,
    breaking: NDArray[np.int64],
    undecided: NDArray[np.int64],
    alternative: str,
    *,
    half: bool = False,
    marked: NDArray[np.bool_] | None = None,
) -> Markup:
    """Draw vertices and edges; a diamond breaks a model, a square is undecided, a dot hides.

    Parameters
    ----------
    breaking, undecided
        Places of vertices.
    alternative
        The picture in words.
    half
        Whether it fills half the page instead of all.
    marked
        Whether an edge is drawn strongly, per edge: one that was deleted, or is new.

    Examples
    --------
    >>> from celosia.report.graphs.pictures.layout import layout_of
    >>> path, nobody = Graph.of_edges([0, 1], [1, 2]), np.zeros(0, dtype=np.int64)
    >>> picture = draw_graph(path, layout_of(path), np.array([1]), nobody, "a path")
    >>> picture.count("<path"), 'class="breaks"' in picture, 'class="undecided"' in picture
    (3, True, False)
    """
    room = _WIDTH / 2 if half else _WIDTH
    scale = min(room / layout.width, room / layout.height, _EDGE)
    at = layout.places * scale
    width, height = layout.width * scale, layout.height * scale
    kinds = np.zeros(graph.n_vertices, dtype=np.int8)
    kinds[undecided], kinds[breaking] = 2, 1
    radius = min(5.0, max(1.6, 0.2 * scale))
    strong = np.zeros(graph.n_edges, dtype=np.bool_) if marked is None else marked
    parts = [
        path(name, _edges(graph, chosen, at))
        for name, chosen in (("edges", ~strong), ("edges marked", strong))
        if chosen.any()
    ]
    for kind, (name, shape) in enumerate((("hides", _dot), ("breaks", _diamond), ("undecided", _square))):
        chosen = at[kinds == kind]
        if len(chosen):
            parts.append(path(name, "".join(shape(x, y, radius) for x, y in chosen.tolist())))
    return framed("wide", f"{-(room - width) / 2:.1f} 0 {room:.0f} {height:.1f}", alternative, parts)


def _edges(graph: Graph, chosen: NDArray[np.bool_], at: NDArray[np.float64]) -> str:
    ends = np.unique(np.stack([graph.source[chosen], graph.target[chosen]], axis=1), axis=0)
    return "".join(_lines(at[ends[:, 0]].tolist(), at[ends[:, 1]].tolist()))


def _lines(starts: Iterable[list[float]], ends: Iterable[list[float]]) -> Iterable[str]:
    for (x, y), (to_x, to_y) in zip(starts, ends, strict=True):
        if x == to_x and y == to_y:  # a loop
            yield f"M{x:.1f} {y:.1f}c-9 -13 9 -13 0 0"
        else:
            yield f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"


def _dot(x: float, y: float, r: float) -> str:
    return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0z"


def _diamond(x: float, y: float, r: float) -> str:
    r *= 1.35
    return f"M{x:.1f} {y - r:.1f}l{r:.1f} {r:.1f}l{-r:.1f} {r:.1f}l{-r:.1f} {-r:.1f}z"


def _square(x: float, y: float, r: float) -> str:
    return f"M{x - r:.1f} {y - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}z"
