"""Reference order: sort the rows by their distance to one point, then cut the order at the best places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.domains import Bag, Domain
from celosia.search.base import Problem
from celosia.search.orders import by_frequency, cut_order, places

Reference = Literal["lowest", "mean"]


@dataclass(frozen=True)
class ReferenceOrder(Options):
    """The ordering search of Sánchez et al.: distance to a reference point, then the best cuts.

    Rows are sorted by sum over columns of weight (x - r)^2, where x is the row's place between the lowest (0) and the
    highest (1) value, leaves of a tree at equal distances, and r that of the reference point; for categories the
    difference is 0 or 1, and a missing value is 1 away. The order is then cut into classes of neighbours with the least
    total loss, best[e] = min over s of best[s] + (e - s) loss(s..e), the classes of k to 2k - 1 rows being enough.

    Parameters
    ----------
    reference
        ``lowest``: place 0 in every column, and the first category in canonical order. ``mean``: the mean place, and
        the most frequent category.

    Raises
    ------
    OptionError
        If ``reference`` is neither.

    Guarantee
    ---------
    Every class satisfies all models; under k-anonymity alone it has, where rows are people, at most 2k - 1, and no
    other cuts of the same order lose
    less; other classes usually lose far less, because rows at one distance from a point may lie far from each other.
    Cost O(n log n + n k d); with subjects, k stands there for the number of rows in which k people are found.

    References
    ----------
    Sánchez, Martínez, Domingo-Ferrer (2016). How to avoid reidentification with proper anonymization. Science 351.

    Examples
    --------
    >>> ReferenceOrder(reference="mean").to_dict()
    {'reference': 'mean'}
    """

    reference: Reference = "lowest"
    name: ClassVar[str] = "reference_order"

    def __post_init__(self) -> None:
        if self.reference not in ("lowest", "mean"):
            raise OptionError("reference must be lowest or mean.")

    def search(self, problem: Problem) -> NDArray[np.int32]:
        """Return a class label per row of the problem."""
        return cut_order(problem, distance_order(problem, self.reference))


def distance_order(problem: Problem, reference: Reference) -> NDArray[np.int32]:
    """Return the rows by their distance to the reference point; ties in the problem's order."""
    total = np.zeros(problem.n_rows)
    for column, codes in zip(problem.quasi_identifiers, problem.codes, strict=True):
        total += column.weight * _squares(column.domain, codes, reference)[codes]
    return np.argsort(total, kind="stable").astype(np.int32)


def _squares(domain: Domain, codes: NDArray[np.int32], reference: Reference) -> NDArray[np.float64]:
    """Return the squared difference of each code from the reference; code -1 finds the last entry."""
    if isinstance(domain, Bag):
        unlike = np.ones(len(domain.values) + 1)
        by_rank = by_frequency(domain, codes) if reference == "mean" else np.arange(len(domain.values))
        unlike[by_rank[:1]] = 0.0
        return unlike
    own = places(domain, codes)
    point = _mean(own, codes) if reference == "mean" else 0.0
    return np.append(np.square(own - point), 1.0)


def _mean(own: NDArray[np.float64], codes: NDArray[np.int32]) -> float:
    """Return the mean place of the known values, summed exactly: it may not depend on the machine."""
    counts = np.bincount(codes[codes >= 0], minlength=len(own))
    return math.fsum((own * counts).tolist()) / max(int(counts.sum()), 1)
