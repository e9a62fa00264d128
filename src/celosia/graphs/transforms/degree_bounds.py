"""Numbers of edits that no way to degree anonymity undercuts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.graphs.transforms.degree_nodes import Nodes

_EDIT = 16  # an edit in units of prices
_TILTS = (8, 6, 4)
_N_HIGHEST = (1, 2, 3, 5, 9, 16)
_N_MIDDLE = (0, 10, 40, 160)
_FORBIDDEN = 1 << 24


def fewest_edits(nodes: Nodes) -> int:
    """Return a number of edits that no result undercuts.

    Every edit moves two degrees by one, so half the distance from the degrees to the nearest anonymous ones is needed;
    with direction an arc moves one degree out and one in, so the greater of the two distances. Besides, the highest
    degree of a group needs k - 1 others at its level, and an edit serves two of these k only if it links them. And few
    links join the highest: what these lose is lost by deletions that serve nobody else who is high.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.base import Task
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> star = Graph.of_edges([0] * 9, list(range(1, 10)))
    >>> fewest_edits(nodes_of(Task(star), np.zeros(10, dtype=np.int64), 2))
    8
    """
    if nodes.mates is not None:
        n = nodes.n // 2
        sums = [_distance(nodes, _ladders(nodes, part)) for part in (slice(None, n), slice(n, None))]
        return max(*sums, _by_nearest(nodes))
    ladders = _ladders(nodes, slice(None))
    half = (_distance(nodes, ladders) + 1) // 2
    return max(half, _by_level(nodes, ladders), _by_links(nodes, ladders) if nodes.may_delete else 0)


def _distance(nodes: Nodes, ladders: list[NDArray[np.int32]]) -> int:
    return sum(kernels.degree_distance(own, nodes.k, nodes.may_add, nodes.may_delete) for own in ladders)


def _by_nearest(nodes: Nodes) -> int:
    """Return the bound by distances in the plane of degrees out and in.

    Vertices that come to share a point move at least as far, together, as half the mean distance of each to the others
    there: any two of them move as far as they are apart. The nearest k - 1 are at no greater mean distance. Every arc
    moves two degrees.
    """
    n, degrees = nodes.n // 2, nodes.degrees
    known = np.stack([nodes.groups[:n], degrees[:n], degrees[n:]])
    points, sizes = np.unique(known, axis=1, return_counts=True)
    groups, out, into = (np.ascontiguousarray(part) for part in points)
    far = kernels.distance_to_nearest(groups, out, into, sizes.astype(np.int64), nodes.k)
    return -(-far // (4 * (nodes.k - 1)))


def _ladders(nodes: Nodes, part: slice) -> list[NDArray[np.int32]]:
    """Return the ascending degrees of each group, with at most 5 k of each.

    A stretch inside such a run costs nothing, however long.
    """
    degrees, groups = nodes.degrees[part], nodes.groups[part]
    order = np.lexsort((degrees, groups))
    ladders = np.split(degrees[order], np.cumsum(np.bincount(groups))[:-1])
    return [own[np.arange(len(own)) - np.searchsorted(own, own) < 5 * nodes.k] for own in ladders]


def _by_level(nodes: Nodes, ladders: list[NDArray[np.int32]]) -> int:
    """Return the bound by the highest degree of each group: the nearest k - 1 others stand beside each other.

    An edit serves two of the k if it links them and both rise or both fall. Unless their level is beyond all of them,
    one stays or at least one goes the other way, so at most k - 1 can be linked so; beyond, k units more outweigh that.
    """
    k = nodes.k
    middle = k // 2 if nodes.may_add and nodes.may_delete else k - 1 if nodes.may_add else 0
    least = 0
    for ladder in ladders:
        others, top = ladder[:-1].astype(np.int64), int(ladder[-1])
        sums = np.concatenate([[0], np.cumsum(others)])
        first = np.arange(len(others) - k + 2)
        below = sums[first + middle] - sums[first]
        if middle == k - 1:
            level, above = np.full(len(first), top), np.zeros(len(first), dtype=np.int64)
        else:
            level, above = others[first + middle], sums[first + k - 1] - sums[first + middle + 1] + top
        least = max(least, int((level * (2 * middle - k + 1) + above - below).min()))
    return least - (k - 1) * (k - 2) // 2


def _by_links(nodes: Nodes, ladders: list[NDArray[np.int32]]) -> int:
    """Return the bound by prices of degrees, which is the dual of pairing the wants.

    Let every unit of degree have a price, so that the two ends of an edit cost at most one edit together. What the
    nearest anonymous degrees cost is then a bound. Units up cost a half. Units down cost a half and more where degrees
    are highest, a half and less where they are low, with a half in between; links for which that is too much are
    counted off, each once, since it is deleted once at most.
    """
    tops = np.sort(nodes.degrees)[::-1].tolist()
    limits = {
        (tops[min(n_high, len(tops) - 1)], tops[min(n_high + n_middle, len(tops) - 1)])
        for n_high in _N_HIGHEST
        for n_middle in _N_MIDDLE
    }
    lower, higher = _links_of_high(nodes, min(high for high, _ in limits))
    best = 0
    for high, middle in sorted(limits):
        n_within = int(np.count_nonzero(lower > high))
        n_between = int(np.count_nonzero((lower > middle) & (higher > high))) - n_within
        for tilt in _TILTS:
            excess = tilt * (2 * n_within + n_between)
            cost = sum(_priced_distance(nodes, own, high, middle, tilt) for own in ladders)
            best = max(best, -(-(cost - excess) // _EDIT))
    return best


def _priced_distance(nodes: Nodes, ladder: NDArray[np.int32], high: int, middle: int, tilt: int) -> int:
    half = _EDIT // 2
    up = np.full(len(ladder), half if nodes.may_add else _FORBIDDEN, dtype=np.int32)
    down = half + np.where(ladder > high, tilt, np.where(ladder > middle, 0, -tilt))
    return kernels.priced_degree_distance(ladder, up, down.astype(np.int32), nodes.k)


def _links_of_high(nodes: Nodes, high: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the degrees of both ends of every link with an end above a degree, the lower one first."""
    degrees = nodes.degrees
    nodes_above = np.flatnonzero(degrees > high)
    ends = [(degrees[v], v, nodes.partners[nodes.starts[v] : nodes.starts[v + 1]]) for v in nodes_above.tolist()]
    lower, higher = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)]
    for own, v, partners in ends:
        counted = partners[(degrees[partners] <= high) | (partners > v)]
        lower.append(np.minimum(degrees[counted], own))
        higher.append(np.maximum(degrees[counted], own))
    return np.concatenate(lower), np.concatenate(higher)
