"""From classes to published values: for each column the distinct cells and which one every class gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from celosia.data.classes import Classes
from celosia.data.hierarchies import Category, Number
from celosia.data.hierarchies.domains import ANYTHING, Bag, Levels, Line, Style, number_text
from celosia.data.hierarchies.packed import PackedNumbers
from celosia.data.recode.extents import Extents, distinct_sets, extents_of
from celosia.data.schema import QuasiIdentifier


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
    extents
        What each class publishes, as codes; of a column with levels always with its node.
    """

    column: QuasiIdentifier
    texts: tuple[list[str | None], ...]
    names: tuple[str, ...]
    style: str
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    of_class: NDArray[np.int64]
    extents: Extents

    def at(self, places: NDArray[np.int64]) -> Cells:
        """Return the cells of classes that publish what these do, each by the place of the one it follows."""
        return replace(self, of_class=self.of_class[places], extents=self.extents.at(places))

    @property
    def n_leaves(self) -> int:
        """How many values the column's domain counts; 0 where widths are measured."""
        domain = self.column.domain
        if isinstance(domain, Levels):
            return domain.n_leaves
        return len(domain.values) if isinstance(domain, Bag) else 0


def cells_of(column: QuasiIdentifier, classes: Classes, style: Style, extents: Extents | None = None) -> Cells:
    """Return the cells that publish ``classes`` in one column.

    A class of only missing values is published as missing (loss 0); one that mixes missing and known values as ``*``
    (loss 1). All other classes get the narrowest range, set or node that covers their values.

    Parameters
    ----------
    extents
        What each class publishes, where that is not the narrowest: a search that recodes whole columns decided it.
    """
    extents = extents or extents_of(classes, column.codes)
    domain = column.domain
    if isinstance(domain, Bag):
        return _bag(column, domain, classes, extents)
    if isinstance(domain, Levels):
        return _levels(column, domain, extents, style)
    return _line(column, domain, classes, extents, style)


def _levels(column: QuasiIdentifier, domain: Levels, extents: Extents, style: Style) -> Cells:
    node = extents.node
    if node is None:
        plain = extents.plain
        node = np.full(len(plain), -1, dtype=np.int32)
        node[plain] = domain.lowest_common(extents.low[plain], extents.high[plain])
        extents = replace(extents, node=node)
    nodes, of_class = np.unique(np.where(extents.plain, node, -1), return_inverse=True)
    share = np.append(domain.share, 0.0)[nodes]
    leaves = np.append(domain.leaves, 1)[nodes]
    texts: list[str | None] = [domain.spell(int(one), style) if one >= 0 else None for one in nodes]
    for alike in _alike(texts):
        if texts[alike[0]] is not None:  # who reads the label must think of all that it stands for
            share[alike], leaves[alike] = domain.together(nodes[alike])
    return _with_mixed(column, texts, "label", share, leaves, of_class, extents)


def _alike(texts: Sequence[str | None]) -> list[NDArray[np.intp]]:
    """Return the places of the texts that stand several times."""
    if len(set(texts)) == len(texts):
        return []
    _, place, count = np.unique([text or "" for text in texts], return_inverse=True, return_counts=True)
    return [np.flatnonzero(place == one) for one in np.flatnonzero(count > 1)]


def loses_as_grouped(column: QuasiIdentifier) -> bool:
    """Whether what a class publishes in a column loses no more than what its rows have in common.

    It may lose more where ranges end on a grid, where a centroid of several classes stands for all their ranges, and
    where a label stands for several nodes.
    """
    hierarchy, domain = column.hierarchy, column.domain
    if isinstance(hierarchy, Number):
        return hierarchy.grid is None and hierarchy.publish != "centroid"
    if isinstance(hierarchy, Category):
        return hierarchy.publish != "centroid"
    if not isinstance(domain, Levels):
        return True
    texts = [domain.spell(node, Style()) for node in range(len(domain.share))]
    return all((domain.share[alike] == domain.together(alike)[0]).all() for alike in _alike(texts))


def _bag(column: QuasiIdentifier, domain: Bag, classes: Classes, extents: Extents) -> Cells:
    sets, of_class = distinct_sets(classes, column.codes, len(domain.values), ~extents.plain)
    sizes = np.array([len(members) for members in sets], dtype=np.int64)
    share = np.maximum(sizes - 1, 0) / max(len(domain.values) - 1, 1)
    texts: list[str | None] = [
        domain.separator.join(domain.values[code] for code in members) if members else None for members in sets
    ]
    centroid = isinstance(column.hierarchy, Category) and column.hierarchy.publish == "centroid"
    if centroid:
        return _modes(column, domain, classes, extents, share[of_class], sizes[of_class])
    return _with_mixed(column, texts, "set", share, np.maximum(sizes, 1), of_class, extents)


def _line(column: QuasiIdentifier, domain: Line, classes: Classes, extents: Extents, style: Style) -> Cells:
    n_values = len(domain.values)
    key = np.where(extents.plain, extents.low.astype(np.int64) * n_values + extents.high, -1)
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
    lows, highs = _values_at(domain, low, covered), _values_at(domain, high, covered)
    if hierarchy.grid is not None:
        lows = [None if value is None else snapped(value, hierarchy.grid, floor) for value in lows]
        highs = [None if value is None else snapped(value, hierarchy.grid, ceil) for value in highs]
        share = cut_shares(lows, highs, domain.values)
    ends = _spelt(lows, style), _spelt(highs, style)
    if hierarchy.publish == "pair":
        return _with_mixed(column, ends[0], "pair", share, none, of_class, extents, ends[1])
    texts = [a if a is None or b is None or a == b else style.span(a, b) for a, b in zip(*ends, strict=True)]
    return _with_mixed(column, texts, style.ranges, share, none, of_class, extents)


def _values_at(domain: Line, codes: NDArray[np.int64], known: NDArray[np.bool_]) -> list[float | None]:
    """Return the values of codes as Python's own numbers; nothing where a code is not known."""
    if isinstance(domain.values, PackedNumbers) and known.all():
        return list(PackedNumbers(domain.values.array[codes]))
    return [domain.values[code] if ok else None for code, ok in zip(codes.tolist(), known.tolist(), strict=True)]


def _spelt(values: list[float | None], style: Style) -> list[str | None]:
    return [None if value is None else number_text(value, style) for value in values]


def snapped(end: float, grid: float, outwards: Callable[[Decimal], int]) -> float:
    """Move an end outwards to a multiple of the grid, in exact decimal arithmetic."""
    step = Decimal(str(grid))
    return float(outwards(Decimal(str(end)) / step) * step)


def cut_shares(
    lows: Sequence[float | None], highs: Sequence[float | None], values: Sequence[float]
) -> NDArray[np.float64]:
    """Return the width of each published range, cut to the data's range, as a share of that range; missing is 0."""
    shares = np.zeros(len(lows))
    lowest, highest = (Fraction(values[0]), Fraction(values[-1])) if len(values) else (Fraction(0), Fraction(0))
    if lowest == highest:
        return shares
    for place, (low, high) in enumerate(zip(lows, highs, strict=True)):
        if low is not None and high is not None:
            width = min(Fraction(high), highest) - max(Fraction(low), lowest)
            shares[place] = float(width / (highest - lowest))
    return shares


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
    """Add the cell ``*`` for the classes that publish it, and merge cells of equal text."""
    columns = [list(texts)] if highs is None else [list(texts), list(highs)]
    if extents.anything.any():
        for own in columns:
            own.append(ANYTHING)
        share, leaves = np.append(share, 1.0), np.append(leaves, _all_leaves(column))
        of_class = np.where(extents.anything, len(columns[0]) - 1, of_class)
    place: dict[tuple[str | None, ...], int] = {}
    merged = np.array([place.setdefault(cell, len(place)) for cell in zip(*columns, strict=True)], dtype=np.int64)
    if len(place) < len(merged):
        columns = [list(own) for own in zip(*place, strict=True)]
        given = share, leaves
        share, leaves = np.zeros(len(place)), np.full(len(place), -1, dtype=np.int64)
        np.maximum.at(share, merged, given[0])  # one text can stand for two nodes or means: never understate the loss
        np.maximum.at(leaves, merged, given[1])
    names = (column.name,) if highs is None else (f"{column.name}_lo", f"{column.name}_hi")
    return Cells(column, tuple(columns), names, style, share, leaves, merged[of_class], extents)


def _all_leaves(column: QuasiIdentifier) -> int:
    domain = column.domain
    if isinstance(domain, Levels):
        return domain.n_leaves or -1
    return len(domain.values) if isinstance(domain, Bag) else -1
