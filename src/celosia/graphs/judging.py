"""What a graph model is, and what it says of a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from celosia.base.progress import Progress
from celosia.graphs.graph import Graph


@dataclass(frozen=True, eq=False)
class Judgement:
    """What one model says of a graph.

    Attributes
    ----------
    satisfied
        Whether the model holds with the parameters asked for.
    strongest_k
        The greatest k with which it holds (l as asked for); 1 where it holds with no k from 2 on. In a graph without
        vertices it is 0, and nothing is satisfied.
    breaking
        The places of the vertices that break it, ascending.
    labels
        The anonymity set of every vertex, numbered from 0 in the order of their first vertices: vertices that the
        model's attacker can never tell apart. For (k, l) those that no l, however great, tells apart.
    strongest_l
        For (k, l): the greatest l with which it holds for the k asked for, 0 for none; where every l does, the number
        of places: n, in a directed graph 2 n.
    profile
        For (k, l): per vertex the smallest l that leaves fewer than k candidates; 0: none up to ``profile_up_to``, -1:
        the search for it was cut off.
    profile_up_to
        How far the profile was searched.
    undecided
        For (k, l): the places of the vertices of which a search that was cut off could not say whether they break it.
        While there are any, the model is not satisfied.
    lower_bounds
        Which of ``strongest_k`` and ``strongest_l`` are only known to be at least what they say, because a search was
        cut off or went no further than ``profile_up_to``.
    """

    satisfied: bool
    strongest_k: int
    breaking: NDArray[np.int64]
    labels: NDArray[np.int64]
    strongest_l: int | None = None
    profile: NDArray[np.int32] | None = None
    profile_up_to: int | None = None
    undecided: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    lower_bounds: tuple[str, ...] = ()


@runtime_checkable
class GraphModel(Protocol):
    """A demand on a graph. Constructors check and store options."""

    name: ClassVar[str]
    """The name in plan files, such as ``neighbourhood_anonymity``."""

    @property
    def k(self) -> int:
        """Among how many each vertex hides."""
        ...

    @property
    def attributes(self) -> tuple[str, ...]:
        """Attributes of vertices that the attacker knows as well: who differs in one is no candidate."""
        ...

    def judge(self, graph: Graph, progress: Progress | None = None) -> Judgement:
        """Say whether the graph satisfies the model, and what breaks it."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        ...
