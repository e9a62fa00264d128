"""Closed-twin anonymity: every vertex has the same neighbours, itself counted in, as at least k - 1 others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from celosia.base.progress import Progress
from celosia.graphs.colours import Labels, neighbourhood_labels
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import ModelOfSets


@dataclass(frozen=True)
class ClosedTwinAnonymity(ModelOfSets):
    """For every vertex v there are at least k - 1 others u with N[u] = N[v], where N[v] is N(v) and v itself.

    It is neighbourhood anonymity of the graph in which every vertex has a loop: one that is there already stays as it
    is; in a multigraph one more loop is added, in a weighted graph one of weight 1. A model of its own, for graphs of
    tight groups: the members of a set are all linked with each other, where those of neighbourhood anonymity are not.

    Parameters
    ----------
    k
        A whole number from 2.
    attributes
        Attributes of vertices that are known as well: vertices that differ in one are no candidates for each other.

    Guarantee
    ---------
    In a graph without loops, swapping two vertices of a set changes nothing: whoever knows any property of a person's
    place in the graph is left with at least k vertices, and picks the right one with a chance of at most 1 / k. With
    loops that holds for those who do not know who has one. It does not hide links, and tells some for certain: the
    people of a set are linked with each other. Attributes not named here may single somebody out.

    Raises
    ------
    OptionError
        An option is out of range.

    Examples
    --------
    >>> triangles = Graph.of_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])
    >>> judgement = ClosedTwinAnonymity(3).judge(triangles)
    >>> judgement.satisfied, judgement.labels.tolist()
    (True, [0, 0, 0, 1, 1, 1])
    """

    name: ClassVar[str] = "closed_twin_anonymity"

    def _labels(self, graph: Graph, progress: Progress | None) -> Labels:
        return neighbourhood_labels(_with_loops(graph), self.attributes, progress)


def _with_loops(graph: Graph) -> Graph:
    """Return the graph with a loop at every vertex; of merged edges the first, which was there, is kept."""
    every = np.arange(graph.n_vertices, dtype=np.int32)
    edges = None
    if graph.weight is not None:
        weights = graph.edges[graph.weight]  # of their own type: as floats, great whole numbers fall together
        edges = pl.DataFrame({graph.weight: pl.concat([weights, pl.Series(np.ones(len(every))).cast(weights.dtype)])})
    return Graph.of_edges(
        np.concatenate([graph.source, every]),
        np.concatenate([graph.target, every]),
        graph.n_vertices,
        directed=graph.directed,
        multigraph=graph.multigraph,
        vertices=graph.vertices,
        edges=edges,
        weight=graph.weight,
    )
