"""The best cuts of an order of the rows, for searches that sort first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
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
