"""Degree anonymity: every vertex has the same degree as at least k - 1 others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from celosia.base.progress import Progress
from celosia.graphs.colours import degree_labels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import Judgement
from celosia.graphs.models.base import checked_attributes, checked_number, judgement_on_sets, options


@dataclass(frozen=True)
class DegreeAnonymity:
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

    k: int
    attributes: tuple[str, ...] = ()
    name: ClassVar[str] = "degree_anonymity"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checked_number(self.k, "k", 2, "k = 1 hides nobody."))
        object.__setattr__(self, "attributes", checked_attributes(self.attributes))

    def judge(self, graph: Graph, progress: Progress | None = None) -> Judgement:
        """Say which vertices have the same degree, and where they are fewer than k."""
        return judgement_on_sets(degree_labels(graph, self.attributes), self.k)

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        return options(self.k, self.attributes)
