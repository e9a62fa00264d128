"""Spread: what the published values say about a column, each spread evenly over what it covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError
from celosia.data.classes import Classes
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import ANYTHING, Bag, Levels, Style
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.recode.cells import Cells


@dataclass(frozen=True, eq=False)
class Spread:
    """Published rows by the values they may have.

    Attributes
    ----------
    values
        float64 per value of the domain: its part of the rows.
    missing
        Rows published as missing.
    spelt
        Per value whether a published cell spells it out.
    """

    values: NDArray[np.float64]
    missing: float
    spelt: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ranges:
    """Published ranges of numbers: ``[low, high)`` with the rows that carry them; infinite ends mean any number."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    rows: NDArray[np.float64]
    missing: float

    def over(self, edges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rows in each bin, every range spread evenly over its width; the outer bins are open.

        Examples
        --------
        >>> two = Ranges(np.array([0.0, 5.0]), np.array([20.0, 5.0]), np.array([4.0, 1.0]), 0.0)
        >>> two.over(np.array([0.0, 10.0, 20.0])).tolist()
        [3.0, 2.0]
        """
        low, high = np.maximum(self.low, edges[0]), np.minimum(self.high, edges[-1])
        width = high - low
        below = [np.zeros(len(low))]
        for edge in edges[1:-1]:
            part = np.divide(edge - low, width, out=(low < edge).astype(np.float64), where=width > 0)
            below.append(np.clip(part, 0.0, 1.0))
        below.append(np.ones(len(low)))
        return np.array([float(self.rows @ part) for part in np.diff(below, axis=0)])


def spread_of(cells: Cells, classes: Classes) -> Spread:
    """Spread the published cells of a column evenly over those values they cover that the data hold."""
    domain = cells.column.domain
    extents = cells.extents
    sizes = classes.sizes.astype(np.float64)
    missing = float(sizes[extents.missing].sum())
    anything = float(sizes[extents.anything].sum())
    if isinstance(domain, Bag):
        values = _bag(cells, domain, sizes)
        spelt = values > 0
    else:
        plain = extents.plain
        low, high = extents.low[plain], extents.high[plain]
        if isinstance(domain, Levels):
            assert extents.node is not None
            values, spelt = _levels(domain, extents.node[plain], sizes[plain])
        else:
            values = _runs(low, high, sizes[plain] / (high - low + 1), len(domain.values))
            spelt = _runs(low, high, np.ones(len(low)), len(values)) > 0.5  # whole counts: no rounding residue
    if anything and len(values):
        values = values + anything / len(values)
    return Spread(values, missing, spelt)


def _bag(cells: Cells, domain: Bag, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread every distinct set over its members; the separator occurs in none of the values."""
    rows = np.bincount(cells.of_class, weights=sizes, minlength=len(cells.texts[0]))
    place = {value: code for code, value in enumerate(domain.values)}
    values = np.zeros(len(domain.values))
    for text, n_rows in zip(cells.texts[0], rows.tolist(), strict=True):
        if text is not None and text != ANYTHING:
            members = [place[member] for member in text.split(domain.separator)]
            for member in members:
                values[member] += n_rows / len(members)
    return values


def _levels(
    domain: Levels, node: NDArray[np.int32], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rows = np.bincount(node, weights=sizes, minlength=len(domain.share))
    values = np.zeros(len(domain.values))
    for level in domain.nodes:
        nodes, first, count = np.unique(level, return_index=True, return_counts=True)
        values += _runs(first, first + count - 1, rows[nodes] / count, len(values))
    spelt = np.zeros(len(values), dtype=np.bool_)
    spelt[node[node < len(values)]] = True
    if domain.kind == "order":  # its nodes are spelt as all their values, its root is not
        below = np.setdiff1d(node, domain.nodes[-1])
        spelt |= np.isin(domain.nodes, below).any(axis=0)
    return values, spelt


def _runs(
    first: NDArray[np.integer], last: NDArray[np.integer], each: NDArray[np.float64], n_values: int
) -> NDArray[np.float64]:
    """Add ``each`` to all values from ``first`` to ``last``."""
    begins = np.bincount(first, weights=each, minlength=n_values + 1)
    ends = np.bincount(last + 1, weights=each, minlength=n_values + 1)
    return np.maximum(np.cumsum(begins - ends)[:n_values], 0.0)


def ranges_of(cells: Cells, classes: Classes, *, whole: bool) -> Ranges:
    """Return the published ranges of a column of numbers; a whole number stands for the step up to the next one."""
    low, high = _ends_of(cells, whole)
    known = ~cells.extents.missing
    sizes = classes.sizes.astype(np.float64)
    return Ranges(low[known], high[known], sizes[known], float(sizes[~known].sum()))


def middles_of(cells: Cells) -> NDArray[np.float64]:
    """Return the middle of what each class publishes of a column of numbers; NaN where that is missing or any number.

    Whole numbers ``[20, 25)`` have the middle 22. An open range ends where the data end; a published mean is its own
    middle.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.recode import recode
    >>> from celosia.data.schema import Schema, Table
    >>> table = Table(pl.DataFrame({"age": [21, 25, 38]}), Schema(quasi_identifiers={"age": "number"}))
    >>> middles_of(recode(table, Classes([0, 0, 1])).cells[0]).tolist()
    [23.0, 38.0]
    """
    values = np.asarray(cells.column.domain.values, dtype=np.float64)
    if not len(values):
        return np.full(len(cells.of_class), np.nan)
    whole = bool((values == np.floor(values)).all())
    low, high = _ends_of(cells, whole)
    known = np.isfinite(low) | np.isfinite(high)
    low = np.where(np.isfinite(low), low, values[0])
    high = np.where(np.isfinite(high), high, values[-1] + whole)
    last = high - np.where(high > low, whole, 0)  # a mean has no width, also among whole numbers
    return np.where(known, low / 2 + last / 2, np.nan)  # the sum of two huge numbers would overflow


def _ends_of(cells: Cells, whole: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends ``[low, high)`` of what each class publishes; infinite where it is missing or any number."""
    column = cells.column
    domain = column.domain
    extents = cells.extents
    plain = extents.plain
    low, high = np.full(len(plain), -np.inf), np.full(len(plain), np.inf)
    ends = extents.low[plain], extents.high[plain]
    if isinstance(domain, Levels):
        assert extents.node is not None
        low[plain], high[plain] = _interval_ends(domain, extents.node[plain], whole)
    elif isinstance(column.hierarchy, Number) and column.hierarchy.publish == "centroid":
        means = np.array([np.nan if text in (None, ANYTHING) else _number(text) for text in cells.texts[0]])
        low[plain] = high[plain] = means[cells.of_class][plain]
    else:
        values = np.asarray(domain.values, dtype=np.float64)
        low[plain], high[plain] = values[ends[0]], values[ends[1]]
        if isinstance(column.hierarchy, Number) and column.hierarchy.grid is not None:
            step = Decimal(str(column.hierarchy.grid))
            below, above = grid_places(domain.values, column.hierarchy.grid)
            low[plain] = np.array([float(place * step) for place in below])[ends[0]]
            high[plain] = np.array([float(place * step) for place in above])[ends[1]]
        high[plain] += whole
    return low, high


def grid_places(values: Sequence[Any], grid: float) -> tuple[list[int], list[int]]:
    """Return which multiple of a grid lies next to each number, below (or on) it and above (or on) it; exact.

    Examples
    --------
    >>> grid_places([0.3, 0.45], 0.1)
    ([3, 4], [3, 5])
    """
    step = Decimal(str(grid))
    places = [Decimal(str(value)) / step for value in values]
    return [floor(place) for place in places], [ceil(place) for place in places]


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _interval_ends(
    domain: Levels, node: NDArray[np.int32], whole: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nodes, position = np.unique(node, return_inverse=True)
    ends = [_ends(domain, int(one), whole) for one in nodes]
    return (
        np.array([low for low, _ in ends], dtype=np.float64)[position],
        np.array([high for _, high in ends], dtype=np.float64)[position],
    )


def _ends(domain: Levels, node: int, whole: bool) -> tuple[float, float]:
    if node < len(domain.values):
        return float(domain.values[node]), float(domain.values[node]) + whole
    try:
        found = parse_range(domain.spell(node, Style()))
    except HierarchyError:  # the root, which is any number
        return -np.inf, np.inf
    if whole:
        found = found.whole()
    low, high = found.low, found.high
    return -np.inf if low is None else float(low), np.inf if high is None else float(high)
