"""What a column's values can be published as, and what that costs: the fitted form of every hierarchy.

A hierarchy (``Intervals``, ``Prefix`` ...) is a rule; fitted to the distinct values of a column it becomes a *domain*.
There are three, and the search kernels, the recoding and the loss measures know no others:

``Line``    numbers and ordered values: a set of rows is published as the range between its lowest and highest value
``Bag``     categories without a hierarchy: a set of rows is published as the set of its values
``Levels``  trees of any kind: a set of rows is published as the lowest node that covers all of them

Rows carry a code: the position of their value in ``domain.values``, or -1 where the value is missing. A class that
mixes missing and known values is published as ``*`` and costs 1, whatever the domain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

ANYTHING = "*"
"""The published value that contains every value."""


@dataclass(frozen=True)
class Style:
    """How ranges and numbers are spelt in the output.

    ``ranges`` is ``bracket`` (``[5, 10]``) or ``dash`` (``5-10``, which spreadsheets turn into dates); ``decimal`` is
    the decimal mark. With a decimal comma the two ends of a bracket are parted by ``; ``.

    Examples
    --------
    >>> Style().span("5", "10"), Style(ranges="dash").span("5", "10"), Style(decimal=",").span("5,5", "10")
    ('[5, 10]', '5-10', '[5,5; 10]')
    """

    ranges: Literal["bracket", "dash"] = "bracket"
    decimal: Literal[".", ","] = "."

    def span(self, low: str, high: str, *, half_open: bool = False) -> str:
        """Spell the range from ``low`` to ``high``; half-open ranges always use brackets."""
        if self.ranges == "dash" and not half_open:
            return f"{low}-{high}"
        mark = "; " if self.decimal == "," else ", "
        return f"[{low}{mark}{high}{')' if half_open else ']'}"


def number_text(value: float, style: Style = Style()) -> str:
    """Spell a number so that it reads back as exactly itself; whole numbers carry no decimal point.

    Examples
    --------
    >>> number_text(5.0), number_text(0.1), number_text(2.5, Style(decimal=","))
    ('5', '0.1', '2,5')
    """
    text = repr(int(value)) if float(value).is_integer() else repr(float(value))
    return text.replace(".", style.decimal)


@dataclass(frozen=True, eq=False)
class Line:
    """Values on a line, published as closed ranges.

    Attributes
    ----------
    kind
        The name of the hierarchy kind in claims: ``number`` or ``order``.
    values
        The distinct values in ascending order.
    positions
        Where each value lies between the lowest (0) and the highest (1), as float64.
    spell
        ``spell(low, high, style)``: the text of the range between two values, given by their codes.
    separator
        What stands between two values where a range is spelt as all the values in it (``order``).
    """

    kind: str
    values: Sequence[Any]
    positions: NDArray[np.float64]
    spell: Callable[[int, int, Style], str] = field(repr=False)
    separator: str = " / "


@dataclass(frozen=True, eq=False)
class Bag:
    """Values without order or hierarchy, published as sets.

    Attributes
    ----------
    values
        The distinct values in canonical (sorted) order.
    separator
        What stands between two values of a set; it occurs in none of them.
    """

    values: Sequence[str]
    separator: str = " / "
    kind: str = "category"


@dataclass(frozen=True, eq=False)
class Levels:
    """Values under a tree in which every leaf is equally deep.

    Attributes
    ----------
    kind
        The name of the hierarchy kind in claims: ``intervals``, ``prefix``, ``dates``, ``order`` or ``tree``.
    values
        The distinct values that the data hold, in leaf order: the values under any node are neighbours.
    nodes
        int32 array (levels, values): the node that covers a value on each level. Row 0 is the values themselves
        (node i covers value i), the last row is the root.
    share
        float64 per node: its loss (NCP), 0 for a value and 1 for the root of two or more values.
    leaves
        int64 per node: how many values of the hierarchy lie under it; -1 where the kind measures widths instead.
    n_leaves
        How many values the hierarchy has (those that the data lack included); 0 where widths are measured.
    spell
        ``spell(node, style)``: the text of a node.
    """

    kind: str
    values: Sequence[Any]
    nodes: NDArray[np.int32]
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    n_leaves: int
    spell: Callable[[int, Style], str] = field(repr=False)

    @property
    def n_levels(self) -> int:
        """How many levels the tree has, values and root included."""
        return int(self.nodes.shape[0])

    @property
    def spans(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The codes of the first and the last value under each node; those in between are under it as well."""
        return spans_of(self.nodes, len(self.share))

    def lowest_common(self, low: NDArray[np.int32], high: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the lowest node over each pair of codes; values lie in leaf order, so ends decide for all between."""
        node = np.full(low.shape, -1, dtype=np.int32)
        for level in self.nodes:
            meets = (node < 0) & (level[low] == level[high])
            node[meets] = level[low][meets]
        return node

    def together(self, nodes: NDArray[np.int64]) -> tuple[float, int]:
        """Return the loss and the leaves of several nodes as one: of two, one above the other, the upper counts."""
        spans = [np.flatnonzero((self.nodes == node).any(axis=0)) for node in nodes.tolist()]
        order = sorted(range(len(nodes)), key=lambda i: (len(spans[i]), self.leaves[nodes[i]], self.share[nodes[i]]))
        upper: list[int] = []
        for i in reversed(order):
            if not any(spans[j][0] <= spans[i][0] and spans[i][-1] <= spans[j][-1] for j in upper):
                upper.append(i)
        if not self.n_leaves:
            return min(1.0, float(self.share[nodes[upper]].sum())), -1
        n_leaves = int(self.leaves[nodes[upper]].sum())
        return (n_leaves - 1) / max(self.n_leaves - 1, 1), n_leaves


def spans_of(nodes: NDArray[np.int32], n_nodes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last code under each node of some levels, under which codes are neighbours.

    Examples
    --------
    >>> [ends.tolist() for ends in spans_of(np.array([[0, 1, 2], [3, 3, 4]], dtype=np.int32), 5)]
    [[0, 1, 2, 0, 2], [0, 1, 2, 1, 2]]
    """
    first, last = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    for level in nodes:
        found, start, count = np.unique(level, return_index=True, return_counts=True)
        first[found], last[found] = start, start + count - 1
    return first, last


Domain = Line | Bag | Levels


@dataclass(frozen=True, eq=False)
class Level:
    """One level between the values and the root.

    Attributes
    ----------
    groups
        Per value the number of its group, counted from 0 in the order of the values.
    share
        Per group its loss.
    leaves
        Per group how many values of the hierarchy lie under it, or -1 where widths are measured.
    spell
        ``spell(group, style)``: the text of a group.

    Examples
    --------
    >>> Level(np.array([0, 0]), np.array([1.0]), np.array([2]), lambda group, style: "a / b").spell(0, Style())
    'a / b'
    """

    groups: NDArray[np.int64]
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    spell: Callable[[int, Style], str] = field(repr=False)


def number_groups(keys: Sequence[Any]) -> NDArray[np.int64]:
    """Return the runs of equal neighbours, numbered from 0.

    Examples
    --------
    >>> number_groups(["a", "a", "b"]).tolist()
    [0, 0, 1]
    """
    starts = np.fromiter((left != right for left, right in pairwise(keys)), dtype=np.int64)
    return np.concatenate([np.zeros(min(len(keys), 1), dtype=np.int64), np.cumsum(starts)])


def leaf_share(leaves: NDArray[np.int64], n_leaves: int) -> NDArray[np.float64]:
    """Return the loss of nodes by what lies under them: (leaves - 1) / (n_leaves - 1), and 0 for a single leaf.

    Examples
    --------
    >>> leaf_share(np.array([1, 2, 3]), 3).tolist()
    [0.0, 0.5, 1.0]
    """
    return (leaves - 1) / max(n_leaves - 1, 1)


def assemble(
    kind: str,
    values: Sequence[Any],
    spell_value: Callable[[int, Style], str],
    levels: Sequence[Level],
    root: str,
    n_leaves: int = 0,
) -> Levels:
    """Stack the values, the levels above them (finest first) and the root into one domain.

    A column of fewer than two distinct values has nothing to lose: all its nodes cost 0.

    Parameters
    ----------
    kind
        The name of the hierarchy kind.
    values
        The distinct values in leaf order.
    spell_value
        ``spell_value(code, style)``: the text of a value.
    levels
        The levels between values and root.
    root
        The text of the root.
    n_leaves
        How many values the hierarchy has; 0 where widths are measured.

    Examples
    --------
    >>> pair = Level(np.array([0, 0, 1]), np.array([0.5, 0.0]), np.array([2, 1]), lambda group, style: "ab"[group])
    >>> domain = assemble("tree", "xyz", lambda code, style: "xyz"[code], [pair], "*", 3)
    >>> domain.nodes.tolist(), domain.share.tolist()
    ([[0, 1, 2], [3, 3, 4], [5, 5, 5]], [0.0, 0.0, 0.0, 0.5, 0.0, 1.0])
    """
    n_values = len(values)
    n_roots = min(n_values, 1)
    one = 1 if n_leaves else -1
    codes = np.arange(n_values)
    stack = [
        Level(codes, np.zeros(n_values), np.full(n_values, one), spell_value),
        *levels,
        Level(np.zeros_like(codes), np.ones(n_roots), np.full(n_roots, n_leaves or -1), lambda group, style: root),
    ]
    offsets = np.cumsum([0] + [len(level.share) for level in stack]).tolist()

    def spell(node: int, style: Style) -> str:
        depth = bisect_right(offsets, node) - 1
        return stack[depth].spell(node - offsets[depth], style)

    share = np.concatenate([level.share for level in stack])
    return Levels(
        kind=kind,
        values=values,
        nodes=np.stack([level.groups + offset for level, offset in zip(stack, offsets, strict=False)]).astype(np.int32),
        share=share if n_values > 1 else np.zeros_like(share),
        leaves=np.concatenate([level.leaves for level in stack]).astype(np.int64),
        n_leaves=n_leaves,
        spell=spell,
    )


def ancestors_of(domain: Levels, style: Style = Style()) -> dict[str, list[str]]:
    """Return for each value's text the labels of its nodes from level 1 up to the root.

    Examples
    --------
    >>> from celosia.data.hierarchies import Prefix
    >>> ancestors_of(Prefix(keep=[2]).fit(["37003"], "zipcode"))
    {'37003': ['37***', '*****']}
    """
    labels = [domain.spell(node, style) for node in range(len(domain.share))]
    return {labels[path[0]]: [labels[node] for node in path[1:]] for path in domain.nodes.T.tolist()}
