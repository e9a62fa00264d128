"""What a transform is given, and what it hands back."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.colours import attribute_labels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.progress import Progress, Quiet
from celosia.randomness import Randomness

__all__ = ["Edited", "Edits", "Task", "edge_keys"]

Edits = Literal["both", "add", "delete"]
"""Which edits are allowed."""


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
    """

    graph: Graph
    edits: Edits = "both"
    randomness: Randomness = field(default_factory=Randomness)
    deadline: float = float("inf")
    progress: Progress = field(default_factory=Quiet, repr=False)

    @property
    def seconds_left(self) -> float:
        """How many seconds are left, 0 at least."""
        return max(0.0, self.deadline - time.monotonic())

    def groups(self, model: GraphModel) -> NDArray[np.int64]:
        """Return a number per vertex: only those with the same may hide each other, being equal in known attributes."""
        return attribute_labels(self.graph, model.attributes)

    def within(self, seconds: float) -> Task:
        """Return the same task with at most so many seconds from now."""
        return replace(self, deadline=min(self.deadline, time.monotonic() + seconds))


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


def edge_keys(source: NDArray[np.int32], target: NDArray[np.int32], graph: Graph) -> NDArray[np.int64]:
    """Return a number per edge by which it is told apart: without direction the same whichever end comes first.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> edge_keys(np.array([1, 2]), np.array([0, 1]), path).tolist()
    [1, 5]
    """
    left, right = source.astype(np.int64), target.astype(np.int64)
    if not graph.directed:
        left, right = np.minimum(left, right), np.maximum(left, right)
    return left * max(graph.n_vertices, 1) + right
