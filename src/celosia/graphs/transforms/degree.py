"""Degree anonymity by few edits: degrees to aim at, edits that lead there, annealing, and larger k."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models.degree import DegreeAnonymity
from celosia.graphs.transforms.base import Edited, Task, edge_keys
from celosia.graphs.transforms.degree_bounds import fewest_edits
from celosia.graphs.transforms.degree_exact import exact
from celosia.graphs.transforms.degree_nodes import (
    Nodes,
    Pairs,
    all_added,
    all_deleted,
    anonymous,
    edited,
    fewer,
    joined,
    no_edits,
    nodes_of,
)

_WARM, _HOT = 0.4, 1.2  # from a result on, and from nothing
_HEAT, _PRICE = (0.3, 0.05), (0.015, 0.1)  # with direction


_MOST_SEEDS = 2**64
_MOST_STAGES = 20
_MOST_FAILED = 4  # numbers k one after the other
_MOST_SOLVED, _MOST_ANNEALED, _MOST_REPEATED = 12, 150, 40_000  # nodes; with direction twice as many in the first two
_TRIALS_PER_RARE = 40
_SHARE_OF_HIGHER = 0.5  # of the time left, for larger k, before small graphs are solved exactly


def annealed(task: Task, nodes: Nodes, start: Pairs, n_steps: int, enough: int, seed: int) -> Pairs | None:
    """Return the best edits that were met from some on, or ``None`` if none were valid.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.degree_nodes import no_edits
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    >>> nodes = nodes_of(task, np.zeros(4, dtype=np.int64), 3)
    >>> len(annealed(task, nodes, no_edits(), 1000, 1, seed=1)[0])
    1
    """
    if nodes.mates is not None:
        return _annealed_arcs(task, nodes, start, n_steps, seed)
    rows = (nodes.starts, nodes.partners, nodes.groups, nodes.sides, nodes.k, nodes.may_add, nodes.may_delete)
    heat = _WARM if len(start[0]) else _HOT
    seconds = task.seconds_left
    edits = task.watched(
        lambda pulse: kernels.anneal_degrees(*rows, *start, n_steps, 1, heat, enough, seconds, seed, pulse)
    )
    return anonymous(nodes, edits)


def _annealed_arcs(task: Task, nodes: Nodes, start: Pairs, n_steps: int, seed: int) -> Pairs | None:
    graph, n = task.graph, nodes.n // 2
    search = kernels.EditSearch(
        n, True, graph.source, graph.target, graph.sides, may_add=nodes.may_add, may_delete=nodes.may_delete
    )
    search.add_degrees(nodes.k, np.ascontiguousarray(nodes.groups[:n]))
    begun, seconds = edited(graph, nodes, start, 0), task.seconds_left
    found = task.watched(
        lambda pulse: search.run(
            begun.source,
            begun.target,
            n_steps,
            _HEAT,
            _PRICE,
            counts_missing=True,
            seconds=seconds,
            seed=seed,
            pulse=pulse,
        ),
    )
    if found is None:
        return None
    changed = np.setxor1d(edge_keys(graph.source, graph.target, graph), edge_keys(*found, graph), assume_unique=True)
    return anonymous(nodes, ((changed // n).astype(np.int32), (changed % n + n).astype(np.int32)))


class _Effort(NamedTuple):
    """How hard to try: rounds, trials of targets in each, steps of annealing from the realised, and from nothing."""

    n_rounds: int
    n_trials: int
    n_steps: int
    n_steps_from_nothing: int


def _effort(nodes: Nodes) -> _Effort:
    if nodes.mates is None:
        if nodes.n <= _MOST_ANNEALED:
            return _Effort(16 if nodes.n > _MOST_SOLVED else 4, 4000, 20_000, 40_000)
        return _Effort(8, 20_000, 0, 0) if nodes.n <= _MOST_REPEATED else _Effort(2, 12_000, 0, 0)
    if nodes.n <= 2 * _MOST_ANNEALED:
        return _Effort(6 if nodes.n > 2 * _MOST_SOLVED else 2, 10_000, 50_000, 100_000)
    n_trials = min(max(_TRIALS_PER_RARE * nodes.n_rare(), 20_000), 300_000)
    return _Effort(2 if nodes.n <= _MOST_REPEATED else 1, n_trials, 0, 0)


def searched(task: Task, nodes: Nodes, seed: int) -> Pairs | None:
    """Return few edits after which the degrees are anonymous, or ``None`` where none were found.

    What is found depends on k and the seed alone, unless time runs out.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    >>> first, second = searched(task, nodes_of(task, np.zeros(4, dtype=np.int64), 3), seed=1)
    >>> len(first)
    1
    """
    plain = fewer(anonymous(nodes, all_deleted(nodes)), anonymous(nodes, all_added(nodes)))
    return fewer(plain, _searched(task, nodes, fewest_edits(nodes), (seed + nodes.k * 1_000_003) % _MOST_SEEDS))


def searched_higher(task: Task, nodes: Nodes, known: Pairs | None, seed: int) -> Pairs | None:
    """Return the edits that are known or fewer that were found for a higher k: what serves that serves this one too.

    Higher k are tried as long as their bound is below what was found, so that a higher k never costs less.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.degree_nodes import all_deleted
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> task = Task(Graph.of_edges([0, 1, 2], [1, 2, 3]))
    >>> nodes = nodes_of(task, np.zeros(4, dtype=np.int64), 3)
    >>> len(searched_higher(task, nodes, all_deleted(nodes), seed=1)[0])
    1
    """
    best, n_failed = known, 0
    highest = int(np.bincount(nodes.groups).min()) // (1 if nodes.mates is None else 2)
    for k in range(nodes.k + 1, highest + 1):
        own = nodes.with_k(k)
        bound = fewest_edits(own)
        if task.seconds_left == 0 or (best is not None and bound >= len(best[0])):
            break
        found = _searched(task, own, bound, (seed + k * 1_000_003) % _MOST_SEEDS)
        best, n_failed = fewer(best, found), 0 if found is not None else n_failed + 1
        if n_failed == _MOST_FAILED and nodes.n > 2 * _MOST_ANNEALED:
            break
    return best


def _searched(task: Task, nodes: Nodes, enough: int, seed: int) -> Pairs | None:
    effort = _effort(nodes)
    best: Pairs | None = None
    for i in range(effort.n_rounds):
        own_seed = (seed + i * 7919) % _MOST_SEEDS
        best = fewer(best, _aimed(task, nodes, effort, enough, own_seed))
        is_needed = best is None or nodes.mates is not None
        if effort.n_steps_from_nothing and is_needed and not _is_over(task, best, enough):
            best = fewer(best, annealed(task, nodes, no_edits(), effort.n_steps_from_nothing, enough, own_seed))
        if _is_over(task, best, enough):
            break
    return best


def _is_over(task: Task, best: Pairs | None, enough: int) -> bool:
    return (best is not None and len(best[0]) <= enough) or task.seconds_left == 0


def _aimed(task: Task, nodes: Nodes, effort: _Effort, enough: int, seed: int) -> Pairs | None:
    """Return edits to good targets, annealed if the graph is small."""
    found = _realised(task, nodes, effort.n_trials, seed)
    if found is None or not effort.n_steps or _is_over(task, found, enough):
        return found
    return fewer(found, annealed(task, nodes, found, effort.n_steps, enough, seed))


def _realised(task: Task, nodes: Nodes, n_trials: int, seed: int) -> Pairs | None:
    """Return edits that lead to good targets; where they stop short, targets are looked for from there."""
    edits, own = no_edits(), nodes
    for stage in range(_MOST_STAGES):
        made, is_whole = _stage(task, own, n_trials if stage == 0 else n_trials // 4, (seed + stage) % _MOST_SEEDS)
        edits = joined(nodes, edits, made)
        if is_whole:
            return anonymous(nodes, edits)
        own = own.after(made)
    return None


def _stage(task: Task, nodes: Nodes, n_trials: int, seed: int) -> tuple[Pairs, bool]:
    """Return edits that lead to good targets or a part of the way, and whether they lead there."""
    rows = (nodes.starts, nodes.partners, nodes.groups, nodes.sides, nodes.mates)
    rules = (nodes.k, nodes.may_add, nodes.may_delete)
    seconds = task.seconds_left
    targets, direct, _ = task.watched(
        lambda pulse: kernels.degree_targets(*rows, *rules, n_trials, seconds, seed, pulse)
    )
    first, second, is_whole = task.watched(
        lambda pulse: kernels.realise_degrees(*rows, *rules, targets, *direct, seed, pulse)
    )
    return (first, second), is_whole


def degree(task: Task, model: DegreeAnonymity) -> Edited:
    """Return the edges of a graph that is degree anonymous, with few edits.

    Degrees to aim at are found first: sorted degrees are cut into stretches of at least k, by dynamic programming and
    then by annealing with a closer look at how the wanted changes fit together. Edits lead there: links between
    vertices that both want more or less, then links to vertices of frequent degrees, then moved links. Small graphs
    are annealed further, and solved exactly where scipy is installed and time allows. With deletions it always
    succeeds: the empty graph is anonymous.

    Raises
    ------
    UnreachableError
        There are fewer than k vertices, in all or equal in the known attributes; or only additions are allowed and
        they cannot lead there, or none that do were found. The message says which.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> result = degree(Task(path), DegreeAnonymity(3))
    >>> result.n_edits(path), result.lower_bound
    (1, 1)
    """
    groups = task.groups(model)
    _check_sizes(groups, model)
    task.progress.stage("search degrees")
    nodes = nodes_of(task, groups, model.k)
    if nodes.smallest_set(nodes.degrees.astype(np.int64)) >= model.k:
        return edited(task.graph, nodes, no_edits(), 0)
    seed = int(task.randomness.keys(1)[0])
    best, bound = searched(task, nodes, seed), fewest_edits(nodes)
    is_impossible = False
    if best is not None and len(best[0]) > bound:
        best = searched_higher(task.within(_SHARE_OF_HIGHER * task.seconds_left), nodes, best, seed)
    if best is None or len(best[0]) > bound:
        best, bound, is_impossible = exact(task, nodes, best, bound)
    if best is None and not is_impossible:
        best = searched_higher(task, nodes, best, seed)
    if best is None:
        raise _unreachable(nodes, task.graph, is_impossible)
    return edited(task.graph, nodes, best, bound)


def _check_sizes(groups: NDArray[np.int64], model: DegreeAnonymity) -> None:
    if len(groups) < model.k:
        raise UnreachableError(
            f"degree anonymity with k = {model.k} needs at least {model.k} vertices; there are {len(groups)}.",
            hint=f"a k of at most {len(groups)} could do." if len(groups) > 1 else "",
        )
    sizes = np.bincount(groups)
    n_small = int(np.count_nonzero(sizes < model.k))
    if n_small:
        raise UnreachableError(
            f"{n_small} of {len(sizes)} combinations of the known attributes have fewer than k = {model.k} vertices;"
            " no edit of links can hide these.",
            hint="mask the attributes coarser (masks), or lower k.",
        )


def _unreachable(nodes: Nodes, graph: Graph, is_impossible: bool) -> UnreachableError:
    said = "cannot be reached" if is_impossible else "was not reached by any search"
    kept = " between the sides" if graph.sides is not None else ""
    return UnreachableError(
        f"degree anonymity with k = {nodes.k} {said} with additions{kept} alone.",
        hint="allow deletions (edits: both), or lower k.",
    )
