"""Orders of the rows: where values lie, how much a column differs, and the best cuts of an order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.hierarchies.domains import Bag, Domain, Line
from celosia.search.base import Problem
from celosia.search.repair import mended


def cut_order(problem: Problem, order: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return classes of neighbours with the least total loss, repaired where they break another model than k-anonymity.

    Where values must stand in proportion, classes that follow each other are joined until they do.
    """
    columns, k, subjects, demands = problem.columns, problem.n_least_people, problem.subjects, problem.demands
    labels = problem.run(lambda pulse: kernels.split_order(columns, k, order, subjects, pulse))
    if demands.are_about_proportion:
        labels = kernels.join_neighbours(demands, labels, order)
    return mended(problem, labels, problem.n_spare)


def by_dispersion(problem: Problem) -> NDArray[np.intp]:
    """Return the positions of the quasi-identifiers, the least dispersed first; ties in the schema's order."""
    columns = zip(problem.quasi_identifiers, problem.codes, strict=True)
    return np.argsort([dispersion(column.domain, codes) for column, codes in columns], kind="stable")


def dispersion(domain: Domain, codes: NDArray[np.int32]) -> float:
    """Return the variance of the positions on a line, and 1 - sum of squared shares for categories and trees.

    Missing values are left out on a line, and a value of their own elsewhere.

    Examples
    --------
    >>> from celosia.data.hierarchies.domains import Bag
    >>> dispersion(Bag(["a", "b"]), np.array([0, 0, 1, 1], dtype=np.int32))
    0.5
    """
    if isinstance(domain, Line):
        known = codes[codes >= 0]
        return float(np.var(domain.positions[known])) if len(known) else 0.0
    shares = np.bincount(codes + 1) / max(len(codes), 1)
    return float(1.0 - np.square(shares).sum())


def places(domain: Domain, codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return a place from 0 to 1 for each value of the domain.

    Numbers and ordered values have the positions of their line; the leaves of a tree lie at equal distances in leaf
    order; categories lie at equal distances too, the most frequent one first.

    Examples
    --------
    >>> places(Bag(["a", "b", "c"]), np.array([1, 1, 2], dtype=np.int32)).tolist()
    [1.0, 0.0, 0.5]
    """
    if isinstance(domain, Line):
        return domain.positions
    rank = np.arange(len(domain.values))
    if isinstance(domain, Bag):
        rank[by_frequency(domain, codes)] = np.arange(len(rank))
    return rank / max(len(rank) - 1, 1)


def by_frequency(domain: Domain, codes: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the codes of all values, the most frequent first; ties in canonical order."""
    counts = np.bincount(codes[codes >= 0], minlength=len(domain.values))
    return np.argsort(-counts, kind="stable")
