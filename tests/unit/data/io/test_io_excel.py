from __future__ import annotations

import datetime
import io
import traceback
from pathlib import Path

import openpyxl
import pytest

from celosia.base.errors import CelosiaError, FormatError, OptionError
from celosia.data.io import read
from celosia.data.io.excel import read_excel

CANARY = "Amparo-7391"


def image(workbook: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def sheet_of(rows: list[list[object]]) -> bytes:
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    return image(workbook)


def refusal(data: bytes, **options: str) -> CelosiaError:
    with pytest.raises(CelosiaError) as caught:
        read_excel(data, "people.xlsx", **options)
    assert CANARY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.hint
    assert "people.xlsx" in caught.value.message
    return caught.value


def test_cells_become_text() -> None:
    data = sheet_of(
        [
            ["zip ", "n", "real", "day", "moment", "hour", "long", "flag", "error", "big"],
            [
                "01001",
                5,
                5.5,
                datetime.date(2024, 5, 1),
                datetime.datetime(2024, 5, 1, 10, 30),
                datetime.time(8, 30),
                datetime.timedelta(hours=26, minutes=30),
                True,
                "#N/A",
                12345678901,
            ],
            ["n/a", None, 1e-7, None, datetime.datetime(2024, 5, 1), None, None, False, None, -5],
        ]
    )
    frame = read_excel(data, "f")
    assert frame.columns == ["zip", "n", "real", "day", "moment", "hour", "long", "flag", "error", "big"]
    assert frame.rows() == [
        ("01001", "5", "5.5", "2024-05-01", "2024-05-01T10:30:00", "08:30:00", "26:30:00", "TRUE", None, "12345678901"),
        ("n/a", None, "1e-07", None, "2024-05-01", None, None, "FALSE", None, "-5"),
    ]


def test_the_first_visible_sheet_or_the_named_one(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = "secret"
    workbook.active.append(["x"])
    workbook.active.sheet_state = "hidden"
    workbook.create_sheet("people").append(["age"])
    workbook.create_sheet("other").append(["year"])
    path = tmp_path / "people.xlsx"
    path.write_bytes(image(workbook))
    assert read(path).frame.columns == ["age"]
    assert read(path, sheet="other").frame.columns == ["year"]
    assert read(path, sheet="secret").frame.columns == ["x"]
    assert read(path).format == "xlsx"
    with pytest.raises(OptionError, match="no sheet 'peple'") as caught:
        read(path, sheet="peple")
    assert caught.value.hint == "did you mean 'people'?"


def test_rows_and_columns_without_values_at_the_end_are_left_out() -> None:
    frame = read_excel(
        sheet_of([["a", "b", " ", None], ["1", None, None, None], [None] * 4, ["2", "3", None, ""], [""]]), "f"
    )
    assert frame.columns == ["a", "b"] or frame.width == 2
    assert frame.rows() == [("1", None), (None, None), ("2", "3")]


def test_a_table_may_start_anywhere() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["C4"], workbook.active["D4"], workbook.active["C5"] = "a", "b", "1"
    assert read_excel(image(workbook), "f").rows() == [("1", None)]


def test_broken_workbooks() -> None:
    good = sheet_of([["a"], [CANARY]])
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    for data in (b"", b"PK\x03\x04" + CANARY.encode(), CANARY.encode(), good[: len(good) // 2], ole + b"\0" * 600):
        assert isinstance(refusal(data), FormatError)
        assert "not a readable workbook" in refusal(data).message
    assert "password" in refusal(ole + "EncryptedPackage".encode("utf-16-le")).message


def test_sheets_without_a_table() -> None:
    assert "empty" in refusal(sheet_of([])).message
    assert "same name" in refusal(sheet_of([["a", "b", "a"], [CANARY, 1, 2]])).message
    assert "column 2 is" in refusal(sheet_of([["a", None, "c"], [1, CANARY, 2]])).message
    assert "looks like data" in refusal(sheet_of([[CANARY, 39], [CANARY, 39], ["x", 40]])).message
    assert "all its cells are numbers" in refusal(sheet_of([[1, 2.5], [3, 4]])).message


def test_a_workbook_with_no_visible_sheet() -> None:
    workbook = openpyxl.Workbook()
    workbook.active.append(["a"])
    workbook.create_chartsheet("chart")
    workbook.active.sheet_state = "hidden"
    assert "no visible sheet" in refusal(image(workbook)).message
