from __future__ import annotations

import io
import traceback
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from celosia.base.errors import CelosiaError, FormatError
from celosia.data.io import read

CANARY = "Amparo-7391"


def write_file(frame: pd.DataFrame, path: Path) -> None:
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_feather(path, compression="uncompressed")


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_categories_become_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"people{suffix}"
    job = pd.Categorical(["clerk", None, "judge"], categories=[CANARY, "judge", "clerk"])
    write_file(pd.DataFrame({"job": job, "age": [1, 2, 3]}), path)
    frame = read(path).frame
    assert frame.schema == {"job": pl.String, "age": pl.Int64}
    assert frame["job"].to_list() == ["clerk", None, "judge"]


def test_the_index_of_pandas_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    pd.DataFrame({"age": [1, 2]}, index=[CANARY, "x"]).to_parquet(path)
    assert b"__index_level_0__" in path.read_bytes()
    assert read(path).frame.columns == ["age"]


def test_streams_are_read_too(tmp_path: Path) -> None:
    table = pa.table({"zip": ["01001", None]})
    path = tmp_path / "people.arrow"
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)
    assert read(path).frame.rows() == [("01001",), (None,)]


@pytest.mark.parametrize(
    "column",
    [pa.array([[1], [2]]), pa.array([{"x": 1}, {"x": 2}]), pa.array([b"\x01", b"\x02"])],
    ids=["list", "struct", "bytes"],
)
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_nested_columns_are_refused(tmp_path: Path, column: pa.Array, suffix: str) -> None:
    path = tmp_path / f"people{suffix}"
    table = pa.table({"age": [1, 2], "nest": column})
    if suffix == ".parquet":
        pa.parquet.write_table(table, path)
    else:
        pa.feather.write_feather(table, str(path))
    with pytest.raises(FormatError, match=f"'nest' of people{suffix}"):
        read(path)


def test_nan_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    pl.DataFrame({"mark": [1.5, float("nan"), None]}).write_parquet(path)
    assert read(path).frame["mark"].to_list() == [1.5, None, None]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather", ".pq", ".ipc"])
def test_broken_files(tmp_path: Path, suffix: str) -> None:
    whole = io.BytesIO()
    frame = pl.DataFrame({"name": [CANARY] * 500, "n": range(500)})
    if suffix in (".parquet", ".pq"):
        frame.write_parquet(whole, compression="uncompressed")
    else:
        frame.write_ipc(whole)
    path = tmp_path / f"people{suffix}"
    for data in (
        CANARY.encode(),
        whole.getvalue()[:-40],
        whole.getvalue()[40:],
        b"PAR1PAR1",
        b"ARROW1\0\0ARROW1",
        b"FEA1",
    ):
        path.write_bytes(data)
        with pytest.raises(CelosiaError) as caught:
            read(path)
        assert isinstance(caught.value, FormatError)
        assert path.name in caught.value.message
        assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_names_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    pl.DataFrame({" age ": [1], "zip": [2]}).write_parquet(path)
    assert read(path).frame.columns == ["age", "zip"]
    pl.DataFrame({"age": [1], "age ": [2]}).write_parquet(path)
    with pytest.raises(FormatError, match="columns 1 and 2"):
        read(path)


def test_a_path_is_no_pattern(tmp_path: Path) -> None:
    path = tmp_path / "people[1]*.parquet"
    pl.DataFrame({"age": [1]}).write_parquet(path)
    assert read(path).frame.rows() == [(1,)]
