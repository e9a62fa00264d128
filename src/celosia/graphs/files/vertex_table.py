"""A table of vertices beside the edges: isolated vertices and attributes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.arrow import read_arrow, read_parquet
from celosia.data.io.csv import read_csv
from celosia.data.io.files import read as read_table
from celosia.graphs.files.edge_table import frame_of, vertex_names
from celosia.graphs.files.ends import find_vertex
from celosia.graphs.files.formats import format_of, without_packing
from celosia.graphs.files.packing import file_content, unpacked
from celosia.graphs.files.parts import Parts


def with_vertices(parts: Parts, source: Any, file: str) -> Parts:
    """Return the parts with the vertices of a table: their order, their attributes, and those without any edge.

    The column that names the vertex is found by its name (``id``, ``vertex``, ``node``, ``name``, ...), else it is the
    first.

    Parameters
    ----------
    parts
        What was read so far.
    source
        The path of a table file, or a frame of pandas, Polars or Arrow.
    file
        What to call the graph in messages.

    Raises
    ------
    FormatError
        A vertex comes up twice or has no name, an end of an edge is missing from the table, or an attribute comes up
        in both.

    Examples
    --------
    >>> from celosia.graphs.files.edge_table import edges_of_table
    >>> parts = edges_of_table(pl.DataFrame({"u": ["a"], "v": ["b"]}), "edges.csv")
    >>> whole = with_vertices(parts, pl.DataFrame({"id": ["b", "a", "c"], "age": [39, 44, 51]}), "edges.csv")
    >>> whole.names.to_list(), whole.vertices["age"].to_list()
    (['b', 'a', 'c'], [39, 44, 51])
    """
    frame, called = _table(source)
    place = find_vertex(frame.columns)
    names = vertex_names(frame.to_series(place), called)
    if names.dtype == pl.String:
        names = names.str.strip_chars()
        names = names.set(names == "", None)
    _check(names, called)
    attributes = frame.select(column for column in frame.get_columns() if column.name != names.name)
    found = _places(parts, names, file, called)
    known = parts.vertices
    for name in set(known.columns) & set(attributes.columns):
        raise FormatError(
            f"the attribute '{name}' of vertices is in {file} and in {called}.", hint="take it out of one of them."
        )
    if known.width:
        rows = np.full(len(names), -1)
        rows[found] = np.arange(len(found))
        gathered = known[np.maximum(rows, 0)]
        missing = pl.Series(rows < 0)
        known = gathered.select(column.set(missing, None) for column in gathered.get_columns())
        attributes = pl.concat([known, attributes], how="horizontal") if attributes.width else known
    return replace(
        parts,
        names=names.alias("name"),
        source=found[parts.source],
        target=found[parts.target],
        vertices=attributes,
        sides=_sides(parts, found, len(names), called),
    )


def _table(source: Any) -> tuple[pl.DataFrame, str]:
    if not isinstance(source, str | os.PathLike):
        return frame_of(source, lambda names: (find_vertex(names),)), "the vertices"
    path = Path(source)
    plain, packing = without_packing(path.name)
    if not packing:
        return read_table(path).frame, path.name
    content, _ = unpacked(file_content(path), path.name)
    kind = format_of(plain)
    if kind in ("parquet", "arrow"):
        return (read_parquet if kind == "parquet" else read_arrow)(content, path.name), path.name
    return read_csv(content, path.name).frame, path.name


def _check(names: pl.Series, called: str) -> None:
    n_missing = names.null_count()
    if n_missing:
        first = int(names.is_null().arg_max() or 0) + 1
        raise FormatError(
            f"{n_missing} rows of {called} have no name of a vertex; the first is row {first}.", hint="fill them in."
        )
    repeated = names.is_first_distinct()
    if not repeated.all():
        first = int((~repeated).arg_max() or 0) + 1
        raise FormatError(
            f"{int((~repeated).sum())} rows of {called} repeat a vertex; the first is row {first}.",
            hint="keep one row per vertex.",
        )


def _places(parts: Parts, names: pl.Series, file: str, called: str) -> Any:
    """Return where each vertex of the parts stands in the table; texts are compared where types differ."""
    ours, theirs = parts.names, names
    if ours.dtype != theirs.dtype:
        ours, theirs = ours.cast(pl.String), theirs.cast(pl.String)
    table = pl.DataFrame({"name": theirs, "place": np.arange(len(theirs), dtype=np.int32)})
    places = pl.DataFrame({"name": ours}).join(table, on="name", how="left", maintain_order="left")["place"]
    n_missing = places.null_count()
    if not n_missing:
        return places.to_numpy().astype(np.int32)
    lacking = places.is_null().to_numpy()
    at = np.flatnonzero(lacking[parts.source] | lacking[parts.target])
    where = f"; the first is an end of {parts.place(int(at[0]))} of {file}" if len(at) else ""
    raise FormatError(
        f"{n_missing} of {parts.n_vertices} vertices are missing from {called}{where}.",
        hint="give every vertex a row; names are compared as texts: 007 is not 7.",
    )


def _sides(parts: Parts, found: Any, n_vertices: int, called: str) -> Any:
    if parts.sides is None:
        return None
    if len(found) < n_vertices:
        raise FormatError(
            f"{called} adds {n_vertices - len(found)} vertices to a graph of two sides, without saying their side.",
            hint="list the vertices of the graph alone.",
        )
    sides = np.empty(n_vertices, dtype=np.int8)
    sides[found] = parts.sides
    return sides
