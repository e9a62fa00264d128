"""Clusters of at least k vertices, grown greedily by structure and attributes: SaNGreeA."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.progress import Progress, Quiet
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.schema.columns import QuasiIdentifier
from celosia.graphs.graph import Adjacency, Graph

_MOST_HOPS = 200  # neighbours of one vertex that are looked at for others with the same neighbours
_N_STRANGERS = 8  # candidates by chance, and the least number of those with fewest links
_MOST_CLUSTERS = 400  # that are offered a vertex left over


def greedy_clusters(
    graph: Graph,
    groups: NDArray[np.int64],
    k: int,
    columns: Sequence[QuasiIdentifier],
    weights: tuple[float, float],
    randomness: Randomness,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Return a cluster per vertex, each of at least k vertices of one group; in the order in which they were grown.

    A cluster starts at the free vertex with most links and takes, one by one, the free vertex that costs least: the
    weighted sum of what its attributes add to the cluster's loss and of its mean distance to the members, the share of
    all others with whom it is linked and the member is not, or the other way round. Vertices left over, fewer than k in
    a group, join one by one the cluster that they cost least. So that the time does not grow with the square of the
    graph, candidates are neighbours of members, those that share a neighbour with one (looked for among 200 neighbours
    of each), those with fewest links, and some by chance; in a group of at most 4 k + 8 vertices they are all.

    Parameters
    ----------
    graph
        A simple graph.
    groups
        A number per vertex; clusters stay within them. Each has at least k vertices.
    k
        The least size of a cluster.
    columns
        Attributes of vertices, by which clusters are published.
    weights
        Of attributes and of structure.
    randomness
        By whom ties are broken.

    References
    ----------
    Campan, A., Truta, T. M. (2008). A clustering approach for data and structural anonymity in social networks.

    Examples
    --------
    >>> from celosia.base.chance import Randomness
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> labels = greedy_clusters(square, np.zeros(4, dtype=np.int64), 2, [], (0.0, 1.0), Randomness(1))
    >>> bool(labels[0] == labels[2]), bool(labels[0] == labels[1])
    (True, False)
    """
    growth = _Growth(graph, columns, weights, randomness, progress or Quiet())
    n_clusters = 0
    for group in range(int(groups.max()) + 1 if len(groups) else 0):
        n_clusters = growth.part(np.flatnonzero(groups == group), k, n_clusters)
    return growth.labels


class _Growth:
    """The clusters while they grow."""

    def __init__(
        self,
        graph: Graph,
        columns: Sequence[QuasiIdentifier],
        weights: tuple[float, float],
        randomness: Randomness,
        progress: Progress,
    ) -> None:
        n = graph.n_vertices
        self._ways = [graph.out, graph.into] if graph.directed else [graph.out]
        self._degrees = sum((way.degrees for way in self._ways), np.zeros(n, dtype=np.int64))
        self._n_others = max(1, (n - 2) * len(self._ways))
        self._attributes = _Attributes(columns)
        self._weights = weights
        self._randomness, self._progress = randomness, progress
        self._in_common = np.zeros(n, dtype=np.int64)  # neighbours shared with members, counted for each member
        self._linked = np.zeros(n, dtype=np.int64)  # links with members
        self._is_free = np.zeros(n, dtype=np.bool_)
        self.labels = np.full(n, -1, dtype=np.int64)

    def part(self, members: NDArray[np.int64], k: int, n_clusters: int) -> int:
        """Part the vertices of a group; return how many clusters there are then."""
        shuffled = members[self._randomness.permutation(len(members))]
        by_degree = shuffled[np.argsort(self._degrees[shuffled], kind="stable")]
        self._is_free[members] = True
        first, low, high = n_clusters, 0, len(by_degree) - 1
        n_free = len(members)
        while n_free >= k:
            while not self._is_free[by_degree[high]]:
                high -= 1
            while not self._is_free[by_degree[low]]:
                low += 1
            self._grow(int(by_degree[high]), k, n_clusters, by_degree[low : low + 4 * k + _N_STRANGERS], shuffled)
            n_clusters += 1
            n_free -= k
            if n_clusters % 64 == 0:
                self._progress.advance(1.0 - n_free / len(members))
        left_over = members[self._is_free[members]]
        for vertex in left_over[self._randomness.permutation(len(left_over))].tolist():
            self._join(vertex, first, n_clusters)
        return n_clusters

    def _grow(self, start: int, k: int, label: int, lowly: NDArray[np.int64], members: NDArray[np.int64]) -> None:
        touched: list[NDArray[np.int64]] = []
        cluster = [start]
        self._attributes.start([start])
        self._take(start, label)
        while len(cluster) < k:
            touched.append(self._note(cluster[-1]))
            drawn = members[(self._randomness.keys(_N_STRANGERS) % np.uint64(len(members))).astype(np.int64)]
            candidates = np.unique(np.concatenate([*touched, lowly, drawn]))
            candidates = candidates[self._is_free[candidates]]
            if not len(candidates):
                candidates = members[self._is_free[members]]
            cluster.append(self._cheapest(candidates, cluster))
            self._attributes.add(cluster[-1])
            self._take(cluster[-1], label)
        for place in touched:
            self._forget(place)

    def _cheapest(self, candidates: NDArray[np.int64], cluster: Sequence[int]) -> int:
        """Return the candidate that costs least, any of them where several do."""
        shuffled = candidates[self._randomness.permutation(len(candidates))]
        return int(shuffled[int(np.argmin(self._costs(shuffled, cluster)))])

    def _costs(self, candidates: NDArray[np.int64], cluster: Sequence[int]) -> NDArray[np.float64]:
        # Whole numbers first: equal costs must be equal to the last bit, or ties would not be broken by chance.
        sums = len(cluster) * self._degrees[candidates] + int(self._degrees[list(cluster)].sum())
        differing = sums - 2 * self._in_common[candidates] - 2 * self._linked[candidates]
        by_attributes, by_structure = self._weights
        structure = differing / (len(cluster) * self._n_others)
        return by_attributes * self._attributes.growth(candidates) + by_structure * structure

    def _note(self, vertex: int) -> NDArray[np.int64]:
        """Count who is linked with the vertex, and who shares neighbours with it; return who they are."""
        seen, linked = [], []
        for way, back in zip(self._ways, self._ways[::-1], strict=True):
            own = _row(way, vertex)
            linked.append(own)
            if len(own) > _MOST_HOPS:
                own = own[np.argsort(self._degrees[own], kind="stable")[:_MOST_HOPS]]
            seen += [_row(back, neighbour)[:_MOST_HOPS] for neighbour in own.tolist()]
        met, neighbours = (np.concatenate([np.zeros(0, dtype=np.int64), *parts]) for parts in (seen, linked))
        np.add.at(self._in_common, met, 1)
        np.add.at(self._linked, neighbours, 1)
        return np.unique(np.concatenate([met, neighbours]))

    def _forget(self, touched: NDArray[np.int64]) -> None:
        self._in_common[touched] = 0
        self._linked[touched] = 0

    def _take(self, vertex: int, label: int) -> None:
        self.labels[vertex] = label
        self._is_free[vertex] = False

    def _join(self, vertex: int, first: int, end: int) -> None:
        """Give a vertex that is left over to the cluster that it costs least, tried on the nearest ones of many."""
        touched = self._note(vertex)
        near = np.unique(self.labels[touched])
        near = near[(near >= first) & (near < end)][: _MOST_CLUSTERS // 2]
        others = first + self._randomness.permutation(end - first)[:_MOST_CLUSTERS]
        tried = np.unique(np.concatenate([near, others]))[self._randomness.permutation(len(np.union1d(near, others)))]
        costs = [self._cost_of(vertex, np.flatnonzero(self.labels == label)) for label in tried.tolist()]
        self._forget(touched)
        self._take(vertex, int(tried[int(np.argmin(costs))]))

    def _cost_of(self, vertex: int, cluster: NDArray[np.int64]) -> float:
        """Return what a vertex, of which it was noted who shares what with it, would cost a cluster."""
        sums = len(cluster) * int(self._degrees[vertex]) + int(self._degrees[cluster].sum())
        differing = sums - 2 * int(self._in_common[cluster].sum()) - 2 * int(self._linked[cluster].sum())
        self._attributes.start(cluster.tolist())
        by_attributes, by_structure = self._weights
        growth = float(self._attributes.growth(np.array([vertex]))[0])
        return by_attributes * growth + by_structure * differing / (len(cluster) * self._n_others)


class _Attributes:
    """What a cluster publishes of its members' attributes, and how much more each candidate would cost."""

    def __init__(self, columns: Sequence[QuasiIdentifier]) -> None:
        self._columns = list(columns)
        total = sum(column.weight for column in columns)
        self._shares = [column.weight / total for column in columns]
        self._members: list[int] = []

    def start(self, members: list[int]) -> None:
        self._members = members

    def add(self, vertex: int) -> None:
        self._members.append(vertex)

    def growth(self, candidates: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return by how much each candidate raises the mean loss of the attributes."""
        total = np.zeros(len(candidates))
        for column, share in zip(self._columns, self._shares, strict=True):
            own, codes = column.codes[self._members], column.codes[candidates]
            total += share * _growth_of(column, own, codes)
        return total


def _growth_of(column: QuasiIdentifier, own: NDArray[np.int32], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return by how much each code raises the loss of a cluster; missing and known together are lost whole."""
    known = own[own >= 0]
    if not len(known):
        return np.where(codes < 0, 0.0, 1.0)
    if len(known) < len(own):
        return np.zeros(len(codes))
    if isinstance(column.domain, Bag):
        n_steps = max(len(column.domain.values) - 1, 1)
        before = (len(np.unique(known)) - 1) / n_steps
        after = before + ~np.isin(codes, known) / n_steps
    elif isinstance(column.domain, Levels):
        before, after = _tree_losses(column.domain, known, codes)
    else:
        places = column.domain.positions
        low, high = places[known].min(), places[known].max()
        before = float(high - low)
        after = np.maximum(places[codes], high) - np.minimum(places[codes], low)
    return np.where(codes < 0, 1.0, after) - before


def _tree_losses(
    domain: Levels, known: NDArray[np.int32], codes: NDArray[np.int32]
) -> tuple[float, NDArray[np.float64]]:
    """Return the loss of the lowest common ancestor, and with each code added."""
    before, after = 1.0, np.ones(len(codes))
    for level in domain.nodes[::-1]:
        ancestor = level[known[0]]
        if (level[known] != ancestor).any():
            break
        before = float(domain.share[ancestor])
        after = np.where(level[codes] == ancestor, before, after)
    return before, after


def _row(rows: Adjacency, vertex: int) -> NDArray[np.int32]:
    return rows.indices[rows.starts[vertex] : rows.starts[vertex + 1]]
