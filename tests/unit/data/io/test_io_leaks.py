"""Canaries: values that must not be in any byte of what is written."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from celosia.data.io import from_polars, scrub, to_polars, write

CANARY = "CANARY-Amparo-7391"
NUMBER = 987_654_321_012_345
FORMATS = ["csv", "csv-es", "parquet", "xlsx", "arrow"]


def holds(data: bytes, canary: str | int) -> bool:
    if isinstance(canary, int):
        spellings = [struct.pack("<q", canary), str(canary).encode(), struct.pack("<d", canary)]
    else:
        spellings = [canary.encode(), canary.encode("utf-16-le")]
    return any(spelling in data for spelling in spellings)


def members(path: Path) -> dict[str, bytes]:
    """Return the file's bytes, and unpacked those of its members."""
    found = {path.name: path.read_bytes()}
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            assert archive.comment == b""
            found |= {info.filename: archive.read(info) + info.extra + info.comment for info in archive.infolist()}
    return found


@pytest.fixture
def plain_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compressed bytes would hide a canary from the scan."""
    monkeypatch.setattr("celosia.data.io.arrow._COMPRESSION", "uncompressed")


def tainted() -> pl.DataFrame:
    """A frame whose rows and cells with canaries were dropped or blanked, as a release's are."""
    frame = pl.DataFrame(
        {
            "name": [f"{CANARY}-{row}" if row < 40 else f"visible-{row}" for row in range(50)],
            "salary": [NUMBER if row < 40 else row for row in range(50)],
            "ratio": [float(NUMBER) if row < 40 else float(row) for row in range(50)],
            "row": range(50),
        }
    )
    keep = pl.col("row") >= 40
    blanked = frame.with_columns(
        pl.when(keep).then(pl.col(name)).otherwise(None).alias(name) for name in ("name", "salary", "ratio")
    )
    return blanked.filter(pl.col("row") >= 20)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.usefixtures("plain_parquet")
def test_blanked_cells_are_gone(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format.removesuffix('-es')}"
    write(tainted(), path, format=format)
    found = members(path)
    assert holds(b"".join(found.values()), "visible-45")
    for name, data in found.items():
        assert not holds(data, CANARY), name
        assert not holds(data, NUMBER), name


def test_the_scan_would_find_them() -> None:
    """Without scrubbing the blanked values do go out: the tests here can fail."""
    file = io.BytesIO()
    tainted().write_ipc(file)
    assert holds(file.getvalue(), CANARY)
    assert holds(file.getvalue(), NUMBER)


def arrow_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def test_frames_handed_out_are_scrubbed() -> None:
    clean = scrub(tainted())
    assert clean.equals(tainted())
    file = io.BytesIO()
    from_polars(tainted(), "polars").write_ipc(file)
    table = from_polars(tainted(), "arrow")
    for data in (file.getvalue(), arrow_bytes(table), pickle.dumps(from_polars(tainted(), "pandas"))):
        assert holds(data, "visible-45")
        assert not holds(data, CANARY)
        assert not holds(data, NUMBER)
    assert not table.schema.metadata


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.usefixtures("plain_parquet")
def test_categories_index_and_attributes_of_pandas_are_gone(tmp_path: Path, format: str) -> None:
    frame = pd.DataFrame(
        {"job": pd.Categorical(["clerk", "judge"], categories=["clerk", CANARY, "judge"])},
        index=pd.Index([f"{CANARY}-1", f"{CANARY}-2"], name=f"{CANARY}-index"),
    )
    frame.attrs["note"] = CANARY
    frame.columns.name = f"{CANARY}-columns"
    path = tmp_path / f"data.{format.removesuffix('-es')}"
    write(to_polars(frame)[0], path, format=format)
    found = members(path)
    assert holds(b"".join(found.values()), "clerk")
    assert not any(holds(data, CANARY) for data in found.values())


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum([CANARY, "clerk", "judge"])])
@pytest.mark.parametrize("format", ["parquet", "arrow"])
@pytest.mark.usefixtures("plain_parquet")
def test_categories_of_polars_are_gone(tmp_path: Path, format: str, dtype: pl.DataType) -> None:
    frame = pl.DataFrame({"job": pl.Series([CANARY, "clerk", "judge"], dtype=dtype)}).tail(2)
    path = tmp_path / f"data.{format}"
    write(frame, path, format=format)
    assert holds(path.read_bytes(), "clerk")
    assert not holds(path.read_bytes(), CANARY)


def test_metadata_of_arrow_is_gone(tmp_path: Path) -> None:
    import pyarrow.parquet

    table = pa.table({"age": [1, 2]}).replace_schema_metadata({"pandas": CANARY, "note": CANARY})
    write(to_polars(table)[0], tmp_path / "data.parquet", format="parquet")
    written = pyarrow.parquet.read_metadata(tmp_path / "data.parquet")
    assert set(written.metadata) <= {b"ARROW:schema"}
    assert written.created_by == "Polars"
    assert not written.row_group(0).column(0).is_stats_set
    assert CANARY.encode() not in (tmp_path / "data.parquet").read_bytes()


def test_a_workbook_says_nothing_of_its_maker(tmp_path: Path) -> None:
    write(pl.DataFrame({"age": ["39"]}), tmp_path / "data.xlsx", format="xlsx")
    write(pl.DataFrame({"age": ["39"]}), tmp_path / "again.xlsx", format="xlsx")
    found = members(tmp_path / "data.xlsx")
    assert found.pop("data.xlsx") == (tmp_path / "again.xlsx").read_bytes()
    assert set(found) == {
        "[Content_Types].xml",
        "_rels/.rels",
        "docProps/app.xml",
        "docProps/core.xml",
        "xl/_rels/workbook.xml.rels",
        "xl/sharedStrings.xml",
        "xl/styles.xml",
        "xl/theme/theme1.xml",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
    }
    core = found["docProps/core.xml"]
    assert b"<dc:creator></dc:creator><cp:lastModifiedBy></cp:lastModifiedBy>" in core
    assert core.count(b"2000-01-01T00:00:00Z") == 2
    assert b"definedName" not in found["xl/workbook.xml"]
    assert found["xl/workbook.xml"].count(b"<sheet ") == 1
    with zipfile.ZipFile(tmp_path / "data.xlsx") as archive:
        assert {info.date_time[:3] for info in archive.infolist()} == {(1980, 1, 1)}


def test_a_workbook_passes_through_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("cells went to a temporary file")

    for name in ("mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"):
        monkeypatch.setattr(tempfile, name, refuse)
    write(pl.DataFrame({"age": ["39"]}), tmp_path / "data.xlsx", format="xlsx")
    assert (tmp_path / "data.xlsx").exists()
