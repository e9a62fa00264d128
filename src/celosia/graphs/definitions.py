"""Models as they are defined, edge by edge and with sets: slow, plain, and shared with no search and no kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from celosia.graphs.colours import attribute_labels
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity

_MOST_LOOKS = 100_000
"""So many sets of known places are looked at; a graph with more is left to the models' own judges."""
Links = list[set[int]]


def fewest_candidates(graph: Graph, model: GraphModel) -> int | None:
    """Return with how many candidates a model leaves the worst vertex, by its definition.

    Two vertices are of one class if they are equal in the attributes that the model names and in their degree, in their
    neighbours, or in their neighbours and themselves; with direction, in those of edges out and in alike. For
    (k, l)-anonymity every set of at most l known places, of two where l is greater, is looked at; ``None`` where these
    are too many.

    Parameters
    ----------
    graph
        A simple graph; its weights, if any, are left aside.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> fewest_candidates(square, NeighbourhoodAnonymity(2)), fewest_candidates(square, KLAnonymity(2, 1))
    (2, 2)
    """
    groups = attribute_labels(graph, model.attributes).tolist()
    if isinstance(model, DegreeAnonymity):
        return min(Counter(zip(groups, _degrees(graph), strict=True)).values(), default=0)
    n = graph.n_vertices
    out: Links = [set() for _ in range(n)]
    into: Links = [set() for _ in range(n)] if graph.directed else out
    for start, end in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        out[start].add(end)
        into[end].add(start)
    if isinstance(model, KLAnonymity):
        places = [*into, *out] if graph.directed else into  # by place, who is linked with it
        n_groups = len(set(groups))
        return _by_places(places, groups, model) if len(places) ** 2 * n_groups <= _MOST_LOOKS else None
    known: list[Hashable]
    if isinstance(model, NeighbourhoodAnonymity):
        known = [(frozenset(out[v]), frozenset(into[v])) for v in range(n)]
    elif isinstance(model, ClosedTwinAnonymity):
        known = [(frozenset(out[v] | {v}), frozenset(into[v] | {v})) for v in range(n)]
    else:
        return None
    return min(Counter(zip(groups, known, strict=True)).values(), default=0)


def _degrees(graph: Graph) -> list[Hashable]:
    """Return the degree of every vertex, out and in with direction; without, a loop counts once."""
    starts, ends = Counter(graph.source.tolist()), Counter(graph.target.tolist())
    if graph.directed:
        return [(starts[v], ends[v]) for v in range(graph.n_vertices)]
    loops = Counter(graph.source[graph.source == graph.target].tolist())
    return [starts[v] + ends[v] - loops[v] for v in range(graph.n_vertices)]


def _by_places(places: Links, groups: Sequence[int], model: KLAnonymity) -> int:
    """Return the fewest candidates over all sets of known places and what may be known of them; sets are bits."""
    n = len(groups)
    linked = [sum(1 << v for v in members) for members in places]
    fewest = n
    for group in set(groups):
        members = sum(1 << v for v in range(n) if groups[v] == group)
        fewest = min(fewest, members.bit_count())
        for size in range(1, min(model.l, 2, len(places)) + 1):
            for known in combinations(range(len(places)), size):
                allowed = members & ~sum(1 << p for p in {p % n for p in known}) if model.exclude_known else members
                counts = (one.bit_count() for one in _patterns(allowed, [linked[p] for p in known], model.view))
                fewest = min([fewest, *(count for count in counts if count)])
    return fewest


def _patterns(allowed: int, linked: Sequence[int], view: str) -> Iterator[int]:
    """Give the vertices that agree on the known places, once for each way in which they may: linked or not."""
    if not linked:
        yield allowed
        return
    yield from _patterns(allowed & linked[0], linked[1:], view)
    if view == "rows":
        yield from _patterns(allowed & ~linked[0], linked[1:], view)
