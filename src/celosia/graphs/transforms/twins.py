"""Classes of twins, searched: what both kinds of twins share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Adjacency
from celosia.graphs.judging import GraphModel
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.blocks import nearest_twins
from celosia.graphs.transforms.twin_bound import twin_bound
from celosia.graphs.transforms.twin_limits import refuse_impossible
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
