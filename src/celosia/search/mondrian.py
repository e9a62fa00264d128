"""Mondrian: cut the table in two at a median, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.search.base import Problem


@dataclass(frozen=True)
class Mondrian(Options):
    """LeFevre's top-down partitioning.

    A part is cut at the median of the column in which it loses most, as long as both halves satisfy all
    models; columns that allow no cut are passed over. Trees are cut between children of the part's common ancestor.

    Parameters
    ----------
    strict
        ``True``: equal values stay on one side of a cut. ``False`` (relaxed): a part that allows no such cut is halved
        at the median of a number or category all the same, rows with the median value going to either side.

    Guarantee
    ---------
    Every class satisfies all models. Strict classes of numbers do not overlap. Cost O(n log n).

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan (2006). Mondrian multidimensional k-anonymity.

    Examples
    --------
    >>> Mondrian(strict=False).to_dict()
    {'strict': False}
    """

    strict: bool = True
    name: ClassVar[str] = "mondrian"

    def __post_init__(self) -> None:
        if not isinstance(self.strict, bool):
            raise OptionError("strict must be true or false.")

    def search(self, problem: Problem) -> NDArray[np.int32]:
        """Return a class label per row of the problem."""
        columns, demands = problem.columns, problem.demands
        return problem.run(lambda pulse: kernels.mondrian(columns, demands, self.strict, pulse))
