"""Classes of twins, searched: what both kinds of twins share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Adjacency, Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.blocks import nearest_twins
from celosia.graphs.transforms.twin_pairs import paired

Labels = NDArray[np.int32]

_FORBIDDEN = 1 << 24  # what an edit costs that is not allowed; no graph searched has so many edits in a block

_FEW_VERTICES, _SOME_VERTICES = 128, 5000
_SOME_SIZES = (*range(2, 11), 12, 15, 20, 30, 50, 100)  # the k that are tried beyond the one asked for
_MANY_SIZES = (2, 3, 5, 10, 20)
_STEPS_ALWAYS, _STEPS_PER_PAIR, _MOST_STEPS, _STEPS_PER_VERTEX = 50_000, 200, 2_000_000, 200
_RUNS = 3
_SHARE_OF_LARGER, _SHARE_OF_LARGER_OF_MANY = 0.5, 0.25  # of the time, for classes of more than k

_MOST_EXACT, _MOST_NODES = 16, 3_000_000


_OTHER_EDITS = "allow both kinds of edits, or take a smaller k."
_MOST_VERTICES = 2000  # beyond it, a row of distances per vertex takes too long


def twins(task: Task, model: GraphModel, closed: bool) -> Edited:
    """Return edges with which every vertex has k - 1 twins of its own group.

    Parameters
    ----------
    task
        The graph, and which edits are allowed.
    model
        Gives k, and the attributes by which vertices are no candidates for each other.
    closed
        Whether twins are linked with each other, or never.

    Raises
    ------
    UnreachableError
        No such graph exists within the edits allowed, or none was found.
    """
    return twins_by_size(task, model, closed)[model.k]


def twins_by_size(task: Task, model: GraphModel, closed: bool, n_above: int = 0) -> dict[int, Edited]:
    """Return what ``twins`` does for k, and for the next ``n_above`` larger numbers what was found on the way there.

    Classes of k' and more vertices are searched for k' from large to k, each search going on from the one before: so
    what is found for a k never costs more than what is found for a larger one. Up to a few vertices the result is held
    against the cheapest of all partitions.
    """
    graph, groups = task.graph, task.groups(model)
    refuse_impossible(task, groups, model.k, closed)
    bound = twin_bound(graph, groups, model.k, closed)
    if closed and graph.sides is not None:
        found: dict[int, Labels] = {model.k: paired(graph, graph.sides, groups).astype(np.int32)}
        is_proved = True
    else:
        search = _Search(task, _kernel(task, groups, closed), closed)
        found = search.by_sizes(_sizes(graph.n_vertices, int(np.bincount(groups).min()), model.k))
        found[model.k], is_proved = search.cheapest(model.k, found[model.k])
    edited = {
        size: nearest_twins(graph, labels, task.edits, closed)
        for size, labels in found.items()
        if size <= model.k + n_above
    }
    _refuse_forbidden(task, edited[model.k], model.k, is_proved)
    own = edited.pop(model.k)
    own = replace(own, lower_bound=own.n_edits(graph) if is_proved else bound)
    return {model.k: own, **{size: one for size, one in edited.items() if _n_forbidden(task, one) == 0}}


def _sizes(n_vertices: int, smallest_group: int, k: int) -> list[int]:
    """Return the k that are searched, from the largest to the one asked for."""
    if n_vertices <= _FEW_VERTICES:
        sizes: list[int] = list(range(2, n_vertices // 2 + 1))
    else:
        sizes = list(_SOME_SIZES if n_vertices <= _SOME_VERTICES else _MANY_SIZES)
    return sorted({size for size in sizes if k < size <= smallest_group // 2} | {k}, reverse=True)


@dataclass(frozen=True)
class _Search:
    task: Task
    kernel: kernels.Twins
    closed: bool

    def by_sizes(self, sizes: list[int]) -> dict[int, Labels]:
        """Return the best classes of at least each size that there was time for; of the last one in any case."""
        seed = self.task.randomness.below(2**62)
        n = self.task.graph.n_vertices
        self.task.progress.stage("search for twins")
        share = _SHARE_OF_LARGER if n <= _SOME_VERTICES else _SHARE_OF_LARGER_OF_MANY
        larger = self.task.within(share * self.task.seconds_left)
        found: dict[int, Labels] = {}
        labels = None
        for i, size in enumerate(sizes):
            is_last = i == len(sizes) - 1
            seconds = self.task.seconds_left if is_last else larger.seconds_left / (len(sizes) - 1 - i)
            if seconds > 0 or is_last:
                labels = found[size] = self._search(size, labels, _n_steps(n, size), seconds, seed + size)
        return found

    def _search(self, size: int, start: Labels | None, n_steps: int, seconds: float, seed: int) -> Labels:
        n_runs = _RUNS if self.task.graph.n_vertices <= _SOME_VERTICES else 2
        return self.task.best_of(lambda pulse: self.kernel.search(size, start, n_steps, n_runs, seconds, seed, pulse))

    def cheapest(self, k: int, labels: Labels) -> tuple[Labels, bool]:
        """Return better classes if there are any, and whether nothing is cheaper; few vertices only."""
        graph = self.task.graph
        if graph.n_vertices > _MOST_EXACT:
            return labels, False
        edited = nearest_twins(graph, labels, self.task.edits, self.closed)
        bound = edited.n_edits(graph) if _n_forbidden(self.task, edited) == 0 else _FORBIDDEN
        better, is_proved = self.task.best_of(
            lambda pulse: self.kernel.cheapest(k, bound, _MOST_NODES, self.task.seconds_left, pulse)
        )
        return (better if len(better) else labels), is_proved


def _n_steps(n_vertices: int, size: int) -> int:
    """Return the steps of a run: fewer where there are fewer classes."""
    n_wanted = min(_STEPS_PER_PAIR * n_vertices**2, max(_MOST_STEPS, _STEPS_PER_VERTEX * n_vertices))
    return n_wanted // size + _STEPS_ALWAYS


def _kernel(task: Task, groups: NDArray[np.int64], closed: bool) -> kernels.Twins:
    """Return the graph as the kernel wants it: without loops and links within a side, with kinds and pools.

    A pool is where vertices are left without links: there is one per group, where open twins of both sides may meet.
    """
    graph = task.graph
    is_loop = graph.source == graph.target
    is_left = is_loop if graph.sides is None else graph.sides[graph.source] == graph.sides[graph.target]
    bare = graph.with_edges(graph.source[~is_left], graph.target[~is_left]) if is_left.any() else graph
    loops = None
    if graph.has_loops and not closed and graph.sides is None:
        loops = np.zeros(graph.n_vertices, dtype=np.uint8)
        loops[graph.source[is_loop]] = 1
    kinds, pools = groups, np.arange(int(groups.max()) + 1)
    if graph.sides is not None:
        kinds, pools = 2 * groups + graph.sides, np.repeat(pools, 2)
    if closed:
        pools = np.full_like(pools, -1)
    return kernels.Twins(
        _rows(bare.out),
        _rows(bare.into) if graph.directed else None,
        loops,
        kinds.astype(np.int32),
        pools.astype(np.int32),
        closed,
        _FORBIDDEN if task.edits == "delete" else 1,
        _FORBIDDEN if task.edits == "add" else 1,
    )


def _rows(adjacency: Adjacency) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    return adjacency.starts, adjacency.indices


def _n_forbidden(task: Task, edited: Edited) -> int:
    """Return how many edits are not of the kind allowed."""
    if task.edits == "both":
        return 0
    n_edits, n_more = edited.n_edits(task.graph), len(edited.source) - task.graph.n_edges
    return (n_edits - n_more) // 2 if task.edits == "add" else (n_edits + n_more) // 2


def _refuse_forbidden(task: Task, edited: Edited, k: int, is_proved: bool) -> None:
    if _n_forbidden(task, edited) == 0:
        return
    allowed = "added" if task.edits == "add" else "deleted"
    reason = "no graph" if is_proved else "this search found no graph"
    raise UnreachableError(
        f"{reason} in which every vertex has {k - 1} twins while edges are only {allowed}.",
        hint="allow both kinds of edits, or take a smaller k.",
    )


def closed_twins(task: Task, model: ClosedTwinAnonymity) -> Edited:
    """Return edges with which every vertex has k - 1 closed twins: linked, and with all other neighbours in common.

    Raises
    ------
    UnreachableError
        Too few vertices, or no such graph within the edits allowed was found.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> closed_twins(Task(path), ClosedTwinAnonymity(2)).n_edits(path)
    1
    """
    return twins(task, model, closed=True)


def neighbourhood(task: Task, model: NeighbourhoodAnonymity) -> Edited:
    """Return edges with which every vertex has k - 1 twins: others with the same neighbours, and of its own group.

    Raises
    ------
    UnreachableError
        Too few vertices, or no such graph within the edits allowed was found.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> neighbourhood(Task(path), NeighbourhoodAnonymity(2)).n_edits(path)
    1
    """
    return twins(task, model, closed=False)


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
    n_bare, n_linked = (
        np.bincount(2 * groups[chosen] + sides[chosen], minlength=2 * (int(groups.max()) + 1)).reshape(-1, 2)
        for chosen in (~graph.is_linked, graph.is_linked)
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


def twin_bound(graph: Graph, groups: NDArray[np.int64], k: int, closed: bool) -> int | None:
    """Return a number of edits that no graph undercuts in which every vertex has k - 1 twins; ``None`` if unknown.

    Two vertices that become twins lose all places in which their rows of the adjacency matrix (and columns, with
    direction) differ: d(u, v) <= r(u) + r(v), where r counts the edits of a vertex's row. Summed over the pairs of a
    class of s vertices, every r stands there s - 1 times, so that r is on average at least half the mean distance to
    the others of the class, and that is at least the mean distance to the nearest k - 1. An edit is in two rows:

    edits >= 1/4 * sum over v of the mean distance to the k - 1 nearest vertices of its own group

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> twin_bound(path, np.zeros(4, dtype=np.int64), 2, closed=False)
    1
    """
    n = graph.n_vertices
    if n > _MOST_VERTICES:
        return None
    matrix = np.zeros((n, n), dtype=np.float32)  # sums of so many ones are exact
    matrix[graph.source, graph.target] = 1
    if not graph.directed:
        matrix[graph.target, graph.source] = 1
    if closed:
        np.fill_diagonal(matrix, 1)
    rows = np.hstack([matrix, matrix.T]) if graph.directed else matrix
    sizes = rows.sum(axis=1)
    distances = sizes[:, None] + sizes[None, :] - 2 * (rows @ rows.T)
    distances[groups[:, None] != groups[None, :]] = np.inf
    np.fill_diagonal(distances, np.inf)
    nearest = np.partition(distances, k - 2, axis=1)[:, : k - 1]
    total = int(nearest.sum(dtype=np.float64))
    return -(-total // (4 * (k - 1)))
