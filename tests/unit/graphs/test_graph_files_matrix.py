"""Adjacency matrices: text, arrays, sparse matrices, and back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
import pytest
from file_graphs import edge_rows, graphs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from celosia.base.errors import FormatError, InputError
from celosia.graphs.files import read, to_matrix, write
from celosia.graphs.graph import Graph


def from_text(tmp_path: Path, text: str, name: str = "matrix.csv", **options: Any) -> Graph:
    path = tmp_path / name
    path.write_text(text)
    return read(path, **options)


def ends(graph: Graph) -> Counter[tuple[str, str]]:
    return Counter({row[:2]: count for row, count in edge_rows(graph).items()})


PATH = Counter([("a", "b"), ("b", "c")])
SPELLINGS = {
    "bare": "0,1,0\n1,0,1\n0,1,0\n",
    "header": "a,b,c\n0,1,0\n1,0,1\n0,1,0\n",
    "both": ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n",
    "corner": "who,a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n",
    "rows": "a,0,1,0\nb,1,0,1\nc,0,1,0\n",
    "semicolon": "a;b;c\n0;1;0\n1;0;1\n0;1;0\n",
    "blanks": "0  1 0\n 1 0 1\n0 1 0 \n",
    "rows in another order": ",a,b,c\nb,1,0,1\na,0,1,0\nc,0,1,0\n",
    "counted": "0,1,2\n0,1,0\n1,0,1\n0,1,0\n",
    "counted both ways": ",0,1,2\n0,0,1,0\n1,1,0,1\n2,0,1,0\n",
    "fractions": "0.0,1.0,0.0\n1.0,0.0,1.0\n0.0,1.0,0.0\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("format", ["matrix", None])
def test_one_matrix_in_many_spellings(tmp_path: Path, spelling: str, format: str | None) -> None:
    name = "matrix.txt" if spelling == "blanks" else "matrix.csv"
    graph = from_text(tmp_path, SPELLINGS[spelling], name, format=format)
    called = dict(zip(graph.names.cast(pl.String), "bac" if "another" in spelling else "abc", strict=True))
    assert Counter({tuple(sorted((called[u], called[v]))): n for (u, v), n in ends(graph).items()}) == PATH
    assert not graph.directed
    assert graph.edges.width == 0
    assert [finding.code for finding in graph.findings] == ([] if format else ["READ_AS_MATRIX"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0,1\n1,0\n", "edges"),
        ("a,b,5\nb,c,5\nc,a,5\n", "edges"),
        ("1,2,5\n2,3,7\n3,1,9\n", "edges"),  # three edges with weights
        ("source,target,km\n0,1,0\n1,0,1\n0,1,0\n", "edges"),
        ("person,friend,km\n1,2,5\n2,3,7\n3,1,9\n", "edges"),
        ("0,1,0\n0,0,1\n1,0,0\n", "doubt"),
        ("1,2,3,4\n2,3,4,5\n3,4,5,6\n4,5,6,8\n", "matrix"),  # symmetric
        ("1,2,3,4\n2,3,4,5\n3,4,5,6\n4,5,7,8\n", "doubt"),
        ("0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n", "matrix"),
        ("0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,-1\n", "edges"),
    ],
)
def test_matrix_or_edges(tmp_path: Path, text: str, kind: str) -> None:
    if kind == "doubt":
        with pytest.raises(FormatError, match="may be an adjacency matrix or a list of edges"):
            from_text(tmp_path, text)
        assert from_text(tmp_path, text, format="matrix").n_vertices == len(text.splitlines())
    else:
        codes = [finding.code for finding in from_text(tmp_path, text).findings]
        assert ("READ_AS_MATRIX" in codes) == (kind == "matrix")
    told = from_text(tmp_path, text, format="csv").findings
    assert "READ_AS_MATRIX" not in [finding.code for finding in told]


def test_asymmetric_matrices(tmp_path: Path) -> None:
    text = "0,1,0\n0,0,2\n0,3,0\n"
    graph = from_text(tmp_path, text, format="matrix")
    assert graph.directed
    assert [(finding.code, finding.values) for finding in graph.findings] == [("ASYMMETRIC_MATRIX", {"n_entries": 4})]
    assert graph.edges["weight"].to_list() == [1, 2, 3]
    with pytest.raises(FormatError, match="not symmetric: 4 entries"):
        from_text(tmp_path, text, format="matrix", directed=False)
    assert from_text(tmp_path, text, format="matrix", directed=True).findings == ()
    assert from_text(tmp_path, "0,1,0\n1,0,1\n0,1,0\n", format="matrix", directed=True).n_edges == 4


def test_entries_are_weights_or_numbers_of_edges(tmp_path: Path) -> None:
    text = "1,2,0\n2,0,1\n0,1,0\n"
    graph = from_text(tmp_path, text, format="matrix", weight="weight")
    assert graph.edges["weight"].to_list() == [1, 2, 1]
    assert from_text(tmp_path, text, format="matrix", multigraph=True).n_edges == 4
    with pytest.raises(FormatError, match=r"1 entries .* row 1, column 2; allowed: whole numbers"):
        from_text(tmp_path, "0,1.5\n1.5,0\n", format="matrix", multigraph=True)
    with pytest.raises(FormatError, match=r"cannot count parallel edges"):
        from_text(tmp_path, "0,-1\n-1,0\n", format="matrix", multigraph=True)
    signed = from_text(tmp_path, "0,-1\n-1,0\n", format="matrix", weight="weight")
    assert signed.edges["weight"].to_list() == [-1]
    spanish = from_text(tmp_path, "0;1,5\n1,5;0\n", format="matrix")
    assert spanish.edges["weight"].to_list() == [1.5]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("0,1,0\n1,0,1\n", "2 by 3"),
        ("0,1,0,1\n1,0,1,1\n2,1,0,0\n4,0,0,0\n0,1,0,1\n", "5 by 4"),
        ("a,b\n0,1\n1,0\n1,1\n", "4 by 2"),
        ("0,1,0\n1,0,SECRET\n0,1,0\n", "line 2 of matrix.csv, column 3, is not a number"),
        ("a,b\n0,1\n1,\n", "line 3 of matrix.csv, column 2"),
        (",a,b\na,0,SECRET\nb,1,0\n", "line 2 of matrix.csv, column 3"),
        ("0,1\n1,inf\n", "not a number"),
        ("0,1\n1,nan\n", "not a number"),
        ("0,1\n1\n", "line 2 .* one cell"),
    ],
)
def test_broken_matrices(tmp_path: Path, text: str, match: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        from_text(tmp_path, text, format="matrix")
    assert "SECRET" not in str(caught.value)
    assert caught.value.hint


def test_tiny_matrices(tmp_path: Path) -> None:
    assert from_text(tmp_path, "0\n", format="matrix").n_vertices == 1
    assert from_text(tmp_path, ",a\na,1\n").names.to_list() == ["a"]
    assert read(np.zeros((0, 0))).n_vertices == 0
    with pytest.raises(InputError, match="0 vertices"):
        write(read(np.zeros((0, 0))), tmp_path / "graph.csv", format="matrix")


def test_arrays() -> None:
    graph = read(np.array([[False, True], [True, False]]))
    assert (graph.n_edges, graph.edges.width, graph.names.to_list()) == (1, 0, [0, 1])
    assert read(np.array([[0, 1], [0, 0]], dtype=np.float32)).directed
    for wrong, match in (
        (np.zeros((2, 3)), "2 by 3"),
        (np.zeros(4), "has as many rows as columns"),
        (np.array([["a", "b"], ["c", "d"]]), "no numbers"),
        (np.array([[1j, 0], [0, 0]]), "no numbers"),
        (np.array([[0, np.nan], [0, 0]]), "row 1, column 2 .* NaN"),
        (np.array([[0, np.inf], [0, 0]]), "infinite"),
    ):
        with pytest.raises(FormatError, match=match):
            read(wrong)


def test_numbers_of_edges_beyond_measure() -> None:
    for entry in (1e300, 2**60):
        with pytest.raises(FormatError, match="more than 100000000 parallel"):
            read(np.array([[0, entry], [entry, 0]]), multigraph=True)
    half = read(np.array([[0, 0.5], [0.5, 0]], dtype=np.float16), weight="weight")
    assert half.edges["weight"].to_list() == [0.5]


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix, sparse.lil_matrix])
def test_sparse_matrices(make: Any) -> None:
    dense = np.array([[0, 2, 0], [2, 0, 0], [0, 0, 1]])
    graph = read(make(dense), weight="weight")
    assert edge_rows(graph) == edge_rows(read(dense, weight="weight"))
    assert (to_matrix(graph).toarray() == dense).all()


def test_stored_zeros_are_no_edges_and_what_is_stored_twice_adds_up() -> None:
    twice = sparse.coo_array(([1, 1, 0, 2], ([0, 0, 1, 1], [1, 1, 2, 0])), shape=(3, 3))
    graph = read(twice)
    assert edge_rows(graph) == Counter([("0", "1", ("weight", 2))])
    with pytest.raises(FormatError, match="2 by 3"):
        read(sparse.csr_array((2, 3)))


@given(graph=graphs(with_attributes=False, bipartite=False, min_vertices=1), data=st.data())
def test_matrices_of_graphs_against_the_definition(graph: Graph, data: st.DataObject) -> None:
    n = graph.n_vertices
    weights = data.draw(st.lists(st.integers(-9, 9), min_size=graph.n_edges, max_size=graph.n_edges))
    weighted = Graph.of_edges(
        graph.source,
        graph.target,
        n,
        directed=graph.directed,
        multigraph=graph.multigraph,
        edges=pl.DataFrame({"km": weights}, schema={"km": pl.Int64}),
        weight="km",
    )
    for made, amounts in ((graph, [1] * graph.n_edges), (weighted, weights)):
        expected = np.zeros((n, n), dtype=int)
        for u, v, amount in zip(graph.source, graph.target, amounts, strict=True):
            expected[u, v] += amount
            if not graph.directed and u != v:
                expected[v, u] += amount
        assert (to_matrix(made).toarray() == expected).all()


def test_matrices_agree_with_networkx() -> None:
    karate = nx.karate_club_graph()
    expected = nx.to_numpy_array(karate)
    assert (to_matrix(read(karate, weight="weight")).toarray() == expected).all()
    assert (to_matrix(read(karate)).toarray() == (expected > 0)).all()


def test_what_a_matrix_cannot_hold(tmp_path: Path) -> None:
    path = tmp_path / "graph.csv"
    edges = pl.DataFrame({"km": [0.0], "note": ["x"]})
    for graph, match in (
        (Graph.of_edges([0], [1], edges=edges), "attribute 'km' of edges"),
        (Graph.of_edges([0], [1], edges=edges, weight="km"), "attribute 'note' of edges"),
        (Graph.of_edges([0], [1], edges=edges.select("km"), weight="km"), "1 edges have a weight of 0"),
        (Graph.of_edges([0], [1], edges=edges.select("km"), weight="km", multigraph=True), "parallel edges"),
        (Graph.of_edges([0], [1], vertices=pl.DataFrame({"age": [1, 2]})), "attribute 'age' of vertices"),
        (Graph.of_edges([0], [1], sides=[0, 1]), "sides of vertices"),
        (Graph.of_edges([], [], 20_001), "20001 vertices"),
    ):
        with pytest.raises(InputError, match=match):
            write(graph, path, format="matrix")
    assert not list(tmp_path.iterdir())
    write(Graph.of_edges([0], [1], sides=[0, 1]), path, format="matrix", vertices=tmp_path / "vertices.csv")
    assert read(path, vertices=tmp_path / "vertices.csv").sides is not None
