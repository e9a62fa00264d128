from __future__ import annotations

import datetime
import os
import stat
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import FormatError, InputError, OptionError
from celosia.data.io import described, parse_numbers, read, restored, write

FORMATS = ["csv", "csv-es", "parquet", "xlsx", "arrow"]
CELLS = [
    "01001",
    "n/a",
    "NA",
    "null",
    "José Ñandú",
    'say "hi"',
    "a,b;c\td|e",
    "line 1\nline 2",
    None,
    "=1+1",
    "'=1",
    "-5",
]


def file_of(folder: Path, format: str) -> Path:
    return folder / f"data.{format.removesuffix('-es')}"


@pytest.mark.parametrize("format", FORMATS)
def test_text_comes_back(tmp_path: Path, format: str) -> None:
    frame = pl.DataFrame({"cell": CELLS, "=row": [f"r{place}" for place in range(len(CELLS))]})
    path = file_of(tmp_path, format)
    write(frame, path, format=format)
    found = read(path).frame
    assert (restored(found) if format in ("csv", "csv-es", "xlsx") else found).equals(frame)
    assert os.listdir(tmp_path) == [path.name]


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
# Workbooks are XML, which has no place for most control characters and for the two noncharacters.
SHEET_TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8
)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("n_columns", [1, 3])
@given(data=st.data())
@tries(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back(tmp_path: Path, data: st.DataObject, format: str, n_columns: int) -> None:
    cell = st.one_of(st.none(), SHEET_TEXT if format == "xlsx" else TEXT)
    n_rows = data.draw(st.integers(0, 5))
    columns = {
        f"name {place}": data.draw(st.lists(cell, min_size=n_rows, max_size=n_rows)) for place in range(n_columns)
    }
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    path = file_of(tmp_path, format)
    write(frame, path, format=format)
    found = restored(read(path).frame) if format in ("csv", "csv-es", "xlsx") else read(path).frame
    expected = frame.rows()
    if format in ("csv", "csv-es", "xlsx"):
        expected = [tuple(cell or None for cell in row) for row in expected]
    while format == "xlsx" and expected and not any(expected[-1]):
        expected.pop()  # a sheet has no rows after its last cell
    got = found.rows()
    if format in ("csv", "csv-es") and any("\r" in (cell or "") for row in expected for cell in row):
        # A lone CR asks for the careful way, in which blanks before an unquoted cell are no part of it.
        got, expected = ([tuple((cell or "").lstrip(" ") for cell in row) for row in rows] for rows in (got, expected))
    assert found.columns == frame.columns
    assert got == expected


def typed() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "whole": [1, -2, None],
            "real": [0.1 + 0.2, 1e-7, None],
            "day": [datetime.date(1890, 1, 2), None, datetime.date(2024, 5, 1)],
            "moment": [datetime.datetime(2024, 5, 1, 10, 30), datetime.datetime(2024, 5, 1, 0, 0, 0, 250_000), None],
            "hour": [datetime.time(8, 30), None, None],
            "flag": [True, False, None],
        }
    )


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_types_come_back(tmp_path: Path, format: str) -> None:
    path = file_of(tmp_path, format)
    write(typed(), path, format=format)
    found = read(path)
    assert found.frame.equals(typed())
    assert found.frame.schema == typed().schema
    assert (found.format, found.dialect) == (format, None)


def test_types_are_spelt_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    write(typed(), path, format="csv")
    assert path.read_bytes().decode().splitlines() == [
        "whole,real,day,moment,hour,flag",
        "1,0.30000000000000004,1890-01-02,2024-05-01T10:30:00,08:30:00,true",
        "-2,1e-7,,2024-05-01T00:00:00.250,,false",
        ",,2024-05-01,,,",
    ]


def test_types_are_spelt_in_spanish_csv(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    frame = pl.DataFrame({"real": [-3.5, 2.0], "text": ["3.5", "[3.5, 4.5]"], "version": ["3.5", "3.6"]})
    write(frame, path, format="csv", dialect="csv-es", numbers=["text"])
    assert path.read_bytes() == b"\xef\xbb\xbfreal;text;version\n-3,5;3,5;3.5\n2,0;[3.5, 4.5];3.6\n"
    again = tmp_path / "again.csv"
    write(frame, again, format="csv-es", numbers=["text"])
    assert again.read_bytes() == path.read_bytes()
    dialect = read(path).dialect
    assert dialect is not None
    assert (dialect.delimiter, dialect.decimal, dialect.has_bom) == (";", ",", True)


def test_numbers_stay_numbers_in_workbooks(tmp_path: Path) -> None:
    import openpyxl

    frame = pl.DataFrame(
        {
            "mark": ["-5", "3.25", "007", "[1, 2]", "-2+3", "1234567890123456"],
            "real": [0.1 + 0.2, -5.0, 1e300, float("nan"), float("inf"), None],
            "whole": [2**53, 2**53 + 1, -5, None, 0, 1],
            "zip": ["1", "2", "3", "4", "5", "6"],
        }
    )
    path = tmp_path / "data.xlsx"
    write(frame, path, format="xlsx", numbers=["mark"])
    sheet = openpyxl.load_workbook(path)["data"]
    columns = [[cell.value for cell in column] for column in sheet.columns]
    assert columns[0] == ["mark", -5, 3.25, "007", "[1, 2]", "'-2+3", "1234567890123456"]
    assert columns[1] == ["real", 0.1 + 0.2, -5, 1e300, None, "inf", None]
    assert columns[2] == ["whole", 2**53, str(2**53 + 1), -5, None, 0, 1]
    assert columns[3] == ["zip", "1", "2", "3", "4", "5", "6"]
    assert {cell.data_type for row in sheet.rows for cell in row} <= {"s", "n"}


def test_numbers_of_a_spanish_file_are_read_back(tmp_path: Path) -> None:
    values = [0.5, -1.25, 1e-7, 1234.5]
    write(pl.DataFrame({"mark": values, "row": ["a", "b", "c", "d"]}), tmp_path / "data.csv", format="csv-es")
    source = read(tmp_path / "data.csv")
    assert source.dialect is not None
    numbers, n_failed = parse_numbers(source.frame["mark"], source.dialect.decimal)
    assert (numbers.to_list(), n_failed) == (values, 0)


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_without_rows(tmp_path: Path, format: str) -> None:
    path = file_of(tmp_path, format)
    write(pl.DataFrame(schema={"a": pl.String, "b": pl.String}), path, format=format)
    assert read(path).frame.schema == {"a": pl.String, "b": pl.String}
    assert read(path).frame.height == 0


@pytest.mark.parametrize("format", FORMATS)
def test_what_cannot_be_written(tmp_path: Path, format: str) -> None:
    path = file_of(tmp_path, format)
    for frame in (pl.DataFrame(), pl.DataFrame({"a": [[1], [2]]}), pl.DataFrame({"a": [b"x"]})):
        with pytest.raises(FormatError):
            write(frame, path, format=format)
    with pytest.raises(InputError, match="folder"):
        write(pl.DataFrame({"a": [1]}), tmp_path / "absent" / path.name, format=format)
    assert os.listdir(tmp_path) == []


def test_unknown_formats_and_dialects(tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        write(pl.DataFrame({"a": [1]}), tmp_path / "data.csv", format="html")
    with pytest.raises(OptionError):
        write(pl.DataFrame({"a": [1]}), tmp_path / "data.csv", format="csv", dialect="csv-fr")  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_too_much_for_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with pytest.raises(FormatError, match="1048576 rows"):
        write(pl.DataFrame({"a": pl.repeat("x", 1_048_576, eager=True)}), path, format="xlsx")
    with pytest.raises(FormatError, match="'a' has 1 cells"):
        write(pl.DataFrame({"a": ["x" * 32_768, "y"]}), path, format="xlsx")
    assert os.listdir(tmp_path) == []


def test_a_failed_write_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.csv"
    path.write_text("earlier")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("celosia.data.io.files.write_csv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write(pl.DataFrame({"a": [1]}), path, format="csv")
    assert (os.listdir(tmp_path), path.read_text()) == (["data.csv"], "earlier")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("celosia.data.io.files.write_csv", full)
    with pytest.raises(InputError, match="No space left"):
        write(pl.DataFrame({"a": [1]}), path, format="csv")
    assert (os.listdir(tmp_path), path.read_text()) == (["data.csv"], "earlier")


def test_written_files_get_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write(pl.DataFrame({"a": [1]}), tmp_path / "data.csv", format="csv")
        assert stat.S_IMODE((tmp_path / "data.csv").stat().st_mode) == 0o640
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)


@pytest.mark.parametrize("format", FORMATS)
def test_the_description_says_how_to_read_the_file(tmp_path: Path, format: str) -> None:
    import hashlib

    path = file_of(tmp_path, format)
    write(pl.DataFrame({"a": ["x"]}), path, format=format)
    facts = described(path, format, 1)
    assert facts["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (facts["format"], facts["n_rows"]) == (format.removesuffix("-es"), 1)
    assert facts["neutralised"] is (format in ("csv", "csv-es", "xlsx"))
    if format == "csv-es":
        assert (facts["delimiter"], facts["decimal"], facts["encoding"]) == (";", ",", "utf-8")
