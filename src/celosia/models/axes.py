"""The values of a population on one quasi-identifier, in an order in which published cells are runs of neighbours.

The key of a known value is its place in that order, from 0. Missing is -1; a value that the hierarchy does not know is
-2, and lies inside ``*`` only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.data.classes import Classes
from celosia.data.hierarchies import Dates, Intervals, Number, Order, Prefix, Tree
from celosia.data.hierarchies.domains import ANYTHING, Bag, Domain, Levels, Style
from celosia.data.hierarchies.exact import exact
from celosia.data.hierarchies.packed import PackedNumbers
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.recode.extents import distinct_sets, extents_of
from celosia.data.schema import QuasiIdentifier
from celosia.data.schema.columns import as_text, codes_of, encoded

_MISSING, _UNKNOWN = -1, -2

Keys = NDArray[np.int64]
Span = Callable[[NDArray[np.int32], NDArray[np.int32]], tuple[Keys, Keys]]
"""``span(low, high)``: the first and the last key that a class with these extreme codes of the table publishes."""


@dataclass(frozen=True, eq=False)
class Cells:
    """What each class publishes on one axis: the keys from ``low`` to ``high``, but for those missing from its set.

    Attributes
    ----------
    of_class
        The number of the set with holes of each class; -1 where all keys in between are inside.
    members
        The keys of each set with holes, ascending.
    """

    low: Keys
    high: Keys
    of_class: NDArray[np.int64]
    members: Mapping[int, NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class Axis:
    """One quasi-identifier of a population.

    Attributes
    ----------
    keys
        The key of each population row.
    n_keys
        Known values have the keys below it.
    """

    column: QuasiIdentifier
    keys: Keys
    n_keys: int
    span: Span = field(repr=False)

    def cells(self, classes: Classes) -> Cells:
        """Return what the classes publish: ``*`` where known and missing mix, missing where nothing is known."""
        codes = self.column.codes
        extents = extents_of(classes, codes)
        low = np.full(classes.n_classes, _MISSING, dtype=np.int64)
        high = low.copy()
        plain = extents.plain
        low[plain], high[plain] = self.span(extents.low[plain], extents.high[plain])
        low[extents.anything], high[extents.anything] = _UNKNOWN, self.n_keys
        of_class = np.full(classes.n_classes, -1, dtype=np.int64)
        members: dict[int, NDArray[np.int64]] = {}
        if isinstance(self.column.domain, Bag):
            sets, set_of = distinct_sets(classes, codes, self.n_keys, ~extents.plain)
            for number, own in enumerate(sets):
                if own and own[-1] - own[0] >= len(own):
                    members[number] = np.array(own, dtype=np.int64)
            holed = np.isin(set_of, list(members))
            of_class[holed] = set_of[holed]
        return Cells(low, high, of_class, members)


def axis_of(column: QuasiIdentifier, values: pl.Series, decimal: str) -> Axis:
    """Return the axis of a population's cleaned column that goes with a quasi-identifier of the table.

    Centroids stand for the range or the set of their class.

    Raises
    ------
    InputError
        A value is not of the hierarchy's type; the message gives column, count and first row.

    Examples
    --------
    >>> ages = encoded(pl.Series("age", [30, 33]), Number(), 1.0)
    >>> axis = axis_of(ages, pl.Series("age", [29, 30, 31, 33, None]), ".")
    >>> axis.keys.tolist(), [ends.tolist() for ends in axis.span(np.array([0]), np.array([1]))]
    ([0, 1, 2, 3, -1], [[1], [3]])
    """
    codes, distinct = read_alike(column, values, decimal)
    hierarchy, domain = column.hierarchy, column.domain
    if isinstance(hierarchy, Number):
        return Axis(column, codes.astype(np.int64), len(distinct), _between(domain.values, hierarchy.grid, distinct))
    if isinstance(hierarchy, Intervals) and isinstance(domain, Levels):
        return Axis(column, codes.astype(np.int64), len(distinct), _in_intervals(domain, distinct))
    fitted = domain if isinstance(domain, Bag) else _united(column, distinct)
    place = {value: key for key, value in enumerate(fitted.values)}
    keys = np.array([*(place.get(value, _UNKNOWN) for value in distinct), _MISSING], dtype=np.int64)[codes]
    key_of_code = np.array([place[value] for value in domain.values], dtype=np.int32)
    return Axis(column, keys, len(place), _under(fitted, key_of_code))


def read_alike(column: QuasiIdentifier, values: pl.Series, decimal: str) -> tuple[NDArray[np.int32], Sequence[Any]]:
    """Return each row's place among the distinct values (-1 = missing), read as the table's are, and those, ascending.

    Examples
    --------
    >>> ages = encoded(pl.Series("age", [30]), Number(), 1.0)
    >>> codes, distinct = read_alike(ages, pl.Series("age", ["31", "30"]), ".")
    >>> codes.tolist(), list(distinct)
    ([1, 0], [30, 31])
    """
    value_type = column.hierarchy.value_type
    if value_type == "text":
        return codes_of(as_text(values))
    kind = Number() if value_type == "number" else Dates(levels=["day"])
    typed = encoded(values, kind, 1.0, decimal)
    return typed.codes, typed.domain.values


def _between(ends: Sequence[Any], grid: float | None, distinct: Sequence[Any]) -> Span:
    """Return the span of ranges between two values of the table, moved outwards to the grid if there is one."""
    if grid is not None:
        step = exact(grid)
        starts = [floor(exact(end) / step) * step for end in ends]
        stops = [ceil(exact(end) / step) * step for end in ends]
        first = np.array([bisect_left(distinct, start, key=exact) for start in starts], dtype=np.int64)
        last = np.array([bisect_right(distinct, stop, key=exact) for stop in stops], dtype=np.int64) - 1
    elif _are_alike(ends, distinct):
        first = np.searchsorted(np.asarray(distinct), np.asarray(ends), "left")
        last = np.searchsorted(np.asarray(distinct), np.asarray(ends), "right") - 1
    else:
        first = np.array([bisect_left(distinct, end) for end in ends], dtype=np.int64)
        last = np.array([bisect_right(distinct, end) for end in ends], dtype=np.int64) - 1
    return lambda low, high: (first[low], last[high])


def _are_alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether NumPy compares two lists of numbers without rounding any."""
    return (
        isinstance(one, PackedNumbers)
        and isinstance(other, PackedNumbers)
        and one.array.dtype.kind == other.array.dtype.kind
    )


def _in_intervals(domain: Levels, distinct: Sequence[float]) -> Span:
    """Return the span of intervals by what their texts say: 24.5 is not in ``[20, 24]``."""
    known: dict[int, tuple[int, int]] = {}

    def ends(node: int) -> tuple[int, int]:
        text = domain.spell(node, Style())
        if text == ANYTHING:
            return _UNKNOWN, len(distinct)
        inside = parse_range(text)
        return _first_from(distinct, inside.start), _first_from(distinct, inside.stop) - 1

    def span(low: NDArray[np.int32], high: NDArray[np.int32]) -> tuple[Keys, Keys]:
        nodes, place = np.unique(domain.lowest_common(low, high), return_inverse=True)
        for node in nodes.tolist():
            if node not in known:
                known[node] = ends(node)
        found = np.array([known[node] for node in nodes.tolist()], dtype=np.int64).reshape(-1, 2)[place.reshape(-1)]
        return found[:, 0], found[:, 1]

    return span


def _first_from(distinct: Sequence[float], edge: tuple[Fraction | float, int]) -> int:
    """Return the place of the first value after a cut in the number line."""
    return bisect_left(distinct, edge, key=lambda value: (exact(value), 0))


def _united(column: QuasiIdentifier, distinct: Sequence[Any]) -> Domain:
    """Fit the hierarchy to the values of table and population alike; a tree keeps its nodes, and gains leaves."""
    knows = _knowledge(column)
    united = {*column.domain.values, *(value for value in distinct if knows(value))}
    return column.hierarchy.fit(sorted(united), column.name)


def _knowledge(column: QuasiIdentifier) -> Callable[[Any], bool]:
    """Return whether the hierarchy, as it was fitted to the table, knows a value."""
    hierarchy = column.hierarchy
    if isinstance(hierarchy, Tree | Order):
        known = {row[0] for row in hierarchy.rows} if isinstance(hierarchy, Tree) else set(hierarchy.values)
        return lambda value: value in known and value != ANYTHING
    if isinstance(hierarchy, Prefix):
        # Values are filled up to the longest of the table: 37*** stands for nothing of six characters.
        longest = max(map(len, column.domain.values), default=0)
        shortest = 0 if hierarchy.length is None else longest
        return lambda value: shortest <= len(value) <= longest and ANYTHING not in value
    return lambda value: True


def _under(fitted: Domain, key_of_code: NDArray[np.int32]) -> Span:
    """Return the span of sets, of ranges in a declared order, or of the nodes of a tree."""
    if not isinstance(fitted, Levels):
        return lambda low, high: (key_of_code[low].astype(np.int64), key_of_code[high].astype(np.int64))
    n_values = len(fitted.values)
    first, last = fitted.spans
    for node in range(n_values, len(first)):
        if fitted.spell(node, Style()) == ANYTHING:
            first[node], last[node] = _UNKNOWN, n_values

    def span(low: NDArray[np.int32], high: NDArray[np.int32]) -> tuple[Keys, Keys]:
        node = fitted.lowest_common(key_of_code[low], key_of_code[high])
        return first[node], last[node]

    return span
