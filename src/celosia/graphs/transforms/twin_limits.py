"""Demands for twins that no edits meet, said before anything is searched."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.transforms.base import Task

_OTHER_EDITS = "allow both kinds of edits, or take a smaller k."


def refuse_impossible(task: Task, groups: NDArray[np.int64], k: int, closed: bool) -> None:
    """Raise an error where it is plain that no graph within the edits allowed has k twins for every vertex.

    What is not refused may be impossible nonetheless if only one kind of edits is allowed: whether a graph can be
    parted into cliques, or into sets without links, is hard to tell.

    Raises
    ------
    UnreachableError
        Too few vertices, or none for some vertex to hide among.
    """
    graph = task.graph
    if graph.n_vertices < k:
        raise UnreachableError(
            f"k = {k} needs at least {k} vertices; there are {graph.n_vertices}.", hint="take a smaller k."
        )
    fewest = int(np.bincount(groups).min())
    if fewest < k:
        raise UnreachableError(
            f"k = {k}, but some known attributes are shared by {fewest} vertices only, and edits of edges cannot mend "
            "that.",
            hint="mask the attributes coarser (masks), name fewer of them, or take a smaller k.",
        )
    if closed and graph.sides is not None and k > 2:
        raise UnreachableError(
            f"k = {k}, but closed twins are linked with each other: in a bipartite graph no three vertices are.",
            hint="take neighbourhood anonymity, or k = 2.",
        )
    if closed and task.edits == "delete":
        _refuse_few_links(graph, groups, k)
    if not closed and task.edits == "add":
        _refuse_few_strangers(graph, groups, k)


def _refuse_few_links(graph: Graph, groups: NDArray[np.int64], k: int) -> None:
    """Refuse if some vertex lacks k - 1 links, both ways, in its own group: closed twins have them."""
    fewest = int(_n_linked(graph, groups, mutual=True).min())
    if fewest < k - 1:
        raise UnreachableError(
            f"k = {k}, but closed twins are linked with each other, and some vertex has only {fewest} links that it "
            "could keep for that; none may be added.",
            hint=_OTHER_EDITS,
        )


def _refuse_few_strangers(graph: Graph, groups: NDArray[np.int64], k: int) -> None:
    """Refuse if some vertex lacks k - 1 others not linked with it: open twins are not, unless both have loops."""
    if graph.sides is not None:
        _refuse_few_of_a_side(graph, groups, graph.sides, k)
        return
    loops = np.zeros(graph.n_vertices, dtype=np.int64)
    loops[graph.source[graph.source == graph.target]] = 1
    parts = 2 * groups + loops
    sizes = np.bincount(parts)
    fewest = int(sizes[sizes > 0].min())
    if fewest < k:
        raise UnreachableError(
            f"k = {k}, but a vertex with a loop has no twin without, and only {fewest} vertices of some group agree in "
            "that; no loop may be added or deleted.",
            hint=_OTHER_EDITS,
        )
    n_strangers = sizes[parts] - 1 - _n_linked(graph, parts, mutual=False)
    fewest = int(n_strangers[loops == 0].min(initial=graph.n_vertices))
    if fewest < k - 1:
        raise UnreachableError(
            f"k = {k}, but twins are not linked with each other, and some vertex has only {fewest} others that it is "
            "not linked with; no edge may be deleted.",
            hint=_OTHER_EDITS,
        )


def _refuse_few_of_a_side(graph: Graph, groups: NDArray[np.int64], sides: NDArray[np.int8], k: int) -> None:
    """Refuse if linked vertices lack twins on their own side; vertices without links may have theirs on both."""
    is_bare = (graph.out.degrees == 0) & (graph.into.degrees == 0)
    n_bare, n_linked = (
        np.bincount(2 * groups[chosen] + sides[chosen], minlength=2 * (int(groups.max()) + 1)).reshape(-1, 2)
        for chosen in (is_bare, ~is_bare)
    )
    for bare, linked in zip(n_bare.tolist(), n_linked.tolist(), strict=True):
        for own in (0, 1):
            n_own = bare[own] + linked[own]
            other = 1 - own
            n_lent = bare[other] if linked[other] == 0 else min(bare[other], bare[other] + linked[other] - k)
            is_hidden = n_own >= k or (linked[own] == 0 and (n_own == 0 or bare[own] + n_lent >= k))
            if not is_hidden:
                raise UnreachableError(
                    f"k = {k}, but only {n_own} vertices of some group lie on one side, and linked vertices have no "
                    "twins on the other; no edge may be deleted.",
                    hint=_OTHER_EDITS,
                )


def _n_linked(graph: Graph, groups: NDArray[np.int64], mutual: bool) -> NDArray[np.int64]:
    """Return how many others of its own group each vertex is linked with; with direction, one way or both ways."""
    n = graph.n_vertices
    is_inner = (groups[graph.source] == groups[graph.target]) & (graph.source != graph.target)
    source, target = graph.source[is_inner].astype(np.int64), graph.target[is_inner].astype(np.int64)
    pairs, n_ways = np.unique(np.minimum(source, target) * n + np.maximum(source, target), return_counts=True)
    if graph.directed and mutual:
        pairs = pairs[n_ways == 2]
    return np.bincount(np.concatenate([pairs // n, pairs % n]), minlength=n)
