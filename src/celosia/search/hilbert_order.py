"""Hilbert order: sort the rows along a space-filling curve, then cut the order at the best places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.fields import Options
from celosia.data.hierarchies.domains import Domain
from celosia.search.base import Problem
from celosia.search.orders import by_dispersion, cut_order, places

_KEY_BITS = 128
_MOST_BITS = 32


@dataclass(frozen=True)
class HilbertOrder(Options):
    """The ordering search of Ghinita et al.: a Hilbert curve over all quasi-identifiers, then the best cuts.

    Each column is cut into 2^b cells, b = min(32, 128 // columns): numbers by their position between the lowest and the
    highest, ordered values and trees by leaf, categories by rank of frequency; missing values have the first cell to
    themselves. Rows are sorted by their cell's place on the Hilbert curve, columns in ascending dispersion (of more
    than 128 columns, the 128 most dispersed). The order is then cut into classes of neighbours with the least total
    loss, best[e] = min over s of best[s] + (e - s) loss(s..e), the classes of k to 2k - 1 rows being enough for that.

    Weights act on the loss and so on the cuts, not on the curve.

    Guarantee
    ---------
    Every class satisfies all models; under k-anonymity alone it has, where rows are people, at most 2k - 1, and no
    other cuts of the same order lose
    less; other classes may, because the curve passes by some neighbours. Cost O(n log n + n k d); with subjects, k
    stands there for the number of rows in which k people are found.

    References
    ----------
    Ghinita, Karras, Kalnis, Mamoulis (2009). A framework for efficient data anonymization under privacy and accuracy
    constraints. Skilling (2004). Programming the Hilbert curve.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [20, 70, 21, 69, 22]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=HilbertOrder(), seed=1).run(table)
    >>> sorted(set(release.frame["age"]))
    ['[20, 22]', '[69, 70]']
    """

    name: ClassVar[str] = "hilbert_order"

    def search(self, problem: Problem) -> NDArray[np.int32]:
        """Return a class label per row of the problem."""
        coordinates, bits = curve_coordinates(problem)
        return cut_order(problem, problem.run(lambda pulse: kernels.hilbert_order(coordinates, bits, pulse)))


def curve_coordinates(problem: Problem) -> tuple[NDArray[np.uint32], int]:
    """Return the cell of each row in each column, least dispersed column first, and the bits of a cell's number."""
    chosen = by_dispersion(problem)[-_KEY_BITS:]
    bits = min(_MOST_BITS, _KEY_BITS // len(chosen))
    coordinates = np.empty((problem.n_rows, len(chosen)), dtype=np.uint32)
    for axis, position in enumerate(chosen):
        domain, codes = problem.quasi_identifiers[position].domain, problem.codes[position]
        coordinates[:, axis] = _cells(domain, codes, bits)[codes]
    return coordinates, bits


def _cells(domain: Domain, codes: NDArray[np.int32], bits: int) -> NDArray[np.uint32]:
    """Return the cell of each code; the last entry, which code -1 finds, is that of missing values."""
    first = int((codes < 0).any())
    n_cells = 2**bits - first
    cells = np.minimum(np.floor(places(domain, codes) * n_cells), n_cells - 1) + first
    return np.append(cells, 0.0).astype(np.uint32)
