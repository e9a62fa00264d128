"""Edges as rows: text files of every spelling, frames, typed files, and the table of vertices beside them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from file_graphs import edge_rows
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import ColumnNotFoundError, FormatError, InputError, OptionError
from celosia.graphs.files import read, to_frame, write
from celosia.graphs.files.edge_table import numbered
from celosia.graphs.graph import Graph


def from_text(tmp_path: Path, text: str | bytes, name: str = "edges.csv", **options: Any) -> Graph:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, **options)


def codes(graph: Graph) -> list[str]:
    return [finding.code for finding in graph.findings]


SPELLINGS = {
    "comma": ("edges.csv", "source,target,km\n007,8,1\n8,x y,2\n"),
    "semicolon": ("edges.csv", "source;target;km\n007;8;1\n8;x y;2\n"),
    "tab": ("edges.tsv", "source\ttarget\tkm\n007\t8\t1\n8\tx y\t2\n"),
    "bar": ("edges.csv", "source|target|km\n007|8|1\n8|x y|2\n"),
    "windows": ("edges.csv", "\ufeffsource,target,km\r\n007,8,1\r\n8,x y,2\r\n"),
    "quotes": ("edges.csv", 'source,target,km\n"007",8,1\n8,"x y",2\n'),
    "blank lines": ("edges.csv", "\nsource,target,km\n007,8,1\n\n8,x y,2\n\n"),
    "padded": ("edges.csv", "source, target, km\n007, 8,1\n8, x y,2\n"),
    "other order": ("edges.csv", "km,Source,TARGET\n1,007,8\n2,8,x y\n"),
    "comments": ("edges.csv", "# made by hand\n#two\nsource,target,km\n007,8,1\n8,x y,2\n"),
    "marked header": ("edges.csv", "#source,target,km\n007,8,1\n8,x y,2\n"),
    "header in a comment": ("edges.tsv", "# source\ttarget\tkm\n007\t8\t1\n8\tx y\t2\n"),
    "spanish": ("edges.csv", "origen;destino;km\n007;8;1\n8;x y;2\n"),
    "blanks": ("edges.txt", '% c\nsource   target km\n  007 8\t1 \n# c\n8  "x y" 2'),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_one_list_in_many_spellings(tmp_path: Path, spelling: str) -> None:
    name, text = SPELLINGS[spelling]
    graph = from_text(tmp_path, text, name)
    assert graph.names.to_list() == ["007", "8", "x y"]
    assert edge_rows(graph) == Counter([("007", "8", ("km", "1")), ("8", "x y", ("km", "2"))])
    assert not graph.directed
    assert not graph.multigraph


SNAP = """# Directed graph (each unordered pair of nodes is saved once)
# Nodes: 4 Edges: 3
# FromNodeId\tToNodeId
0\t1
0\t2
3\t1
"""


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "edges", "edgelist"])
def test_lists_of_snap(tmp_path: Path, suffix: str) -> None:
    graph = from_text(tmp_path, SNAP, f"snap.{suffix}", directed=True)
    assert edge_rows(graph) == Counter([("0", "1"), ("0", "2"), ("3", "1")])
    assert codes(graph) == []
    packed = from_text(tmp_path, gzip.compress(SNAP.encode()), f"snap.{suffix}.gz", directed=True)
    assert edge_rows(packed) == edge_rows(graph)
    unnamed = from_text(tmp_path, gzip.compress(SNAP.encode()), f"packed.{suffix}", directed=True)
    assert edge_rows(unnamed) == edge_rows(graph)


@pytest.mark.parametrize(
    ("text", "n_edges", "told"),
    [
        ("1,2\n2,3\n", 2, []),  # numbers are no names of columns
        ("ana,eva\neva,luis\n", 2, []),  # eva comes up again
        ("u,v\n1,2\n", 1, []),
        ("u,v\nv,w\n", 2, []),  # v comes up again
        ("v1,v2\nv2,v3\n", 2, []),
        ("v1,v2\n1,2\n", 1, []),
        ("person,friend\n1,2\n2,3\n", 2, []),  # names above numbers
        ("person,friend\nana,eva\neva,luis\n", 2, ["GUESSED_HEADER"]),
        ("ana,eva\n", 1, []),  # alone
        ("u,v\nana,eva\n", 1, []),
        ("u,v\nw,x\n", 1, ["GUESSED_HEADER"]),  # perhaps an edge: others are called in the same way
        ("v1,v2\nv3,v4\n", 1, ["GUESSED_HEADER"]),
        ("Node 1,Node 2\nnode_3,node_4\n", 1, ["GUESSED_HEADER"]),
        ("node1,node2\nana,eva\n", 1, []),
        ("source,target\nsource,x\n", 1, []),
    ],
)
def test_whether_the_first_line_names_columns(tmp_path: Path, text: str, n_edges: int, told: list[str]) -> None:
    graph = from_text(tmp_path, text)
    assert graph.n_edges == n_edges
    assert codes(graph) == told
    assert all(finding.severity == "warning" for finding in graph.findings)  # an edge may be lost
    n_lines = text.count("\n")
    assert from_text(tmp_path, text, header=False).n_edges == n_lines
    if n_lines > 1:
        assert from_text(tmp_path, text, header=True).n_edges == n_lines - 1


def test_columns_without_a_header_have_numbers(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "1 2 3,5\n2 3 4,25\n", "edges.txt", weight="column_3")
    assert graph.edges["column_3"].to_list() == [3.5, 4.25]
    assert from_text(tmp_path, "1 2 {}\n2 3 {}\n", "edges.txt").edges.width == 0
    with pytest.raises(FormatError, match="dictionaries"):
        from_text(tmp_path, "1 2 {'w': 3}\n2 3 {'w': 4}\n", "edges.txt")


def test_hash_signs_in_names_are_no_comments(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "#rust,#python\n#python,#zig\n")
    assert graph.names.to_list() == ["#rust", "#python", "#zig"]


def test_comments_further_down_are_told(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "a b\n# c d\nb c\n", "edges.txt")
    assert graph.n_edges == 2
    assert codes(graph) == ["COMMENT_LINES"]


def test_duplicates_loops_and_both_directions_are_merged_and_told(tmp_path: Path) -> None:
    text = "a,b\nb,a\na,b\nb,b\n"
    graph = from_text(tmp_path, text)
    assert edge_rows(graph) == Counter([("a", "b"), ("b", "b")])
    assert codes(graph) == ["SELF_LOOPS", "DUPLICATE_EDGES"]
    assert graph.findings[1].values == {"n_merged": 2}
    assert from_text(tmp_path, text, multigraph=True).n_edges == 4
    assert from_text(tmp_path, text, directed=True).n_edges == 3


def test_merged_edges_that_disagree_are_told(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "source,target,km\na,b,1\nb,a,2\na,b,1\nb,c,1\n", weight="km")
    assert codes(graph) == ["DUPLICATE_EDGES", "CONFLICTING_EDGES"]
    assert graph.findings[1].values == {"n_lost": 1}


def test_names_like_missing_values_are_told(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "source,target\nNA,b\nb,null\nNA,c\n")
    assert codes(graph) == ["NAMES_LIKE_MISSING"]
    assert graph.findings[0].values == {"n_ends": 3}
    assert graph.n_vertices == 4


def test_weights(tmp_path: Path) -> None:
    text = "source;target;km;note\na;b;1,5;x\nb;c;2,25;\n"
    graph = from_text(tmp_path, text, weight="km")
    assert graph.edges["km"].to_list() == [1.5, 2.25]
    assert graph.edges["note"].to_list() == ["x", None]
    assert from_text(tmp_path, text).weight is None
    with pytest.raises(InputError, match=r"not a number on 2 of 2 edges .* line 2"):
        from_text(tmp_path, text, weight="note")
    with pytest.raises(ColumnNotFoundError, match="no attribute 'kn'"):
        from_text(tmp_path, text, weight="kn")
    with pytest.raises(InputError, match=r"1 of 2 edges .* line 3"):
        from_text(tmp_path, "source,target,km\na,b,1\nb,c,SECRET\n", weight="km")


def test_windows_text(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "source;target\nÁlvaro;Íñigo\nÍñigo;€\n".encode("windows-1252"))
    assert graph.names.to_list() == ["Álvaro", "Íñigo", "€"]
    assert from_text(tmp_path, "a,b\nb,é\n".encode("utf-16")).names.to_list() == ["a", "b", "é"]


KINDS = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "arrow": lambda frame: frame.to_arrow(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_frames(kind: str) -> None:
    frame = pl.DataFrame({"since": [1999, 2003], "from": [7, 8], "to": [8, 2**62]})
    graph = read(KINDS[kind](frame), weight="since")
    assert graph.names.to_list() == [7, 8, 2**62]
    assert graph.names.dtype == pl.Int64
    assert graph.edges["since"].to_list() == [1999, 2003]
    assert read(KINDS[kind](frame.with_columns(pl.col("from", "to").cast(pl.String)))).names.dtype == pl.String


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_typed_files(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"person": ["007", "8"], "friend": ["8", "9"], "km": [1.5, 2.5]})
    path = tmp_path / f"edges.{suffix}"
    frame.write_parquet(path) if suffix == "parquet" else frame.write_ipc(path)
    graph = read(path, weight="km")
    assert graph.names.to_list() == ["007", "8", "9"]
    assert graph.name == f"edges.{suffix}"


def test_odd_frames() -> None:
    assert read(pd.DataFrame({"u": [1.0, 2.0], "v": [2.0, 3.0]})).names.to_list() == [1, 2, 3]
    assert read(pl.DataFrame({"u": pl.Series([1], dtype=pl.UInt8), "v": [300]})).names.to_list() == [1, 300]
    assert read(pl.DataFrame({"u": [-5, -5], "v": [7, -(2**62)]})).names.to_list() == [-5, 7, -(2**62)]
    categories = pl.DataFrame({"u": ["a"], "v": ["b"]}, schema={"u": pl.Categorical, "v": pl.Categorical})
    assert read(categories).names.to_list() == ["a", "b"]
    with pytest.raises(FormatError, match="mixes text"):
        read(pd.DataFrame({"u": [1, "1"], "v": [2, 3]}, dtype=object))
    with pytest.raises(FormatError, match="different kinds"):
        read(pl.DataFrame({"u": [1], "v": ["1"]}))
    with pytest.raises(FormatError, match="not whole"):
        read(pl.DataFrame({"u": [1.5], "v": [2.0]}))
    with pytest.raises(FormatError, match=r"1 of 2 edges .* edge 2"):
        read(pd.DataFrame({"u": [1, 2], "v": [2, np.nan]}))
    with pytest.raises(FormatError, match="2 of 3 edges"):
        read(pl.DataFrame({"u": ["a", "b", "nan"], "v": ["b", " ", "c"]}))
    with pytest.raises(FormatError, match="needs two"):
        read(pl.DataFrame({"u": [1]}))
    with pytest.raises(FormatError, match="same name"):
        read(pa.table([[1], [2]], names=["u", "u"]))
    with pytest.raises(FormatError, match="no edge"):
        read(pl.DataFrame({"u": [], "v": []}, schema={"u": pl.Int64, "v": pl.Int64}))
    with pytest.raises(InputError, match="of type list is not a graph"):
        read([(1, 2)])


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=30),
    st.sampled_from(["number", "text", "zeros", "words", "large"]),
)
def test_numbering_against_a_dictionary(pairs: list[tuple[int, int]], spelling: str) -> None:
    spell = {
        "number": lambda n: n,
        "text": str,
        "zeros": lambda n: f"{n:02}",
        "words": lambda n: f"w{n}",
        "large": lambda n: n * 10**17,
    }[spelling]
    rows = [(spell(u), spell(v)) for u, v in pairs]
    places: dict[Any, int] = {}
    for row in rows:
        for name in row:
            places.setdefault(name, len(places))
    dtype = pl.Int64 if spelling in ("number", "large") else pl.String
    columns = [pl.Series([row[side] for row in rows], dtype=dtype) for side in (0, 1)]
    (source, target), names = numbered(*columns)
    assert names.to_list() == list(places)
    assert names.dtype == dtype
    assert source.tolist() == [places[u] for u, _ in rows]
    assert target.tolist() == [places[v] for _, v in rows]


def test_vertices_from_a_file_or_frame(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age;Id\n39;b\n44;a\n;alone\n")
    (tmp_path / "edges.csv").write_text("source,target\na,b\n")
    for vertices in (tmp_path / "people.csv", pl.DataFrame({"age": ["39", "44", None], "id": ["b", "a", "alone"]})):
        graph = read(tmp_path / "edges.csv", vertices=vertices)
        assert graph.names.to_list() == ["b", "a", "alone"]
        assert graph.vertices.to_dict(as_series=False) == {"age": ["39", "44", None]}
        assert edge_rows(graph) == Counter([("a", "b")])
        assert graph.to_dict()["n_isolated"] == 1


def test_a_header_alone_with_a_table_of_vertices(tmp_path: Path) -> None:
    vertices = pl.DataFrame({"id": ["a", "b"]})
    graph = from_text(tmp_path, "source,target\n", vertices=vertices)
    assert (graph.n_vertices, graph.n_edges) == (2, 0)
    with pytest.raises(FormatError, match="no edge, only names"):
        from_text(tmp_path, "source,target\n")


@pytest.mark.parametrize(
    ("vertices", "match"),
    [
        ({"id": ["a", "b", "a"]}, "1 rows of the vertices repeat a vertex; the first is row 3"),
        ({"id": ["a", None, "b"]}, "1 rows of the vertices have no name of a vertex; the first is row 2"),
        ({"id": ["a", "c"]}, r"1 of 3 vertices are missing .* line 3"),
        ({"id": [1, 2]}, "3 of 3 vertices are missing"),
    ],
)
def test_broken_tables_of_vertices(tmp_path: Path, vertices: dict[str, list[Any]], match: str) -> None:
    with pytest.raises(FormatError, match=match):
        from_text(tmp_path, "source,target\na,c\nb,c\n", vertices=pl.DataFrame(vertices))


def test_vertices_add_to_the_attributes_of_a_graph() -> None:
    graph = nx.Graph([("a", "b")])
    graph.nodes["a"]["age"] = 39
    more = pl.DataFrame({"id": ["b", "c", "a"], "job": ["x", "y", "z"]})
    both = read(graph, vertices=more)
    assert both.vertices.to_dict(as_series=False) == {"age": [None, None, 39], "job": ["x", "y", "z"]}
    with pytest.raises(FormatError, match="'age' of vertices is in"):
        read(graph, vertices=more.rename({"job": "age"}))
    numbers = read(nx.path_graph(3), vertices=pl.DataFrame({"id": ["2", "1", "0"]}))
    assert numbers.names.to_list() == ["2", "1", "0"]


def test_bipartite_by_columns(tmp_path: Path) -> None:
    graph = from_text(tmp_path, "student,exam\nana,maths\neva,maths\n", bipartite=True)
    assert dict(zip(graph.names, graph.sides.tolist(), strict=True)) == {"ana": 0, "maths": 1, "eva": 0}
    assert graph.kind == "bipartite graph"
    assert from_text(tmp_path, "student,exam\nana,maths\n").sides is None
    with pytest.raises(InputError, match=r"1 vertices .* both columns .* line 3"):
        from_text(tmp_path, "source,target\neva,art\nana,maths\nmaths,ana2\n", bipartite=True)
    sides = pl.DataFrame({"id": ["a", "b", "c"], "bipartite": ["0", "1", "0"]})
    told = from_text(tmp_path, "source,target\na,b\nb,c\n", vertices=sides)
    assert told.sides.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match=r"1 edges .* same side .* line 3"):
        from_text(tmp_path, "source,target\na,b\na,c\n", vertices=sides)
    with pytest.raises(InputError, match=r"1 vertices .* have no edge"):
        from_text(tmp_path, "source,target\na,b\n", vertices=sides.select("id"), bipartite=True)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "empty"),
        ("\n\n  \n", "empty"),
        ("# nothing\n", "empty"),
        ("SECRET\n", "line 1 .* one cell"),
        ("a,b\nSECRET\n", "line 2 .* one cell"),
        ("source,target,km\na,b,1\nb,c\n", "line 3 .* 2 cells; the lines before have 3"),
        ("source,target\na,b\nb,c,SECRET\n", "line 3 .* 3 cells; the lines before have 2"),
        ("source,target\na,b\n,SECRET\nb,\n", "2 of 3 edges .* lack an end .* line 3"),
        ("source,target\na,b\n , \n", "1 of 2 edges .* line 3"),
        ("source,target\na,b\nNaN,SECRET\n", "1 of 2 edges .* lack an end .* line 3"),
        ('source,target\na,b\n"SECRET,c\n', "quote is broken in line 3"),
        ("source,target,source\na,b,c\n", "columns 1 and 3 .* same name"),
        (",source,target\n0,a,b\n", "without a name"),
        ("source,target\na,b\0\n", "line 2 .* NUL"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_broken_lists(tmp_path: Path, text: str, match: str, end: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        from_text(tmp_path, text.replace("\n", end))
    assert "SECRET" not in str(caught.value)
    assert caught.value.hint


def test_lines_are_counted_behind_comments_and_quotes(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 5"):
        from_text(tmp_path, "# a\n# b\nsource,target\na,b\n,b\n")
    with pytest.raises(FormatError, match="line 4"):
        from_text(tmp_path, "a b\n# c\n\nNaN b\n", "edges.txt")
    with pytest.raises(FormatError, match="edge 2"):
        from_text(tmp_path, 'source,target\n"a\nz",b\n,b\n')  # records longer than a line


def test_options_that_are_not_allowed(tmp_path: Path) -> None:
    for options, match in (
        ({"delimiter": "ab"}, "delimiter"),
        ({"delimiter": "x"}, "delimiter"),
        ({"encoding": "klingon"}, "not a text encoding"),
        ({"format": "exel"}, "not a format of graphs"),
    ):
        with pytest.raises(OptionError, match=match):
            from_text(tmp_path, "a,b\n", **options)
    with pytest.raises(OptionError, match="'delimiter' is for files of text, not for graphml"):
        from_text(tmp_path, "<graphml/>", "graph.graphml", delimiter=",")
    with pytest.raises(OptionError, match="'format' is for files"):
        read(np.zeros((2, 2)), format="csv")
    with pytest.raises(OptionError, match="'header' is for edges"):
        from_text(tmp_path, "0,1\n1,0\n", format="matrix", header=True)
    with pytest.raises(FormatError, match=r"line 1 .* not valid utf-8"):
        from_text(tmp_path, "a,é\n".encode("latin-1"), encoding="utf-8")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(InputError, match="it is a folder"):
        read(tmp_path)
    with pytest.raises(FormatError, match=r"suffix '.docx' .* allowed: .csv"):
        from_text(tmp_path, "x", "graph.docx")
    with pytest.raises(FormatError, match="not a readable Parquet"):
        from_text(tmp_path, "x", "graph.parquet")
    packed = gzip.compress(b"a,b\n" * 1000)
    for broken in (packed[:-9], packed[: len(packed) // 2], packed[:12] + b"xx" + packed[14:]):
        with pytest.raises(FormatError, match="damaged or cut short"):
            from_text(tmp_path, broken, "edges.csv.gz")


def test_bombs_are_not_unpacked_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celosia.graphs.files.formats._ALWAYS_ALLOWED", 1 << 20)
    for name, pack in (("bomb.csv.gz", gzip.compress), ("bomb.csv.bz2", bz2.compress), ("bomb.csv.xz", lzma.compress)):
        with pytest.raises(FormatError, match="200 times"):
            from_text(tmp_path, pack(b"a,b\n" * (1 << 21)), name)


def test_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "graph.zip", "w") as archive:
        archive.writestr("folder/edges.csv", "a,b\nb,c\n")
    assert read(tmp_path / "graph.zip").n_edges == 2
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("edges.csv", "a,b\n")
        archive.writestr("others.csv", "a,b\n")
    with pytest.raises(FormatError, match="holds 2 files"):
        read(tmp_path / "two.zip")


def test_long_and_strange_names(tmp_path: Path) -> None:
    long = "x" * 200_000
    graph = from_text(tmp_path, f"source,target\n{long},9{'9' * 40}\n+1,1\n01,1\n1e0,1\n")
    assert graph.names.to_list() == [long, "9" * 41, "+1", "1", "01", "1e0"]


def test_attributes_as_good_as_names_are_told(tmp_path: Path) -> None:
    vertices = pl.DataFrame({"id": ["a", "b", "c"], "mail": ["x@a", "x@b", "x@c"], "sex": ["f", "m", "f"]})
    graph = from_text(tmp_path, "source,target\na,b\nb,c\n", vertices=vertices)
    assert [(finding.code, finding.column) for finding in graph.findings] == [("IDENTIFYING_ATTRIBUTE", "mail")]


def test_frames_of_edges() -> None:
    graph = read(pl.DataFrame({"u": ["b", "a"], "v": ["a", "c"], "km": [1, 2]}), directed=True)
    assert sorted(to_frame(graph).rows()) == [("a", "c", 2), ("b", "a", 1)]
    assert to_frame(graph).columns == ["source", "target", "km"]
    clash = Graph.of_edges([0], [1], edges=pl.DataFrame({"source": [1]}))
    with pytest.raises(FormatError, match="called 'source'"):
        to_frame(clash)


def test_an_attribute_of_mixed_kinds_becomes_text() -> None:
    graph = read(pd.DataFrame({"u": [1, 2], "v": [2, 3], "note": pd.Series([1, "x"], dtype=object)}))
    assert graph.edges["note"].to_list() == ["1", "x"]


@pytest.mark.parametrize("suffix", ["csv.gz", "csv", "parquet.xz", "tsv.bz2"])
def test_tables_of_vertices_may_be_packed(tmp_path: Path, suffix: str) -> None:
    graph = Graph.of_edges([0], [1], 3, vertices=pl.DataFrame({"age": [39, 44, 51]}))
    write(graph, tmp_path / "edges.csv", vertices=tmp_path / f"people.{suffix}")
    back = read(tmp_path / "edges.csv", vertices=tmp_path / f"people.{suffix}")
    assert sorted(back.vertices["age"].cast(pl.Int64)) == [39, 44, 51]


def test_a_workbook_is_no_graph(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "graph.xlsx", "w") as archive:
        archive.writestr("a.xml", "")
        archive.writestr("b.xml", "")
    with pytest.raises(FormatError, match=r"suffix '.xlsx'"):
        read(tmp_path / "graph.xlsx")
