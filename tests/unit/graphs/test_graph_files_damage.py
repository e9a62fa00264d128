"""Damaged files of every format: a clear error or a graph, never anything else, and no cell in a message."""

from __future__ import annotations

import resource
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.graphs.files import read, write
from celosia.graphs.graph import Graph

FORMATS = ["csv", "tsv", "edgelist", "matrix", "graphml", "gexf", "gml", "pajek", "csv.gz", "csv.zip", "csv.bz2"]
SECRET = "SECRET"
PIECES = [
    b"\n",
    b'"',
    b"\r",
    b",",
    b"<",
    b">",
    b"[",
    b"]",
    b"*",
    b"#",
    b"1e999",
    b"nan",
    b"\xff\xfe",
    b"&",
    b"\t",
    b"\0",
]


@cache
def healthy(format: str) -> bytes:
    kind, _, packing = format.partition(".")
    names = pl.Series([f"{SECRET}{place}" for place in range(5)])
    graph = Graph.of_edges([0, 1, 2, 2, 3], [1, 2, 2, 0, 4], multigraph=True, names=names)
    if kind in ("graphml", "gexf", "gml", "pajek"):
        cells = [f"{SECRET} x{place}" for place in range(5)]
        graph = Graph.of_edges(
            graph.source,
            graph.target,
            names=names,
            multigraph=True,
            vertices=pl.DataFrame({"job": cells, "age": [1, None, 3, 4, 5]}),
            edges=pl.DataFrame({"weight": [1.5, 2.0, 3.0, 4.0, 5.0], "note": cells}),
        )
    path = Path(tempfile.mkdtemp(), f"graph.{packing}")
    write(graph, path, format=kind, keep_names=True, randomness=Randomness(1))
    return path.read_bytes()


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        how = draw(st.integers(0, 3))
        if how == 0:
            data = data[:place]
        elif how == 1:
            data = data[:place] + data[place + draw(st.integers(1, 20)) :]
        elif how == 2:
            data = data[:place] + draw(st.sampled_from(PIECES) | st.binary(min_size=1, max_size=2)) + data[place:]
        else:
            start = draw(st.integers(0, len(data)))
            data = data[:place] + data[start : start + draw(st.integers(1, 40))] + data[place:]
    return data


@pytest.mark.parametrize("format", FORMATS)
@tries(150)
@given(data=st.data())
def test_damaged_files(format: str, data: st.DataObject) -> None:
    broken = data.draw(damaged(healthy(format)))
    kind, _, packing = format.partition(".")
    path = Path(tempfile.mkdtemp(), f"graph.{packing}")
    path.write_bytes(broken)
    options = data.draw(
        st.fixed_dictionaries(
            {
                "directed": st.none() | st.booleans(),
                "multigraph": st.none() | st.booleans(),
                "weight": st.sampled_from([None, "weight", "note"]),
                "bipartite": st.none() | st.booleans(),
            }
        )
    )
    caught, said = None, ""
    try:
        graph = read(path, format=kind, **options)
        said = " ".join(finding.message for finding in graph.findings)
    except InputError as error:
        caught, said = error, str(error)
    assert SECRET not in said
    if caught is not None:
        assert caught.hint
        assert caught.__suppress_context__ or SECRET not in str(caught.__context__)


@pytest.mark.slow
@pytest.mark.parametrize("spelling", ["number", "text"])
def test_five_million_edges_within_ten_seconds_and_linear_memory(tmp_path: Path, spelling: str) -> None:
    """Seconds of the processor: other work on the machine does not count."""
    generator = np.random.default_rng(1)
    ends = [pl.Series(generator.integers(0, 1_000_000, 5_000_000)) for _ in range(2)]
    if spelling == "text":
        ends = ["user_" + end.cast(pl.String).str.zfill(8) for end in ends]
    pl.DataFrame({"source": ends[0], "target": ends[1]}).write_csv(tmp_path / "edges.csv")
    expected = pl.concat(ends).n_unique()
    del ends
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    graph = read(tmp_path / "edges.csv")
    seconds = time.process_time() - start
    assert graph.n_vertices == expected
    assert seconds < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2_000_000  # 400 bytes per edge
