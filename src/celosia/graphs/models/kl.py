"""(k, l)-anonymity: whoever knows l of a vertex's neighbours is left with at least k vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from celosia.base.errors import OptionError
from celosia.base.progress import Progress, Quiet
from celosia.graphs.colours import neighbourhood_labels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import Judgement
from celosia.graphs.models.base import checked_attributes, checked_number, options
from celosia.graphs.models.holdings import known_items
from celosia.graphs.models.profiles import profile_of

_VIEWS = ("rows", "neighbours")
_USUAL_UP_TO = 3


@dataclass(frozen=True)
class KLAnonymity:
    """Knowing the entries of at most l places of a vertex's row leaves at least k candidates.

    With ``view="rows"`` (definition 5 of the paper) the attacker knows for up to l vertices whether they are neighbours
    or not: for every v and every set I of at most l places, at least k - 1 others agree with v's row on I. With
    ``view="neighbours"`` (definition 6) the attacker knows up to l neighbours: for every v and every S in N(v) with at
    most l vertices, at least k - 1 others have S in theirs. In multigraphs and weighted graphs a neighbour is known
    with its entry. A directed graph has two places per vertex, out and in. l above the number of places is the same as
    that number. Two other models in the literature go by the same name.

    Parameters
    ----------
    k
        A whole number from 2.
    l
        A whole number from 1.
    view
        ``"rows"`` or ``"neighbours"``.
    exclude_known
        Known vertices are no candidates: for every I and every v that is not in it, at least k vertices outside I, v
        among them, agree with v on I. Neither form implies the other.
    attributes
        Attributes of vertices that are known as well: vertices that differ in one are no candidates for each other.
    profile_up_to
        How far to search for the smallest l that breaks each vertex; l is searched in any case. One and two known
        places are counted out. From three on the question is hard: the search is cut off after a number of steps, and
        says so. Vertices that it could not settle are ``undecided``, and the model does not hold while there are any.

    Guarantee
    ---------
    Whoever knows at most l places of a person's row (in the view of neighbours: at most l neighbours, and no
    non-neighbour), the attributes named here and nothing else is left with at least k vertices. Only with
    ``exclude_known`` is the chance to pick the right one at most 1 / k: otherwise one of the candidates may be a vertex
    that the attacker knows, and can rule out. The view of neighbours does not protect against knowing an induced
    subgraph, since missing links tell as much as links. The degree is not covered: ask for degree anonymity beside it.
    It does not hide links. In the view of neighbours an isolated vertex has nothing that could be known: it only has to
    be in a graph (with attributes: in a group) of at least k vertices.

    Raises
    ------
    OptionError
        An option is out of range.

    References
    ----------
    Stokes, K., Torra, V. (2012). Reidentification and k-anonymity: a model for disclosure risk in graphs.

    Examples
    --------
    >>> ends = [(v, v ^ bit) for v in range(8) for bit in (1, 2, 4) if v < v ^ bit]
    >>> cube = Graph.of_edges(*zip(*ends))
    >>> KLAnonymity(2, 2, view="neighbours").judge(cube).satisfied, KLAnonymity(2, 2, view="rows").judge(cube).satisfied
    (True, False)
    >>> KLAnonymity(2, 2, view="neighbours").judge(cube).profile
    array([3, 3, 3, 3, 3, 3, 3, 3], dtype=int32)
    """

    k: int
    l: int  # noqa: E741 - the name of the model's parameter
    view: Literal["rows", "neighbours"] = "rows"
    exclude_known: bool = False
    attributes: tuple[str, ...] = ()
    profile_up_to: int = _USUAL_UP_TO
    name: ClassVar[str] = "kl_anonymity"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checked_number(self.k, "k", 2, "k = 1 hides nobody."))
        object.__setattr__(self, "l", checked_number(self.l, "l", 1, "l is how many places of a row are known."))
        object.__setattr__(self, "attributes", checked_attributes(self.attributes))
        up_to = checked_number(self.profile_up_to, "profile_up_to", 1, "3 is usual; more takes long.")
        object.__setattr__(self, "profile_up_to", up_to)
        if self.view not in _VIEWS:
            raise OptionError(
                'view must be "rows" or "neighbours".',
                hint='"rows" if non-neighbours may be known too, which is the stronger demand.',
                about="view",
            )
        if not isinstance(self.exclude_known, bool):
            raise OptionError("exclude_known must be true or false.", hint="leave it out.", about="exclude_known")

    def judge(self, graph: Graph, progress: Progress | None = None) -> Judgement:
        """Say which vertices so much knowledge leaves fewer than k candidates, and how much knowledge each bears."""
        shown = progress or Quiet()
        labels = neighbourhood_labels(graph, self.attributes, shown)
        if graph.n_vertices == 0:
            none = np.zeros(0, dtype=np.int64)
            return Judgement(False, 0, none, labels, 0, none.astype(np.int32), self.profile_up_to)
        absence = self.view == "rows"
        known = known_items(graph, absence, self.exclude_known, self.attributes, shown)
        n_places = graph.n_vertices * (2 if graph.directed else 1)
        least = min(self.k, graph.n_vertices + 1)  # more are as much out of reach
        found = profile_of(known, least, self.l, self.profile_up_to, n_places, absence, shown)
        exact = {"strongest_k": found.is_k_exact, "strongest_l": found.is_l_exact}
        return Judgement(
            satisfied=not len(found.breaking) and not len(found.undecided),
            strongest_k=found.strongest_k,
            breaking=found.breaking,
            labels=labels,
            strongest_l=found.strongest_l,
            profile=found.smallest,
            profile_up_to=found.up_to,
            undecided=found.undecided,
            lower_bounds=tuple(name for name, is_exact in exact.items() if not is_exact),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        given = options(self.k, self.attributes) | {"l": self.l, "view": self.view}
        if self.exclude_known:
            given["exclude_known"] = True
        if self.profile_up_to != _USUAL_UP_TO:
            given["profile_up_to"] = self.profile_up_to
        return given
