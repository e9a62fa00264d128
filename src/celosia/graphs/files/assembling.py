"""From what was read to a Graph: direction, sides, weight, parallel edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, FormatError, InputError, nearest_column
from celosia.base.findings import Finding
from celosia.data.io.names import check_names
from celosia.data.io.numbers import parse_numbers
from celosia.data.io.plain import plain_columns
from celosia.graphs.attributes import identifying
from celosia.graphs.files.outgoing import SIDE
from celosia.graphs.files.parts import Parts
from celosia.graphs.graph import Graph, pair_keys


@dataclass(frozen=True)
class Wishes:
    """What the caller says of the graph; ``None`` leaves it to the source."""

    directed: bool | None = None
    multigraph: bool | None = None
    weight: str | None = None
    bipartite: bool | None = None


def assembled(parts: Parts, wishes: Wishes, file: str, decimal: str = ".") -> Graph:
    """Return the graph that was read, of the kind that was wished for.

    Parameters
    ----------
    parts
        What was read.
    wishes
        What kind of graph it is to be.
    file
        Its name, for messages.
    decimal
        The decimal mark of weights that are texts.

    Raises
    ------
    InputError
        Directions are mixed and none is wished, a weight is no number, or a bipartite graph has an edge within a side.

    Examples
    --------
    >>> from celosia.graphs.files.edge_table import edges_of_table
    >>> parts = edges_of_table(pl.DataFrame({"u": ["a"], "v": ["b"], "km": ["3.5"]}), "edges.csv")
    >>> assembled(parts, Wishes(directed=True, weight="km"), "edges.csv").edges["km"].to_list()
    [3.5]
    """
    parts = replace(parts, vertices=_named(parts.vertices, file), edges=_named(parts.edges, file))
    multigraph = _is_multigraph(parts) if wishes.multigraph is None else wishes.multigraph
    parts, sides = _with_sides(parts, wishes.bipartite, file)
    parts = _weighted(parts, wishes.weight, file, decimal)
    parts, directed = _directed(parts, wishes.directed, file)
    graph = Graph.of_edges(
        parts.source,
        parts.target,
        parts.n_vertices,
        directed=directed,
        multigraph=multigraph,
        names=parts.names,
        vertices=parts.vertices,
        edges=parts.edges,
        weight=wishes.weight,
        sides=sides,
        name=file,
        findings=parts.findings,
    )
    return replace(graph, findings=(*graph.findings, *_conflicts(parts, graph), *identifying(graph)))


def _named(frame: pl.DataFrame, file: str) -> pl.DataFrame:
    if not frame.width:
        return frame
    plain = plain_columns(frame, file)
    plain.columns = check_names(plain.columns, file)
    return plain


def _is_multigraph(parts: Parts) -> bool:
    if parts.multigraph is not None:
        return parts.multigraph
    keys = _keys(parts, bool(parts.direction.directed))
    return len(np.unique(keys)) < len(keys)


def _keys(parts: Parts, directed: bool) -> NDArray[np.int64]:
    return pair_keys(parts.source, parts.target, parts.n_vertices, directed)


def _directed(parts: Parts, wish: bool | None, file: str) -> tuple[Parts, bool]:
    """Return the edges with the direction that was wished for: lines become an arrow each way."""
    said = parts.direction
    if wish is None and said.is_mixed:
        raise FormatError(
            f"{file} mixes edges with and without direction.",
            hint="read it with directed=True (edges without direction lead both ways) or directed=False.",
        )
    directed = bool(said.directed) if wish is None else wish
    if not directed or said.directed is None or (said.directed and said.two_ways is None):
        return parts, directed
    back = np.ones(len(parts.source), dtype=bool) if said.two_ways is None else said.two_ways
    back = np.flatnonzero(back & (parts.source != parts.target))
    return replace(
        parts,
        source=np.concatenate([parts.source, parts.target[back]]),
        target=np.concatenate([parts.target, parts.source[back]]),
        edges=pl.concat([parts.edges, parts.edges[back]]) if parts.edges.width else parts.edges,
        lines=None,
    ), True


def _with_sides(parts: Parts, wish: bool | None, file: str) -> tuple[Parts, NDArray[np.int8] | None]:
    """Return the sides of a bipartite graph: from the source itself, an attribute, or the two columns of edges."""
    if wish is False:
        return parts, None
    sides = parts.sides
    if sides is None and SIDE in parts.vertices.columns:
        sides = _as_sides(parts.vertices[SIDE])
        if sides is None and wish:
            raise FormatError(
                f"the attribute '{SIDE}' of {file} is not 0 or 1 on every vertex.", hint="give every vertex its side."
            )
        if sides is not None:
            parts = replace(parts, vertices=parts.vertices.drop(SIDE))
    if sides is None and wish:
        sides = _sides_of_columns(parts, file)
    if sides is not None:
        _refuse_inner_edges(parts, sides, file)
    return parts, sides


def _as_sides(column: pl.Series) -> NDArray[np.int8] | None:
    numbers, _ = parse_numbers(column.cast(pl.Int64) if column.dtype == pl.Boolean else column)
    if numbers.null_count() or not numbers.is_in([0, 1]).all():
        return None
    return numbers.to_numpy().astype(np.int8)


def _sides_of_columns(parts: Parts, file: str) -> NDArray[np.int8]:
    if not parts.are_columns_sides:
        raise InputError(
            f"{file} does not say which side of a bipartite graph a vertex is on.",
            hint=f"give vertices the attribute '{SIDE}', 0 or 1.",
        )
    is_left, is_right = (np.zeros(parts.n_vertices, dtype=bool) for _ in range(2))
    is_left[parts.source] = True
    is_right[parts.target] = True
    both, neither = is_left & is_right, ~(is_left | is_right)
    if both.any():
        first = int(np.flatnonzero(both[parts.source] | both[parts.target])[0])
        raise InputError(
            f"{int(both.sum())} vertices of {file} stand in both columns of a bipartite graph; "
            f"the first is an end of {parts.place(first)}.",
            hint=f"name the two sides apart, or give vertices the attribute '{SIDE}', 0 or 1.",
        )
    if neither.any():
        raise InputError(
            f"{int(neither.sum())} vertices of {file} have no edge, so that nothing says their side.",
            hint=f"give vertices the attribute '{SIDE}', 0 or 1.",
        )
    return is_right.astype(np.int8)


def _refuse_inner_edges(parts: Parts, sides: NDArray[np.int8], file: str) -> None:
    inner = np.flatnonzero(sides[parts.source] == sides[parts.target])
    if len(inner):
        raise InputError(
            f"{len(inner)} edges of {file} join vertices of the same side of a bipartite graph; "
            f"the first is {parts.place(int(inner[0]))}.",
            hint="correct the edges or the sides, or read it with bipartite=False.",
        )


def _weighted(parts: Parts, weight: str | None, file: str, decimal: str) -> Parts:
    """Return the edges with their weight as a number."""
    if weight is None:
        return parts
    if weight not in parts.edges.columns:
        raise ColumnNotFoundError(
            f"edges of {file} have no attribute '{weight}' that could be their weight.",
            hint=nearest_column(weight, parts.edges.columns),
            about="weight",
        )
    column = parts.edges[weight]
    numbers: Any = column
    if column.dtype == pl.String:
        numbers, _ = parse_numbers(column, decimal)
    wrong = numbers.is_null()
    if numbers.dtype.is_float():
        wrong = wrong | ~numbers.is_finite().fill_null(True)
    if not numbers.dtype.is_numeric():
        wrong = pl.Series([True]).new_from_index(0, len(column))
    if wrong.any():
        raise InputError(
            f"the weight '{weight}' is not a number on {int(wrong.sum())} of {len(column)} edges of {file}; "
            f"the first is {parts.place(int(wrong.arg_max() or 0))}.",
            hint="fill it in, or leave the weight out.",
            about="weight",
        )
    return replace(parts, edges=parts.edges.with_columns(numbers.alias(weight)))


def _conflicts(parts: Parts, graph: Graph) -> Iterator[Finding]:
    """Tell of merged edges that did not agree in their attributes: only those of the first are left."""
    if graph.multigraph or not parts.edges.width or graph.n_edges == len(parts.source):
        return
    keyed = parts.edges.with_columns(pl.Series("\0ends", _keys(parts, graph.directed)))
    n_lost = keyed.n_unique() - graph.n_edges
    if n_lost:
        yield Finding(
            "CONFLICTING_EDGES",
            "warning",
            "{n_lost} merged edges have other attributes than the one that was kept; read it as a multigraph to keep "
            "them.",
            values={"n_lost": n_lost},
        )
