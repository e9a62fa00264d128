"""Writing a graph that may be published: fresh names, shuffled, and nothing else in the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import IO, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import FormatError, InputError, OptionError
from celosia.data.io.arrow import write_arrow, write_parquet
from celosia.data.io.durable import fresh_file
from celosia.data.io.formulas import neutralised
from celosia.data.io.plain import plain_columns
from celosia.data.io.spelling import spell
from celosia.graphs.files.formats import GraphFormat, format_of, packed, without_packing
from celosia.graphs.files.gexf import write_gexf
from celosia.graphs.files.gml import write_gml
from celosia.graphs.files.graphml import write_graphml
from celosia.graphs.files.matrix import write_matrix
from celosia.graphs.files.outgoing import SIDE, Outgoing, outgoing
from celosia.graphs.files.pajek import write_pajek
from celosia.graphs.graph import Graph

TableFormat = Literal["csv", "tsv", "edgelist", "parquet", "arrow"]


_WRITERS: Mapping[GraphFormat, Callable[[Outgoing, IO[bytes]], None]] = {
    "graphml": write_graphml,
    "gexf": write_gexf,
    "gml": write_gml,
    "pajek": write_pajek,
    "matrix": write_matrix,
}
_WITH_VERTICES: tuple[GraphFormat, ...] = ("graphml", "gexf", "gml", "pajek")


def edge_frame(graph: Outgoing) -> pl.DataFrame:
    """Return the edges as a frame: source, target, attributes.

    Raises
    ------
    FormatError
        An attribute is called source or target.

    Examples
    --------
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> edge_frame(outgoing(Graph.of_edges([0], [0]), Randomness())[0]).rows()
    [(0, 0)]
    """
    ends = {"source": graph.names[graph.source], "target": graph.names[graph.target]}
    return _joined(ends, graph.edges, "edges")


def vertex_frame(graph: Outgoing) -> pl.DataFrame:
    """Return the vertices as a frame: id, attributes.

    Raises
    ------
    FormatError
        An attribute is called id.

    Examples
    --------
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> vertex_frame(outgoing(Graph.of_edges([0], [0]), Randomness())[0]).rows()
    [(0,)]
    """
    return _joined({"id": graph.names}, graph.vertices, "vertices")


def _joined(named: dict[str, pl.Series], attributes: pl.DataFrame, of_what: str) -> pl.DataFrame:
    for name in named:
        if name in attributes.columns:
            raise FormatError(
                f"an attribute of {of_what} is called '{name}', as the column that holds their names.",
                hint=f"drop it (drop=['{name}']), or write graphml.",
            )
    columns = [column.alias(name) for name, column in named.items()]
    return plain_columns(pl.DataFrame([*columns, *attributes.get_columns()]), f"the {of_what}")


def write_table(frame: pl.DataFrame, file: IO[bytes], format: TableFormat) -> None:
    r"""Write a frame; in CSV and TSV text that a spreadsheet would run gets an apostrophe in front.

    An edge list separated by blanks has its names in a comment.

    Raises
    ------
    FormatError
        A cell holds blanks or is missing where blanks separate.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> write_table(pl.DataFrame({"source": [0], "target": [1], "km": [3.5]}), file, "edgelist")
    >>> file.getvalue().decode()
    '# source target km\n0 1 3.5\n'
    """
    if format == "parquet":
        write_parquet(frame, file)
    elif format == "arrow":
        write_arrow(frame, file)
    elif format == "edgelist":
        texts = spell(frame, decimal=".")
        _refuse_blanks(texts)
        file.write(f"# {' '.join(texts.columns)}\n".encode())
        texts.write_csv(file, include_header=False, separator=" ", line_terminator="\n", quote_style="never")
    else:
        texts = neutralised(spell(frame, decimal="."))
        separator = "\t" if format == "tsv" else ","
        quotes: Literal["always", "necessary"] = "always" if texts.width == 1 else "necessary"
        texts.write_csv(file, separator=separator, line_terminator="\n", quote_style=quotes)


def _refuse_blanks(texts: pl.DataFrame) -> None:
    for column in texts.get_columns():
        bad = column.is_null() | column.str.contains(r'^[#%]|[\s"]')
        n_bad = int(bad.sum()) + int(pl.Series([column.name]).str.contains(r'[\s"]').sum())
        if n_bad:
            raise FormatError(
                f"{n_bad} cells of '{column.name}' are missing or hold blanks, quotes or a # in front, "
                "which a list separated by blanks cannot hold.",
                hint="write csv, or drop the attribute.",
            )


def write(
    graph: Graph,
    path: Path | str,
    *,
    format: str | None = None,
    vertices: Path | str | None = None,
    keep_names: bool = False,
    keep_order: bool = False,
    drop: Collection[str] = (),
    randomness: Randomness | None = None,
) -> pl.Series:
    r"""Write a graph for others: new random ids for vertices, and vertices and edges in random order.

    No name, order, author, date, tool or file name of the original goes out; the names and cells of attributes do,
    unless dropped. In CSV and TSV text that a spreadsheet would run gets an apostrophe in front (see
    ``celosia.io.formulas``). The file takes its place once it is complete and on the disk.

    Parameters
    ----------
    graph
        Any graph.
    path
        The file; with .gz, .bz2, .xz or .zip at the end it is packed.
    format
        ``csv``, ``tsv``, ``edgelist``, ``matrix``, ``graphml``, ``gexf``, ``gml``, ``pajek``, ``parquet`` or
        ``arrow``; by the suffix where not given.
    vertices
        A second file for ids and attributes of vertices, for formats that hold edges alone: csv, tsv, parquet or
        arrow, by its suffix.
    keep_names
        Write the names of the input instead of new ids.
    keep_order
        Write vertices and edges in the order of the graph.
    drop
        Attributes of vertices or edges that are left out.
    randomness
        Where ids and orders come from; the operating system's secure generator where not given.

    Returns
    -------
    polars.Series
        The name that each vertex has in the file, in the order of the graph. Whoever has it can undo the new ids:
        keep it private.

    Raises
    ------
    InputError
        The format cannot hold vertices without edges, or attributes of vertices, and no second file is named; an
        attribute repeats the names; or the system refuses to write.
    FormatError
        A text or a name does not fit into the format.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "published.csv")
    >>> graph = Graph.of_edges([0], [0], names=pl.Series(["ana"]))
    >>> write(graph, path).to_list(), path.read_text()
    ([0], 'source,target\n0,0\n')
    """
    path = Path(path)
    kind = format_of(path.name, format)
    out, names = outgoing(graph, randomness or Randomness(), keep_names=keep_names, keep_order=keep_order, drop=drop)
    if vertices is None:
        _refuse_loss(out, kind)
        with fresh_file(path) as file:
            _write_one(out, path, kind, file)
        return names
    vertices = Path(vertices)
    table = _table_format(kind, path, vertices)
    # Both files are complete before the first of them takes its place.
    with fresh_file(path) as file, fresh_file(vertices) as beside:
        _write_one(out, path, kind, file)
        with packed(beside, without_packing(vertices.name)[1], f"vertices.{table}") as inside:
            write_table(vertex_frame(out), inside, table)
    return names


def _write_one(out: Outgoing, path: Path, kind: GraphFormat, file: IO[bytes]) -> None:
    with packed(file, without_packing(path.name)[1], f"graph.{kind}") as inside:
        if kind in ("csv", "tsv", "edgelist", "parquet", "arrow"):
            write_table(edge_frame(out), inside, kind)
        else:
            _WRITERS[kind](out, inside)


def _table_format(kind: GraphFormat, path: Path, vertices: Path) -> TableFormat:
    """Return the format of the file of vertices."""
    if kind in _WITH_VERTICES:
        raise OptionError(
            f"{kind} files hold their vertices themselves.", hint="leave the option out.", about="vertices"
        )
    table = format_of(vertices.name)
    if table not in ("csv", "tsv", "parquet", "arrow"):
        raise OptionError(
            f"a table of vertices is not written as {table}.",
            hint="allowed: csv, tsv, parquet, arrow.",
            about="vertices",
        )
    if os.path.abspath(vertices) == os.path.abspath(path):
        raise OptionError("edges and vertices need a file each.", hint="name another file.", about="vertices")
    return table


def needs_vertices(graph: Graph, format: GraphFormat) -> bool:
    """Say whether a file of this format needs a second one, for what it cannot hold of vertices.

    Examples
    --------
    >>> lonely = Graph.of_edges([0], [1], 3)
    >>> needs_vertices(lonely, "csv"), needs_vertices(lonely, "graphml")
    (True, False)
    """
    return bool(_lost(format, graph.vertices.columns, graph.is_linked, graph.sides is not None, graph.directed))


def _refuse_loss(out: Outgoing, kind: GraphFormat) -> None:
    """Refuse to write edges alone where vertices have more to tell."""
    attributes = [name for name in out.vertices.columns if name != SIDE]
    is_reached = np.zeros(out.n_vertices, dtype=bool)
    is_reached[out.source] = is_reached[out.target] = True
    lost = _lost(kind, attributes, is_reached, out.bipartite, out.directed)
    if lost:
        raise InputError(
            f"{kind} cannot hold {', '.join(lost)}.",
            hint="name a second file for them (vertices=...), or write graphml.",
        )


def _lost(
    kind: GraphFormat, attributes: Collection[str], is_linked: NDArray[np.bool_], bipartite: bool, directed: bool
) -> list[str]:
    """Name what a file of edges alone would lose."""
    if kind in _WITH_VERTICES:
        return []
    lost = [f"the attribute '{name}' of vertices" for name in attributes]
    if kind != "matrix" and not is_linked.all():
        lost.append(f"{int((~is_linked).sum())} vertices without edges")
    if bipartite and (kind == "matrix" or directed):
        lost.append("the sides of vertices")
    return lost
