"""Cut points: where a column of ordered values without hierarchy may be cut into ranges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import Line
from celosia.data.recode import Extents
from celosia.search.ladders import Ladder
from celosia.search.objectives import SCALE, Objective

_MOST_VALUES = 128
"""Of more values neighbours stand together in blocks that are never cut."""

_N_BLOCKS = 64


@dataclass(frozen=True, eq=False)
class CutPoints:
    """The blocks of a column between which it may be cut.

    Attributes
    ----------
    block_of
        int32 per code: the block, in order; -1 for missing values, whose code is the last.
    costs
        int64 (blocks, blocks): what a row costs in the range from one block to another ...
    rebates
        int64 per code: ... less that.
    """

    ladder: Ladder
    block_of: NDArray[np.int32]
    costs: NDArray[np.int64]
    rebates: NDArray[np.int64]

    @property
    def for_kernel(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """The points as the kernel takes them."""
        return self.block_of, self.costs, self.rebates

    def extents(self, ranges: NDArray[np.int32], codes: NDArray[np.int32]) -> Extents:
        """Return what classes publish that hold these codes, given the range of every code.

        If missing values stand in the range of others, everything is one range, which is published as ``*``.
        """
        n_known = self.ladder.n_codes - (1 if self.ladder.missing >= 0 else 0)
        n_ranges = int(ranges.max(initial=0)) + 1
        low, high = np.zeros(n_ranges, dtype=np.int32), np.zeros(n_ranges, dtype=np.int32)
        known = np.arange(n_known, dtype=np.int32)
        low[ranges[:n_known][::-1]] = known[::-1]
        high[ranges[:n_known]] = known
        is_missing = np.zeros(len(codes), dtype=np.bool_)
        is_anything = np.zeros(len(codes), dtype=np.bool_)
        if n_known < self.ladder.n_codes:
            mixes = bool((ranges[:n_known] == ranges[-1]).any())
            is_missing = (codes == n_known) & (not mixes)
            is_anything[:] = mixes
        own = ranges[codes]
        return Extents(low[own], high[own], is_missing, is_anything)


def cut_points_of(ladder: Ladder, codes: NDArray[np.int32], objective: Objective, share: float) -> CutPoints | None:
    """Return where a column may be cut; ``None`` for columns that are cut at the nodes of their ladders.

    Up to 128 values are parted between any two neighbours, more of them into about 64 blocks of equally many rows and
    at the borders of the ladder's levels.

    Parameters
    ----------
    codes
        The ladder's codes of all rows.
    share
        The column's share of a row's whole cost.
    """
    domain = ladder.column.domain
    has_missing = ladder.missing >= 0
    n_known = ladder.n_codes - (1 if has_missing else 0)
    hierarchy = ladder.column.hierarchy
    on_grid = isinstance(hierarchy, Number) and hierarchy.grid is not None  # ranges that differ could be spelt alike
    if not isinstance(domain, Line) or n_known < 1 or on_grid:
        return None
    n_rows = np.bincount(codes, minlength=ladder.n_codes)[:n_known]
    begins = _begins(ladder, n_rows, n_known)
    block_of = np.cumsum(begins, dtype=np.int32) - 1
    first = np.flatnonzero(begins)
    last = np.append(first[1:], n_known) - 1
    unit = SCALE * share
    rebates = np.zeros(ladder.n_codes, dtype=np.int64)
    costs = np.zeros((len(first), len(first)))
    if objective in ("gcp", "loss"):
        costs = domain.positions[last][None, :] - domain.positions[first][:, None]
    elif objective == "non_uniform_entropy":
        until = np.append(0, np.cumsum(n_rows))
        under = until[last + 1][None, :] - until[first][:, None]
        bits = max(np.log2(max(len(codes), 2)), 1.0)
        costs = np.log2(np.maximum(under, 1)) / bits
        rebates[:n_known] = np.ceil(np.log2(np.maximum(n_rows, 1)) / bits * unit)
    return CutPoints(
        ladder,
        np.append(block_of, np.full(int(has_missing), -1)).astype(np.int32),
        np.ascontiguousarray(np.floor(np.maximum(costs, 0.0) * unit).astype(np.int64)),
        rebates,
    )


def _begins(ladder: Ladder, n_rows: NDArray[np.int64], n_known: int) -> NDArray[np.bool_]:
    """Return whether each known code begins a block."""
    if n_known <= _MOST_VALUES:
        return np.ones(n_known, dtype=np.bool_)
    before = np.cumsum(n_rows) - n_rows
    quantile = before * _N_BLOCKS // max(int(n_rows.sum()), 1)
    begins = np.diff(quantile, prepend=-1) > 0
    for nodes in ladder.nodes[1:, :n_known]:
        begins |= np.diff(nodes, prepend=-1) != 0
    return begins
