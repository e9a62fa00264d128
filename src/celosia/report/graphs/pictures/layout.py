"""Where the vertices of a picture stand: every component by forces, components packed side by side.

A component starts from its shortest paths (pivot MDS: a plane in which distances come out as well as they can) and is
then loosened by springs along edges and repulsion between all vertices. Chance only parts vertices that would lie on
each other, from a fixed seed: the same graph gives the same picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.graphs.utility.pattern import Pattern, pattern_of

_PIVOTS = 40
_ROUNDS, _WORK = (60, 200), 60_000_000
"""The fewest and most rounds of forces, and how many pairs of vertices to look at in all."""
_SEED = 1
_MARGIN = 1.2
"""The room around a component, in lengths of an edge."""
_WIDER = 1.5
"""How much wider than tall the picture should be."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Places of vertices in a box from (0, 0) to (width, height); an edge is about 1 long."""

    places: NDArray[np.float64]
    width: float
    height: float


def layout_of(graph: Graph) -> Layout:
    """Return where to draw the vertices of a graph; directions, loops and parallel edges do not count.

    Examples
    --------
    >>> layout = layout_of(Graph.of_edges([0, 1], [1, 2], 4))
    >>> layout.places.shape, bool((layout.places >= 0).all())
    ((4, 2), True)
    """
    pattern = pattern_of(graph)
    parts = [(members, _turned(_placed(pattern, members))) for members in _components(pattern)]
    return _packed(graph.n_vertices, parts)


def _components(pattern: Pattern) -> list[NDArray[np.int64]]:
    seen = np.zeros(pattern.n_vertices, dtype=np.bool_)
    found = []
    for vertex in range(pattern.n_vertices):
        if not seen[vertex]:
            reached = np.flatnonzero(_distances(pattern, vertex) >= 0)
            seen[reached] = True
            found.append(reached)
    return found


def _distances(pattern: Pattern, source: int) -> NDArray[np.int64]:
    """Return how many edges away every vertex is; -1 where there is no path."""
    distance = np.full(pattern.n_vertices, -1, dtype=np.int64)
    distance[source] = 0
    front, steps = np.array([source]), 0
    while len(front):
        steps += 1
        near = np.unique(pattern.indices[pattern.places_of(front)[0]])
        front = near[distance[near] < 0].astype(np.int64)
        distance[front] = steps
    return distance


def _placed(pattern: Pattern, members: NDArray[np.int64]) -> NDArray[np.float64]:
    if len(members) == 1:
        return np.zeros((1, 2))
    start, end = _edges_within(pattern, members)
    at = _by_distances(pattern, members)
    at += np.random.default_rng(_SEED).normal(0, 0.15, at.shape)
    at /= max(float(np.hypot(*(at[start] - at[end]).T).mean()), 1e-9)
    return _loosened(at, start, end)


def _edges_within(pattern: Pattern, members: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ends of a component's edges, both ways, as places among its members."""
    places, lengths = pattern.places_of(members)
    return np.repeat(np.arange(len(members)), lengths), np.searchsorted(members, pattern.indices[places])


def _by_distances(pattern: Pattern, members: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the plane that keeps the distances from some vertices far apart best (pivot MDS)."""
    pivot = int(members[np.argmax(pattern.degrees[members])])
    columns: list[NDArray[np.int64]] = []
    for _ in range(min(_PIVOTS, len(members))):
        columns.append(_distances(pattern, pivot)[members])
        pivot = int(members[np.argmax(np.min(columns, axis=0))])
    squares = np.stack(columns, axis=1).astype(np.float64) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    values, vectors = np.linalg.eigh(centred.T @ centred)
    at = np.zeros((len(members), 2))
    for axis in range(min(2, len(values))):
        column = centred @ vectors[:, -1 - axis] / max(float(values[-1 - axis]), 1e-9) ** 0.25
        at[:, axis] = column * np.sign(column[np.argmax(np.abs(column))])
    return at


def _loosened(at: NDArray[np.float64], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.float64]:
    """Let edges pull and vertices push, in steps that get shorter (Fruchterman and Reingold)."""
    n = len(at)
    n_rounds = int(np.clip(_WORK // n**2, *_ROUNDS))
    longest = 0.1 * float(np.ptp(at, axis=0).max()) + 0.1
    for turn in range(n_rounds):
        force = _pushes(at.astype(np.float32))
        along = at[end] - at[start]
        pull = along * np.hypot(*along.T)[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(start, weights=pull[:, axis], minlength=n)
        length = np.maximum(np.hypot(*force.T), 1e-9)
        at = at + force / length[:, None] * np.minimum(length, longest * (1 - turn / n_rounds))[:, None]
    return at


def _pushes(at: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the sum over all others of the direction away from them over the distance."""
    squares = (at**2).sum(axis=1)
    nearness = at @ at.T
    nearness *= -2
    nearness += squares[:, None]
    nearness += squares[None, :]
    np.maximum(nearness, 1e-3, out=nearness)
    np.reciprocal(nearness, out=nearness)
    np.fill_diagonal(nearness, 0)
    pushes: NDArray[np.float64] = (at * nearness.sum(axis=1)[:, None] - nearness @ at).astype(np.float64)
    return pushes


def _turned(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn a component so that it lies rather than stands, and put its corner at the margin."""
    centred = at - at.mean(axis=0)
    if len(at) > 1:
        _, axes = np.linalg.eigh(centred.T @ centred)
        centred = centred @ axes[:, ::-1]
    turned: NDArray[np.float64] = centred - centred.min(axis=0) + _MARGIN / 2
    return turned


def _packed(n_vertices: int, parts: list[tuple[NDArray[np.int64], NDArray[np.float64]]]) -> Layout:
    """Put components into rows, the tallest first."""
    places = np.zeros((n_vertices, 2))
    sizes = [at.max(axis=0) + _MARGIN / 2 for _, at in parts]
    area = sum(float(size.prod()) for size in sizes)
    width = max([1.0, np.sqrt(_WIDER * area), *(float(size[0]) for size in sizes)])
    x = y = tall = widest = 0.0
    for part in sorted(range(len(parts)), key=lambda one: (-sizes[one][1], one)):
        members, at = parts[part]
        if x > 0 and x + sizes[part][0] > width:
            x, y, tall = 0.0, y + tall, 0.0
        places[members] = at + np.array([x, y])
        x, tall = x + float(sizes[part][0]), max(tall, float(sizes[part][1]))
        widest = max(widest, x)
    return Layout(places, max(widest, 1.0), max(y + tall, 1.0))
