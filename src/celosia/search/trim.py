"""Record suppression: drop the rows that cost a class more than their own loss.

A class with people to spare may hold a row that stretches it. Dropping that row counts as losing it whole (loss 1), so
it pays just where the rest of the class gains more than that. Rows go one per class and round, the dearest first, until
the budget is spent or nothing pays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Bag, Domain, Levels, Line
from celosia.search.base import Problem
from celosia.search.repair import broken_by_models, settled


def trim(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the labels with further rows suppressed (-1) within the budget, never making a class break a model.

    The total loss (suppressed rows counted as lost) never rises. Where dropping rows moves what a model measures
    against, so that it no longer holds, the rows are dropped a second time from classes merged until it does, and if
    that loses more, not at all.
    """
    trimmed = _trimmed(problem, labels)
    if not len(broken_by_models(problem, trimmed)):
        return trimmed
    mended = settled(problem, trimmed)
    if len(broken_by_models(problem, mended)) or total_loss(problem, mended) > total_loss(problem, labels):
        return labels
    return mended


def _trimmed(problem: Problem, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    labels = labels.copy()
    budget = problem.n_spare - int((labels < 0).sum())
    needed = np.zeros(len(labels), dtype=np.bool_)
    gains, changed = np.zeros(len(labels)), np.ones(len(labels), dtype=np.bool_)
    while budget > 0:
        classes = Classes(labels)
        gains[changed] = _gains(problem, classes, np.flatnonzero(changed))
        gain = np.where(needed | ~_spare(problem, classes), -np.inf, gains)
        dearest = _one_per_class(gain, classes)[:budget]
        if not len(dearest):
            break
        kept = _breaks_a_model(problem, labels, dearest)
        needed[dearest[kept]] = True
        changed = np.isin(labels, labels[dearest[~kept]])  # the gains of all other classes are as they were
        labels[dearest[~kept]] = -1
        budget -= int(np.count_nonzero(~kept))
    return labels


def _breaks_a_model(problem: Problem, labels: NDArray[np.int32], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether the class of each row, one per class, would break a model without it."""
    without = labels.copy()
    without[rows] = -1
    original = np.unique(without[without >= 0])
    return np.isin(labels[rows], original[broken_by_models(problem, without)])


def _spare(problem: Problem, classes: Classes) -> NDArray[np.bool_]:
    """Whether each row's class keeps enough people without it."""
    people = np.append(classes.units(problem.subjects), 0)
    enough = people[classes.labels] > problem.smallest_class
    return enough & (classes.labels >= 0)


def _one_per_class(gain: NDArray[np.float64], classes: Classes) -> NDArray[np.intp]:
    """Return the row with the greatest gain of every class that has one above 0, greatest gain first."""
    candidates = np.flatnonzero(gain > 1e-12)
    by_gain = candidates[np.argsort(-gain[candidates], kind="stable")]
    _, first = np.unique(classes.labels[by_gain], return_index=True)
    return by_gain[np.sort(first)]


def _gains(problem: Problem, classes: Classes, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return by how much the total loss falls when each of the rows, all those of some classes, alone is dropped.

    It has no meaning for suppressed rows.
    """
    label = np.where(classes.labels >= 0, classes.labels, classes.n_classes)[rows]
    order = np.argsort(label, kind="stable")
    now, without = np.zeros(classes.n_classes + 1), np.zeros(len(label))
    for column, codes in zip(problem.quasi_identifiers, problem.codes, strict=True):
        share = column.weight / problem.weights.sum()
        own_now, own_without = _losses(column.domain, label, codes[rows], len(now), order)
        now += share * own_now
        without += share * own_without
    size = np.bincount(label, minlength=len(now))[label]
    return size * now[label] - (size - 1) * without - 1.0


def total_loss(problem: Problem, labels: NDArray[np.int32]) -> float:
    """Return the sum over all rows of what each loses, a suppressed one losing everything."""
    classes = Classes(labels)
    label = np.where(classes.labels >= 0, classes.labels, classes.n_classes)
    order = np.argsort(label, kind="stable")
    now = np.zeros(classes.n_classes + 1)
    for column, codes in zip(problem.quasi_identifiers, problem.codes, strict=True):
        now += column.weight / problem.weights.sum() * _losses(column.domain, label, codes, len(now), order)[0]
    now[-1] = 1.0
    return float(now[label].sum())


def _losses(
    domain: Domain, label: NDArray[np.int64], codes: NDArray[np.int32], n_labels: int, order: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the loss of each class in one column, and for each row the loss of its class if that row were gone.

    ``order`` are the rows by label.
    """
    known = codes >= 0
    n_known = np.bincount(label[known], minlength=n_labels)
    n_missing = np.bincount(label[~known], minlength=n_labels)
    covering = _covering_set if isinstance(domain, Bag) else _covering_span
    now, without = covering(domain, label, codes, n_labels, order)
    return (
        _with_missing(now, n_known, n_missing),
        _with_missing(without, n_known[label] - known, n_missing[label] - ~known),
    )


def _with_missing(
    loss: NDArray[np.float64], n_known: NDArray[np.int64], n_missing: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Missing mixed with known values loses all; missing alone nothing."""
    return np.where(n_known == 0, 0.0, np.where(n_missing > 0, 1.0, loss))


def _covering_set(
    domain: Domain, label: NDArray[np.int64], codes: NDArray[np.int32], n_labels: int, order: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    radix = len(domain.values) + 1
    pairs, inverse, counts = np.unique(label * radix + codes + 1, return_inverse=True, return_counts=True)
    n_distinct = np.bincount(pairs[pairs % radix > 0] // radix, minlength=n_labels)
    alone = (codes >= 0) & (counts[inverse] == 1)
    widest = max(len(domain.values) - 1, 1)
    return (n_distinct - 1) / widest, (n_distinct[label] - alone - 1) / widest


def _covering_span(
    domain: Domain, label: NDArray[np.int64], codes: NDArray[np.int32], n_labels: int, order: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rows = order[codes[order] >= 0]
    if not len(rows):
        return np.zeros(n_labels), np.zeros(len(label))
    own, starts = codes[rows], np.flatnonzero(np.r_[True, np.diff(label[rows]) != 0])
    owner = label[rows[starts]]
    lowest, second, second_last, highest = (np.zeros(n_labels, dtype=np.int32) for _ in range(4))
    lowest[owner], second[owner] = _two_lowest(own, starts)
    highest[owner], second_last[owner] = (-codes for codes in _two_lowest(-own, starts))
    low = np.where(codes == lowest[label], second[label], lowest[label])
    high = np.where(codes == highest[label], second_last[label], highest[label])
    return _span(domain, lowest, highest), _span(domain, low, np.maximum(low, high))


def _two_lowest(codes: NDArray[np.int32], starts: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the lowest and the second lowest code of every run, equal ones counted; of a run of one, it twice."""
    sizes = np.diff(np.r_[starts, len(codes)])
    lowest = np.minimum.reduceat(codes, starts)
    is_lowest = codes == np.repeat(lowest, sizes)
    others = np.minimum.reduceat(np.where(is_lowest, np.iinfo(np.int32).max, codes), starts)
    alone = np.add.reduceat(is_lowest.astype(np.int32), starts) == 1
    return lowest, np.where(alone & (sizes > 1), others, lowest).astype(np.int32)


def _span(domain: Domain, low: NDArray[np.int32], high: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the loss of the range or node over each pair of codes."""
    if isinstance(domain, Levels):
        return domain.share[domain.lowest_common(low, high)]
    assert isinstance(domain, Line)
    return domain.positions[high] - domain.positions[low]
