"""How far vertices are from each other, from a sample of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.progress import Progress, Quiet
from celosia.graphs.utility.pattern import Pattern

_AT_ONCE = 64
_MOST_LEVELS = 10_000


@dataclass(frozen=True)
class PathLength:
    """The mean length of shortest paths.

    Attributes
    ----------
    mean
        Over the pairs of a source and another vertex that it reaches; ``None`` where it reaches none.
    standard_error
        Of the mean, because only some vertices were sources; 0 where all were, ``None`` for a single source.
    n_sources
        From how many vertices paths were followed.
    share_reached
        The share of pairs that are linked by a path at all; ``None`` where there are no pairs.
    """

    mean: float | None
    standard_error: float | None
    n_sources: int
    share_reached: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        return dict(self.__dict__)


def path_length(
    out: Pattern, into: Pattern, sources: NDArray[np.int64], progress: Progress | None = None
) -> PathLength | None:
    """Return the mean length of shortest paths from some vertices to all others; ``None`` if paths are too long.

    Sources go in groups of 64, a bit each: a vertex hands the bits it has just got to its neighbours.

    Parameters
    ----------
    out, into
        Who is reached from each vertex, and from whom it is reached.
    sources
        Different vertices.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility.pattern import pattern_of
    >>> path = pattern_of(Graph.of_edges([0, 1], [1, 2]))
    >>> path_length(path, path, np.arange(3))
    PathLength(mean=1.3333333333333333, standard_error=0.0, n_sources=3, share_reached=1.0)
    """
    shown, n = progress or Quiet(), out.n_vertices
    lengths, reached = np.zeros(len(sources)), np.zeros(len(sources))
    for first in range(0, len(sources), _AT_ONCE):
        found = _spread(out, into, sources[first : first + _AT_ONCE])
        if found is None:
            return None
        lengths[first : first + _AT_ONCE], reached[first : first + _AT_ONCE] = found
        shown.advance(min(1.0, (first + _AT_ONCE) / len(sources)))
    n_reached, n_pairs = float(reached.sum()), len(sources) * (n - 1)
    share = n_reached / n_pairs if n_pairs > 0 else None
    if not n_reached:
        return PathLength(None, None, len(sources), share)
    mean = float(lengths.sum()) / n_reached
    return PathLength(mean, _standard_error(lengths - mean * reached, reached, n), len(sources), share)


def _standard_error(residuals: NDArray[np.float64], reached: NDArray[np.float64], n: int) -> float | None:
    """Return that of a ratio of two sums over a sample without replacement."""
    n_sources = len(residuals)
    if n_sources == n:
        return 0.0
    if n_sources < 2:
        return None
    variance = float((residuals**2).sum()) / (n_sources - 1) * (1 - n_sources / n) / n_sources
    return math.sqrt(variance) / float(reached.mean())


def _spread(
    out: Pattern, into: Pattern, sources: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return for each source the sum of the distances of all that it reaches, and their number."""
    bits = np.left_shift(np.uint64(1), np.arange(len(sources), dtype=np.uint64))
    seen = np.zeros(out.n_vertices, dtype="<u8")
    seen[sources] = bits
    front, held = sources, bits
    lengths, reached = np.zeros(_AT_ONCE), np.zeros(_AT_ONCE)
    for level in range(1, _MOST_LEVELS + 1):
        vertices, met = _push(out, front, held) if _is_small(out, front) else _pull(into, front, held)
        fresh = met & ~seen[vertices]
        front, held = vertices[fresh != 0], fresh[fresh != 0]
        if not len(front):
            return lengths[: len(sources)], reached[: len(sources)]
        seen[front] |= held
        counts = np.unpackbits(held.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").sum(axis=0)
        lengths += level * counts
        reached += counts
    return None


def _is_small(out: Pattern, front: NDArray[np.int64]) -> bool:
    return 8 * int((out.starts[front + 1] - out.starts[front]).sum()) < len(out.indices)


def _push(
    out: Pattern, front: NDArray[np.int64], held: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return whom the front reaches, and the bits it hands on: from few vertices."""
    places, lengths = out.places_of(front)
    if not len(places):
        return front[:0], held[:0]
    met, order = out.indices[places].astype(np.int64), np.argsort(out.indices[places], kind="stable")
    met = met[order]
    firsts = np.flatnonzero(np.concatenate([[True], met[1:] != met[:-1]]))
    return met[firsts], np.bitwise_or.reduceat(np.repeat(held, lengths)[order], firsts)


def _pull(
    into: Pattern, front: NDArray[np.int64], held: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the same by asking every vertex: quicker where the front is a good part of the graph."""
    handed = np.zeros(into.n_vertices, dtype="<u8")
    handed[front] = held
    asked = np.flatnonzero(into.degrees)
    if not len(asked):
        return front[:0], held[:0]
    return asked, np.bitwise_or.reduceat(handed[into.indices], into.starts[asked])
