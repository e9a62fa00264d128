"""Neighbourhood anonymity: every vertex has the same neighbours as at least k - 1 others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from celosia.base.progress import Progress
from celosia.graphs.colours import Labels, neighbourhood_labels
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import ModelOfSets


@dataclass(frozen=True)
class NeighbourhoodAnonymity(ModelOfSets):
    """For every vertex v there are at least k - 1 others u with N(u) = N(v).

    N(v) is the set of neighbours; v is in it if it has a loop. Multigraphs and weighted graphs compare the entries of
    the adjacency matrix too, directed ones the neighbours out and those in jointly. Definition 2 of the paper.

    Parameters
    ----------
    k
        A whole number from 2.
    attributes
        Attributes of vertices that are known as well: vertices that differ in one are no candidates for each other.

    Guarantee
    ---------
    Swapping two vertices with the same neighbours changes nothing in the graph. Whoever knows any property of a
    person's place in it (neighbours, degree, centrality, the whole surroundings) is left with at least k vertices, and
    picks the right one with a chance of at most 1 / k. It holds against knowledge about vertices, and about the
    attributes named here; other attributes may single somebody out. It does not hide links: where all of one set are
    linked with all of another, whoever knows two people's sets knows that they are linked. It does not protect against
    a second release of the same graph.

    Raises
    ------
    OptionError
        An option is out of range.

    References
    ----------
    Stokes, K., Torra, V. (2012). Reidentification and k-anonymity: a model for disclosure risk in graphs.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> judgement = NeighbourhoodAnonymity(2).judge(square)
    >>> judgement.satisfied, judgement.labels.tolist()
    (True, [0, 1, 0, 1])
    """

    name: ClassVar[str] = "neighbourhood_anonymity"

    def _labels(self, graph: Graph, progress: Progress | None) -> Labels:
        return neighbourhood_labels(graph, self.attributes, progress)
