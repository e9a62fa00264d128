"""The adjacency matrix of a large graph, sorted by anonymity sets, as densities of links."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.report.drawing import framed, line

_BINS = 90
_SIDE = 540.0
_WIDTH, _HALF, _TOP = 860.0, 580.0, 26.0
_LEVELS = 6


def order_by_sets(
    labels: NDArray[np.int64], breaking: NDArray[np.int64], degrees: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the vertices that hide first, then those that break a model; large sets first, then great degrees.

    Examples
    --------
    >>> order_by_sets(np.array([0, 1, 1, 2]), np.array([0, 3]), np.array([1, 1, 1, 3])).tolist()
    [1, 2, 3, 0]
    """
    breaks = np.zeros(len(labels), dtype=np.bool_)
    breaks[breaking] = True
    sizes = np.bincount(labels)
    highest = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(highest, labels, degrees)
    return np.lexsort((np.arange(len(labels)), labels, -highest[labels], -sizes[labels], breaks))


def draw_blocks(
    graph: Graph,
    labels: NDArray[np.int64],
    breaking: NDArray[np.int64],
    words: tuple[str, str],
    alternative: str,
    *,
    half: bool = False,
) -> Markup:
    """Draw how dense links are between stretches of vertices, sorted by ``order_by_sets``.

    Parameters
    ----------
    labels
        The anonymity set of every vertex.
    breaking
        The places of those that break a model.
    words
        What stands above the vertices that hide, and above those that break a model.
    alternative
        The picture in words.
    half
        Whether it fills half the page instead of all.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> nobody = np.zeros(0, dtype=np.int64)
    >>> "all hide" in draw_blocks(square, np.array([0, 1, 0, 1]), nobody, ("all hide", ""), "a square")
    True
    """
    density = _densities(graph, order_by_sets(labels, breaking, graph.out.degrees))
    n_bins = len(density)
    width = _HALF if half else _WIDTH
    cell, left = _SIDE / n_bins, (width - _SIDE) / 2
    levels = np.ceil(np.sqrt(density / max(float(density.max()), 1e-300)) * _LEVELS).astype(np.int64)
    parts = [Markup('<rect class="ground" x="{:.1f}" y="{}" width="{}" height="{}"/>').format(left, _TOP, _SIDE, _SIDE)]
    for level in range(1, _LEVELS + 1):
        cells = np.argwhere(levels == level)
        if len(cells):
            drawn = "".join(
                f"M{left + column * cell:.1f} {_TOP + row * cell:.1f}h{cell:.2f}v{cell:.2f}h{-cell:.2f}z"
                for row, column in cells.tolist()
            )
            parts.append(Markup('<path class="dense" fill-opacity="{:.2f}" d="{}"/>').format(level / _LEVELS, drawn))
    parts += _border(1 - len(breaking) / max(graph.n_vertices, 1), left, words)
    return framed("wide", f"0 0 {width:.0f} {_TOP + _SIDE + 4:.0f}", alternative, parts)


def _densities(graph: Graph, order: NDArray[np.int64]) -> NDArray[np.float64]:
    n = graph.n_vertices
    n_bins = min(n, _BINS)
    bin_of = np.empty(n, dtype=np.int64)
    bin_of[order] = np.arange(n) * n_bins // n
    rows, columns = bin_of[graph.source], bin_of[graph.target]
    counts = np.bincount(rows * n_bins + columns, minlength=n_bins**2).reshape(n_bins, n_bins).astype(np.float64)
    if not graph.directed:
        counts = counts + counts.T
    sizes = np.bincount(bin_of, minlength=n_bins)
    return counts / (sizes[:, None] * sizes[None, :])


def _border(hiding: float, left: float, words: tuple[str, str]) -> list[Markup]:
    """Draw where those that hide end."""
    at = hiding * _SIDE
    parts = []
    if 0 < hiding < 1:
        parts.append(line("limit", left + at, _TOP - 8, left + at, _TOP + _SIDE, ".1f"))
        parts.append(line("limit", left - 8, _TOP + at, left + _SIDE, _TOP + at, ".1f"))
    if hiding > 0:
        parts.append(_word(left, "start", words[0]))
    if hiding < 1:
        parts.append(_word(left + _SIDE, "end", words[1]))
    return parts


def _word(x: float, anchor: str, word: str) -> Markup:
    return Markup('<text x="{:.1f}" y="14" text-anchor="{}">{}</text>').format(x, anchor, word)
