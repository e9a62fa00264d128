"""From classes to published values: for each column the distinct cells and which one every class gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from celosia.classes import Classes
from celosia.hierarchies import Category, Number
from celosia.hierarchies.domains import ANYTHING, Bag, Levels, Line, Style, number_text
from celosia.recode.extents import Extents, extents_of, sets_of
from celosia.schema import QuasiIdentifier

__all__ = ["Cells", "cells_of"]


@dataclass(frozen=True, eq=False)
class Cells:
    """The published values of one column.

    Attributes
    ----------
    texts
        One list per output column (two for lo / hi pairs): the text of each distinct cell; ``None`` = missing.
    names
        The names of the output columns.
    style
        How the cells are spelt, as claims name it: ``bracket``, ``dash``, ``pair``, ``set``, ``label``, ``centroid``.
    share
        float64 per cell: its loss (NCP) in the paper's form.
    leaves
        int64 per cell: how many values it covers; -1 where widths are measured.
    of_class
        int64 per class: its cell.
    """

    column: QuasiIdentifier
    texts: tuple[list[str | None], ...]
    names: tuple[str, ...]
    style: str
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    of_class: NDArray[np.int64]

    @property
    def n_leaves(self) -> int:
        """How many values the column's domain counts; 0 where widths are measured."""
        domain = self.column.domain
        if isinstance(domain, Levels):
            return domain.n_leaves
        return len(domain.values) if isinstance(domain, Bag) else 0


def cells_of(column: QuasiIdentifier, classes: Classes, style: Style) -> Cells:
    """Return the cells that publish ``classes`` in one column.

    A class of only missing values is published as missing (loss 0); one that mixes missing and known values as ``*``
    (loss 1). All other classes get the narrowest range, set or node that covers their values.
    """
    extents = extents_of(classes, column.codes)
    domain = column.domain
    if isinstance(domain, Bag):
        return _bag(column, domain, classes, extents)
    if isinstance(domain, Levels):
        return _levels(column, domain, extents, style)
    return _line(column, domain, classes, extents, style)


def _levels(column: QuasiIdentifier, domain: Levels, extents: Extents, style: Style) -> Cells:
    plain = extents.has_known & ~extents.mixed
    node = np.full(len(plain), -1, dtype=np.int64)
    node[plain] = domain.lowest_common(extents.low[plain], extents.high[plain])
    nodes, of_class = np.unique(node, return_inverse=True)
    share = np.append(domain.share, 0.0)[nodes]
    leaves = np.append(domain.leaves, 1)[nodes]
    texts: list[str | None] = [domain.spell(int(one), style) if one >= 0 else None for one in nodes]
    return _with_mixed(column, texts, "label", share, leaves, of_class, extents)


def _bag(column: QuasiIdentifier, domain: Bag, classes: Classes, extents: Extents) -> Cells:
    codes, starts = sets_of(classes, column.codes, len(domain.values))
    found: dict[bytes, int] = {}
    of_class = np.empty(classes.n_classes, dtype=np.int64)
    sets: list[NDArray[np.int64]] = []
    for label in range(classes.n_classes):
        members = codes[starts[label] : starts[label + 1]] if not extents.has_missing[label] else codes[:0]
        of_class[label] = position = found.setdefault(members.tobytes(), len(sets))
        if position == len(sets):
            sets.append(members)
    sizes = np.array([len(members) for members in sets], dtype=np.int64)
    share = np.maximum(sizes - 1, 0) / max(len(domain.values) - 1, 1)
    texts: list[str | None] = [
        domain.separator.join(domain.values[code] for code in members) if len(members) else None for members in sets
    ]
    centroid = isinstance(column.hierarchy, Category) and column.hierarchy.publish == "centroid"
    if centroid:
        return _modes(column, domain, classes, extents, share[of_class], sizes[of_class])
    return _with_mixed(column, texts, "set", share, np.maximum(sizes, 1), of_class, extents)


def _line(column: QuasiIdentifier, domain: Line, classes: Classes, extents: Extents, style: Style) -> Cells:
    plain = extents.has_known & ~extents.mixed
    n_values = len(domain.values)
    key = np.where(plain, extents.low.astype(np.int64) * n_values + extents.high, -1)
    keys, of_class = np.unique(key, return_inverse=True)
    low, high = keys // max(n_values, 1), keys % max(n_values, 1)
    covered = keys >= 0
    share = np.zeros(len(keys))
    share[covered] = domain.positions[high[covered]] - domain.positions[low[covered]]
    none = np.full(len(keys), -1, dtype=np.int64)
    hierarchy = column.hierarchy
    if not isinstance(hierarchy, Number):
        spelt = [
            domain.spell(int(a), int(b), style) if ok else None for a, b, ok in zip(low, high, covered, strict=True)
        ]
        return _with_mixed(column, spelt, "set", share, none, of_class, extents)
    if hierarchy.publish == "centroid":
        return _means(column, domain, classes, extents, share[of_class], style)
    ends: list[tuple[float, float] | None] = [
        (domain.values[a], domain.values[b]) if ok else None for a, b, ok in zip(low, high, covered, strict=True)
    ]
    if hierarchy.grid is not None:
        ends = [end and _snapped(end, hierarchy.grid) for end in ends]
        share = np.array([_cut_share(end, domain.values) if end else 0.0 for end in ends])
    if hierarchy.publish == "pair":
        lows = [end and number_text(end[0], style) for end in ends]
        highs = [end and number_text(end[1], style) for end in ends]
        return _with_mixed(column, lows, "pair", share, none, of_class, extents, highs)
    texts = [end and _range_text(end, style) for end in ends]
    return _with_mixed(column, texts, style.ranges, share, none, of_class, extents)


def _range_text(end: tuple[float, float], style: Style) -> str:
    low, high = number_text(end[0], style), number_text(end[1], style)
    return low if low == high else style.span(low, high)


def _snapped(end: tuple[float, float], grid: float) -> tuple[float, float]:
    """Move both ends outwards to multiples of the grid, in exact decimal arithmetic."""
    step = Decimal(str(grid))
    low, high = Decimal(str(end[0])), Decimal(str(end[1]))
    return float(floor(low / step) * step), float(ceil(high / step) * step)


def _cut_share(end: tuple[float, float], values: Sequence[float]) -> float:
    """Return the width of a published range, cut to the data's range, as a share of that range."""
    lowest, highest = Fraction(values[0]), Fraction(values[-1])
    if lowest == highest:
        return 0.0
    width = min(Fraction(end[1]), highest) - max(Fraction(end[0]), lowest)
    return float(width / (highest - lowest))


def _means(
    column: QuasiIdentifier, domain: Line, classes: Classes, extents: Extents, share: NDArray[np.float64], style: Style
) -> Cells:
    """Publish the mean of each class; the loss is that of the range the mean stands for."""
    known = (classes.labels >= 0) & (column.codes >= 0)
    values = np.asarray(domain.values, dtype=np.float64)[column.codes[known]]
    labels = classes.labels[known]
    total = np.bincount(labels, weights=values, minlength=classes.n_classes)
    count = np.bincount(labels, minlength=classes.n_classes)
    means = total / np.maximum(count, 1)
    texts = [number_text(float(mean), style) if n else None for mean, n in zip(means, count, strict=True)]
    none = np.full(classes.n_classes, -1, dtype=np.int64)
    return _with_mixed(column, texts, "centroid", share, none, np.arange(classes.n_classes), extents)


def _modes(
    column: QuasiIdentifier,
    domain: Bag,
    classes: Classes,
    extents: Extents,
    share: NDArray[np.float64],
    leaves: NDArray[np.int64],
) -> Cells:
    """Publish the most frequent value of each class (the first in canonical order among equals)."""
    known = (classes.labels >= 0) & (column.codes >= 0)
    n_values = len(domain.values)
    pairs, counts = np.unique(classes.labels[known] * n_values + column.codes[known], return_counts=True)
    best = np.lexsort((pairs % max(n_values, 1), -counts, pairs // max(n_values, 1)))
    labels, first = np.unique((pairs // max(n_values, 1))[best], return_index=True)
    texts: list[str | None] = [None] * classes.n_classes
    for label, position in zip(labels, first, strict=True):
        texts[label] = domain.values[int(pairs[best[position]] % n_values)]
    return _with_mixed(column, texts, "centroid", share, np.maximum(leaves, 1), np.arange(classes.n_classes), extents)


def _with_mixed(
    column: QuasiIdentifier,
    texts: list[str | None],
    style: str,
    share: NDArray[np.float64],
    leaves: NDArray[np.int64],
    of_class: NDArray[np.int64],
    extents: Extents,
    highs: list[str | None] | None = None,
) -> Cells:
    """Add the cell ``*`` for classes that mix missing and known values, and merge cells of equal text."""
    pairs = list(zip(texts, highs if highs is not None else texts, strict=True))
    everything = (ANYTHING, ANYTHING)
    if extents.mixed.any():
        pairs.append(everything)
        share, leaves = np.append(share, 1.0), np.append(leaves, _all_leaves(column))
        of_class = np.where(extents.mixed, len(pairs) - 1, of_class)
    place: dict[tuple[str | None, str | None], int] = {}
    merged = np.array([place.setdefault(pair, len(place)) for pair in pairs], dtype=np.int64)
    distinct = list(place)
    widest, most = np.zeros(len(distinct)), np.full(len(distinct), -1, dtype=np.int64)
    np.maximum.at(widest, merged, share)  # one text can stand for two nodes or means: the loss is never understated
    np.maximum.at(most, merged, leaves)
    columns = ([pair[0] for pair in distinct],) if highs is None else tuple(map(list, zip(*distinct, strict=True)))
    names = (column.name,) if highs is None else (f"{column.name}_lo", f"{column.name}_hi")
    return Cells(column, columns, names, style, widest, most, merged[of_class])


def _all_leaves(column: QuasiIdentifier) -> int:
    domain = column.domain
    if isinstance(domain, Levels):
        return domain.n_leaves or -1
    return len(domain.values) if isinstance(domain, Bag) else -1
