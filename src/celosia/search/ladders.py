"""Ladders: the levels of a column as searches that recode whole columns see them, and what each level costs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError, nearest
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import Bag, Levels, Line, spans_of
from celosia.data.recode import Extents
from celosia.data.recode.cells import cut_shares, snapped
from celosia.data.schema import QuasiIdentifier

_MOST_HALVINGS = 5


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of one column, its values at the bottom and one node at the top.

    Trees bring their levels along. Numbers and ordered values without a hierarchy are halved by width, up to 32 ranges;
    categories without one, and numbers on a grid, are published as they are or not at all. A missing value stays
    missing on every level below the top, where it is ``*`` like all others.

    Attributes
    ----------
    nodes
        int32 (levels, codes): the node over each code on every level; the last code stands for missing values, if the
        column has any.
    share
        float64 per node: its loss (NCP).
    leaves
        int64 per node: how many values of the hierarchy lie under it; -1 where widths are measured.
    low, high
        int32 per node: the first and last code under it, missing left aside.
    missing
        The node of missing values below the top; -1 if there are none.
    star
        The node that is published as ``*`` because it covers missing values, or categories without a hierarchy; -1 if
        there is none.
    """

    column: QuasiIdentifier
    nodes: NDArray[np.int32]
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    missing: int
    star: int

    @property
    def n_levels(self) -> int:
        """How many levels there are."""
        return int(self.nodes.shape[0])

    @property
    def n_codes(self) -> int:
        """How many codes there are, that of missing values included."""
        return int(self.nodes.shape[1])

    def codes(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the codes of a column with missing values (-1) as the last code."""
        return np.where(codes < 0, np.int32(self.n_codes - 1), codes).astype(np.int32)

    def groups(self) -> NDArray[np.int32]:
        """Return the nodes of every level, numbered from 0 within it."""
        levels = [np.unique(level, return_inverse=True)[1].reshape(-1) for level in self.nodes]
        return np.ascontiguousarray(np.stack(levels), dtype=np.int32)

    def extents(self, node: NDArray[np.int32], level: NDArray[np.int32]) -> Extents:
        """Return what classes publish that stand at these nodes."""
        return Extents(
            low=self.low[node],
            high=self.high[node],
            missing=node == self.missing,
            anything=node == self.star,
            level=level,
            node=node if isinstance(self.column.domain, Levels) else None,
            n_levels=self.n_levels,
        )


def ladder_of(column: QuasiIdentifier, codes: NDArray[np.int32]) -> Ladder:
    """Return the ladder of a column.

    Parameters
    ----------
    codes
        Those of the rows to be published; they say whether there are missing values.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema, Table
    >>> table = Table(pl.DataFrame({"age": [1, 2, 3, 9]}), Schema(quasi_identifiers={"age": "number"}))
    >>> ladder = ladder_of(table.quasi_identifiers[0], table.quasi_identifiers[0].codes)
    >>> ladder.nodes.tolist()
    [[0, 1, 2, 3], [4, 4, 5, 6], [7, 7, 7, 8], [9, 9, 9, 9]]
    >>> ladder.share[4:].tolist()
    [0.125, 0.0, 0.0, 0.25, 0.0, 1.0]
    """
    has_missing = bool((codes < 0).any())
    nodes, share, leaves = _levels_of(column, has_missing)
    n_values = nodes.shape[1]
    low, high = (ends.astype(np.int32) for ends in spans_of(nodes, len(share)))
    if not has_missing:
        star = len(share) - 1 if isinstance(column.domain, Bag) and n_values > 1 else -1
        return Ladder(column, nodes, share, leaves, low, high, -1, star)
    missing = len(share)
    if not n_values:
        one = np.zeros(1, dtype=np.int32)
        return Ladder(column, one.reshape(1, 1), np.zeros(1), np.ones(1, dtype=np.int64), one, one, 0, -1)
    own = np.full((len(nodes), 1), missing, dtype=np.int32)
    own[-1] = top = nodes[-1, 0]
    share[top] = 1.0
    return Ladder(
        column,
        np.hstack([nodes, own]),
        np.append(share, 0.0),
        np.append(leaves, 1),
        np.append(low, np.int32(0)),
        np.append(high, np.int32(0)),
        missing,
        int(top),
    )


def _levels_of(
    column: QuasiIdentifier, has_missing: bool
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Return the nodes of known values on every level, and their losses and leaves."""
    domain = column.domain
    if isinstance(domain, Levels):
        return domain.nodes, domain.share.copy(), domain.leaves
    if isinstance(column.hierarchy, Number) and column.hierarchy.grid is not None and isinstance(domain, Line):
        return _on_grid(domain, column.hierarchy.grid)
    n_values = len(domain.values)
    levels = [np.arange(n_values, dtype=np.int32)]
    if isinstance(domain, Line):
        levels += _halvings(domain)
    if n_values > 1 or (n_values and has_missing):
        levels.append(np.zeros(n_values, dtype=np.int32))
    nodes = np.stack(levels)
    nodes += np.cumsum([0, *(int(level.max(initial=-1)) + 1 for level in levels[:-1])], dtype=np.int32)[:, None]
    low, high = spans_of(nodes, int(nodes.max(initial=-1)) + 1)
    if isinstance(domain, Line):
        share = domain.positions[high] - domain.positions[low] if n_values else np.zeros(0)
        return nodes, share, np.full(len(share), -1, dtype=np.int64)
    leaves = high - low + 1
    return nodes, (leaves - 1) / max(n_values - 1, 1), leaves


def _on_grid(domain: Line, grid: float) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Return two levels of numbers that are published on a grid: values of one text are one node, and the top."""
    ends = [(snapped(value, grid, floor), snapped(value, grid, ceil)) for value in domain.values]
    if not ends:
        return np.zeros((1, 0), dtype=np.int32), np.zeros(0), np.zeros(0, dtype=np.int64)
    place = {pair: node for node, pair in enumerate(dict.fromkeys(ends))}
    whole = (min(low for low, _ in ends), max(high for _, high in ends))
    pairs = [*place, whole]
    nodes = np.array([[place[pair] for pair in ends], [len(place)] * len(ends)], dtype=np.int32)
    share = cut_shares([low for low, _ in pairs], [high for _, high in pairs], domain.values)
    return nodes, share, np.full(len(pairs), -1, dtype=np.int64)


def _halvings(domain: Line) -> list[NDArray[np.int32]]:
    """Return the levels of 32, 16, ... 2 ranges of equal width, those left out that change nothing."""
    found: list[NDArray[np.int32]] = []
    n_before = len(domain.values)
    for halvings in range(_MOST_HALVINGS, 0, -1):
        place = np.minimum(np.floor(domain.positions * 2**halvings), 2**halvings - 1)
        groups = np.unique(place, return_inverse=True)[1].reshape(-1).astype(np.int32)
        n_groups = int(groups.max(initial=-1)) + 1
        if 1 < n_groups < n_before:
            found.append(groups)
            n_before = n_groups
    return found


Objective = Literal["gcp", "loss", "precision", "discernibility", "non_uniform_entropy", "average_class_size"]

OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

SCALE = 2**36
"""The fixed-point cost of a row that loses everything: sums are exact, whatever their order."""


def check_objective(objective: str) -> None:
    """Raise ``OptionError`` unless an objective is known.

    Examples
    --------
    >>> check_objective("gcp")
    """
    if objective not in OBJECTIVES:
        raise OptionError(
            f"'{objective}' is not an objective.", hint=nearest(str(objective), OBJECTIVES), about="objective"
        )


def costs_of(
    ladder: Ladder, codes: NDArray[np.int32], objective: Objective, share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what a row with each code costs on each level, and suppressed; both int64.

    ======================  ==========================================================  ================
    objective               cost of a cell                                              of a lost cell
    ======================  ==========================================================  ================
    gcp                     NCP in the paper's form                                     1
    loss                    NCP in ARX's form: leaves / all leaves                      1
    precision               level / height (a column without height costs nothing)      1
    non_uniform_entropy     log2(rows under the node / rows with the value) / log2(n)   that of the top
    ======================  ==========================================================  ================

    Discernibility and average class size are counted by classes; their cells cost nothing.

    Parameters
    ----------
    codes
        The ladder's codes of all rows, which entropy counts.
    share
        The column's share of a row's whole cost.
    """
    whole = np.ones(ladder.n_codes)
    if objective == "gcp":
        cost = ladder.share[ladder.nodes]
    elif objective == "loss":
        cost = _leaf_share(ladder)[ladder.nodes]
    elif objective == "precision":
        height = ladder.n_levels - 1
        level = np.repeat(np.arange(ladder.n_levels, dtype=np.float64)[:, None], ladder.n_codes, axis=1)
        if ladder.missing >= 0:  # missing stays missing up to the top
            level[: ladder.n_levels - 1, -1] = 0.0
        cost = level / max(height, 1)
        whole = whole if height else np.zeros(ladder.n_codes)
    elif objective == "non_uniform_entropy":
        cost = _entropy(ladder, codes)
        whole = cost[-1]
    else:
        cost, whole = np.zeros(ladder.nodes.shape), np.zeros(ladder.n_codes)
    unit = SCALE * share
    fixed, lost = np.floor(cost * unit).astype(np.int64), np.floor(whole * unit).astype(np.int64)
    return np.ascontiguousarray(np.minimum(fixed, lost)), lost


def _leaf_share(ladder: Ladder) -> NDArray[np.float64]:
    """Return ARX's loss of every node."""
    n_leaves = int(ladder.leaves.max(initial=0))
    if n_leaves <= 1 or (ladder.leaves < 0).any():
        return ladder.share
    cost = ladder.leaves / n_leaves
    if ladder.missing >= 0:
        cost[ladder.missing] = 0.0
    return cost


def _entropy(ladder: Ladder, codes: NDArray[np.int32]) -> NDArray[np.float64]:
    n_rows = np.bincount(codes, minlength=ladder.n_codes)
    cost = np.zeros(ladder.nodes.shape)
    for level, nodes in enumerate(ladder.nodes):
        under = np.bincount(nodes, weights=n_rows, minlength=len(ladder.share))[nodes]
        cost[level] = np.log2(np.maximum(under, 1) / np.maximum(n_rows, 1))
    return np.where(n_rows > 0, cost / max(np.log2(max(len(codes), 2)), 1.0), 0.0)
