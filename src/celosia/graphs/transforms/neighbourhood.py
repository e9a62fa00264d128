"""A graph edited until every vertex has the same neighbours as at least k - 1 others."""

from __future__ import annotations

from celosia.graphs.models import NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.twins import twins


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
