"""The leak scanner itself: every planted form is found, and clean things stay clean."""

from __future__ import annotations

import base64
import datetime
import gzip
import html
import io
import json
import sqlite3
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from leaks import leaks

from celosia.data.io.labels import Labels
from celosia.data.io.stats_writing import write_stats

NAME = "Begoña Ñíguez-4711"
NUMBER = 739_184_265
FRACTION = 58_213.90417
SECRETS = [NAME, NUMBER, FRACTION]


def packed(name: str, content: bytes, comment: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
        archive.comment = comment
    return file.getvalue()


def mixed_entities(text: str) -> str:
    return "".join(f"&#{ord(one)};" if place % 2 else html.escape(one) for place, one in enumerate(text))


TEXT_FORMS = {
    "utf-8": NAME.encode(),
    "capitals": NAME.encode().upper(),
    "utf-16-le": NAME.encode("utf-16-le"),
    "utf-16-be": b"\0" + NAME.encode("utf-16-be"),
    "latin-1": NAME.encode("latin-1"),
    "decomposed": "Begon\u0303a N\u0303i\u0301guez-4711".encode(),
    "JSON": json.dumps({"a": NAME}).encode(),
    "JSON in capitals": NAME.encode().replace("ñ".encode(), rb"\u00F1").replace("Ñ".encode(), rb"\u00D1"),
    "repr of bytes": repr(NAME.encode("latin-1")).encode(),
    "numeric entities": NAME.encode("ascii", "xmlcharrefreplace"),
    "named entities": b"Bego&ntilde;a &Ntilde;&iacute;guez-4711",
    "mixed entities": mixed_entities(NAME).encode(),
    "percent": quote(NAME).encode(),
    "percent of all": "".join(f"%{byte:02x}" for byte in NAME.encode()).encode(),
    "base64": base64.b64encode(NAME.encode()),
    "base64 after one byte": base64.b64encode(b"x" + NAME.encode() + b"yz"),
    "base64 after two bytes": base64.b64encode(b"xy" + NAME.encode()),
    "base64 for addresses": base64.urlsafe_b64encode(b"\xff\xff\xfe" + NAME.encode()),
    "hexadecimal": NAME.encode().hex().encode(),
    "broken by a line end": b"Bego\xc3\xb1a \n    \xc3\x91\xc3\xadguez-4711",
    "zlib": b"head" + zlib.compress(NAME.encode()) + b"tail",
    "zlib in base64": b"'" + base64.b64encode(zlib.compress(b"a lot " * 9 + NAME.encode())) + b"'",
    "gzip": gzip.compress(NAME.encode()),
    "zstd": b"head" + pa.compress(NAME.encode() * 3, "zstd", asbytes=True) + b"tail",
    "lz4 frame": b"head" + pa.compress(NAME.encode() * 3, "lz4", asbytes=True),
    "member": packed("sheet.xml", NAME.encode()),
    "entities in a member": packed("sheet.xml", NAME.encode("ascii", "xmlcharrefreplace")),
    "name of a member": packed(NAME, b"x"),
    "comment of an archive": packed("a", b"x", NAME.encode()),
    "archive in an archive": packed("inner.zip", packed("sheet.xml", NAME.encode())),
}


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_texts_are_found_in_every_form(form: str) -> None:
    data = b"before \x00\xff" + TEXT_FORMS[form] if form in ("utf-8", "utf-16-le", "latin-1") else TEXT_FORMS[form]
    assert leaks(data, SECRETS), form
    assert leaks(data.replace(b"4711", b"4712"), ["no such text"]) == []


@pytest.mark.parametrize(
    "data",
    [
        b"id,739184265,x",
        b"739,184,265",
        b"739.184.265",
        "739\u202f184\u202f265".encode(),
        b"-739184265.",
        b"739184265.0",
        struct.pack("<i", NUMBER),
        b"x" + struct.pack("<q", NUMBER),
        struct.pack("<d", NUMBER),
        struct.pack(">d", NUMBER),
        struct.pack(">i", NUMBER),
        b"58213.90417",
        b"58213,90417",
        b"58,213.90417",
        struct.pack("<d", FRACTION),
        bytes.fromhex("482c0f0e89000000"),  # what SAS writes: 16^8 times 0.2c0f0e89
    ],
)
def test_numbers_are_found_in_every_form(data: bytes) -> None:
    assert leaks(data, SECRETS)


def test_dates_are_found() -> None:
    day = datetime.date(1971, 3, 29)
    since = (day - datetime.date(1970, 1, 1)).days
    for data in (
        b"1971-03-29",
        b"29/03/1971",
        b"19710329",
        b"29-Mar-1971",
        struct.pack("<q", since * 86_400_000_000),
        struct.pack("<d", (since + 141_428) * 86_400.0),
    ):
        assert leaks(data, [day])
    assert leaks(b"1971-03-28", [day]) == []


def test_clean_things_are_clean(tmp_path: Path) -> None:
    other = "Begoña Ñíguez-4712"
    (tmp_path / "a.txt").write_text(f"{other} 739184266 1739184265 7391842650 58213.904171 58213.9041")
    (tmp_path / "b.zip").write_bytes(packed("sheet.xml", json.dumps(other).encode()))
    (tmp_path / "c.bin").write_bytes(struct.pack("<idq", NUMBER + 1, FRACTION + 1e-6, NUMBER - 1))
    pl.DataFrame({"a": [other], "b": [NUMBER + 1]}).write_parquet(tmp_path / "d.parquet")
    frame = pl.DataFrame({"a": [other, None], "b": [NUMBER + 1, None]})
    assert leaks(tmp_path, SECRETS) == []
    for one in (frame, frame.to_arrow(), frame.to_pandas(), [other], str(other), ValueError(other)):
        assert leaks(one, SECRETS) == []


def test_short_secrets_are_refused() -> None:
    for secret in ("abc", 123_456, 12.5, 5_000_000):
        with pytest.raises(ValueError, match="accident"):
            leaks(b"", [secret])  # type: ignore[list-item]


def blanked() -> pl.DataFrame:
    """A frame that shows no secret, with all of them below missing cells."""
    frame = pl.DataFrame({"row": [0, 1, 2], "name": ["aa", NAME, "bb"], "n": [1, NUMBER, 2], "x": [0.5, FRACTION, 1.5]})
    cells = (pl.when(pl.col("row") == 1).then(None).otherwise(pl.col(name)).alias(name) for name in ("name", "n", "x"))
    return frame.with_columns(cells)


def test_values_under_missing_cells_of_polars() -> None:
    assert NAME not in str(blanked())
    found = " ".join(leaks(blanked(), SECRETS))
    for secret in SECRETS:
        assert repr(secret) in found
    sliced = pl.DataFrame({"name": ["a text", NAME]}).head(1)
    assert leaks(sliced, [NAME]), "rows that were cut off stay in the texts of a view"


def test_arrow_tables_and_files(tmp_path: Path) -> None:
    table = blanked().to_arrow()
    assert leaks(table, [NUMBER])
    for compression in ("uncompressed", "zstd", "lz4"):
        blanked().write_ipc(tmp_path / "a.arrow", compression=compression)  # type: ignore[arg-type]
        assert leaks(tmp_path / "a.arrow", [NUMBER]), compression
    assert leaks(pa.table({"a": [1, NUMBER]}).slice(0, 1), [NUMBER])
    plain = pa.table({"a": [1, 2]})
    assert leaks(plain.replace_schema_metadata({"note": NAME}), [NAME])
    field = pa.field("a", pa.int64(), metadata={"label": NAME})
    assert leaks(pa.table([[1, 2]], schema=pa.schema([field])), [NAME])
    categories = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["seen", NAME]))
    assert leaks(pa.table({"a": categories}), [NAME])
    assert leaks(plain, SECRETS) == []


@pytest.mark.parametrize("compression", ["none", "zstd", "gzip"])
def test_parquet(tmp_path: Path, compression: str) -> None:
    path = tmp_path / "a.parquet"
    quiet: dict[str, Any] = {"compression": compression, "write_statistics": False}
    pq.write_table(pa.table({"a": ["x", NAME]}), path, **quiet)
    assert leaks(path, [NAME])
    pq.write_table(pa.table({"a": ["x"]}).replace_schema_metadata({"note": NAME}), path, **quiet)
    assert leaks(path, [NAME])
    categories = pa.DictionaryArray.from_arrays(pa.array([0]), pa.array(["seen", NAME]))
    pq.write_table(pa.table({"a": categories}), path, store_schema=False, **quiet)
    assert leaks(path, [NAME]), "a dictionary page keeps a category that no row has"
    pq.write_table(
        pa.table({"a": [1, NUMBER, 3]}),
        path,
        compression=compression,
        column_encoding="DELTA_BINARY_PACKED",
        use_dictionary=False,
        write_statistics=False,
    )
    assert leaks(path, [NUMBER])
    pq.write_table(pa.table({"a": ["x"]}), path, **quiet)
    assert leaks(path, SECRETS) == []


def test_pages_that_cannot_be_unpacked_are_no_clean_bill(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "a.parquet", compression="snappy")
    with pytest.raises(ValueError, match="SNAPPY"):
        leaks(tmp_path, SECRETS)


def test_pandas() -> None:
    plain = pd.DataFrame({"a": [1, 2]})
    assert leaks(plain, SECRETS) == []
    with_index = plain.set_index(pd.Index([NAME, "x"]))
    with_name = plain.rename_axis(NAME)
    of_columns = plain.rename_axis(columns=NAME)
    attributed = plain.copy()
    attributed.attrs["source"] = NAME
    categories = pd.DataFrame({"a": pd.Categorical(["x"], categories=["x", NAME])})
    masked = pd.DataFrame({"a": pd.arrays.IntegerArray(np.array([NUMBER, 2]), np.array([True, False]))})
    view = pd.DataFrame({"a": np.array([1, 2, NUMBER])[:2]}, copy=False)
    for one in (with_index, with_name, of_columns, attributed, categories, masked, view):
        assert leaks(one, SECRETS)


def test_categories_of_polars() -> None:
    column = pl.Series("job", ["clerk"], dtype=pl.Enum(["clerk", NAME]))
    assert leaks(column.to_frame(), [NAME])
    assert leaks(column.cast(pl.String).to_frame(), [NAME]) == []


def test_deleted_rows_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("CREATE TABLE t (a TEXT, b INTEGER)")
    connection.execute("INSERT INTO t VALUES (?, ?), ('x', 1)", (NAME, NUMBER))
    connection.commit()
    assert len(leaks(path, [NAME, NUMBER])) > 2
    connection.execute("DELETE FROM t WHERE b > 1")
    connection.commit()
    assert connection.execute("SELECT * FROM t").fetchall() == [("x", 1)]
    assert leaks(path, [NAME])
    connection.execute("VACUUM")
    connection.close()
    assert leaks(path, [NAME, NUMBER]) == []


@pytest.mark.parametrize("format", ["sav", "zsav", "dta", "xpt"])
def test_files_of_statistics(tmp_path: Path, format: str) -> None:
    def written(frame: pl.DataFrame, labels: Labels | None = None) -> Path:
        path = tmp_path / f"a.{format}"
        with open(path, "w+b") as file:
            write_stats(frame, file, format, labels)  # type: ignore[arg-type]
        return path

    assert leaks(written(pl.DataFrame({"a": ["x", NAME]})), [NAME])
    assert leaks(written(pl.DataFrame({"a": [1, NUMBER]})), [NUMBER])
    assert leaks(written(pl.DataFrame({"a": [1.0, FRACTION]})), [FRACTION])
    assert leaks(written(pl.DataFrame({"a": [1]}), Labels(columns={"a": NAME})), [NAME])
    if format != "xpt":
        assert leaks(written(pl.DataFrame({"a": [1]}), Labels(values={"a": {1: NAME}})), [NAME])
    assert leaks(written(pl.DataFrame({"a": ["x"], "b": [1]}), Labels(columns={"a": "name"})), SECRETS) == []


def test_exceptions_and_those_before_them() -> None:
    def raised(cause: bool | None) -> BaseException:
        try:
            try:
                raise ValueError(f"cannot parse {NAME}")
            except ValueError as error:
                if cause is None:
                    raise RuntimeError("no") from None
                if cause:
                    raise RuntimeError("no") from error
                raise RuntimeError("no")  # noqa: B904
        except RuntimeError as error:
            return error

    for cause in (None, True, False):
        assert leaks(raised(cause), [NAME])
    assert leaks(RuntimeError("no"), [NAME]) == []


def test_names_of_files(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.txt").write_text("x")
    assert leaks(tmp_path, [NAME])
