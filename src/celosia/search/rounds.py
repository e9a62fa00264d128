"""Local recoding: recodings of whole columns one after another, each of the rows that those before left over."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.search.base import Grouping, Problem
from celosia.search.repair import broken_by_models
from celosia.search.whole_columns import WholeColumns

_MOST_RECODINGS = 50_000
"""Of larger lattices only random ways from the bottom to the top are gone."""


def recoded_in_rounds(
    columns: WholeColumns, least: list[int], most: list[int], seconds: float | None
) -> Grouping | None:
    """Return classes of several recodings, the cheapest first; ``None`` if they do not satisfy the models.

    Each recoding publishes the classes that hold among the rows left over, as long as the last one, which is the
    coarsest, can publish the rest. Where the time will not do for all, some are passed over.
    """
    problem = columns.problem
    if columns.objective in ("discernibility", "average_class_size"):  # which say nothing of the levels by themselves
        columns = replace(columns, objective="gcp")
    nodes = _cheapest_first(columns, _nodes(columns, least, most, _MOST_RECODINGS))
    # Rows that may be suppressed need not be: without them the rest may follow otherwise, and more cheaply.
    budgets = sorted({0, problem.n_spare})
    found = [one for n_spare in budgets if (one := _swept(columns, nodes, n_spare, seconds and seconds / len(budgets)))]
    if not found:
        return None
    levels, labels = min(found, key=lambda one: _cost(columns, *one))
    return columns.grouping_at(levels, labels, None)


def swept(problem: Problem, n_most_recodings: int, seconds: float | None) -> NDArray[np.int32] | None:
    """Return classes of at most so many recodings, no row suppressed; ``None`` if they do not satisfy the models."""
    columns = WholeColumns(problem, "gcp")
    tops = [ladder.n_levels - 1 for ladder in columns.ladders]
    nodes = _cheapest_first(columns, _nodes(columns, [0] * len(tops), tops, n_most_recodings))
    found = _swept(columns, nodes, 0, seconds)
    return None if found is None else found[1]


def _swept(
    columns: WholeColumns, nodes: NDArray[np.int32], n_spare: int, seconds: float | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """Return the levels of every class and the class of every row; ``None`` if models do not hold."""
    problem = replace(columns.problem, n_spare=n_spare)
    recoder = replace(columns, problem=problem).recoder_of(problem.demands, kernels.Demands(problem.n_rows))
    labels, node_of = problem.run(lambda pulse: recoder.sweep(nodes, seconds or 0.0, pulse), keeps_best=True)
    if not len(node_of) or int((labels < 0).sum()) > n_spare or len(broken_by_models(problem, labels)):
        return None
    return nodes[node_of], labels


def _cost(columns: WholeColumns, levels: NDArray[np.int32], labels: NDArray[np.int32]) -> int:
    """Return what classes cost, each on a level per column."""
    kept, total = labels >= 0, 0
    for level, codes, (costs, lost) in zip(levels.T, columns.codes, columns.costs, strict=True):
        total += int(costs[level[labels[kept]], codes[kept]].sum()) + int(lost[codes[~kept]].sum())
    return total


def _nodes(columns: WholeColumns, least: list[int], most: list[int], n_most: int) -> NDArray[np.int32]:
    """Return all recodings within bounds, or so many of them on random ways from the finest to the coarsest."""
    if prod(high - low + 1 for low, high in zip(least, most, strict=True)) <= n_most:
        every = product(*(range(low, high + 1) for low, high in zip(least, most, strict=True)))
        return np.array(list(every), dtype=np.int32)
    steps = np.repeat(np.arange(len(least)), np.array(most) - np.array(least))
    ways = []
    for _ in range(max(n_most // (len(steps) + 1), 1)):
        order = steps[columns.problem.randomness.permutation(len(steps))]
        climbs = np.cumsum(np.eye(len(least), dtype=np.int32)[order], axis=0, dtype=np.int32)
        ways.append(np.vstack([np.zeros((1, len(least)), dtype=np.int32), climbs]) + np.array(least, dtype=np.int32))
    return np.unique(np.vstack(ways), axis=0)


def _cheapest_first(columns: WholeColumns, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return recodings by what they would cost all rows, equal ones in lexicographic order; the coarsest is last."""
    total = np.zeros(len(nodes), dtype=np.int64)
    for column, (codes, (costs, _)) in enumerate(zip(columns.codes, columns.costs, strict=True)):
        n_rows = np.bincount(codes, minlength=costs.shape[1])
        total += (costs @ n_rows)[nodes[:, column]]
    order = np.lexsort((*nodes.T[::-1], total))
    coarsest = np.flatnonzero((nodes == nodes.max(axis=0)).all(axis=1))
    return np.ascontiguousarray(nodes[np.append(order[order != coarsest[0]], coarsest)])
