"""Few edits for any demand: all sets of them tried, annealing, edits undone. What (k, l) and several models share.

Every model but (k, l) from three known places on is counted by the kernel while edges are switched. What it cannot
count is left to the models' own judges; the kernel then counts two known places, which three and more imply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.base.progress import EndedError, Ending, watch
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity
from celosia.graphs.transforms.base import Edited, Task, edge_keys, edges_of_keys, every_pair, n_pairs

_MOST_COUNTED = 2  # known places
_MOST_PAIRS = 30_000_000  # of places that some vertex holds both of: beyond, counting them takes too long
_MOST_CELLS = 1 << 23  # as the kernel has it: of a table of all pairs of places

_MOST_JUDGED = 1000  # sets of edits that meet what the kernel counts
_MOST_FILLED = 300  # vertices: with more, all edges at once are too many to be undone

_LOOKS_PER_PART, _FEWEST_LOOKS = 60_000, 1_000_000
_LOOKS_OF_SINGLES = 4  # one known place takes a look where two take several

# Heat, price of violations, and whether they count by all that is missing to k. No schedule is best on all graphs.
_SCHEDULES = (
    ((0.3, 0.05), (0.015, 0.06), False),
    ((0.4, 0.05), (0.01, 0.1), True),
    ((0.3, 0.05), (0.01, 0.2), False),
    ((0.3, 0.05), (0.02, 0.06), False),
    ((0.3, 0.05), (0.005, 0.1), True),
    ((0.2, 0.05), (0.015, 0.1), False),
    ((0.4, 0.05), (0.015, 0.05), True),
    ((0.4, 0.05), (0.02, 0.2), False),
)


LEVELS_ABOVE = 2  # what is found for a larger k serves a smaller one
SHARE_FOR_UNDOING = 0.05  # of the time, after the search
_SHARE_OF_FIRST_RUN = 0.5
_MOST_EDGES = 120  # that may be switched: 16 vertices without direction
_MOST_LOOKS = 20_000_000
_SHARE_OF_TIME = 0.3  # the rest is for those who search without end


class Demanded:
    """Models demanded of a graph, ready to be counted.

    Parameters
    ----------
    task
        The graph, and which edits are allowed.
    models
        What has to hold.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> demanded = Demanded(Task(path), [DegreeAnonymity(4)])
    >>> empty = Edited(path.source[:0], path.target[:0])
    >>> demanded.holds(empty), demanded.holds(Edited(path.source, path.target))
    (True, False)
    """

    def __init__(self, task: Task, models: Sequence[GraphModel]) -> None:
        graph = task.graph
        self._task, self._models = task, list(models)
        self._judged = [model for model in models if not _is_counted(model, task)]
        self._is_single = all(isinstance(model, KLAnonymity) and model.l == 1 for model in models)
        self._search = kernels.EditSearch(
            graph.n_vertices,
            graph.directed,
            graph.source,
            graph.target,
            graph.sides,
            task.edits != "delete",
            task.edits != "add",
        )
        self._n_counted = sum(_demand(self._search, model, task) for model in models)

    def holds(self, edited: Edited, share: float = 1.0) -> bool:
        """Say whether all models hold; what cannot be judged in a share of the time, or a moment at least, does not."""
        seconds = self._task.seconds_to_judge(share)
        if not self._is_countable(edited):
            return self._judge(edited, seconds, all_of=True)
        if self._n_counted and self._search.violation(edited.source, edited.target):
            return False
        return self._judge(edited, seconds)

    def undone(self, edited: Edited, seconds: float, seed: int) -> Edited:
        """Return a valid result with edits undone, one after the other in random order, until each is needed.

        Where a given one is not valid the kernel mends it first, if it can: what comes back may still not hold.
        """
        if not self._is_countable(edited):
            return edited
        if self._judged:
            return self._undone_by_judges(edited, seconds, seed)
        found = self._run(edited, 0, ((0.0, 0.0), (1.0, 1.0), False), seconds, seed)
        return edited if found is None else found

    def annealed(self, start: Edited, number: int, seconds: float, seed: int) -> Edited | None:
        """Return the best valid result that one run met from these edges on, ``None`` if it met none.

        Each number has its own schedule. Only for models that the kernel counts, on graphs with not too many pairs.
        """
        if self._judged or not self._is_countable(start):
            return None
        graph = self._task.graph
        n_looks = max(_FEWEST_LOOKS, _LOOKS_PER_PART * (graph.n_vertices + graph.n_edges))
        n_looks //= _LOOKS_OF_SINGLES if self._is_single else 1
        return self._run(start, n_looks, _SCHEDULES[number % len(_SCHEDULES)], seconds, seed)

    def with_edits(self, n_edits: int, n_looks: int) -> tuple[Edited | None, bool, int]:
        """Return edges that take so many edits, if any do, whether all were tried, and how much work that was.

        It tries them one after the other: only for tiny graphs, or very few edits.
        """
        pulse = kernels.Pulse()
        n_most = _MOST_JUDGED if self._judged else 1
        sets, is_whole, n_used = watch(
            pulse,
            self._task.progress,
            lambda: self._search.edit_sets(n_edits, n_most, n_looks, self._task.seconds_left, pulse),
        )
        graph = self._task.graph
        given = Edited(graph.source, graph.target)
        for source, target in sets:
            made = _switched(graph, given, edge_keys(source, target, graph))
            if self._judge(made, self._task.seconds_left):
                return made, is_whole, n_used
        is_judged = not self._judged or self._task.seconds_left > 0  # what time ran out on does not count as tried
        return None, is_whole and is_judged, n_used

    @property
    def n_schedules(self) -> int:
        """How many kinds of runs there are."""
        return len(_SCHEDULES)

    def _run(
        self,
        start: Edited,
        n_looks: int,
        schedule: tuple[tuple[float, float], tuple[float, float], bool],
        seconds: float,
        seed: int,
    ) -> Edited | None:
        heat, price, counts_missing = schedule
        source, target = start.source, start.target
        found = self._task.best_of(
            lambda pulse: self._search.run(source, target, n_looks, heat, price, counts_missing, seconds, seed, pulse)
        )
        return None if found is None else Edited(*found)

    def _undone_by_judges(self, edited: Edited, seconds: float, seed: int) -> Edited:
        """Undo blocks of edits, halves of those that cannot be undone whole, while all models hold."""
        task = self._task.within(seconds)
        rest = _differing(task.graph, edited)
        order = np.argsort(Randomness(seed).keys(len(rest)), kind="stable")
        blocks, kept = [rest[order]] if len(rest) else [], edited
        while blocks and task.seconds_left > 0:
            block = blocks.pop()
            tried = _switched(task.graph, kept, block)
            if not self._search.violation(tried.source, tried.target) and self._judge(tried, task.seconds_left):
                kept = tried
            elif len(block) > 1:
                blocks += [block[len(block) // 2 :], block[: len(block) // 2]]
        return kept

    def _judge(self, edited: Edited, seconds: float, all_of: bool = False) -> bool:
        models = self._models if all_of else self._judged
        if not models:
            return True
        made = self._task.graph.with_edges(edited.source, edited.target)
        try:
            return all(model.judge(made, Ending(max(seconds, 0.001))).satisfied for model in models)
        except EndedError:
            return False

    def _is_countable(self, edited: Edited) -> bool:
        if self._is_single:
            return True
        n = self._task.graph.n_vertices
        degrees = np.bincount(edited.source, minlength=n) + np.bincount(edited.target, minlength=n)
        return int((degrees.astype(np.int64) ** 2).sum()) <= _MOST_PAIRS


def emptied(task: Task) -> Edited | None:
    """Return the graph without edges, ``None`` if they may not go.

    Examples
    --------
    >>> len(emptied(Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))).source)
    0
    """
    return None if task.edits == "add" else Edited(task.graph.source[:0], task.graph.target[:0])


def filled(task: Task) -> Edited | None:
    """Return the graph with every edge that may be added, ``None`` if none may or they are too many.

    Examples
    --------
    >>> len(filled(Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))).source)
    6
    """
    graph = task.graph
    if task.edits == "delete" or graph.n_vertices > _MOST_FILLED:
        return None
    return edges_of_keys(np.union1d(every_pair(graph), edge_keys(graph.source, graph.target, graph)), graph)


def refuse_small_groups(task: Task, model: GraphModel, n_needed: int) -> None:
    """Raise an error where fewer vertices than needed share known attributes: no edit of edges mends that.

    Raises
    ------
    UnreachableError
        Too few vertices, in all or with the same attributes.

    Examples
    --------
    >>> refuse_small_groups(Task(Graph.of_edges([0], [1])), DegreeAnonymity(2), 2)
    """
    n = task.graph.n_vertices
    if n < n_needed:
        raise UnreachableError(
            f"{model.name} with k = {model.k} needs at least {n_needed} vertices; there are {n}.",
            hint="take a smaller k.",
        )
    fewest = int(np.bincount(task.groups(model)).min())
    if fewest < n_needed:
        raise UnreachableError(
            f"{model.name} with k = {model.k} needs {n_needed} vertices with the same known attributes, but some are "
            f"shared by {fewest} only, and edits of edges cannot mend that.",
            hint="mask the attributes coarser (masks), name fewer of them, or take a smaller k.",
        )


def _is_counted(model: GraphModel, task: Task) -> bool:
    """Say whether the kernel counts all that a model demands."""
    if not isinstance(model, KLAnonymity):
        return True
    return model.l <= _MOST_COUNTED and _fits(model, task)


def _fits(model: KLAnonymity, task: Task) -> bool:
    if model.view != "rows" or model.l < _MOST_COUNTED or not model.exclude_known:
        return True
    n_places = task.graph.n_vertices * (2 if task.graph.directed else 1)
    return n_places**2 * (int(task.groups(model).max()) + 1) <= _MOST_CELLS


def _demand(search: kernels.EditSearch, model: GraphModel, task: Task) -> int:
    """Give the kernel what it can count of a model; return whether there is any, as a number."""
    groups = task.groups(model).astype(np.int32) if model.attributes else None
    if isinstance(model, KLAnonymity):
        if not _fits(model, task):
            return 0
        n_known = min(model.l, _MOST_COUNTED)
        search.add_known(model.k, n_known, model.view == "rows", model.exclude_known, groups)
    elif isinstance(model, DegreeAnonymity):
        search.add_degrees(model.k, groups)
    else:
        salt = int(Randomness(task.randomness.seed).keys(1)[0])
        search.add_twins(model.k, isinstance(model, ClosedTwinAnonymity), groups, salt)
    return 1


def _differing(graph: Graph, edited: Edited) -> NDArray[np.int64]:
    """Return the edits as keys: edges that one has and the other has not."""
    return np.setxor1d(edge_keys(graph.source, graph.target, graph), edge_keys(edited.source, edited.target, graph))


def _switched(graph: Graph, edited: Edited, keys: NDArray[np.int64]) -> Edited:
    """Return the edges with some of them taken out, if they are there, or put in."""
    return edges_of_keys(np.setxor1d(edge_keys(edited.source, edited.target, graph), keys), graph)


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


def fewest_edits(task: Task, models: Sequence[GraphModel], least: int = 0) -> tuple[Edited | None, int]:
    """Return edges with which all models hold and nothing is nearer, or ``None``; and a bound on the edits.

    On up to about 6 vertices every set of edits is tried. On some more, small sets are: if none of them does, the
    bound is the first number of edits that could not be ruled out.

    Parameters
    ----------
    task, models
        The graph, and what has to hold.
    least
        A number of edits that is known to be needed.

    Raises
    ------
    UnreachableError
        All sets of edits were tried, and none does.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import KLAnonymity
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> edited, n_least = fewest_edits(Task(path), [KLAnonymity(2, 2)])
    >>> edited.n_edits(path), n_least
    (1, 1)
    """
    n_edges = _n_switchable(task)
    if n_edges > _MOST_EDGES:
        return None, least
    demanded = Demanded(task.within(_SHARE_OF_TIME * task.seconds_left), models)
    n_looks = _MOST_LOOKS
    task.progress.stage("try all edits")
    for size in range(least, n_edges + 1):
        found, is_whole, n_used = demanded.with_edits(size, n_looks)
        if found is not None:
            return replace(found, lower_bound=size), size
        n_looks -= n_used
        if not is_whole or n_looks <= 0:
            return None, size if not is_whole else size + 1
    names = " and ".join(f"{model.name} with k = {model.k}" for model in models)
    allowed = {"both": "", "add": " while edges are only added", "delete": " while edges are only deleted"}[task.edits]
    raise UnreachableError(
        f"no graph on these {task.graph.n_vertices} vertices satisfies {names}{allowed}: all were tried.",
        hint="take a smaller k or l, fewer models, or both kinds of edits.",
    )


def _n_switchable(task: Task) -> int:
    """Return how many edges may be added or deleted."""
    graph, n_there = task.graph, task.graph.n_edges
    n_absent = n_pairs(graph) - int(np.count_nonzero(graph.source != graph.target))
    return {"add": n_absent, "delete": n_there, "both": n_absent + n_there}[task.edits]
