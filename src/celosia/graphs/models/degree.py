"""Degree anonymity: every vertex has the same degree as at least k - 1 others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from celosia.base.progress import Progress
from celosia.graphs.colours import Labels, degree_labels
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import ModelOfSets


@dataclass(frozen=True)
class DegreeAnonymity(ModelOfSets):
    """Every degree that occurs is that of at least k vertices.

    The degree is the number of neighbours, a loop counted once; in a multigraph the number of edges; in a directed
    graph the pair of the degrees out and in. Weights do not count.

    Parameters
    ----------
    k
        A whole number from 2.
    attributes
        Attributes of vertices that are known as well: vertices that differ in one are no candidates for each other.

    Guarantee
    ---------
    Whoever knows a person's degree, the attributes named here and nothing else is left with at least k vertices, and
    picks the right one with a chance of at most 1 / k. Whoever knows more is hardly held back: the degrees of the
    neighbours alone single out nearly everybody in most graphs, so look at the risk beside it. It does not hide links.

    Raises
    ------
    OptionError
        An option is out of range.

    References
    ----------
    Liu, K., Terzi, E. (2008). Towards identity anonymization on graphs.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> DegreeAnonymity(2).judge(path).satisfied, DegreeAnonymity(3).judge(path).breaking.tolist()
    (True, [0, 1, 2, 3])
    """

    name: ClassVar[str] = "degree_anonymity"

    def _labels(self, graph: Graph, progress: Progress | None) -> Labels:
        return degree_labels(graph, self.attributes)
