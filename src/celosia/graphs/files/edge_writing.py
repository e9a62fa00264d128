"""Edges and vertices as tables: CSV, text separated by tabs or blanks, Parquet and Arrow."""

from __future__ import annotations

from typing import IO, Literal

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.arrow import write_arrow, write_parquet
from celosia.data.io.formulas import neutralised
from celosia.data.io.plain import plain_columns
from celosia.data.io.spelling import spell
from celosia.graphs.files.outgoing import Outgoing

TableFormat = Literal["csv", "tsv", "edgelist", "parquet", "arrow"]


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
