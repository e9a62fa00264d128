"""Reading files as text: exact where they are sound, a clear refusal where they are broken."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import openpyxl
import polars as pl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from celosia import audit
from celosia.audit import AuditInputError, read_columns

CANARY = "canary-8c1f"


def refused(path: Path, match: str, **options: object) -> None:
    with pytest.raises(AuditInputError, match=match) as caught:
        read_columns(path, **options)  # type: ignore[arg-type]
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes('\ufeffage;zip\r\n"4;0";01001\r\n;"a ""b"""\r\n" x\ny ";\r\n\r\n'.encode())
    assert read_columns(path, delimiter=";") == {"age": ["4;0", None, " x\ny "], "zip": ["01001", 'a "b"', None]}


def test_csv_of_one_column_has_missing_cells_in_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age\n1\n\n2\n")
    assert read_columns(path) == {"age": ["1", None, "2"]}


def test_csv_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes("año\n5\n".encode("cp1252"))
    assert read_columns(path, encoding="cp1252") == {"año": ["5"]}
    refused(path, "line 1 is not text in the encoding")
    for encoding in ("no-such", "hex", "undefined"):
        refused(path, "encoding is not known", encoding=encoding)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "no header"),
        (b"a,b\n1," + CANARY.encode() + b"\n1\n", "data row 2 has 1 cells, the header has 2"),
        (b"a,b\n1,2," + CANARY.encode() + b"\n", "data row 1 has 3 cells"),
        (f"{CANARY},x,{CANARY}\n1,2,3\n".encode(), "columns 1 and 3 have the same name"),
        (b"a,\n1,2\n", "column 2 has no name"),
        (b"a,b\n1,2\n1," + CANARY.encode() + b"\xff\n", "line 3 is not text in the encoding"),
        (b"a,b\n1,2\n1," + CANARY.encode() + b"\0\n", "line 3 holds a NUL"),
        (b'a,b\n1,2\n1,"' + CANARY.encode() + b"\n", "line 3 cannot be read"),
        (b'a,b\n1,"x"' + CANARY.encode() + b"\n", "line 2 cannot be read"),
    ],
)
def test_broken_csv_is_refused(tmp_path: Path, content: bytes, match: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    refused(path, match)


def test_a_field_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celosia.audit._LONGEST_FIELD", 100)
    path = tmp_path / "data.csv"
    path.write_bytes(b"a,b\n1," + CANARY.encode() * 100 + b"\n")
    refused(path, "more than 100 characters")


def test_absent_files_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    for form in ("csv", "xlsx", "parquet", "arrow"):
        refused(tmp_path / "nothing", "cannot be opened", format=form)
    refused(tmp_path / "nothing", "format must be one of", format="dbf")
    (tmp_path / "data.csv").write_text("a\n1\n")
    refused(tmp_path / "data.csv", "one character", delimiter=";;")


PLAIN_NUMBER = re.compile(r"\s*[+-]?[0-9]+([.,][0-9]+)?\s*")


def neutralised(cell: str) -> str:
    """The writers' rule, from its text: what comes after apostrophes, quotation marks and white space decides."""
    rest = cell
    while rest and rest[0] not in "=+-@\t\r＝＋－＠" and (rest[0] in "'\"" or rest[0].isspace()):
        rest = rest[1:]
    is_formula = rest[:1] in tuple("=+-@\t\r＝＋－＠")
    return f"'{cell}" if is_formula and not PLAIN_NUMBER.fullmatch(cell) else cell


@given(st.lists(st.text(st.sampled_from("'\"=+-@＝ \t\r\nx5,."), min_size=1, max_size=6), min_size=1))
def test_neutralised_cells_come_back(cells: list[str]) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([neutralised("=name"), "id"])
    writer.writerows([neutralised(cell), "1"] for cell in cells)
    header, (column, _) = audit._read_csv_text(buffer.getvalue(), ",")
    assert [audit._undo(name) for name in header] == ["=name", "id"]
    assert [audit._undo(cell) for cell in column] == cells


def test_neutralised_is_undone_only_where_the_claim_says_so(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("'=a\n'-5--2\n''@x\n'plain\n-5\n")
    assert read_columns(path, neutralised=True) == {"=a": ["-5--2", "'@x", "'plain", "-5"]}
    assert read_columns(path) == {"'=a": ["'-5--2", "''@x", "'plain", "-5"]}


def test_cells_that_would_fall_together_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"a\n'={CANARY}\n={CANARY}\n")
    refused(path, "column 1 holds the same cell with and without", neutralised=True)
    path.write_text(f"a\n''={CANARY}\n'={CANARY}\n")
    assert len(set(read_columns(path, neutralised=True)["a"])) == 2


def test_xlsx_of_two_writers(tmp_path: Path) -> None:
    expected = {"age": ["40", "[5, 10]", None, "5.5"], "zip": ["01001", "José", "TRUE", None]}
    rows = [["age", "zip"], [40, "01001"], ["[5, 10]", "José"], [None, True], [5.5, None]]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "one.xlsx")
    with xlsxwriter.Workbook(tmp_path / "two.xlsx", {"in_memory": True}) as other:
        sheet = other.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    with xlsxwriter.Workbook(tmp_path / "three.xlsx", {"constant_memory": True}) as other:
        sheet = other.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    for name in ("one.xlsx", "two.xlsx", "three.xlsx"):
        assert read_columns(tmp_path / name, format="xlsx") == expected
    assert read_columns(tmp_path / "one.xlsx", format="xlsx", decimal=",")["age"] == ["40", "[5, 10]", None, "5,5"]


def test_xlsx_reads_the_first_sheet_rich_text_and_gaps(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        sheet.write_row(0, 0, ["a", "b", "c"])
        sheet.write_rich_string(1, 1, "one ", bold, "two", " three")
        sheet.write_number(3, 2, 1e20)
        book.add_worksheet().write(0, 0, CANARY)
    found = read_columns(path, format="xlsx")
    assert found == {"a": [None] * 3, "b": ["one two three", None, None], "c": [None, None, "1" + "0" * 20]}
    assert [check.name for check in audit._workbook_checks(path)] == ["sheets"]


def test_cells_beyond_the_header_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write_row(1, 0, ["1", "2", CANARY])
    refused(path, "row 2 of the sheet is broken or wider", format="xlsx")


@pytest.mark.parametrize("keep", [b"", b"PK\x03\x04 not a workbook", b"plain text"])
def test_files_that_are_no_workbooks_are_refused(tmp_path: Path, keep: bytes) -> None:
    path = tmp_path / "data.xlsx"
    path.write_bytes(keep)
    refused(path, "workbook cannot be opened", format="xlsx")


def taken_apart(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as source:
        return {name: source.read(name) for name in source.namelist()}


def put_together(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as target:
        for part, data in parts.items():
            target.writestr(part, data)
    return path


def test_broken_workbooks_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.xlsx"
    with xlsxwriter.Workbook(good) as book:
        book.add_worksheet().write_column(0, 0, ["a", CANARY])
    parts = taken_apart(good)

    def broken(name: str, content: bytes | None) -> Path:
        changed = {part: data for part, data in parts.items() if part != name}
        return put_together(tmp_path / "broken.xlsx", changed if content is None else changed | {name: content})

    sheet = "xl/worksheets/sheet1.xml"
    refused(broken(sheet, parts[sheet].replace(b"UTF-8", b"UTF-9")), "absent or broken", format="xlsx")
    refused(broken(sheet, parts[sheet].replace(b"<v>1</v>", b"<v>-1</v>")), "row 2 of the sheet", format="xlsx")
    refused(broken(sheet, parts[sheet].replace(b'r="2"', b'r="1048577"')), "out of order", format="xlsx")
    refused(broken("xl/workbook.xml", None), "absent or broken", format="xlsx")
    refused(broken(sheet, None), "absent or broken", format="xlsx")
    refused(broken(sheet, parts[sheet][:-40]), "absent or broken", format="xlsx")
    refused(broken("xl/sharedStrings.xml", b"<sst><si><t>a</t></si></sst>"), "row 2 of the sheet", format="xlsx")
    refused(broken(sheet, parts[sheet].replace(b'r="2"', b'r="1"')), "out of order", format="xlsx")
    refused(broken(sheet, parts[sheet].replace(b'r="A2"', b'r="a2"')), "row 2 of the sheet", format="xlsx")
    refused(broken(sheet, b"<worksheet/>"), "no header", format="xlsx")
    refused(broken("xl/workbook.xml", b"<workbook/>"), "no sheet", format="xlsx")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_workbook_with_a_part_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", CANARY])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<worksheet/>")
    refused(path, "a part twice", format="xlsx")


MARKUP = (
    b'<extLst><row r="3"><c r="A3"><v>1</v></c></row></extLst>',
    b'<sheetData><row r="3"><c r="A3"><v>1</v></c></row></sheetData>',
    b'<a:sheetData xmlns:a="urn:a"><row r="3"><c r="A3"><v>1</v></c></row></a:sheetData>',
)


@pytest.mark.parametrize("markup", MARKUP)
def test_rows_where_no_spreadsheet_looks_are_not_read(tmp_path: Path, markup: bytes) -> None:
    """They would make classes seem larger than they are to anybody who opens the workbook."""
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", 1])
    parts = taken_apart(path)
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"</sheetData>", b"</sheetData>" + markup)
    refused(put_together(path, parts), "where none belongs", format="xlsx")


def test_cells_of_other_languages_than_that_of_workbooks_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", 1])
    parts = taken_apart(path)
    sheet = "xl/worksheets/sheet1.xml"
    plain = parts[sheet]
    parts[sheet] = plain.replace(b"<v>1</v>", b'<b:v xmlns:b="urn:b">2</b:v>')
    assert read_columns(put_together(path, parts), format="xlsx") == {"a": [None]}
    row = b'<b:row xmlns:b="urn:b" r="3"><c r="A3"><v>1</v></c></b:row>'
    parts[sheet] = plain.replace(b"</sheetData>", row + b"</sheetData>")
    assert read_columns(put_together(path, parts), format="xlsx") == {"a": ["1"]}


def test_parts_of_a_workbook_differ_in_more_than_case(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", CANARY])
    parts = taken_apart(path)
    put_together(path, parts | {"XL/sharedstrings.XML": parts["xl/sharedStrings.xml"]})
    refused(path, "a part twice", format="xlsx")


@pytest.mark.parametrize("cells", [["5", 5], ["TRUE", True], [True, "TRUE"], [1.5, "1.5"]])
def test_equal_cells_of_different_kinds_are_refused_in_published_workbooks(tmp_path: Path, cells: list[object]) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path, {"strings_to_numbers": False}) as book:
        book.add_worksheet().write_column(0, 0, ["a", *cells])
    refused(path, "as text and number", format="xlsx")


def test_formulas_are_refused_in_published_workbooks_alone(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_string(0, 0, "a")
        sheet.write_formula(1, 0, "=1+1", None, 2)
    refused(path, "formula", format="xlsx")
    assert read_columns(path, format="xlsx", is_original=True) == {"a": ["2"]}


def test_an_empty_text_is_not_a_missing_cell(tmp_path: Path) -> None:
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", "x", CANARY])
    parts = taken_apart(path)
    parts["xl/sharedStrings.xml"] = parts["xl/sharedStrings.xml"].replace(b"<t>x</t>", b"<t></t>")
    assert read_columns(put_together(path, parts), format="xlsx") == {"a": ["", CANARY]}


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_null_beside_nan_is_refused_in_published_files(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"data.{form}"
    frame = pl.DataFrame({"a": ["x", "y"], "b": [None, float("nan")]})
    (frame.write_parquet if form == "parquet" else frame.write_ipc)(path)
    refused(path, "column 2 holds both null and NaN", format=form)
    assert read_columns(path, format=form, is_original=True)["b"] == [None, None]


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_parquet_and_arrow(tmp_path: Path, form: str) -> None:
    frame = pl.DataFrame({"age": [40, None, 7], "mark": [5.0, 5.5, None], "zip": ["01001", None, ""]})
    path = tmp_path / f"data.{form}"
    if form == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)
    expected = {"age": ["40", None, "7"], "mark": ["5", "5.5", None], "zip": ["01001", None, ""]}
    assert read_columns(path, format=form) == expected
    assert read_columns(path, format=form, decimal=",")["mark"] == ["5", "5,5", None]
    path.write_bytes(b"broken" + CANARY.encode())
    refused(path, f"is not {form}, or it is broken", format=form)


def test_nested_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"a": [[CANARY]]}).write_parquet(path)
    refused(path, "single values", format="parquet")


def test_parquet_without_polars_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_polars", lambda: None)
    refused(tmp_path / "data.parquet", "pip install polars", format="parquet")
