"""A graph edited until every vertex has the same neighbours, itself counted in, as at least k - 1 others."""

from __future__ import annotations

from celosia.graphs.models import ClosedTwinAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.twins import twins


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
