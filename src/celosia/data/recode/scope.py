"""Scope: how alike a recoding treats a column: one level for all, one form per value, or a form per row.

Three answers, from the most global to the most local:

``full-domain``   every value of a column is published on one and the same level
``value-global``  each value is always published the same way, but levels differ (subtree recoding)
``cell-local``    some value is published in two ways
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies import Number
from celosia.data.hierarchies.domains import ANYTHING, Bag, Domain, Levels, Style
from celosia.data.hierarchies.exact import is_whole
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.recode.cells import Cells
from celosia.data.recode.extents import Extents
from celosia.data.recode.recoding import Recoding
from celosia.data.schema import QuasiIdentifier
from celosia.data.schema.columns import codes_of

Reach = Literal["full-domain", "value-global", "cell-local"]
"""How alike a column's values are treated, from the most global to the most local."""

_FULL: Reach = "full-domain"
_VALUE: Reach = "value-global"
_CELL: Reach = "cell-local"
_MISSING = -1

Read = Callable[[str], Hashable]
"""From a published text to what it means: two texts of one meaning are one way to publish a value."""


@dataclass(frozen=True)
class Scope:
    """What kind of recoding a table shows.

    Attributes
    ----------
    table
        The most local answer among the columns; ``full-domain`` where there is none.
    columns
        The answer for each quasi-identifier.

    Examples
    --------
    >>> Scope.of({"postcode": "value-global", "age": "full-domain"}).table
    'value-global'
    """

    table: Reach
    columns: Mapping[str, Reach]

    @classmethod
    def of(cls, columns: Mapping[str, Reach]) -> Scope:
        """Return the scope of a table from that of its columns."""
        return cls(max(columns.values(), key=get_args(Reach).index, default=_FULL), dict(columns))

    def to_dict(self) -> dict[str, Any]:
        """Return ``scope`` and ``columns`` as ``--json`` prints them."""
        return {"scope": self.table, "columns": dict(self.columns)}


def scope_of(recoding: Recoding) -> Scope:
    """Tell what kind of recoding the published rows show, column by column.

    A column is full-domain if there is one level of its hierarchy on which every published row stands; texts decide,
    since a label may repeat on two levels. Without a hierarchy there are two levels: all values as they are, and all
    rows alike; unless the search recoded the column by levels of its own, which are then used. Missing values that are
    published as missing go with every level below the top, those published as ``*`` with the top alone. Suppressed rows
    do not count.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> from celosia.data.hierarchies import Prefix
    >>> from celosia.data.recode import recode
    >>> from celosia.data.schema import Schema, Table
    >>> codes = pl.DataFrame({"postcode": ["37003", "37891", "24700", "24700"]})
    >>> table = Table(codes, Schema(quasi_identifiers={"postcode": Prefix(keep=[2])}))
    >>> scope_of(recode(table, Classes([0, 0, 1, 1]))).table, scope_of(recode(table, Classes([0, 0, 0, 0]))).table
    ('value-global', 'full-domain')
    """
    published = ~recoding.searched.suppressed
    labels = recoding.searched.labels[published]
    return Scope.of(
        {cells.column.name: _reach_of(cells, cells.column.codes[published], labels) for cells in recoding.cells}
    )


def scope_of_texts(
    columns: Sequence[QuasiIdentifier], texts: Sequence[pl.Series], order: NDArray[np.intp], decimal: str = "."
) -> Scope:
    """Tell what kind of recoding a published file shows, whoever wrote it, against its original.

    As ``scope_of``, but ranges are read (``40 - 49`` is ``[40, 49]``), and levels that a search made up for a column
    without hierarchy are not known.

    Parameters
    ----------
    columns
        The quasi-identifiers of the original.
    texts
        The published cells of each, in the same order of columns.
    order
        The original row of each published row.
    decimal
        The decimal mark of the published numbers.

    Examples
    --------
    >>> from celosia.data.schema import Schema, Table
    >>> table = Table(pl.DataFrame({"age": [40, 44, 40]}), Schema(quasi_identifiers={"age": "number"}))
    >>> published = pl.Series(["[40, 44]", "40 - 44", "40"])
    >>> scope_of_texts(table.quasi_identifiers, [published], np.array([0, 1, 2])).table
    'cell-local'
    """
    found: dict[str, Reach] = {}
    for column, cells in zip(columns, texts, strict=True):
        style = Style(decimal="," if decimal == "," else ".")
        read = _reader(column.domain, style)
        codes, distinct = codes_of(cells)
        meanings = [*(read(text) for text in distinct), None]  # the last is for missing cells, whose code is -1
        place: dict[Hashable, int] = {}
        merged = np.array([place.setdefault(meaning, len(place)) for meaning in meanings], dtype=np.int64)
        shown = _Shown(column.domain, list(place).__getitem__, read, style)
        found[column.name] = shown.reach(column.codes[order], merged[codes])
    return Scope.of(found)


@dataclass(frozen=True)
class _Shown:
    """What one column publishes.

    Attributes
    ----------
    meaning
        What a cell means, given its number; ``None`` for missing, ``*`` for anything.
    read, style
        From a node's text, spelt in this style, to what it means.
    nodes
        The node that each cell spells, -1 where that is not known without its text; ``None`` where no cell's is.
    """

    domain: Domain
    meaning: Callable[[int], Hashable]
    read: Read
    style: Style
    nodes: NDArray[np.int32] | None = None

    def reach(self, codes: NDArray[np.int32], cells: NDArray[np.int64]) -> Reach:
        """Classify rows by the code of their value and the number of their cell; cells of one meaning have one number.

        Values are looked at once: what is published in one way only is a function from values to cells.
        """
        of_values = _function(codes, cells)
        if of_values is None:
            return _CELL
        values, ways = of_values
        if (ways == ways[:1]).all():
            return _FULL
        if values[0] < _MISSING:  # no level holds a value that the hierarchy does not know
            return _VALUE
        known = values > _MISSING
        levels = self._levels(None if known.all() else [self.meaning(int(ways[0]))])
        return _FULL if any(self._is_on(level[values[known]], ways[known]) for level in levels) else _VALUE

    def _levels(self, of_missing: list[Hashable] | None) -> NDArray[np.int32]:
        """Return the levels that go with what missing values are published as; all of them where none is missing."""
        domain = self.domain
        if isinstance(domain, Levels):
            nodes, n_below = domain.nodes, domain.n_levels - 1
        else:  # of rows that are not all alike only the values themselves can be a level
            nodes, n_below = np.arange(len(domain.values), dtype=np.int32)[np.newaxis], 1
        if of_missing is None:
            return nodes
        if of_missing == [None]:
            return nodes[:n_below]
        return nodes[n_below:] if of_missing == [ANYTHING] else nodes[:0]

    def _is_on(self, nodes: NDArray[np.int32], ways: NDArray[np.int64]) -> bool:
        """Tell whether every node is published by its own text."""
        of_nodes = _function(nodes, ways)
        if of_nodes is None:
            return False
        held, shown = of_nodes
        if self.nodes is not None:  # two nodes may have one text, so that only equal ones go without it
            doubtful = self.nodes[shown] != held
            held, shown = held[doubtful], shown[doubtful]
        return all(
            self.read(_spelt(self.domain, int(node), self.style)) == self.meaning(int(way))
            for node, way in zip(held, shown, strict=True)
        )


def _reach_of(cells: Cells, codes: NDArray[np.int32], labels: NDArray[np.int64]) -> Reach:
    domain = cells.column.domain
    tops = _tops(domain)
    is_top = np.array([text in tops for text in cells.texts[0]], dtype=np.bool_)
    place = np.where(is_top, is_top.argmax() if len(is_top) else 0, np.arange(len(is_top)))
    nodes = _nodes_of(cells)
    meaning = _meaning_by_nodes(cells, domain, nodes) if isinstance(domain, Levels) else _meaning_by_texts(cells)
    shown = _Shown(domain, meaning, lambda text: ANYTHING if text in tops else text, Style(), nodes)
    reach = shown.reach(codes, place[cells.of_class][labels])
    if reach == _VALUE and not isinstance(domain, Levels) and _is_one_level(cells.extents):
        return _FULL
    return reach


def _nodes_of(cells: Cells) -> NDArray[np.int32]:
    """Return the node, or the single value, that each cell spells; -1 where only its text can tell."""
    extents, hierarchy = cells.extents, cells.column.hierarchy
    nodes = np.full(len(cells.texts[0]), -1, dtype=np.int32)
    if extents.node is not None:
        nodes[cells.of_class[extents.plain]] = extents.node[extents.plain]
    elif isinstance(hierarchy, Number) and hierarchy.grid is None:
        single = extents.plain & (extents.low == extents.high)
        nodes[cells.of_class[single]] = extents.low[single]
    return nodes


def _meaning_by_nodes(cells: Cells, domain: Levels, nodes: NDArray[np.int32]) -> Callable[[int], Hashable]:
    """Return what a cell means by its node: that is spelt in one style, whatever the style of the texts."""
    texts, tops = cells.texts[0], _tops(domain)

    def meaning(cell: int) -> Hashable:
        text = texts[cell]
        if text is None:
            return None
        return ANYTHING if text in tops else domain.spell(int(nodes[cell]), Style())

    return meaning


def _meaning_by_texts(cells: Cells) -> Callable[[int], Hashable]:
    """Return what a cell means by its text; a number with a decimal comma as with a point, a pair of equals as one."""
    lows, highs = cells.texts[0], cells.texts[-1]
    is_number = cells.column.domain.kind == "number"

    def meaning(cell: int) -> Hashable:
        low, high = lows[cell], highs[cell]
        if low is None or low != high:
            return None if low is None else (low, high)
        return low.replace(",", ".") if is_number else low

    return meaning


def _is_one_level(extents: Extents) -> bool:
    """Tell whether a search that made up levels put all classes on one; missing ones go with all but ``*``."""
    if extents.level is None or (extents.missing.any() and extents.anything.any()):
        return False
    return len(np.unique(extents.level[~extents.missing])) <= 1


def _reader(domain: Domain, style: Style) -> Read:
    """Return what reads the published texts of a column; text that says nothing about numbers means itself."""
    tops = _tops(domain)
    if domain.kind not in ("number", "intervals"):
        return lambda text: ANYTHING if text in tops else text
    numbers: Sequence[Any] = domain.values
    are_whole = all(is_whole(number) for number in numbers)

    def read(text: str) -> Hashable:
        if text in tops:
            return ANYTHING
        swapped = text if style.decimal == "." else text.translate(_SWAPPED)
        for spelling in (swapped, text):  # ranges that the plan spells out keep its decimal point
            try:
                found = parse_range(spelling)
            except HierarchyError:
                continue
            return found.whole() if are_whole else found
        return text

    return read


_SWAPPED = str.maketrans(",;", ".,")
"""From ranges with decimal commas to ranges with decimal points."""


def _tops(domain: Domain) -> frozenset[str]:
    """Return the texts that contain every value."""
    if isinstance(domain, Levels) and domain.nodes.size:
        return frozenset({ANYTHING, domain.spell(int(domain.nodes[-1, 0]), Style())})
    return frozenset({ANYTHING})


def _spelt(domain: Domain, node: int, style: Style) -> str:
    """Return the text of a node, or of a value where there is no hierarchy."""
    if isinstance(domain, Bag):
        return domain.values[node]
    return domain.spell(node, style) if isinstance(domain, Levels) else domain.spell(node, node, style)


def _function(
    things: NDArray[np.int32], cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the distinct things in ascending order and the one cell of each; ``None`` if some thing has two."""
    if not len(things):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    lowest = int(things.min())
    cell_of = np.full(int(things.max()) - lowest + 1, -1, dtype=np.int64)
    cell_of[things - lowest] = cells
    if (cell_of[things - lowest] != cells).any():
        return None
    present = np.flatnonzero(cell_of >= 0)
    return present + lowest, cell_of[present]
