"""Reading a graph from a file or from an object of another library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from celosia.base.errors import FormatError, InputError, OptionError
from celosia.base.findings import Finding
from celosia.data.io.arrow import read_arrow, read_parquet
from celosia.data.io.csv import read_csv
from celosia.data.io.files import read as read_table
from celosia.data.io.names import check_names
from celosia.data.io.records import sniff_decimal
from celosia.graphs.files.assembling import Wishes, assembled
from celosia.graphs.files.edge_table import (
    edges_of_cells,
    edges_of_table,
    end_places,
    find_vertex,
    frame_of,
    vertex_names,
)
from celosia.graphs.files.formats import GraphFormat, file_content, format_of, unpacked, without_packing
from celosia.graphs.files.gexf import read_gexf
from celosia.graphs.files.gml import read_gml
from celosia.graphs.files.graphml import read_graphml
from celosia.graphs.files.matrix import (
    edges_of_array,
    edges_of_matrix,
    edges_of_sparse,
    is_sparse,
    matrix_or_edges,
)
from celosia.graphs.files.objects import edges_of_networkx, is_networkx
from celosia.graphs.files.pajek import read_pajek
from celosia.graphs.files.parts import Parts
from celosia.graphs.files.text_cells import read_cells
from celosia.graphs.graph import Graph

_DELIMITED: tuple[GraphFormat, ...] = ("csv", "tsv", "edgelist", "matrix")
_ENCODED: tuple[GraphFormat, ...] = (*_DELIMITED, "graphml", "gexf", "gml", "pajek")
_READERS = {"graphml": read_graphml, "gexf": read_gexf, "gml": read_gml, "pajek": read_pajek}


def read(
    source: Any,
    *,
    format: str | None = None,
    directed: bool | None = None,
    multigraph: bool | None = None,
    weight: str | None = None,
    bipartite: bool | None = None,
    vertices: Any = None,
    delimiter: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    name: str | None = None,
) -> Graph:
    r"""Read a graph.

    Names of vertices in text files stay text, so that ``007`` is not 7; whole numbers in frames and typed files stay
    whole numbers. Weights are left aside unless named. Whatever is merged or left aside is told in ``graph.findings``.

    Parameters
    ----------
    source
        The path of a file, packed by gz, bz2, xz or zip or not; a graph of networkx; a sparse matrix of scipy; a
        square array of NumPy; or a frame of pandas, Polars or Arrow with an edge per row.
    format
        ``csv``, ``tsv``, ``edgelist``, ``matrix``, ``graphml``, ``gexf``, ``gml``, ``pajek``, ``parquet`` or
        ``arrow``; by the suffix where not given. A text file of edges that can only be an adjacency matrix is read as
        one, and told.
    directed
        Whether edges have a direction. ``None``: as the source says; without direction if it says nothing, and for a
        symmetric matrix. ``True`` has edges without direction lead both ways, ``False`` leaves directions aside.
    multigraph
        Whether parallel edges count. ``None``: as the source says, else if there are parallel edges; in tables of
        edges and matrices they do not.
    weight
        The attribute of edges that is their weight.
    bipartite
        ``True``: the two columns of a table of edges are two sets of vertices, unless vertices have an attribute
        ``bipartite``, 0 or 1. ``None``: if they have it. ``False``: it is an attribute like any other.
    vertices
        A table file or a frame of vertices: a column that names them, and attributes. It holds every vertex, those
        without edges too.
    delimiter, header, encoding
        For text files; found from the data where not given. The delimiter may be a blank, for any number of blanks.
        ``header`` says whether the first line names columns.
    name
        What to call the graph in messages; the file's name where not given.

    Raises
    ------
    InputError
        The file is missing or not readable; edges within a side of a bipartite graph; a weight that is no number.
    FormatError
        The content is broken: with file, line and counts, never with a cell.
    OptionError
        An option is not allowed, or of no use for the source.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "friends.csv")
    >>> _ = path.write_text("source,target\nana,eva\neva,luis\n")
    >>> graph = read(path)
    >>> graph.names.to_list(), graph.n_edges
    (['ana', 'eva', 'luis'], 2)
    """
    wishes = Wishes(directed, multigraph, weight, bipartite)
    text_options = {"delimiter": delimiter, "header": header, "encoding": encoding}
    decimal = "."
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        called = name or path.name
        content, kind = _opened(path, format)
        _refuse_useless(kind, text_options)
        parts, decimal = _from_file(content, kind, called, format is None, wishes, text_options)
    else:
        _refuse_useless(None, {"format": format, **text_options})
        called = name or "the graph"
        parts = _from_object(source, called, wishes)
    if parts.are_columns_sides and not len(parts.source) and vertices is None:
        raise FormatError(
            f"{called} has no edge, only names of columns.", hint="vertices without edges: give them by vertices=."
        )
    if vertices is not None:
        parts = with_vertices(parts, vertices, called)
    return assembled(parts, wishes, called, decimal)


def _opened(path: Path, given: str | None) -> tuple[bytes, GraphFormat]:
    """Return the unpacked content of a file and its format; an archive may leave that to the file inside."""
    data = file_content(path)
    if given is None and path.suffix.lower() == ".zip" and not Path(path.stem).suffix:
        content, inner = unpacked(data, path.name)
        return content, format_of(inner)
    kind = format_of(path.name, given)
    return unpacked(data, path.name)[0], kind


def _refuse_useless(kind: GraphFormat | None, options: dict[str, Any]) -> None:
    for option, value in options.items():
        allowed = _ENCODED if option == "encoding" else _DELIMITED
        if value is not None and kind not in allowed:
            what = "an object of Python" if kind is None else f"{kind} files"
            raise OptionError(
                f"the option '{option}' is for files of text, not for {what}.", hint="leave it out.", about=option
            )
    if options.get("header") is not None and kind == "matrix":
        raise OptionError(
            "the option 'header' is for edges; the names in a matrix are found.", hint="leave it out.", about="header"
        )


def _from_file(
    content: bytes,
    kind: GraphFormat,
    file: str,
    is_guessed: bool,
    wishes: Wishes,
    options: Mapping[str, Any],
) -> tuple[Parts, str]:
    """Return the parts of a graph in a file, and its decimal mark."""
    if kind in _READERS:
        return _READERS[kind](content, file, options["encoding"]), "."
    if kind in ("parquet", "arrow"):
        frame = (read_parquet if kind == "parquet" else read_arrow)(content, file)
        frame.columns = check_names(frame.columns, file)
        return edges_of_table(frame, file), "."
    is_matrix = kind == "matrix"
    cells = read_cells(
        content,
        file,
        delimiter=options["delimiter"],
        encoding=options["encoding"],
        may_be_blanks=kind in ("edgelist", "matrix"),
        n_least=1 if is_matrix else 2,
    )
    decimal = sniff_decimal(cells.frame, cells.delimiter)
    found = matrix_or_edges(cells) if is_guessed and not is_matrix and options["header"] is None else None
    if found == "doubt":
        raise FormatError(
            f"{file} is a square of numbers: it may be an adjacency matrix or a list of edges.",
            hint=f"say format='matrix' or format='{kind}'.",
        )
    if is_matrix or found == "matrix":
        parts = edges_of_matrix(cells, file, directed=wishes.directed, multigraph=wishes.multigraph)
        told = () if is_matrix else (_read_as_matrix(parts.n_vertices, kind),)
        return replace(parts, findings=(*told, *parts.findings)), decimal
    return edges_of_cells(cells, file, options["header"]), decimal


def _from_object(source: Any, called: str, wishes: Wishes) -> Parts:
    if is_networkx(source):
        return edges_of_networkx(source)
    if is_sparse(source):
        return edges_of_sparse(source, called, directed=wishes.directed, multigraph=wishes.multigraph)
    if isinstance(source, np.ndarray):
        return edges_of_array(np.asarray(source), called, directed=wishes.directed, multigraph=wishes.multigraph)
    if type(source).__module__.partition(".")[0] in ("pandas", "polars", "pyarrow"):
        return edges_of_table(frame_of(source, end_places), called)
    raise InputError(
        f"an object of type {type(source).__name__} is not a graph; allowed: a path, a graph of networkx, a sparse "
        "matrix of scipy, an array of NumPy, a frame of pandas, Polars or Arrow.",
        hint="make one of these, or use Graph.of_edges.",
    )


def _read_as_matrix(n_vertices: int, kind: GraphFormat) -> Finding:
    return Finding(
        "READ_AS_MATRIX",
        "note",
        "The file was read as the adjacency matrix of {n_vertices} vertices; say format='{kind}' if it lists edges.",
        values={"n_vertices": n_vertices, "kind": kind},
    )


def given_graph(source: Any) -> Graph:
    """Return a Graph as it is; read a file or an object of another library.

    Raises
    ------
    InputError
        It is no graph.

    Examples
    --------
    >>> import numpy as np
    >>> given_graph(np.array([[0, 1], [1, 0]])).n_edges
    1
    """
    return source if isinstance(source, Graph) else read(source)


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
