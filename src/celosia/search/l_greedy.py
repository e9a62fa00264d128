"""l-greedy: grow classes in the order of the least varied columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.fields import Options
from celosia.search.base import Problem
from celosia.search.orders import by_dispersion
from celosia.search.repair import mended


@dataclass(frozen=True)
class LGreedy(Options):
    """The greedy search of Liang and Samavi, with the exam paper's slips mended.

    Rows are sorted by their quasi-identifiers, the column with the least dispersion first. The first free row starts a
    class, and k - 1 times the free row that raises the loss of the class least joins it. The fewer than k rows left
    over go where they raise the total loss least (the paper's listing forgets them).

    Dispersion is the variance of the values scaled to 0..1, and 1 - sum of squared shares for categories and trees.

    Guarantee
    ---------
    Every class satisfies all models: it grows, in the end only by rows that help, until it does, and rows that no
    further class can be made of are merged into others (or suppressed, within the budget). Under k-anonymity alone
    classes have k rows, or more where left-over rows join them. The
    cheapest row is found in a tree, near-linear in the rows, or by a scan where many columns make the tree useless;
    both find the same row.

    References
    ----------
    Liang, Samavi (2020). Optimization-based k-anonymity algorithms.

    Examples
    --------
    >>> LGreedy().name
    'l_greedy'
    """

    name: ClassVar[str] = "l_greedy"

    def search(self, problem: Problem) -> NDArray[np.int32]:
        """Return a class label per row of the problem."""
        order = seed_order(problem)
        columns, demands = problem.columns, problem.demands
        labels = problem.run(lambda pulse: kernels.l_greedy(columns, demands, order, pulse))
        return mended(problem, labels, problem.n_spare)


def seed_order(problem: Problem) -> NDArray[np.int32]:
    """Return the rows sorted by their columns, the least dispersed column first; missing values come first."""
    columns = [problem.codes[position] for position in by_dispersion(problem)]
    return kernels.sorted_rows(columns, problem.n_rows, None)
