"""The last look at a made graph: whether it is what was asked for, by means that no transform shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import AuditError, CelosiaError
from celosia.base.progress import Progress
from celosia.graphs.colours import attribute_labels
from celosia.graphs.files import read
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.publishing import Published
from celosia.graphs.transforms.base import Edits

_HINT = "nothing was handed out. This is a fault of Celosía: please report it with the models, without the graph."


_MOST_LOOKS = 100_000
"""So many sets of known places are looked at; a graph with more is left to the models' own judges."""
Links = list[set[int]]


def judged(graph: Graph, models: Sequence[GraphModel], progress: Progress | None = None) -> tuple[Judgement, ...]:
    """Return what every model says of a graph that is to satisfy all of them.

    Candidates are counted a second time from the plain definition, with which neither searches nor the models' own
    judges share anything; (k, l)-anonymity on graphs of up to some three hundred vertices, and with l = 2 where l is
    greater.

    Raises
    ------
    AuditError
        A model does not hold, or a search that was cut off cannot tell.

    Examples
    --------
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> judged(Graph.of_edges([0, 1], [1, 2]), [DegreeAnonymity(2)])
    Traceback (most recent call last):
    celosia.base.errors.AuditError: the made graph was rejected: 1 vertices break degree_anonymity, 0 are undecided.
      Hint: nothing was handed out. This is a fault of Celosía: please report it with the models, without the graph.
    """
    found = tuple(model.judge(graph, progress) for model in models)
    for model, judgement in zip(models, found, strict=True):
        if not judgement.satisfied:
            n_breaking, n_undecided = len(judgement.breaking), len(judgement.undecided)
            raise _rejected(f"{n_breaking} vertices break {model.name}, {n_undecided} are undecided")
        fewest = fewest_candidates(graph, model)
        if fewest is not None and fewest < model.k:
            raise _rejected(f"by the definition of {model.name} a vertex has {fewest} of {model.k} candidates")
    return found


def audit_edits(original: Graph, made: Published, edits: Edits) -> tuple[int, int]:
    """Return how many edges were added and deleted, once all else is found to be as it was.

    Raises
    ------
    AuditError
        Edits are not of the kind that was allowed, a loop or an edge within a side was added, an edge is there twice,
        or something that was to stay with a vertex or an edge did not.

    Examples
    --------
    >>> from celosia.graphs.publishing import published
    >>> from celosia.graphs.transforms.base import Edited
    >>> from celosia.base.chance import Randomness
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> made = published(path, Edited(path.source[:1], path.target[:1]), np.array([2, 0, 1]), {}, Randomness())
    >>> audit_edits(path, made, "both")
    (0, 1)
    """
    graph, order = made.graph, made.order
    if graph.n_vertices != original.n_vertices or not np.array_equal(np.sort(order), np.arange(original.n_vertices)):
        raise _rejected("its vertices are not those of the original")
    if graph.directed != original.directed or graph.multigraph:
        raise _rejected("it is of another kind than the original")
    before, after = _keys(original, None), _keys(graph, order)
    if any((np.diff(np.sort(keys)) == 0).any() for keys in (before, after)):
        raise _rejected("an edge is there twice")
    _check_vertices(original, graph, order)
    by_key = np.argsort(before, kind="stable")
    place = by_key[np.searchsorted(before, after, sorter=by_key) % max(len(before), 1)] if len(before) else after
    is_old = before[place] == after if len(before) else np.zeros(len(after), dtype=np.bool_)
    _check_cells(original, made, place[is_old], is_old)
    added, n_deleted = after[~is_old], len(before) - int(is_old.sum())
    if (edits == "add" and n_deleted) or (edits == "delete" and len(added)):
        raise _rejected(f"{len(added)} edges were added and {n_deleted} deleted, where edits='{edits}' was asked")
    left, right = added // graph.n_vertices, added % graph.n_vertices
    if (left == right).any():
        raise _rejected("a loop was added")
    if original.sides is not None and (original.sides[left] == original.sides[right]).any():
        raise _rejected("an edge within a side was added")
    return len(added), n_deleted


def audit_file(
    path: Path, beside: Path | None, format: str, graph: Graph, names: pl.Series, models: Sequence[GraphModel]
) -> None:
    """Read a written graph back and judge it anew.

    Parameters
    ----------
    path, beside
        The file, and that of its vertices, if there is one.
    format
        The format of the file.
    graph
        The graph that was to be written.
    names
        The name that each of its vertices has in the file.
    models
        What it must satisfy.

    Raises
    ------
    AuditError
        The file cannot be read, holds another graph, or breaks a model.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.graphs.files import write
    >>> path, square = Path(tempfile.mkdtemp(), "graph.csv"), Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> audit_file(path, None, "csv", square, write(square, path), [])
    """
    try:
        back = read(
            path,
            format=format,
            directed=graph.directed,
            multigraph=False,
            bipartite=graph.sides is not None,
            vertices=beside,
        )
    except CelosiaError as error:
        raise _rejected(f"the written file cannot be read ({error.message})") from None
    place = {str(name): i for i, name in enumerate(back.names.to_list())}
    order = np.array([place.get(str(name), -1) for name in names.to_list()], dtype=np.int64)
    if back.n_vertices != graph.n_vertices or (order < 0).any():
        raise _rejected("the written file holds other vertices")
    was = np.empty(len(order), dtype=np.int64)
    was[order] = np.arange(len(order))
    if not np.array_equal(np.sort(_keys(back, was)), np.sort(_keys(graph, None))):
        raise _rejected("the written file holds other edges")
    if graph.sides is not None and (back.sides is None or not np.array_equal(back.sides[order], graph.sides)):
        raise _rejected("the written file holds other sides")
    judged(back, models)


def _keys(graph: Graph, order: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return a number per edge by the original places of its ends, the lesser first where it has no direction."""
    source, target = (graph.source, graph.target) if order is None else (order[graph.source], order[graph.target])
    left, right = source.astype(np.int64), target.astype(np.int64)
    if not graph.directed:
        left, right = np.minimum(left, right), np.maximum(left, right)
    return left * graph.n_vertices + right


def _check_vertices(original: Graph, graph: Graph, order: NDArray[np.int64]) -> None:
    if original.vertices.width and not _are_equal(original.vertices[order], graph.vertices):
        raise _rejected("attributes did not stay with their vertices")
    before, after = (np.zeros(0) if sides is None else sides for sides in (original.sides, graph.sides))
    if len(before) != len(after) or (len(before) and not np.array_equal(before[order], after)):
        raise _rejected("vertices changed sides")


def _check_cells(original: Graph, made: Published, was: NDArray[np.int64], is_old: NDArray[np.bool_]) -> None:
    """Refuse a graph whose old edges (places in the original) are marked as new, or have other attributes."""
    if not np.array_equal(is_old, ~made.is_new):
        raise _rejected("new edges are not those that were taken for new")
    if original.edges.width and not _are_equal(original.edges[was], made.graph.edges.filter(pl.Series(is_old))):
        raise _rejected("attributes did not stay with their edges")


def _are_equal(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Say whether attributes are of the same types and values."""
    return before.schema == after.schema and before.equals(after)


def _rejected(reason: str) -> AuditError:
    return AuditError(f"the made graph was rejected: {reason}.", hint=_HINT)


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
