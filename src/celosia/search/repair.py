"""Repair: classes that break a model are helped by rows of others, merged with neighbours, or suppressed.

Searches that count rows only, such as k-members, leave it to ``repaired`` to meet the other models. ``settled`` is the
last word: the models themselves judge, exactly, and what they find wanting is merged until nothing is left to find.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.progress import Ending
from celosia.data.classes import Classes, group
from celosia.data.hierarchies.domains import Style
from celosia.data.recode import cells_of, parted
from celosia.data.schema import Table
from celosia.models.base import Model
from celosia.search.base import Problem


def rows_only(problem: Problem) -> kernels.Demands:
    """Return the demand for as many rows as all models together need, and nothing else."""
    demands = kernels.Demands(problem.n_rows)
    demands.add_rows(problem.demands.n_least_rows)
    return demands


def repaired(problem: Problem, labels: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return classes that satisfy all demands, made of classes that satisfy the number of rows.

    Where values must stand in proportion, neighbours are too alike for repair: classes are grown anew by rows that
    help, from seeds in the given order.
    """
    if problem.demands.are_about_proportion:
        columns, demands = problem.columns, problem.demands
        labels = problem.run(lambda pulse: kernels.l_greedy(columns, demands, order, pulse))
    return mended(problem, labels, problem.n_spare)


def mended(
    problem: Problem,
    labels: NDArray[np.int32],
    n_spare: int = 0,
    *,
    merges_only: bool = False,
    until: Ending | None = None,
) -> NDArray[np.int32]:
    """Return the classes with the broken ones helped, merged or, within so many rows, suppressed (-1).

    With ``merges_only`` no single rows change class, which is quicker and loses more. Where it is not done when
    ``until`` is over it raises ``EndedError``.
    """
    columns, demands = problem.columns, problem.demands
    if demands.counts_only:
        return labels
    found = problem.run(lambda pulse: kernels.mend(columns, demands, labels, n_spare, merges_only, pulse), until=until)
    if n_spare:
        problem.given_up[(found < 0) & (labels >= 0)] = True
    return found


def settled(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return classes that every model accepts, or a single class that breaks one.

    Classes that a model names are merged with their nearest, or suppressed where that loses less and the budget allows.
    Each round leaves fewer classes. A reference distribution that moves with suppression is measured anew each time.
    """
    while True:
        broken = broken_by_models(problem, labels)
        if not len(broken) or labels.max() == 0:
            return labels
        labels = _merged(problem, labels, broken)


def _merged(problem: Problem, labels: NDArray[np.int32], wanting: NDArray[np.int64]) -> NDArray[np.int32]:
    columns, n_spare = problem.columns, problem.n_spare - int((labels < 0).sum())
    return problem.run(lambda pulse: kernels.merge_nearest(columns, labels, wanting.tolist(), n_spare, pulse))


def united(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the classes as they will be published: those that publish the same values are one, and settled again.

    Only a model that does not outlive the uniting of classes can break by that.
    """
    while not all(model.monotone.generalising for model in problem.models):
        classes = _classes_of_table(problem, labels)
        cells = [cells_of(column, classes, Style()).of_class for column in problem.quasi_identifiers]
        merged = np.append(group(cells), -1)[classes.labels[problem.rows]].astype(np.int32)
        labels = settled(problem, merged)
        if np.array_equal(labels, merged):
            break
    return labels


def broken_by_models(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the labels (numbered without gaps) of the classes that break a model."""
    found = broken_models(problem.models, problem.table, _classes_of_table(problem, labels), problem.kept)
    return np.unique(np.concatenate([broken for _, broken in found]))


def _classes_of_table(problem: Problem, labels: NDArray[np.int32]) -> Classes:
    """Return the classes over all rows of the table, those that the problem leaves out suppressed."""
    of_table = np.full(problem.table.n_rows, -1, dtype=np.int64)
    of_table[problem.rows] = labels
    return Classes(of_table)


def broken_models(
    models: Sequence[Model], table: Table, classes: Classes, kept: str | None
) -> list[tuple[Model, NDArray[np.int64]]]:
    """Return each model with the labels of the classes that break it.

    A model about the kept column judges the classes, which are those of the other quasi-identifiers; all others judge
    the parts with equal values of it.
    """
    if kept is None:
        return [(model, model.broken(classes, table)) for model in models]
    parts = parted(table, classes, kept)
    whole_of = np.zeros(parts.n_classes, dtype=np.int64)
    whole_of[parts.labels[~parts.suppressed]] = classes.labels[~parts.suppressed]
    return [
        (
            model,
            model.broken(classes, table)
            if model.to_dict().get("on") == kept
            else np.unique(whole_of[model.broken(parts, table)]),
        )
        for model in models
    ]
