"""How much the values of a column differ: which columns a search looks at first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.data.hierarchies.domains import Domain, Line
from celosia.search.base import Problem


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
