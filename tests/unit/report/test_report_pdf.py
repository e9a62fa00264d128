"""PDF: what the file says about itself, what stands on every sheet, and that one page always gives one file."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from functools import lru_cache

import pypdf
import pytest
import typst

import celosia as cl
from celosia.base.errors import InputError
from celosia.data.students import STUDENTS, make_students
from celosia.report import pdf, render
from celosia.report.language import LANGUAGES
from celosia.report.pdf import check_pdf, pdf_of, pdfs_of
from celosia.report.pdf_nodes import SIZES, nodes_of

POINTS_A_MM = 72 / 25.4


@lru_cache
def report(lang: str) -> str:
    table = cl.Table(make_students(120), STUDENTS, name="students.csv")
    return render(cl.Plan(models=[cl.KAnonymity(4)], algorithm=cl.Mondrian()).run(table), lang)


@lru_cache
def read(lang: str) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(pdf_of(report(lang))))


def page_of(body: str, head: str = "") -> str:
    return f'<html lang="en"><head><title>A title</title>{head}</head><body>{body}</body></html>'


def text_of(file: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(file)).pages)


def outline_of(reader: pypdf.PdfReader, entries=None) -> list[tuple[str, int]]:
    """Headings in the order of the document, each with its sheet."""
    told = []
    for entry in reader.outline if entries is None else entries:
        if isinstance(entry, list):
            told += outline_of(reader, entry)
        else:
            told.append((entry.title, reader.get_destination_page_number(entry) + 1))
    return told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_file_says_what_it_is_and_no_more(lang):
    reader = read(lang)
    title = re.search("<title>(.*?)</title>", report(lang))[1]
    day = re.search(r'<time datetime="(\d{4})-(\d\d)-(\d\d)', report(lang))
    assert set(reader.metadata) == {"/Title", "/Creator", "/CreationDate", "/ModDate"}
    assert reader.metadata.title == title
    assert reader.metadata.creator.startswith("Typst")
    assert reader.metadata.creation_date.strftime("%Y %m %d") == " ".join(day.groups())
    assert reader.trailer["/Root"]["/Lang"] == lang
    told = reader.trailer["/Root"]["/Metadata"].get_data().decode()
    assert "<pdfuaid:part>1<" in told  # what a reader for the blind asks for
    assert "<pdfaid:part>2<" in told  # what an archive asks for
    assert not {part for part in (os.getcwd(), os.path.dirname(pdf.__file__), "/home") if part in told}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sheet_has_its_number_and_the_stamp(lang):
    sheets = [sheet.extract_text() for sheet in read(lang).pages]
    stamp = re.search('class="stamp">(.*?)<', report(lang))[1]
    assert len(sheets) > 3
    for number, sheet in enumerate(sheets, 1):
        assert stamp in sheet
        assert sheet.endswith(f"\n{number} / {len(sheets)}")
    assert all(sheet.startswith("students.csv · ") for sheet in sheets[1:])


def test_a_page_without_a_stamp_has_none():
    long = page_of("<h1>A</h1>" + "<p>words</p>" * 200)
    reader = pypdf.PdfReader(io.BytesIO(pdf_of(long)))
    assert len(reader.pages) > 2
    assert reader.pages[1].extract_text().startswith("A title\nwords\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_bookmarks_are_the_headings_and_contents_tell_their_sheets(lang):
    body = re.sub("<nav.*?</nav>", "", report(lang), flags=re.S)
    headings = [re.sub("<.*?>", "", one[1]) for one in re.finditer(r"<h[123].*?>(.*?)</h[123]>", body)]
    told = outline_of(read(lang))
    assert [title for title, _ in told] == headings
    first = read(lang).pages[0].extract_text()
    sections = [(title, sheet) for title, sheet in told if re.match(r"\d+ ", title)]
    assert len(sections) == len(re.findall("<section", body))
    for title, sheet in sections:
        number, _, words = title.partition(" ")
        assert re.search(rf"^{number} {re.escape(words)}\s+{sheet}$", first, re.M), title


def test_no_warning_of_the_type_setter():
    compiler = typst.Compiler(pdf._TEMPLATE, root=pdf._TEMPLATE.parent, ignore_system_fonts=True)
    given = {"page": json.dumps(nodes_of(report("en")))}
    _, warnings = compiler.compile_with_warnings(format="pdf", sys_inputs=given)
    assert warnings == []


def test_only_fonts_that_come_with_the_type_setter():
    fonts = {
        font.get_object()["/BaseFont"].partition("+")[2].lower()
        for page in read("es").pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts
    assert all(font.startswith(("libertinusserif", "dejavusansmono", "newcm")) for font in fonts)


def test_one_page_gives_one_file_anywhere(tmp_path):
    code = "import sys; from celosia.report.pdf import pdf_of; sys.stdout.buffer.write(pdf_of(sys.stdin.read()))"
    page = report("es")
    other = subprocess.run(
        [sys.executable, "-c", code],
        input=page.encode(),
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "TZ": "Pacific/Auckland", "PYTHONUTF8": "1"},
    )
    assert other.stdout == pdf_of(page)


def test_many_pages_are_set_as_each_alone_and_in_order():
    pages = [page_of(f"<h1>Card {n}</h1><p>for student {n}</p>") for n in range(7)]
    files = pdfs_of(pages)
    assert files == [pdf_of(page) for page in pages]
    assert [f"Card {n}\nfor student {n}" in text_of(file) for n, file in enumerate(files)] == [True] * 7
    assert pdfs_of([]) == []


@pytest.mark.parametrize(("size", "across", "down"), [("a4", 210, 297), ("a5", 148, 210), ("a6", 105, 148)])
def test_sizes_of_paper(size, across, down):
    file = pdf_of(page_of("<h1>A</h1><p>b</p>", f'<meta name="celosia-page" content="{size}">'))
    (sheet,) = pypdf.PdfReader(io.BytesIO(file)).pages
    assert (float(sheet.mediabox.width), float(sheet.mediabox.height)) == pytest.approx(
        (across * POINTS_A_MM, down * POINTS_A_MM), abs=0.1
    )
    assert ("1 / 1" in sheet.extract_text()) is (size == "a4")  # a card needs no number


def test_a_size_that_there_is_not_is_refused():
    with pytest.raises(InputError, match="no page of size 'a44'") as refused:
        pdf_of(page_of("<p>b</p>", '<meta name="celosia-page" content="a44">'))
    assert "a4" in refused.value.hint
    assert SIZES[0] == "a4"


def test_without_the_type_setter_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    for attempt in (check_pdf, lambda: pdf_of(page_of("<p>b</p>"))):
        with pytest.raises(InputError, match="typst") as refused:
            attempt()
        assert refused.value.hint == 'pip install "celosia[pdf]"'


def test_signs_that_no_font_of_the_type_setter_has_do_not_stop_a_page():
    file = pdf_of(page_of("<p>before 李明 after</p>"))
    assert re.search(r"before\s.*after", text_of(file))


def test_words_for_those_who_do_not_see_a_picture_are_in_the_file():
    chart = (
        '<svg class="chart" viewBox="0 0 340 20" aria-label="two bars, both short"><rect width="3" height="9"/></svg>'
    )
    reader = pypdf.PdfReader(io.BytesIO(pdf_of(page_of(f"<h1>A</h1><figure>{chart}</figure>"))))

    def alternatives(node):
        node = node.get_object()
        if isinstance(node, pypdf.generic.ArrayObject):
            return [one for child in node for one in alternatives(child)]
        if not isinstance(node, pypdf.generic.DictionaryObject):
            return []
        return [*([node["/Alt"]] if "/Alt" in node else []), *alternatives(node.get("/K", pypdf.generic.NullObject()))]

    assert alternatives(reader.trailer["/Root"]["/StructTreeRoot"]) == ["two bars, both short"]
