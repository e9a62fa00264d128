"""What is written and read back is the same graph, under the names that writing gave."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from file_graphs import ODD, PLAIN, edge_rows, graphs, vertex_rows
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.data.io.formulas import neutralised
from celosia.data.io.spelling import spell
from celosia.graphs.files import read, write
from celosia.graphs.graph import Graph

ON_A_LINE = "".join(sign for sign in ODD if sign not in '"\n\r')


def _each(graph: Graph, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Graph:
    vertices, edges = (change(frame) if frame.width else frame for frame in (graph.vertices, graph.edges))
    return replace(graph, vertices=vertices, edges=edges)


def _dates_as_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Date).cast(pl.String))


def as_xml(graph: Graph) -> Graph:
    return _each(graph, _dates_as_text)


def as_gml(graph: Graph) -> Graph:
    return _each(graph, lambda frame: _dates_as_text(frame).with_columns(pl.col(pl.Boolean).cast(pl.Int64)))


def as_text(graph: Graph) -> Graph:
    return _each(graph, lambda frame: spell(frame, decimal="."))


def as_csv(graph: Graph) -> Graph:
    return _each(graph, lambda frame: neutralised(spell(frame, decimal=".")))


def as_typed(graph: Graph) -> Graph:
    return graph


HOLDING_ALL = {"graphml": (as_xml, ODD), "gexf": (as_xml, ODD), "gml": (as_gml, ODD), "pajek": (as_text, ON_A_LINE)}
WITH_TWO_FILES: dict[str, tuple[Callable[[Graph], Graph], str]] = {
    "csv": (as_csv, ODD),
    "tsv": (as_csv, ODD),
    "parquet": (as_typed, ODD),
    "arrow": (as_typed, ODD),
}


def assert_same(back: Graph, graph: Graph, names: pl.Series, expected: Graph) -> None:
    assert back.directed == graph.directed
    assert vertex_rows(back) == vertex_rows(expected, names.to_list())
    assert edge_rows(back) == edge_rows(expected, names.to_list())


def written(graph: Graph, name: str, seed: int, **options: Any) -> tuple[Path, pl.Series]:
    path = Path(tempfile.mkdtemp(), name)
    return path, write(graph, path, randomness=Randomness(seed), **options)


@pytest.mark.parametrize("format", HOLDING_ALL)
@given(data=st.data(), seed=st.integers(0, 99))
def test_formats_of_graphs(format: str, data: st.DataObject, seed: int) -> None:
    change, alphabet = HOLDING_ALL[format]
    graph = data.draw(graphs(alphabet=alphabet))
    path, names = written(graph, f"graph.{'net' if format == 'pajek' else format}", seed)
    back = read(path, directed=graph.directed if not graph.n_edges else None, multigraph=graph.multigraph)
    assert sorted(names) == list(range(graph.n_vertices))
    assert_same(back, graph, names, change(graph))


@pytest.mark.parametrize("format", WITH_TWO_FILES)
@given(data=st.data(), seed=st.integers(0, 99))
def test_tables_of_edges_and_vertices(format: str, data: st.DataObject, seed: int) -> None:
    change, alphabet = WITH_TWO_FILES[format]
    graph = data.draw(graphs(alphabet=alphabet))
    beside = Path(tempfile.mkdtemp(), f"vertices.{format}")
    path, names = written(graph, f"graph.{format}", seed, vertices=beside)
    if not graph.n_vertices:
        return
    back = read(path, vertices=beside, directed=graph.directed, multigraph=graph.multigraph)
    assert_same(back, graph, names, change(graph))


@given(graph=graphs(alphabet=PLAIN, with_isolated=False, missing=False, bipartite=False), seed=st.integers(0, 99))
def test_lists_separated_by_blanks(graph: Graph, seed: int) -> None:
    graph = replace(graph, vertices=pl.DataFrame())
    if not graph.n_edges:
        return
    path, names = written(graph, "graph.txt", seed)
    back = read(path, format="edgelist", directed=graph.directed, multigraph=graph.multigraph)
    assert_same(back, graph, names, as_text(graph))


@given(graph=graphs(with_isolated=False, bipartite=True, with_attributes=False), seed=st.integers(0, 99))
def test_the_columns_of_edges_are_the_sides(graph: Graph, seed: int) -> None:
    if graph.directed or not graph.n_edges:
        return
    path, names = written(graph, "graph.csv", seed)
    back = read(path, bipartite=True, multigraph=graph.multigraph)
    assert_same(back, graph, names, graph)


@given(graph=graphs(min_vertices=1, with_attributes=False, bipartite=False), seed=st.integers(0, 99), data=st.data())
def test_matrices(graph: Graph, seed: int, data: st.DataObject) -> None:
    if not graph.multigraph and data.draw(st.booleans()):
        weights = data.draw(
            st.lists(
                st.floats(allow_nan=False, allow_infinity=False).filter(bool),
                min_size=graph.n_edges,
                max_size=graph.n_edges,
            )
        )
        graph = replace(graph, edges=pl.DataFrame({"weight": pl.Series(weights, dtype=pl.Float64)}), weight="weight")
    path, names = written(graph, "graph.csv", seed, format="matrix")
    back = read(path, format="matrix", directed=graph.directed, multigraph=graph.multigraph)
    if set(graph.edges.columns) and (not graph.n_edges or set(graph.edges["weight"]) == {1.0}):
        graph = replace(graph, edges=pl.DataFrame(), weight=None)
    assert_same(back, graph, names, graph)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zip"])
@pytest.mark.parametrize("format", ["csv", "graphml", "gml", "parquet"])
def test_packed_files(tmp_path: Path, format: str, suffix: str) -> None:
    graph = Graph.of_edges([0, 1, 2], [1, 2, 2], names=pl.Series(["a", "b", "c"]))
    path = tmp_path / f"graph.{format}{suffix}"
    names = write(graph, path)
    assert_same(read(path), graph, names, graph)


@pytest.mark.parametrize("format", ["csv", "graphml", "gexf", "gml", "pajek", "parquet", "matrix", "edgelist", "tsv"])
def test_names_are_kept_on_request(tmp_path: Path, format: str) -> None:
    graph = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["007", "ana-7", "x"]), directed=True)
    path = tmp_path / "graph"
    names = write(graph, path, format=format, keep_names=True, keep_order=True)
    back = read(path, format=format, directed=True)
    assert names.to_list() == back.names.to_list() == ["007", "ana-7", "x"]
    assert_same(back, graph, names, graph)


def test_a_vertex_called_source_does_not_turn_the_header_into_an_edge(tmp_path: Path) -> None:
    graph = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["source", "target", "x"]))
    write(graph, tmp_path / "graph.csv", keep_names=True)
    assert edge_rows(read(tmp_path / "graph.csv")) == edge_rows(graph)


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_a_cell_of_one_blank_stays_where_a_line_must_be_read_with_care(format: str) -> None:
    graph = Graph.of_edges([0, 0], [0, 1], multigraph=True, edges=pl.DataFrame({"e": [" ", "\r"]}))
    path, _ = written(graph, f"graph.{format}", 1)
    assert " " in read(path, multigraph=True).edges["e"].to_list()
