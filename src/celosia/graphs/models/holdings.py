"""A graph as rows that hold items, for attackers who know some of a vertex's neighbours.

A place is a vertex that somebody may be linked with; in a directed graph there are two for each, out and in. An item is
a place with its entry (1, a number of edges, a weight). What a vertex holds are the items of its row, and the attacker
who knows some of them is left with the vertices that hold them all. With groups by attributes, places are told apart by
the group of the holder, so that only vertices of one group ever share an item.

Known vertices are no candidates (``exclude_known``): let I be the known places, v the person looked for, not in I.
A candidate u agrees with v on I and is not in I itself. Take from every row its own places (a vertex's entry with
itself): neither v nor u can be in I then, and conversely, if neither is, nothing is lost by it. So the model with
``exclude_known`` is the model without, of rows without their own places. In the view of neighbours that is the graph
without loops. In the view of rows an own place must not read as "no neighbour" either: it is filled with an item that
nobody can know.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.progress import Progress
from celosia.graphs.colours import attribute_labels, neighbourhood_labels, watched
from celosia.graphs.graph import Adjacency, Graph, stretches

_OWN = 0  # the entry of an own place; real entries are at least 1, weights are ranks from 1


class _Table(NamedTuple):
    """Rows that hold items, ascending; slots and groups as the kernel wants them."""

    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    n_items: int
    slots: NDArray[np.int32] | None
    n_slots: int
    usable: NDArray[np.uint8] | None
    row_groups: NDArray[np.int32] | None
    slot_groups: NDArray[np.int32] | None
    n_groups: int


@dataclass(frozen=True, eq=False)
class KnownItems:
    """The kernel's holdings of a graph, equal vertices put together.

    Attributes
    ----------
    holdings
        Rows of distinct vertices, with how many there are of each as their weights.
    row_of
        Per vertex its row.
    weights
        Per row how many vertices it stands for.
    n_equal
        Per row how many vertices are equal to it, if known vertices are excluded and rows stand for one vertex each.
    n_known
        Per row how many items it holds that somebody may know.
    n_pairs
        How many pairs of items the rows hold: at most so much work it is to look at them all.
    """

    holdings: kernels.Holdings
    row_of: NDArray[np.int64]
    weights: NDArray[np.int64]
    n_equal: NDArray[np.int64] | None
    n_known: NDArray[np.int64]
    n_pairs: int


def known_items(
    graph: Graph, absence: bool, exclude_known: bool, attributes: tuple[str, ...], shown: Progress
) -> KnownItems:
    """Return what the vertices of a graph with at least one vertex hold.

    Examples
    --------
    >>> from celosia.base.progress import Quiet
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> known = known_items(square, absence=False, exclude_known=False, attributes=(), shown=Quiet())
    >>> known.row_of, known.weights, known.holdings.one_known(2)[1]
    (array([0, 1, 0, 1]), array([2, 2]), 2)
    """
    table = _table(graph, exclude_known, absence, attributes)
    n = graph.n_vertices
    seed = secrets.randbits(64)
    row_of = watched(
        shown,
        "compare vertices",
        lambda pulse: kernels.graph_classes(
            [(table.starts, table.items, None)], n, None, table.row_groups, seed, pulse
        ),
    )
    weights = np.bincount(row_of)
    if len(weights) < n:
        table = _distinct_columns(_distinct_rows(table, row_of), seed)
    usable = np.ones(table.n_items, dtype=np.uint8) if table.usable is None else table.usable
    sums = np.concatenate([[0], np.cumsum(usable[table.items], dtype=np.int64)])
    n_held = np.diff(table.starts)
    return KnownItems(
        holdings=kernels.Holdings(
            table.starts,
            table.items,
            table.n_items,
            absence,
            table.slots,
            table.n_slots,
            table.usable,
            table.row_groups,
            table.slot_groups,
            table.n_groups,
            weights if len(weights) < n else None,
        ),
        row_of=row_of.astype(np.int64),
        weights=weights,
        n_equal=_n_equal(graph, attributes, shown) if exclude_known and absence else None,
        n_known=sums[table.starts[1:]] - sums[table.starts[:-1]],
        n_pairs=int(n_held @ n_held),
    )


def _n_equal(graph: Graph, attributes: tuple[str, ...], shown: Progress) -> NDArray[np.int64]:
    labels = neighbourhood_labels(graph, attributes, shown)
    return np.bincount(labels)[labels]


def _table(graph: Graph, exclude_known: bool, absence: bool, attributes: tuple[str, ...]) -> _Table:
    n = graph.n_vertices
    groups = attribute_labels(graph, attributes) if attributes else None
    drops_own = exclude_known and (absence or graph.has_loops)
    if not graph.directed and groups is None and not drops_own and not _tells_apart(graph.out.entries):
        return _Table(graph.out.starts, graph.out.indices, n, None, n, None, None, None, 1)
    rows, places, entries = _triples(graph, drops_own, absence)
    n_groups = 1 if groups is None else int(groups.max()) + 1
    keys = places if groups is None else places * n_groups + groups[rows]
    slot_keys, slot_of = np.unique(keys, return_inverse=True)
    values, entry_of = np.unique(entries, return_inverse=True)
    item_keys, item_of = np.unique(slot_of * len(values) + entry_of, return_inverse=True)
    n_items, n_slots = len(item_keys), len(slot_keys)
    held = np.sort(rows * n_items + item_of)
    return _Table(
        starts=np.searchsorted(held, np.arange(n + 1, dtype=np.int64) * n_items),
        items=(held % max(n_items, 1)).astype(np.int32),
        n_items=n_items,
        slots=(item_keys // len(values)).astype(np.int32) if n_items > n_slots else None,
        n_slots=n_slots,
        usable=(values[item_keys % len(values)] != _OWN).astype(np.uint8) if drops_own and absence else None,
        row_groups=None if groups is None else groups.astype(np.int32),
        slot_groups=None if groups is None else (slot_keys % n_groups).astype(np.int32),
        n_groups=n_groups,
    )


def _tells_apart(entries: NDArray[np.int64]) -> bool:
    return len(entries) > 0 and int(entries.min()) != int(entries.max())


def _triples(
    graph: Graph, drops_own: bool, absence: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return vertex, place and entry of all that is held; own places dropped and, with absence, filled."""
    n = graph.n_vertices
    sides: list[tuple[Adjacency, int]] = [(graph.out, 0)]
    if graph.directed:
        sides.append((graph.into, n))
    every = np.arange(n, dtype=np.int64)
    rows, places, entries = [], [], []
    for adjacency, first_place in sides:
        row, place, entry = np.repeat(every, adjacency.degrees), adjacency.indices.astype(np.int64), adjacency.entries
        if drops_own:
            there = row != place
            row, place, entry = row[there], place[there], entry[there]
        rows.append(row)
        places.append(place + first_place)
        entries.append(entry)
        if drops_own and absence:
            rows.append(every)
            places.append(every + first_place)
            entries.append(np.full(n, _OWN, dtype=np.int64))
    return np.concatenate(rows), np.concatenate(places), np.concatenate(entries)


def _distinct_rows(table: _Table, row_of: NDArray[np.int32]) -> _Table:
    """Return the first row of each class."""
    first = np.unique(row_of, return_index=True)[1]
    starts, places = _picked(table.starts, first)
    return table._replace(
        starts=starts,
        items=table.items[places],
        row_groups=None if table.row_groups is None else table.row_groups[first],
    )


def _distinct_columns(table: _Table, seed: int) -> _Table:
    """Return the table without items that the same rows hold as another: to know both is to know one.

    A slot with several items is left alone, since another may hold just some of them.
    """
    if table.slots is not None:
        return table
    order = np.argsort(table.items, kind="stable")
    holders = np.repeat(np.arange(len(table.starts) - 1, dtype=np.int32), np.diff(table.starts))[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(table.items, minlength=table.n_items))])
    columns = kernels.graph_classes([(starts, holders, None)], table.n_items, None, table.slot_groups, seed)
    first = np.unique(columns, return_index=True)[1]
    is_kept = np.zeros(table.n_items, dtype=np.bool_)
    is_kept[first] = True
    number = np.cumsum(is_kept, dtype=np.int32) - 1
    there = is_kept[table.items]
    n_before = np.concatenate([[0], np.cumsum(there)])
    return table._replace(
        starts=n_before[table.starts],
        items=number[table.items[there]],
        n_items=len(first),
        n_slots=len(first),
        slot_groups=None if table.slot_groups is None else table.slot_groups[is_kept],
    )


def _picked(starts: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the picked rows start, one after the other, and their places."""
    lengths = starts[rows + 1] - starts[rows]
    return np.concatenate([[0], np.cumsum(lengths)]), stretches(starts[rows], lengths)
