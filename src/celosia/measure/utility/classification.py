"""Classification: how much less a learner learns from the anonymised rows than from the raw ones.

The learner is naive Bayes on published cells: a small one that takes ranges, sets and nodes as they are. Every column
is cut into bins: one per value of a category; at most ten for numbers and dates, at the deciles of the training rows;
one for missing values where the training rows have any. A published cell gives each bin the share of its values (those
that the data hold under it) that lie in the bin; an untouched value is all in one bin.

P(y | row) ~ P(y) Π_j P(bin_j | y), with P(y) = (n_y + 1) / (n + C) and P(b | y) = (w_jby + 1) / (Σ_b w_jby + B_j). Here
w_jby is the weight that the rows of class y give to bin b of column j, C the number of classes and B_j of bins. A value
that no training row has leaves its column out. Among equally likely classes the first wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.data.recode import Recoding
from celosia.data.schema import Role, Table
from celosia.data.schema.columns import as_text, codes_of
from celosia.measure.utility.covers import Cover, covers_of

_MOST_BINS = 10


@runtime_checkable
class Runs(Protocol):
    """What anonymises the training rows: a plan, or anything else with such a method."""

    def run(self, table: Table) -> Any:
        """Return a release: an object with a ``recoding``."""
        ...


@dataclass(frozen=True)
class Classification(Result):
    """How well a learner predicts a column of people it has not seen.

    Attributes
    ----------
    accuracy
        The share of held-out rows it gets right after learning from anonymised rows; mean over all folds.
    accuracy_raw, accuracy_majority
        The same after learning from the raw rows, and by always naming the most frequent value.
    relative
        (accuracy - accuracy_majority) / (accuracy_raw - accuracy_majority): 1 where nothing was lost, 0 where nothing
        was learnt; it can lie outside [0, 1]. ``None`` where the raw rows teach no more than the majority.
    n_rows, n_classes
        Rows with a known target, and the target's different values.
    seeds
        That of every repetition.
    reason
        Why figures are ``None``; empty where all are there.
    """

    target: str
    accuracy: float | None
    accuracy_raw: float | None
    accuracy_majority: float | None
    relative: float | None
    n_rows: int
    n_classes: int
    folds: int
    repeats: int
    seeds: tuple[int, ...]
    reason: str = ""


def classification(
    table: Table, plan: Runs, target: str, folds: int = 5, repeats: int = 2, seed: int | None = None
) -> Classification:
    """Return how well a column can be predicted by learning from anonymised rows, on raw rows held out before.

    Repeated stratified cross-validation: the people of a fold are put aside, the plan anonymises the others, a naive
    Bayes learner (its formulas stand in ``celosia.measure.utility.classification``) is trained on what it publishes and
    tested on the raw rows put aside. It sees the quasi-identifiers. Rows whose target is missing are left out from the
    start.

    A target of fewer than two values, or one with fewer people than folds, has no figure: the reason is given.

    Parameters
    ----------
    plan
        The plan, which is run folds · repeats times.
    target
        The column to predict: one that is published as it is, sensitive or insensitive.
    folds
        From 2.
    repeats
        From 1.
    seed
        A whole number from 0 for the same folds again. The plan has a seed of its own.

    Raises
    ------
    ColumnNotFoundError
        The table has no such column.
    OptionError
        An option has a value that is not allowed.
    UnreachableError
        The plan cannot be met on the training rows.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.recode import recode
    >>> from celosia.data.classes import Classes
    >>> from celosia.data.schema import Schema
    >>> class Untouched:
    ...     def run(self, table):
    ...         self.recoding = recode(table, Classes(list(range(table.n_rows))))
    ...         return self
    >>> marks = pl.DataFrame({"mark": [1, 2, 3, 7, 8, 9, 9, 9], "passed": ["n"] * 3 + ["y"] * 5})
    >>> table = Table(marks, Schema(quasi_identifiers={"mark": "number"}, insensitive=["passed"]))
    >>> found = classification(table, Untouched(), "passed", folds=2, seed=1)
    >>> found.accuracy == found.accuracy_raw, found.relative
    (True, 1.0)
    """
    _check(table, plan, target, folds, repeats)
    table = table.with_frame(table.frame.filter(table.frame[target].is_not_null()))
    codes, values = codes_of(as_text(table.frame[target]))
    people = np.arange(table.n_rows) if table.subjects is None else table.subjects
    seeds = _seeds(seed, repeats)
    unknown = Classification(target, None, None, None, None, table.n_rows, len(values), folds, repeats, seeds)
    if reason := _undefined(codes, people, len(values), folds):
        return replace(unknown, reason=reason)
    right = []
    for own in seeds:
        fold_of_row = _folds(codes, people, folds, Randomness(own))
        for fold in range(folds):
            held_out = fold_of_row == fold
            if held_out.any() and not held_out.all():
                right.append(_right(table, plan, target, codes, list(values), held_out))
    if any(one is None for one in right):
        reason = "a fold's training rows were all suppressed, or the release lacks what is to be predicted."
        return replace(unknown, reason=reason)
    learnt, raw, majority = np.array(right, dtype=np.float64).mean(axis=0).tolist()
    known = replace(unknown, accuracy=learnt, accuracy_raw=raw, accuracy_majority=majority)
    if raw <= majority + 1e-12:
        return replace(known, reason="the raw rows teach no more than the majority.")
    return replace(known, relative=(learnt - majority) / (raw - majority))


def _check(table: Table, plan: Runs, target: str, folds: int, repeats: int) -> None:
    if not isinstance(plan, Runs) or isinstance(plan, type):
        raise InputError("classification needs a plan, to run it on the training rows.", hint="pass the plan itself.")
    if target not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{target}' is not a column of {table.name}.",
            hint=nearest_column(target, table.frame.columns),
            about=target,
        )
    if table.schema.roles(target) & {Role.IDENTIFIER, Role.QUASI_IDENTIFIER}:
        raise OptionError(
            f"the target '{target}' is not published as it is.",
            hint="predict a sensitive or insensitive column.",
            about="target",
        )
    checked_whole("folds", folds, 2)
    checked_whole("repeats", repeats, 1)


def _seeds(seed: int | None, repeats: int) -> tuple[int, ...]:
    random = Randomness(seed)
    return tuple(random.below(2**32) for _ in range(repeats))


def _undefined(codes: NDArray[np.int32], people: NDArray[np.integer], n_classes: int, folds: int) -> str:
    """Return why a target has no figure; nothing where it has."""
    if n_classes < 2:
        return "the target has fewer than two values."
    pairs = np.unique(np.stack([codes, people]), axis=1)
    rarest = int(np.bincount(pairs[0], minlength=n_classes).min())
    return f"a value of the target belongs to {rarest} people, fewer than {folds} folds." if rarest < folds else ""


def _folds(
    codes: NDArray[np.int32], people: NDArray[np.integer], folds: int, randomness: Randomness
) -> NDArray[np.int64]:
    """Deal people into folds, class by class (that of a person's first row), so that no person is in two of them."""
    _, first, person = np.unique(people, return_index=True, return_inverse=True)
    order = randomness.permutation(len(first))
    order = order[np.argsort(codes[first][order], kind="stable")]
    fold_of_person = np.empty(len(first), dtype=np.int64)
    fold_of_person[order] = np.arange(len(first)) % folds
    return fold_of_person[person]


def _right(
    table: Table, plan: Runs, target: str, codes: NDArray[np.int32], values: list[str], held_out: NDArray[np.bool_]
) -> tuple[float, float, float] | None:
    """Return which share of the held-out rows is predicted right: by anonymised rows, by raw rows, by the majority."""
    training = ~held_out
    recoding: Recoding = plan.run(table.with_frame(table.frame.filter(pl.Series(training)))).recoding
    raw = {column.name: column.values for column in table.quasi_identifiers}
    covers = [cover for cover in covers_of(recoding) if cover.column.name in raw]
    published = ~recoding.searched.suppressed
    if target not in recoding.table.frame.columns or not published.any() or not covers:
        return None
    bins = [bins_of(raw[cover.column.name].filter(pl.Series(training))) for cover in covers]
    tested = [
        own.of(raw[cover.column.name].filter(pl.Series(held_out))) for own, cover in zip(bins, covers, strict=True)
    ]
    known = dict(zip(values, range(len(values)), strict=True))
    learnt = np.array([known.get(text, -1) for text in as_text(recoding.table.frame[target])], dtype=np.int64)
    rows = published & (learnt >= 0)
    by_release = predicted(
        [_soft(cover, own, learnt, rows, len(values)) for cover, own in zip(covers, bins, strict=True)],
        np.bincount(learnt[rows], minlength=len(values)).astype(np.float64),
        tested,
    )
    n_rows = np.bincount(codes[training], minlength=len(values)).astype(np.float64)
    by_raw = predicted(
        [
            _hard(own.of(raw[cover.column.name].filter(pl.Series(training))), own, codes[training], len(values))
            for cover, own in zip(covers, bins, strict=True)
        ],
        n_rows,
        tested,
    )
    truth = codes[held_out]
    return (
        float((by_release == truth).mean()),
        float((by_raw == truth).mean()),
        float((np.argmax(n_rows) == truth).mean()),
    )


def _soft(
    cover: Cover, bins: Bins, learnt: NDArray[np.int64], rows: NDArray[np.bool_], n_classes: int
) -> NDArray[np.float64]:
    """Return the weight that published rows give to each bin, per class: every cell spread over its values."""
    bin_of_slot = np.full(cover.n_slots, -1, dtype=np.int64)
    values = pl.Series(list(cover.column.domain.values), dtype=cover.column.values.dtype)
    bin_of_slot[: cover.n_values] = bins.of(values)
    if (cover.column.codes == -1).any():
        bin_of_slot[cover.n_values] = bins.missing
    in_bin = (bin_of_slot[:, None] == np.arange(bins.n_bins)).astype(np.float64)
    spread = cover.under(in_bin) / cover.sizes[:, None]
    n_cells = len(spread)
    counts = np.bincount(learnt[rows] * n_cells + cover.of_row[rows], minlength=n_classes * n_cells)
    return np.asarray(counts.reshape(n_classes, n_cells) @ spread)


def _hard(bin_of_row: NDArray[np.int64], bins: Bins, codes: NDArray[np.int32], n_classes: int) -> NDArray[np.float64]:
    """Return how many raw rows of each class lie in each bin."""
    known = bin_of_row >= 0
    counts = np.bincount(codes[known] * bins.n_bins + bin_of_row[known], minlength=n_classes * bins.n_bins)
    return counts.reshape(n_classes, bins.n_bins).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Bins:
    """How the values of one column become bins.

    Attributes
    ----------
    edges
        Of numbers and dates: where a bin ends and the next begins.
    places
        Of categories: the bin of each value.
    missing
        The bin of missing values; -1 where there is none.
    n_bins
        How many bins there are.
    """

    edges: NDArray[np.float64] | None
    places: dict[str, int]
    missing: int
    n_bins: int

    def of(self, values: pl.Series) -> NDArray[np.int64]:
        """Return the bin of each value; -1 where it has none."""
        is_missing = values.is_null().to_numpy()
        if self.edges is None:
            known = np.array([self.places.get(value, -1) for value in values], dtype=np.int64)
        else:
            known = np.searchsorted(self.edges, _floats(values), side="right")
        return np.where(is_missing, self.missing, known)


def bins_of(values: pl.Series) -> Bins:
    """Return the bins of a column of training rows.

    Examples
    --------
    >>> bins_of(pl.Series(["law", "art", None])).of(pl.Series(["art", None, "physics"])).tolist()
    [0, 2, -1]
    """
    known = values.drop_nulls()
    edges, places = None, {}
    if values.dtype == pl.String:
        places = {value: place for place, value in enumerate(known.unique().sort())}
        n_bins = len(places)
    else:
        numbers = _floats(known)
        inner = np.arange(1, _MOST_BINS) / _MOST_BINS
        edges = np.unique(np.quantile(numbers, inner, method="higher")) if len(numbers) else np.zeros(0)
        n_bins = len(edges) + 1
    missing = n_bins if values.null_count() else -1
    return Bins(edges, places, missing, n_bins + (missing >= 0))


def predicted(
    weights: Sequence[NDArray[np.float64]], n_rows: NDArray[np.float64], rows: Sequence[NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Return the most likely class of each row.

    Parameters
    ----------
    weights
        Per column an array (classes, bins): the weight of the training rows.
    n_rows
        Per class how many training rows it has.
    rows
        Per column the bin of each row; -1 leaves the column out.

    Examples
    --------
    >>> predicted([np.array([[3.0, 0.0], [0.0, 2.0]])], np.array([3.0, 2.0]), [np.array([0, 1, -1])]).tolist()
    [0, 1, 0]
    """
    prior = np.log((n_rows + 1) / (n_rows.sum() + len(n_rows)))
    scores = np.tile(prior, (len(rows[0]), 1))
    for own, bins in zip(weights, rows, strict=True):
        logs = np.log((own + 1) / (own.sum(axis=1, keepdims=True) + own.shape[1]))
        scores += np.vstack([logs.T, np.zeros(len(n_rows))])[bins]
    return np.asarray(np.argmax(scores, axis=1), dtype=np.int64)


def _floats(values: pl.Series) -> NDArray[np.float64]:
    return values.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()
