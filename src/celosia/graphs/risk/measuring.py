"""The risk of a graph against attackers who know different things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.progress import Progress, Quiet
from celosia.base.wording import Said
from celosia.data.classes import group
from celosia.graphs.colours import attribute_labels, colour_rounds, neighbourhood_labels
from celosia.graphs.files.reading import given_graph
from celosia.graphs.graph import Graph
from celosia.graphs.models.base import checked_attributes, checked_number
from celosia.graphs.risk.known import KnowledgeRisk, risk_of_counts
from celosia.graphs.risk.links import link_risk
from celosia.graphs.risk.neighbours import neighbour_risk
from celosia.measure.risk.base import exact_probability

_TITLES = {
    "degree": Said("Degree (H1)"),
    "neighbour_degrees": Said("Degrees of the neighbours (H2)"),
    "refinement": Said("Degrees of the neighbours' neighbours (H3)"),
    "neighbourhood": Said("All neighbours, N(v)"),
    "attributes": Said("Attributes"),
    "attributes_and_degree": Said("Attributes and degree"),
}


@dataclass(frozen=True)
class GraphRisk:
    """The risk of the vertices of a graph, by what is known about them.

    Attributes
    ----------
    n_vertices
        How many vertices there are.
    k, threshold
        What was asked: fewer than k candidates, a risk strictly above the threshold.
    known
        One for each kind of knowledge, the least first.
    """

    n_vertices: int
    k: int
    threshold: float
    known: tuple[KnowledgeRisk, ...]

    def __getitem__(self, name: str) -> KnowledgeRisk:
        """Return the risk against one kind of knowledge, such as ``degree``."""
        for found in self.known:
            if found.name == name:
                return found
        raise KeyError(name)

    def __repr__(self) -> str:
        unique = ", ".join(f"{found.name} {found.n_unique}" for found in self.known)
        return f"GraphRisk({self.n_vertices} vertices; unique by {unique})"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them, by what is known."""
        return {
            "n_vertices": self.n_vertices,
            "k": self.k,
            "threshold": self.threshold,
            "known": {found.name: found.to_dict() for found in self.known},
        }


def risk(
    graph: Any,
    threshold: float | str | Fraction = "0.2",
    *,
    k: int = 5,
    l: int | Sequence[int] = (1, 2),  # noqa: E741 - the name of the models' parameter
    attributes: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> GraphRisk:
    """Return among how many candidates each vertex hides from attackers who know different things about it.

    A vertex's risk is 1 / candidates. Kinds of knowledge: the degree (H1), the degrees of the neighbours (H2), those of
    the neighbours' neighbours (H3: another round of colour refinement), all neighbours N(v), and the worst l
    neighbours, known vertices not among the candidates. Where vertices have attributes that are known, these alone and
    with the degree. Wherever knowledge parts vertices into sets, ``links`` says what the sets tell about links.

    Parameters
    ----------
    graph
        A Graph, or what ``read`` takes.
    threshold
        Above which (strictly) a vertex is at risk; in (0, 1].
    k
        Vertices with fewer than k candidates are counted; a whole number from 2.
    l
        How many neighbours are known: whole numbers from 1. One is quick. Two are counted out where the graph has few
        pairs of neighbours, judged without the mean where it has more, and left out beyond. From three on it may take
        long.
    attributes
        Attributes of vertices that may be known; missing is a value of its own.

    Raises
    ------
    InputError
        There is no graph.
    ColumnNotFoundError
        Vertices have no such attribute.
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Hay, M., Miklau, G., Jensen, D., Towsley, D., Weis, P. (2008). Resisting structural re-identification in anonymized
    social networks.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> found = risk(path, k=3)
    >>> [(one.name, one.n_unique) for one in found.known][:3]
    [('degree', 0), ('neighbour_degrees', 1), ('refinement', 1)]
    >>> found["degree"].smallest, found["degree"].links.n_certain_absences
    (2, 1)
    """
    limit = exact_probability(threshold)
    k = checked_number(k, "k", 2, "k = 1 counts nobody.")
    sizes = _checked_sizes(l)
    named = checked_attributes(attributes)
    own, shown = given_graph(graph), progress or Quiet()
    return GraphRisk(own.n_vertices, k, float(limit), tuple(_all_known(own, limit, k, sizes, named, shown)))


def _all_known(
    graph: Graph, threshold: Fraction, k: int, sizes: Sequence[int], attributes: tuple[str, ...], shown: Progress
) -> list[KnowledgeRisk]:
    rounds = colour_rounds(graph, 3, progress=shown)
    labels = dict(zip(("degree", "neighbour_degrees", "refinement"), rounds, strict=True))
    labels["neighbourhood"] = neighbourhood_labels(graph, progress=shown)
    known = [_on_sets(graph, name, found, k, threshold) for name, found in labels.items()]
    known += [neighbour_risk(graph, size, k, threshold, shown) for size in sizes]
    if attributes:
        told_apart = attribute_labels(graph, attributes)
        known.append(_on_sets(graph, "attributes", told_apart, k, threshold))
        both = group([told_apart, rounds[0]])
        known.append(_on_sets(graph, "attributes_and_degree", both, k, threshold))
    return known


def _on_sets(graph: Graph, name: str, labels: NDArray[np.int64], k: int, threshold: Fraction) -> KnowledgeRisk:
    sizes = np.bincount(labels).astype(np.int64)
    return risk_of_counts(name, _TITLES[name], sizes, sizes, k, threshold, links=link_risk(graph, labels))


def _checked_sizes(l: object) -> tuple[int, ...]:  # noqa: E741
    sizes = l if isinstance(l, Sequence) and not isinstance(l, str) else [l]
    found = sorted({checked_number(size, "l", 1, "l is how many neighbours are known.") for size in sizes})
    if len(found) < len(sizes):
        raise OptionError("l names a number of known neighbours twice.", hint="such as l=(1, 2).", about="l")
    return tuple(found)
