"""What every way to publish a graph does to it first, and what it refuses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from celosia.base.errors import InputError
from celosia.graphs.attributes import masked
from celosia.graphs.files.outgoing import refuse_names, without
from celosia.graphs.graph import Graph
from celosia.masks.base import Mask


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
