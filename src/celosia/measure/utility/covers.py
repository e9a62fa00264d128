"""Covers: which of the data's values lie under each published cell.

A column's values are numbered by *slots*: first the values of its domain in order, then one slot for missing values
where there are any, then one for each value that the hierarchy does not know. A missing value is a value of its own:
of all published cells only ``missing`` and ``*`` cover it. A centroid stands for the range or set of its class, as it
does in NCP. A suppressed row is published as ``*``, which covers every slot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.recode import Cells, Recoding
from celosia.data.recode.spread import grid_places
from celosia.data.schema import QuasiIdentifier
from celosia.measure.utility.released import total_of


@dataclass(frozen=True, eq=False)
class Cover:
    """What the published cells of one column cover.

    Attributes
    ----------
    slots
        int64 per original row: the slot of its value.
    n_slots, n_values
        How many slots there are, and how many of them are values of the domain.
    of_row
        int64 per original row: its published cell; that of suppressed rows, ``*``, is the last.
    low, high
        Per cell its first and last slot, where cells cover runs of slots.
    members
        Per cell and slot whether the one covers the other, where cells are sets.
    leaves
        Per cell how many values it stands for: leaves of the hierarchy where that counts them, slots elsewhere.
    """

    column: QuasiIdentifier
    slots: NDArray[np.int64]
    n_slots: int
    n_values: int
    of_row: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    members: NDArray[np.bool_] | None
    leaves: NDArray[np.int64]

    def under(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per cell the sum of the weights of the slots under it; ``weights`` may have several columns."""
        if self.members is not None:
            return np.asarray(self.members.astype(np.float64) @ weights)
        sums = np.zeros((self.n_slots + 1, *weights.shape[1:]))
        np.cumsum(weights, axis=0, out=sums[1:])
        return np.asarray(sums[self.high + 1] - sums[self.low])

    @property
    def sizes(self) -> NDArray[np.float64]:
        """How many slots lie under each cell."""
        return self.under(np.ones(self.n_slots))

    def holds(self, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for every slot (rows) and each of these cells (columns) whether the cell covers the slot."""
        if self.members is not None:
            return self.members[cells].T
        slot = np.arange(self.n_slots)[:, None]
        return np.asarray((self.low[cells] <= slot) & (slot <= self.high[cells]))


def covers_of(recoding: Recoding) -> list[Cover]:
    """Return the cover of every quasi-identifier, for the rows of a recoding."""
    total, rows = total_of(recoding)
    return [_cover(cells, total, rows) for cells in total.cells]


def _cover(cells: Cells, recoding: Recoding, rows: NDArray[np.intp]) -> Cover:
    slots, n_slots = _slots(cells.column)
    n_values = len(cells.column.domain.values)
    n_cells = len(cells.texts[0])
    of_row = np.append(cells.of_class, n_cells)[recoding.searched.labels]
    stars = [text is not None and not text.strip("* ") for text in cells.texts[0]]
    everything = np.append(np.array(stars, dtype=np.bool_), True)
    # Cells of no class are of no matter, but not empty.
    everything[:n_cells] |= np.bincount(cells.of_class, minlength=n_cells) == 0
    low, high = np.full(n_cells + 1, n_slots - 1), np.zeros(n_cells + 1, dtype=np.int64)
    members = None
    if isinstance(cells.column.domain, Bag):
        # A set is never wider than what its rows hold, so that they tell its members.
        members = np.zeros((n_cells + 1, n_slots), dtype=np.bool_)
        members[of_row, slots] = True
        members[everything] = True
    else:
        # One text can stand for two nodes or means: whoever reads it must think of both.
        lows, highs = _runs(cells, n_values)
        np.minimum.at(low, cells.of_class, lows)
        np.maximum.at(high, cells.of_class, highs)
        low[everything], high[everything] = 0, n_slots - 1
    found = Cover(cells.column, slots[rows], n_slots, n_values, of_row[rows], low, high, members, np.zeros(0, np.int64))
    return replace(found, leaves=_leaves(found, cells, everything))


def _slots(column: QuasiIdentifier) -> tuple[NDArray[np.int64], int]:
    """Return the slot of every row, and how many slots there are."""
    n_values = len(column.domain.values)
    strange, place = np.unique(-column.codes[column.codes < 0], return_inverse=True)  # missing (1) comes first
    slots = column.codes.astype(np.int64)
    slots[slots < 0] = n_values + place
    return slots, n_values + len(strange)


def _runs(cells: Cells, n_values: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and last slot that each class publishes; without meaning where that is ``*``."""
    extents, domain, hierarchy = cells.extents, cells.column.domain, cells.column.hierarchy
    plain = extents.plain
    low = np.full(len(plain), n_values, dtype=np.int64)
    high = low.copy()
    low[plain], high[plain] = extents.low[plain], extents.high[plain]
    if isinstance(domain, Levels):
        assert extents.node is not None
        first, last = domain.spans
        low[plain], high[plain] = first[extents.node[plain]], last[extents.node[plain]]
    elif isinstance(hierarchy, Number) and hierarchy.grid is not None and hierarchy.publish != "centroid":
        below, above = (np.array(places) for places in grid_places(domain.values, hierarchy.grid))
        low[plain] = np.searchsorted(below, below[low[plain]], side="left")
        high[plain] = np.searchsorted(above, above[high[plain]], side="right") - 1
    return low, high


def _leaves(cover: Cover, cells: Cells, everything: NDArray[np.bool_]) -> NDArray[np.int64]:
    domain = cells.column.domain
    if not isinstance(domain, Levels) or not domain.n_leaves:
        return cover.sizes.astype(np.int64)
    others = cover.n_slots - cover.n_values
    return np.where(everything, domain.n_leaves + others, np.append(cells.leaves, 0))
