"""What every way to publish a graph does to it, first and last: vertices shuffled, names made anew, edges filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError, nearest
from celosia.graphs.attributes import identifying, masked
from celosia.graphs.files.outgoing import refuse_names, without
from celosia.graphs.graph import Graph
from celosia.graphs.transforms.base import Edited, edge_keys
from celosia.masks.base import Mask

_NEW = "\0new"  # no attribute of a file is called so


@dataclass(frozen=True, eq=False)
class Published:
    """A graph as it may be published, and what it was made from.

    Attributes
    ----------
    graph
        Vertices in random order, named 0 .. n - 1; it knows its origin.
    order
        The place in the original of every published vertex.
    is_new
        Per published edge, whether the original does not have it.
    """

    graph: Graph
    order: NDArray[np.int64]
    is_new: NDArray[np.bool_]

    def is_deleted(self, original: Graph) -> NDArray[np.bool_]:
        """Return per edge of the original whether the published graph does not have it."""
        there = _places_among(original, self.order[self.graph.source], self.order[self.graph.target])
        deleted = np.ones(original.n_edges, dtype=np.bool_)
        deleted[there[~self.is_new]] = False
        return deleted


def declared_values(graph: Graph, new_edges: object) -> dict[str, pl.Series]:
    """Return what new edges get by declaration: a series of one cell per attribute, of the attribute's type.

    Raises
    ------
    OptionError
        It is no mapping, edges have no such attribute, or the value does not fit its type.

    Examples
    --------
    >>> graph = Graph.of_edges([0], [1], edges=pl.DataFrame({"km": [2.5]}))
    >>> declared_values(graph, {"km": 1})["km"].to_list()
    [1.0]
    """
    if new_edges is None:
        return {}
    if not isinstance(new_edges, Mapping):
        raise OptionError(
            "new_edges must be a mapping of attributes of edges to values.",
            hint='such as {"weight": 1}.',
            about="new_edges",
        )
    found = {}
    for name, value in new_edges.items():
        if name not in graph.edges.columns:
            raise OptionError(
                f"new_edges names '{name}', which is no attribute of edges.",
                hint=nearest(str(name), graph.edges.columns),
                about="new_edges",
            )
        found[str(name)] = _cell(str(name), value, graph.edges.schema[name])
        if name == graph.weight and not found[name].cast(pl.Float64).fill_null(float("nan")).is_finite().all():
            raise OptionError(
                f"'{name}' is the weight of edges: the value that new_edges gives it must be a number.",
                hint="1 is usual.",
                about="new_edges",
            )
    return found


def _cell(name: str, value: Any, dtype: pl.DataType) -> pl.Series:
    if dtype == pl.String and isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    try:
        cell = None if isinstance(value, Mapping) else pl.Series(name, [value]).cast(dtype)
    except (pl.exceptions.PolarsError, TypeError, OverflowError):
        cell = None
    if (
        cell is None
        or cell.dtype != dtype
        or (cell[0] != value and value is not None)
        or isinstance(value, bool) != (dtype == pl.Boolean)
    ):
        raise OptionError(
            f"the value that new_edges gives '{name}' is not of the attribute's type ({dtype.base_type()}).",
            hint="give a value such as other edges have, or leave it out: then one is drawn.",
            about="new_edges",
        )
    return cell


def published(
    graph: Graph,
    edited: Edited,
    order: NDArray[np.int64],
    declared: Mapping[str, pl.Series],
    randomness: Randomness,
) -> Published:
    """Return the graph with edited edges and its vertices in a new order.

    Attributes stay with their vertices and edges. A new edge gets the declared values and, for all else, the attributes
    of an edge that stays, drawn by chance: missing or constant ones would mark the new edges.

    Parameters
    ----------
    graph
        A simple graph.
    edited
        Its new edges.
    order
        The place in the graph of every published vertex.
    declared
        Values of new edges, as ``declared_values`` returns them.
    randomness
        Where drawn attributes come from.

    Raises
    ------
    OptionError
        New edges need attributes, and there is no edge to draw them from.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["ana", "eva", "luis"]))
    >>> made = published(path, Edited(path.source[:1], path.target[:1]), np.array([2, 0, 1]), {}, Randomness())
    >>> made.graph.source.tolist(), made.graph.target.tolist(), made.graph.origin.to_list()
    ([1], [2], ['luis', 'ana', 'eva'])
    """
    place = np.empty(graph.n_vertices, dtype=np.int32)
    place[order] = np.arange(graph.n_vertices, dtype=np.int32)
    there = _places_among(graph, edited.source, edited.target)
    cells = _edge_cells(graph, there, declared, randomness)
    made = Graph.of_edges(
        place[edited.source],
        place[edited.target],
        graph.n_vertices,
        directed=graph.directed,
        multigraph=True,  # so that an edge that a transform gives twice is not merged but seen
        vertices=graph.vertices[order] if graph.vertices.width else None,
        edges=cells.with_columns(pl.Series(_NEW, there < 0)),
        sides=None if graph.sides is None else graph.sides[order],
        name=graph.name,
    )
    is_new = made.edges[_NEW].to_numpy().astype(np.bool_) if made.edges.width else np.zeros(0, dtype=np.bool_)
    made = replace(
        made,
        multigraph=False,
        edges=made.edges.drop(_NEW) if graph.edges.width else pl.DataFrame(),
        weight=graph.weight,
        origin=graph.names[order].alias("origin"),
    )
    return Published(replace(made, findings=(*made.findings, *identifying(made))), order, is_new)


def _places_among(graph: Graph, source: NDArray[Any], target: NDArray[Any]) -> NDArray[np.int64]:
    """Return for every edited edge its place among the edges of the graph, -1 for a new one."""
    keys = edge_keys(source, target, graph)
    own = edge_keys(graph.source, graph.target, graph)  # ascending, as the edges of a Graph are
    if not len(own):
        return np.full(len(keys), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(own, keys), len(own) - 1)
    return np.where(own[place] == keys, place, -1)


def _edge_cells(
    graph: Graph, there: NDArray[np.int64], declared: Mapping[str, pl.Series], randomness: Randomness
) -> pl.DataFrame:
    """Return the attributes of every edited edge, in their order."""
    if not graph.edges.width:
        return pl.DataFrame()
    is_new = there < 0
    n_new = int(is_new.sum())
    rows = there.copy()
    if n_new:
        stay = there[~is_new] if n_new < len(there) else np.arange(graph.n_edges)
        if len(stay):
            rows[is_new] = stay[(randomness.keys(n_new) % np.uint64(len(stay))).astype(np.int64)]
        elif set(declared) < set(graph.edges.columns):
            raise OptionError(
                f"{graph.name} has no edge from which new ones could take their attributes.",
                hint="declare values for all of them (new_edges=...), or drop them.",
                about="new_edges",
            )
    cells = graph.edges[rows] if graph.n_edges else _all_declared(graph, declared, n_new)
    mark = pl.Series(_NEW, is_new)
    changed = [
        pl.when(mark).then(pl.lit(value)).otherwise(pl.col(name)).alias(name) for name, value in declared.items()
    ]
    return cells.with_columns(changed)


def _all_declared(graph: Graph, declared: Mapping[str, pl.Series], n_new: int) -> pl.DataFrame:
    if not n_new:
        return graph.edges
    return pl.DataFrame([declared[name].new_from_index(0, n_new) for name in graph.edges.columns])


def prepared(given: Graph, masks: Sequence[Mask], drop: Collection[str]) -> Graph:
    """Return the simple graph that is edited, with the attributes that go out.

    Raises
    ------
    InputError
        It has parallel edges, edges within a side, vertices of one name, or an attribute repeats the names of vertices.
    OptionError
        Masks are no list of masks, or ``drop`` names no attribute.

    Examples
    --------
    >>> prepared(Graph.of_edges([0, 1], [1, 2], multigraph=True), (), ()).multigraph
    False
    """
    own = without(masked(given, masks), drop)
    refuse_names(own, way_out="")
    refuse_parallel(own, "only simple graphs are edited")
    _refuse_within_sides(own)
    _refuse_repeated_names(own)
    return replace(own, multigraph=False)


def _refuse_within_sides(graph: Graph) -> None:
    if graph.sides is None:
        return
    n_within = int((graph.sides[graph.source] == graph.sides[graph.target]).sum())
    if n_within:
        raise InputError(
            f"{n_within} edges of {graph.name} join vertices of one side: it is not bipartite so.",
            hint="leave the sides out, or the edges.",
        )


def _refuse_repeated_names(graph: Graph) -> None:
    n_repeated = graph.n_vertices - graph.names.n_unique()
    if n_repeated:
        raise InputError(
            f"{n_repeated} vertices of {graph.name} have the name of another: who is who could not be told.",
            hint="give every vertex a name of its own, or none at all.",
        )


def refuse_parallel(graph: Graph, why: str) -> None:
    """Refuse a multigraph in which edges are parallel.

    Examples
    --------
    >>> refuse_parallel(Graph.of_edges([0, 1], [1, 0], multigraph=True, name="friends"), "only simple ones are edited")
    Traceback (most recent call last):
    celosia.base.errors.InputError: friends has 1 parallel edges; only simple ones are edited.
      Hint: read it with multigraph=False (--simple), which merges them.
    """
    if not graph.multigraph:
        return
    is_repeated = (graph.source[1:] == graph.source[:-1]) & (graph.target[1:] == graph.target[:-1])
    n_parallel = int(is_repeated.sum())
    if n_parallel:
        raise InputError(
            f"{graph.name} has {n_parallel} parallel edges; {why}.",
            hint="read it with multigraph=False (--simple), which merges them.",
        )
