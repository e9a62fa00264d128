"""Runs of annealing from the graph as it is, with chance of their own: what (k, l) and several models share."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.base.chance import Randomness
from celosia.graphs.judging import GraphModel
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.undoing import Demanded

LEVELS_ABOVE = 2  # what is found for a larger k serves a smaller one
SHARE_FOR_UNDOING = 0.05  # of the time, after the search
_SHARE_OF_FIRST_RUN = 0.5


def annealed(task: Task, models: Sequence[GraphModel], level: int) -> list[Edited]:
    """Return what runs of annealing from the graph as it is found while there was time, one by each schedule.

    Parameters
    ----------
    task, models
        The graph, and what has to hold.
    level
        Tells the chance of these runs apart from that of others.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import KLAnonymity
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> min(found.n_edits(path) for found in annealed(Task(path), [KLAnonymity(2, 1, view="neighbours")], 2))
    1
    """
    demanded = Demanded(task, models)
    start = Edited(task.graph.source, task.graph.target)
    seeds = Randomness((own_seed(task) + level) % 2**63).keys(demanded.n_schedules)
    found: list[Edited] = []
    for number, seed in enumerate(seeds.tolist()):
        seconds = task.seconds_left * (1 if found else _SHARE_OF_FIRST_RUN)
        made = demanded.annealed(start, number, seconds, seed) if seconds > 0 else None
        if made is None and not found:
            break
        found += [] if made is None else [made]
    return found


def own_seed(task: Task) -> int:
    """Return a seed that leaves the task's own chance as it is: a search for twins beside it draws from that.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> task = Task(Graph.of_edges([0], [1]), randomness=Randomness(1))
    >>> own_seed(task) == own_seed(task)
    True
    """
    return int(Randomness(task.randomness.seed).keys(1)[0]) >> 1
