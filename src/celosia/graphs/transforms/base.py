"""What a transform is given, and what it hands back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.chance import Randomness
from celosia.base.errors import OptionError, nearest
from celosia.base.progress import Progress, Quiet, watch
from celosia.graphs.colours import attribute_labels
from celosia.graphs.graph import Graph, pair_keys
from celosia.graphs.judging import GraphModel

Found = TypeVar("Found")
_LEAST_TO_JUDGE, _TO_JUDGE_PER_EDGE = 0.5, 1e-5  # seconds: when time is up, a graph that holds is still a result
Edits = Literal["both", "add", "delete"]
"""Which edits are allowed."""


def checked_edits(edits: object) -> Edits:
    """Return which edits are allowed, or raise ``OptionError``.

    Examples
    --------
    >>> checked_edits("add")
    'add'
    """
    if not isinstance(edits, str) or edits not in get_args(Edits):
        raise OptionError(
            'edits must be "both", "add" or "delete".',
            hint=nearest(edits, get_args(Edits)) if isinstance(edits, str) else '"both" is usual.',
            about="edits",
        )
    return cast(Edits, edits)


@dataclass(frozen=True, eq=False)
class Task:
    """A graph to be edited.

    Attributes
    ----------
    graph
        A simple graph whose weights, if any, are left aside. Loops may be deleted; none is ever added. If it has
        sides, an edge may only be added between them.
    edits
        Which edits are allowed.
    randomness
        Where chance comes from. Equal seeds give equal results unless time runs out.
    deadline
        When to end, by ``time.monotonic``. A transform hands over a valid result even if time is up before it starts.
    progress
        Who shows progress.
    stopped
        Set once Ctrl-C has ended a search that hands over the best it has: no time is left then.
    """

    graph: Graph
    edits: Edits = "both"
    randomness: Randomness = field(default_factory=Randomness)
    deadline: float = float("inf")
    progress: Progress = field(default_factory=Quiet, repr=False)
    stopped: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def seconds_left(self) -> float:
        """How many seconds are left, 0 at least."""
        return 0.0 if self.stopped.is_set() else max(0.0, self.deadline - time.monotonic())

    def groups(self, model: GraphModel) -> NDArray[np.int64]:
        """Return a number per vertex: only those with the same may hide each other, being equal in known attributes."""
        return attribute_labels(self.graph, model.attributes)

    def within(self, seconds: float) -> Task:
        """Return the same task with at most so many seconds from now."""
        return replace(self, deadline=min(self.deadline, time.monotonic() + seconds))

    def seconds_to_judge(self, share: float = 1.0) -> float:
        """Return what a look at the whole graph may take: a share of the time left, or a moment at least.

        Examples
        --------
        >>> Task(Graph.of_edges([0], [1]), deadline=0.0).seconds_to_judge()
        0.50003
        """
        least = _LEAST_TO_JUDGE + _TO_JUDGE_PER_EDGE * (self.graph.n_vertices + self.graph.n_edges)
        return max(share * self.seconds_left, least)

    def watched(self, work: Callable[[kernels.Pulse], Found]) -> Found:
        """Run a kernel so that Ctrl-C stops it, and the run.

        Examples
        --------
        >>> Task(Graph.of_edges([0], [1])).watched(lambda pulse: 42)
        42
        """
        pulse = kernels.Pulse()
        return watch(pulse, self.progress, lambda: work(pulse))

    def best_of(self, work: Callable[[kernels.Pulse], Found]) -> Found:
        """Run a kernel that hands over its best when it is stopped: so it does on Ctrl-C, and no time is left then.

        Examples
        --------
        >>> Task(Graph.of_edges([0], [1])).best_of(lambda pulse: 42)
        42
        """
        pulse = kernels.Pulse()
        found = watch(pulse, self.progress, lambda: work(pulse), keeps_best=True)
        if pulse.stopped:
            self.stopped.set()
        return found

    def refuse_if_stopped(self) -> None:
        """Raise ``KeyboardInterrupt`` if a search that was stopped had nothing yet to hand over.

        Examples
        --------
        >>> Task(Graph.of_edges([0], [1])).refuse_if_stopped()
        """
        if self.stopped.is_set():
            raise KeyboardInterrupt


@dataclass(frozen=True, eq=False)
class Edited:
    """The edges that a transform leaves.

    Attributes
    ----------
    source, target
        The ends of every edge, in any order, no pair twice; without direction either end may come first.
    lower_bound
        A number of edits that no result undercuts; ``None`` where the transform knows none.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> Edited(square.source[:2], square.target[:2]).n_edits(square)
    2
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    lower_bound: int | None = None

    def n_edits(self, graph: Graph) -> int:
        """Return how many edges of the graph were deleted or added."""
        before, after = (edge_keys(one.source, one.target, graph) for one in (graph, self))
        n_kept = len(np.intersect1d(before, after, assume_unique=True))
        return len(before) + len(after) - 2 * n_kept


def edges_of_keys(keys: NDArray[np.int64], graph: Graph) -> Edited:
    """Return the edges that these keys tell apart."""
    n = max(graph.n_vertices, 1)
    return Edited((keys // n).astype(np.int32), (keys % n).astype(np.int32))


def edge_keys(source: NDArray[np.int32], target: NDArray[np.int32], graph: Graph) -> NDArray[np.int64]:
    """Return a number per edge by which it is told apart: without direction the same whichever end comes first.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> edge_keys(np.array([1, 2]), np.array([0, 1]), path).tolist()
    [1, 5]
    """
    return pair_keys(source, target, graph.n_vertices, graph.directed)


def n_pairs(graph: Graph) -> int:
    """Return how many edges a graph could have, loops left aside.

    Examples
    --------
    >>> n_pairs(Graph.of_edges([0, 1], [1, 2])), n_pairs(Graph.of_edges([0, 1], [1, 2], directed=True))
    (3, 6)
    """
    n = graph.n_vertices
    if graph.sides is not None:
        n_second = int(graph.sides.sum())
        return (n - n_second) * n_second * (2 if graph.directed else 1)
    return n * (n - 1) // (1 if graph.directed else 2)


def every_pair(graph: Graph) -> NDArray[np.int64]:
    """Return all edges that a graph could have, as keys in ascending order, loops left aside.

    Examples
    --------
    >>> every_pair(Graph.of_edges([0, 1], [1, 2])).tolist()
    [1, 2, 5]
    """
    n = graph.n_vertices
    first, second = np.divmod(np.arange(n * n, dtype=np.int64), max(n, 1))
    return np.unique(edge_keys(*without_forbidden(graph, first.astype(np.int32), second.astype(np.int32)), graph))


def without_forbidden(
    graph: Graph, first: NDArray[np.int32], second: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return pairs of vertices without those that no edge may link: a vertex and itself, or two of one side."""
    is_allowed = first != second if graph.sides is None else graph.sides[first] != graph.sides[second]
    return first[is_allowed], second[is_allowed]
