"""A loss that no grouping can undercut, whatever the search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.schema import QuasiIdentifier, Table


def lower_bounds(table: Table, ks: Sequence[int]) -> list[float]:
    """Return, for each k, a lower bound of the GCP of every release of the table in classes of at least k rows.

    A class that holds row i holds k - 1 others at least, so that one of them is no nearer to i than its (k - 1)-th
    nearest row. Adding rows never narrows a class: its NCP is at least that of the pair. Hence

        GCP >= mean over rows i of D_i(k - 1),

    with D_i(m) the weighted mean over columns of the NCP of row i and its m-th nearest row. A suppressed row loses 1,
    which is no less. Needs memory for n * n numbers.

    Parameters
    ----------
    ks
        Each from 1 to the number of rows.

    Raises
    ------
    OptionError
        A k is out of that range.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [0, 1, 3, 4]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> lower_bounds(table, [2, 3])
    [0.25, 0.625]
    """
    if not all(1 <= k <= table.n_rows for k in ks):
        raise OptionError(f"the lower bound needs k from 1 to the number of rows, {table.n_rows}.")
    columns = table.quasi_identifiers
    distances = sum(column.weight * _pair_losses(column) for column in columns) / sum(one.weight for one in columns)
    # The row itself, at distance 0, is the first of the sorted ones.
    nearest = np.sort(distances, axis=1)
    return [float(nearest[:, k - 1].mean()) for k in ks]


def _pair_losses(column: QuasiIdentifier) -> NDArray[np.float64]:
    """Return the NCP of every pair of rows in a column; missing beside known costs 1."""
    domain, missing = column.domain, column.codes < 0
    losses: NDArray[np.float64] = (missing[:, None] != missing[None, :]).astype(np.float64)
    known = np.flatnonzero(~missing)
    one, other = np.broadcast_arrays(column.codes[known][:, None], column.codes[known][None, :])
    if isinstance(domain, Bag):
        apart = (one != other) / max(len(domain.values) - 1, 1)
    elif isinstance(domain, Levels):
        apart = domain.share[domain.lowest_common(one, other)]
    else:
        apart = np.abs(domain.positions[one] - domain.positions[other])
    losses[np.ix_(known, known)] = apart
    return losses
