from __future__ import annotations

import datetime
import io
import re
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import polars as pl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.packaging.custom import StringProperty
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from celosia.base.errors import FormatError
from celosia.data.io import hidden as hidden_module
from celosia.data.io import read, write
from celosia.data.io.excel import write_excel
from celosia.data.io.hidden import HIDDEN_WORDS, Hidden, hidden_parts

CANARY = "Amparo-7391"


def image(workbook: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    workbook.properties.creator = None
    workbook.save(file)
    return file.getvalue()


def book(n_rows: int = 6) -> openpyxl.Workbook:
    """A workbook with a sheet of three columns that hides nothing."""
    workbook = openpyxl.Workbook()
    workbook.active.title = "exams"
    workbook.active.append(["name", "mark", "group"])
    for row in range(n_rows - 1):
        workbook.active.append([f"{CANARY}-{row}", row, "a"])
    return workbook


def found(data: bytes, sheet: str | None = None) -> dict[str, int]:
    parts = hidden_parts(data, "exams.xlsx", sheet)
    assert CANARY not in repr(parts)
    assert all(part.count > 0 and part.kind in HIDDEN_WORDS for part in parts)
    return {part.kind: part.count for part in parts}


def with_parts(data: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file with further or other parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, text in parts.items():
            new.writestr(name, text)
    return file.getvalue()


def part(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def test_a_plain_workbook_hides_nothing() -> None:
    assert found(image(book())) == {}


def test_sheets() -> None:
    workbook = book()
    for title, state in {"a": "hidden", "b": "hidden", "c": "veryHidden", "d": "visible", "e": "visible"}.items():
        workbook.create_sheet(title).sheet_state = state
    workbook.create_chartsheet("chart")
    data = image(workbook)
    assert found(data) == {"hidden_sheets": 2, "very_hidden_sheets": 1, "further_sheets": 3}
    assert found(data, "a") == {"hidden_sheets": 1, "very_hidden_sheets": 1, "further_sheets": 4}
    by_calamine = hidden_module._sheets(data, None)
    assert by_calamine == {"hidden_sheets": 2, "very_hidden_sheets": 1, "further_sheets": 3}
    assert hidden_module._sheets(data, "a") == {"hidden_sheets": 1, "very_hidden_sheets": 1, "further_sheets": 4}
    workbook.move_sheet("exams", 3)
    assert found(image(workbook), "d") == {"hidden_sheets": 2, "very_hidden_sheets": 1, "further_sheets": 3}


def test_hidden_rows_and_columns_with_cells() -> None:
    workbook = book()
    rows, columns = workbook.active.row_dimensions, workbook.active.column_dimensions
    rows[2].hidden = rows[5].hidden = True
    rows[3].height = columns["C"].width = 12.25
    rows[40].hidden = True
    columns["B"].hidden = True
    columns["X"].hidden = True
    data, name = image(workbook), "xl/worksheets/sheet1.xml"
    assert found(data) == {"hidden_rows": 2, "hidden_columns": 1}
    for zero in ('"0"', '"0.0"', "'0'"):
        assert part(data, name).count('"12.25"') == 2
        flat = part(data, name).replace('"12.25"', zero)
        assert found(with_parts(data, {name: flat})) == {"hidden_rows": 3, "hidden_columns": 2}


@given(
    hidden=st.sets(st.integers(1, 12)),
    flat=st.sets(st.integers(1, 12)),
    empty=st.sets(st.integers(1, 12)),
    columns=st.sets(st.integers(0, 5)),
    used=st.sets(st.integers(0, 5), min_size=1),
)
def test_rows_and_columns_as_counted_by_hand(
    hidden: set[int], flat: set[int], empty: set[int], columns: set[int], used: set[int]
) -> None:
    file = io.BytesIO()
    workbook = xlsxwriter.Workbook(file)
    workbook.set_properties({"author": ""})
    sheet = workbook.add_worksheet()
    bold = workbook.add_format({"bold": True})
    for row in range(1, 13):
        for column in used:
            if row in empty:
                sheet.write_blank(row, column, None, bold)
            elif (row + column) % 2:
                sheet.write_string(row, column, CANARY)
            else:
                sheet.write_number(row, column, 39)
        if row in hidden:
            sheet.set_row(row, None, None, {"hidden": True})
        elif row in flat:
            sheet.set_row(row, 0)
    for column in columns:
        sheet.set_column(column, column, 10, None, {"hidden": True})
    workbook.close()
    n_rows = len((hidden | flat) - empty)
    n_columns = len(columns & used) if len(empty) < 12 else 0
    wanted = {"hidden_rows": n_rows, "hidden_columns": n_columns}
    assert found(file.getvalue()) == {kind: count for kind, count in wanted.items() if count}


def test_filtered_rows_of_the_sheet() -> None:
    workbook = book()
    sheet = workbook.active
    sheet.auto_filter.ref = "A1:C4"
    for row in (2, 3, 6):
        sheet.row_dimensions[row].hidden = True
    assert found(image(workbook)) == {"hidden_rows": 3}
    sheet.auto_filter.add_filter_column(1, ["1"])
    assert found(image(workbook)) == {"filtered_rows": 2, "hidden_rows": 1}


def test_filtered_rows_of_a_table() -> None:
    workbook = book()
    table = Table(displayName="exams", ref="A1:C5")
    workbook.active.add_table(table)
    workbook.active.row_dimensions[4].hidden = workbook.active.row_dimensions[6].hidden = True
    assert found(image(workbook)) == {"hidden_rows": 2}
    table._initialise_columns()
    table.autoFilter.ref = "A1:C5"
    from openpyxl.worksheet.filters import FilterColumn, Filters

    table.autoFilter.filterColumn = [FilterColumn(colId=1, filters=Filters(filter=["1"]))]
    assert found(image(workbook)) == {"filtered_rows": 1, "hidden_rows": 1}


def test_comments_of_all_sheets() -> None:
    workbook = book()
    workbook.active["A2"].comment = Comment(CANARY, CANARY)
    workbook.active["B2"].comment = Comment(CANARY, CANARY)
    workbook.create_sheet("b")["A1"].comment = Comment(CANARY, CANARY)
    assert found(image(workbook)) == {"comments": 3, "further_sheets": 1}


def test_a_conversation_counts_once() -> None:
    """As Excel writes it: the conversation, and a comment for older programs by an author of its own."""
    comments = f"""<comments xmlns="urn:x"><authors><author>{CANARY}</author><author>tc={{1}}</author></authors>
        <commentList><comment ref="A1" authorId="0"><text/></comment><comment ref="A2" authorId="1"/></commentList>
        </comments>"""
    threads = f"""<ThreadedComments xmlns="urn:y"><threadedComment ref="A2"><text>{CANARY}</text></threadedComment>
        <threadedComment ref="A2" parentId="1"><text>{CANARY}</text></threadedComment></ThreadedComments>"""
    data = with_parts(
        image(book()), {"xl/comments1.xml": comments, "xl/threadedComments/threadedComment1.xml": threads}
    )
    assert found(data) == {"comments": 1, "threaded_comments": 2}


def test_pivot_caches_and_their_records() -> None:
    records = "".join(f'<r><s v="{CANARY}"/><n v="{n}"/></r>' for n in range(3000))
    data = with_parts(
        image(book()),
        {
            "xl/pivotCache/pivotCacheDefinition1.xml": "<pivotCacheDefinition/>",
            "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": "<Relationships/>",
            "xl/pivotCache/pivotCacheRecords1.xml": f"<pivotCacheRecords xmlns='urn:x'>{records}</pivotCacheRecords>",
            "xl/pivotCache/pivotCacheDefinition2.xml": "<pivotCacheDefinition/>",
        },
    )
    assert found(data) == {"pivot_caches": 2, "pivot_records": 3000}


def test_tags_cut_by_the_pieces_in_which_a_part_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    records = "<x:pivotCacheRecords>" + "<x:r><x:n v='1'/></x:r>" * 50 + "</x:pivotCacheRecords>"
    workbook = book(30)
    for row in range(2, 20):
        workbook.active.row_dimensions[row].hidden = True
    workbook.active.column_dimensions["B"].hidden = True
    data = with_parts(image(workbook), {"xl/pivotCache/pivotCacheRecords1.xml": records})
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("celosia.data.io.packages._PIECE", size)
        assert found(data) == {"hidden_rows": 18, "hidden_columns": 1, "pivot_records": 50}


def test_defined_names() -> None:
    workbook = book()
    workbook.defined_names["people"] = DefinedName("people", attr_text=f'"{CANARY}"')
    workbook.defined_names["secret"] = DefinedName("secret", attr_text=f'"{CANARY}"', hidden=True)
    workbook.active.print_area = "A1:B2"
    workbook.active.auto_filter.ref = "A1:C4"
    assert found(image(workbook)) == {"defined_names": 1, "hidden_names": 1}


def test_properties() -> None:
    workbook = book()
    workbook.properties.lastModifiedBy = CANARY
    workbook.properties.title = CANARY
    workbook.custom_doc_props.append(StringProperty(name="patient", value=CANARY))
    data = image(workbook)
    assert found(data) == {"properties": 2, "custom_properties": 1}
    app = part(data, "docProps/app.xml").replace("</Properties>", f"<Company>{CANARY}</Company></Properties>")
    assert found(with_parts(data, {"docProps/app.xml": app})) == {"properties": 3, "custom_properties": 1}
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as other:
        other.add_worksheet().write(0, 0, "a")
        other.set_properties({"author": CANARY, "company": CANARY, "comments": CANARY, "manager": CANARY})
    assert found(file.getvalue()) == {"properties": 5}  # xlsxwriter names the author as the last to change it, too


def test_parts_that_count_as_such() -> None:
    data = with_parts(
        image(book()),
        {
            "xl/externalLinks/externalLink1.xml": "<externalLink/>",
            "xl/externalLinks/_rels/externalLink1.xml.rels": "<Relationships/>",
            "xl/embeddings/oleObject1.bin": CANARY,
            "xl/media/image1.png": CANARY,
            "xl/media/image2.jpeg": CANARY,
            "docProps/thumbnail.wmf": CANARY,
            "xl/vbaProject.bin": CANARY,
            "xl/revisions/revisionHeaders.xml": "<headers/>",
            "xl/revisions/revisionLog1.xml": "<revisions/>",
            "xl/model/item.data": CANARY,
            "customXml/item1.xml": f"<x>{CANARY}</x>",
            "customXml/itemProps1.xml": "<x/>",
            "xl/printerSettings/printerSettings1.bin": CANARY,
            "xl/connections.xml": "<connections><connection id='1'/><connection id='2'/></connections>",
            "xl/drawings/drawing1.xml": f"<xdr:wsDr><a:p><a:r><a:t>{CANARY}</a:t></a:r></a:p></xdr:wsDr>",
        },
    )
    assert found(data) == {
        **{"external_links": 1, "embedded_objects": 1, "images": 2, "thumbnails": 1, "macros": 1, "revisions": 1},
        **{"data_models": 1, "custom_parts": 1, "printer_settings": 1, "connections": 2, "drawing_texts": 1},
    }


def test_lists_of_allowed_values() -> None:
    workbook = book()
    workbook.active.add_data_validation(DataValidation(type="list", formula1=f'"{CANARY},b"', sqref="A2:A9"))
    workbook.active.add_data_validation(DataValidation(type="list", formula1="$A$1:$A$3", sqref="B2:B9"))
    workbook.active.add_data_validation(DataValidation(type="whole", formula1="1", sqref="C2:C9"))
    assert found(image(workbook)) == {"value_lists": 1}


def test_values_kept_in_charts() -> None:
    workbook = book()
    chart = BarChart()
    chart.add_data(Reference(workbook.active, min_col=2, min_row=1, max_row=6), titles_from_data=True)
    workbook.active.add_chart(chart)
    data = image(workbook)
    assert "chart_values" not in found(data)
    kept = f"<c:strCache><c:ptCount val='2'/><c:pt idx='0'><c:v>{CANARY}</c:v></c:pt><c:pt idx='1'/></c:strCache>"
    text = part(data, "xl/charts/chart1.xml").replace("</chartSpace>", f"{kept}</chartSpace>")
    assert found(with_parts(data, {"xl/charts/chart1.xml": text})) == {"chart_values": 2}


def test_other_spellings_of_a_sheet() -> None:
    """With a prefix, as the libraries of .NET write it; without places of cells; in UTF-16."""
    workbook = book()
    workbook.active.row_dimensions[3].hidden = True
    workbook.active.column_dimensions["C"].hidden = True
    data = image(workbook)
    name = "xl/worksheets/sheet1.xml"
    text = part(data, name)
    prefixed = re.sub(r"<(/?)(?=[a-zA-Z])", r"<\1x:", text).replace("xmlns=", "xmlns:x=")
    placeless = re.sub(r'(<c) r="[A-Z]+\d+"', r"\1", text)
    wide = text.encode("utf-16")
    for spelling in (prefixed, placeless, wide, text.replace('hidden="1"', "hidden='true'")):
        assert found(with_parts(data, {name: spelling})) == {"hidden_rows": 1, "hidden_columns": 1}


def test_bombs_and_entities_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    good = image(book())
    entity = f"<!DOCTYPE x [<!ENTITY a '{CANARY}'>]><x>&a;</x>"
    doctype = {"docProps/core.xml": entity, "xl/workbook.xml": entity, "xl/_rels/workbook.xml.rels": entity}
    broken = {"xl/workbook.xml": f"<a>{CANARY}", "docProps/app.xml": CANARY}
    for name, text in (*doctype.items(), *broken.items(), ("docProps/core.xml", entity.encode("utf-16"))):
        with pytest.raises(FormatError, match="not a readable workbook") as caught:
            hidden_parts(with_parts(good, {name: text}), "exams.xlsx", None)
        assert CANARY not in str(caught.value)
        assert caught.value.__context__ is None
    monkeypatch.setattr("celosia.data.io.packages._LARGEST_PART", 10_000)
    with pytest.raises(FormatError, match="unpacks to more"):
        hidden_parts(with_parts(good, {"docProps/core.xml": "<x>" + " " * 20_000 + "</x>"}), "exams.xlsx", None)
    monkeypatch.undo()
    monkeypatch.setattr("celosia.data.io.packages._MOST_PARTS", 5)
    with pytest.raises(FormatError, match="unpacks to more"):
        hidden_parts(good, "exams.xlsx", None)


def test_broken_zip_files_are_refused() -> None:
    good = image(book())
    for data in (
        good[:-30],
        good[:200] + b"\0" * 40 + good[240:],
        b"",
        b"PK\x03\x04",
        b"\xd0\xcf\x11\xe0" + b"\0" * 600,
    ):
        with pytest.raises(FormatError):
            hidden_parts(data, "exams.xlsx", None)


CONTENT = """<?xml version="1.0"?>
<office:document-content xmlns:office="o" xmlns:table="t" xmlns:style="s" xmlns:text="x">
<office:automatic-styles><style:style style:name="ta1"><style:table-properties table:display="true"/></style:style>
<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet>
<table:table table:name="keys" table:style-name="ta2"><table:table-row table:visibility="collapse">
<table:table-cell office:value-type="string"/></table:table-row></table:table>
<table:table table:name="exams" table:style-name="ta1">
<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>
<table:table-column table:visibility="collapse" table:number-columns-repeated="1020"/>
<table:table-row><table:table-cell office:value-type="string" table:number-columns-repeated="2">
<office:annotation><text:p>Amparo-7391</text:p></office:annotation></table:table-cell></table:table-row>
<table:table-row table:visibility="collapse" table:number-rows-repeated="3">
<table:table-cell office:value-type="float"/></table:table-row>
<table:table-row table:visibility="filter"><table:table-cell office:value-type="float"/></table:table-row>
<table:table-row table:visibility="collapse" table:number-rows-repeated="1000000"><table:table-cell
 table:number-columns-repeated="1024"/></table:table-row></table:table>
<table:table table:name="more" table:style-name="ta1"/>
<table:named-expressions><table:named-range table:name="a"/></table:named-expressions>
</office:spreadsheet></office:body></office:document-content>"""
META = """<m xmlns:dc='d' xmlns:meta='e'><dc:creator>Amparo-7391</dc:creator><dc:title/>
<meta:generator>x</meta:generator></m>"""


def open_document(content: str = CONTENT) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("meta.xml", META)
        archive.writestr("Thumbnails/thumbnail.png", CANARY)
    return file.getvalue()


def test_workbooks_in_open_document_form() -> None:
    everywhere = {"comments": 1, "defined_names": 1, "properties": 1, "thumbnails": 1, "further_sheets": 1}
    assert found(open_document()) == everywhere | {
        **{"hidden_sheets": 1, "hidden_rows": 3, "filtered_rows": 1, "hidden_columns": 1}
    }
    assert found(open_document(), "keys") == everywhere | {"further_sheets": 2, "hidden_rows": 1}
    with pytest.raises(FormatError):
        found(open_document("<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"))


def test_reading_tells_what_is_hidden(tmp_path: Path) -> None:
    workbook = book()
    workbook.create_sheet("keys").sheet_state = "hidden"
    workbook.active.row_dimensions[2].hidden = True
    (tmp_path / "exams.xlsx").write_bytes(image(workbook))
    source = read(tmp_path / "exams.xlsx")
    assert source.hidden == (Hidden("hidden_sheets", 1), Hidden("hidden_rows", 1))
    assert source.frame.height == 5
    (tmp_path / "exams.csv").write_text("a,b\n1,2\n")
    assert read(tmp_path / "exams.csv").hidden == ()


@pytest.mark.parametrize("n_rows", [0, 1, 300])
def test_our_own_workbooks_hide_nothing(tmp_path: Path, n_rows: int) -> None:
    frame = pl.DataFrame(
        {
            "text": [None if row % 3 else f"=cmd {row}" for row in range(n_rows)],
            "n": [row or None for row in range(n_rows)],
            "truth": [row % 2 == 0 for row in range(n_rows)],
            "day": [datetime.date(2024, 5, 1)] * n_rows,
            "empty": [None] * n_rows,
        },
        schema={"text": pl.String, "n": pl.Int64, "truth": pl.Boolean, "day": pl.Date, "empty": pl.Float64},
    )
    write(frame, tmp_path / "data.xlsx", numbers=["text"])
    assert read(tmp_path / "data.xlsx").hidden == ()


@given(cells=st.lists(st.text(max_size=10) | st.none(), max_size=5))
def test_no_cell_of_ours_is_taken_for_something_hidden(cells: list[str | None]) -> None:
    tricks = ['<row r="1" hidden="1"><c><v>1</v></c></row>', "<comment/>", '<col min="1" max="9" hidden="1"/>']
    file = io.BytesIO()
    write_excel(pl.DataFrame({"a": [*cells, *tricks]}), file)
    assert found(file.getvalue()) == {}


def test_every_kind_has_a_sentence_with_its_count() -> None:
    for kind, words in HIDDEN_WORDS.items():
        assert re.fullmatch("[a-z_]+", kind)
        assert "7391" in words.format(count=7391)
        assert words[0].isupper()
        assert words.endswith(".")


def test_a_long_sheet_is_scanned_quickly() -> None:
    """The limit is wide, for busy machines."""
    hidden = ' hidden="1"'
    cells = "".join(f'<c r="{letter}9" t="s"><v>12</v></c>' for letter in "ABCDE")
    rows = (f'<row r="{row}"{"" if row % 1000 else hidden}>{cells}</row>' for row in range(1, 100_001))
    data = image(book())
    text = part(data, "xl/worksheets/sheet1.xml")
    head, tail = text.partition("<sheetData>")[0], text.partition("</sheetData>")[2]
    data = with_parts(data, {"xl/worksheets/sheet1.xml": f"{head}<sheetData>{''.join(rows)}</sheetData>{tail}"})
    start = time.perf_counter()
    assert found(data) == {"hidden_rows": 100}
    assert time.perf_counter() - start < 5
