"""Naive Bayes on published cells: a small learner that takes ranges, sets and nodes as they are.

Every column is cut into bins: one per value of a category; at most ten for numbers and dates, at the deciles of the
training rows; one for missing values where the training rows have any. A published cell gives each bin the share of its
values (those that the data hold under it) that lie in the bin; an untouched value is all in one bin.

P(y | row) ~ P(y) Π_j P(bin_j | y), with P(y) = (n_y + 1) / (n + C) and P(b | y) = (w_jby + 1) / (Σ_b w_jby + B_j). Here
w_jby is the weight that the rows of class y give to bin b of column j, C the number of classes and B_j of bins. A value
that no training row has leaves its column out. Among equally likely classes the first wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

_MOST_BINS = 10


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
