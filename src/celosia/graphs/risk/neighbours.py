"""Known neighbours: how many candidates are left for each vertex when l of its neighbours are known.

A known neighbour comes with what is known of the link: its direction, the number of edges, the weight. Known vertices
are no candidates: whoever knows a neighbour knows that the person looked for is somebody else. Such a vertex could only
be a candidate by a loop, so loops are left out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.base.progress import Progress
from celosia.base.wording import Said
from celosia.graphs.graph import Graph, stretches
from celosia.graphs.models import KLAnonymity
from celosia.graphs.risk.known import KnowledgeRisk, risk_of_counts
from celosia.models.people import fewest_people

_TITLE = Said("Up to {l} known neighbours")
_NO_MEAN = Said("The mean would need every set of known neighbours counted for every vertex, and there are too many.")
_TOO_MANY = Said("There are too many pairs of neighbours to look at; ask for (k, l)-anonymity itself.")
_CUT_OFF = Said("The search among so many known neighbours was cut off before it could say.")

_COUNTED_PAIRS = 10_000_000
"""Pairs of neighbours up to which candidates are counted out for each vertex."""
_JUDGED_PAIRS = 100_000_000
"""Pairs of neighbours up to which vertices are judged against a number of candidates, which is quicker."""
_QUICK_PAIRS = 30_000_000
"""Pairs of neighbours up to which either takes a few seconds at most."""
_PAIRS_AT_ONCE = 2_000_000


class Items(NamedTuple):
    """What may be known of each vertex: ``items[starts[v]:starts[v + 1]]``, ascending."""

    starts: NDArray[np.int64]
    items: NDArray[np.int64]
    n_items: int

    @property
    def n_held(self) -> NDArray[np.int64]:
        """How much may be known of each vertex."""
        return np.diff(self.starts)


def neighbour_risk(graph: Graph, l: int, k: int, threshold: Fraction, progress: Progress) -> KnowledgeRisk:  # noqa: E741
    """Return the risk against whoever knows up to l neighbours of a vertex, those that leave fewest candidates.

    Examples
    --------
    >>> from celosia.base.progress import Quiet
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> found = neighbour_risk(path, 1, 2, Fraction(1, 5), Quiet())
    >>> found.n_unique, found.smallest, found.max
    (1, 1, 1.0)
    """
    progress.stage("known neighbours")
    bare = _without_loops(graph)
    items = items_of(bare)
    n_pairs = n_item_pairs(items)
    if l == 1 or not n_pairs or (l == 2 and n_pairs <= _COUNTED_PAIRS):
        fewest = fewest_by_two(items) if l == 2 else fewest_by_one(items)
        candidates, n_vertices = np.unique(fewest, return_counts=True)
        return risk_of_counts(
            f"neighbours_{l}", _TITLE, candidates, n_vertices.astype(np.int64), k, threshold, values={"l": l}
        )
    if n_pairs > _JUDGED_PAIRS:
        return KnowledgeRisk(f"neighbours_{l}", _TITLE, reason=_TOO_MANY, values={"l": l})
    return _judged(bare, l, k, threshold, progress)


def are_pairs_few(graph: Graph) -> bool:
    """Say whether the risk against two known neighbours is quickly found.

    Examples
    --------
    >>> are_pairs_few(Graph.of_edges([0], [1]))
    True
    """
    degree = graph.out.degrees + graph.into.degrees if graph.directed else graph.out.degrees
    return int((degree * (degree - 1) // 2).sum()) <= _QUICK_PAIRS


def items_of(graph: Graph) -> Items:
    """Return the neighbours of each vertex as numbers that tell direction and entry apart.

    Examples
    --------
    >>> items_of(Graph.of_edges([0, 0], [1, 2], directed=True)).items.tolist()
    [1, 2, 3, 3]
    """
    n = graph.n_vertices
    sides = [(graph.out, 0), (graph.into, n)] if graph.directed else [(graph.out, 0)]
    entries = np.concatenate([adjacency.entries for adjacency, _ in sides])
    places = np.concatenate([adjacency.indices + np.int64(first) for adjacency, first in sides])
    n_items = n * len(sides)
    if len(entries) and int(entries.min()) != int(entries.max()):
        width = int(entries.max()) + 1
        found, places = np.unique(places * width + entries, return_inverse=True)
        n_items = len(found)
    if len(sides) == 1:
        return Items(graph.out.starts, places, n_items)  # one entry per place: they ascend in each row
    rows = np.concatenate([np.repeat(np.arange(n), adjacency.degrees) for adjacency, _ in sides])
    held = np.sort(rows * n_items + places)
    return Items(np.searchsorted(held, np.arange(n + 1) * max(n_items, 1)), held % max(n_items, 1), n_items)


def n_item_pairs(items: Items) -> int:
    """Return how many pairs of known items there are, over all vertices.

    Examples
    --------
    >>> n_item_pairs(items_of(Graph.of_edges([0, 0, 0], [1, 2, 3])))
    3
    """
    return int((items.n_held * (items.n_held - 1) // 2).sum())


def fewest_by_one(items: Items) -> NDArray[np.int64]:
    """Return the fewest candidates that one known item leaves for each vertex; all vertices where nothing is known.

    Whoever knows an item of v is left with all that hold it.

    Examples
    --------
    >>> fewest_by_one(items_of(Graph.of_edges([0, 1], [1, 2], 4)))
    array([2, 1, 2, 4])
    """
    n = len(items.starts) - 1
    fewest = np.full(n, n, dtype=np.int64)
    n_holders = np.bincount(items.items, minlength=items.n_items)
    there = items.n_held > 0
    if there.any():
        fewest[there] = np.minimum.reduceat(n_holders[items.items], items.starts[:-1][there])
    return fewest


def fewest_by_two(items: Items) -> NDArray[np.int64]:
    """Return the fewest candidates that at most two known items leave for each vertex.

    A pair of items s < t is met once in every vertex that holds both: how often it is met is how many candidates it
    leaves. Pairs are gone through by s, so that all of one pair come together.

    Examples
    --------
    >>> fewest_by_two(items_of(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])))
    array([2, 1, 1, 1, 2])
    """
    fewest = fewest_by_one(items)
    ends = np.repeat(items.starts[1:], items.n_held)
    by_item = np.argsort(items.items, kind="stable")  # entries of the table, those of one item together
    n_after = ends[by_item] - by_item - 1  # how many items come after it in its row
    by_item, n_after = by_item[n_after > 0], n_after[n_after > 0]
    row_of = np.repeat(np.arange(len(items.starts) - 1), items.n_held)
    for first, end in _pieces(items.items[by_item], n_after):
        entries, lengths = by_item[first:end], n_after[first:end]
        others, stops = stretches(entries + 1, lengths), np.cumsum(lengths)
        one = items.items[entries]
        rank = np.concatenate([[0], np.cumsum(one[1:] != one[:-1])])
        counts = _multiplicities(
            np.repeat(rank, lengths) * items.n_items + items.items[others], (int(rank[-1]) + 1) * items.n_items
        )
        np.minimum.at(fewest, row_of[entries], np.minimum.reduceat(counts, stops - lengths))
    return fewest


def _pieces(item: NDArray[np.int64], n_pairs: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return where to cut entries into pieces of not too many pairs, never within an item."""
    if not len(item):
        return []
    firsts = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]]))
    before = np.concatenate([[0], np.cumsum(n_pairs)])
    starts = firsts[np.unique(before[firsts] // _PAIRS_AT_ONCE, return_index=True)[1]]
    return list(zip(starts.tolist(), [*starts[1:].tolist(), len(item)], strict=True))


def _multiplicities(keys: NDArray[np.int64], n_keys: int) -> NDArray[np.int64]:
    """Return for each key how often it occurs."""
    if n_keys <= 8 * len(keys) + 1024:
        return np.bincount(keys, minlength=n_keys)[keys]
    _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    found: NDArray[np.int64] = counts[place]
    return found


def _judged(graph: Graph, l: int, k: int, threshold: Fraction, progress: Progress) -> KnowledgeRisk:  # noqa: E741
    """Return what can be told by asking who is left with fewer than so many candidates."""
    at_risk_below = fewest_people(threshold)
    n_below: dict[int, int] = {1: 0}
    smallest = 0
    for limit in sorted({2, k, at_risk_below} - {1}):
        judgement = KLAnonymity(limit, l, "neighbours", profile_up_to=l).judge(graph, progress)
        if len(judgement.undecided) or "strongest_k" in judgement.lower_bounds:
            return KnowledgeRisk(f"neighbours_{l}", _TITLE, reason=_CUT_OFF, values={"l": l})
        n_below[limit], smallest = len(judgement.breaking), judgement.strongest_k
    n = graph.n_vertices
    is_everybody_unique = n_below[2] == n
    return KnowledgeRisk(
        f"neighbours_{l}",
        _TITLE,
        smallest=smallest,
        n_unique=n_below[2],
        share_unique=n_below[2] / n,
        n_below_k=n_below[k],
        share_below_k=n_below[k] / n,
        max=1 / smallest,
        mean=1.0 if is_everybody_unique else None,
        share_at_risk=n_below[at_risk_below] / n,
        reason=None if is_everybody_unique else _NO_MEAN,
        values={"l": l},
    )


def _without_loops(graph: Graph) -> Graph:
    if not graph.has_loops:
        return graph
    there = graph.source != graph.target
    return graph.with_edges(
        graph.source[there], graph.target[there], graph.edges.filter(there) if graph.edges.width else None
    )
