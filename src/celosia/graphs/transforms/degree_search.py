"""Few edits to degree anonymity, by heuristics: degrees to aim at, edits that lead there, and annealing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from celosia import kernels
from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.degree_annealing import annealed
from celosia.graphs.transforms.degree_bounds import fewest_edits
from celosia.graphs.transforms.degree_edits import all_added, all_deleted, anonymous, fewer, joined, no_edits
from celosia.graphs.transforms.degree_nodes import Nodes, Pairs

_MOST_SEEDS = 2**64
_MOST_STAGES = 20
_MOST_FAILED = 4  # numbers k one after the other
_MOST_SOLVED, _MOST_ANNEALED, _MOST_REPEATED = 12, 150, 40_000  # nodes; with direction twice as many in the first two
_TRIALS_PER_RARE = 40


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
    >>> from celosia.graphs.transforms.degree_edits import all_deleted
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
