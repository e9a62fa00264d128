"""What goes out: fresh names, no order, no trace of the original; whole files or none."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
import pytest
from file_graphs import edge_rows

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.graphs.files import read, write
from celosia.graphs.files.outgoing import outgoing
from celosia.graphs.graph import Graph

CANARY = "Amparo-7391"
FORMATS = ["csv", "tsv", "edgelist", "graphml", "gexf", "gml", "pajek", "parquet", "arrow", "matrix"]
PACKINGS = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, ".zip": bytes}


def people(n: int = 40) -> Graph:
    """A ring whose vertices, file and attributes were called by names that nobody may learn."""
    names = pl.Series([f"{CANARY}-{place:03}" for place in range(n)])
    return Graph.of_edges(np.arange(n), np.roll(np.arange(n), 1), names=names, name=f"{CANARY}.graphml")


def insides(path: Path) -> bytes:
    """The bytes of a file, unpacked too."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            return data + b"".join(archive.read(one) + one.extra + one.comment for one in members) + archive.comment
    return data + PACKINGS[path.suffix if path.suffix in PACKINGS else ""](data)


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("format", FORMATS)
def test_no_name_of_the_original_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, packing: str
) -> None:
    monkeypatch.setattr("celosia.data.io.arrow._COMPRESSION", "uncompressed")
    path = tmp_path / f"published{packing}"
    write(people(), path, format=format)
    assert CANARY.encode() not in insides(path)
    assert b"published" not in insides(path)
    write(people(), path, format=format, keep_names=True)
    assert CANARY.encode() in insides(path)  # the scan would find it


@pytest.mark.parametrize("format", FORMATS)
def test_no_author_date_or_tool_goes_out(tmp_path: Path, format: str) -> None:
    write(people(), tmp_path / "a", format=format, randomness=Randomness(1))
    write(people(), tmp_path / "b", format=format, randomness=Randomness(1))
    data = (tmp_path / "a").read_bytes()
    assert data == (tmp_path / "b").read_bytes()
    assert not re.search(rb"networkx|celosia|creator|lastmodified|20[0-9][0-9]-[0-9]{2}", data, re.IGNORECASE)


@pytest.mark.parametrize("packing", [".gz", ".zip", ".bz2", ".xz"])
def test_packed_files_hold_neither_name_nor_time(tmp_path: Path, packing: str) -> None:
    path = tmp_path / f"{CANARY}.csv{packing}"
    write(people(), path, randomness=Randomness(1))
    assert CANARY.encode() not in insides(path)
    if packing == ".gz":
        assert path.read_bytes()[3:8] == b"\0\0\0\0\0"  # no flags, no time
    if packing == ".zip":
        with zipfile.ZipFile(path) as archive:
            assert [(one.filename, one.date_time) for one in archive.infolist()] == [
                ("graph.csv", (1980, 1, 1, 0, 0, 0))
            ]


def test_names_and_orders_are_random_by_default() -> None:
    """Of 40! orders the original must not come up, nor the same one twice."""
    graph = people()
    first, second = (outgoing(graph, Randomness())[1].to_list() for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(40))
    assert len({tuple(first), tuple(second), tuple(range(40))}) == 3
    out, _ = outgoing(graph, Randomness())
    ends = list(zip(out.source.tolist(), out.target.tolist(), strict=True))
    assert ends != sorted(ends)
    assert 0 < sum(u < v for u, v in ends) < len(ends)  # either way round


def test_every_order_of_names_is_as_likely_as_any_other() -> None:
    graph = Graph.of_edges([0, 1], [1, 2])
    randomness = Randomness(seed=7)
    counts = Counter(tuple(outgoing(graph, randomness)[1]) for _ in range(6000))
    assert len(counts) == 6
    assert all(abs(count - 1000) < 6 * np.sqrt(1000) for count in counts.values())


def test_order_and_direction_of_edges_do_not_depend_on_the_names() -> None:
    """The same edge stands first or last, and either way round, whatever its vertices are called."""
    graph = Graph.of_edges([0, 2], [1, 3])
    randomness = Randomness(seed=7)
    counts: Counter[tuple[bool, bool]] = Counter()
    for _ in range(4000):
        out, names = outgoing(graph, randomness)
        first = {int(names[0]), int(names[1])}
        is_first = {int(out.source[0]), int(out.target[0])} == first
        counts[is_first, int(out.source[0] if is_first else out.source[1]) == int(names[0])] += 1
    assert all(
        abs(counts[key] - 1000) < 6 * np.sqrt(1000) for key in [(a, b) for a in (True, False) for b in (True, False)]
    )


def test_the_default_is_the_secure_generator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    drawn: list[int] = []

    def token_bytes(n: int) -> bytes:
        drawn.append(n)
        return bytes(n)

    monkeypatch.setattr("celosia.base.chance.secrets.token_bytes", token_bytes)
    write(people(), tmp_path / "graph.csv")
    assert sum(drawn) >= 8 * (40 + 40 + 40)  # vertices, edges, directions


def test_order_is_kept_on_request_alone(tmp_path: Path) -> None:
    graph = people()
    out, names = outgoing(graph, Randomness(), keep_order=True)
    assert out.source.tolist() == graph.source.tolist()
    assert out.target.tolist() == graph.target.tolist()
    assert out.names.to_list() == names.to_list()
    assert sorted(names) == list(range(40))
    assert names.to_list() != list(range(40))  # ids are fresh all the same
    write(graph, tmp_path / "graph.csv", keep_names=True, keep_order=True)
    text = (tmp_path / "graph.csv").read_text().splitlines()
    assert text[1] == f"{CANARY}-000,{CANARY}-001"


def test_attributes_go_with_their_vertices_and_edges() -> None:
    n = 200
    names = [f"v{place}" for place in range(n)]
    ends = [(u, v) for u in range(n) for v in (u + 1, u + 7) if v < n]
    graph = Graph.of_edges(
        [u for u, _ in ends],
        [v for _, v in ends],
        names=pl.Series(names),
        vertices=pl.DataFrame({"square": [place**2 for place in range(n)]}),
        edges=pl.DataFrame({"product": [u * 1000 + v for u, v in ends]}),
    )
    out, _ = outgoing(graph, Randomness())
    root = {place: int(square**0.5 + 0.5) for place, square in enumerate(out.vertices["square"])}
    for u, v, product in zip(out.source.tolist(), out.target.tolist(), out.edges["product"], strict=True):
        assert product == min(root[u], root[v]) * 1000 + max(root[u], root[v])


def test_formulas_are_neutralised_where_spreadsheets_look(tmp_path: Path) -> None:
    graph = Graph.of_edges(
        [0],
        [0],
        names=pl.Series(["=cmd|' /C calc'!A0"]),
        vertices=pl.DataFrame({"note": ["=1+1"]}),
        edges=pl.DataFrame({"@sum": ["+2*3"], "n": [-5]}),
    )
    for format in ("csv", "tsv"):
        write(graph, tmp_path / "e", format=format, vertices=tmp_path / f"v.{format}", keep_names=True)
        assert (tmp_path / "e").read_text().replace("\t", ",") == (
            "source,target,'@sum,n\n'=cmd|' /C calc'!A0,'=cmd|' /C calc'!A0,'+2*3,-5\n"
        )
        assert "'=1+1" in (tmp_path / f"v.{format}").read_text()
    write(graph, tmp_path / "graph.graphml")
    assert read(tmp_path / "graph.graphml").vertices["note"].to_list() == ["=1+1"]
    write(Graph.of_edges([0], [0], names=graph.names), tmp_path / "m.csv", format="matrix", keep_names=True)
    assert (tmp_path / "m.csv").read_text().startswith(",'=cmd")


@pytest.mark.parametrize("format", ["csv", "tsv", "edgelist", "parquet", "arrow"])
def test_edges_alone_cannot_hold_vertices(tmp_path: Path, format: str) -> None:
    for graph, match in (
        (Graph.of_edges([0], [1], 4), "2 vertices without edges"),
        (Graph.of_edges([0], [1], vertices=pl.DataFrame({"age": [39, 44]})), "attribute 'age' of vertices"),
        (Graph.of_edges([0], [1], sides=[0, 1], directed=True), "sides of vertices"),
    ):
        with pytest.raises(InputError, match=match) as caught:
            write(graph, tmp_path / "graph", format=format)
        assert "vertices=" in str(caught.value.hint)
    assert not list(tmp_path.iterdir())


def test_attributes_that_repeat_names_are_refused(tmp_path: Path) -> None:
    names = pl.Series(["ana", "eva", "luis", "jon", "pep"])
    vertices = pl.DataFrame({"label": ["ana", "eva", "luis", None, "x"], "age": [1, 2, 3, 4, 5]})
    edges = pl.DataFrame({"giver": ["ana", "eva"]})
    graph = Graph.of_edges([0, 1], [1, 2], names=names, vertices=vertices)
    path = tmp_path / "graph.graphml"
    with pytest.raises(InputError, match="'label' repeats the names"):
        write(graph, path)
    assert not path.exists()
    write(graph, path, drop=["label"])
    assert read(path).vertices.columns == ["age"]
    write(graph, path, keep_names=True)
    with pytest.raises(InputError, match="'giver' repeats"):
        write(Graph.of_edges([0, 1], [1, 2], names=names, edges=edges), path)
    numbers = Graph.of_edges([0, 1], [1, 2], 5, vertices=pl.DataFrame({"id": [0, 1, 2, 3, 4]}))
    with pytest.raises(InputError, match="'id' repeats"):
        write(numbers, path)
    write(Graph.of_edges([0, 1], [1, 2], edges=pl.DataFrame({"weight": [1, 2]})), path)  # numbers agree by chance
    with pytest.raises(OptionError, match="'labl' is no attribute"):
        write(graph, path, drop=["labl"])
    with pytest.raises(OptionError, match="list of attributes"):
        write(graph, path, drop="label")


def test_labels_of_gexf_gml_and_pajek_are_names_and_stay_behind(tmp_path: Path) -> None:
    original = nx.Graph([("Amparo", "Benita"), ("Benita", "Carmen")])
    for suffix, save in (("gexf", nx.write_gexf), ("gml", nx.write_gml), ("net", nx.write_pajek)):
        save(original, tmp_path / f"original.{suffix}")
        write(read(tmp_path / f"original.{suffix}"), tmp_path / f"published.{suffix}")
        text = (tmp_path / f"published.{suffix}").read_text()
        assert not re.search("Amparo|Benita|Carmen", text)


def test_a_failure_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text("earlier")
    bad = Graph.of_edges([0], [1], vertices=pl.DataFrame({"a": ["x", "\x01"]}))
    with pytest.raises(InputError):
        write(bad, path)
    assert path.read_text() == "earlier"
    assert [one.name for one in tmp_path.iterdir()] == ["graph.graphml"]
    clash = Graph.of_edges([0], [1], vertices=pl.DataFrame({"id": ["x", "y"]}))
    with pytest.raises(InputError, match="called 'id'"):
        write(clash, tmp_path / "edges.csv", vertices=tmp_path / "vertices.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["graph.graphml"]


def test_targets_that_are_refused(tmp_path: Path) -> None:
    graph = Graph.of_edges([0], [1])
    cases: list[tuple[str, dict[str, Any], type[Exception], str]] = [
        ("none/graph.csv", {}, InputError, "folder does not exist"),
        ("graph.docx", {}, InputError, "suffix '.docx'"),
        ("graph.csv", {"format": "exel"}, OptionError, "not a format"),
        ("graph.graphml", {"vertices": tmp_path / "v.csv"}, OptionError, "hold their vertices themselves"),
        ("graph.csv", {"vertices": tmp_path / "v.gml"}, OptionError, "not written as gml"),
        ("graph.csv", {"vertices": tmp_path / "graph.csv"}, OptionError, "a file each"),
    ]
    for name, options, error, match in cases:
        with pytest.raises(error, match=re.escape(match)):
            write(graph, tmp_path / name, **options)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        write(graph, tmp_path / "folder.csv")


@pytest.mark.parametrize("format", ["graphml", "gexf", "gml", "pajek"])
def test_graphs_without_vertices_or_edges(tmp_path: Path, format: str) -> None:
    for graph in (Graph.of_edges([], [], 0), Graph.of_edges([], [], 3)):
        write(graph, tmp_path / "graph", format=format)
        back = read(tmp_path / "graph", format=format)
        assert (back.n_vertices, back.n_edges) == (graph.n_vertices, 0)


def test_the_report_of_names_undoes_the_disguise(tmp_path: Path) -> None:
    graph = people()
    names = write(graph, tmp_path / "graph.graphml")
    assert edge_rows(read(tmp_path / "graph.graphml")) == edge_rows(graph, names.to_list())


def test_nothing_is_imported_that_is_not_needed() -> None:
    """Neither networkx nor scipy: a file of edges, a check and a file out need the core alone."""
    import subprocess
    import sys

    code = (
        "import sys, tempfile, pathlib; sys.modules['networkx'] = None; sys.modules['scipy'] = None\n"
        "from celosia.graphs.files import read, write, to_networkx, to_matrix\n"
        "from celosia.base.errors import InputError\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "(folder / 'e.csv').write_text('a,b\\nb,c\\n')\n"
        "graph = read(folder / 'e.csv')\n"
        "for suffix in ('csv', 'graphml', 'gexf', 'gml', 'net', 'parquet'):\n"
        "    write(graph, folder / f'x.{suffix}')\n"
        "    assert read(folder / f'x.{suffix}').n_edges == 2\n"
        "for convert in (to_networkx, to_matrix):\n"
        "    try:\n"
        "        convert(graph)\n"
        "    except InputError as error:\n"
        "        assert 'celosia[graphs]' in error.hint\n"
        "    else:\n"
        "        raise SystemExit('no error')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
