"""Thinning: where all rows together break a model, rows of too frequent secrets are suppressed before the search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models import AlphaK
from celosia.models.base import Model
from celosia.models.people import JudgesTogether
from celosia.models.secrets import Secret

_MOST_STEPS = 200


def thinned(
    table: Table, models: Sequence[Model], n_spare: int, randomness: Randomness, kept: str | None
) -> NDArray[np.intp]:
    """Return the rows to be grouped: all that their hierarchies know, or so few less that one class of them would do.

    Where a quasi-identifier is ``kept`` as it is, the rows of values that no class can publish go first.

    A model that outlives the uniting of classes holds for some classes only if it holds for all rows as one class.
    Where it does not, and rows may be suppressed, rows of the most frequent secrets go, at random, as few as are
    enough.
    """
    rows = np.flatnonzero(~table.unplaced)
    n_left = n_spare
    if kept is not None:
        rows = np.flatnonzero(~table.unplaced & ~is_rare(table, kept, models))
        n_left -= table.n_rows - int(table.unplaced.sum()) - len(rows)
    for model in models:
        if n_left <= 0 or "secret" not in model.needs or _holds_as_one(model, table, rows):
            continue
        going = _fewest_that_go(model, table, rows, n_left, randomness)
        rows = np.delete(rows, going)
        n_left -= len(going)
    return rows


def _fewest_that_go(
    model: Model, table: Table, rows: NDArray[np.intp], n_most: int, randomness: Randomness
) -> NDArray[np.intp]:
    """Return the places of the rows whose loss lets one class of the others satisfy a model; none if nothing does.

    The counts of the most frequent values sink to a common level. Level by level that brings a model nearer, until all
    values are equally frequent; between two levels it may lead away, so these few steps are tried one by one.
    """
    codes = _codes_that_may_go(model, table)[rows]
    counts = np.bincount(codes[codes >= 0])
    order = _most_frequent_first(codes, None if table.subjects is None else table.subjects[rows], randomness)

    def n_above(level: int) -> int:
        return min(int(np.maximum(counts - level, 0).sum()), len(rows) - 1)

    def holds(n_gone: int) -> bool:
        return _holds_as_one(model, table, np.delete(rows, order[:n_gone]))

    low, high = 0 if (codes < 0).any() else int(counts[counts > 0].min()), int(counts.max())
    if not holds(n_above(low)):
        return order[:0]
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(n_above(middle)) else (low, middle)
    last = min(n_above(low), n_most)
    steps = range(n_above(low + 1) + 1, last + 1)
    for n_gone in list(steps)[:_MOST_STEPS]:
        if holds(n_gone):
            return order[:n_gone]
    return order[:last] if holds(last) else order[:0]


def is_rare(table: Table, column: str, models: Sequence[Model]) -> NDArray[np.bool_]:
    """Whether no class can publish the value of each row in a quasi-identifier that is published as it is.

    The rows of a value are the largest class that it can have. What that class lacks no part of it has, of all models
    that a class goes on satisfying as rows join it. Models of the column itself are judged over the other columns, and
    those of all classes together may make up elsewhere for what one lacks.
    """
    codes = next(one.codes for one in table.quasi_identifiers if one.name == column)
    by_value = Classes.of([codes], table.unplaced)
    is_broken = np.append(by_value.units(table.subjects) < _least_people(models), False)
    for model in _of_each_class(models, column):
        is_broken[model.broken(by_value, table)] = True
    return is_broken[by_value.labels]


def check_rare(table: Table, column: str, models: Sequence[Model], n_spare: int) -> None:
    """Raise ``UnreachableError`` if more rows hold values that no class can publish than may be suppressed."""
    n_rare = int(is_rare(table, column, models).sum())
    if n_rare > n_spare:
        alone = sorted({model.name for model in _of_each_class(models, column)} - {"k_anonymity"})
        also = f" and satisfy {' and '.join(alone)} alone" if alone else ""
        raise UnreachableError(
            f"'{column}' is a quasi-identifier and a secret, so that each of its values must stand for "
            f"{_least_people(models)} people{also}; {n_rare} rows hold values that do not, and {n_spare} may be "
            "suppressed.",
            hint="coarsen the column first, raise max_suppression, or ask for less. Nothing was written.",
            about=column,
        )


def _least_people(models: Sequence[Model]) -> int:
    return max(model.smallest_class for model in models)


def _of_each_class(models: Sequence[Model], column: str) -> list[Model]:
    """Return the models that a class goes on satisfying as rows join it, but for those of the column itself."""
    return [
        model
        for model in models
        if model.monotone.merging and not isinstance(model, JudgesTogether) and model.to_dict().get("on") != column
    ]


def _holds_as_one(model: Model, table: Table, rows: NDArray[np.intp]) -> bool:
    labels = np.full(table.n_rows, -1, dtype=np.int64)
    labels[rows] = 0
    return not len(model.broken(Classes(labels), table))


def _codes_that_may_go(model: Model, table: Table) -> NDArray[np.int32]:
    """Return a code per row for its secret; -1 where losing the row would not help."""
    secret = Secret.of(table, model.to_dict()["on"], model.name)
    if not isinstance(model, AlphaK) or model.values is None:
        return secret.codes
    limited = np.array([value in model.values for value in secret.values], dtype=np.bool_)
    return np.where((secret.known >= 0) & limited[secret.known], secret.known, -1).astype(np.int32)


def _most_frequent_first(
    codes: NDArray[np.int32], subjects: NDArray[np.int32] | None, randomness: Randomness
) -> NDArray[np.intp]:
    """Return the rows in the order in which the counts of the codes fall evenly, the greatest first.

    The row that is the last of a code with n rows has the level n, the one before it n - 1: rows by descending level.
    Rows of people who have others come last in a code, so that fewer people go.
    """
    chance = np.argsort(randomness.permutation(len(codes)))
    repeats = np.zeros(len(codes), dtype=np.int64)
    if subjects is not None:  # who has several rows keeps the one whose code has the fewest
        frequency = np.where(codes < 0, 0, np.bincount(codes[codes >= 0], minlength=1)[codes])
        repeats = _places(subjects, np.lexsort((chance, frequency, subjects)))
    by_code = np.lexsort((chance, repeats, codes))
    level = _places(codes, by_code)[by_code]
    level[codes[by_code] < 0] = -1
    return by_code[np.argsort(-level, kind="stable")]


def _places(keys: NDArray[np.int32], order: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return of each row its place among those of equal key, in an order that has these beside each other."""
    starts = np.r_[0, np.flatnonzero(np.diff(keys[order])) + 1]
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.r_[starts, len(keys)]))
    return places
