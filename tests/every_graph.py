"""Every graph on a few vertices, and by them the fewest edits that any transform could need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import plain_graphs as pg
import polars as pl
from numpy.typing import NDArray

from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited

Masks = NDArray[np.int64]
MOST_KNOWN = 3  # places that brute force lets an attacker know


def satisfies(graph: Graph, model: GraphModel) -> bool:
    """Whether a simple graph without weights satisfies a model, from the definitions alone."""
    own = pg.plain(graph, model.attributes)
    if isinstance(model, KLAnonymity):
        size = min(model.l, len(own.vectors[0]))
        return pg.holds(own, model.k, size, model.view, model.exclude_known)
    if isinstance(model, NeighbourhoodAnonymity):
        labels = pg.neighbourhood_labels(own)
    elif isinstance(model, ClosedTwinAnonymity):
        labels = pg.neighbourhood_labels(pg.closed_matrix(own, parallel=False))
    else:
        assert isinstance(model, DegreeAnonymity)
        labels = pg.numbered([(degree, own.group(v)) for v, degree in enumerate(pg.degrees(graph))])
    return graph.n_vertices > 0 and min(labels.count(label) for label in labels) >= model.k


def edge_set(graph: Graph, edited: Edited | Graph) -> set[tuple[int, int]]:
    ends = zip(edited.source.tolist(), edited.target.tolist(), strict=True)
    return {(i, j) if graph.directed or i <= j else (j, i) for i, j in ends}


def assert_valid(graph: Graph, edited: Edited, models: Sequence[GraphModel], edits: str = "both") -> int:
    """Hold a result against the definitions and the kind of edits allowed; return how many edits it takes."""
    before, after = edge_set(graph, graph), edge_set(graph, edited)
    assert len(after) == len(edited.source)
    added, deleted = after - before, before - after
    assert all(i != j for i, j in added)
    assert edits != "add" or not deleted
    assert edits != "delete" or not added
    if graph.sides is not None:
        assert all(graph.sides[i] != graph.sides[j] for i, j in added)
    made = pg.graph_of(
        sorted(after),
        graph.n_vertices,
        directed=graph.directed,
        vertices=graph.vertices if graph.vertices.width else None,
    )
    for model in models:
        assert satisfies(made, model), (model, sorted(before), sorted(after))
    n_edits = len(added) + len(deleted)
    assert n_edits == edited.n_edits(graph)
    assert edited.lower_bound is None or edited.lower_bound <= n_edits
    return n_edits


class EveryGraph:
    """All graphs on n vertices, each a number whose bits are its edges."""

    def __init__(
        self,
        n: int,
        directed: bool = False,
        loops: bool = False,
        groups: Sequence[int] | None = None,
        sides: Sequence[int] | None = None,
    ) -> None:
        self.n, self.directed, self.groups, self.sides = n, directed, groups, sides
        self.pairs = [(i, j) for i in range(n) for j in range(n) if (i != j or loops) and (directed or i <= j)]
        if sides is not None:
            self.pairs = [(i, j) for i, j in self.pairs if sides[i] != sides[j]]
        self._valid: dict[GraphModel, Masks] = {}
        self._known: dict[tuple[str, bool, tuple[str, ...]], Masks] = {}

    @cached_property
    def masks(self) -> range:
        return range(1 << len(self.pairs))

    def graph(self, mask: int) -> Graph:
        ends = [pair for i, pair in enumerate(self.pairs) if mask >> i & 1]
        vertices = None if self.groups is None else pl.DataFrame({"group": list(self.groups)})
        return pg.graph_of(ends, self.n, directed=self.directed, vertices=vertices, sides=self.sides)

    def valid(self, model: GraphModel) -> Masks:
        if isinstance(model, KLAnonymity) and model.l <= MOST_KNOWN:
            return np.flatnonzero(self._candidates(model)[:, model.l] >= model.k)
        if model not in self._valid:
            found = [mask for mask in self.masks if satisfies(self.graph(mask), model)]
            self._valid[model] = np.array(found, dtype=np.int64)
        return self._valid[model]

    def _candidates(self, model: KLAnonymity) -> Masks:
        """How many candidates so many known places leave at least, by graph and number of places."""
        key = (model.view, model.exclude_known, model.attributes)
        if key not in self._known:
            graphs = [pg.plain(self.graph(mask), model.attributes) for mask in self.masks]
            self._known[key] = np.array(
                [
                    np.min([pg.fewest_by_size(graph, v, MOST_KNOWN, *key[:2]) for v in range(self.n)], axis=0)
                    for graph in graphs
                ]
            )
        return self._known[key]

    def fewest(self, mask: int, models: Sequence[GraphModel], edits: str = "both") -> int | None:
        """The fewest edits after which all models hold; ``None`` if no edits of this kind do it."""
        valid = self.valid(models[0])
        for model in models[1:]:
            valid = np.intersect1d(valid, self.valid(model))
        loops = sum(1 << i for i, (a, b) in enumerate(self.pairs) if a == b)
        valid = valid[(valid & loops & ~mask) == 0]
        if edits == "add":
            valid = valid[(mask & ~valid) == 0]
        if edits == "delete":
            valid = valid[(valid & ~mask) == 0]
        return int(np.bitwise_count(valid ^ mask).min()) if len(valid) else None


def drawn(every: EveryGraph, n_graphs: int, seed: int) -> list[int]:
    """Some graphs, or all if there are no more."""
    if n_graphs >= len(every.masks):
        return list(every.masks)
    return np.random.default_rng(seed).choice(len(every.masks), n_graphs, replace=False).tolist()
