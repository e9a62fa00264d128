"""The bipartite graph of a release: which original rows each published row may stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.data.classes import Classes, group
from celosia.data.outcome import Outcome

Rows = NDArray[np.intp]

_MOST_DRAWN_ROWS = 30

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#6a4c93")
"""Okabe and Ito's colours, which people with any colour vision tell apart; yellow is too pale for a line."""

_GREY, _INK = "#b0b0b0", "#222222"
_STEP, _TOP, _LEFT, _RIGHT, _WIDTH, _RADIUS = 30, 56, 50, 290, 340, 10


@dataclass(frozen=True, eq=False)
class Bipartite:
    """G = (Q, Q', E): the original rows Q, the published rows Q', and an edge where one may stand for the other.

    E = {(i, j): rows i and j are in one class}. All rows of a class are published alike, so that G is a disjoint union
    of complete bipartite blocks, one per class. A published row is numbered by the original row it was made from, and
    a suppressed row has no edges and no published row. Rows are numbered from 0.

    The graph tells which published row is whose: like ``release.classes`` it is for the owner alone.

    Parameters
    ----------
    classes
        The class of every original row, -1 = suppressed.

    Examples
    --------
    The exam paper's Tables 2 and 3 are two releases of the same nine rows:

    >>> second, third = bipartite([0, 0, 0, 1, 1, 1, 2, 2, 2]), bipartite([0, 0, 1, 2, 2, 2, 1, 1, 0])
    >>> second.n_edges, third.n_edges, second.common(third)
    (27, 27, 19)
    >>> second.effective_k(third)
    1
    """

    classes: Classes

    def __repr__(self) -> str:
        return f"Bipartite({self.n_nodes} nodes, {self.n_edges} edges, {len(self.blocks)} blocks)"

    @property
    def n_nodes(self) -> int:
        """How many nodes there are: the original rows and the published ones.

        Examples
        --------
        >>> bipartite([0, 0, -1]).n_nodes
        5
        """
        return len(self.classes) + self.classes.n_published

    @property
    def n_edges(self) -> int:
        """How many edges there are: the sum of the squared class sizes.

        Examples
        --------
        >>> bipartite([0, 0, 1, 1, 1, -1]).n_edges
        13
        """
        return _sum_of_squares(self.classes.sizes)

    @cached_property
    def blocks(self) -> list[Rows]:
        """The rows of each class, in the order of the labels.

        Examples
        --------
        >>> [block.tolist() for block in bipartite([1, 0, 1, -1]).blocks]
        [[1], [0, 2]]
        """
        return _sets_of_rows(self.classes.labels)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Give the edges (original row, published row) one by one, block by block: a large table has very many.

        Examples
        --------
        >>> list(bipartite([0, 1, 0]).edges())
        [(0, 0), (0, 2), (2, 0), (2, 2), (1, 1)]
        """
        return _edges_within(self.blocks)

    def common(self, other: Bipartite) -> int:
        """Return how many edges two releases of the same rows share.

        The sum over pairs of classes, one of each release, of the squared number of rows in both; in O(n).

        Raises
        ------
        OptionError
            The other graph has another number of original rows.

        Examples
        --------
        >>> bipartite([0, 0, 0, 1]).common(bipartite([0, 0, 1, 1]))
        6
        """
        labels = self._pairs(other)
        return _sum_of_squares(np.bincount(labels[self._in_both(other)]))

    def shared_edges(self, other: Bipartite) -> Iterator[tuple[int, int]]:
        """Give the edges that two releases of the same rows share, one by one.

        Raises
        ------
        OptionError
            The other graph has another number of original rows.

        Examples
        --------
        >>> list(bipartite([0, 0, 1]).shared_edges(bipartite([0, 1, 1])))
        [(0, 0), (1, 1), (2, 2)]
        """
        labels = self._pairs(other)
        return _edges_within(_sets_of_rows(np.where(self._in_both(other), labels, -1)))

    def intersections(self, other: Bipartite) -> list[Rows]:
        """Return the sets of rows that nobody can tell apart who has both releases, by their first row.

        Rows belong together if both releases have them in one class. A release that leaves a row out tells it apart
        from those it publishes; rows that neither publishes are in no set.

        Raises
        ------
        OptionError
            The other graph has another number of original rows.

        Examples
        --------
        >>> second, third = bipartite([0, 0, 0, 1, 1, 1, 2, 2, 2]), bipartite([0, 0, 1, 2, 2, 2, 1, 1, 0])
        >>> [rows.tolist() for rows in second.intersections(third)]
        [[0, 1], [2], [3, 4, 5], [6, 7], [8]]
        """
        labels = self._pairs(other)
        sets = _sets_of_rows(np.where(self.classes.suppressed & other.classes.suppressed, -1, labels))
        return sorted(sets, key=lambda rows: int(rows[0]))

    def effective_k(self, other: Bipartite) -> int | None:
        """Return the size in rows of the smallest intersection: the k that is left once both releases are out.

        ``None`` where neither release publishes a row.

        Raises
        ------
        OptionError
            The other graph has another number of original rows.

        Examples
        --------
        >>> bipartite([0, 0, 1, 1]).effective_k(bipartite([0, 0, 0, 0]))
        2
        """
        return min((len(rows) for rows in self.intersections(other)), default=None)

    def to_svg(self, other: Bipartite | None = None) -> str:
        """Draw the graph: original rows on the left, published rows on the right, each block in a colour.

        Rows carry their number, from 1 as in the exam paper, and nothing else. A suppressed row is
        dashed and has no partner.

        Parameters
        ----------
        other
            Another release of the same rows: the edges it shares are drawn in grey, as in the paper's figure 1.

        Raises
        ------
        OptionError
            The table has more than 30 rows, or the other graph has another number of rows.

        Examples
        --------
        >>> bipartite([0, 0, 1, 1]).to_svg().count("<line")
        8
        """
        if len(self.classes) > _MOST_DRAWN_ROWS:
            raise OptionError(
                f"the graph has {len(self.classes)} original rows; at most {_MOST_DRAWN_ROWS} can be drawn.",
                hint="use blocks, n_edges and common() instead.",
            )
        shared = set() if other is None else set(self.shared_edges(other))
        lines = [
            _line(edge, _GREY if edge in shared else _colour(position), wide=edge not in shared)
            for position, block in enumerate(self.blocks)
            for edge in _edges_within([block])
        ]
        # Grey first: the edges that tell the two releases apart lie on top.
        lines.sort(key=lambda line: _GREY not in line)
        legend = _legend(len(self.classes), self.n_edges, None if other is None else len(shared))
        return _drawing([*lines, *self._nodes(), *legend], self)

    def _nodes(self) -> list[str]:
        drawn = []
        for row, label in enumerate(self.classes.labels.tolist()):
            drawn.append(_node(_LEFT, row, None if label < 0 else _colour(label)))
            if label >= 0:
                drawn.append(_node(_RIGHT, row, _colour(label)))
        return drawn

    def _in_both(self, other: Bipartite) -> NDArray[np.bool_]:
        return ~(self.classes.suppressed | other.classes.suppressed)

    def _pairs(self, other: Bipartite) -> NDArray[np.int64]:
        """Label rows by their pair of classes; suppressed is a class of its own here."""
        if len(self.classes) != len(other.classes):
            raise OptionError(
                f"the two graphs are of {len(self.classes)} and {len(other.classes)} original rows.",
                hint="compare releases of the same rows, in the same order.",
            )
        return group([self.classes.labels, other.classes.labels])


def bipartite(released: Any) -> Bipartite:
    """Return the bipartite graph of a release.

    Parameters
    ----------
    released
        A release, classes, or a label per original row (-1 = suppressed).

    Raises
    ------
    InputError
        The labels are not whole numbers from -1.

    Examples
    --------
    >>> bipartite([0, 0, 0, 1, 1, 1, 2, 2, 2])
    Bipartite(18 nodes, 27 edges, 3 blocks)
    """
    if isinstance(released, Outcome):
        return Bipartite(released.classes)
    return Bipartite(released if isinstance(released, Classes) else Classes(released))


def _sum_of_squares(sizes: NDArray[np.integer]) -> int:
    return int(np.square(sizes, dtype=np.int64).sum())


def _sets_of_rows(labels: NDArray[np.int64]) -> list[Rows]:
    """Return the rows of each label in ascending order; -1 is no label."""
    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    starts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, starts) if len(order) else []


def _edges_within(sets: Iterable[Rows]) -> Iterator[tuple[int, int]]:
    for rows in sets:
        yield from product(rows.tolist(), repeat=2)


def _colour(position: int) -> str:
    return _COLOURS[position % len(_COLOURS)]


def _height(row: int) -> int:
    return _TOP + _STEP * row


def _line(edge: tuple[int, int], colour: str, *, wide: bool) -> str:
    original, published = edge
    return (
        f'<line x1="{_LEFT + _RADIUS}" y1="{_height(original)}" x2="{_RIGHT - _RADIUS}" y2="{_height(published)}" '
        f'stroke="{colour}" stroke-width="{1.6 if wide else 1.2}"/>'
    )


def _node(x: int, row: int, colour: str | None) -> str:
    outline = f'stroke="{colour}" stroke-width="2"' if colour else f'stroke="{_GREY}" stroke-dasharray="3 2"'
    return (
        f'<circle cx="{x}" cy="{_height(row)}" r="{_RADIUS}" fill="#ffffff" {outline}/>'
        f'<text x="{x}" y="{_height(row) + 4}" font-size="11">{row + 1}</text>'
    )


def _legend(n_rows: int, n_edges: int, n_shared: int | None) -> list[str]:
    y = _height(n_rows) + 4
    if n_shared is None:
        return [f'<text x="{_WIDTH // 2}" y="{y}" font-size="13">|E| = {n_edges}</text>']
    return [
        f'<text x="{_LEFT}" y="{y}" font-size="13">|E| = {n_edges}</text>',
        f'<rect x="{_RIGHT - 126}" y="{y - 6}" width="26" height="3" fill="{_GREY}"/>',
        f'<text x="{_RIGHT - 40}" y="{y}" font-size="13">|E ∩ E₂| = {n_shared}</text>',
    ]


def _drawing(parts: Sequence[str], graph: Bipartite) -> str:
    height = _height(len(graph.classes)) + 20
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" font-family="sans-serif" text-anchor="middle" fill="{_INK}">\n'
        f"<title>G = (Q, Q′, E): {graph.n_nodes}, {graph.n_edges}</title>\n"
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>\n'
        f'<text x="{_LEFT}" y="28" font-size="17" font-style="italic">Q</text>'
        f'<text x="{_RIGHT}" y="28" font-size="17" font-style="italic">Q′</text>\n'
        f"{body}\n</svg>\n"
    )
