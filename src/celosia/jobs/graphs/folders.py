"""What the release folders of graphs have in common: which files lie where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from celosia.data import io
from celosia.data.io.durable import fresh_file
from celosia.graphs.files.formats import GraphFormat
from celosia.graphs.files.writing import needs_vertices
from celosia.graphs.graph import Graph

_TABLES: Mapping[str, str] = {"tsv": "tsv", "parquet": "parquet", "arrow": "arrow"}
"""The format of the table of vertices beside edges of this format; csv beside all others."""


def graph_file(folder: Path, format: str) -> Path:
    """Return where the graph lies in a release's folder.

    Examples
    --------
    >>> graph_file(Path("release"), "csv").as_posix()
    'release/graph.csv'
    """
    return folder / f"graph.{format}"


def table_beside(folder: Path, graph: Graph, format: GraphFormat) -> Path | None:
    """Return where the table of vertices lies, or ``None`` where the file of the graph holds all of them.

    Examples
    --------
    >>> table_beside(Path("release"), Graph.of_edges([0], [1], 3), "csv").name
    'vertices.csv'
    """
    return folder / f"vertices.{_TABLES.get(format, 'csv')}" if needs_vertices(graph, format) else None


def internal_files(folder: Path, record: str, page: str, *, pdf: bool) -> None:
    """Write what is for the house alone into ``internal/``, which nobody else may open.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> internal_files(folder, "{}", "<!DOCTYPE html>", pdf=False)
    >>> sorted(path.name for path in (folder / "internal").iterdir())
    ['record.json', 'report.html']
    """
    from celosia.report.pdf import pdf_of  # here: most runs make none

    internal = folder / "internal"
    internal.mkdir(mode=0o700)
    io.write_text_file(internal / "record.json", record)
    io.write_text_file(internal / "report.html", page)
    if pdf:
        with fresh_file(internal / "report.pdf") as report:
            report.write(pdf_of(page))
