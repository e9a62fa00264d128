"""Defaults: which k and which searches a frontier shows unless one says otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from celosia import search as algorithms
from celosia.data.schema import Table
from celosia.search.base import Algorithm

FEW_KS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100)
"""Values of k that tell the whole story on a logarithmic axis."""

_ROWS_FOR_ALL_KS = 50_000
_ROW_PASSES = 1_000_000
_MOST_PASSES = 100
_LATTICE_SECONDS = 3.0


def default_ks(table: Table) -> list[int]:
    """Return 2 .. 100, or a dozen of them in a large table; none above the number of people.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> default_ks(cl.Table(pl.DataFrame({"age": [30, 31, 32, 33]}), cl.Schema(quasi_identifiers={"age": "number"})))
    [2, 3, 4]
    """
    wanted = range(2, 101) if table.n_rows <= _ROWS_FOR_ALL_KS else FEW_KS
    return [k for k in wanted if k <= max(table.n_units, 2)]


def default_algorithms(table: Table, n_points: int) -> list[Algorithm]:
    """Return the searches that are quick enough to be asked for every k, of every kind one.

    Weave gets as many passes as a fixed number of row passes over all its points allows; where that is none, it only
    grows and mends classes.
    """
    n_passes = min(_ROW_PASSES // max(table.n_rows * n_points, 1), _MOST_PASSES)
    weave = algorithms.Weave(passes=n_passes) if n_passes else algorithms.Weave(effort="fast")
    return [
        weave,
        algorithms.Mondrian(),
        algorithms.HilbertOrder(),
        algorithms.Lattice(time_limit=_LATTICE_SECONDS),
    ]


def spread(ks: Sequence[int]) -> list[int]:
    """Return the values in an order whose every beginning is spread over the logarithmic axis.

    The ends come first, then the usual values, then the others, always the one farthest from those before.

    Examples
    --------
    >>> spread([2, 3, 6, 8, 10, 20, 90])
    [2, 90, 10, 20, 3, 6, 8]
    """
    places = {k: math.log(k) for k in sorted(set(ks))}
    ends = [min(places), max(places)]
    order: list[int] = []
    for group in (ends, [k for k in places if k in FEW_KS], list(places)):
        waiting = [k for k in group if k not in order]
        while waiting := [k for k in dict.fromkeys(waiting) if k not in order]:
            order.append(max(waiting, key=lambda k: min((abs(places[k] - places[one]) for one in order), default=0.0)))
    return order
