"""From classes of vertices to the nearest graph in which every class is a set of twins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.graphs.transforms.base import Edited, Edits


class _Classes(NamedTuple):
    """The vertices of each class: ``members[starts[a]:starts[a + 1]]``."""

    labels: NDArray[np.int64]
    members: NDArray[np.int32]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]


class _Blocks(NamedTuple):
    """Pairs of classes, how many edges lead from the first to the second, and how many could."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    n_edges: NDArray[np.int64]
    n_pairs: NDArray[np.int64]


def nearest_twins(graph: Graph, labels: NDArray[np.integer], edits: Edits = "both", closed: bool = False) -> Edited:
    """Return the edges nearest to the graph's with which the vertices of each class are twins.

    Twins have all links with another class or none: the block is filled or emptied, whichever takes fewer edits. Open
    twins have no links among themselves, unless every one has a loop; closed twins have all. Blocks that lie within a
    side of a bipartite graph are emptied. Where only one kind of edits is allowed, the classes must admit it; what
    they do not admit is done nonetheless.

    Parameters
    ----------
    graph
        A simple graph.
    labels
        The class of each vertex, any whole numbers.
    edits
        Which edits are allowed.
    closed
        Whether the classes are to be closed twins.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> edited = nearest_twins(path, np.array([0, 1, 0, 1]))
    >>> sorted(zip(edited.source.tolist(), edited.target.tolist()))
    [(0, 1), (0, 3), (2, 1), (2, 3)]
    """
    classes = _classes(np.asarray(labels))
    is_loop = graph.source == graph.target
    blocks = _blocks(graph, classes, is_loop)
    is_inner = blocks.first == blocks.second
    is_full = ~is_inner & _is_majority(blocks, edits) & _may_be_filled(graph, classes, blocks)
    full = _Blocks(*(column[is_full] for column in blocks))
    inner, keeps_loops = _inner(graph, classes, blocks, is_loop, edits, closed)
    source, target = _pairs(classes, full.first, full.second)
    inner_source, inner_target = _pairs(classes, inner, inner)
    is_kept = inner_source != inner_target if graph.directed else inner_source < inner_target
    loops = graph.source[is_loop][keeps_loops[classes.labels[graph.source[is_loop]]]]
    return Edited(
        np.concatenate([source, inner_source[is_kept], loops]),
        np.concatenate([target, inner_target[is_kept], loops]),
    )


def _classes(labels: NDArray[np.integer]) -> _Classes:
    _, own, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return _Classes(own.astype(np.int64), np.argsort(own, kind="stable").astype(np.int32), starts, sizes)


def _blocks(graph: Graph, classes: _Classes, is_loop: NDArray[np.bool_]) -> _Blocks:
    """Return the blocks with edges in them, loops left aside."""
    ends = [classes.labels[end[~is_loop]] for end in (graph.source, graph.target)]
    if not graph.directed:
        ends = [np.minimum(*ends), np.maximum(*ends)]
    n = max(len(classes.sizes), 1)
    keys, n_edges = np.unique(ends[0] * n + ends[1], return_counts=True)
    first, second = keys // n, keys % n
    n_pairs = classes.sizes[first] * classes.sizes[second]
    return _Blocks(first, second, n_edges, np.where(first == second, _n_inner(graph, classes.sizes[first]), n_pairs))


def _n_inner(graph: Graph, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    n_ordered: NDArray[np.int64] = sizes * (sizes - 1)
    return n_ordered if graph.directed else n_ordered // 2


def _is_majority(blocks: _Blocks, edits: Edits) -> NDArray[np.bool_]:
    """Return which blocks are filled; of two equal costs it is the one that leaves more edges."""
    if edits == "add":
        return np.ones(len(blocks.first), dtype=bool)
    n_least: NDArray[np.int64] = blocks.n_pairs if edits == "delete" else (blocks.n_pairs + 1) // 2
    return blocks.n_edges >= n_least


def _may_be_filled(graph: Graph, classes: _Classes, blocks: _Blocks) -> NDArray[np.bool_]:
    """Return which blocks lie between the sides, if there are any."""
    if graph.sides is None:
        return np.ones(len(blocks.first), dtype=bool)
    n_second = np.bincount(classes.labels, weights=graph.sides, minlength=len(classes.sizes))
    side = np.where(n_second == 0, 0, np.where(n_second == classes.sizes, 1, 2))  # 2: vertices of both
    is_between: NDArray[np.bool_] = side[blocks.first] + side[blocks.second] == 1
    return is_between


def _inner(
    graph: Graph, classes: _Classes, blocks: _Blocks, is_loop: NDArray[np.bool_], edits: Edits, closed: bool
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the classes that are filled within, and whether each keeps its loops."""
    n = len(classes.sizes)
    if closed:
        return np.arange(n), np.ones(n, dtype=bool)
    n_loops = np.bincount(classes.labels[graph.source[is_loop]], minlength=n)
    is_inner = blocks.first == blocks.second
    n_edges = np.zeros(n, dtype=np.int64)
    n_edges[blocks.first[is_inner]] = blocks.n_edges[is_inner]
    n_pairs = _n_inner(graph, classes.sizes)
    every = np.arange(n)
    block = _Blocks(every, every, n_edges + n_loops, n_pairs + n_loops)
    is_full = (n_loops == classes.sizes) & _is_majority(block, edits)
    if graph.sides is not None:
        is_full &= n_edges == n_pairs
    return np.flatnonzero(is_full), is_full


def _pairs(
    classes: _Classes, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return every pair of a vertex of the first class and one of the second, block after block."""
    widths = classes.sizes[second]
    n_pairs = classes.sizes[first] * widths
    block = np.repeat(np.arange(len(first)), n_pairs)
    place = np.arange(len(block)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    row, column = place // widths[block], place % widths[block]
    return classes.members[classes.starts[first[block]] + row], classes.members[classes.starts[second[block]] + column]
