"""Neighbourhood anonymity: every vertex has the same neighbours as at least k - 1 others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from celosia.base.progress import Progress
from celosia.graphs.colours import neighbourhood_labels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import Judgement
from celosia.graphs.models.base import checked_attributes, checked_number, judgement_on_sets, options


@dataclass(frozen=True)
class NeighbourhoodAnonymity:
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

    k: int
    attributes: tuple[str, ...] = ()
    name: ClassVar[str] = "neighbourhood_anonymity"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checked_number(self.k, "k", 2, "k = 1 hides nobody."))
        object.__setattr__(self, "attributes", checked_attributes(self.attributes))

    def judge(self, graph: Graph, progress: Progress | None = None) -> Judgement:
        """Say which vertices have the same neighbours, and where they are fewer than k."""
        return judgement_on_sets(neighbourhood_labels(graph, self.attributes, progress), self.k)

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        return options(self.k, self.attributes)
