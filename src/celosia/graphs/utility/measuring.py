"""What an edited graph has kept of the original, all measures together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.base.progress import Progress, Quiet
from celosia.base.wording import Said
from celosia.graphs.files.objects import needed
from celosia.graphs.files.reading import given_graph
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import checked_number
from celosia.graphs.utility.betweenness import betweenness
from celosia.graphs.utility.clustering import Clustering, clustering, triangle_steps
from celosia.graphs.utility.communities import communities, overlap
from celosia.graphs.utility.degree_distance import degree_distance
from celosia.graphs.utility.edits import Edits, edits
from celosia.graphs.utility.matching import matched
from celosia.graphs.utility.paths import PathLength, path_length
from celosia.graphs.utility.pattern import Pattern, one_way_pattern, pattern_of
from celosia.graphs.utility.ranks import rank_correlation
from celosia.graphs.utility.spectrum import Leading, leading

Figure = TypeVar("Figure")

_MOST_TRIANGLE_STEPS = 1_000_000_000
_MOST_PATH_STEPS = 50_000_000
_FEWEST_SOURCES = 32

_NOT_MATCHED = Said("It is not known which vertex is which: names are fresh, and no matching is given.")
_DIRECTED = Said("It is not defined here for directed graphs.")
_NO_VERTICES = Said("A graph has no vertices.")
_NO_EDGES = Said("A graph has no edges.")
_NO_EDGES_BEFORE = Said("There were no edges before: a ratio is not defined.")
_NO_PAIRS = Said("In a graph no vertex has two neighbours.")
_NO_PATHS = Said("In a graph no vertex reaches another.")
_LONG_PATHS = Said("Paths are longer than 10,000 edges.")
_TOO_LARGE = Said("The graph is too large for it.")
_ALL_EQUAL = Said("In a graph all vertices have the same rank, or hardly any vertex is in both graphs.")
_ONE_COMMUNITY = Said("Both graphs are a single community each, or they share no vertex.")
_NO_CONVERGENCE = Said("The computation did not converge.")


@dataclass(frozen=True)
class Change(Generic[Figure]):
    """A figure before and after; ``None`` where it is not defined or was not computed."""

    before: Figure | None = None
    after: Figure | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return both as ``--json`` prints them."""
        return {name: one.to_dict() if isinstance(one, PathLength) else one for name, one in self.__dict__.items()}


@dataclass(frozen=True)
class GraphUtility:
    """What an edited graph has kept. A measure that could not be had is ``None``, and ``reasons`` says why.

    Attributes
    ----------
    matched_by
        How it is known which vertex is which: ``order``, ``names``, ``given``, or ``none``.
    n_edges, n_non_isolated
        Edges, and vertices that have one.
    edits
        Edges added and deleted.
    degree_distance
        The Wasserstein-1 distance of the distributions of degrees.
    clustering, mean_local_clustering
        How often neighbours of a vertex are linked: over all pairs of neighbours, and as a mean over vertices.
    path_length
        The mean length of shortest paths, from a sample of sources.
    largest_eigenvalue
        Of the adjacency matrix.
    betweenness, n_betweenness_sources
        Spearman's correlation of betweenness before and after, and from how many sources it was reckoned.
    eigenvector_centrality
        Spearman's correlation of eigenvector centrality before and after.
    communities, communities_rerun
        The normalised mutual information of the communities before and after; and, beside it, that of the communities
        before and of a mere rerun with other chances: more cannot be hoped for.
    reasons
        By measure, why it is missing: a sentence in English.
    """

    matched_by: str
    n_edges: Change[int]
    n_non_isolated: Change[int]
    edits: Edits | None
    degree_distance: float | None
    clustering: Change[float]
    mean_local_clustering: Change[float]
    path_length: Change[PathLength]
    largest_eigenvalue: Change[float]
    betweenness: float | None
    n_betweenness_sources: int | None
    eigenvector_centrality: float | None
    communities: float | None
    communities_rerun: float | None
    reasons: dict[str, str] = field(default_factory=dict, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all as ``--json`` prints it."""
        return {
            name: value.to_dict() if isinstance(value, Change | Edits) else value
            for name, value in self.__dict__.items()
        }


def utility(
    before: Any,
    after: Any,
    matching: Any = None,
    *,
    seed: int | None = None,
    path_sources: int = 256,
    betweenness_sources: int = 128,
    community_edges: int = 100_000,
    progress: Progress | None = None,
) -> GraphUtility:
    """Return what an edited graph has kept of the original.

    Weights, attributes and, but for edits, degrees and the eigenvalue, loops and parallel edges are left aside.
    Clustering and communities leave directions aside as well; the eigenvalue and its centrality are for graphs without
    direction.

    Parameters
    ----------
    before, after
        Graphs, or what ``read`` takes; both directed, or both not.
    matching
        Which vertex is which. ``None``: by order if names are the same in the same order, else unknown, and only
        measures that need not know it are computed. ``"order"``, ``"names"`` or ``"none"``; a mapping from names before
        to names after; or the place after for every vertex before, -1 for one that is gone. Written graphs have fresh
        names 0, 1, ...: if the original was named so too, say ``"none"``.
    seed
        For repeatable samples and communities.
    path_sources, betweenness_sources
        From how many vertices shortest paths are followed, the same in both graphs; all where there are fewer,
        and in large graphs as many as are quick, which is told.
    community_edges
        Communities are looked for in graphs of at most so many edges; they take by far the longest.

    Raises
    ------
    InputError
        There is no graph, one is directed and the other not, the matching does not fit, or scipy or networkx is not
        installed.
    OptionError
        An option has a value that is not allowed.

    Examples
    --------
    >>> square, path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> found = utility(square, path, seed=1)
    >>> found.edits.n_deleted, found.edits.ratio, found.degree_distance
    (1, 0.25, 0.5)
    >>> found.path_length.after.mean, found.clustering.before
    (1.6666666666666667, 0.0)
    """
    for package in ("scipy", "networkx"):
        needed(package)
    sizes = [
        checked_number(path_sources, "path_sources", 1, "256 is usual."),
        checked_number(betweenness_sources, "betweenness_sources", 1, "128 is usual."),
        checked_number(community_edges, "community_edges", 0, "0 leaves communities out."),
    ]
    first, second = given_graph(before), given_graph(after)
    if first.directed != second.directed:
        raise InputError(
            "one graph is directed and the other is not.", hint="read both with directed=True or both with False."
        )
    places, how = matched(first, second, matching)
    return _Measuring(first, second, places, Randomness(seed), progress or Quiet()).run(how, *sizes)


class _Measuring:
    """One comparison: every measure, with a reason for each that is missing."""

    def __init__(
        self, before: Graph, after: Graph, places: NDArray[np.int64] | None, randomness: Randomness, progress: Progress
    ) -> None:
        self._graphs = (before, after)
        self._is_matched = places is not None
        self._places = np.full(before.n_vertices, -1, dtype=np.int64) if places is None else places
        self._patterns = (pattern_of(before), pattern_of(after))
        self._lacks_edges = not before.n_edges or not after.n_edges
        self._lacks_vertices = not before.n_vertices or not after.n_vertices
        self._randomness, self._progress = randomness, progress
        self._reasons: dict[str, str] = {}

    def run(self, how: str, path_sources: int, betweenness_sources: int, community_edges: int) -> GraphUtility:
        """Return all measures."""
        before, after = self._graphs
        self._is_missing("degree_distance", (self._lacks_vertices, _NO_VERTICES))
        whole, local = self._clustering()
        correlation, n_sources = self._betweenness(betweenness_sources)
        nmi, rerun = self._communities(community_edges)
        return GraphUtility(
            matched_by=how,
            n_edges=Change(before.n_edges, after.n_edges),
            n_non_isolated=Change(*(int(graph.is_linked.sum()) for graph in self._graphs)),
            edits=self._edits(),
            degree_distance=degree_distance(before, after),
            clustering=whole,
            mean_local_clustering=local,
            path_length=self._path_length(path_sources),
            largest_eigenvalue=self._largest_eigenvalue(),
            betweenness=correlation,
            n_betweenness_sources=n_sources,
            eigenvector_centrality=self._eigenvector_centrality(),
            communities=nmi,
            communities_rerun=rerun,
            reasons=self._reasons,
        )

    @cached_property
    def _one_way(self) -> tuple[tuple[Pattern, Pattern], ...]:
        if self._graphs[0].directed:
            return tuple(one_way_pattern(graph) for graph in self._graphs)
        return tuple((pattern, pattern) for pattern in self._patterns)

    @cached_property
    def _leading(self) -> tuple[Leading | None, ...]:
        return tuple(leading(graph) for graph in self._graphs)

    def _edits(self) -> Edits | None:
        if self._is_missing("edits", (not self._is_matched, _NOT_MATCHED)):
            return None
        found = edits(*self._graphs, self._places)
        self._is_missing("edits", (found.ratio is None, _NO_EDGES_BEFORE))
        return found

    def _clustering(self) -> tuple[Change[float], Change[float]]:
        self._progress.stage("clustering")
        found = [Clustering(None, None), Clustering(None, None)]
        for place, pattern in enumerate(self._patterns):
            if not self._is_missing("clustering", (triangle_steps(pattern) > _MOST_TRIANGLE_STEPS, _TOO_LARGE)):
                found[place] = clustering(pattern)
                self._is_missing("clustering", (found[place].whole is None, _NO_PAIRS))
        return Change(found[0].whole, found[1].whole), Change(found[0].mean_local, found[1].mean_local)

    def _path_length(self, n_sources: int) -> Change[PathLength]:
        self._progress.stage("path lengths")
        found = []
        for rows, sources in zip(self._one_way, self._sources(n_sources), strict=True):
            length = path_length(*rows, sources, self._progress)
            self._is_missing("path_length", (length is None, _LONG_PATHS))
            self._is_missing("path_length", (length is not None and length.mean is None, _NO_PATHS))
            found.append(length)
        return Change(*found)

    def _largest_eigenvalue(self) -> Change[float]:
        self._progress.stage("eigenvalues")
        name = "largest_eigenvalue"
        if self._is_missing(name, (self._graphs[0].directed, _DIRECTED)):
            return Change()
        found = [None if one is None else one.value for one in self._leading]
        self._is_missing(name, (self._lacks_vertices, _NO_VERTICES), (None in found, _NO_CONVERGENCE))
        return Change(*found)

    def _eigenvector_centrality(self) -> float | None:
        name = "eigenvector_centrality"
        if self._is_missing(
            name,
            (not self._is_matched, _NOT_MATCHED),
            (self._graphs[0].directed, _DIRECTED),
            (self._lacks_edges, _NO_EDGES),
        ):
            return None
        first, second = self._leading
        if first is None or second is None:
            self._is_missing(name, (True, _NO_CONVERGENCE))
            return None
        return self._correlation(name, first.centrality, second.centrality)

    def _betweenness(self, n_sources: int) -> tuple[float | None, int | None]:
        self._progress.stage("betweenness")
        name = "betweenness"
        rows = [out for out, _ in self._one_way]
        n_possible = _MOST_PATH_STEPS // max(1, *(len(row.indices) for row in rows))
        if self._is_missing(
            name,
            (not self._is_matched, _NOT_MATCHED),
            (self._lacks_edges, _NO_EDGES),
            (n_possible < _FEWEST_SOURCES, _TOO_LARGE),
        ):
            return None, None
        sources = self._sources(min(n_sources, n_possible))
        first, second = (betweenness(row, chosen, self._progress) for row, chosen in zip(rows, sources, strict=True))
        return self._correlation(name, _rounded(first), _rounded(second)), len(sources[0])

    def _communities(self, most_edges: int) -> tuple[float | None, float | None]:
        self._progress.stage("communities")
        name = "communities"
        n_edges = max(len(pattern.indices) for pattern in self._patterns) // 2
        if self._is_missing(
            name,
            (not self._is_matched, _NOT_MATCHED),
            (self._lacks_edges, _NO_EDGES),
            (n_edges > most_edges, _TOO_LARGE),
        ):
            return None, None
        seeds = [self._randomness.below(2**31) for _ in range(3)]
        chosen = [self._patterns[0], self._patterns[1], self._patterns[0]]
        first, second, again = (communities(pattern, one) for pattern, one in zip(chosen, seeds, strict=True))
        stays = self._places >= 0
        found = overlap(first[stays], second[self._places[stays]])
        self._is_missing(name, (found is None, _ONE_COMMUNITY))
        return found, overlap(first, again)

    def _sources(self, n_sources: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Draw sources; where vertices are matched, those that stay, the same in both graphs."""
        n_before, n_after = (graph.n_vertices for graph in self._graphs)
        if max(n_before, n_after) <= n_sources:
            return np.arange(n_before), np.arange(n_after)
        if self._is_matched:
            stays = np.flatnonzero(self._places >= 0)
            drawn = np.sort(stays[self._randomness.permutation(len(stays))[:n_sources]])
            return drawn, self._places[drawn]
        first, second = (np.sort(self._randomness.permutation(n)[:n_sources]) for n in (n_before, n_after))
        return first, second

    def _correlation(self, name: str, first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
        stays = self._places >= 0
        found = rank_correlation(first[stays], second[self._places[stays]])
        self._is_missing(name, (found is None, _ALL_EQUAL))
        return found

    def _is_missing(self, name: str, *causes: tuple[bool, str]) -> bool:
        """Say whether a measure is missing, and note the first cause."""
        for holds, reason in causes:
            if holds:
                self._reasons.setdefault(name, reason)
                return True
        return False


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values of which those equal but for rounding are equal."""
    scale = float(values.max(initial=0.0))
    return np.round(values / scale, 9) if scale else values
